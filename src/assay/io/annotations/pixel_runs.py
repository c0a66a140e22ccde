"""Pixels of a mask into the runs that `Mask` keeps: background and object in turn, background first."""

import numpy as np
from numpy.typing import NDArray

Runs = NDArray[np.int64]


def runs_of_pixels(drawn: NDArray[np.bool_]) -> Runs:
    """The runs of pixels that lie in one row.

    >>> runs_of_pixels(np.array([True, True, False])).tolist()
    [0, 2, 1]
    """
    return runs_of_stretches(drawn, np.ones(len(drawn), np.int64))


def runs_of_stretches(drawn: NDArray[np.bool_], lengths: Runs) -> Runs:
    """The runs of stretches of pixels, each drawn or not; neighbours of one kind become one run.

    >>> runs_of_stretches(np.array([False, True, True]), np.array([3, 1, 4])).tolist()
    [3, 5]
    """
    some = lengths > 0
    drawn, lengths = drawn[some], lengths[some]
    if not drawn.size:
        return np.zeros(0, np.int64)
    starts = np.flatnonzero(np.concatenate([[True], drawn[1:] != drawn[:-1]]))
    runs = np.add.reduceat(lengths, starts)
    runs = np.concatenate([[0], runs]) if drawn[0] else runs
    runs.flags.writeable = False
    return runs
