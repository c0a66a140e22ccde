"""`assay essays ...`: features of essays."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.executor_options import ClusterAddress, Partitions, Profile, Workers, timed_executor

if TYPE_CHECKING:
    from assay.workflows.essays.features import FeatureResult

essays_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Features, models and scores of essays.")

Essays = Annotated[Path, typer.Argument(help="Table with a row per essay, or a folder of .txt files.")]
Text = Annotated[str | None, typer.Option("--text", help="Column with the text of the essay.")]
Id = Annotated[str | None, typer.Option("--id", help="Column that names the essay; row numbers without it.")]
Prompt = Annotated[
    str | None, typer.Option("--prompt", help="Column with the prompt: essays of one prompt are compared.")
]
Score = Annotated[
    str | None, typer.Option("--score", help="Column with the human score: adds the two prompt-specific features.")
]
Out = Annotated[Path, typer.Option("--out", "-o", help="Features table to write: .csv or .parquet; - prints CSV.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Force = Annotated[bool, typer.Option("--force", help="With --partitions: begin the folder anew.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


@essays_app.callback()
def essays() -> None:
    """Essays."""  # with a callback `features` stays a word to type while it is the only command


@essays_app.command("features")
def features(
    essays: Essays,
    out: Out,
    text: Text = None,
    id: Id = None,
    prompt: Prompt = None,
    score: Score = None,
    partitions: Partitions = False,
    force: Force = False,
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
        _say(result, out)


def _say(result: "FeatureResult", out: Path) -> None:
    """One line on what was measured, one per kind of advisory, and where the table is."""
    from assay.cli.terminal import console

    screen = console()
    screen.print(f"Measured {result.essays:,} essays.")
    for title, count in result.summary()[1:]:
        screen.print(f"  {title}: {count}", markup=False)
    screen.print(f"Features: {out}", markup=False, soft_wrap=True)
