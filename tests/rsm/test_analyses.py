"""Analyses of features: laws, worked examples, and what happens where something is undefined."""

import numpy as np
import pytest

from assay.rsm.analyses import (
    analyse_training,
    grouped_correlations,
    partial_correlations,
    principal_components,
    target_correlations,
)
from assay.rsm.descriptives import (
    box,
    correlation_p,
    feature_boxes,
    feature_descriptives,
    feature_outliers,
    feature_percentiles,
)
from assay.rsm.filtering import Overlap, data_composition, left_out
from assay.rsm.functioning import feature_functioning
from assay.rsm.types import FLAGGED, NO_FEATURE, REASONS, ZERO_HUMAN, FeatureTable, Partition

RNG = np.random.default_rng(11)
VALUES = RNG.normal(size=(60, 3))
HUMAN = np.clip(np.rint(3 + VALUES @ [0.7, 0.4, 0.0] + RNG.normal(size=60) * 0.5), 1, 6)


def texts(*values: str | None) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    return np.array(values, dtype=object)


def test_descriptives_of_a_small_feature_are_those_worked_out_by_hand() -> None:
    found = feature_descriptives(np.array([[1.0], [2.0], [3.0], [6.0]]), np.array([1.0, 2.0, 2.0, 4.0]))

    assert (found.mean[0], found.low[0], found.high[0], found.n[0]) == (3, 1, 6, 4)
    # deviations -2, -1, 0, 3: squares 14, cubes 18, fourths 98
    assert found.sd[0] == pytest.approx((14 / 3) ** 0.5)
    assert found.skewness[0] == pytest.approx((12**0.5 / 2) * (18 / 4) / (14 / 4) ** 1.5)
    assert found.kurtosis[0] == pytest.approx((98 / 4) / (14 / 4) ** 2)


def test_a_feature_that_does_not_vary_has_no_shape_and_no_correlation() -> None:
    found = feature_descriptives(np.full((5, 1), 2.0), np.arange(5.0))

    assert np.isnan([found.skewness[0], found.kurtosis[0], found.r[0], found.p[0]]).all()


def test_two_responses_cannot_make_a_correlation_significant() -> None:
    assert correlation_p(np.array([1.0]), 2).tolist() == [1.0]


def test_missing_values_are_left_aside_feature_by_feature() -> None:
    gappy = VALUES.copy()
    gappy[:10, 1] = np.nan

    found, whole = feature_descriptives(gappy, HUMAN), feature_descriptives(VALUES[10:, 1:2], HUMAN[10:])

    assert found.n.tolist() == [60, 50, 60]
    for name in ("mean", "sd", "skewness", "kurtosis", "r", "p"):
        assert getattr(found, name)[1] == pytest.approx(getattr(whole, name)[0])
    assert feature_percentiles(gappy).values[1] == pytest.approx(feature_percentiles(VALUES[10:]).values[1])
    assert feature_outliers(gappy).n.tolist() == [60, 50, 60]


def test_a_percentile_is_a_value_that_occurs_and_a_value_on_a_fence_counts() -> None:
    found = feature_percentiles(np.array([[0.0], [1.0], [2.0], [3.0], [6.0], [9.0]]))

    # quartiles 1 and 3, fences at 6 and 9
    assert (found.values[0, 2], found.values[0, 4]) == (1, 3)
    assert (found.mild[0], found.extreme[0]) == (1, 1)


def test_outliers_lie_more_than_four_standard_deviations_away() -> None:
    values = np.append(np.tile([0.0, 1.0], 50), [100.0])[:, None]

    found = feature_outliers(values)

    assert (found.lower[0], found.upper[0]) == (0, 1)


def test_a_partial_correlation_is_that_of_the_residues() -> None:
    others = np.column_stack([np.ones(60), VALUES[:, 2]])
    residues = [
        column - others @ np.linalg.lstsq(others, column, rcond=None)[0] for column in (VALUES[:, 0], VALUES[:, 1])
    ]

    found = partial_correlations(VALUES)

    assert found[0, 1] == pytest.approx(np.corrcoef(*residues)[0, 1])
    assert found == pytest.approx(found.T)


def test_partial_correlations_do_not_depend_on_the_unit_of_measurement() -> None:
    scaled = VALUES * [1e-6, 1.0, 1e6]

    assert partial_correlations(scaled) == pytest.approx(partial_correlations(VALUES))


def test_more_columns_than_rows_leave_partial_correlations_undefined() -> None:
    found = partial_correlations(VALUES[:2])

    assert np.isnan(found[0, 1])
    assert found.diagonal().tolist() == [1, 1, 1]


def test_length_held_constant_takes_away_what_length_explains() -> None:
    feature, length = VALUES[:, :1] + 0.3 * np.sin(np.arange(60.0))[:, None], 100 + 20 * VALUES[:, 0]

    found = target_correlations(feature, HUMAN, length)

    assert found.without_length is not None
    assert found.marginal[0] > 0.4
    assert abs(found.without_length[0]) < 0.2


