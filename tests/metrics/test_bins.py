"""Responses sorted into bins: sums, counts and extremes per bin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.metrics.bins import Bins, bootstrap_draws, drawn, leaving_out_each, together
from assay.metrics.pairs import Scores


def by_hand(numbers: list[int], column: Scores, bin_number: int) -> Scores:
    return np.asarray(column[np.array(numbers, dtype=int) == bin_number])


@given(st.lists(st.integers(-1, 5), max_size=40))
def test_every_bin_holds_its_own_responses(numbers: list[int]) -> None:
    column: Scores = np.arange(len(numbers), dtype=np.float64) * 1.5 - 3
    bins = Bins.of(np.array(numbers, dtype=np.int64), (2, 3))
    arranged = bins.arranged(column)
    found = (bins.counts(), bins.sums(arranged), bins.lows(arranged), bins.highs(arranged))
    for number in range(6):
        members = by_hand(numbers, column, number)
        place = divmod(number, 3)
        assert [part[place] for part in found] == [
            members.size,
            pytest.approx(members.sum()),
            members.min(initial=np.inf),
            members.max(initial=-np.inf),
        ]


@given(st.lists(st.integers(-1, 5), max_size=40))
def test_the_numbers_of_arranged_responses_are_those_they_came_with(numbers: list[int]) -> None:
    bins = Bins.of(np.array(numbers, dtype=np.int64), (6,))
    assert bins.numbers().tolist() == sorted(n for n in numbers if n >= 0)
    assert bins.size == sum(n >= 0 for n in numbers)
    column = np.array(numbers, dtype=float)
    assert bins.arranged(column).tolist() == sorted(n for n in numbers if n >= 0)


def test_responses_keep_their_order_within_a_bin() -> None:
    bins = Bins.of(np.array([1, 0, 1, 0]), (2,))
    assert bins.arranged(np.array([10.0, 20, 30, 40])).tolist() == [20, 40, 10, 30]


def test_one_bin_needs_no_sorting() -> None:
    bins = Bins.single(3)
    column = np.array([2.0, 5, 1])
    assert bins.arranged(column) is column
    assert (bins.shape, bins.count) == ((), 1)
    assert [float(bins.counts()), float(bins.sums(column)), float(bins.lows(column)), float(bins.highs(column))] == [
        3,
        8,
        1,
        5,
    ]
    assert bins.numbers().tolist() == [0, 0, 0]


def test_no_responses_fill_no_bin() -> None:
    for bins in (Bins.single(0), Bins.of(np.array([-1, -1]), ())):
        nothing = bins.arranged(np.zeros(2))[:0]
        assert [float(bins.counts()), float(bins.sums(nothing))] == [0, 0]
        assert [float(bins.lows(nothing)), float(bins.highs(nothing))] == [np.inf, -np.inf]


@pytest.mark.parametrize("shape", [(2**15 - 1,), (40_000,), (2**10, 2**10)])
def test_many_bins_are_numbered_beyond_the_narrow_type(shape: tuple[int, ...]) -> None:
    last = int(np.prod(shape)) - 1
    bins = Bins.of(np.array([last, -1, 0, last, -1]), shape)
    counts = bins.counts()
    assert (counts.ravel()[0], counts.ravel()[last], counts.sum()) == (1, 2, 3)


BLOCKS = np.array([[1.0, 2, 4], [10, 20, 40]])


def test_together_is_one_replicate_of_everything() -> None:
    assert together(BLOCKS).tolist() == [[7], [70]]


def test_leaving_out_each_block_leaves_the_others() -> None:
    assert leaving_out_each(BLOCKS).tolist() == [[6, 5, 3], [60, 50, 30]]


def test_a_draw_counts_each_block_as_often_as_it_was_drawn() -> None:
    draws = np.array([[1.0, 1, 1], [0, 0, 3], [2, 1, 0], [0, 3, 0]])
    assert drawn(draws)(BLOCKS).tolist() == [[7, 12, 4, 6], [70, 120, 40, 60]]


def test_every_bootstrap_draw_has_as_many_blocks_as_there_are() -> None:
    draws = bootstrap_draws(np.random.default_rng(3), 20, 500)
    assert draws.shape == (500, 20)
    assert (draws.sum(axis=1) == 20).all()
    assert abs(draws.mean(axis=0) - 1).max() < 0.25  # each block is drawn once on average; 5 standard errors


def test_the_generator_decides_the_draws() -> None:
    first, again, other = (bootstrap_draws(np.random.default_rng(seed), 9, 5).tolist() for seed in (1, 1, 2))
    assert first == again != other
