"""FRONT DOOR `compare`: engines on the same responses -> every difference with its interval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from assay.errors import Field, InputError
from assay.evaluation.chunks import whole_tally
from assay.evaluation.compare import Contender, compare_engines
from assay.evaluation.evaluate import evaluation_of
from assay.evaluation.plan import Plan
from assay.evaluation.result import Evaluation
from assay.evaluation.thresholds import check_gate, parse_gate
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.results.result_json import read_contender
from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
from assay.io.tables.tables import file_digest
from assay.metrics.intervals import Resampling
from assay.provenance import Provenance
from assay.scale import ScoreScale
from assay.workflows.arguments import check_arguments
from assay.workflows.evaluation import score_tables
from assay.workflows.evaluation.results import ComparisonResult, EvaluationResult
from assay.workflows.inputs import TableLike, table_of


def compare(
    tables: TableLike,
    *,
    system: score_tables.Names = (),
    human: str | None = None,
    id: str | None = None,
    second_human: score_tables.Names = (),
    reference: str = "first",
    groups: score_tables.Names = (),
    scale: ScoreScale | str | None = None,
    gate: score_tables.Names = (),
    gate_ci: bool = False,
    weights: str | None = None,
    length: str | None = None,
    candidate: str | None = None,
    min_items: int = 0,
    min_group: int = 10,
    cuts: float | Sequence[float] = (),
    flag: Sequence[str] | Mapping[str, score_tables.Names] = (),
    keep_zeros: bool | None = None,
    scale_with: TableLike | None = None,
    trim_tolerance: float | None = None,
    rater_error_variance: float | None = None,
    intervals: str = "jackknife",
    seed: int = 0,
    executor: Executor | None = None,
    observer: Observer = SILENT,
    command: str = "",
    provenance: Provenance | None = None,
) -> ComparisonResult:
    """Compare engines on the same responses.

    Parameters
    ----------
    tables
        A table with a row per response, as `evaluate` takes it; or two or more evaluations, each as an
        `EvaluationResult` or the path of its evaluation.json.
    system, human
        For a table: the columns with the engines' scores, two or more, and the one with the human score.
    gate, gate_ci
        Conditions that every engine must meet, such as `"qwk>=0.7"`, and whether they must hold for the whole interval.
    id, second_human, reference, groups, scale, weights, length, candidate, min_items, min_group, cuts, flag
        As for `evaluate`, for a table.
    keep_zeros, scale_with, trim_tolerance, rater_error_variance, intervals, seed
        As for `evaluate`; `intervals` and `seed` for evaluations too.
    executor, observer, command, provenance
        Who does the work and who hears of it, the command that reports show, and where the result comes from, if not
        made here.

    Returns
    -------
    ComparisonResult

    Examples
    --------
    >>> table = {"h": [1, 2, 3, 4, 3, 2], "a": [1, 2, 4, 4, 3, 3], "b": [2, 2, 2, 3, 3, 1]}
    >>> result = compare(table, human="h", system=["a", "b"], scale="1-4")
    >>> result.comparison.engines, len(result.to_polars())
    (('a', 'b'), 11)
    """
    check_arguments(compare, locals())
    resampling = score_tables.resampling_of(intervals, seed)
    engines = score_tables.names_of(system)
    evaluations: Mapping[str, Evaluation] = {}
    unscored: Mapping[str, int] = {}
    if engines:
        with observer.stage("read"):
            table_given, human = _one_table(tables, human)
            columns = ScoreColumns(
                human=(human, *score_tables.names_of(second_human)),
                system=engines,
                id=id,
                groups=score_tables.names_of(groups),
                weights=weights,
                length=length,
                candidate=candidate,
                flags=score_tables.flags_of(flag),
            )
            choices = score_tables.Choices(
                scale=scale,
                keep_zeros=keep_zeros,
                reference=reference,
                cuts=cuts,
                min_items=min_items,
                min_group=min_group,
                scale_with=scale_with,
                trim_tolerance=trim_tolerance,
                rater_error_variance=rater_error_variance,
            )
            table = score_tables.open_scores(table_of(table_given, "tables"), columns, whole=min_items > 1)
            plans = {engine: choices.plan(table, engine) for engine in engines}
            gates = score_tables.gates_of(gate, table, plans[engines[0]])
        executor = executor or SerialExecutor()
        evaluations = {e: _evaluated(table, e, plan, resampling, executor, observer) for e, plan in plans.items()}
        contenders, unscored = [_of_evaluation(one) for one in evaluations.values()], table.unscored
        inputs = score_tables.digests_of(table)
    else:
        _refuse_options(human, second_human, groups, scale, weights, length, flag, scale_with)
        gates = [parse_gate(text) for text in score_tables.names_of(gate)]
        with observer.stage("read"):
            contenders, inputs = _of_evaluations(tables)
    checked = {
        c.name: tuple(check_gate(one, c.figures, whole_interval=gate_ci) for one in gates) for c in contenders if gates
    }
    observer.check()
    comparison = compare_engines(contenders, by_candidate=candidate is not None, resampling=resampling)
    observer.check()
    return ComparisonResult(
        comparison=replace(comparison, unscored=unscored),
        provenance=provenance or score_tables.provenance_of(inputs, seed, command),
        evaluations=evaluations,
        gates=checked,
    )


def _evaluated(
    table: RatingsTable, engine: str, plan: Plan, resampling: Resampling, executor: Executor, observer: Observer
) -> Evaluation:
    """One engine, on the responses that all engines scored."""
    with observer.stage("figured"):
        ranges = score_tables.tallied_ranges(table, plan, engine, executor)
        tally, exclusions, _ = whole_tally(with_progress(ranges, observer, "responses", table.known_count))
        raters = table.columns.human
        return evaluation_of(tally, exclusions, plan, engine=engine, raters=raters, resampling=resampling)


def _of_evaluation(evaluation: Evaluation) -> Contender:
    blocks = list(evaluation.blocks.values())
    return Contender(evaluation.engine, blocks[0], blocks[-1], evaluation.exclusions, evaluation.figures())


_EITHER = (
    "Give two or more evaluations, or one table with ", Field("human"), " and two or more columns as ",
    Field("system"), ".",
)  # fmt: skip


def _one_table(tables: TableLike, human: str | None) -> tuple[TableLike, str]:
    rows = isinstance(tables, Sequence) and bool(tables) and all(isinstance(row, Mapping) for row in tables)
    several = isinstance(tables, Sequence) and not isinstance(tables, str) and not rows
    if several and len(tables) == 1:
        (tables,), several = tables, False
    if several or human is None:
        field = "human" if human is None else "tables"
        raise InputError("columns are compared in one table, with a human score", field=field, remedy=_EITHER)
    return tables, human


def _refuse_options(*options: object) -> None:
    """Evaluations were made with their own columns: an option for a table would be ignored."""
    names = ("human", "second_human", "groups", "scale", "weights", "length", "flag", "scale_with")
    for name, value in zip(names, options, strict=True):
        if value is not None and not (isinstance(value, tuple | list | dict | str) and not value):
            problem = (Field(name), " is for a table of scores with its engines named as ", Field("system"))
            raise InputError(problem, field=name, remedy=_EITHER)


def _of_evaluations(tables: TableLike) -> tuple[list[Contender], dict[str, str]]:
    if not isinstance(tables, Sequence) or isinstance(tables, str) or len(tables) < 2:
        raise InputError("a comparison needs two or more engines", field="system", remedy=_EITHER)
    contenders = [_contender(one) for one in tables]
    names = [contender.name for contender in contenders]
    for number, one in enumerate(tables):
        if names.count(names[number]) > 1 and isinstance(one, str | PathLike):
            path = Path(one)
            name = f"{names[number]} ({path.parent.name or path.name})"
            contenders[number] = replace(contenders[number], name=name)
    return contenders, {str(one): file_digest(Path(one)) for one in tables if isinstance(one, str | PathLike)}


def _contender(one: object) -> Contender:
    if isinstance(one, EvaluationResult):
        return _of_evaluation(one.evaluation)
    if isinstance(one, str | PathLike):
        return read_contender(Path(one))
    problem = (Field("tables"), f" holds a value of type {type(one).__name__}")
    raise InputError(problem, field="tables", remedy=_EITHER)
