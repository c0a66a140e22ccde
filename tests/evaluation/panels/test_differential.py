"""Differential functioning beside statsmodels and by hand."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.panels.differential import logistic_dif, mantel, mantel_haenszel
from assay.metrics.bins import Scores

TABLES = [[[12, 5], [8, 9]], [[20, 4], [11, 10]], [[7, 1], [9, 3]]]


def responses() -> tuple[Scores, Scores, Scores]:
    """Passes, group and level of each response of the tables: level x (reference, focal) x (passed, failed)."""
    rows = [
        (1 - outcome, group, level)
        for level, table in enumerate(TABLES)
        for group, counts in enumerate(table)
        for outcome, count in enumerate(counts)
        for _ in range(count)
    ]
    passed, focal, matching = np.array(rows, dtype=float).T
    return passed, focal, matching


def simulated(n: int, seed: int, shift: float, slope: float = 0.0) -> tuple[Scores, Scores, Scores]:
    rng = np.random.default_rng(seed)
    level, focal = rng.integers(0, 6, n).astype(float), rng.integers(0, 2, n).astype(float)
    place = level + focal * (shift + slope * (level - 2.5)) + rng.logistic(size=n)
    return np.digitize(place, [0.5, 2, 3.5, 5]).astype(float), focal, level


def test_mantel_haenszel_is_that_of_statsmodels() -> None:
    # statsmodels 0.15.0, StratifiedTable: oddsratio_pooled, logodds_pooled_se, test_null_odds(correction=True)
    fit = mantel_haenszel(*responses())

    assert fit.odds_ratio == pytest.approx(3.3295269168026103, abs=1e-9)
    assert np.log(fit.odds_ratio.high / fit.odds_ratio.low) / 3.919927969 == pytest.approx(0.4656694044, abs=1e-8)
    assert (fit.chi_square, fit.p) == pytest.approx((5.754907981517313, 0.01644265681031154), abs=1e-9)
    assert fit.delta == pytest.approx(-2.35 * np.log(3.3295269168))
    assert (fit.category, fit.strata, fit.unmatched) == ("C", 3, 0)


def test_exchanging_the_groups_turns_delta_round() -> None:
    passed, focal, matching = responses()
    fit, turned = mantel_haenszel(passed, focal, matching), mantel_haenszel(passed, 1 - focal, matching)

    assert turned.odds_ratio == pytest.approx(1 / fit.odds_ratio)
    assert (turned.delta.low, turned.delta.high) == pytest.approx((-fit.delta.high, -fit.delta.low))


def test_weights_are_counts_and_lonely_levels_say_nothing() -> None:
    passed, focal, matching = responses()
    doubled = mantel_haenszel(np.tile(passed, 2), np.tile(focal, 2), np.tile(matching, 2))
    weighted = mantel_haenszel([*passed, 1], [*focal, 1], [*matching, 9], [*np.full(passed.size, 2), 1])

    assert weighted.chi_square == pytest.approx(doubled.chi_square)
    assert (weighted.unmatched, weighted.strata) == (1, 3)


def test_small_differences_are_negligible() -> None:
    score, focal, level = simulated(3000, 1, 0.0)

    assert mantel_haenszel((score > 2).astype(float), focal, level).category == "A"


@pytest.mark.parametrize(
    ("passed", "focal", "reason"),
    [
        ([1, 0], [0, 1], "no level has both groups"),
        ([1, 1, 1, 0, 0, 0], [0, 0, 1, 0, 0, 1], "a group has only passes or only fails"),
    ],
)
def test_undefined_odds_say_why(passed: list[int], focal: list[int], reason: str) -> None:
    fit = mantel_haenszel(passed, focal, [1, 2] if len(passed) == 2 else [1, 1, 1, 2, 2, 2])

    assert fit.odds_ratio.reason == reason
    assert fit.category == "n/a"


def test_mantel_for_two_points_is_mantel_haenszel_without_correction() -> None:
    passed, focal, matching = responses()
    # statsmodels 0.15.0, StratifiedTable.test_null_odds(correction=False): the same statistic
    a, expected, variance = 0.0, 0.0, 0.0
    for (ra, rb), (fa, fb) in TABLES:
        n, f, right = ra + rb + fa + fb, fa + fb, ra + fa
        a, expected = a + fa, expected + f * right / n
        variance += f * (n - f) * right * (n - right) / (n * n * (n - 1))

    assert mantel(passed, focal, matching).chi_square == pytest.approx((a - expected) ** 2 / variance)


def test_a_known_difference_comes_back() -> None:
    rng = np.random.default_rng(4)
    level, focal = rng.integers(0, 5, 4000).astype(float), rng.integers(0, 2, 4000).astype(float)
    fit = mantel(level + 0.3 * focal + rng.normal(0, 1, 4000), focal, level)

    assert fit.difference.low < 0.3 < fit.difference.high
    assert fit.difference.high - fit.difference.low == pytest.approx(2 * 1.96 * 2 / np.sqrt(4000), rel=0.1)
    assert fit.p < 1e-6
    assert mantel([1, 2], [0, 1], [1, 2]).difference.reason == "no level has both groups"


def test_logistic_regression_tells_uniform_from_nonuniform() -> None:
    uniform, crossing, none = (logistic_dif(*simulated(2000, 3, *s)) for s in ((0.8, 0), (0, 0.6), (0, 0)))

    assert uniform.uniform_p < 1e-6 < uniform.nonuniform_p
    assert uniform.group.low < 0.8 < uniform.group.high
    assert crossing.nonuniform_p < 1e-6
    assert min(none.uniform_p, none.nonuniform_p) > 0.01
    assert 0 <= none.r2_gain < 0.005 < uniform.r2_gain


def test_separated_groups_are_named() -> None:
    fit = logistic_dif([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [1, 2, 3, 1, 2, 3])

    assert np.isnan(fit.uniform_p)
    assert "separates the levels" in fit.cautions[0]


def test_what_is_no_group_is_refused() -> None:
    with pytest.raises(InputError, match="focal group is 1"):
        mantel([1, 2], [0, 2], [1, 1])
    with pytest.raises(InputError, match="a pass is 1"):
        mantel_haenszel([1, 2], [0, 1], [1, 1])
    with pytest.raises(InputError, match="one entry for each response"):
        mantel([1, 2], [0], [1, 1])
