"""What workers do for `assay evaluate`: tally a stretch of a large table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.cluster.crew import Crew
from assay.evaluation.chunks import CHUNK_PARTS, ChunkTally, few_items, in_chunks, tally_some
from assay.evaluation.exclusions import REASONS, exclusion_reasons
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.files.ratings_table import PART_ROWS, RatingsTable, ScoreColumns, Span

MOST_EXCLUDED_LISTED = 10_000

Excluded = list[tuple[str, str]]
"""Id of a response and why it is left out."""


@dataclass(frozen=True, slots=True)
class Stretch:
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


def tallied_chunks(table: RatingsTable, plan: Plan, crew: Crew, *, scale_declared: bool) -> Iterator[Stretch]:
    """The whole table, stretch by stretch in file order: by the crew where it can be read from the middle."""
    spans = table.spans(PART_ROWS * CHUNK_PARTS)
    if spans is None:
        yield from _tallied(table, plan, None, scale_declared=scale_declared)
        return
    work = TallyWork(table.source.path.absolute(), table.columns, table.levels, plan, scale_declared)
    yield from crew.in_order(tally_span, spans, work)


def tally_span(span: Span, work: TallyWork) -> Stretch:
    """One stretch, read and tallied."""
    table = RatingsTable(work.path, work.columns, check_ids=False, levels=work.levels)
    (found,) = _tallied(table, work.plan, span, scale_declared=work.scale_declared)
    return found


def noting(stretches: Iterable[Stretch], excluded: Excluded) -> Iterator[ChunkTally]:
    """The tallies; which responses are left out, and why, is noted on the way."""
    for stretch in stretches:
        excluded.extend(stretch.excluded[: MOST_EXCLUDED_LISTED - len(excluded)])
        yield stretch.chunk


def _tallied(table: RatingsTable, plan: Plan, span: Span | None, *, scale_declared: bool) -> Iterator[Stretch]:
    excluded: Excluded = []
    for parts in in_chunks(_with_reasons(table, plan, span, excluded, scale_declared=scale_declared)):
        chunk = tally_some(parts, plan)
        yield Stretch(chunk, excluded.copy())
        excluded.clear()


def _with_reasons(
    table: RatingsTable, plan: Plan, span: Span | None, excluded: Excluded, *, scale_declared: bool
) -> Iterator[Ratings]:
    checked = plan.scale if scale_declared else None
    parts = table.parts(scale=checked, zeros_count=not plan.leave_out_zeros, span=span)
    for part, ids in zip(parts, table.response_ids(span), strict=True):
        few = few_items(part, plan) if plan.least_items > 1 else None
        reasons = exclusion_reasons(part, leave_out_zeros=plan.leave_out_zeros, few=few)
        for row in (reasons >= 0).nonzero()[0][: MOST_EXCLUDED_LISTED - len(excluded)].tolist():
            excluded.append((str(ids[row]), REASONS[reasons[row]]))
        yield part
