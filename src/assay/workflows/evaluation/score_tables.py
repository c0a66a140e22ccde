"""A table of scores, tallied: its scale, who is left out, the engines in it; a large one stretch by stretch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.evaluation.chunks import CHUNK_PARTS, ChunkTally, few_items, in_chunks, tally_parts, tally_some
from assay.evaluation.compare import Contender
from assay.evaluation.exclusions import REASONS, exclusion_reasons
from assay.evaluation.plan import Plan, scale_from
from assay.evaluation.ratings import Ratings
from assay.execution.executor import Executor
from assay.io.tables.ratings_table import PART_ROWS, RatingsTable, RowSlice, ScoreColumns
from assay.scale import ScoreScale

if TYPE_CHECKING:
    import polars as pl

MOST_EXCLUDED_LISTED = 10_000
"""More responses than this are counted, but not listed one by one."""

Excluded = list[tuple[str, str]]
"""Id of a response and why it is left out."""


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
class RowRange:
    """A stretch of the table, tallied."""

    chunk: ChunkTally
    excluded: Excluded

    def __len__(self) -> int:
        return self.chunk.exclusions.read


@dataclass(frozen=True, slots=True)
class TallyWork:
    """All a worker must know to tally any stretch of the table."""

    path: Path
    columns: ScoreColumns
    levels: Mapping[str, tuple[str, ...]]
    plan: Plan


def tallied_ranges(table: RatingsTable, plan: Plan, executor: Executor) -> Iterator[RowRange]:
    """The whole table, stretch by stretch in file order: by the executor where it can be read from the middle."""
    spans = table.spans(PART_ROWS * CHUNK_PARTS)
    if spans is None:
        yield from _tallied(table, plan, None)
        return
    work = TallyWork(table.source.place, table.columns, table.levels, plan)
    yield from executor.map_ordered(tally_span, spans, work)


def tally_span(span: RowSlice, work: TallyWork) -> RowRange:
    """One stretch, read and tallied."""
    table = RatingsTable(work.path, work.columns, check_ids=False, levels=work.levels)
    (rows,) = _tallied(table, work.plan, span)
    return rows


def chunks_of(ranges: Iterable[RowRange], excluded: Excluded) -> Iterator[ChunkTally]:
    """The tallies; which responses are left out, and why, is added to `excluded` on the way."""
    for rows in ranges:
        excluded.extend(rows.excluded[: MOST_EXCLUDED_LISTED - len(excluded)])
        yield rows.chunk


def _tallied(table: RatingsTable, plan: Plan, span: RowSlice | None) -> Iterator[RowRange]:
    excluded: Excluded = []
    for parts in in_chunks(with_exclusions(table, plan, excluded, span)):
        chunk = tally_some(parts, plan)
        yield RowRange(chunk, excluded.copy())
        excluded.clear()


def with_exclusions(table: RatingsTable, plan: Plan, excluded: Excluded, span: RowSlice | None) -> Iterator[Ratings]:
    """The parts of the table or of a span of it; who is left out, and why, is added to `excluded` on the way."""
    checked = plan.scale if plan.scale_declared else None
    parts = table.parts(scale=checked, zeros_count=not plan.leave_out_zeros, span=span)
    for part, ids in zip(parts, table.response_ids(span), strict=True):
        few = few_items(part, plan) if plan.least_items > 1 else None
        reasons = exclusion_reasons(part, leave_out_zeros=plan.leave_out_zeros, few=few)
        for row in (reasons >= 0).nonzero()[0][: MOST_EXCLUDED_LISTED - len(excluded)].tolist():
            excluded.append((str(ids[row]), REASONS[reasons[row]]))
        yield part


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
