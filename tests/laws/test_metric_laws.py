"""What every metric of two raters obeys: tables say which law holds for which metric, and cover them all."""

from collections.abc import Callable
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.metrics.bins import Bins
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally

Rows = list[tuple[int, int]]
Formula = Callable[..., float]

SYMMETRIC = ("r", "qwk", "kappa", "linear_kappa", "exact_agreement", "adjacent_agreement", "mse", "rmse", "mae")
LOOKS_FROM_THE_HUMAN_SIDE = ("r2", "smd")

SHIFT_FREE = tuple(PAIR_METRICS)
"""Unchanged when both raters add the same number of points."""

STRETCH_FREE = ("r", "qwk", "r2", "kappa", "linear_kappa", "exact_agreement", "smd")
"""Unchanged when the scale is stretched (and its step with it)."""
IN_SCORE_POINTS = {"mse": 2, "rmse": 1, "mae": 1}
"""In powers of a score point: stretched as the scale is."""
FIXED_MARGIN = ("adjacent_agreement",)
"""One point stays one point."""

WITHOUT_N = tuple(name for name in PAIR_METRICS if name != "smd")
"""A weight of 2 is the same as the response twice."""
WITH_N = ("smd",)
"""The variance over N - 1 knows how many responses there are."""

rows = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=30)
steps = st.sampled_from([1.0, 0.5, 0.1])
few = settings(max_examples=25, deadline=None)  # a hundred laws and metrics: each need not be tried often


def columns(pairs: Rows, step: float = 1.0) -> tuple[Scores, Scores]:
    human, system = (np.array(pairs, dtype=float) * step).T
    return human, system


def figure(name: str, human: Scores, system: Scores, **options: object) -> float:
    return float(PAIR_METRICS[name].formula(PairTally.of(human, system, **options)))  # type: ignore[arg-type]


def close(value: float) -> object:
    return pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)


def test_the_tables_cover_every_metric() -> None:
    everything = sorted(PAIR_METRICS)
    assert sorted((*SYMMETRIC, *LOOKS_FROM_THE_HUMAN_SIDE)) == everything
    assert sorted(SHIFT_FREE) == everything
    assert sorted((*STRETCH_FREE, *IN_SCORE_POINTS, *FIXED_MARGIN)) == everything
    assert sorted((*WITHOUT_N, *WITH_N)) == everything


@pytest.mark.parametrize("name", SYMMETRIC)
@few
@given(pairs=rows)
def test_swapping_the_raters_changes_nothing(name: str, pairs: Rows) -> None:
    human, system = columns(pairs)
    assert figure(name, system, human) == close(figure(name, human, system))


@pytest.mark.parametrize("name", LOOKS_FROM_THE_HUMAN_SIDE)
def test_the_others_do_change(name: str) -> None:
    human, system = columns([(1, 2), (2, 2), (4, 3), (5, 3)])
    assert figure(name, system, human) != close(figure(name, human, system))


@pytest.mark.parametrize("name", PAIR_METRICS)
@few
@given(pairs=rows, seed=st.integers(0, 99))
def test_the_order_of_responses_does_not_matter(name: str, pairs: Rows, seed: int) -> None:
    human, system = columns(pairs)
    order = np.random.default_rng(seed).permutation(len(pairs))
    assert figure(name, human[order], system[order]) == close(figure(name, human, system))


@pytest.mark.parametrize("name", SHIFT_FREE)
@few
@given(pairs=rows, shift=st.integers(-20, 20))
def test_adding_points_to_both_raters_changes_nothing(name: str, pairs: Rows, shift: int) -> None:
    human, system = columns(pairs)
    # exact: by an even number of steps, so that halves still round the same way
    assert figure(name, human + 2 * shift, system + 2 * shift) == close(figure(name, human, system))


@pytest.mark.parametrize("name", STRETCH_FREE)
@few
@given(pairs=rows, step=steps)
def test_stretching_the_scale_changes_nothing(name: str, pairs: Rows, step: float) -> None:
    stretched = figure(name, *columns(pairs, step), step=step)
    assert stretched == close(figure(name, *columns(pairs)))


