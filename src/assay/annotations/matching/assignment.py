"""The one-to-one choice with the largest total gain, for one table of gains.

Small tables, by far the most frequent, are solved here: importing scipy.optimize takes longer than grading a
submission of 5,000 images. Large ones go to scipy. Both are exact; both look at rows and columns in their order.
"""

import numpy as np
from numpy.typing import NDArray

Gains = NDArray[np.float64]
"""(n, m): what row i with column j would add; 0 where they must not meet."""
LARGEST_BY_HAND = 400
"""Cells. Up to here a plain loop costs less than a millisecond."""


def best_pairs(gain: Gains) -> list[tuple[int, int]]:
    """Row and column of the pairs chosen, by row: the sum of their gains is largest, and each gain is positive.

    Rows with equal gains throughout are interchangeable, so the first of them is taken first; columns likewise.

    >>> best_pairs(np.array([[0.9, 0.8], [0.8, 0.1]]))
    [(0, 1), (1, 0)]
    """
    column_of = _solve(gain)
    column_of = _first_come(gain.T, column_of)
    row_of = {column: row for row, column in column_of.items()}
    column_of = {row: column for column, row in _first_come(gain, row_of).items()}
    return sorted(column_of.items())


def _solve(gain: Gains) -> dict[int, int]:
    """Column of each row that gets one."""
    if gain.size > LARGEST_BY_HAND:
        rows, columns = _by_scipy(gain)
        pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    elif gain.shape[0] <= gain.shape[1]:
        pairs = zip(range(len(gain)), _shortest_paths((-gain).tolist()), strict=True)
    else:
        pairs = zip(_shortest_paths((-gain.T).tolist()), range(gain.shape[1]), strict=True)
    return {row: column for row, column in pairs if gain[row, column] > 0}


def _by_scipy(gain: Gains) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - see above

    rows, columns = linear_sum_assignment(gain, maximize=True)
    return rows, columns


def _shortest_paths(cost: list[list[float]]) -> list[int]:
    """The column of each row at least total cost; no more rows than columns.

    Rows enter one by one; each takes the shortest path of reassignments to a free column, in reduced costs that the
    prices u, v keep non-negative. Source: Jonker & Volgenant (1987), A shortest augmenting path algorithm.
    """
    n, m = len(cost), len(cost[0])
    u, v = [0.0] * n, [0.0] * m
    row_of = [-1] * m
    for entering in range(n):
        distance, previous, done = [np.inf] * m, [-1] * m, [False] * m
        row, reached, column = entering, 0.0, -1
        while row >= 0:
            came_from, nearest, shortest = column, -1, np.inf
            for j in range(m):
                if done[j]:
                    continue
                length = reached + cost[row][j] - u[row] - v[j]
                if length < distance[j]:
                    distance[j], previous[j] = length, came_from
                if distance[j] < shortest:
                    nearest, shortest = j, distance[j]
            column, reached = nearest, shortest
            done[column] = True
            row = row_of[column]
        _new_prices(u, v, row_of, distance, done, entering, reached)
        while column >= 0:
            before = previous[column]
            row_of[column] = row_of[before] if before >= 0 else entering
            column = before
    columns = [0] * n
    for j, row in enumerate(row_of):
        if row >= 0:
            columns[row] = j
    return columns


def _new_prices(
    u: list[float],
    v: list[float],
    row_of: list[int],
    distance: list[float],
    done: list[bool],
    entering: int,
    reached: float,
) -> None:
    u[entering] += reached
    for j, settled in enumerate(done):
        if settled:
            v[j] -= reached - distance[j]
            if row_of[j] >= 0:
                u[row_of[j]] += reached - distance[j]


def _first_come(vectors: Gains, chosen: dict[int, int]) -> dict[int, int]:
    """`chosen` (row -> one of the vectors) with equal vectors handed out in their order, to rows in their order."""
    twins: dict[bytes, list[int]] = {}
    for index, vector in enumerate(np.ascontiguousarray(vectors)):
        twins.setdefault(vector.tobytes(), []).append(index)
    if len(twins) == len(vectors):
        return chosen
    group_of = {index: group for group in twins.values() for index in group}
    queues = {id(group): iter(group) for group in twins.values()}
    return {row: next(queues[id(group_of[chosen[row]])]) for row in sorted(chosen)}
