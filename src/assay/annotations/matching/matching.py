"""Pairs each annotation of the truth with at most one of the student so that the total similarity is largest.

Most pairs are plain: nothing else comes near. They are found for all images at once, and what remains falls apart
into small groups that are solved one by one. The result is an optimum of the whole problem, not an approximation.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.assignment import best_pairs
from assay.annotations.matching.candidates import Candidates

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
        yield edges[_chosen(r[edges], c[edges], gain[edges], heights[k], widths[k])]


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


def _chosen(row: Indices, column: Indices, gain: Gain, rows: int, columns: int) -> Indices:
    """The edges of one group that are chosen, from a table with a row per truth and a column per student."""
    table = np.zeros((rows, columns))
    table[row, column] = gain
    edge = np.zeros((rows, columns), np.int64)
    edge[row, column] = np.arange(len(gain))
    return np.array([edge[pair] for pair in best_pairs(table)], np.int64)
