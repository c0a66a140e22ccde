"""Lists one after the other in flat arrays, and arrays that nobody may change."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import FrozenArrays, offsets, portions, read_only, spread, totals

counts = st.lists(st.integers(0, 6), max_size=20).map(lambda values: np.array(values, np.int64))


@given(counts)
def test_every_entry_of_every_list_is_met_once_and_in_order(count: NDArray[np.int64]) -> None:
    owner, position = spread(offsets(count), count)
    assert owner.tolist() == np.repeat(np.arange(len(count)), count).tolist()
    assert position.tolist() == list(range(count.sum()))


@given(counts, st.integers(1, 10))
def test_portions_cover_all_and_pass_the_limit_only_by_a_single_entry(cost: NDArray[np.int64], limit: int) -> None:
    parts = list(portions(cost, limit))
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(len(cost)))
    assert all(cost[part].sum() <= limit or part.stop - part.start == 1 for part in parts)


def test_owners_without_amounts_have_none() -> None:
    assert totals(np.array([2, 0, 2]), np.array([1, 5, 2]), 4).tolist() == [5, 0, 3, 0]


def test_frozen_arrays_cannot_be_changed() -> None:
    @dataclass
    class Result(FrozenArrays):
        name: str
        column: NDArray[np.float64]

    result = Result("a", np.zeros(2))
    with pytest.raises(ValueError, match="read-only"):
        result.column[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        read_only(np.zeros(2))[0] = 1
