"""`assay evaluate` and `assay compare`."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay import __version__
from assay.cli.executor_options import ClusterAddress, Profile, Workers, timed_executor
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.evaluation.compare import Contender
    from assay.evaluation.score_variants import Scaling
    from assay.io.tables.ratings_table import RatingsTable
    from assay.metrics.intervals import Resampling
    from assay.provenance import Provenance

Scores = Annotated[Path, typer.Argument(help="Table with a row per response: CSV, TSV, JSONL, XLSX or Parquet.")]
Human = Annotated[str, typer.Option(help="Column with the human score.")]
Id = Annotated[str | None, typer.Option("--id", help="Column that names the response; row numbers without it.")]
SecondHuman = Annotated[
    str | None, typer.Option(help="Column with a second human score; several, separated by commas, for more raters.")
]
Groups = Annotated[
    str | None, typer.Option(help="Columns with subgroups, separated by commas; A*B for the groups of A within B.")
]
Scale = Annotated[
    str | None, typer.Option(help="The scores a rubric allows: 1-6, or 1-6:0.5 for half points. Guessed without it.")
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")]
Weights = Annotated[str | None, typer.Option(help="Column with a weight for each response.")]
Candidate = Annotated[
    str | None, typer.Option(help="Column that names who wrote the response: intervals then allow for it.")
]
ScaleWith = Annotated[
    Path | None,
    typer.Option(help="Training table with the same human and system columns: adds the three scaled score forms."),
]
Zeros = Annotated[
    bool | None,
    typer.Option("--keep-zeros/--leave-out-zeros", help="Human scores of 0; left out unless --scale holds 0."),
]
Flag = Annotated[
    list[str] | None, typer.Option(help="COLUMN=VALUE|VALUE: use only responses with one of these values.")
]
Intervals = Annotated[str, typer.Option(help="How intervals are made: jackknife or bootstrap.")]
Seed = Annotated[int, typer.Option(help="Seed of the bootstrap.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files.")]
Pdf = Annotated[bool, typer.Option("--pdf", help="Write report.pdf too.")]


def evaluate(
    scores: Scores,
    human: Human,
    system: Annotated[str, typer.Option(help="Column with the system score.")],
    id: Id = None,
    second_human: SecondHuman = None,
    groups: Groups = None,
    scale: Scale = None,
    out: Out = None,
    gate: Annotated[list[str] | None, typer.Option(help="Fail unless it holds: 'qwk>=0.7' 'abs(smd)<=0.15'.")] = None,
    gate_ci: Annotated[bool, typer.Option(help="A gate must hold for the whole 95 % interval.")] = False,
    weights: Weights = None,
    length: Annotated[str | None, typer.Option(help="Column with the length of the response, for partial r.")] = None,
    candidate: Candidate = None,
    min_items: Annotated[int, typer.Option(help="Leave out candidates with fewer usable responses.")] = 0,
    min_group: Annotated[int, typer.Option(help="Do not show figures of smaller groups.")] = 10,
    cuts: Annotated[str | None, typer.Option(help="Cut scores for pass or fail, separated by commas: 3.5,5.")] = None,
    flag: Flag = None,
    keep_zeros: Zeros = None,
    scale_with: ScaleWith = None,
    trim_tolerance: Annotated[
        float | None, typer.Option(help="How far outside the scale trimmed scores may lie.")
    ] = None,
    rater_error_variance: Annotated[
        float | None, typer.Option(help="Variance of human scoring errors, if known from elsewhere.")
    ] = None,
    intervals: Intervals = "jackknife",
    seed: Seed = 0,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Judge a scoring engine by human scores: every metric with its interval, a report, and gates.

    Example: assay evaluate scores.csv --id id --human rater_1 --second-human rater_2 --system engine --groups country
    --scale 1-6 --gate "qwk>=0.7" "abs(smd)<=0.15"
    """
    from assay.cli.evaluation_output import say_evaluation, write_evaluation
    from assay.cli.evaluation_work import noting, tallied_chunks
    from assay.cli.terminal import progress
    from assay.evaluation.chunks import whole_tally
    from assay.evaluation.evaluate import evaluation_of
    from assay.evaluation.gates import check_gate, parse_gate
    from assay.evaluation.plan import Plan
    from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
    from assay.io.tables.score_table import scale_of

    gates = [parse_gate(text) for text in gate or []]
    columns = ScoreColumns(
        human=(human, *_names(second_human)),
        system=(system,),
        id=id,
        groups=_names(groups),
        weights=weights,
        length=length,
        candidate=candidate,
        flags=_flags(flag or []),
    )
    _check_distinct(columns.human + columns.system)
    resampling = _resampling(intervals, seed)
    excluded: list[tuple[str, str]] = []
    with timed_executor(workers, cluster, "tallied", profile=profile, quiet=quiet) as (executor, observer):
        with observer.stage("read"):
            table = RatingsTable(scores, columns, whole=min_items > 1)
            found_scale, leave_out_zeros = scale_of(table, scale, keep_zeros)
            scaling = _scaling(scale_with, human, system, leave_out_zeros=leave_out_zeros) if scale_with else None
        plan = Plan(
            scale=found_scale,
            scaling=scaling,
            trim_tolerance=trim_tolerance,
            leave_out_zeros=leave_out_zeros,
            error_variance=rater_error_variance,
            cuts=_numbers(cuts, "--cuts"),
            least_group=min_group,
            least_items=min_items,
            scale_declared=scale is not None,
            by_candidate=candidate is not None,
        )
        with observer.stage("figured"), progress("responses", table.known_count, quiet=quiet) as counter:
            chunks = counter.counting(tallied_chunks(table, plan, executor, scale_declared=scale is not None))
            tally, exclusions = whole_tally(noting(chunks, excluded))
            evaluation = evaluation_of(
                tally, exclusions, plan, engine=system, raters=columns.human, resampling=resampling
            )
        out = out or Path(f"{scores.name.split('.')[0]}-evaluation")
        with observer.stage("wrote"):
            provenance = _provenance(table, seed if intervals == "bootstrap" else 0)
            write_evaluation(evaluation, provenance, excluded, table.source.name, out, pdf=pdf, force=force)
    results = [check_gate(g, evaluation.figures(), whole_interval=gate_ci) for g in gates]
    say_evaluation(evaluation, results, provenance, out, as_json=as_json, quiet=quiet)
    if not all(result.passed for result in results):
        raise typer.Exit(1)


