"""A table of scores, judged: its scale, the responses left out, and the engines in it. Shared by every shell."""

from collections.abc import Iterator, Sequence

from assay.evaluation.chunks import few_items, tally_parts
from assay.evaluation.compare import Contender
from assay.evaluation.exclusions import REASONS, exclusion_reasons
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.io.tables.ratings_table import RatingsTable, Span
from assay.scale import ScoreScale

MOST_EXCLUDED_LISTED = 10_000
"""More responses than this are counted, but not listed one by one."""


def scale_of(table: RatingsTable, declared: str | None, keep_zeros: bool | None) -> tuple[ScoreScale | None, bool]:
    """The scale, declared or seen in the human scores, and whether zeros are left out."""
    scale = ScoreScale.parse(declared) if declared else None
    holds_zero = scale is not None and scale.lowest <= 0 <= scale.highest
    leave_out_zeros = not holds_zero if keep_zeros is None else not keep_zeros
    if scale is None:
        values = table.human_values
        values = values[values != 0] if leave_out_zeros else values
        scale = ScoreScale.observed(values) if values.size else None
    return scale, leave_out_zeros


def noting_exclusions(
    table: RatingsTable,
    plan: Plan,
    excluded: list[tuple[str, str]],
    *,
    scale_declared: bool,
    system: str | None = None,
    span: Span | None = None,
) -> Iterator[Ratings]:
    """The parts of the table or of a span of it; which responses are left out, and why, is noted on the way."""
    checked = plan.scale if scale_declared else None
    parts = table.parts(system, scale=checked, zeros_count=not plan.leave_out_zeros, span=span)
    for part, ids in zip(parts, table.response_ids(span), strict=True):
        few = few_items(part, plan) if plan.least_items > 1 else None
        reasons = exclusion_reasons(part, leave_out_zeros=plan.leave_out_zeros, few=few)
        for row in (reasons >= 0).nonzero()[0][: MOST_EXCLUDED_LISTED - len(excluded)].tolist():
            excluded.append((str(ids[row]), REASONS[reasons[row]]))
        yield part


def contenders_of(
    table: RatingsTable, engines: Sequence[str], declared: str | None, keep_zeros: bool | None
) -> list[Contender]:
    """The engines of a table, each with the tallies a comparison needs."""
    scale, leave_out_zeros = scale_of(table, declared, keep_zeros)
    plan = Plan(scale=scale, leave_out_zeros=leave_out_zeros)
    checked = scale if declared else None
    found = []
    for engine in engines:
        tally, _ = tally_parts(table.parts(engine, scale=checked, zeros_count=not leave_out_zeros), plan)
        found.append(Contender(engine, tally.system[plan.trimmed], tally.system[plan.rounded or plan.trimmed]))
    return found
