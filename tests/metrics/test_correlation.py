"""Pearson's r, partial r, disattenuated r."""

from math import nan

import numpy as np
import pytest

from assay.metrics.correlation import disattenuated_r, partial_r, pearson_r
from assay.metrics.tally import PairTally

RNG = np.random.default_rng(11)
HUMAN, SYSTEM, LENGTH = RNG.multivariate_normal([0, 0, 0], [[1, 0.7, 0.5], [0.7, 1, 0.6], [0.5, 0.6, 1]], 60).T


def test_r_is_that_of_numpy() -> None:
    assert pearson_r(HUMAN, SYSTEM) == pytest.approx(np.corrcoef(HUMAN, SYSTEM)[0, 1])


def test_anscombes_first_set_has_its_famous_r() -> None:
    """Anscombe (1973), The American Statistician 27, p. 19: r = .816."""
    x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    assert pearson_r(x, y) == pytest.approx(0.816, abs=5e-4)


@pytest.mark.parametrize(
    ("human", "system", "r"),
    [
        ([1], [2], nan),
        ([2, 2, 2], [1, 2, 3], nan),
        ([1, 2, 3], [0.1, 0.1, 0.1], nan),
        ([1, 2], [1, 5], 1),
        ([1, 2, 3], [6, 4, 2], -1),
    ],
)
def test_the_edges(human: list[float], system: list[float], r: float) -> None:
    assert pearson_r(human, system) == pytest.approx(r, nan_ok=True)


def test_perfect_correlation_is_exactly_one() -> None:
    for scores in (HUMAN, np.round(HUMAN, 1), HUMAN * 1e6):
        assert pearson_r(scores, scores) == 1
        assert pearson_r(scores, -scores) == -1


@pytest.mark.parametrize("unit", [1e-100, 1e-9, 1e9, 1e100])
def test_the_unit_of_the_scores_does_not_matter_however_large_or_small(unit: float) -> None:
    with np.errstate(under="ignore"):
        tally = PairTally.of(HUMAN * unit, SYSTEM * unit)
    assert pearson_r.of_tally(tally) == pytest.approx(np.corrcoef(HUMAN, SYSTEM)[0, 1])


def test_weighted_r_is_that_of_numpys_weighted_covariance() -> None:
    weights = RNG.uniform(0.2, 3, 60)
    cov = np.cov(HUMAN, SYSTEM, aweights=weights)
    expected = cov[0, 1] / np.sqrt(cov[0, 0] * cov[1, 1])
    assert pearson_r(HUMAN, SYSTEM, weights=weights) == pytest.approx(expected)


def test_partial_r_is_the_r_of_what_length_leaves_unexplained() -> None:
    design = np.column_stack([np.ones(60), LENGTH])
    rest = [y - design @ np.linalg.lstsq(design, y, rcond=None)[0] for y in (HUMAN, SYSTEM)]
    correlations = (pearson_r(HUMAN, SYSTEM), pearson_r(HUMAN, LENGTH), pearson_r(SYSTEM, LENGTH))
    assert float(partial_r(*map(np.asarray, correlations))) == pytest.approx(np.corrcoef(*rest)[0, 1])


@pytest.mark.parametrize("others", [(1.0, 0.5), (0.5, -1.0), (nan, 0.5), (0.5, nan)])
def test_partial_r_is_undefined_when_length_decides_a_score_or_is_unknown(others: tuple[float, float]) -> None:
    assert np.isnan(partial_r(np.array(0.5), *map(np.asarray, others)))


def test_disattenuated_r_divides_by_the_root_of_the_raters_r() -> None:
    assert float(disattenuated_r(np.array(0.6), np.array(0.64))) == pytest.approx(0.75)
    assert float(disattenuated_r(np.array(0.9), np.array(0.25))) == pytest.approx(1.8)


def test_disattenuated_r_is_undefined_unless_the_raters_correlate() -> None:
    found = disattenuated_r(np.array([0.5, 0.5, 0.5, nan]), np.array([0.0, -0.1, nan, 0.5]))
    assert np.isnan(found).all()


def test_equal_scores_have_no_r_although_weights_leave_rounding_dirt() -> None:
    rng = np.random.default_rng(3)
    flat, other = np.full(33, 0.7), np.arange(33.0)
    for weights in rng.uniform(0.1, 3, (20, 33)):
        first, second = (PairTally.of(*pair, weights=weights) for pair in ((flat, other), (other, flat)))
        parts = [t + t for t in (first, second)]
        assert np.isnan([pearson_r.of_tally(t) for t in (first, second, *parts)]).all()


def test_partial_r_holds_until_length_decides_a_score_to_the_last_digit() -> None:
    """1 - r^2 is 2e-6 for r = 0.999999: still enough to divide by."""
    almost = 0.999999
    found = float(partial_r(np.array(0.5), np.array(almost), np.array(0.5)))
    assert found == pytest.approx((0.5 - almost * 0.5) / ((1 - almost**2) * 0.75) ** 0.5)
    assert float(partial_r(np.array(0.3), np.array(0.0), np.array(0.0))) == 0.3
