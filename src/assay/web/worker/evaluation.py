"""Handler: an engine of a score table, or several of them compared, as files and a few words."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

from assay import __version__
from assay.errors import InputError
from assay.evaluation.result import Evaluation
from assay.evaluation.thresholds import VERDICTS
from assay.execution.observer import Observer
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.result_json import plain
from assay.io.tables.output import csv_lines, workbook, zip_entry
from assay.provenance import Provenance
from assay.report.document.document import Document
from assay.report.document.wording import below_text, counted, value_text
from assay.report.render.html import contents_html, to_html
from assay.report.render.tables_csv import csv_files, slug
from assay.store.jobs import Leased
from assay.store.schema import Json
from assay.web.worker.worker import Handle, Outcome, Tools
from assay.web.workspaces.evaluation_options import workflow_options
from assay.web.workspaces.export_files import page_html, pdf_file
from assay.web.workspaces.score_tables import COMPARISON
from assay.web.workspaces.stored_settings import EvaluationJob, EvaluationTask
from assay.workflows.evaluation.compare import compare
from assay.workflows.evaluation.evaluate import evaluate


def prepare(job: Leased, tools: Tools) -> Handle:
    """The table is opened once; then each engine is judged, and the engines are compared."""
    settings = EvaluationJob.from_json(job.settings)
    path = tools.file(settings.digest, settings.suffix)
    inputs = settings.inputs or {settings.source: settings.digest}
    shared: dict[str, Any] = {
        "id": settings.columns.id or None,
        "candidate": settings.columns.candidate or None,
        "scale": settings.scale or None,
        "reference": settings.reference or "first",
        **workflow_options(settings.options),
        "provenance": Provenance(__version__, settings.command, inputs, _seed(settings), settings.time),
        "observer": tools.observer,
    }

    def handle(piece: Leased) -> Outcome:
        task = EvaluationTask.from_json(piece.task)
        try:
            if task.what == COMPARISON:
                return _compared(path, settings, shared)
            return _evaluated(path, settings, task.engine, shared)
        except InputError as error:
            raise error.at(settings.source) from None

    return handle


def _seed(settings: EvaluationJob) -> int:
    return settings.options.seed if settings.options.intervals == "bootstrap" else 0


def _evaluated(path: Path, settings: EvaluationJob, engine: str, shared: dict[str, Any]) -> Outcome:
    columns = settings.columns
    first, *others = columns.human
    chosen: dict[str, Any] = {"human": first, "second_human": others, "system": engine, "groups": columns.groups}
    result = evaluate(path, **chosen, length=columns.length or None, source=settings.source, **shared)
    document, qwk = result.document(), result.qwk.value
    files = {**result_files(document, result.tables(), shared["observer"]), "evaluation.json": result.json().encode()}
    return Outcome(_words(result.evaluation, document, len(result.excluded)), qwk if isfinite(qwk) else None, files)


def _words(evaluation: Evaluation, document: Document, left_out: int) -> Json:
    """What pages say of an engine without opening its report."""
    judged = [judgement.verdict for judgement in evaluation.judgements if judgement.verdict is not None]
    met = sum(verdict.startswith("met") for verdict in judged)
    worst = max(map(VERDICTS.index, judged), default=0)
    qwk = next(f for f in document.key_figures if f.note.startswith("QWK"))
    below = below_text(qwk.estimate, qwk.number)
    return {
        "engine": evaluation.engine,
        "n": evaluation.n,
        "left_out": left_out,
        "count": counted(evaluation.n, "response"),
        "subtitle": document.subtitle,
        "verdict": ("met", "unsure", "doubt", "not")[worst],
        "state": f"{met} of {len(judged)} thresholds met" if judged else "report ready",
        "trust": f"QWK {value_text(qwk.estimate, qwk.number)}",
        "why": f"{below}, {counted(evaluation.n, 'response')}",
        "figures": plain(evaluation.figures()),
    }


def _compared(path: Path, settings: EvaluationJob, shared: dict[str, Any]) -> Outcome:
    columns = settings.columns
    first, *others = columns.human
    chosen: dict[str, Any] = {"human": first, "second_human": others, "system": columns.system}
    result = compare(path, **chosen, groups=columns.groups, length=columns.length or None, **shared)
    comparison, document = result.comparison, result.document()
    files = {**result_files(document, result.tables(), shared["observer"]), "comparison.json": result.json().encode()}
    payload = {"engines": list(comparison.engines), "n": dict(comparison.n), "subtitle": document.subtitle}
    return Outcome(payload, None, files)


def result_files(document: Document, tables: Mapping[str, PlainTable], observer: Observer) -> dict[str, bytes]:
    """The report as page and file, and all tables, as exports offer them."""
    contents = f"<!--actions-->{contents_html(document.sections)}"
    observer.check()
    files = {
        "report.html": to_html(document).encode(),
        "page.html": page_html(document, document.sections, before=contents),
        "tables.zip": _zipped(document, tables),
        "tables.xlsx": workbook(tables),
    }
    observer.check()
    return files | pdf_file(document)


def _zipped(document: Document, tables: Mapping[str, PlainTable]) -> bytes:
    """Every table as CSV in one archive: those of the evaluation, and those the report shows."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, table in tables.items():
            archive.writestr(zip_entry(f"{slug(name)}.csv"), "".join(csv_lines(table.columns, table.rows)))
        for file, text in csv_files(document).items():
            archive.writestr(zip_entry(f"report/{file}"), text)
    return content.getvalue()
