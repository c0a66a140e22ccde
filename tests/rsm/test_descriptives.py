"""How each feature lies, worked out by hand."""

import numpy as np
import pytest

from assay.rsm.descriptives import (
    box,
    correlation_p,
    correlations,
    feature_boxes,
    feature_descriptives,
    feature_outliers,
    feature_percentiles,
)

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


def test_boxes_begin_with_everyone_and_mark_where_values_are_truncated() -> None:
    (found,) = feature_boxes(["f"], VALUES[:, :1], "L1", texts(*["a"] * 30, *["b"] * 30))

    assert [part.group for part in found.boxes] == ["All data", "a", "b"]
    mean, sd = VALUES[:, 0].mean(), VALUES[:, 0].std(ddof=1)
    assert (found.truncated_below, found.truncated_above) == pytest.approx((mean - 4 * sd, mean + 4 * sd))
    assert box("empty", np.array([np.nan])).n == 0


def test_the_skewness_of_a_feature_does_not_depend_on_its_unit_unless_the_defect_is_asked_for() -> None:
    values = np.array([[1.0], [2.0], [4.0], [9.0]])
    human = np.array([1.0, 2.0, 3.0, 4.0])

    small = feature_descriptives(values * 1e-6, human)
    as_pandas = feature_descriptives(values * 1e-6, human, small_is_zero=True)

    assert small.skewness == pytest.approx(feature_descriptives(values, human).skewness)
    assert as_pandas.skewness.tolist() == [0.0]  # pandas 2.2.3: Series(values * 1e-6).skew()


def test_the_probability_of_a_correlation_is_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for column, r, p in zip(VALUES.T, correlations(VALUES, HUMAN), feature_descriptives(VALUES, HUMAN).p, strict=True):
        expected = stats.pearsonr(column, HUMAN)
        assert (r, p) == pytest.approx((expected.statistic, expected.pvalue))


def test_a_correlation_takes_the_responses_that_have_both() -> None:
    values, target = np.array([[1.0], [2.0], [np.nan], [4.0], [9.0]]), np.array([1.0, 3.0, 2.0, 3.0, np.nan])

    assert correlations(values, target) == pytest.approx([np.corrcoef([1, 2, 4], [1, 3, 3])[0, 1]])
    assert np.isnan(correlations(values[:1], target[:1])).all()


def test_one_response_has_no_spread_and_two_have_no_skewness() -> None:
    one, two = (feature_descriptives(np.arange(1.0, n + 1)[:, None], np.arange(1.0, n + 1)) for n in (1, 2))

    assert np.isnan(one.sd[0])
    assert two.sd[0] == pytest.approx(0.5**0.5)
    assert np.isnan(two.skewness[0])
    alone = feature_outliers(np.array([[3.0]]))
    assert (alone.lower[0], alone.upper[0], alone.n[0]) == (0, 0, 1)


def test_the_interquartile_range_is_that_of_values_that_occur() -> None:
    assert feature_percentiles(np.arange(10.0)[:, None]).iqr.tolist() == [4.0]  # the lower neighbours: 2 and 6


def test_a_box_has_quartiles_whiskers_and_at_most_forty_outliers() -> None:
    figures = box("A", np.array([0.0, 1.0, 2.0, 3.0, 4.0, np.nan, 7.0, 8.1]))

    assert (figures.group, figures.n, figures.first, figures.median, figures.third) == ("A", 7, 1.5, 3.0, 5.5)
    assert (figures.low, figures.high, figures.outliers) == (0.0, 8.1, ())
    many = box("B", np.concatenate([np.tile([0.0, 1.0], 200), np.arange(50.0) + 10, [-9.0]]))
    assert len(many.outliers) == 40
    assert (many.outliers[0], many.outliers[-1]) == (20.0, 59.0)  # the most distant, in order
