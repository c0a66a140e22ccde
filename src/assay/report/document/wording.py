"""How figures are written for people: true minus signs, intervals in words, and a reason beside every n/a."""

from dataclasses import dataclass
from math import isinf, isnan

from assay.metrics.intervals import Estimate
from assay.report.document.table import Cell, Column
from assay.report.document.values import Band, Number, Spans, Verdict, number_of

MINUS = "\u2212"
NO_BREAK = "\u00a0"


def number_text(value: float, number: Number) -> str:
    """A number as people read it; NaN is n/a, and the caller adds the reason.

    >>> number_text(-0.2, Number(signed=True)), number_text(0.4733, Number(1, percent=True))
    ('−0.20', '47.3\\xa0%')
    >>> number_text(-0.001, Number(signed=True)), number_text(12400, Number(0))
    ('0.00', '12,400')
    """
    if isnan(value):
        return "n/a"
    digits = "∞" if isinf(value) else f"{abs(100 * value if number.percent else value):,.{number.decimals}f}"
    is_zero = not isinf(value) and not any(digit in digits for digit in "123456789")
    sign = "" if is_zero else MINUS if value < 0 else "+" if number.signed else ""
    return f"{sign}{digits}{NO_BREAK + '%' if number.percent else ''}"


def interval_text(estimate: Estimate, number: Number) -> str:
    """Both ends of the interval; empty if there is none.

    >>> interval_text(Estimate(0.03, -0.04, 0.09), Number(signed=True))
    '−0.04 to +0.09'
    """
    if not estimate.has_interval:
        return ""
    number = number_of(estimate, number)
    low = number_text(estimate.low, number)
    high = number_text(estimate.high, number)
    return f"{low.removesuffix(NO_BREAK + '%')} to {high}"


def value_text(estimate: Estimate, number: Number) -> str:
    """The value alone, in the estimate's own units if it has any."""
    return number_text(estimate.value, number_of(estimate, number))


def below_text(estimate: Estimate, number: Number, undefined: str = "not defined for these responses") -> str:
    """What stands below the value: its interval, or why there is none, or why there is no value.

    >>> below_text(Estimate(reason="all human scores are equal"), Number())
    'all human scores are equal'
    """
    if isnan(estimate.value):
        return estimate.reason or undefined
    if estimate.has_interval:
        return interval_text(estimate, number)
    return f"no interval: {estimate.reason}" if estimate.reason else ""


def estimate_text(estimate: Estimate, number: Number) -> str:
    """Value and interval in one line, for alt texts.

    >>> estimate_text(Estimate(0.76, 0.72, 0.79), Number())
    '0.76, interval 0.72 to 0.79'
    >>> estimate_text(Estimate(reason="no pairs"), Number())
    'n/a: no pairs'
    """
    value, below = value_text(estimate, number), below_text(estimate, number)
    if isnan(estimate.value):
        return f"{value}: {below}"
    return f"{value}, interval {below}" if estimate.has_interval else value


def band_text(band: Band, number: Number) -> str:
    """A band in words.

    >>> band_text(Band(least=0.7), Number()), band_text(Band(-0.15, 0.15), Number())
    ('at least 0.70', 'within ±0.15')
    """
    least, most = band.least, band.most
    unsigned = Number(number.decimals, percent=number.percent)
    if least is not None and most is not None:
        if least == -most:
            return f"within ±{number_text(most, unsigned)}"
        return f"{number_text(least, number)} to {number_text(most, number)}"
    if least is not None:
        return f"at least {number_text(least, number)}"
    return f"at most {number_text(most, number)}" if most is not None else "no threshold"


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as it is read: its text, a smaller line below it, or a verdict."""

    text: Spans = ""
    below: str = ""
    verdict: Verdict | None = None
    undefined: bool = False


def shown(column: Column, cell: Cell) -> ShownCell:
    """What a reader sees in this cell."""
    if cell is None:
        return ShownCell()
    if column.kind == "verdict":
        return ShownCell(verdict=cell)  # type: ignore[arg-type]  # Table lets no other word in
    if isinstance(cell, (str, tuple)):
        return ShownCell(cell)
    estimate = cell if isinstance(cell, Estimate) else Estimate(float(cell))
    if column.kind == "interval":  # a reason stands beside the value, which another column shows
        return ShownCell(interval_text(estimate, column.number) or "none")
    if isnan(estimate.value):
        return ShownCell("n/a", estimate.reason or column.undefined, undefined=True)
    below = below_text(estimate, column.number) if column.kind == "estimate" else ""
    return ShownCell(value_text(estimate, column.number), below)
