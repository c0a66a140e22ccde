"""`assay rsm ...`: RSMTool's configuration files, unchanged."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.executor_options import ClusterAddress, Partitions, Profile, Workers, timed_executor

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


@rsm_app.command("eval")
def evaluate(
    config: Configuration, out: Folder = Path(), force: Force = False, compat: Compat = False, quiet: Quiet = False
) -> None:
    """Evaluate the scores of any engine, as RSMTool's rsmeval does.

    Example: assay rsm eval config_rsmeval.json results
    """
    from assay.cli.rsm_output import NotesObserver, say_evaluation
    from assay.workflows.rsm.eval import rsm_eval

    observer = NotesObserver(quiet=quiet)
    result = rsm_eval(config, out, force=force, compat=compat, command=_command(), observer=observer)
    if not quiet:
        say_evaluation(result.evaluation, result.identity, f"Tables: {out / 'output'}", result.report_path(out))


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
    from assay.cli.rsm_output import NotesObserver, say_evaluation
    from assay.workflows.rsm.tool import rsm_tool

    result = rsm_tool(
        config,
        out,
        force=force,
        compat=compat,
        no_report=no_report,
        pdf=pdf,
        command=_command(),
        observer=NotesObserver(quiet=quiet),
    )
    if not quiet:
        heading = f"{result.identity}: {result.config.model}"
        report = None if no_report else result.report_path(out)
        say_evaluation(result.evaluation, heading, f"Tables: {out / 'output'}", report, notes=result.notes)


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

    with timed_executor(workers, cluster, "scored", profile=profile, quiet=quiet) as (executor, observer):
        result = rsm_predict(
            config,
            out,
            features=features,
            partitions=partitions,
            force=force,
            compat=compat,
            executor=executor,
            observer=observer,
        )
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
    from assay.cli.rsm_output import NotesObserver, say_evaluation
    from assay.workflows.rsm.xval import rsm_xval

    result = rsm_xval(
        config,
        out,
        force=force,
        compat=compat,
        no_report=no_report,
        pdf=pdf,
        command=_command(),
        observer=NotesObserver(quiet=quiet),
    )
    if not quiet:
        heading = f"{result.identity}: {result.config.model}"
        report = None if no_report else result.report_path(out)
        say_evaluation(result.evaluated.evaluation, heading, f"Results: {out}", report, notes=result.final.notes)


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
    from assay.cli.rsm_output import NotesObserver, say_experiments
    from assay.workflows.rsm.experiments import rsm_compare

    observer = NotesObserver(quiet=quiet)
    result = rsm_compare(config, out, force=force, compat=compat, pdf=pdf, command=_command(), observer=observer)
    if not quiet:
        say_experiments(result, out)


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
    from assay.cli.rsm_output import NotesObserver, say_experiments
    from assay.workflows.rsm.experiments import rsm_summarize

    observer = NotesObserver(quiet=quiet)
    result = rsm_summarize(config, out, force=force, compat=compat, pdf=pdf, command=_command(), observer=observer)
    if not quiet:
        say_experiments(result, out)


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
    from assay.cli.rsm_output import NotesObserver, say_explained
    from assay.workflows.rsm.explain import rsm_explain

    observer = NotesObserver(quiet=quiet)
    result = rsm_explain(config, out, force=force, compat=compat, pdf=pdf, command=_command(), observer=observer)
    if not quiet:
        say_explained(result, out)


def _command() -> str:
    return shlex.join(["assay", *sys.argv[1:]])
