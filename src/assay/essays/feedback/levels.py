"""Who reads the feedback, and how each aim is said to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias, get_args

from assay.errors import Field, InputError

Level: TypeAlias = Literal["grade6", "grade9", "adult", "learner"]
LEVELS: tuple[Level, ...] = get_args(Level)
USUAL: Level = "grade9"


@dataclass(frozen=True, slots=True)
class Expectation:
    """How much is asked of a writer at once."""

    aims: int = 3
    points: int = 3
    """Main points an argument should have."""
    thin: int = 25
    """Words on a point, its support among them, below which it asks for more."""
    passed_over: frozenset[str] = frozenset()
    """Aims that can wait."""


EXPECTATIONS: Mapping[Level, Expectation] = {
    "grade6": Expectation(aims=2, points=2, thin=15, passed_over=frozenset({"exact_words", "tone", "variety"})),
    "grade9": Expectation(),
    "adult": Expectation(thin=35),
    "learner": Expectation(thin=20, passed_over=frozenset({"repetition", "tone", "variety"})),
}


def level_named(name: str) -> Level:
    """The level of that name; InputError lists those there are.

    >>> level_named("grade6")
    'grade6'
    """
    for level in LEVELS:
        if level == name:
            return level
    remedy = ("Set ", Field("level"), f" to one of: {', '.join(LEVELS)}.")
    raise InputError(f"no level is called {name!r}", field="level", remedy=remedy)


def aim_words(kind: str, level: Level) -> tuple[str, str]:
    """What an aim is called, and what to do, said to this reader.

    >>> aim_words("spelling", "adult")[0]
    'Proofread for spelling'
    """
    table = _table()
    return table.get((kind, level)) or table[kind, "-"]


@cache
def _table() -> Mapping[tuple[str, str], tuple[str, str]]:
    lines = files("assay.essays.feedback").joinpath("aims.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {(kind, level): (title, do) for kind, level, title, do in rows}
