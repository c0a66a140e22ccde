"""`assay essays train`, `score`, `calibrate` and `refit`: models of essay scores, and scores with their reasons."""

import json
import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.observer import ClusterAddress, Partitions, Profile, Workers, asking, timed_executor
from assay.errors import Field, InputError

TEXT = typer.Option("--text", help="Column with the text of the essay; the likely one without it.")
Essays = Annotated[
    Path,
    typer.Argument(
        help="Table with a row per essay; or essays (.txt, .md, .docx, .odt, .pdf): one, a folder or a ZIP; - is stdin."
    ),
]
File = Annotated[
    str | None,
    typer.Option("--file", help="Column that names the file of each essay, relative to the table, instead of --text."),
]
Text = Annotated[str | None, TEXT]
Id = Annotated[str | None, typer.Option("--id", help="Column that names the essay; row numbers without it.")]
Prompt = Annotated[str | None, typer.Option("--prompt", help="Column with the prompt the essay answers.")]
Score = Annotated[str, typer.Option("--score", help="Column with the human score.")]
Second = Annotated[str | None, typer.Option("--second-score", help="Column with the score of a second rater.")]
Third = Annotated[str | None, typer.Option("--third-score", help="Column with a third score, where two disagreed.")]
Program = Annotated[str | None, typer.Option("--program", help="Column with the grade or test: an equation for each.")]
Scale = Annotated[str | None, typer.Option("--scale", help="Scale of the scores, as 1-6; observed without it.")]
Features = Annotated[
    Path | None,
    typer.Option("--features", help="Features of these essays (.csv, .parquet): read, or measured and kept there."),
]
ModelOut = Annotated[Path, typer.Option("--out", "-o", help="Model file to write (.json).")]
Model = Annotated[Path | None, typer.Option("--model", help="Model file; the bundled argument model without it.")]
ModelOrJudge = Annotated[
    Path | None,
    typer.Option("--model", help="Model file, or judge:RUBRIC for a language model; the bundled model without it."),
]
OnAdvisory = Annotated[
    list[str] | None,
    typer.Option(
        "--on-advisory", help="ADVISORY=warn, cap, cap:3 or withhold, in place of what the model says; may be repeated."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


def train(
    essays: Essays,
    score: Score,
    out: ModelOut,
    text: Text = None,
    file: File = None,
    id: Id = None,
    prompt: Prompt = None,
    second_score: Second = None,
    third_score: Third = None,
    program: Program = None,
    kind: Annotated[str, typer.Option("--model", help="specific, generic12, generic10, v1 or hybrid.")] = "generic12",
    length_weight: Annotated[
        str,
        typer.Option("--length-weight", help="Share of essay length in all weights, 0 to 1; free lets essays decide."),
    ] = "0.2",
    fix: Annotated[
        list[str] | None, typer.Option("--fix", help="FEATURE=SHARE of all weights, fixed in advance; may be repeated.")
    ] = None,
    cutoffs: Annotated[
        str,
        typer.Option(
            "--cutoffs",
            help="balanced, mean-sd, widened, distribution, signal-detection, signal-detection-common, qwk or "
            "rounding.",
        ),
    ] = "balanced",
    curves: Annotated[
        bool, typer.Option("--curves", help="Give each feature a curve: what its values are worth among these essays.")
    ] = False,
    scale: Scale = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Build it as the paper did: features as measured, signal detection.")
    ] = False,
    features: Features = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Build a score model from essays that people scored.

    Example: assay essays train essays.csv --text essay --score score --prompt prompt --model generic12 -o model.json
    """
    from assay.workflows.essays.train import train as train_workflow

    check_model_path(out)
    weight = None if length_weight == "free" else _share(length_weight, "length_weight")
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        result = train_workflow(
            essays,
            score=score,
            text=text,
            file=file,
            id=id,
            prompt=prompt,
            second_score=second_score,
            third_score=third_score,
            program=program,
            kind=kind,
            length_weight=weight,
            fix=dict(_fixed(share) for share in fix or []),
            cutoffs=cutoffs,
            curves=curves,
            scale=scale,
            paper=paper,
            features=features,
            executor=executor,
            observer=observer,
        )
        result.save(out)
    if as_json:
        facts = result.to_dict()
        agreement = {"equations": facts["equations"]} if facts["equations"] else {"agreement": facts["agreement"]}
        summary = {"model": str(out), "kind": facts["kind"], "essays": facts["essays"]}
        typer.echo(json.dumps(summary | agreement | {"notes": facts["notes"]}))
    elif not quiet:
        from assay.cli.essays.screens import show_model

        show_model(result.model, out)


def score(
    essays: Essays,
    text: Text = None,
    file: File = None,
    id: Id = None,
    prompt: Prompt = None,
    program: Program = None,
    model: ModelOrJudge = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for scores.csv and report.html.")] = Path(
        "essay-scores"
    ),
    partitions: Partitions = False,
    judge_model: Annotated[str | None, typer.Option(help="Name of the language model, for judge:RUBRIC.")] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Base address of an OpenAI-compatible server; ASSAY_LLM_URL without it.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(help="File that keeps a judge's answers; beside the folder of scores without it.")
    ] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Allow unencrypted HTTP to another machine.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Send essays to the judge without asking.")] = False,
    on_advisory: OnAdvisory = None,
    force: Force = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Score essays: raw and final score, interval, what each feature adds, and advisories.

    Example: assay essays score essays.csv --text essay --id id --model model.json --out scores
    """
    from assay.workflows.essays.score_essays import score_essays

    with timed_executor(workers, cluster, "scored", profile=profile, quiet=quiet) as (executor, observer):
        result = score_essays(
            essays,
            model,
            text=text,
            file=file,
            id=id,
            prompt=prompt,
            program=program,
            out=out,
            partitions=partitions,
            judge_model=judge_model,
            base_url=base_url,
            cache=cache or out.with_name(f"{out.name}.answers.jsonl"),
            insecure=insecure,
            yes=yes,
            confirm=asking(),
            force=force,
            on_advisory=advisory_consequences(on_advisory),
            executor=executor,
            observer=observer,
            command=command_line(),
        )
    if as_json:
        typer.echo(json.dumps(result.counted() | {"out": str(out)}))
    elif not quiet:
        counts, facts = result.counts, [f"  {title}: {count}" for title, count in result.summary()[1:]]
        paths = {"Scores": out} if partitions else {"Scores": out / "scores.csv", "Report": out / "report.html"}
        say(f"Scored {counts.given.total():,} of {counts.essays:,} essays.", facts, paths)


def calibrate(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A generic10 model, or a hybrid trained on several prompts.")
    ],
    essays: Essays,
    out: ModelOut,
    text: Text = None,
    file: File = None,
    id: Id = None,
    prompt: Prompt = None,
    score: Annotated[
        str | None, typer.Option("--score", help="Column with human scores; empty where an essay has none.")
    ] = None,
    scale: Annotated[
        str | None, typer.Option("--scale", help="Scale of the new prompt; that of the model without it.")
    ] = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Take a model to a prompt it has not seen.

    ESSAYS are of the new prompt. Ten to fifty of them should have a score; the others, which need none, show how essays
    on it usually are. Without any score the model ranks the essays and places them where prompts usually lie.

    Example: assay essays calibrate model.json essays.csv --text essay --score score -o new-prompt.json
    """
    from assay.workflows.essays.train import calibrate as calibrate_workflow

    check_model_path(out, model)
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        result = calibrate_workflow(
            model,
            essays,
            text=text,
            file=file,
            id=id,
            prompt=prompt,
            score=score,
            scale=scale,
            executor=executor,
            observer=observer,
        )
    result.save(out)
    if as_json:
        summary = {"model": str(out), "essays": result.essays, "scored": result.scored, "notes": list(result.notes)}
        typer.echo(json.dumps(summary))
    elif not quiet:
        scored = f"{result.scored:,} scored essays among {result.essays:,}, scale {result.model.scale}"
        say(f"Calibrated with {scored}.", [f"Note: {note}." for note in result.notes], {"Model": out})


def refit(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model file of `assay essays train`.")],
    essays: Essays,
    overrides: Annotated[
        str, typer.Option("--overrides", help="Column with the scores people gave in place of the model.")
    ],
    out: ModelOut,
    text: Text = None,
    file: File = None,
    id: Id = None,
    prompt: Prompt = None,
    program: Program = None,
    features: Features = None,
    comparison: Annotated[
        Path | None, typer.Option("--comparison", help="Folder for the comparison of both; beside the model.")
    ] = None,
    force: Force = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Move a model towards scores that teachers gave, and compare both on the same essays.

    The old file stays. The new model is judged on essays that it was not refitted on, fold by fold.

    Example: assay essays refit model.json essays.csv --text essay --overrides teacher -o model-2.json
    """
    from assay.cli.evaluation_output import say_comparison
    from assay.workflows.essays.refit import refit as refit_workflow

    check_model_path(out, model)
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        result = refit_workflow(
            model,
            essays,
            overrides=overrides,
            text=text,
            file=file,
            id=id,
            prompt=prompt,
            program=program,
            features=features,
            executor=executor,
            observer=observer,
            command=command_line(),
        )
    folder = comparison or out.with_name(f"{out.stem}-comparison")
    result.write(folder, force=force)
    result.save(out)
    say_comparison(result.compared(), folder, as_json=as_json, quiet=quiet)
    if not (quiet or as_json):
        typer.echo(f"Model: {out} (revision {result.model.training.revision})")


def check_model_path(out: Path, model: Path | None = None) -> None:
    """InputError for a folder, and for the model file that is read."""
    if out.is_dir():
        raise InputError("is a folder", source=out, field="out", remedy=("Name a file with ", Field("out"), "."))
    if model is not None and out.exists() and out.resolve() == model.resolve():
        problem = "is the model itself"
        remedy = ("Name a new file with ", Field("out"), ": the old one stays beside it.")
        raise InputError(problem, source=out, field="out", remedy=remedy)


def _fixed(fix: str) -> tuple[str, float]:
    """FEATURE=SHARE, as typed."""
    name, sign, share = fix.partition("=")
    if not sign:
        problem, remedy = (Field("fix"), f" {fix} names no share"), ("Write it as ", Field("fix"), " style=0.1.")
        raise InputError(problem, field="fix", remedy=remedy)
    return name.strip(), _share(share, "fix")


def advisory_consequences(typed: list[str] | None) -> dict[str, str]:
    """ADVISORY=CONSEQUENCE, as typed."""
    pairs = [text.partition("=") for text in typed or []]
    if unclear := next(("".join(pair) for pair in pairs if not pair[1]), None):
        remedy = ("Write it as ", Field("on_advisory"), " nonsense=warn.")
        raise InputError(f"{unclear!r} names no consequence", field="on_advisory", remedy=remedy)
    return {name.strip(): consequence.strip() for name, _, consequence in pairs}


def _share(text: str, field: str) -> float:
    try:
        return float(text)
    except ValueError:
        problem = (Field(field), f" is {text!r}, which is not a number")
        raise InputError(problem, field=field, remedy="Write a share from 0 to 1, as 0.2.") from None


def say(heading: str, facts: Iterable[str], paths: Mapping[str, Path]) -> None:
    """What was done, what to know of it, and where the files are."""
    from assay.cli.observer import console

    screen = console()
    for line in (heading, *facts):
        screen.print(line, markup=False)
    for title, path in paths.items():
        screen.print(f"{title}: {path}", markup=False, soft_wrap=True)


def command_line() -> str:
    """What was typed, as reports record it."""
    return shlex.join(["assay", *sys.argv[1:]])
