"""Agreement beyond chance: published examples, other implementations, edges."""

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.metrics.bins import Bins
from assay.metrics.kappa import cohen_kappa, linear_weighted_kappa, quadratic_weighted_kappa
from assay.metrics.pairs import Scores
from assay.metrics.tally import Metric, PairTally

KAPPAS: list[Metric] = [cohen_kappa, linear_weighted_kappa, quadratic_weighted_kappa]


def scores_of(table: list[list[int]]) -> tuple[Scores, Scores]:
    """Two raters' scores from how often each pair was given: rows the first rater, columns the second."""
    cells = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    first, second = np.array(cells, dtype=float).T
    return first, second


def test_cohen_1960_table_of_two_psychiatrists() -> None:
    """Cohen (1960), Educational and Psychological Measurement 20, his example of 200 patients: kappa .492."""
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    assert cohen_kappa(*scores_of(table)) == pytest.approx(0.492, abs=5e-4)


def test_two_by_two_worked_by_hand() -> None:
    """p_o = 35/50, p_e = .5 * .6 + .5 * .4 = .5, so kappa = .2 / .5."""
    assert cohen_kappa(*scores_of([[20, 5], [10, 15]])) == pytest.approx(0.4)


def weighted_kappa_by_table(human: Scores, system: Scores, power: int) -> float:
    """The definition of Cohen (1968): a table of weights over all points, observed against expected."""
    low = min(human.min(), system.min())
    h, m = (human - low).astype(int), (system - low).astype(int)
    size = int(max(h.max(), m.max())) + 1
    observed = np.zeros((size, size))
    np.add.at(observed, (h, m), 1)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / len(h)
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    weights = apart**power if power else (apart > 0).astype(float)
    by_chance = float((weights * expected).sum())
    return 1 - float((weights * observed).sum()) / by_chance if by_chance else nan


@pytest.mark.parametrize(("metric", "power"), list(zip(KAPPAS, (0, 1, 2), strict=True)))
@given(rows=st.lists(st.tuples(st.integers(-2, 4), st.integers(-2, 4)), min_size=1, max_size=30))
def test_every_kappa_is_that_of_the_table_of_weights(metric: Metric, power: int, rows: list[tuple[int, int]]) -> None:
    human, system = np.array(rows, dtype=float).T
    by_table = weighted_kappa_by_table(human, system, power)
    assert metric(human, system) == pytest.approx(by_table, nan_ok=True, abs=1e-9)


def test_quadratic_kappa_of_real_scores_is_lins_concordance() -> None:
    """Lin (1989), Biometrics 45, formula 1 with moments over N."""
    rng = np.random.default_rng(2)
    human = rng.normal(3, 1, 50)
    system = human + rng.normal(0.3, 0.5, 50)
    cov = np.cov(human, system, ddof=0)
    ccc = 2 * cov[0, 1] / (cov[0, 0] + cov[1, 1] + (human.mean() - system.mean()) ** 2)
    assert quadratic_weighted_kappa(human, system) == pytest.approx(ccc)


@pytest.mark.parametrize("metric", KAPPAS)
@pytest.mark.parametrize(
    ("human", "system", "kappa"),
    [
        ([2, 2, 2], [2, 2, 2], nan),
        ([2, 2, 2], [3, 3, 3], 0),
        ([2, 2, 2], [2, 3, 2], 0),
        ([3], [3], nan),
        ([3], [4], 0),
        ([1, 2], [2, 1], -1),
        ([1, 2, 3], [1, 2, 3], 1),
    ],
)
def test_the_edges(metric: Metric, human: list[float], system: list[float], kappa: float) -> None:
    assert metric(human, system) == pytest.approx(kappa, nan_ok=True, abs=1e-12)


@pytest.mark.parametrize("metric", [cohen_kappa, linear_weighted_kappa])
def test_scores_are_rounded_to_points_halves_to_even(metric: Metric) -> None:
    assert metric([0, 2, 2, 4], [0.5, 1.5, 2.5, 3.5]) == 1
    assert np.isnan(metric([2.1, 1.9], [2.2, 1.8]))


def test_quadratic_kappa_rounds_nothing() -> None:
    assert quadratic_weighted_kappa([0, 2, 2, 4], [0.5, 1.5, 2.5, 3.5]) < 1


@pytest.mark.parametrize("metric", [cohen_kappa, linear_weighted_kappa])
def test_half_points_are_points_when_the_scale_says_so(metric: Metric) -> None:
    human, system = np.array([1, 1.5, 2, 2.5, 1]), np.array([1, 2, 2, 2.5, 1.5])
    on_halves = PairTally.of(human, system, step=0.5)
    assert metric.of_tally(on_halves) == pytest.approx(metric(2 * human, 2 * system))


@pytest.mark.parametrize("metric", KAPPAS)
def test_weights_shift_the_marginals_too(metric: Metric) -> None:
    human, system, weights = np.array([1.0, 1, 2, 3]), np.array([1.0, 2, 2, 1]), np.array([3, 1, 2, 1])
    repeated = metric(np.repeat(human, weights), np.repeat(system, weights))
    assert metric(human, system, weights=weights) == pytest.approx(repeated)


@pytest.mark.parametrize("metric", KAPPAS)
def test_one_point_is_undefined_although_weights_leave_rounding_dirt(metric: Metric) -> None:
    weights = np.random.default_rng(3).uniform(0.1, 3, (20, 33))
    assert all(np.isnan(metric(np.full(33, 0.7), np.full(33, 0.7), weights=w)) for w in weights)


def test_equal_scores_with_rounding_dirt_are_still_undefined() -> None:
    assert np.isnan(quadratic_weighted_kappa([0.1] * 3, [0.1] * 3))
    assert quadratic_weighted_kappa([0.1] * 3, [0.3] * 3) == pytest.approx(0, abs=1e-12)


def test_kappa_of_real_scores_beyond_all_points_is_undefined_but_quadratic_kappa_is_not() -> None:
    human, system = [0.0, 2000, 500], [0.0, 1900, 600]
    assert np.isnan([cohen_kappa(human, system), linear_weighted_kappa(human, system)]).all()
    # mean squared error 20000/3; variances over N of 0, 2000, 500 and of 0, 1900, 600; equal means
    by_chance = np.var(human) + np.var(system)
    assert quadratic_weighted_kappa(human, system) == pytest.approx(1 - 20000 / 3 / by_chance)


@pytest.mark.parametrize("metric", KAPPAS)
def test_an_array_of_tallies_gives_the_kappa_of_each(metric: Metric) -> None:
    human, system = np.array([1.0, 2, 3, 3, 2, 4]), np.array([1.0, 3, 3, 2, 2, 1])
    tallies = PairTally.of(human, system, bins=Bins.of(np.array([0, 0, 0, 1, 1, 1]), (2,)))
    assert metric.of_tally(tallies) == pytest.approx([metric(human[:3], system[:3]), metric(human[3:], system[3:])])
