from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.evaluation.raters.panel_ratings import PanelRatings
from assay.io.tables.panel_columns import panel_columns
from assay.io.tables.panel_table import LabelColumn, open_panel, read_panel
from assay.scale import ScoreScale


def read(columns: dict[str, Any], plan: LabelColumn | None = None, **named: Any) -> PanelRatings:
    source = open_panel(pl.DataFrame(columns))
    return read_panel(source, panel_columns(source, **named), plan or LabelColumn())


LONG: dict[str, Any] = {
    "item": ["a", "a", "b", "b", "b"],
    "rater": ["ann", "gpt", "ann", "gpt", "bob"],
    "score": ["3", "4", "2", "2", "1"],
}


def test_a_long_table_is_read_as_it_is() -> None:
    panel = read(LONG)

    assert panel.items == ("a", "b")
    assert panel.raters == ("ann", "gpt", "bob")
    assert panel.judges.tolist() == [False, True, False]
    np.testing.assert_array_equal(panel.of_rater(1), [4, 2])
    assert panel.exclusions.read == panel.exclusions.used == 5
    assert "people are ann, bob; judges are gpt" in panel.notices[-1]


def test_the_same_ratings_wide_give_the_same_panel() -> None:
    panel = read(
        {"item": ["a", "b"], "ann": ["3", "2"], "bob": ["", "1"], "gpt": ["4", "2"]},
        humans=["ann", "bob"],
        judges=["gpt"],
    )

    np.testing.assert_array_equal(panel.of_rater(0), [3, 2])
    np.testing.assert_array_equal(panel.of_rater(1), [np.nan, 1])
    assert panel.exclusions.read == 5, "a gap of a wide table is no rating"
    assert panel.notices == ("Columns guessed by name: item = item.",)


def test_everything_left_out_is_counted_by_reason_and_the_counts_add_up() -> None:
    table = {
        "item": ["a", "b", "c", "d", "", "a", "f", "g", *("x" * n for n in range(1, 60))],
        "rater": ["ann", "ann", "ann", "ann", "ann", "ann", "zed", "ann", *["ann"] * 59],
        "score": ["3", "", "refused", "9", "3", "2", "3", "1", *["2"] * 59],
    }

    panel = read(table, LabelColumn(kind="number", scale=ScoreScale(1, 5), exclude=("zed",)))

    assert panel.exclusions.left_out == {
        "no item or no rater": 1,
        "rater excluded": 1,
        "no label": 1,
        "not a number": 1,
        "not on the scale": 1,
        "same item and rater again": 1,
    }
    assert panel.exclusions.used == len(panel) == 61


def test_runs_are_not_repetitions_by_mistake() -> None:
    panel = read({**{k: v * 2 for k, v in LONG.items()}, "run": [1] * 5 + [2] * 5})

    assert len(panel) == 5
    assert not panel.exclusions.left_out
    assert panel.repeats is not None
    assert panel.repeats.value.size == 5


def test_criteria_weights_groups_lengths_and_texts_belong_to_items() -> None:
    more = {"criterion": ["c1", "c1", "c1", "c1", "c2"], "weight": [1, 1, 2, 2, 2], "length": [10, 10, 20, 20, 20]}
    panel = read({**LONG, **more, "topic": ["x", "x", "y", "y", "y"], "text": ["A", "A", "B", "B", "B"]})

    assert panel.criteria == ("c1", "c2")
    assert panel.item_weight is not None
    assert panel.item_weight.tolist() == [1, 2]
    assert panel.length is not None
    assert panel.length.tolist() == [10, 20]
    assert list(panel.texts) == ["A", "B"]
    names, codes = panel.groups["topic"]
    assert [names[code] for code in codes] == ["x", "y"]


def test_a_column_can_say_who_is_a_judge() -> None:
    panel = read({**LONG, "kind": ["judge", "human", "judge", "human", "human"]})

    assert dict(zip(panel.raters, panel.judges.tolist(), strict=True)) == {"ann": True, "gpt": False, "bob": False}


def test_preferences_become_labels_of_the_pair_whatever_the_order_shown() -> None:
    panel = read(
        {
            "question": ["q", "q", "q", "r"],
            "A": ["x", "y", "x", "x"],
            "B": ["y", "x", "y", "z"],
            "winner": ["A", "B", "tie", "x"],
            "rater": ["ann", "bob", "gpt", "ann"],
        }
    )

    assert panel.items == ("q: x or y", "r: x or z")
    assert [panel.labels.word(value) for value in panel.value] == ["A", "A", "tie", "A"]


@pytest.mark.parametrize(
    ("columns", "plan", "named", "field"),
    [
        (LONG, LabelColumn(exclude=("nobody",)), {}, "exclude"),
        (LONG, LabelColumn(), {"judges": ["claude"], "rater": "rater"}, "judges"),
        (LONG, LabelColumn(), {"judges": ["gpt"], "humans": ["gpt"], "rater": "rater"}, "judges"),
        ({**LONG, "weight": [1, 1, -1, 1, 1]}, LabelColumn(), {}, "weight"),
        ({**LONG, "length": ["1", "x", "1", "1", "1"]}, LabelColumn(), {}, "length"),
        ({"item": ["a"], "ann": [1], "gpt": [2]}, LabelColumn(), {"humans": ["ann"], "judges": ["ann"]}, "judges"),
    ],
)
def test_what_is_wrong_is_an_error_that_names_the_argument(
    columns: dict[str, Any], plan: LabelColumn, named: dict[str, Any], field: str
) -> None:
    with pytest.raises(InputError) as error:
        read(columns, plan, **named)

    assert error.value.field == field


@pytest.mark.parametrize("columns", [{"item": [], "rater": [], "score": []}, {**LONG, "score": ["", "", "", "", ""]}])
def test_a_table_without_ratings_is_an_error(columns: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"no ratings|no rating can be used"):
        read(columns)


def test_people_presumed_from_their_labels_are_a_caution_and_unused_columns_a_notice() -> None:
    presumed = read({"id": ["x", "y"], "ann": [1, 2], "gpt": [1, 2]})
    unused = read({"id": ["x", "y"], "h1": [1, 2], "gpt": [1, 2], "x17": [2, 1]})

    assert presumed.cautions[0].startswith("ann is taken for people")
    assert unused.cautions == ()
    assert any(notice.startswith("Not used: x17") for notice in unused.notices)


def test_two_bad_answers_are_a_tie_and_an_unknown_winner_is_counted_apart() -> None:
    winners = ["A", "both bad", "tie (bothbad)", "B", "skipped", ""]
    panel = read({"item": list("abcdef"), "A": ["m1"] * 6, "B": ["m2"] * 6, "winner": winners})

    assert panel.preferences is not None
    assert panel.preferences.outcome.tolist() == [1, 0.5, 0.5, 0]
    assert panel.exclusions.left_out == {"winner is neither A, B nor a tie": 1, "no label": 1}
