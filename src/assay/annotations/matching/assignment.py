"""Pairs each annotation of the truth with at most one of the student so that the total similarity is largest.

Most pairs are plain: nothing else comes near. They are found for all images at once, and what remains falls apart
into small groups that are solved one by one. The result is an optimum of the whole problem, not an approximation.

Small groups, by far the most frequent, are solved here: importing scipy.optimize takes longer than grading a
submission of 5,000 images. Large ones go to scipy. Both are exact; both look at rows and columns in their order.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import FrozenArrays
from assay.kernel import kernel

Gains = NDArray[np.float64]
"""(n, m): what row i with column j would add; 0 where they must not meet."""
LARGEST_BY_HAND = 400
"""Cells. Up to here a plain loop costs less than a millisecond."""


@dataclass(frozen=True, eq=False, slots=True)
class Candidates(FrozenArrays):
    """Pairs of annotations on the same image whose shapes touch, with their similarity in 0..1.

    In order of truth, then student. `same_family` is False for pairs of different families, which are compared by the
    areas they cover.
    """

    truth: NDArray[np.int32]
    student: NDArray[np.int32]
    similarity: NDArray[np.float64]
    same_family: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.truth)


def best_pairs(gain: Gains) -> list[tuple[int, int]]:
    """Row and column of the pairs chosen, by row: the sum of their gains is largest, and each gain is positive.

    Rows with equal gains throughout are interchangeable, so the first of them is taken first; columns likewise.

    >>> best_pairs(np.array([[0.9, 0.8], [0.8, 0.1]]))
    [(0, 1), (1, 0)]
    """
    if gain.size > LARGEST_BY_HAND:
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - see above

        rows, columns = linear_sum_assignment(gain, maximize=True)
        pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    elif gain.shape[0] <= gain.shape[1]:
        pairs = zip(range(len(gain)), _shortest_paths((-gain).tolist()), strict=True)
    else:
        pairs = zip(_shortest_paths((-gain.T).tolist()), range(gain.shape[1]), strict=True)
    column_of = _first_come(gain.T, {row: column for row, column in pairs if gain[row, column] > 0})
    row_of = {column: row for row, column in column_of.items()}
    return sorted((row, column) for column, row in _first_come(gain, row_of).items())


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
        u[entering] += reached
        for j in range(m):
            if done[j]:
                v[j] -= reached - distance[j]
                if row_of[j] >= 0:
                    u[row_of[j]] += reached - distance[j]
        while column >= 0:
            before = previous[column]
            row_of[column] = row_of[before] if before >= 0 else entering
            column = before
    columns = [0] * n
    for j, row in enumerate(row_of):
        if row >= 0:
            columns[row] = j
    return columns


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


Indices = NDArray[np.int64]
Gain = NDArray[np.float64]


def assign(
    candidates: Candidates, *, allowed: NDArray[np.bool_], bonus: NDArray[np.float64] | None = None
) -> NDArray[np.int64]:
    """Indices into the candidates of the one-to-one pairs with the largest total of similarity + bonus.

    Only allowed pairs that gain something are chosen, and the pairs are in order of the truth. Where annotations are
    interchangeable (equal gains with every partner, as for a box drawn twice), the one with the lowest index is taken.
    Otherwise the order of the annotations does not matter, unless two different choices happen to have one total.
    """
    gain = candidates.similarity if bonus is None else candidates.similarity + bonus
    edges = np.flatnonzero(allowed & (gain > 0))
    truth, student, gain = candidates.truth[edges], candidates.student[edges], gain[edges]
    plain, open_ones = _plain_pairs(truth, student, gain)
    rest = _components(truth[open_ones], student[open_ones], gain[open_ones])
    chosen = np.concatenate([plain, *(open_ones[chosen_of_group] for chosen_of_group in rest)])
    return np.asarray(edges[chosen[np.argsort(truth[chosen], kind="stable")]])


def _plain_pairs(truth: NDArray[np.int32], student: NDArray[np.int32], gain: Gain) -> tuple[Indices, Indices]:
    """Pairs that are in every optimum, and the pairs that are still open once those are taken.

    A pair is in every optimum if it gains more than the next best pair of its truth and the next best of its student
    together: without it, a choice could at most keep those two, so exchanging them for it would gain.
    """
    if compiled := kernel():
        state = np.full(len(gain), 2, np.uint8)
        compiled.plain_pairs(truth, student, gain, state)
        return np.flatnonzero(state == 1), np.flatnonzero(state == 2)
    alive = np.arange(len(gain))
    taken = [alive[:0]]
    while len(alive):
        t, s, g = truth[alive], student[alive], gain[alive]
        best_t, next_t = _two_best(t, g)
        best_s, next_s = _two_best(s, g)
        # the sums are rounded: a pair that leads by less than that could be a tie
        plain = (g == best_t[t]) & (g == best_s[s]) & (g > (next_t[t] + next_s[s]) * (1 + 1e-12))
        if not plain.any():
            break
        taken.append(alive[plain])
        used_t, used_s = np.zeros(len(best_t), np.bool_), np.zeros(len(best_s), np.bool_)
        used_t[t[plain]] = used_s[s[plain]] = True
        alive = alive[~(used_t[t] | used_s[s])]
    return np.concatenate(taken), alive


def _two_best(owner: NDArray[np.int32], gain: Gain) -> tuple[Gain, Gain]:
    """The largest and the second largest gain of each owner, 0 where there is none."""
    best = np.zeros(int(owner.max()) + 1)
    np.maximum.at(best, owner, gain)
    at_best = gain == best[owner]
    second = np.zeros_like(best)
    np.maximum.at(second, owner[~at_best], gain[~at_best])
    shared = np.bincount(owner[at_best], minlength=len(best)) > 1
    return best, np.where(shared, best, second)


def _components(truth: NDArray[np.int32], student: NDArray[np.int32], gain: Gain) -> Iterator[Indices]:
    """Of every group of pairs that hang together, the pairs chosen."""
    if not len(gain):
        return
    _, row = np.unique(truth, return_inverse=True)
    _, column = np.unique(student, return_inverse=True)
    group = _connected(row, column)
    r, c = _rank_within(group, row), _rank_within(group, column)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    heights, widths = np.maximum.reduceat(r[order], starts) + 1, np.maximum.reduceat(c[order], starts) + 1
    ends = np.append(starts[1:], len(order))
    number = np.repeat(np.arange(len(starts)), ends - starts)
    chosen, solved = _two_by_two(number, r[order], c[order], gain[order], (heights == 2) & (widths == 2))
    yield order[chosen]
    for k in np.flatnonzero(~solved).tolist():
        edges = order[starts[k] : ends[k]]
        table = np.zeros((heights[k], widths[k]))  # a row per truth and a column per student
        edge = np.zeros(table.shape, np.int64)
        table[r[edges], c[edges]], edge[r[edges], c[edges]] = gain[edges], edges
        yield np.array([edge[pair] for pair in best_pairs(table)], np.int64)


def _two_by_two(
    number: Indices, row: Indices, column: Indices, gain: Gain, square: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Groups of two truths and two students, nine of ten: the better of the two ways to pair them, unless they tie.

    For each edge, whether it is chosen; for each group, whether it is solved.
    """
    table = np.zeros((len(square), 2, 2))
    inside = square[number]
    table[number[inside], row[inside], column[inside]] = gain[inside]
    straight, crossed = table[:, 0, 0] + table[:, 1, 1], table[:, 0, 1] + table[:, 1, 0]
    solved = square & (np.abs(straight - crossed) > 1e-12 * (straight + crossed))
    return solved[number] & ((row == column) == (straight > crossed)[number]), solved


def _rank_within(group: Indices, member: Indices) -> Indices:
    """The place of each edge's member among the members of its group; a member is of one group only."""
    group_of = np.zeros(member.max() + 1, np.int64)
    group_of[member] = group
    order = np.argsort(group_of, kind="stable")
    ranked = group_of[order]
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order)) - np.searchsorted(ranked, ranked)
    return np.asarray(rank[member])


def _connected(row: Indices, column: Indices) -> Indices:
    """The number of the group each edge is in: the lowest row of those it hangs together with."""
    group = np.arange(row.max() + 1)
    while True:
        of_column = np.full(column.max() + 1, len(group))
        np.minimum.at(of_column, column, group[row])
        lower = group.copy()
        np.minimum.at(lower, row, of_column[column])
        lower = lower[lower]  # follow the group one step further: long chains close in few rounds
        if np.array_equal(lower, group):
            return group[row]
        group = lower
