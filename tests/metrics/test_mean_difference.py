"""SMD and DSM."""

from math import nan, sqrt

import numpy as np
import pytest

from assay.metrics.bins import Bins
from assay.metrics.mean_difference import (
    difference_of_standardized_means,
    pooled_mean_difference,
    standardized_mean_difference,
)
from assay.metrics.tally import PairTally

HUMAN = np.array([1, 2, 3, 4, 5, 3], dtype=float)
SYSTEM = np.array([2, 2.5, 3, 5, 5, 4])


def test_smd_is_in_standard_deviations_of_the_human_scores() -> None:
    expected = (SYSTEM.mean() - HUMAN.mean()) / HUMAN.std(ddof=1)
    assert standardized_mean_difference(HUMAN, SYSTEM) == pytest.approx(expected)
    assert expected > 0  # a system that scores higher has a positive SMD


def test_pooled_smd_is_in_the_mean_variance_of_both() -> None:
    sd = sqrt((HUMAN.var(ddof=1) + SYSTEM.var(ddof=1)) / 2)
    assert pooled_mean_difference(HUMAN, SYSTEM) == pytest.approx((SYSTEM.mean() - HUMAN.mean()) / sd)


@pytest.mark.parametrize(
    ("human", "system", "smd", "pooled"),
    [
        ([2], [3], nan, nan),
        ([2, 2, 2], [1, 2, 6], nan, 1 / sqrt(7 / 2)),
        ([0.1] * 3, [0.1] * 3, nan, nan),
        ([1, 2, 3], [4, 4, 4], 2, 2 / sqrt(1 / 2)),
        ([1, 2, 3], [3, 1, 2], 0, 0),
    ],
)
def test_the_edges(human: list[float], system: list[float], smd: float, pooled: float) -> None:
    assert standardized_mean_difference(human, system) == pytest.approx(smd, nan_ok=True)
    assert pooled_mean_difference(human, system) == pytest.approx(pooled, nan_ok=True)


def test_only_the_proportions_of_weights_matter_to_the_smd() -> None:
    weights = np.array([1, 2, 1, 1, 3, 1])
    once = standardized_mean_difference(HUMAN, SYSTEM, weights=weights)
    assert once == pytest.approx(standardized_mean_difference(HUMAN, SYSTEM, weights=10 * weights))
    mean = np.average(HUMAN, weights=weights)
    variance = np.average((HUMAN - mean) ** 2, weights=weights) * 6 / 5
    assert once == pytest.approx((np.average(SYSTEM, weights=weights) - mean) / sqrt(variance))


def test_dsm_is_the_mean_difference_of_z_scores() -> None:
    everyone, group = PairTally.of(HUMAN, SYSTEM), PairTally.of(HUMAN[:3], SYSTEM[:3])
    z_human, z_system = ((x - x.mean()) / x.std(ddof=1) for x in (HUMAN, SYSTEM))
    found = difference_of_standardized_means(group, everyone)
    assert float(found) == pytest.approx(np.mean(z_system[:3] - z_human[:3]))


def test_dsm_of_everyone_is_zero_and_that_of_groups_balances_out() -> None:
    everyone = PairTally.of(HUMAN, SYSTEM)
    groups = PairTally.of(HUMAN, SYSTEM, bins=Bins.of(np.array([0, 1, 2, 0, 1, 0]), (3,)))
    shifts = difference_of_standardized_means(groups, everyone)
    assert float(difference_of_standardized_means(everyone, everyone)) == pytest.approx(0, abs=1e-12)
    assert float((groups.n * shifts).sum()) == pytest.approx(0, abs=1e-12)
    assert np.abs(shifts).max() > 0.01


def test_the_second_rater_may_have_a_population_of_its_own() -> None:
    everyone, read_twice = PairTally.of(HUMAN, SYSTEM), PairTally.of(HUMAN[:4], SYSTEM[:4])
    group = PairTally.of(HUMAN[:2], SYSTEM[:2])
    found = difference_of_standardized_means(group, everyone, read_twice)
    second = (SYSTEM[:2].mean() - SYSTEM[:4].mean()) / SYSTEM[:4].std(ddof=1)
    first = (HUMAN[:2].mean() - HUMAN.mean()) / HUMAN.std(ddof=1)
    assert float(found) == pytest.approx(second - first)


def test_dsm_is_undefined_without_spread_or_members() -> None:
    group, flat = PairTally.of([1, 2], [1, 2]), PairTally.of([2, 2], [1, 2])
    nobody = PairTally.of_checked(np.zeros(0), np.zeros(0), None, step=1.0, bins=Bins.single(0))
    one = PairTally.of([2], [3])
    assert np.isnan(difference_of_standardized_means(group, flat))
    assert np.isnan(difference_of_standardized_means(group, group, PairTally.of([1, 2], [2, 2])))
    assert np.isnan(difference_of_standardized_means(nobody, group))
    assert np.isnan(difference_of_standardized_means(one, one))


def test_dsm_needs_a_spread_above_a_ten_millionth() -> None:
    """RSMTool's limit is an sd of 1e-7; two scores d apart have an sd of d / sqrt(2)."""
    group = PairTally.of([1, 2], [1, 2])
    for human_gap, system_gap, defined in [
        (1.5e-7, 1, True),
        (1.3e-7, 1, False),
        (1, 1.5e-7, True),
        (1, 1.3e-7, False),
    ]:
        everyone = PairTally.of([0, human_gap], [0, system_gap])
        assert np.isfinite(difference_of_standardized_means(group, everyone)) == defined


def test_dsm_is_positive_where_the_system_places_a_group_higher() -> None:
    """On scales of sd 1 and 2 about 0: the system places the group at 3 / 2, the human at -0.5."""
    everyone = PairTally.of([-1.0, 0, 1], [-2.0, 0, 2])
    found = difference_of_standardized_means(PairTally.of([-0.5], [3.0]), everyone)
    assert float(found) == pytest.approx(1.5 + 0.5)
