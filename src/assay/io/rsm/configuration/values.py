"""How values of RSMTool's options are read: a function a kind of value."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

FILE_FORMATS = ("csv", "tsv", "xlsx")
MISSING = ("drop", "mean", "median", "zero")


class BadValue(Exception):
    """The value of an option is not what it must be; the message completes the sentence "option must be ..."."""


def _accepted(
    holds: Callable[[Any], object], described: str, read: Callable[[Any], Any] = lambda value: value
) -> Callable[[Any], Any]:
    """A reader of values that are taken as they are, or as `read` takes them, if something holds of them."""

    def accepted(value: Any) -> Any:
        if not holds(taken := read(value)):
            raise BadValue(described)
        return taken

    return accepted


text = _accepted(lambda value: isinstance(value, str) and value.strip(), "a text")
any_text = _accepted(lambda value: isinstance(value, str), "a text")
experiment_id = _accepted(
    lambda value: isinstance(value, str) and value and len(value) <= 200 and not re.search(r"[\s/\\\0]", value),
    "a text of up to 200 letters without blanks or slashes, since file names begin with it",
)
"""A name that can begin a file name."""
parameters = _accepted(
    lambda value: isinstance(value, dict), 'an object such as {"max_depth": 3}: arguments of the estimator'
)


def one_of(words: tuple[str, ...], described: str) -> Callable[[Any], str]:
    """A reader of one of a few words."""
    return _accepted(lambda value: value in words, described)


def number(value: Any) -> float:
    """A number, perhaps written as text."""
    try:
        read = float("not a number" if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        read = math.nan
    if not math.isfinite(read):
        raise BadValue("a number")
    return read


not_negative = _accepted(lambda value: value >= 0, "a number of 0 or more", number)


def whole_from(least: int) -> Callable[[Any], int]:
    """A reader of whole numbers."""
    fits = _accepted(lambda n: n >= least and n.is_integer(), f"a whole number of {least} or more", number)
    return lambda value: int(fits(value))


def yes_or_no(value: Any) -> bool:
    """true or false, perhaps written as text in any case."""
    words = {"true": True, "false": False}
    read = value if isinstance(value, bool) else words.get(str(value).strip().lower())
    if read is None:
        raise BadValue("true or false")
    return read


def names(value: Any) -> tuple[str, ...]:
    """A list of names, or one text with commas between them."""
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise BadValue("a list of names")
    read = [name.strip() if isinstance(value, str) else name for name in listed]
    return tuple(read if any(read) else ())


distinct_names = _accepted(
    lambda read: "" not in read, "a list of names, none of them empty", lambda value: _without_repetitions(names(value))
)
several_names = _accepted(
    lambda read: read and "" not in read, "a list of names, at least one and none of them empty", names
)


def sections_of(known: tuple[str, ...]) -> Callable[[Any], tuple[str, ...]]:
    """A reader of report sections, by the sections a command has."""

    def sections(value: Any) -> tuple[str, ...]:
        read = names(value)
        unknown = [name for name in read if name not in ("all", *known)]
        if unknown:
            raise BadValue(f"a list of sections out of all, {', '.join(known)}; not {_quoted(unknown)}")
        return read

    return sections


def features(value: Any) -> str | tuple[str, ...]:
    """A list of features, or the name of a feature file."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, list) and value and all(isinstance(name, str) and name for name in value):
        return _without_repetitions(tuple(value))
    raise BadValue("the name of a feature file, or a list of features")


def flags(value: Any) -> dict[str, tuple[Any, ...]]:
    """Column -> allowed values; a single value may stand without a list."""
    if not isinstance(value, dict):
        raise BadValue('an object such as {"advisory": [0]}: for each column the values that are allowed')
    return {column: tuple(allowed) if isinstance(allowed, list) else (allowed,) for column, allowed in value.items()}


def smallest_groups(value: Any) -> int | dict[str, int]:
    """One number for all subgroups, or one for each."""
    whole_number = whole_from(0)
    return {name: whole_number(n) for name, n in value.items()} if isinstance(value, dict) else whole_number(value)


def row_range(value: Any) -> tuple[int, int]:
    """First and last place, counted from 0, both included: "10-20".

    >>> row_range("10-20")
    (10, 20)
    """
    match = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", value) if isinstance(value, str) else None
    if match is None or int(match[1]) > int(match[2]):
        raise BadValue('a text such as "10-20": the first and the last row, counted from 0')
    return int(match[1]), int(match[2])


def _without_repetitions(listed: tuple[str, ...]) -> tuple[str, ...]:
    twice = sorted(name for name, count in Counter(listed).items() if count > 1)
    if twice:
        raise BadValue(f"a list without repetitions; {_quoted(twice)} occurs more than once")
    return listed


def _quoted(listed: Iterable[str]) -> str:
    return ", ".join(map(repr, listed))
