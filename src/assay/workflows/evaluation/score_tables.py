"""What the verbs of this folder share: options as values, and the table of scores, its scale and its tallies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from assay import __version__
from assay.errors import Field, InputError
from assay.evaluation.chunks import CHUNK_PARTS, ChunkTally, tallied_chunks, tally_parts
from assay.evaluation.compare import Contender
from assay.evaluation.plan import Plan, scale_from
from assay.execution.executor import Executor
from assay.io.tables.ratings_table import PART_ROWS, RatingsTable, RowSlice, ScoreColumns
from assay.metrics.intervals import Resampling
from assay.provenance import Provenance
from assay.scale import ScoreScale

if TYPE_CHECKING:
    import polars as pl

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


def digests_of(table: RatingsTable) -> dict[str, str]:
    """The table by name, with its digest; nothing for a table that is no file."""
    return {table.source.name: table.source.digest()} if table.source.parts else {}


def open_scores(table: "Path | pl.DataFrame", columns: ScoreColumns, *, whole: bool = False) -> RatingsTable:
    """The table, with every rater and engine in a column of its own."""
    raters = [("human", columns.human[0]), *(("second_human", name) for name in columns.human[1:])]
    seen: set[str] = set()
    for field, name in [*raters, *(("system", name) for name in columns.system)]:
        if name in seen:
            remedy = "Give each rater and each engine its own column."
            raise InputError(f"column {name!r} is named twice", field=field, remedy=remedy)
        seen.add(name)
    return RatingsTable(table, columns, whole=whole)


def scale_of(
    table: RatingsTable, declared: ScoreScale | str | None, keep_zeros: bool | None
) -> tuple[ScoreScale | None, bool]:
    """The scale, declared or seen in the human scores, and whether zeros are left out."""
    scale = scale_from(declared or None)
    holds_zero = scale is not None and scale.lowest <= 0 <= scale.highest
    leave_out_zeros = not holds_zero if keep_zeros is None else not keep_zeros
    if scale is None:
        values = table.human_values
        values = values[values != 0] if leave_out_zeros else values
        scale = ScoreScale.observed(values) if values.size else None
    return scale, leave_out_zeros


@dataclass(frozen=True, slots=True)
class TallyWork:
    """All a worker must know to tally any stretch of the table."""

    path: Path
    columns: ScoreColumns
    levels: Mapping[str, tuple[str, ...]]
    plan: Plan


def tallied_ranges(table: RatingsTable, plan: Plan, executor: Executor) -> Iterator[ChunkTally]:
    """The whole table, stretch by stretch in file order: by the executor where it can be read from the middle."""
    spans = table.spans(PART_ROWS * CHUNK_PARTS)
    if spans is None:
        return _tallied(table, plan, None)
    work = TallyWork(table.source.place, table.columns, table.levels, plan)
    return executor.map_ordered(tally_span, spans, work)


def tally_span(span: RowSlice, work: TallyWork) -> ChunkTally:
    """One stretch, read and tallied."""
    table = RatingsTable(work.path, work.columns, check_ids=False, levels=work.levels)
    (chunk,) = _tallied(table, work.plan, span)
    return chunk


def _tallied(table: RatingsTable, plan: Plan, span: RowSlice | None) -> Iterator[ChunkTally]:
    checked = plan.scale if plan.scale_declared else None
    parts = table.parts(scale=checked, zeros_count=not plan.leave_out_zeros, span=span)
    return tallied_chunks(zip(parts, table.response_ids(span), strict=True), plan)


def contenders_of(
    table: RatingsTable, engines: Sequence[str], declared: ScoreScale | str | None, keep_zeros: bool | None
) -> list[Contender]:
    """The engines of a table, each with the tallies a comparison needs."""
    scale, leave_out_zeros = scale_of(table, declared, keep_zeros)
    plan = Plan(scale=scale, leave_out_zeros=leave_out_zeros)
    checked = scale if declared else None
    contenders = []
    for engine in engines:
        tally, _ = tally_parts(table.parts(engine, scale=checked, zeros_count=not leave_out_zeros), plan)
        contenders.append(Contender(engine, tally.system[plan.trimmed], tally.system[plan.rounded or plan.trimmed]))
    return contenders
