"""`assay evaluate`, `assay compare` and `assay trust`."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.observer import ClusterAddress, Profile, TerminalObserver, Workers, timed_executor
from assay.errors import Field, InputError

Human = Annotated[str, typer.Option(help="Column with the human score.")]
System = Annotated[str, typer.Option(help="Column with the system score.")]
Id = Annotated[str | None, typer.Option("--id", help="Column that names the response; row numbers without it.")]
SecondHuman = Annotated[
    str | None, typer.Option(help="Column with a second human score; several, separated by commas, for more raters.")
]
Reference = Annotated[
    str,
    typer.Option(help="Human score to judge by, of several: first (there is), mean, median or majority."),
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
Zeros = Annotated[
    bool | None,
    typer.Option("--keep-zeros/--leave-out-zeros", help="Human scores of 0; kept unless --scale does not hold 0."),
]
Flag = Annotated[
    list[str] | None, typer.Option(help="COLUMN=VALUE|VALUE: use only responses with one of these values.")
]
Gates = Annotated[list[str] | None, typer.Option(help="Fail unless it holds: 'qwk>=0.7' 'abs(smd)<=0.15'.")]
GateInterval = Annotated[bool, typer.Option(help="A gate must hold for the whole 95 % interval.")]
Length = Annotated[str | None, typer.Option(help="Column with the length of the response, for partial r.")]
MinItems = Annotated[int, typer.Option(help="Leave out candidates with fewer usable responses.")]
MinGroup = Annotated[int, typer.Option(help="Do not show figures of smaller groups.")]
Cuts = Annotated[str | None, typer.Option(help="Cut scores for pass or fail, separated by commas: 3.5,5.")]
ScaleWith = Annotated[
    Path | None,
    typer.Option(help="Training table with the same human and system columns: adds the three scaled score forms."),
]
TrimTolerance = Annotated[float | None, typer.Option(help="How far outside the scale trimmed scores may lie.")]
RaterErrorVariance = Annotated[
    float | None, typer.Option(help="Variance of human scoring errors, if known from elsewhere.")
]
Intervals = Annotated[str, typer.Option(help="How intervals are made: jackknife or bootstrap.")]
Seed = Annotated[int, typer.Option(help="Seed of the bootstrap.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files.")]
Mlflow = Annotated[
    str | None, typer.Option(help="Log figures, settings and files to this experiment of MLflow, if it is installed.")
]
Pdf = Annotated[bool, typer.Option("--pdf", help="Write report.pdf too.")]


def evaluate(
    scores: Annotated[Path, typer.Argument(help="Table with a row per response: CSV, TSV, JSONL, XLSX or Parquet.")],
    human: Human,
    system: System,
    id: Id = None,
    second_human: SecondHuman = None,
    reference: Reference = "first",
    groups: Groups = None,
    scale: Scale = None,
    out: Out = None,
    gate: Gates = None,
    gate_ci: GateInterval = False,
    weights: Weights = None,
    length: Length = None,
    candidate: Candidate = None,
    min_items: MinItems = 0,
    min_group: MinGroup = 10,
    cuts: Cuts = None,
    flag: Flag = None,
    keep_zeros: Zeros = None,
    scale_with: ScaleWith = None,
    trim_tolerance: TrimTolerance = None,
    rater_error_variance: RaterErrorVariance = None,
    intervals: Intervals = "jackknife",
    seed: Seed = 0,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    mlflow: Mlflow = None,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Judge a scoring engine by human scores: every metric with its interval, a report, and gates.

    Example: assay evaluate scores.csv --id id --human rater_1 --second-human rater_2 --system engine --groups country
    --scale 1-6 --gate "qwk>=0.7" "abs(smd)<=0.15"
    """
    from assay.cli.evaluation_output import say_evaluation
    from assay.workflows.evaluation.evaluate import evaluate as evaluate_scores

    out = out or Path(f"{scores.name.split('.')[0]}-evaluation")
    with timed_executor(workers, cluster, "tallied", profile=profile, quiet=quiet) as (executor, observer):
        result = evaluate_scores(
            scores,
            human=human,
            system=system,
            id=id,
            second_human=split_names(second_human),
            reference=reference,
            groups=split_names(groups),
            scale=scale,
            gate=gate or (),
            gate_ci=gate_ci,
            weights=weights,
            length=length,
            candidate=candidate,
            min_items=min_items,
            min_group=min_group,
            cuts=cut_scores(cuts),
            flag=flag or (),
            keep_zeros=keep_zeros,
            scale_with=scale_with,
            trim_tolerance=trim_tolerance,
            rater_error_variance=rater_error_variance,
            intervals=intervals,
            seed=seed,
            executor=executor,
            observer=observer,
            command=recorded_command(),
        )
        with observer.stage("wrote"):
            result.write(out, force=force, pdf=pdf, mlflow=mlflow)
    say_evaluation(result, out, as_json=as_json, quiet=quiet)
    if not result.passed:
        raise typer.Exit(1)


