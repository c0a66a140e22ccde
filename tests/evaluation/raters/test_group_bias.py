from dataclasses import replace

import numpy as np
import pytest

from assay.evaluation.panels.differential import logistic_dif, mantel, mantel_haenszel
from assay.evaluation.raters.group_bias import group_bias_of, matched_levels
from assay.evaluation.raters.panel_ratings import Labels, PanelRatings
from tests.evaluation.raters.panels import panel_from, random_table


def grouped(shift: float, items: int = 600) -> tuple[PanelRatings, np.ndarray, np.ndarray]:
    """One person and a judge who adds `shift` points to the items of group b."""
    rng = np.random.default_rng(2)
    group = rng.integers(0, 2, items)
    human = rng.integers(1, 7, items).astype(float)
    judge = np.clip(np.rint(human + rng.normal(0, 0.8, items) + shift * group), 1, 6)
    table = np.column_stack([human, judge])
    panel = replace(panel_from(table, 1), groups={"language": (("a", "b"), group.astype(np.int64))})
    return panel, table, group


def test_a_judge_who_favors_a_group_is_named_with_the_size_of_it() -> None:
    rows = group_bias_of(grouped(1.0)[0])
    favored = next(row for row in rows if row.group == "b")

    assert favored.difference.low > 0.5
    assert favored.size in ("moderate", "large")
    assert favored.adjusted_p < 0.001


def test_a_fair_judge_is_not() -> None:
    assert {row.size for row in group_bias_of(grouped(0.0)[0])} == {"negligible"}


def test_tests_are_those_of_the_plain_functions() -> None:
    panel, table, group = grouped(0.5)
    row = next(row for row in group_bias_of(panel, pass_mark=4) if row.group == "b")

    plain = mantel(table[:, 1], group, table[:, 0])
    assert row.difference == pytest.approx(plain.difference)
    assert row.mantel_p == pytest.approx(plain.p)
    passes = mantel_haenszel((table[:, 1] >= 4).astype(float), group, table[:, 0])
    assert row.delta == pytest.approx(passes.delta)
    assert row.category == passes.category
    levels = np.unique(table[:, 1], return_inverse=True)[1].astype(float)
    logistic = logistic_dif(levels, group, table[:, 0])
    assert row.uniform_p == pytest.approx(logistic.uniform_p, rel=1e-6)
    assert row.r2_gain == pytest.approx(logistic.r2_gain, rel=1e-6)


def test_small_groups_have_a_reason_and_categories_no_tests() -> None:
    panel, _, group = grouped(0.0)
    codes = np.where(np.arange(600) < 5, 2, group)
    few = replace(panel, groups={"language": (("a", "b", "c"), codes)})

    assert [row.reason for row in group_bias_of(few) if row.group == "c"] == [
        "fewer than 20 items in the group or the others"
    ]
    assert group_bias_of(replace(panel, labels=Labels("category", tuple("_abcdef")))) == ()
    assert group_bias_of(panel_from(random_table(1), 2)) == ()


def test_people_are_matched_at_the_nearest_level() -> None:
    table = np.array([[1, 2, 3.0], [4, 4, 1.0], [np.nan, np.nan, 2.0]])

    np.testing.assert_array_equal(matched_levels(panel_from(table, 1)), [1, 4, np.nan])
