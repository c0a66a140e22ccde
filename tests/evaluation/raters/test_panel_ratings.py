import numpy as np
import pytest

from assay.evaluation.raters.panel_ratings import Labels, PanelRatings
from tests.evaluation.raters.panels import panel_from

TABLE = np.array([[1, 2, np.nan], [3, np.nan, 3], [2, 2, 2.0]])


def test_ratings_know_who_is_a_judge_and_who_rated_what() -> None:
    panel = panel_from(TABLE, judges=1)

    assert panel.people == (0, 1)
    assert panel.judge_numbers == (2,)
    assert panel.counts.tolist() == [3, 2, 2]
    np.testing.assert_array_equal(panel.of_rater(1), [2, np.nan, 2])


def test_a_rater_taken_out_is_no_longer_among_the_people() -> None:
    panel = panel_from(TABLE, judges=1).without([1])

    assert panel.people == (0,)
    assert len(panel) == 5
    assert panel.raters == ("h0", "h1", "gpt-2")


def test_a_criterion_of_an_item_is_a_unit_of_its_own() -> None:
    codes = np.array([0, 0, 1, 1])
    panel = PanelRatings(
        items=("a", "b"),
        raters=("ann",),
        judges=np.array([False]),
        labels=Labels("number"),
        item=codes,
        rater=np.zeros(4, dtype=np.int64),
        value=np.array([1.0, 2, 3, 4]),
        criteria=("style", "content"),
        criterion=np.array([0, 1, 0, 1]),
    )

    assert panel.unit.tolist() == [0, 1, 2, 3]
    assert panel.unit_count == 4
    assert panel.where(np.array([True, False, True, True])).unit.tolist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("kind", "ordered"), [("number", True), ("ordered", True), ("boolean", True), ("category", False)]
)
def test_only_categories_have_no_order(kind: str, ordered: bool) -> None:
    assert Labels(kind, ("no", "yes")).ordered is ordered  # type: ignore[arg-type]


def test_arrays_of_a_panel_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        panel_from(TABLE, judges=1).value[0] = 9
