"""Figures of many raters against the metrics of a whole table, pairs against the metrics of two raters."""

import numpy as np
import pytest

from assay.evaluation.raters.agreement import agreement_of, ranks_of, reliability_of, slots
from assay.evaluation.raters.panel_ratings import Labels
from assay.metrics import reliability
from tests.evaluation.raters.panels import panel_from, random_table

CATEGORIES = Labels("category", ("", "a", "b", "c", "d", "e"))


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("alpha_nominal", reliability.krippendorff_alpha_nominal),
        ("alpha_ordinal", reliability.krippendorff_alpha_ordinal),
        ("alpha_interval", reliability.krippendorff_alpha_interval),
        ("alpha_ratio", reliability.krippendorff_alpha_ratio),
        ("fleiss_kappa", reliability.fleiss_kappa),
        ("gwet_ac1", reliability.gwet_ac1),
        ("gwet_ac2", reliability.gwet_ac2_quadratic),
        ("icc_1", reliability.icc_1),
    ],
)
def test_figures_do_not_depend_on_who_gave_which_rating(name: str, figure: object) -> None:
    table = random_table(3)
    one = reliability_of(panel_from(table, 2), "people", (0, 1, 2, 3))

    assert one.figures[name] == pytest.approx(figure(table[:, :4]), abs=1e-9)  # type: ignore[operator]
    assert one.figures[name].low < one.figures[name] < one.figures[name].high


def test_intraclass_correlations_ask_for_complete_items() -> None:
    table = random_table(4, gaps=0.0)
    one = reliability_of(panel_from(table, 2), "all", tuple(range(6)))

    assert one.figures["icc_2"] == pytest.approx(float(reliability.icc_2(table)), abs=1e-9)
    sparse = reliability_of(panel_from(random_table(4, gaps=0.9), 2), "all", tuple(range(6)))
    assert not sparse.figures["icc_2"].defined


def test_categories_have_nominal_figures_only() -> None:
    one = reliability_of(panel_from(random_table(5), 2, CATEGORIES), "people", (0, 1, 2, 3))

    assert set(one.figures) == {"alpha_nominal", "fleiss_kappa", "gwet_ac1"}


def test_slots_hold_the_ratings_of_each_unit_in_order() -> None:
    table = np.array([[3, 1, np.nan], [np.nan, np.nan, 2.0], [2, 2, 1]])

    packed, unit = slots(panel_from(table, 1))

    np.testing.assert_array_equal(packed, [[1, 3, np.nan], [2, np.nan, np.nan], [1, 2, 2]])
    assert unit.tolist() == [0, 1, 2]


def test_ranks_are_open_where_judges_are_alike_and_settled_where_they_are_not() -> None:
    rng = np.random.default_rng(6)
    table = random_table(6, items=300, people=4, judges=3, gaps=0.0, noise=0.5)
    table[:, 5] = table[:, 4]
    table[rng.random(300) < 0.2, 5] = 3
    table[:, 6] = rng.integers(1, 6, size=300)

    ranks = {rank.judge: rank for rank in ranks_of(panel_from(table, 3))}

    assert (ranks["gpt-6"].best, ranks["gpt-6"].worst) == (3, 3)
    assert ranks["gpt-4"].best == 1
    assert ranks["gpt-4"].worst <= 2


def test_people_judges_and_all_are_told_apart() -> None:
    agreement = agreement_of(panel_from(random_table(7), 2))

    assert [(one.who, one.raters) for one in agreement.reliability] == [("people", 4), ("judges", 2), ("all", 6)]
    assert agreement.matrix.judges == (False, False, False, False, True, True)
