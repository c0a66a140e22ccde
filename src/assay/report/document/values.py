"""The smallest parts of a report: a text with emphasis, a figure with its interval, a band, a verdict."""

from dataclasses import dataclass
from math import nan
from typing import Any, Literal, Self, TypeAlias, get_args

from assay.errors import InputError
from assay.metrics.intervals import Estimate

Verdict: TypeAlias = Literal["met", "met, not certain", "not met, not certain", "not met"]
VERDICTS: tuple[str, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that carry the sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A name as a machine knows it: a file, a column, a command."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to another file of the same result; on paper they are words."""

    text: str
    target: str
    """A relative address."""


Span: TypeAlias = str | Strong | Code | Link
Spans: TypeAlias = str | tuple[Span, ...]


def plain(spans: Spans) -> str:
    """The words alone.

    >>> plain(("read from ", Code("scores.csv")))
    'read from scores.csv'
    """
    return "".join(span if isinstance(span, str) else span.text for span in spans_of(spans))


def spans_of(spans: Spans) -> tuple[Span, ...]:
    """The same text, always as a tuple."""
    return (spans,) if isinstance(spans, str) else spans


@dataclass(frozen=True, slots=True)
class Number:
    """How a number is written. A percent is stored as a share (0.473) and shown as 47.3 %."""

    decimals: int = 2
    signed: bool = False
    percent: bool = False


PLAIN = Number()
SIGNED = Number(signed=True)
INTEGER = Number(decimals=0)
PERCENT = Number(decimals=1, percent=True)


class FormattedEstimate(Estimate):
    """A figure in other units than its column, such as a percentage among kappas: how it is written, beside it."""

    __slots__ = ("number",)
    number: Number | None
    """None: as its column is."""

    def __new__(
        cls, value: float = nan, low: float = nan, high: float = nan, reason: str = "", number: Number | None = None
    ) -> Self:
        estimate = super().__new__(cls, value, low, high, reason)
        object.__setattr__(estimate, "number", number)
        return estimate

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value, self.low, self.high, self.reason, self.number)


def number_of(estimate: Estimate, column: Number) -> Number:
    """How an estimate is written: in its own way if it has one, otherwise as its column is."""
    own = estimate.number if isinstance(estimate, FormattedEstimate) else None
    return own or column


@dataclass(frozen=True, slots=True)
class Band:
    """Where a figure should lie. An end that is None is open."""

    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        if self.least is not None and self.most is not None and not self.least < self.most:
            raise InputError(f"band {self.least} to {self.most} is empty: put the lower end first")

    @property
    def ends(self) -> tuple[float, ...]:
        return tuple(end for end in (self.least, self.most) if end is not None)