@pytest.mark.parametrize("name", IN_SCORE_POINTS)
@few
@given(pairs=rows, step=steps)
def test_errors_stretch_with_the_scale(name: str, pairs: Rows, step: float) -> None:
    expected = figure(name, *columns(pairs)) * step ** IN_SCORE_POINTS[name]
    assert figure(name, *columns(pairs, step), step=step) == close(expected)


@pytest.mark.parametrize("name", FIXED_MARGIN)
def test_a_margin_of_one_point_does_not_stretch(name: str) -> None:
    human, system = columns([(1, 2), (2, 4)])
    assert figure(name, human, system) < figure(name, human / 2, system / 2, step=0.5)


@pytest.mark.parametrize("name", PAIR_METRICS)
@few
@given(pairs=rows, parts=st.lists(st.integers(0, 4), min_size=30, max_size=30), seed=st.integers(0, 9))
def test_parts_merged_in_any_order_give_the_figure_of_the_whole(
    name: str, pairs: Rows, parts: list[int], seed: int
) -> None:
    human, system = columns(pairs)
    numbers = np.array(parts[: len(pairs)])
    tallies = [PairTally.of(human[numbers == k], system[numbers == k]) for k in sorted(set(numbers.tolist()))]
    order = np.random.default_rng(seed).permutation(len(tallies))
    blocks = PairTally.of(human, system, bins=Bins.of(numbers, (5,)))
    whole = close(figure(name, human, system))
    formula: Formula = PAIR_METRICS[name].formula
    assert formula(reduce(add, (tallies[i] for i in order))) == whole
    assert formula(blocks.merged()) == whole


@pytest.mark.parametrize("name", PAIR_METRICS)
@few
@given(pairs=rows, seed=st.integers(0, 9))
def test_doubling_every_weight_changes_nothing(name: str, pairs: Rows, seed: int) -> None:
    human, system = columns(pairs)
    weights = np.random.default_rng(seed).uniform(0.1, 3, len(pairs))
    once, twice = (figure(name, human, system, weights=w) for w in (weights, 2 * weights))
    assert twice == close(once)


@pytest.mark.parametrize("name", PAIR_METRICS)
@few
@given(pairs=rows)
def test_equal_weights_are_no_weights(name: str, pairs: Rows) -> None:
    human, system = columns(pairs)
    assert figure(name, human, system, weights=np.full(len(pairs), 0.3)) == close(figure(name, human, system))


@pytest.mark.parametrize("name", WITHOUT_N)
@few
@given(pairs=rows, data=st.data())
def test_a_weight_of_two_is_the_response_twice(name: str, pairs: Rows, data: st.DataObject) -> None:
    if len(pairs) == 1:
        pairs = [*pairs, (1, 6)]  # one response with a weight of 2 is still one response, and r2 and r say so
    human, system = columns(pairs)
    times = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(pairs), max_size=len(pairs))))
    repeated = figure(name, np.repeat(human, times), np.repeat(system, times))
    assert figure(name, human, system, weights=times) == close(repeated)


@pytest.mark.parametrize("name", WITH_N)
def test_where_n_counts_two_responses_are_more_than_one_with_weight_two(name: str) -> None:
    human, system = columns([(1, 2), (2, 2), (4, 4)])
    weighted = figure(name, human, system, weights=np.full(3, 2))
    assert weighted != close(figure(name, np.repeat(human, 2), np.repeat(system, 2)))


@pytest.mark.parametrize("name", PAIR_METRICS)
@few
@given(pairs=rows)
def test_perfect_agreement_is_the_best_value_or_undefined(name: str, pairs: Rows) -> None:
    human, _ = columns(pairs)
    best = 0 if name in (*IN_SCORE_POINTS, "smd") else 100 if name.endswith("agreement") else 1
    value = figure(name, human, human)
    assert value == close(best) or np.isnan(value)
    if np.ptp(human) > 0:
        assert np.isfinite(value)
