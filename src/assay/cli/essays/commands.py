"""`assay essays ...`: all commands on essays; here those that need no model: features, and feedback on one essay."""

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.essays import models
from assay.cli.essays.models import (
    AsJson,
    Essays,
    File,
    Id,
    OnAdvisory,
    Quiet,
    Text,
    advisory_consequences,
    command_line,
    say,
)
from assay.cli.essays.study import study
from assay.cli.observer import ClusterAddress, Partitions, Profile, TerminalObserver, Workers, timed_executor

essays_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Features, models and scores of essays.")

Grade = Annotated[str | None, typer.Option("--program", help="Grade or test, for a model that tells them apart.")]


def features(
    essays: Essays,
    out: Annotated[Path, typer.Option("--out", "-o", help="Features table to write: .csv or .parquet; - prints CSV.")],
    text: Text = None,
    file: File = None,
    id: Id = None,
    prompt: Annotated[
        str | None, typer.Option("--prompt", help="Column with the prompt: essays of one prompt are compared.")
    ] = None,
    score: Annotated[
        str | None, typer.Option("--score", help="Column with the human score: adds the two prompt-specific features.")
    ] = None,
    partitions: Partitions = False,
    force: Annotated[bool, typer.Option("--force", help="With --partitions: begin the folder anew.")] = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Measure the twelve e-rater features of every essay.

    Example: assay essays features essays.csv --text essay --id id --prompt prompt --score score -o features.csv
    """
    from assay.workflows.essays.features import features as measure_features

    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        result = measure_features(
            essays,
            text=text,
            file=file,
            id=id,
            prompt=prompt,
            score=score,
            out=out,
            partitions=partitions,
            force=force,
            executor=executor,
            observer=observer,
        )
    if str(out) == "-":
        return  # standard output is the table
    if as_json:
        print(json.dumps({"essays": result.essays, "advisories": dict(result.advisories), "features": str(out)}))
    elif not quiet:
        facts = [f"  {title}: {count}" for title, count in result.summary()[1:]]
        say(f"Measured {result.essays:,} essays.", facts, {"Features": out})


def feedback(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The essay as plain text in UTF-8; - reads standard input.")
    ],
    prompt: Annotated[
        str | None,
        typer.Option(
            "--prompt",
            help="Text file with the question: shows whether it was copied. Or the name of one of the model's prompts.",
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page with the essay and its notes; - prints it.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", help="Score model; the bundled argument model without it.")
    ] = None,
    program: Grade = None,
    level: Annotated[
        str, typer.Option("--level", help="Whom it is said to: grade6, grade9 (usual), adult, or learner (of English).")
    ] = "",
    before: Annotated[
        Path | None, typer.Option("--before", help="An earlier draft: says what was resolved, remains and is new.")
    ] = None,
    preferences: Annotated[
        Path | None,
        typer.Option("--preferences", help="TOML file: words to accept, rules that are off, notes dismissed."),
    ] = None,
    dismiss: Annotated[
        list[int] | None,
        typer.Option("--dismiss", help="Number of a note to dismiss from now on, kept in --preferences; repeatable."),
    ] = None,
    on_advisory: OnAdvisory = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the feedback as JSON.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is not a page of Assay.")] = False,
    quiet: Quiet = False,
) -> None:
    """Tell a writer what works in an essay, what to work on next, and where: errors, discourse, features, score.

    Example: assay essays feedback essay.txt --html feedback.html
    """
    from assay.cli.essays.screens import show_feedback
    from assay.cli.observer import console
    from assay.workflows.essays.feedback import check_page
    from assay.workflows.essays.feedback import feedback as feedback_on

    if html is not None and str(html) != "-":
        check_page(html, force=force)
    result = feedback_on(
        Path(file),
        model=model,
        prompt=Path(prompt) if prompt else "",
        program=program or "",
        level=level,
        before=before,
        preferences=preferences if preferences is not None and (preferences.exists() or not dismiss) else None,
        on_advisory=advisory_consequences(on_advisory),
        command=command_line(),
        observer=TerminalObserver(quiet=quiet),
    )
    if dismiss:
        result.dismiss(dismiss, preferences)
        return
    if str(html) == "-":
        print(result.html())
    elif html is not None:
        result.write(html, force=force)
    if as_json:
        print(json.dumps(result.to_dict(), ensure_ascii=False, indent=2, allow_nan=False))
    elif not quiet and str(html) != "-":
        show_feedback(console(), result)
        last = f"Page: {html}" if html else f"Next: assay essays feedback {shlex.quote(file)} --html feedback.html"
        console().print(f"\n{last}", markup=False, soft_wrap=True)


for _command in (features, models.train, models.score, models.calibrate, models.refit, feedback, study):
    essays_app.command(_command.__name__)(_command)
