"""Lists of different lengths, one after the other in a flat array; and arrays that nobody may change."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int64]
Entry = TypeVar("Entry", bound=np.generic)


def spread(start: Positions, count: Positions) -> tuple[Positions, Positions]:
    """For every entry of every list: which list it is of, and where it lies.

    >>> owner, position = spread(np.array([10, 20]), np.array([2, 3]))
    >>> owner.tolist(), position.tolist()
    ([0, 0, 1, 1, 1], [10, 11, 20, 21, 22])
    """
    ends = np.cumsum(count)
    owner = np.repeat(np.arange(len(count)), count)
    return owner, np.arange(ends[-1] if len(ends) else 0) + np.repeat(start - ends + count, count)


def offsets(count: Positions) -> Positions:
    """Where each of the lists begins when they lie one after the other.

    >>> offsets(np.array([2, 3, 1])).tolist()
    [0, 2, 5]
    """
    return np.cumsum(count) - count


def totals(owner: Positions, amount: NDArray[np.float64] | Positions, owners: int) -> NDArray[np.float64]:
    """The sum of the amounts of each owner.

    >>> totals(np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [1.0, 0.0, 5.0]
    """
    return np.asarray(np.bincount(owner, weights=amount, minlength=owners), np.float64)


def portions(cost: Positions, limit: int) -> Iterator[slice]:
    """Slices that cover all entries, each of a total cost near `limit`, so that what is made of them stays small.

    >>> list(portions(np.array([3, 3, 3, 9]), 6))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    total = np.cumsum(cost)
    begin = 0
    while begin < len(cost):
        before = int(total[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(total, before + limit, side="right")))
        yield slice(begin, end)
        begin = end


class FrozenArrays:
    """A dataclass whose arrays are read-only."""

    __slots__ = ()

    def __post_init__(self) -> None:
        this: Any = self  # a dataclass, as those that inherit it are
        for field in fields(this):
            value = getattr(this, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False


def read_only(array: NDArray[Entry]) -> NDArray[Entry]:
    """The same array, closed to change."""
    array.flags.writeable = False
    return array
