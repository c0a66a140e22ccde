"""`assay rsm tool`, `assay rsm predict` and `assay rsm xval`: models on feature tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.executor_options import ClusterAddress, Partitions, Profile, Workers, timed_executor
from assay.cli.rsm.gather import Configuration, Folder, Force, Pdf, Quiet, provenance, report_path, write_report

if TYPE_CHECKING:
    from assay.evaluation.result import Evaluation
    from assay.io.rsm.configuration.model_config import RsmModelConfig
    from assay.provenance import Provenance
    from assay.rsm.types import Experiment
    from assay.workflows.rsm.tool import RsmToolResult
    from assay.workflows.rsm.xval import RsmXvalResult

Compat = Annotated[
    bool, typer.Option("--compat", help="Reproduce RSMTool's known defects, and ignore options of its other commands.")
]
NoReport = Annotated[bool, typer.Option("--no-report", help="Write tables and the model, but no report.")]
Scores = Annotated[Path, typer.Argument(help="File for the scores (.csv, .tsv or .xlsx), or a folder for it.")]
Features = Annotated[
    Path | None,
    typer.Option("--features", help="File, or folder of --partitions, for features as the model sees them."),
]
Replace = Annotated[bool, typer.Option("--force", "-f", help="Replace a file that exists.")]
XvalFolder = Annotated[Path, typer.Argument(help="Folder for the results: folds, their evaluation, the final model.")]
XvalForce = Annotated[bool, typer.Option("--force", "-f", help="Write even if OUT/folds holds files already.")]


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
    from assay.io.rsm.configuration.model_config import read_rsm_tool_config
    from assay.workflows.rsm.tool import run_rsm_tool

    settings = read_rsm_tool_config(config, compat=compat)
    _say_remarks(settings)
    origin = provenance([config, *_inputs(settings)])

    def report(result: "RsmToolResult", folder: Path) -> None:
        write_tool_report(result, settings, folder, origin, pdf=pdf)

    result = run_rsm_tool(settings, out, force=force, provenance=origin, report=None if no_report else report)
    if not quiet:
        place = None if no_report else report_path(out, settings.experiment_id)
        _say(settings, result.evaluation, _notes(result.experiment), f"Tables: {out / 'output'}", place)


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
    from functools import partial

    from assay.cli.rsm.parts import CountedRows, predict_in_parts
    from assay.cli.rsm.work import spread_raw
    from assay.cli.terminal import console
    from assay.io.rsm.configuration.model_config import read_rsm_predict_config
    from assay.workflows.rsm.predict import run_rsm_predict

    settings = read_rsm_predict_config(config, compat=compat)
    doing = timed_executor(workers, cluster, "scored", profile=profile, quiet=quiet)
    with doing as (executor, observer), observer.stage("read and wrote"):
        if partitions:
            counted = predict_in_parts(settings, out, executor, features=features, force=force, quiet=quiet)
            written = out
        else:
            raw = partial(spread_raw, executor)
            found, written = run_rsm_predict(settings, out, features=features, force=force, raw=raw)
            counted = CountedRows(found.scores.height, found.excluded.height)
    if not quiet:
        console().print(f"{counted.words()}. Scores: {written}", markup=False, soft_wrap=True)


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
    from assay.io.rsm.configuration.model_config import read_rsm_xval_config
    from assay.workflows.rsm.xval import run_rsm_xval

    settings = read_rsm_xval_config(config, compat=compat)
    _say_remarks(settings)
    origin = provenance([config, *_inputs(settings)])

    def report(result: "RsmXvalResult", folder: Path) -> None:
        write_xval_reports(result, settings, folder, origin, pdf=pdf)

    result = run_rsm_xval(settings, out, force=force, provenance=origin, report=None if no_report else report)
    if not quiet:
        place = None if no_report else report_path(out, settings.experiment_id)
        _say(settings, result.pooled, _notes(result.final.experiment), f"Results: {out}", place)


def write_tool_report(
    result: "RsmToolResult", config: "RsmModelConfig", out: Path, origin: "Provenance", *, pdf: bool = False
) -> Path:
    """OUT/report/<experiment id>_report.html, where RSMTool puts its own."""
    from assay.report.rsm.experiment_report import ExperimentPages, experiment_report

    pages = ExperimentPages(
        result.experiment,
        result.analyses,
        result.composition,
        result.evaluation,
        origin,
        config.min_n_per_group,
        sorted(path.name for path in (out / "output").iterdir()),
    )
    title = config.description or f"Experiment “{config.experiment_id}”"
    order = config.saved.get("section_order") or ()
    document = experiment_report(pages, title=title, sections=config.general_sections, order=order)
    return write_report(document, out, config.experiment_id, pdf=pdf)


def write_xval_reports(
    result: "RsmXvalResult", config: "RsmModelConfig", out: Path, origin: "Provenance", *, pdf: bool = False
) -> Path:
    """A report on the cross-validation, and where RSMTool puts them, on folds, summary, evaluation and final model."""
    from assay.report.evaluation.report import evaluation_report
    from assay.report.rsm.gathered import Gathered
    from assay.report.rsm.summary_report import summary_report
    from assay.report.rsm.xval_report import xval_report

    title = config.description or f"Cross-validation “{config.experiment_id}”"
    for number, (fold, settings) in enumerate(zip(result.folds, result.configs, strict=True), start=1):
        write_tool_report(fold, settings, out / "folds" / f"{number:02}", origin)
    write_tool_report(result.final, result.final_config, out / "final-model", origin)
    summary = summary_report(
        [Gathered(stored, fold.evaluation) for stored, fold in zip(result.stored, result.folds, strict=True)],
        title=f"{title}: the folds",
        provenance=origin,
        files=[Path(name).name for name in result.files if name.startswith("fold-summary")],
        sections=config.general_sections,
    )
    write_report(summary, out / "fold-summary", f"{config.experiment_id}_fold_summary")
    evaluation = evaluation_report(
        result.pooled,
        title=f"{title}: scores of all folds",
        source=config.train_file.name,
        provenance=origin,
        made=origin.made,
        files=[Path(name).name for name in result.files if name.startswith("evaluation")],
        sections=config.general_sections,
    )
    write_report(evaluation, out / "evaluation", f"{config.experiment_id}_evaluation")
    document = xval_report(
        [(fold.experiment, fold.evaluation) for fold in result.folds],
        result.pooled,
        result.final.experiment,
        title=title,
        provenance=origin,
        files=result.files,
        sections=config.general_sections,
    )
    return write_report(document, out, config.experiment_id, pdf=pdf)


def _inputs(config: "RsmModelConfig") -> list[Path]:
    """The tables an experiment is made from."""
    files = (config.train_file, config.test_file, config.feature_file, config.feature_subset_file, config.folds_file)
    return [path for path in files if path is not None and path.is_file()]


def _say_remarks(config: "RsmModelConfig") -> None:
    from assay.cli.terminal import console

    messages = console(stderr=True)
    for remark in config.remarks():
        messages.print(f"Note: {remark}", markup=False)


def _notes(experiment: "Experiment") -> list[str]:
    """What to know about an experiment, a sentence each."""
    unscored = 0 if experiment.unscored is None else len(experiment.unscored.used)
    if not unscored:
        return list(experiment.notes)
    words = "evaluation response has" if unscored == 1 else "evaluation responses have"
    return [*experiment.notes, f"{unscored} {words} no human score; the scores are in pred_without_human_score."]


def _say(
    config: "RsmModelConfig", evaluation: "Evaluation", notes: Sequence[str], where: str, report: Path | None
) -> None:
    """The headline figures, what to know about them, and where the files are."""
    from assay.cli.rsm.screen import figures_table
    from assay.cli.terminal import console

    screen = console()
    screen.print(figures_table(evaluation, f"{config.experiment_id}: {config.model}"))
    for note in notes:
        screen.print(f"Note: {note}", markup=False)
    screen.print(where + (f"  Report: {report}" if report else ""), markup=False, soft_wrap=True)
