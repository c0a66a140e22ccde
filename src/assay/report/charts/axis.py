"""A stretch of values laid over the width or the height of a drawing."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from assay.report.document.values import Band


@dataclass(frozen=True, slots=True)
class Axis:
    """The values a chart shows, lowest to highest."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Where a value lies, as a share of the axis, kept on it."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    def ticks(self, about: int = 4) -> tuple[float, ...]:
        """Round values on the axis, some `about` of them.

        >>> Axis(-1.4, 1.4).ticks()
        (-1.0, -0.5, 0.0, 0.5, 1.0)
        >>> Axis(0.5, 1.0).ticks()
        (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
        """
        step = round_step((self.high - self.low) / about)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return tuple(round(i * step, 10) + 0.0 for i in range(first, last + 1))


def round_step(rough: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above `rough`."""
    power: float = 10.0 ** floor(log10(rough))
    return max((f * power for f in (1, 2, 5) if f * power <= rough * 1.0001), default=power)


def axis_around(values: Iterable[float], band: Band | None, *, zero: bool = False) -> Axis:
    """An axis with room for all finite values and the band.

    Around zero it is symmetric, so that too high and too low look alike. Shares and agreements run up to 1, so
    that the reader sees how much is left.
    """
    known = [value for value in values if isfinite(value)]
    ends = list(band.ends) if band else []
    if zero or (len(ends) == 2 and ends[0] < 0 < ends[1]):
        room = 3 if len(ends) == 2 else 2
        reach = max([1.15 * abs(v) for v in known] + [room * abs(end) for end in ends], default=0.0) or 1.0
        return Axis(-reach, reach)
    low, high = min(known + ends, default=0.0), max(known + ends, default=1.0)
    margin = 0.15 * (high - low) or 0.5 * abs(high) or 0.5
    if all(0 <= v <= 1 for v in known + ends):  # a share or an agreement: its natural end is 1
        start = floor(max(0.0, min(low - margin, 0.5 if ends else low - margin)) * 10) / 10
        return Axis(start, 1.0)
    return Axis(low - margin, high + margin)