def compare(
    tables: Annotated[list[Path], typer.Argument(help="Two or more evaluation.json, or one table of scores.")],
    system: Annotated[str | None, typer.Option(help="Columns with the engines' scores: A,B.")] = None,
    human: Annotated[str | None, typer.Option(help="Column with the human score.")] = None,
    id: Id = None,
    scale: Scale = None,
    weights: Weights = None,
    candidate: Candidate = None,
    flag: Flag = None,
    keep_zeros: Zeros = None,
    intervals: Intervals = "jackknife",
    seed: Seed = 0,
    out: Out = None,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Engines on the same responses: every difference with its interval.

    Examples: assay compare scores.csv --human rater_1 --system engine_a,engine_b,engine_c --scale 1-6
    or: assay compare a/evaluation.json b/evaluation.json
    """
    from assay.cli.evaluation_output import say_comparison, write_comparison
    from assay.evaluation.compare import compare_engines
    from assay.io.results.result_json import read_contender
    from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
    from assay.io.tables.score_table import contenders_of

    resampling = _resampling(intervals, seed)
    if system is None:
        if len(tables) < 2:
            raise InputError("Give two or more evaluation.json, or a table with --human C --system A,B.")
        contenders = _told_apart([read_contender(path) for path in tables], tables)
        provenance = _provenance_of(tables, seed)
        where = tables[0].parent
    else:
        if len(tables) != 1 or human is None:
            raise InputError("To compare columns give one table, --human C and --system A,B.")
        engines = _names(system)
        _check_distinct((human, *engines))
        columns = ScoreColumns((human,), engines, id=id, weights=weights, candidate=candidate, flags=_flags(flag or []))
        table = RatingsTable(tables[0], columns)
        contenders = contenders_of(table, engines, scale, keep_zeros)
        provenance = _provenance(table, seed)
        where = tables[0].parent
    comparison = compare_engines(contenders, by_candidate=candidate is not None, resampling=resampling)
    out = out or where / "comparison"
    write_comparison(comparison, provenance, out, pdf=pdf, force=force)
    say_comparison(comparison, provenance, out, as_json=as_json, quiet=quiet)


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def _numbers(text: str | None, option: str) -> tuple[float, ...]:
    try:
        return tuple(float(name) for name in _names(text))
    except ValueError:
        raise InputError(f"{option} takes numbers separated by commas, got {text!r}.") from None


def _flags(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found = {}
    for text in texts:
        column, equals, values = text.partition("=")
        if not (column and equals):
            raise InputError(f"Cannot read the flag {text!r}. Write it as --flag 'COLUMN=VALUE|VALUE'.")
        found[column] = tuple(values.split("|"))
    return found


def _check_distinct(columns: Sequence[str]) -> None:
    repeated = sorted({name for name in columns if columns.count(name) > 1})
    if repeated:
        raise InputError(f"Column {repeated[0]!r} is named twice: each rater and engine needs its own column.")


def _resampling(kind: str, seed: int) -> "Resampling":
    from assay.metrics.intervals import Resampling

    if kind == "jackknife":
        return Resampling.jackknife()
    if kind == "bootstrap":
        import numpy as np

        return Resampling.bootstrapped(np.random.default_rng(seed))
    raise InputError(f"--intervals is jackknife or bootstrap, got {kind!r}.")


def _scaling(path: Path, human: str, system: str, *, leave_out_zeros: bool) -> "Scaling":
    import numpy as np

    from assay.evaluation.score_variants import Scaling
    from assay.io.tables.ratings_table import RatingsTable, ScoreColumns

    table = RatingsTable(path, ScoreColumns((human,), (system,)), whole=True)
    (training,) = table.parts(scale=None, zeros_count=not leave_out_zeros)
    first = training.human[:, 0]
    usable = np.isfinite(first) & np.isfinite(training.system) & ~(leave_out_zeros & (first == 0))
    return Scaling.learned(first[usable], training.system[usable])


def _told_apart(contenders: Sequence["Contender"], paths: Sequence[Path]) -> list["Contender"]:
    """Engines of the same name are told apart by their folder."""
    names = [c.name for c in contenders]
    return [
        replace(c, name=f"{c.name} ({path.parent.name or path.name})") if names.count(c.name) > 1 else c
        for c, path in zip(contenders, paths, strict=True)
    ]


def _provenance(table: "RatingsTable", seed: int) -> "Provenance":
    return _made({table.source.name: table.source.digest()}, seed)


def _provenance_of(paths: Sequence[Path], seed: int) -> "Provenance":
    return _made({str(path): sha256(path.read_bytes()).hexdigest() for path in paths}, seed)


def _made(inputs: dict[str, str], seed: int) -> "Provenance":
    from assay.provenance import Provenance

    command = shlex.join(["assay", *sys.argv[1:]])
    return Provenance(__version__, command, inputs, seed, datetime.now().astimezone().isoformat(timespec="seconds"))
