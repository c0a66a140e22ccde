"""What people read: figures with true minus signs and a reason beside every n/a, counts, lists, dates, safe text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from math import isinf, isnan
from unicodedata import category

from assay.metrics.intervals import Estimate
from assay.report.document.values import Band, Cell, Column, FormattedEstimate, Number, Spans, Verdict

MINUS = "\u2212"
NO_BREAK = "\u00a0"
REPLACEMENT = "\ufffd"
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_MONTHS = (  # strftime would ask the locale
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


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
    number = (isinstance(estimate, FormattedEstimate) and estimate.number) or number
    low, high = (number_text(end, number) for end in (estimate.low, estimate.high))
    return f"{low.removesuffix(NO_BREAK + '%')} to {high}"


def value_text(estimate: Estimate, number: Number) -> str:
    """The value alone, in the estimate's own units if it has any."""
    return number_text(estimate.value, (isinstance(estimate, FormattedEstimate) and estimate.number) or number)


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


def number_word(number: int) -> str:
    """A small count as a word, a large one in digits.

    >>> number_word(5), number_word(0), number_word(1412)
    ('five', 'no', '1,412')
    """
    return _WORDS[number] if 0 <= number < len(_WORDS) else f"{number:,}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A count and its noun in digits.

    >>> counted(1, "response"), counted(1412, "response"), counted(2, "person", "people")
    ('1 response', '1,412 responses', '2 people')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def be(number: int) -> str:
    """`is` or `are`, `was` being left to the caller."""
    return "is" if number == 1 else "are"


def listed(items: Sequence[str], most: int = 0, noun: str = "") -> str:
    """Things in one line, at most so many of them by name.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c", "d"], most=2, noun="group")
    ('a, b and c', 'a, b and two more groups')
    """
    if most and len(items) > most + 1:
        rest = len(items) - most
        items = [*items[:most], f"{number_word(rest)} more {noun}{'s' if noun else ''}".strip()]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts names as people do: numbers within them by their size.

    >>> sorted(["school 10", "School 2", "school 1", "3"], key=natural_order)
    ['3', 'school 1', 'School 2', 'school 10']
    """
    pieces = (piece for piece in re.split(r"(\d+)", name.casefold()) if piece)
    return tuple((0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces)


def sentence(text: str) -> str:
    """The words with a capital letter in front and a full stop behind."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def shortened(name: str, most: int = 40) -> str:
    """A name that does not swamp its sentence.

    >>> shortened("Vietnamese"), shortened("a" * 50, 10)
    ('Vietnamese', 'aaaaaaaaa…')
    """
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def date_words(moment: str) -> str:
    """An ISO date as people write it; any other text as it is.

    >>> date_words("2026-11-15T14:20:00+01:00"), date_words("2026-11-15"), date_words("last week")
    ('15 November 2026, 14:20', '15 November 2026', 'last week')
    """
    try:
        day = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    clock = f", {day:%H:%M}" if len(moment) > len("2026-11-15") else ""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}{clock}"


def p_words(p: float) -> str:
    """A p value with as many digits as mean something.

    >>> p_words(0.00002), p_words(0.0314), p_words(0.5), p_words(float("nan"))
    ('< 0.001', '0.031', '0.50', 'n/a: no spread to test by')
    """
    if isnan(p):
        return "n/a: no spread to test by"
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def printable(text: str) -> str:
    """The text without characters that no page can hold or that rearrange their neighbours.

    Control characters, lone halves of surrogate pairs and marks that turn the reading direction become U+FFFD,
    so that the reader sees that something was there; line ends and tabs become spaces.

    >>> printable("a\\x00b\\nc\\u202ed")
    'a\ufffdb c\ufffdd'
    """
    spaced = text.translate({ord(end): " " for end in "\n\r\t"})
    unfit = (character for character in set(spaced) if category(character) in ("Cc", "Cs") or character in TURNING)
    return spaced.translate(dict.fromkeys(map(ord, unfit), REPLACEMENT))


def escaped(text: str) -> str:
    """The text as HTML that shows it and does nothing else, inside an element or a quoted attribute."""
    return escape(printable(text))
