"""The best one-to-one choice of one table, by hand and by scipy."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from assay.annotations.matching.assignment import LARGEST_BY_HAND, best_pairs


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (5, 3), (20, 20), (21, 20), (1, LARGEST_BY_HAND + 1)])
def test_the_total_is_the_largest_whoever_solves_it(shape: tuple[int, int]) -> None:
    table = np.random.default_rng(shape[0]).random(shape)

    pairs = best_pairs(table)

    assert sum(table[pair] for pair in pairs) == pytest.approx(table[linear_sum_assignment(table, maximize=True)].sum())
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == min(shape)


def test_what_gains_nothing_is_not_paired() -> None:
    assert best_pairs(np.array([[0.0, 0.0], [0.0, 0.5]])) == [(1, 1)]
    assert best_pairs(np.zeros((2, 3))) == []


@pytest.mark.parametrize("size", [3, 25])
def test_equal_rows_and_equal_columns_are_taken_in_their_order(size: int) -> None:
    assert best_pairs(np.ones((size, size))) == [(i, i) for i in range(size)]
    assert best_pairs(np.ones((size, size + 2))) == [(i, i) for i in range(size)]
