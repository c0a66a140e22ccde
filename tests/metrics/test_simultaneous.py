"""Intervals that hold together, and what is left of differences once chance is taken off."""

import numpy as np
import pytest
from scipy.special import ndtri

from assay.metrics.intervals import Estimate, Resampling
from assay.metrics.simultaneous import MOST_CORRELATED, joint_estimates, joint_level, shrunken_estimates


def correlated(figures: int, correlation: float) -> np.ndarray:
    """Replicates whose correlations are exactly these."""
    rng = np.random.default_rng(3)
    centred = rng.standard_normal((figures, 400))
    centred -= centred.mean(axis=1, keepdims=True)
    white = np.linalg.solve(np.linalg.cholesky(centred @ centred.T), centred)
    wanted = correlation + (1 - correlation) * np.eye(figures)
    return np.linalg.cholesky(wanted) @ white


@pytest.mark.parametrize(("figures", "limit"), [(2, 2.212), (3, 2.349), (5, 2.511), (10, 2.716), (20, 2.905)])
def test_the_limit_is_that_of_comparisons_with_a_control(figures: int, limit: float) -> None:
    """Dunnett (1955), two-sided, 95 %, endless df, correlations 0.5: the integral worked out finely."""
    level = joint_level(correlated(figures, 0.5))
    assert ndtri((1 + level) / 2) == pytest.approx(limit, abs=0.015)


def test_figures_that_are_apart_need_the_level_of_sidak_and_one_figure_its_own() -> None:
    assert joint_level(correlated(8, 0.0)) == pytest.approx(0.95 ** (1 / 8), abs=2e-4)
    assert joint_level(correlated(1, 0.0)) == 0.95
    assert joint_level(np.zeros((0, 5))) == 0.95


def test_a_figure_told_twice_or_one_that_never_moves_widens_nothing() -> None:
    once = correlated(3, 0.2)
    still = np.vstack([once, np.full(400, 7.0)])
    assert joint_level(still) == joint_level(once)
    assert joint_level(np.vstack([once[:1], once[:1], -once[:1]])) == pytest.approx(0.95, abs=1e-3)


def test_very_many_figures_are_taken_as_apart() -> None:
    many = np.random.default_rng(1).standard_normal((MOST_CORRELATED + 1, 30))
    assert joint_level(many) == 0.95 ** (1 / (MOST_CORRELATED + 1))


def test_joint_intervals_are_the_plain_ones_at_the_joint_level() -> None:
    resampling, occupied = Resampling.jackknife(), np.ones(40)
    replicates = 1 + correlated(3, 0.3)[:, :40]
    joint = joint_estimates(np.ones(3), replicates, occupied, resampling, units=[40, 40, 5])
    level = joint_level(replicates)
    plain = Resampling(resampling.totals, level=level).estimate(1.0, replicates[0], occupied)
    assert (joint[0].low, joint[0].high) == (plain.low, plain.high)
    assert joint[2].high - joint[2].low > 1.2 * (joint[1].high - joint[1].low)


def test_an_undefined_figure_has_its_reason_and_widens_no_other() -> None:
    replicates = 1 + correlated(2, 0.0)[:, :40]
    undefined = np.vstack([replicates, np.full(40, np.nan)])
    found = joint_estimates(np.array([1.0, 1, np.nan]), undefined, np.ones(40), Resampling.jackknife(), reason="no")
    assert found[:2] == joint_estimates(np.ones(2), replicates, np.ones(40), Resampling.jackknife())
    assert (found[2].defined, found[2].reason) == (False, "no")


def test_a_bootstrap_gives_percentiles_at_the_joint_level() -> None:
    draws = np.random.default_rng(2).standard_normal((4, 4000))
    resampling = Resampling.bootstrapped(np.random.default_rng(0), draws=4000, blocks=10)
    first = joint_estimates(np.zeros(4), draws, np.ones(10), resampling)[0]
    low, high = np.percentile(draws[0], [50 * (1 - joint_level(draws)), 50 * (1 + joint_level(draws))])
    assert (first.low, first.high) == (low, high)


def test_noise_alone_is_pulled_all_the_way_and_what_stands_out_stays() -> None:
    quiet = [Estimate(d, d - 0.3, d + 0.3) for d in (0.1, -0.1, 0.05, -0.05)]
    assert [e.value for e in shrunken_estimates(quiet, [0.1] * 4)] == [0.0] * 4
    loud = [Estimate(0.5, 0.2, 0.8), *quiet]
    pulled = shrunken_estimates(loud, [0.1] * 5)
    between = (0.5**2 + 2 * 0.1**2 + 2 * 0.05**2) / 0.01 - 5
    share = between / 500 / (between / 500 + 0.01)
    assert pulled[0].value == pytest.approx(0.5 * share)
    assert (pulled[0].low, pulled[0].high) == (0.2, 0.8)


def test_no_figure_is_pulled_out_of_its_interval() -> None:
    apart = [Estimate(0.4, 0.15, 0.65), *(Estimate(0.0, -0.5, 0.5) for _ in range(30))]
    assert shrunken_estimates(apart, [0.08, *[0.2] * 30])[0].value == 0.15


def test_what_has_no_error_stays_as_it_is() -> None:
    odd = [Estimate(0.4, reason="too few responses"), Estimate(reason="undefined"), Estimate(0.2, 0.1, 0.3)]
    kept = shrunken_estimates(odd, [float("nan"), 0.1, 0.0])
    assert [repr(e) for e in kept] == [repr(e) for e in odd]
