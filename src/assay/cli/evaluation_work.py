"""What workers do for `assay evaluate`: tally a stretch of a large table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.evaluation.chunks import CHUNK_PARTS, ChunkTally, in_chunks, tally_some
from assay.evaluation.plan import Plan
from assay.execution.executor import Executor
from assay.io.tables.ratings_table import PART_ROWS, RatingsTable, ScoreColumns, Span
from assay.io.tables.score_table import MOST_EXCLUDED_LISTED, noting_exclusions

Excluded = list[tuple[str, str]]
"""Id of a response and why it is left out."""


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
    scale_declared: bool


def tallied_chunks(table: RatingsTable, plan: Plan, executor: Executor, *, scale_declared: bool) -> Iterator[RowRange]:
    """The whole table, stretch by stretch in file order: by the executor where it can be read from the middle."""
    spans = table.spans(PART_ROWS * CHUNK_PARTS)
    if spans is None:
        yield from _tallied(table, plan, None, scale_declared=scale_declared)
        return
    work = TallyWork(table.source.place, table.columns, table.levels, plan, scale_declared)
    yield from executor.map_ordered(tally_span, spans, work)


def tally_span(span: Span, work: TallyWork) -> RowRange:
    """One stretch, read and tallied."""
    table = RatingsTable(work.path, work.columns, check_ids=False, levels=work.levels)
    (found,) = _tallied(table, work.plan, span, scale_declared=work.scale_declared)
    return found


def noting(stretches: Iterable[RowRange], excluded: Excluded) -> Iterator[ChunkTally]:
    """The tallies; which responses are left out, and why, is noted on the way."""
    for stretch in stretches:
        excluded.extend(stretch.excluded[: MOST_EXCLUDED_LISTED - len(excluded)])
        yield stretch.chunk


def _tallied(table: RatingsTable, plan: Plan, span: Span | None, *, scale_declared: bool) -> Iterator[RowRange]:
    excluded: Excluded = []
    for parts in in_chunks(noting_exclusions(table, plan, excluded, scale_declared=scale_declared, span=span)):
        chunk = tally_some(parts, plan)
        yield RowRange(chunk, excluded.copy())
        excluded.clear()