def test_a_group_called_all_data_is_merged_only_where_rsmtool_is_copied() -> None:
    groups = {"L1": texts(*["All data"] * 20, *["x"] * 40)}

    plain = grouped_correlations(VALUES, HUMAN, groups, name="sc1")
    merged = grouped_correlations(VALUES, HUMAN, groups, name="sc1", merge_all_data=True)

    assert plain.groups["L1"]["All data"].n == 20
    assert merged.groups["L1"]["All data"].n == 80


def test_components_span_the_whole_variance_and_are_upright() -> None:
    found = principal_components(VALUES)

    assert found.eigenvalues.sum() == pytest.approx(VALUES.var(axis=0, ddof=1).sum())
    assert found.loadings.T @ found.loadings == pytest.approx(np.eye(3))
    assert found.share.sum() == pytest.approx(1)


def test_functioning_finds_the_shift_of_a_group_at_equal_scores() -> None:
    human = np.tile([1.0, 2.0, 3.0, 4.0], 100)
    group = texts(*["a", "a", "a", "a", "b", "b", "b", "b"] * 50)
    feature = human + 0.5 * (group == "b") + RNG.normal(size=400) * 0.1

    found = feature_functioning(["f"], feature[:, None], human, "L1", group)

    (b,) = [part for part in found.parts if part.group == "b"]
    assert b.low < 0.5 < b.high
    assert b.difference == pytest.approx(0.5, abs=0.05)
    assert [(mean.score, mean.n) for mean in b.means] == [(1, 50), (2, 50), (3, 50), (4, 50)]


def test_a_group_that_shares_no_score_with_others_cannot_be_compared() -> None:
    human = np.array([1.0, 1.0, 2.0, 2.0])

    found = feature_functioning(["f"], np.arange(4.0)[:, None], human, "L1", texts("a", "a", "b", "b"))

    assert all(np.isnan(part.difference) for part in found.parts)


def test_boxes_begin_with_everyone_and_mark_where_values_are_truncated() -> None:
    (found,) = feature_boxes(["f"], VALUES[:, :1], "L1", texts(*["a"] * 30, *["b"] * 30))

    assert [part.group for part in found.boxes] == ["All data", "a", "b"]
    mean, sd = VALUES[:, 0].mean(), VALUES[:, 0].std(ddof=1)
    assert (found.truncated_below, found.truncated_above) == pytest.approx((mean - 4 * sd, mean + 4 * sd))
    assert box("empty", np.array([np.nan])).n == 0


def partition(ids: str, reasons: list[int], groups: list[str | None]) -> Partition:
    n = len(ids)
    matrix = np.where(np.array(reasons)[:, None] == REASONS.index(NO_FEATURE), np.nan, np.ones((n, 2)))
    human = np.where(np.array(reasons) == REASONS.index(ZERO_HUMAN), 0.0, 3.0)
    table = FeatureTable(texts(*ids), ("f", "g"), matrix, human, candidate=texts(*ids), groups={"L1": texts(*groups)})
    used = table.where(np.array(reasons) < 0)
    return Partition(table, np.array(reasons, dtype=np.int8), used, used.matrix)


def test_the_composition_counts_what_sets_share_and_what_was_left_out() -> None:
    train = partition("abcd", [-1, -1, REASONS.index(ZERO_HUMAN), REASONS.index(FLAGGED)], ["x", "y", "x", "x"])
    test = partition("be", [-1, REASONS.index(NO_FEATURE)], ["y", "z"])

    found = data_composition(train, test)

    assert found.responses == Overlap(2, 1, 1, 2)
    assert found.by_group["L1"] == {"x": (1, 0), "y": (1, 1)}
    assert left_out(train).complete == (0, 1, 0)
    assert left_out(test).incomplete == (1, 0, 0)


def test_many_features_are_not_drawn_by_group() -> None:
    wide = RNG.normal(size=(30, 151))

    found = analyse_training(
        [f"f{i}" for i in range(151)], wide, wide, HUMAN[:30], groups={"L1": texts(*["a", "b"] * 15)}
    )

    assert not found.boxes
    assert not found.functioning
    assert len(found.with_score.groups["L1"]) == 2


def test_the_skewness_of_a_feature_does_not_depend_on_its_unit_unless_the_defect_is_asked_for() -> None:
    values = np.array([[1.0], [2.0], [4.0], [9.0]])
    human = np.array([1.0, 2.0, 3.0, 4.0])

    small = feature_descriptives(values * 1e-6, human)
    as_pandas = feature_descriptives(values * 1e-6, human, small_is_zero=True)

    assert small.skewness == pytest.approx(feature_descriptives(values, human).skewness)
    assert as_pandas.skewness.tolist() == [0.0]  # pandas 2.2.3: Series(values * 1e-6).skew()
