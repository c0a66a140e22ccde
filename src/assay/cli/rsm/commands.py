"""`assay rsm ...`: RSMTool's configuration files, unchanged."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.rsm.explain import explain
from assay.cli.rsm.gather import (
    Configuration,
    Folder,
    Force,
    Quiet,
    compare,
    provenance,
    report_path,
    summarize,
    write_report,
)
from assay.cli.rsm.models import Compat, predict, tool, xval

if TYPE_CHECKING:
    from assay.evaluation.result import Evaluation
    from assay.io.rsm.configuration.eval_config import RsmEvalConfig
    from assay.provenance import Provenance

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
    from assay.cli.terminal import console
    from assay.io.rsm.configuration.eval_config import read_rsm_eval_config
    from assay.workflows.rsm.eval import run_rsm_eval

    settings = read_rsm_eval_config(config, compat=compat)
    messages = console(stderr=True)
    for remark in settings.remarks():
        messages.print(f"Note: {remark}", markup=False)
    scale = [settings.scale_file] if settings.scale_file else []
    origin = provenance([config, settings.predictions_file, *scale])

    def report(evaluation: "Evaluation", folder: Path) -> None:
        write_rsm_report(evaluation, settings, folder, origin)

    evaluation = run_rsm_eval(settings, out, force=force, report=report)
    if not quiet:
        say_rsm_eval(evaluation, settings, out, report_path(out, settings.experiment_id))


def write_rsm_report(evaluation: "Evaluation", config: "RsmEvalConfig", out: Path, origin: "Provenance") -> Path:
    """OUT/report/<experiment id>_report.html, where RSMTool puts its own."""
    from assay.report.evaluation.report import evaluation_report

    document = evaluation_report(
        evaluation,
        title=config.description or f"Evaluation of “{config.experiment_id}”",
        source=config.predictions_file.name,
        provenance=origin,
        made=origin.made,
        files=sorted(path.name for path in (out / "output").iterdir()),
        sections=config.general_sections,
        order=config.section_order or (),
    )
    return write_report(document, out, config.experiment_id)


def say_rsm_eval(evaluation: "Evaluation", config: "RsmEvalConfig", out: Path, report: Path) -> None:
    """The headline figures, and where the files are."""
    from assay.cli.rsm.screen import figures_table
    from assay.cli.terminal import console

    screen = console()
    screen.print(figures_table(evaluation, config.experiment_id))
    screen.print(f"Tables: {out / 'output'}  Report: {report}", markup=False, soft_wrap=True)


rsm_app.command("tool")(tool)
rsm_app.command("predict")(predict)
rsm_app.command("xval")(xval)
rsm_app.command("compare")(compare)
rsm_app.command("summarize")(summarize)
rsm_app.command("explain")(explain)
