"""`assay rsm ...`: RSMTool's configuration files, unchanged."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.observer import ClusterAddress, Partitions, Profile, Workers, timed_executor

Configuration = Annotated[Path, typer.Argument(help="RSMTool configuration: JSON with comments allowed, or TOML.")]
Folder = Annotated[Path, typer.Argument(help="Folder for the results: tables in output/, the report in report/.")]
Force = Annotated[bool, typer.Option("--force", "-f", help="Write even if OUT/output holds files of an earlier run.")]
Compat = Annotated[
    bool, typer.Option("--compat", help="Reproduce RSMTool's known defects, and ignore options of its other commands.")
]
CompatOptions = Annotated[
    bool, typer.Option("--compat", help="Ignore options of RSMTool's other commands, as RSMTool does.")
]
NoReport = Annotated[bool, typer.Option("--no-report", help="Write tables and the model, but no report.")]
Pdf = Annotated[bool, typer.Option("--pdf", help="Write the report as PDF too.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Scores = Annotated[Path, typer.Argument(help="File for the scores (.csv, .tsv or .xlsx), or a folder for it.")]
Features = Annotated[
    Path | None,
    typer.Option("--features", help="File, or folder of --partitions, for features as the model sees them."),
]
Replace = Annotated[bool, typer.Option("--force", "-f", help="Replace a file that exists.")]
XvalFolder = Annotated[Path, typer.Argument(help="Folder for the results: folds, their evaluation, the final model.")]
XvalForce = Annotated[bool, typer.Option("--force", "-f", help="Write even if OUT/folds holds files already.")]

rsm_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="RSMTool's own configuration files, unchanged: the same tables, and a report.",
)


@rsm_app.callback()
def rsm() -> None:
    """RSMTool's commands."""


def _run(verb: str, config: Path, out: Path, *, quiet: bool, **options: bool) -> None:
    """Run a verb and say what came out."""
    import assay
    from assay.cli.rsm_output import NotesObserver, say_result

    command = shlex.join(["assay", *sys.argv[1:]])
    workflow: Any = getattr(assay, f"rsm_{verb}")
    result = workflow(config, out, command=command, observer=NotesObserver(quiet=quiet), **options)
    if not quiet:
        say_result(result, out, no_report=options.get("no_report", False))


@rsm_app.command("eval")
def evaluate(
    config: Configuration, out: Folder = Path(), force: Force = False, compat: Compat = False, quiet: Quiet = False
) -> None:
    """Evaluate the scores of any engine, as RSMTool's rsmeval does.

    Example: assay rsm eval config_rsmeval.json results
    """
    _run("eval", config, out, force=force, compat=compat, quiet=quiet)


@rsm_app.command("tool")
def tool(
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: Compat = False,
    no_report: NoReport = False,
    pdf: Pdf = False,
    quiet: Quiet = False,
) -> None:
    """Train a model on a table of features and evaluate its scores, as RSMTool's rsmtool does.

    Example: assay rsm tool config_rsmtool.json results
    """
    _run("tool", config, out, force=force, compat=compat, no_report=no_report, pdf=pdf, quiet=quiet)


@rsm_app.command("predict")
def predict(
    config: Configuration,
    out: Scores,
    features: Features = None,
    partitions: Partitions = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    force: Replace = False,
    compat: Compat = False,
    quiet: Quiet = False,
) -> None:
    """Score new responses with the model of an experiment, as RSMTool's rsmpredict does.

    Example: assay rsm predict config_rsmpredict.json scores.csv
    """
    from assay.cli.rsm_output import say_predicted
    from assay.workflows.rsm.predict import rsm_predict

    known = {"partitions": partitions, "force": force, "compat": compat}
    with timed_executor(workers, cluster, "scored", profile=profile, quiet=quiet) as (executor, observer):
        result = rsm_predict(config, out, features=features, executor=executor, observer=observer, **known)
    if not quiet:
        say_predicted(result)


@rsm_app.command("xval")
def xval(
    config: Configuration,
    out: XvalFolder = Path(),
    force: XvalForce = False,
    compat: Compat = False,
    no_report: NoReport = False,
    pdf: Pdf = False,
    quiet: Quiet = False,
) -> None:
    """Cross-validate a model on a table of features, as RSMTool's rsmxval does.

    Example: assay rsm xval config_rsmxval.json results
    """
    _run("xval", config, out, force=force, compat=compat, no_report=no_report, pdf=pdf, quiet=quiet)


@rsm_app.command("compare")
def compare(
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: CompatOptions = False,
    pdf: Pdf = False,
    quiet: Quiet = False,
) -> None:
    """Compare two or more experiments, as RSMTool's rsmcompare does for two; differences come with intervals.

    Name an old and a new experiment as RSMTool does, or list any number of folders in experiment_dirs.

    Example: assay rsm compare config_rsmcompare.json comparison
    """
    _run("compare", config, out, force=force, compat=compat, pdf=pdf, quiet=quiet)


@rsm_app.command("summarize")
def summarize(
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: CompatOptions = False,
    pdf: Pdf = False,
    quiet: Quiet = False,
) -> None:
    """Summarise any number of experiments side by side, as RSMTool's rsmsummarize does.

    Example: assay rsm summarize config_rsmsummarize.json summary
    """
    _run("summarize", config, out, force=force, compat=compat, pdf=pdf, quiet=quiet)


@rsm_app.command("explain")
def explain(
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: CompatOptions = False,
    pdf: Pdf = False,
    quiet: Quiet = False,
) -> None:
    """Say what each feature adds to each score, as RSMTool's rsmexplain does; exact for linear models and trees.

    Example: assay rsm explain config_rsmexplain.json explanation
    """
    _run("explain", config, out, force=force, compat=compat, pdf=pdf, quiet=quiet)
