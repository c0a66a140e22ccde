"""Which rectangles of one list overlap which of another: the pairs worth a closer look, for all images at once."""

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import Positions, offsets, portions, spread

Bounds = NDArray[np.float64]
"""(n, 4): left, top, right, bottom."""
RECTANGLES_AT_ONCE = 8_000
"""Keeps what is made of them within the processor's cache."""
FEW = 16
"""Pairs for each rectangle up to which it costs less to look at all pairs than to sort."""


def overlapping_pairs(
    first: Bounds, first_group: Positions, second: Bounds, second_group: Positions
) -> tuple[Positions, Positions]:
    """Indices of all pairs of one group whose rectangles share area, or a stretch if one of them has no area.

    Two intervals overlap when the left end of one lies within the other: sorted by left end, those are neighbours in
    a row. So no pair that is apart in x is ever made: an image with 2,000 objects does not cost 4 million pairs. Where
    groups are small, all of their pairs are looked at instead.
    """
    groups = int(max(first_group.max(initial=-1), second_group.max(initial=-1))) + 1
    counts = np.bincount(first_group, minlength=groups), np.bincount(second_group, minlength=groups)
    starts = [np.append(offsets(count), count.sum()) for count in counts]
    by_1, by_2 = _by_group(first_group), _by_group(second_group)
    joined = [(by_1[:0], by_2[:0])]
    for part in portions(counts[0] + counts[1], RECTANGLES_AT_ONCE):
        one = by_1[starts[0][part.start] : starts[0][part.stop]]
        two = by_2[starts[1][part.start] : starts[1][part.stop]]
        if len(one) and len(two):
            group = first_group[one]
            others = counts[1][group]
            if others.sum() <= FEW * (len(one) + len(two)):
                pairs = spread(starts[1][group] - starts[1][part.start], others)
                a, b = _sharing_area(_sides(first[one]), _sides(second[two]), *pairs)
            else:
                a, b = _sweep(_sides(first[one]), group, _sides(second[two]), second_group[two])
            joined.append((one[a], two[b]))
    return np.concatenate([a for a, _ in joined]), np.concatenate([b for _, b in joined])


def _by_group(group: Positions) -> Positions:
    """The order by group, which as a rule they are in already."""
    rising = bool((group[1:] >= group[:-1]).all())
    return np.arange(len(group)) if rising else np.argsort(group, kind="stable")


def _sides(bounds: Bounds) -> NDArray[np.float64]:
    """(4, n): the lefts, the tops, the rights, the bottoms."""
    return np.ascontiguousarray(bounds.T)


def _sweep(
    one: NDArray[np.float64], first_group: Positions, two: NDArray[np.float64], second_group: Positions
) -> tuple[Positions, Positions]:
    lowest = min(one[0].min(), two[0].min())
    # the groups one after the other on one axis; the margin keeps them apart whatever is lost in rounding
    step = (max(one[2].max(), two[2].max()) - lowest) * (1 + 1e-6) + 1
    begin_1, end_1 = (first_group * step + (one[k] - lowest) for k in (0, 2))
    begin_2, end_2 = (second_group * step + (two[k] - lowest) for k in (0, 2))
    by_1, by_2 = np.argsort(begin_1, kind="stable"), np.argsort(begin_2, kind="stable")
    begin_1, end_1, begin_2, end_2 = begin_1[by_1], end_1[by_1], begin_2[by_2], end_2[by_2]
    a1, b1 = _beginning_within(begin_1, end_1, begin_2, and_with=True)
    b2, a2 = _beginning_within(begin_2, end_2, begin_1, and_with=False)
    return _sharing_area(one, two, by_1[np.concatenate([a1, a2])], by_2[np.concatenate([b1, b2])])


def _beginning_within(
    begin: NDArray[np.float64], end: NDArray[np.float64], other: NDArray[np.float64], *, and_with: bool
) -> tuple[Positions, Positions]:
    """Pairs (interval, other) where the other begins after the interval, or with it if so asked, and before its end.

    Intervals and others come in the order of where they begin: neighbours are searched for one after the other, in
    memory that is at hand. Rounding is monotone, so that what begins before an end can at most be rounded to it: hence
    the end is closed. The few pairs too many are sorted out later.
    """
    low = np.searchsorted(other, begin, side="left" if and_with else "right")
    high = np.searchsorted(other, end, side="right")
    return spread(low, np.maximum(high - low, 0))


def _sharing_area(
    one: NDArray[np.float64], two: NDArray[np.float64], a: Positions, b: Positions
) -> tuple[Positions, Positions]:
    """The pairs that overlap in y and in x."""
    for low, high in ((1, 3), (0, 2)):
        overlapping = np.flatnonzero((one[low][a] < two[high][b]) & (two[low][b] < one[high][a]))
        a, b = a[overlapping], b[overlapping]
    return a, b
