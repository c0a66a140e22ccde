"""What the verbs of this folder share: options as values, and the table of scores, its scale and its tallies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from assay import __version__
from assay.errors import Field, InputError
from assay.evaluation.chunks import CHUNK_PARTS, ChunkTally, plan_reasons, tallied_chunks
from assay.evaluation.exclusions import judged_by
from assay.evaluation.plan import Plan, scale_from
from assay.evaluation.points import figure_names
from assay.evaluation.reference import reference_from
from assay.evaluation.score_variants import Scaling
from assay.evaluation.thresholds import Gate, parse_gate, require_figure
from assay.execution.executor import Executor
from assay.io.tables.ratings_table import PART_ROWS, RatingsTable, RowSlice, ScoreColumns
from assay.metrics.intervals import Resampling
from assay.provenance import Provenance, created
from assay.scale import ScoreScale
from assay.workflows.inputs import TableLike, table_of

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
    return Provenance(__version__, command, inputs, seed, created())


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
    """The scale, declared or seen in the human scores, and whether zeros are left out.

    A human zero is a score, unless it is asked to leave zeros out or the scale that was declared does not hold 0.
    """
    scale = scale_from(declared or None)
    beyond = scale is not None and not scale.lowest <= 0 <= scale.highest
    leave_out_zeros = beyond if keep_zeros is None else not keep_zeros
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
    engine: str


def tallied_ranges(table: RatingsTable, plan: Plan, engine: str, executor: Executor) -> Iterator[ChunkTally]:
    """One engine in the whole table, stretch by stretch in file order: by the executor where that can be read so."""
    spans = table.spans(PART_ROWS * CHUNK_PARTS)
    if spans is None:
        return _tallied(table, plan, None, engine)
    work = TallyWork(table.source.place, table.columns, table.levels, plan, engine)
    return executor.map_ordered(tally_span, spans, work)


def tally_span(span: RowSlice, work: TallyWork) -> ChunkTally:
    """One stretch, read and tallied."""
    table = RatingsTable(work.path, work.columns, check_ids=False, levels=work.levels)
    (chunk,) = _tallied(table, work.plan, span, work.engine)
    return chunk


def _tallied(table: RatingsTable, plan: Plan, span: RowSlice | None, engine: str) -> Iterator[ChunkTally]:
    checked = plan.scale if plan.scale_declared else None
    parts = table.parts(engine, scale=checked, zeros_count=not plan.leave_out_zeros, span=span)
    return tallied_chunks(zip(parts, table.response_ids(span), strict=True), plan)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What bears on the figures of an engine, as `evaluate` and `compare` take it."""

    scale: ScoreScale | str | None = None
    keep_zeros: bool | None = None
    reference: str = "first"
    cuts: float | Sequence[float] = ()
    min_items: int = 0
    min_group: int = 10
    scale_with: TableLike | None = None
    trim_tolerance: float | None = None
    rater_error_variance: float | None = None

    def plan(self, table: RatingsTable, engine: str) -> Plan:
        """The plan for one engine of the table."""
        reference = reference_from(self.reference)
        scale, leave_out_zeros = scale_of(table, self.scale, self.keep_zeros)
        known = self.rater_error_variance
        plan = Plan(
            scale=scale,
            trim_tolerance=None if self.trim_tolerance is None else float(self.trim_tolerance),
            leave_out_zeros=leave_out_zeros,
            reference=reference,
            error_variance=None if known is None else float(known),
            cuts=tuple(float(cut) for cut in ((self.cuts,) if isinstance(self.cuts, int | float) else self.cuts)),
            least_group=self.min_group,
            least_items=self.min_items,
            scale_declared=bool(self.scale),
            by_candidate=table.columns.candidate is not None,
        )
        return plan if self.scale_with is None else replace(plan, scaling=self._scaling(table.columns, engine, plan))

    def _scaling(self, columns: ScoreColumns, engine: str, plan: Plan) -> Scaling:
        """How training responses ask to scale the engine; they have a first human score, or all that are averaged."""
        human = columns.human if plan.reference != "first" else columns.human[:1]
        training = table_of(cast("TableLike", self.scale_with), "scale_with")
        (part,) = RatingsTable(training, ScoreColumns(human, (engine,)), whole=True).parts(scale=None, zeros_count=True)
        used = plan_reasons(part, plan) < 0
        zeros = bool(plan.leave_out_zeros)
        scores = judged_by(part.human[used], reference=plan.reference, leave_out_zeros=zeros)
        return Scaling.learned(scores, part.system[used])


def gates_of(gate: Names, table: RatingsTable, plan: Plan) -> list[Gate]:
    """The gates a user sets, each known to name a figure; to be asked before any response is tallied."""
    gates, columns = [parse_gate(text) for text in names_of(gate)], table.columns
    if gates:
        groups, raters = table.group_levels, len(columns.human)
        names = figure_names(plan, raters=raters, groups=groups, length=columns.length is not None)
        for one in gates:
            require_figure(one, names)
    return gates
