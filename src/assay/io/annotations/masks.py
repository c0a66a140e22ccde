"""Masks as runs of pixels: counts as numbers or text, bounds, and what is no mask."""

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.execution.limits import value_of

Runs = NDArray[np.int64]
MOST_PIXELS = (1 << 32) - 1
"""Runs are held in 32 bits."""


def runs_of_text(text: str) -> Runs:
    """The runs in COCO's compressed text.

    Each number is written 5 bits at a time, least first, in characters from '0' on; bit 6 says that more follow, and
    the highest bit of the last is the sign. From the fourth on, numbers are differences to the last but one.
    Source: rleFrString in maskApi.c of the COCO API.

    >>> runs_of_text("0d04").tolist()
    [0, 20, 4]
    """
    if not text:
        return np.zeros(0, np.int64)
    code = np.frombuffer(text.encode("latin-1", errors="replace"), np.uint8).astype(np.int64) - 48
    if code.min() < 0 or code.max() > 63:
        raise InputError("the compressed run lengths hold a character that never occurs in them")
    last = (code & 0x20) == 0
    if not last[-1]:
        raise InputError("the compressed run lengths break off in the middle of a number")
    ends = np.flatnonzero(last)
    starts = np.concatenate([[0], ends[:-1] + 1])
    if (ends - starts).max() > 11:
        raise InputError("the compressed run lengths hold a number that is too long")
    place = np.arange(code.size) - np.repeat(starts, ends - starts + 1)
    numbers = np.add.reduceat((code & 0x1F) << (5 * place), starts)
    negative = (code[ends] & 0x10) != 0
    numbers -= negative.astype(np.int64) << np.minimum(5 * (ends - starts + 1), 62)
    numbers[1::2] = np.cumsum(numbers[1::2])
    numbers[2::2] = np.cumsum(numbers[2::2])
    return numbers


def text_of_runs(runs: Runs) -> str:
    """COCO's compressed text of some runs.

    >>> text_of_runs(np.array([0, 20, 4]))
    '0d04'
    """
    written = []
    for i, run in enumerate(runs.tolist()):
        number = run - int(runs[i - 2]) if i > 2 else run
        more = True
        while more:
            bits = number & 0x1F
            number >>= 5
            more = number != (-1 if bits & 0x10 else 0)
            written.append(chr(48 + bits + (0x20 if more else 0)))
    return "".join(written)


def check_runs(runs: Runs, width: int, height: int) -> None:
    """InputError unless the runs fill a window of width x height exactly."""
    if width <= 0 or height <= 0 or width * height > min(value_of("mask_pixels"), MOST_PIXELS):
        raise InputError(f"the mask states a size of {width} x {height} pixels")
    if runs.size and (runs.min() < 0 or runs.max() > width * height):
        raise InputError("the mask has a run that is negative or longer than the mask")
    if (total := int(runs.sum())) != width * height:
        raise InputError(f"the mask's runs add up to {total} and not to {width} x {height} = {width * height} pixels")


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
    filled = lengths > 0
    drawn, lengths = drawn[filled], lengths[filled]
    if not drawn.size:
        return np.zeros(0, np.int64)
    starts = np.flatnonzero(np.concatenate([[True], drawn[1:] != drawn[:-1]]))
    runs = np.add.reduceat(lengths, starts)
    runs = np.concatenate([[0], runs]) if drawn[0] else runs
    runs.flags.writeable = False
    return runs
