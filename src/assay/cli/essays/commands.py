"""`assay essays ...`: features of essays."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.executor_options import ClusterAddress, Partitions, Profile, Workers, timed_executor

if TYPE_CHECKING:
    from assay.io.essays.features_table import Row

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
    from assay.cli.essays.features import feature_rows
    from assay.cli.essays.parts import features_in_parts
    from assay.io.essays.features_table import check_features_path, write_features
    from assay.io.essays.table import EssayColumns, open_essays

    if not partitions:
        check_features_path(out)
    summary = FeatureSummary()
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        with observer.stage("read"):
            table = open_essays(essays, EssayColumns(text, id, prompt, score) if text else None)
        with observer.stage("wrote"):
            if partitions:
                features_in_parts(table, out, executor, summary.counting, force=force, quiet=quiet)
            else:
                write_features(out, summary.counting(feature_rows(table, executor, quiet=quiet)))
    if str(out) == "-":
        return  # standard output is the table
    if as_json:
        typer.echo(json.dumps({"essays": summary.essays, "advisories": dict(summary.advisories), "features": str(out)}))
    elif not quiet:
        summary.say(out)


class FeatureSummary:
    """What went into a features table, counted as it passes."""

    def __init__(self) -> None:
        self.essays = 0
        self.advisories: Counter[str] = Counter()

    def counting(self, rows: Iterable["Row"]) -> Iterator["Row"]:
        """The same rows."""
        from assay.io.essays.features_table import SCHEMA

        at = list(SCHEMA).index("advisories")
        for row in rows:
            self.essays += 1
            self.advisories.update(str(row[at] or "").split())
            yield row

    def say(self, out: Path) -> None:
        """One line on what was measured, one per kind of advisory, and what to do next."""
        from assay.cli.terminal import console
        from assay.essays.feedback.advisories import TITLES

        screen = console()
        screen.print(f"Measured {self.essays:,} essays.")
        for name, title in TITLES.items():
            if self.advisories[name]:
                screen.print(f"  {title}: {self.advisories[name]:,}", markup=False)
        screen.print(f"Features: {out}", markup=False, soft_wrap=True)
