"""FRONT DOOR `evaluate`: a table of scores -> how good an engine is, beside people."""

from collections.abc import Mapping, Sequence

from assay.evaluation.chunks import whole_tally
from assay.evaluation.evaluate import evaluation_of
from assay.evaluation.thresholds import check_gate
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.tables.ratings_table import ScoreColumns
from assay.provenance import Provenance
from assay.scale import ScoreScale
from assay.workflows.arguments import check_arguments
from assay.workflows.evaluation import score_tables
from assay.workflows.evaluation.results import EvaluationResult
from assay.workflows.inputs import TableLike, table_of


def evaluate(
    scores: TableLike,
    *,
    human: str,
    system: str,
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
    source: str = "",
    command: str = "",
    provenance: Provenance | None = None,
) -> EvaluationResult:
    """Judge a scoring engine by human scores: every metric with its interval.

    Parameters
    ----------
    scores
        A table with a row per response: a path, a frame of pandas, Polars or pyarrow, or columns by name. Large
        Parquet files are spread over the executor.
    human, system
        The columns with the human score and with the system score.
    id
        The column that names the response; row numbers without it.
    second_human
        Columns with the scores of further raters.
    reference
        The human score the engine is judged by, where several raters scored a response: the `"first"` there is, the
        `"mean"`, the `"median"`, or the `"majority"` (ties are left out).
    groups
        Columns with subgroups; `"A*B"` for the groups of A within B.
    scale
        The scores a rubric allows, `"1-6"` or `"1-6:0.5"` for half points; seen in the human scores without it.
    gate, gate_ci
        Conditions such as `"qwk>=0.7"` or `"abs(smd)<=0.15"`, and whether they must hold for the whole interval.
    weights, length, candidate
        Columns with a weight for each response, with its length (for partial r), and with who wrote it (intervals
        then allow for it).
    min_items, min_group
        Candidates with fewer usable responses are left out; figures of smaller groups are not shown.
    cuts
        Cut scores for pass or fail.
    flag
        Values that a response must have to be used: `{"status": ["ok"]}` or `"status=ok|checked"`.
    keep_zeros
        Whether human scores of 0 count; they do, unless `scale` is given and does not hold 0.
    scale_with
        A training table with the same columns: adds the three scaled score forms.
    trim_tolerance, rater_error_variance
        How far outside the scale trimmed scores may lie; the variance of human scoring errors, if known.
    intervals, seed
        `"jackknife"` or `"bootstrap"`, and the seed of the latter.
    executor, observer
        Who does the work, and who hears of it.
    source, command, provenance
        What reports call the table, the command they show, and where the result comes from, if not made here and now.

    Returns
    -------
    EvaluationResult
        Every headline figure is an attribute; `.write(folder)` writes what the command writes.

    Examples
    --------
    >>> table = {"rater": [1, 2, 3, 4, 3, 2, 4, 1], "engine": [1, 2, 4, 4, 3, 3, 4, 2]}
    >>> result = evaluate(table, human="rater", system="engine", scale="1-4")
    >>> round(result.qwk, 3), result.exclusions.used
    (0.85, 8)
    >>> result.qwk.low < result.qwk < result.qwk.high
    True
    """
    check_arguments(evaluate, locals())
    columns = ScoreColumns(
        human=(human, *score_tables.names_of(second_human)),
        system=(system,),
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
    resampling = score_tables.resampling_of(intervals, seed)
    with observer.stage("read"):
        table = score_tables.open_scores(table_of(scores, "scores"), columns, whole=min_items > 1)
        plan = choices.plan(table, system)
        gates = score_tables.gates_of(gate, table, plan)
    with observer.stage("figured"):
        ranges = score_tables.tallied_ranges(table, plan, system, executor or SerialExecutor())
        counted = with_progress(ranges, observer, "responses", table.known_count)
        tally, exclusions, excluded = whole_tally(counted)
        evaluation = evaluation_of(tally, exclusions, plan, engine=system, raters=columns.human, resampling=resampling)
    seed = seed if intervals == "bootstrap" else 0
    return EvaluationResult(
        evaluation=evaluation,
        provenance=provenance or score_tables.provenance_of(score_tables.digests_of(table), seed, command),
        source=source or table.source.name,
        excluded=excluded,
        gates=tuple(check_gate(one, evaluation.figures(), whole_interval=gate_ci) for one in gates),
    )
