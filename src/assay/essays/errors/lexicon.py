"""Word lists shipped with the package: tab-separated lines, `#` starts a remark."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

PACKAGE = "assay.essays.errors"


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The lines of a word list, split at tabs."""
    lines = files(PACKAGE).joinpath("lexicons", name).read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))


@cache
def words(name: str) -> frozenset[str]:
    """The first column of a word list."""
    return frozenset(row[0] for row in rows(name))


@cache
def pairs(name: str) -> Mapping[str, str]:
    """First column -> second column; an empty second column says that there is no suggestion."""
    return {row[0]: row[1] if len(row) > 1 else "" for row in rows(name)}


@cache
def word_class(name: str) -> frozenset[str]:
    """The words of a class that a rule asks about, from `word_classes.tsv`."""
    return frozenset(pairs("word_classes.tsv")[name].split(" "))
