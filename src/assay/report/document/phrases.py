"""Small words of a report: counts with their noun, lists, dates, names that are too long."""

from collections.abc import Sequence
from datetime import datetime
from math import isnan

_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_MONTHS = (  # strftime would ask the locale
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


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
