"""What can be taken away from an annotation workspace: each submission and all of them, original and final scores."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO

from assay import __version__
from assay.annotations.grading.graded import StudentGrade, intervals
from assay.annotations.grading.overrides import final_score
from assay.annotations.grading.result import SubmissionScore
from assay.io.results.annotation_results import rules_content, student_content
from assay.io.results.annotation_tables import details_csv
from assay.io.results.evaluation_tables import PlainTable
from assay.io.tables.output import workbook
from assay.report.annotations.overlay import photos
from assay.report.annotations.student import student_report
from assay.report.document.document import Document, Paragraph, Section
from assay.report.document.values import Column, Number, Table
from assay.report.document.wording import counted
from assay.report.render.html import to_html
from assay.store.blobs import read_blob, workspace_uploads
from assay.store.item_listing import ListedItem
from assay.store.items import StoredResult, find_result
from assay.store.overrides import Decision
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.workspaces import export_files as files
from assay.web.workspaces.annotations.scores import original_score, rules_of, workspace_images
from assay.web.workspaces.annotations.view import as_json, target_words
from assay.web.workspaces.export_files import DecidedItem, KindExports
from assay.web.workspaces.stored_settings import AnnotationSettings

MADE_FILES = {
    "report.html": "Report of all as a web page",
    "report.pdf": "Report of all as PDF",
    "everything.json": "Every finding of all as JSON",
}
"""Files that a worker makes: they take more than a moment."""
GRADE_FIGURES = ("matched", "missed", "extra", "objects", "images", "quality", "completeness", "precision", "recall")
DECISION_NAMES = (
    *("target", "kind", "value", "previous", "system_score", "human_score", "reason", "author"),
    *("made", "undone", "undone_by"),
)
DECISION_COLUMNS: Mapping[str, Callable[[Decision], object]] = {
    "what": lambda decision: target_words(decision.target),
    "target": lambda decision: decision.target,
}


def _final(work: DecidedItem) -> SubmissionScore:
    return final_score(original_score(work.site, work.workspace, work.item), as_json(work.decisions))


def _details(work: DecidedItem) -> PlainTable:
    """The CSV of findings as a table, numbers as numbers."""

    def cell(text: str) -> object:
        try:
            return float(text)
        except ValueError:
            return text

    head, *lines = csv.reader(StringIO(details_csv(_final(work)).removeprefix("\ufeff")))
    return PlainTable(tuple(head), [[cell(text) for text in line] for line in lines])


def _student_xlsx(work: DecidedItem) -> bytes:
    score = _final(work)
    figures = [
        ("system score", (score.original or score).overall, None, None, ""),
        ("final score", score.overall, None, None, ""),
        *((name, e.value, e.low, e.high, e.reason) for name, e in intervals(score).items()),
    ]
    tables = {
        "score": PlainTable(("figure", "value", "low", "high", "remark"), figures),
        "findings": _details(work),
        "overrides": files.decision_table(work.decisions, {work.item.id: work.item.name}, "student", DECISION_COLUMNS),
    }
    return workbook(tables)


def _student_json(work: DecidedItem) -> bytes:
    score = _final(work)
    content = {
        "schema": "assay.annotations.submission/1",
        "student": work.item.name,
        "system_score": (score.original or score).overall,
        "final_score": score.overall,
        "decisions": [files.decision_content(decision, DECISION_NAMES) for decision in work.decisions],
        "rules": rules_content(score.rubric),
        **student_content(StudentGrade.of_score(work.item.name, score)),
    }
    return files.json_bytes(content)


def _student_document(work: DecidedItem) -> Document:
    """The report with what people changed: system and final score on top, a section with every decision."""
    site, workspace, item, score = work.site, work.workspace, work.item, _final(work)
    uploads = site.database.read(workspace_uploads, workspace.id)
    inputs = {u.name: u.digest for u in uploads if u.role == "truth" or u.id == item.upload_id}
    document = student_report(
        StudentGrade.of_score(item.name, score),
        photo_of=photos(workspace_images(site, workspace.id)),
        provenance=files.web_provenance(site, f"web, workspace {workspace.name}", inputs),
    )
    changes = [decision for decision in work.decisions if decision.kind == "override"]
    if not changes:
        return document
    system = (score.original or score).overall
    change = f"System score {system:.1f}, final score {score.overall:.1f} after {counted(len(changes), 'override')}."
    points = Number(decimals=1)
    columns = (
        *(Column("What"), Column("Was", "number", points), Column("Is", "number", points)),
        *(Column("Reason"), Column("By"), Column("When")),
    )
    cells = tuple(
        (target_words(d.target), d.previous, d.value, d.reason, d.author, f"{d.made_at:%Y-%m-%d %H:%M} UTC")
        for d in changes
    )
    table = Table("overrides", "Overrides that stand", columns, cells)
    section = Section("Overrides", (Paragraph(change), table))
    return replace(
        document,
        subtitle=f"{document.subtitle} {change}",
        sections=(document.sections[0], section, *document.sections[1:]),
    )


def grade_table(site: Site, workspace: Workspace) -> PlainTable:
    """A row for each student, best final score first."""
    listed, decided, failed = files.listed_items(site, workspace)
    causes = list(next((r.payload["losses"] for r in listed if r.payload), {}))
    columns = (
        *("place", "student", "final_score", "system_score", "low", "high", *GRADE_FIGURES),
        *(f"lost_to_{cause}" for cause in causes),
        *("reviewed", "overrides", "reasons", "feedback", "file", "error"),
    )
    places, cells = _places(listed), list[list[object]]()
    for row in listed:
        payload = row.payload or {}
        overall = payload.get("figures", {}).get("overall", {})
        reasons = "; ".join(d.reason for d in decided.get(row.id, []) if d.kind == "override")
        advice = " ".join(advice["sentence"] for advice in payload.get("advice", ()))
        cells.append(
            [
                *(places.get(row.id), row.name, row.final, row.system, overall.get("low"), overall.get("high")),
                *(payload.get(name) for name in GRADE_FIGURES),
                *(payload.get("losses", {}).get(cause) for cause in causes),
                *(bool(row.reviewed), row.changes, reasons, advice, payload.get("file", ""), failed.get(row.id, "")),
            ]
        )
    return PlainTable(columns, cells)


def _places(listed: Sequence[ListedItem]) -> dict[int, int]:
    """Equal scores share a place, and the next one counts them all."""
    first: dict[float, int] = {}
    for position, row in enumerate(listed, start=1):
        if row.final is not None:
            first.setdefault(round(row.final, 9), position)
    return {row.id: first[round(row.final, 9)] for row in listed if row.final is not None}


_decisions = partial(files.all_decisions, first="student", further=DECISION_COLUMNS)


def _grades_xlsx(site: Site, workspace: Workspace) -> bytes:
    rules = PlainTable(("rules.toml",), [[line] for line in AnnotationSettings.of(workspace).rules.splitlines()])
    return workbook({"grades": grade_table(site, workspace), "overrides": _decisions(site, workspace), "rules": rules})


def _grades_json(site: Site, workspace: Workspace) -> bytes:
    listed, decided, failed = files.listed_items(site, workspace)
    places, truth = _places(listed), AnnotationSettings.of(workspace).truth
    students = [
        {
            "student": row.name,
            "place": places.get(row.id),
            "system_score": row.system,
            "final_score": row.final,
            "error": failed.get(row.id) if row.payload is None else None,
            "decisions": [files.decision_content(decision, DECISION_NAMES) for decision in decided.get(row.id, [])],
            **(row.payload or {}),
        }
        for row in listed
    ]
    content = {
        "schema": "assay.annotations.grades/1",
        "workspace": workspace.name,
        "version": __version__,
        "rules": rules_content(rules_of(workspace)),
        "ground_truth": truth.to_json() if truth else None,
        "students": students,
    }
    return files.json_bytes(content)


def together_result(site: Site, workspace: Workspace) -> StoredResult | None:
    """What a worker made of all submissions together, last time."""
    item_id = AnnotationSettings.of(workspace).together
    if item_id is None:
        return None
    return site.database.read(find_result, item_id, workspace.engine)


def _made_files(site: Site, workspace: Workspace) -> dict[str, tuple[str, Callable[[], bytes]]]:
    result = together_result(site, workspace)
    reads = {
        name: partial(site.database.read, read_blob, digest)
        for name, digest in (result.files if result else {}).items()
    }
    return {name: (title, reads[name]) for name, title in MADE_FILES.items() if name in reads}


ANNOTATION_EXPORTS = KindExports(
    of_all={
        "summary.csv": ("A row for each student as CSV", lambda *work: files.csv_bytes(grade_table(*work))),
        "grades.xlsx": ("Grades, overrides and rules as a workbook", _grades_xlsx),
        "grades.json": ("Grades and overrides as JSON", _grades_json),
        "overrides.csv": ("Every override and confirmation as CSV", lambda *work: files.csv_bytes(_decisions(*work))),
        "rules.toml": ("The rules, for the command line", lambda _, own: AnnotationSettings.of(own).rules.encode()),
    },
    of_one={
        "report.html": ("Report as a web page", lambda work: to_html(_student_document(work)).encode()),
        "report.pdf": ("Report as PDF", lambda work: files.pdf_bytes(_student_document(work))),
        "details.csv": ("Every finding as CSV", lambda work: details_csv(_final(work)).encode()),
        "findings.xlsx": ("Score, findings and overrides as a workbook", _student_xlsx),
        "result.json": ("Everything as JSON", _student_json),
    },
    further=_made_files,
)
