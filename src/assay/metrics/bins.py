"""Responses sorted into numbered bins once, so that any column is summed per bin in one sweep.

Bins that are blocks of responses are added up: all of them, all but each one, or as a bootstrap draws them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Whole = NDArray[np.int64]

Totals = Callable[[Scores], Scores]
"""Figures per block on the last axis -> totals per replicate on the last axis."""


@dataclass(frozen=True, eq=False, slots=True)
class Bins:
    """Which responses belong to which bin; bins are numbered row by row over `shape`."""

    shape: tuple[int, ...]
    order: NDArray[np.intp] | None
    """The responses, bin after bin; None when all are in one bin already."""
    starts: NDArray[np.intp]
    """Where each filled bin begins in `order`."""
    filled: Whole
    """The number of each bin that holds a response."""
    size: int
    """How many responses lie in a bin at all."""

    @classmethod
    def of(cls, numbers: Whole, shape: tuple[int, ...]) -> "Bins":
        """Bins by number; a response with a negative number is in none."""
        # a narrow type lets numpy sort by radix: 10 times faster than comparing
        narrow = numbers.astype(np.int16 if prod(shape) < 2**15 else np.int64, copy=False)
        order = np.argsort(narrow, kind="stable")
        arranged = numbers[order]
        first = int(np.searchsorted(arranged, 0))
        order, arranged = order[first:], arranged[first:]
        changes = np.flatnonzero(arranged[1:] != arranged[:-1]) + 1
        starts = np.concatenate(([0], changes)) if arranged.size else np.zeros(0, dtype=np.intp)
        return cls(shape, order, starts.astype(np.intp), arranged[starts].astype(np.int64), arranged.size)

    @classmethod
    def single(cls, size: int) -> "Bins":
        """All responses in one bin."""
        return cls((), None, np.zeros(min(size, 1), dtype=np.intp), np.zeros(min(size, 1), dtype=np.int64), size)

    @property
    def count(self) -> int:
        """How many bins there are, empty ones included."""
        return prod(self.shape)

    def arranged(self, column: Scores) -> Scores:
        """A column with its responses bin after bin."""
        return column if self.order is None else column[self.order]

    def numbers(self) -> Whole:
        """The bin of each arranged response."""
        return np.repeat(self.filled, np.diff(np.append(self.starts, self.size)))

    def counts(self) -> Scores:
        """The number of responses in each bin."""
        return self._spread(np.diff(np.append(self.starts, self.size)).astype(np.float64), 0.0)

    def sums(self, arranged: Scores) -> Scores:
        """The sum of an arranged column in each bin."""
        return self._reduced(np.add, arranged, 0.0)

    def lows(self, arranged: Scores) -> Scores:
        """The smallest value in each bin, infinity in an empty one."""
        return self._reduced(np.minimum, arranged, np.inf)

    def highs(self, arranged: Scores) -> Scores:
        """The largest value in each bin, minus infinity in an empty one."""
        return self._reduced(np.maximum, arranged, -np.inf)

    def _reduced(self, ufunc: np.ufunc, arranged: Scores, empty: float) -> Scores:
        return self._spread(ufunc.reduceat(arranged, self.starts) if self.size else np.zeros(0), empty)

    def _spread(self, per_filled: Scores, empty: float) -> Scores:
        spread = np.full(self.count, empty)
        spread[self.filled] = per_filled
        return spread.reshape(self.shape)


def together(blocks: Scores) -> Scores:
    """One replicate: everything."""
    return np.asarray(blocks.sum(axis=-1, keepdims=True))


def leaving_out_each(blocks: Scores) -> Scores:
    """A replicate per block: everything but that block, as the jackknife wants it."""
    return np.asarray(blocks.sum(axis=-1, keepdims=True) - blocks)


def drawn(draws: Scores) -> Totals:
    """A replicate per bootstrap draw; `draws` says how often each draw holds each block: (draws, blocks)."""
    return lambda blocks: blocks @ draws.T


def bootstrap_draws(rng: "np.random.Generator", blocks: int, draws: int) -> Scores:
    """How often each of the blocks is drawn, with replacement, as many times as there are blocks."""
    return rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=draws).astype(np.float64)
