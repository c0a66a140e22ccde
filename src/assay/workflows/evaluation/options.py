"""What the verbs of this folder take in more than one way: columns, cut scores, flags, intervals, provenance."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from assay import __version__
from assay.errors import Field, InputError
from assay.metrics.intervals import Resampling
from assay.provenance import Provenance

if TYPE_CHECKING:
    from assay.io.tables.tables import TableSource

Names = str | Sequence[str]
"""The name of a column, or several."""


def names_of(names: Names | None) -> tuple[str, ...]:
    """Names as a tuple.

    >>> names_of("rater_2"), names_of(["a", "b"]), names_of(None)
    (('rater_2',), ('a', 'b'), ())
    """
    return (names,) if isinstance(names, str) else tuple(names or ())


def flags_of(flag: Sequence[str] | Mapping[str, Names]) -> dict[str, tuple[str, ...]]:
    """Which values of which columns a response must have.

    >>> flags_of(["status=ok|checked"]) == flags_of({"status": ["ok", "checked"]})
    True
    """
    if isinstance(flag, Mapping):
        return {column: names_of(values) for column, values in flag.items()}
    flags = {}
    for text in names_of(flag):
        column, equals, values = text.partition("=")
        if not (column and equals):
            remedy = ("Write it as ", Field("flag"), " 'COLUMN=VALUE|VALUE'.")
            raise InputError(f"cannot read the flag {text!r}", field="flag", remedy=remedy)
        flags[column] = tuple(values.split("|"))
    return flags


def resampling_of(intervals: str, seed: int) -> Resampling:
    """How intervals are made: `jackknife` or `bootstrap`."""
    if intervals == "jackknife":
        return Resampling.jackknife()
    if intervals == "bootstrap":
        import numpy as np  # noqa: PLC0415 - only sometimes asked for

        return Resampling.bootstrapped(np.random.default_rng(seed))
    problem = (Field("intervals"), f" is jackknife or bootstrap, got {intervals!r}")
    raise InputError(problem, field="intervals")


def provenance_of(inputs: Mapping[str, str], seed: int, command: str) -> Provenance:
    """Where a result made now comes from."""
    return Provenance(__version__, command, inputs, seed, datetime.now().astimezone().isoformat(timespec="seconds"))


def digests_of(source: "TableSource") -> dict[str, str]:
    """The table by name, with its digest; nothing for a table that is no file."""
    return {source.name: source.digest()} if source.parts else {}
