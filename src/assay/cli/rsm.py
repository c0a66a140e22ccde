"""`assay rsm ...`: RSMTool's configuration files, unchanged."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.observer import ClusterAddress, Partitions, Profile, TerminalObserver, Workers, timed_executor

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
Mlflow = Annotated[
    str | None, typer.Option(help="Log figures, settings and files to this experiment of MLflow, if it is installed.")
]
Scores = Annotated[Path, typer.Argument(help="File for the scores (.csv, .tsv or .xlsx), or a folder for it.")]
Features = Annotated[
    Path | None,
    typer.Option("--features", help="File, or folder of --partitions, for features as the model sees them."),
]
Replace = Annotated[bool, typer.Option("--force", "-f", help="Replace a file that exists.")]
XvalFolder = Annotated[Path, typer.Argument(help="Folder for the results: folds, their evaluation, the final model.")]
FoldWorkers = Annotated[int, typer.Option("--workers", "-j", min=1, help="Processes that train the folds.")]
XvalForce = Annotated[bool, typer.Option("--force", "-f", help="Write even if OUT/folds holds files already.")]

rsm_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="RSMTool's own configuration files, unchanged: the same tables, and a report.",
)


@rsm_app.callback()
def rsm() -> None:
    """RSMTool's commands."""


def _run(verb: str, config: Path, out: Path, *, quiet: bool, **options: Any) -> None:
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
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: Compat = False,
    mlflow: Mlflow = None,
    quiet: Quiet = False,
) -> None:
    """Evaluate the scores of any engine, as RSMTool's rsmeval does.

    Example: assay rsm eval config_rsmeval.json results
    """
    _run("eval", config, out, force=force, compat=compat, mlflow=mlflow, quiet=quiet)


@rsm_app.command("tool")
def tool(
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: Compat = False,
    no_report: NoReport = False,
    pdf: Pdf = False,
    mlflow: Mlflow = None,
    quiet: Quiet = False,
) -> None:
    """Train a model on a table of features and evaluate its scores, as RSMTool's rsmtool does.

    Example: assay rsm tool config_rsmtool.json results
    """
    options = {"force": force, "compat": compat, "no_report": no_report, "pdf": pdf, "mlflow": mlflow}
    _run("tool", config, out, quiet=quiet, **options)


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
    workers: FoldWorkers = 1,
    cluster: ClusterAddress = None,
    quiet: Quiet = False,
) -> None:
    """Cross-validate a model on a table of features, as RSMTool's rsmxval does.

    Example: assay rsm xval config_rsmxval.json results
    """
    from assay.execution.executor import open_executor

    options = {"force": force, "compat": compat, "no_report": no_report, "pdf": pdf, "quiet": quiet}
    with open_executor(workers, cluster) as executor:
        _run("xval", config, out, executor=executor, **options)


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


@rsm_app.command("generate")
def generate(
    tool: Annotated[
        str, typer.Argument(help="The command to configure: tool, eval, predict, compare, summarize, xval, explain.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File for the configuration; printed without it.")
    ] = None,
    groups: Annotated[
        bool, typer.Option("--groups", "-g", help="Include the sections of the report about subgroups.")
    ] = False,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Ask for what the command cannot do without.")
    ] = False,
    force: Replace = False,
    quiet: Quiet = False,
) -> None:
    """Write a configuration to start from, as RSMTool's generate does: every option with its default.

    Replace each ENTER_VALUE_HERE with a value, or let --interactive ask for them.

    Example: assay rsm generate eval --interactive -o config_rsmeval.json
    """
    from assay.cli.rsm_output import ask_for
    from assay.workflows.rsm.generate import rsm_generate

    observer = TerminalObserver(quiet=quiet)
    config = rsm_generate(tool, groups=groups, ask=ask_for if interactive else None, observer=observer)
    if out is None:
        print(config.json(), end="")
        return
    config.write(out, force=force)
    if not quiet:
        left = f"{', '.join(config.missing)} still to be entered." if config.missing else "Nothing is left to enter."
        typer.echo(f"Wrote {out}. {left} Next: assay rsm {config.tool.removeprefix('rsm')} {out}")


@rsm_app.command("convert")
def convert(
    model: Annotated[Path, typer.Argument(help="Model that RSMTool stored: ID.model in the folder output.")],
    trust_pickle: Annotated[
        bool,
        typer.Option("--trust-pickle", help="Open the pickle: you made it yourself, or trust whoever did."),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write (.model.json); beside the model without it.")
    ] = None,
    force: Replace = False,
    quiet: Quiet = False,
) -> None:
    """Convert a model that RSMTool stored as a pickle, so that rsm predict and rsm explain can use it.

    A pickle is a program. Only arrays and estimators from an exact list are read from it, in a process with bounded
    memory and time; anything else is refused.

    Example: assay rsm convert results/output/ours.model --trust-pickle
    """
    from assay.workflows.rsm.convert import rsm_convert

    result = rsm_convert(model, trust_pickle=trust_pickle, observer=TerminalObserver(quiet=quiet))
    written = result.write(out, force=force)
    if not quiet:
        fitted = result.model.model
        kind = "as coefficients" if fitted.linear else f"with {written.with_suffix('.skops').name} beside it"
        typer.echo(f"Wrote {written}: {fitted.name} on {len(fitted.features)} features, {kind}.")
