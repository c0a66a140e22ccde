"""`assay rsm explain`: the share of each feature in each score of a stored model."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.rsm.gather import (
    Compat,
    Configuration,
    Folder,
    Force,
    Pdf,
    Quiet,
    provenance,
    report_path,
    say_remarks,
    write_report,
)

if TYPE_CHECKING:
    from assay.io.rsm.configuration.other_config import RsmExplainConfig
    from assay.provenance import Provenance
    from assay.report.document.document import Document
    from assay.workflows.rsm.explain import ExplainResult

MOST_SHOWN = 10


def explain(
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: Compat = False,
    pdf: Pdf = False,
    quiet: Quiet = False,
) -> None:
    """Say what each feature adds to each score, as RSMTool's rsmexplain does; exact for linear models and trees.

    Example: assay rsm explain config_rsmexplain.json explanation
    """
    from assay.io.rsm.configuration.other_config import read_explain_config
    from assay.workflows.rsm.explain import write_explanation

    settings = read_explain_config(config, compat=compat)
    say_remarks(settings.settings)
    result = _explained(settings, quiet=quiet)
    origin = provenance([config, settings.background_data, settings.explain_data], settings.seed)
    identity = f"{settings.experiment_id}_explain"

    def report(names: Sequence[str], folder: Path) -> None:
        write_report(explanation_document(result, settings, origin, names), folder, identity, pdf=pdf)

    write_explanation(result, settings, out, force=force, report=report)
    if not quiet:
        say_explained(result, out, report_path(out, identity))


def explanation_document(
    result: "ExplainResult", settings: "RsmExplainConfig", origin: "Provenance", files: Sequence[str]
) -> "Document":
    """The report of an explanation."""
    from assay.report.charts.explain_charts import ExplainPages
    from assay.report.rsm.explain_report import explain_report
    from assay.rsm.explain.cohorts import cohorts

    found = result.explanation
    pages = ExplainPages(
        explanation=found,
        values=result.values,
        background=result.background,
        left_out=result.left_out,
        model=result.model.model.name,
        provenance=origin,
        summarised=result.summarised,
        most=settings.num_features_to_display,
        cohorts=[cohorts(found, count) for count in (2, 3, 4)] if settings.show_auto_cohorts else (),
        files=files,
    )
    title = settings.description or f"What moves the scores of “{settings.experiment_id}”"
    return explain_report(pages, title=title, sections=settings.sections, order=settings.order)


def say_explained(result: "ExplainResult", out: Path, report: Path) -> None:
    """The features that move scores most, and where the files are."""
    from rich import box
    from rich.table import Table

    from assay.cli.terminal import console

    found = result.explanation
    exact = "exact" if found.errors is None else "sampled"
    table = Table(box=box.SIMPLE_HEAD, title=f"{len(found)} responses explained, {exact}", title_justify="left")
    table.add_column("Feature")
    table.add_column("Mean share, points", justify="right")
    for i in found.ranked()[:MOST_SHOWN]:
        table.add_row(found.features[i], f"{found.mean_size[i]:.3f}")
    screen = console()
    screen.print(table)
    screen.print(f"Tables: {out / 'output'}  Report: {report}", markup=False, soft_wrap=True)


def _explained(settings: "RsmExplainConfig", *, quiet: bool) -> "ExplainResult":
    """The explanation, with a bar where shares are sampled."""
    from assay.cli.terminal import progress
    from assay.workflows.rsm.explain import explain_experiment

    with progress("Explaining responses", None, quiet=quiet) as bar:

        def tick() -> None:
            for _ in bar.counting([(None,)]):
                pass

        return explain_experiment(settings, tick)
