"""`assay evaluate`, `assay compare` and `assay trust`."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.observer import ClusterAddress, Profile, Workers, timed_executor
from assay.errors import Field, InputError

Human = Annotated[str, typer.Option(help="Column with the human score.")]
System = Annotated[str, typer.Option(help="Column with the system score.")]
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
    scores: Annotated[Path, typer.Argument(help="Table with a row per response: CSV, TSV, JSONL, XLSX or Parquet.")],
    human: Human,
    system: System,
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
    scale_with: Annotated[
        Path | None,
        typer.Option(help="Training table with the same human and system columns: adds the three scaled score forms."),
    ] = None,
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
    from assay.cli.evaluation_output import say_evaluation
    from assay.workflows.evaluation.evaluate import evaluate as evaluate_scores

    try:
        cut_scores = tuple(float(name) for name in split_names(cuts))
    except ValueError:
        problem = (Field("cuts"), f" takes numbers separated by commas, got {cuts!r}")
        raise InputError(problem, field="cuts") from None
    out = out or Path(f"{scores.name.split('.')[0]}-evaluation")
    with timed_executor(workers, cluster, "tallied", profile=profile, quiet=quiet) as (executor, observer):
        result = evaluate_scores(
            scores,
            human=human,
            system=system,
            id=id,
            second_human=split_names(second_human),
            groups=split_names(groups),
            scale=scale,
            gate=gate or (),
            gate_ci=gate_ci,
            weights=weights,
            length=length,
            candidate=candidate,
            min_items=min_items,
            min_group=min_group,
            cuts=cut_scores,
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
            result.write(out, force=force, pdf=pdf)
    say_evaluation(result, out, as_json=as_json, quiet=quiet)
    if not result.passed:
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
    from assay.cli.evaluation_output import say_comparison
    from assay.workflows.evaluation.compare import compare as compare_scores

    result = compare_scores(
        tables,
        system=split_names(system),
        human=human,
        id=id,
        scale=scale,
        weights=weights,
        candidate=candidate,
        flag=flag or (),
        keep_zeros=keep_zeros,
        intervals=intervals,
        seed=seed,
        command=recorded_command(),
    )
    out = result.write(out or tables[0].parent / "comparison", force=force, pdf=pdf)
    say_comparison(result, out, as_json=as_json, quiet=quiet)


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
    from assay.cli.observer import TerminalObserver
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


def recorded_command() -> str:
    """The command as it was called, for the record."""
    return shlex.join(["assay", *sys.argv[1:]])
