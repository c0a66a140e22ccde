"""`assay rsm compare` and `assay rsm summarize`: reports on experiments that lie on disk."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay import __version__

if TYPE_CHECKING:
    from assay.io.rsm.configuration.other_config import RsmGatherConfig
    from assay.provenance import Provenance
    from assay.report.document.document import Document
    from assay.workflows.rsm.experiments import GatheredExperiments

Configuration = Annotated[Path, typer.Argument(help="RSMTool configuration: JSON with comments allowed, or TOML.")]
Folder = Annotated[Path, typer.Argument(help="Folder for the results: tables in output/, the report in report/.")]
Force = Annotated[bool, typer.Option("--force", "-f", help="Write even if OUT/output holds files of an earlier run.")]
Compat = Annotated[bool, typer.Option("--compat", help="Ignore options of RSMTool's other commands, as RSMTool does.")]
Pdf = Annotated[bool, typer.Option("--pdf", help="Write the report as PDF too.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]


def compare(
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: Compat = False,
    pdf: Pdf = False,
    quiet: Quiet = False,
) -> None:
    """Compare two or more experiments, as RSMTool's rsmcompare does for two; differences come with intervals.

    Name an old and a new experiment as RSMTool does, or list any number of folders in experiment_dirs.

    Example: assay rsm compare config_rsmcompare.json comparison
    """
    from assay.io.rsm.configuration.other_config import read_compare_config
    from assay.report.rsm.compare_report import rsm_comparison_report
    from assay.report.rsm.gathered import Gathered
    from assay.workflows.rsm.experiments import gather_comparison, write_gathered

    settings = read_compare_config(config, compat=compat)
    say_remarks(settings.settings)
    found = gather_comparison(settings)
    document = rsm_comparison_report(
        [Gathered(*pair) for pair in zip(found.experiments, found.evaluations, strict=True)],
        found.comparison,
        found.shared,
        title=settings.description or f"Comparison “{settings.identity}”",
        provenance=provenance([config, *config_files(settings, found)]),
        sections=settings.sections,
        order=settings.order,
    )

    def report(_: Sequence[str], folder: Path) -> None:
        write_report(document, folder, settings.identity, pdf=pdf)

    write_gathered(found, settings, out, force=force, report=report)
    if not quiet:
        say_gathered(settings, found, out)


def summarize(
    config: Configuration,
    out: Folder = Path(),
    force: Force = False,
    compat: Compat = False,
    pdf: Pdf = False,
    quiet: Quiet = False,
) -> None:
    """Summarise any number of experiments side by side, as RSMTool's rsmsummarize does.

    Example: assay rsm summarize config_rsmsummarize.json summary
    """
    from assay.io.rsm.configuration.other_config import read_summarize_config
    from assay.report.rsm.gathered import Gathered
    from assay.report.rsm.summary_report import summary_report
    from assay.workflows.rsm.experiments import gather_summary, write_gathered

    settings = read_summarize_config(config, compat=compat)
    say_remarks(settings.settings)
    found = gather_summary(settings)
    origin = provenance([config, *config_files(settings, found)])

    def report(names: Sequence[str], folder: Path) -> None:
        document = summary_report(
            [Gathered(*pair) for pair in zip(found.experiments, found.evaluations, strict=True)],
            title=settings.description or f"Summary “{settings.identity}”",
            provenance=origin,
            files=names,
            sections=settings.sections,
            order=settings.order,
        )
        write_report(document, folder, settings.identity, pdf=pdf)

    write_gathered(found, settings, out, force=force, report=report)
    if not quiet:
        say_gathered(settings, found, out)


def say_remarks(settings: object) -> None:
    """What was asked for and is not done, on the error stream."""
    from assay.cli.terminal import console
    from assay.io.rsm.configuration.other_config import remarks
    from assay.io.rsm.configuration.settings import Settings

    assert isinstance(settings, Settings)
    messages = console(stderr=True)
    for remark in remarks(settings):
        messages.print(f"Note: {remark}", markup=False)


def config_files(config: "RsmGatherConfig", found: "GatheredExperiments") -> list[Path]:
    """The scores of every experiment: what the figures were made from."""
    folders = {place.folder for place in config.places}
    ids = {experiment.experiment_id for experiment in found.experiments}
    paths = (f / "output" / f"{i}_pred_processed.{e}" for f in folders for i in ids for e in ("csv", "tsv", "xlsx"))
    return sorted(path for path in paths if path.is_file())


def provenance(files: Iterable[Path], seed: int = 0) -> "Provenance":
    """This run and its inputs; a file that is not there is missed by those who read it."""
    from assay.provenance import Provenance

    digests = {file.name: sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()}
    made = datetime.now().astimezone().isoformat(timespec="seconds")
    return Provenance(__version__, shlex.join(["assay", *sys.argv[1:]]), digests, seed, made)


def write_report(document: "Document", out: Path, identity: str, *, pdf: bool = False) -> Path:
    """OUT/report/<id>_report.html, where RSMTool puts its own; and as PDF if asked for."""
    from assay.report.render.html import to_html

    path = report_path(out, identity)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_html(document), encoding="utf-8")
    if pdf:
        from assay.report.render.pdf import to_pdf

        path.with_suffix(".pdf").write_bytes(to_pdf(document))
    return path


def report_path(out: Path, identity: str) -> Path:
    """Where RSMTool puts the report of an experiment."""
    return out / "report" / f"{identity}_report.html"


def say_gathered(config: "RsmGatherConfig", found: "GatheredExperiments", out: Path) -> None:
    """The agreement of each experiment with people, and where the files are."""
    from rich import box
    from rich.table import Table

    from assay.cli.terminal import console, in_two

    table = Table(box=box.SIMPLE_HEAD, title=config.identity, title_justify="left")
    table.add_column("Experiment")
    table.add_column("Responses", justify="right")
    table.add_column("QWK", justify="right", no_wrap=True)
    table.add_column("95 % interval")
    for experiment, evaluation in zip(found.experiments, found.evaluations, strict=True):
        if evaluation is None:
            table.add_row(experiment.name, "", "n/a", "no scores are stored")
        else:
            table.add_row(experiment.name, str(evaluation.n), *in_two(evaluation.figures()["qwk"], 2, signed=False))
    screen = console()
    screen.print(table)
    report = report_path(out, config.identity)
    screen.print(f"Tables: {out / 'output'}  Report: {report}", markup=False, soft_wrap=True)