def compare(
    tables: Annotated[list[Path], typer.Argument(help="Two or more evaluation.json, or one table of scores.")],
    system: Annotated[str | None, typer.Option(help="Columns with the engines' scores: A,B.")] = None,
    human: Annotated[str | None, typer.Option(help="Column with the human score.")] = None,
    id: Id = None,
    second_human: SecondHuman = None,
    reference: Reference = "first",
    groups: Groups = None,
    scale: Scale = None,
    gate: Gates = None,
    gate_ci: GateInterval = False,
    weights: Weights = None,
    length: Length = None,
    candidate: Candidate = None,
    min_items: MinItems = 0,
    min_group: MinGroup = 10,
    cuts: Cuts = None,
    flag: Flag = None,
    keep_zeros: Zeros = None,
    scale_with: ScaleWith = None,
    trim_tolerance: TrimTolerance = None,
    rater_error_variance: RaterErrorVariance = None,
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
    from assay.cli.evaluation_output import say_comparison
    from assay.workflows.evaluation.compare import compare as compare_scores

    result = compare_scores(
        tables,
        system=split_names(system),
        human=human,
        id=id,
        second_human=split_names(second_human),
        reference=reference,
        groups=split_names(groups),
        scale=scale,
        gate=gate or (),
        gate_ci=gate_ci,
        weights=weights,
        length=length,
        candidate=candidate,
        min_items=min_items,
        min_group=min_group,
        cuts=cut_scores(cuts),
        flag=flag or (),
        keep_zeros=keep_zeros,
        scale_with=scale_with,
        trim_tolerance=trim_tolerance,
        rater_error_variance=rater_error_variance,
        intervals=intervals,
        seed=seed,
        observer=TerminalObserver(quiet=quiet),
        command=recorded_command(),
    )
    out = result.write(out or tables[0].parent / "comparison", force=force, pdf=pdf)
    say_comparison(result, out, as_json=as_json, quiet=quiet)
    if not result.passed:
        raise typer.Exit(1)


def trust(
    reviews: Annotated[
        Path, typer.Argument(help="Table with a row per response; the human score is empty where nobody reviewed.")
    ],
    human: Human,
    system: System,
    id: Id = None,
    second_human: SecondHuman = None,
    groups: Groups = None,
    scale: Scale = None,
    keep_zeros: Zeros = None,
    figure: Annotated[str, typer.Option(help="The figure to know more closely: qwk, r, exact_agreement, ...")] = "qwk",
    within: Annotated[
        float | None, typer.Option(help="How closely: half the length of its interval. What is usual without it.")
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="How many responses to suggest for review.")] = 8,
    out: Out = None,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say how far an engine can be trusted, how many more reviews are needed, and what to review next.

    Example: assay trust reviews.csv --id id --human teacher --system engine --scale 1-6 --within 0.05 --out trust
    """
    from assay.cli.evaluation_output import say_trust
    from assay.workflows.evaluation.trust import trust as trust_reviews

    result = trust_reviews(
        reviews,
        human=human,
        system=system,
        id=id,
        second_human=split_names(second_human),
        groups=split_names(groups),
        scale=scale,
        keep_zeros=keep_zeros,
        figure=figure,
        within=within,
        most=most,
        observer=TerminalObserver(quiet=quiet),
        command=recorded_command(),
    )
    if out is not None:
        result.write(out, force=force, pdf=pdf)
    say_trust(result, out, as_json=as_json, quiet=quiet)


def split_names(text: str | None) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def cut_scores(text: str | None) -> tuple[float, ...]:
    """Numbers separated by commas."""
    try:
        return tuple(float(name) for name in split_names(text))
    except ValueError:
        problem = (Field("cuts"), f" takes numbers separated by commas, got {text!r}")
        raise InputError(problem, field="cuts") from None


def recorded_command() -> str:
    """The command as it was called, for the record."""
    return shlex.join(["assay", *sys.argv[1:]])
