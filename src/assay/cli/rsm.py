"""`assay rsm ...`: RSMTool's configuration files, unchanged."""

import shlex
import sys
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay import __version__
from assay.cli.rsm_explain import explain
from assay.cli.rsm_gather import compare, summarize
from assay.cli.rsm_models import predict, tool, xval

if TYPE_CHECKING:
    from assay.evaluation.result import Evaluation
    from assay.files.rsm_config import RsmEvalConfig
    from assay.provenance import Provenance

rsm_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="RSMTool's own configuration files, unchanged: the same tables, and a report.",
)

Configuration = Annotated[Path, typer.Argument(help="RSMTool configuration: JSON, comments allowed.")]
Folder = Annotated[Path, typer.Argument(help="Folder for the results: tables in output/, the report in report/.")]
Force = Annotated[bool, typer.Option("--force", "-f", help="Write even if OUT/output holds files of an earlier run.")]
Compat = Annotated[
    bool, typer.Option("--compat", help="Reproduce RSMTool's known defects, and ignore options of its other commands.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]


@rsm_app.callback()
def rsm() -> None:
    """RSMTool's commands."""  # with a callback `eval` stays a word to type, though it is the only command


@rsm_app.command("eval")
def evaluate(
    config: Configuration, out: Folder = Path(), force: Force = False, compat: Compat = False, quiet: Quiet = False
) -> None:
    """Evaluate the scores of any engine, as RSMTool's rsmeval does.

    Example: assay rsm eval config_rsmeval.json results
    """
    from assay.cli.terminal import console
    from assay.files.rsm_config import read_rsm_eval_config
    from assay.files.rsm_eval import run_rsm_eval

    settings = read_rsm_eval_config(config, compat=compat)
    messages = console(stderr=True)
    for remark in settings.remarks():
        messages.print(f"Note: {remark}", markup=False)
    evaluation = run_rsm_eval(settings, out, force=force)
    report = write_rsm_report(evaluation, settings, out, _provenance(settings, config))
    if not quiet:
        say_rsm_eval(evaluation, settings, out, report)


def write_rsm_report(evaluation: "Evaluation", config: "RsmEvalConfig", out: Path, provenance: "Provenance") -> Path:
    """OUT/report/<experiment id>_report.html, where RSMTool puts its own."""
    from assay.report.evaluation_report import evaluation_report
    from assay.report.html import to_html

    document = evaluation_report(
        evaluation,
        title=config.description or f"Evaluation of “{config.experiment_id}”",
        source=config.predictions_file.name,
        provenance=provenance,
        made=provenance.made,
    )
    path = out / "report" / f"{config.experiment_id}_report.html"
    path.parent.mkdir(exist_ok=True)
    path.write_text(to_html(document), encoding="utf-8")
    return path


def say_rsm_eval(evaluation: "Evaluation", config: "RsmEvalConfig", out: Path, report: Path) -> None:
    """The headline figures, and where the files are."""
    from assay.cli.rsm_screen import figures_table
    from assay.cli.terminal import console

    screen = console()
    screen.print(figures_table(evaluation, config.experiment_id))
    screen.print(f"Tables: {out / 'output'}  Report: {report}", markup=False, soft_wrap=True)


def _provenance(config: "RsmEvalConfig", path: Path) -> "Provenance":
    from assay.provenance import Provenance

    files = [path, config.predictions_file, *([config.scale_file] if config.scale_file else [])]
    digests = {file.name: sha256(file.read_bytes()).hexdigest() for file in files}
    made = datetime.now().astimezone().isoformat(timespec="seconds")
    return Provenance(__version__, shlex.join(["assay", *sys.argv[1:]]), digests, 0, made)


rsm_app.command("tool")(tool)
rsm_app.command("predict")(predict)
rsm_app.command("xval")(xval)
rsm_app.command("compare")(compare)
rsm_app.command("summarize")(summarize)
rsm_app.command("explain")(explain)
