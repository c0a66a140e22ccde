"""The files about one submission, made when they are asked for: with every decision that stands."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from io import StringIO

from assay import __version__
from assay.annotations.grading.graded import StudentGrade
from assay.annotations.grading.intervals import intervals
from assay.annotations.grading.overrides import final_score
from assay.annotations.grading.result import SubmissionScore
from assay.io.results.annotation_results import dumped, rules_content, student_content
from assay.io.results.annotation_tables import details_csv
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.result_json import plain
from assay.io.tables.workbook import workbook
from assay.provenance import Provenance
from assay.report.annotations.overlay import photos
from assay.report.annotations.student import student_report
from assay.report.document.document import Column, Document, Number, Paragraph, Section, Table
from assay.report.document.phrases import counted
from assay.report.render.html import to_html
from assay.store.items import Item, find_item, find_result
from assay.store.overrides import Decision, item_decisions
from assay.store.uploads import workspace_uploads
from assay.store.workspaces import Workspace
from assay.web.problems import NotFound
from assay.web.site import Site
from assay.web.workspaces.annotations.decisions import as_json, decision_content, decision_table, target_words
from assay.web.workspaces.annotations.scores import original_score, workspace_images

STUDENT_FILES = {
    "report.html": "Report as a web page",
    "report.pdf": "Report as PDF",
    "details.csv": "Every finding as CSV",
    "findings.xlsx": "Score, findings and overrides as a workbook",
    "result.json": "Everything as JSON",
}
"""File -> what it is."""


def student_file(site: Site, workspace: Workspace, item_id: int, file: str) -> Callable[[], bytes]:
    """How the bytes of one of `STUDENT_FILES` are had."""

    def make() -> bytes:
        with site.database.reading() as connection:
            item = find_item(connection, workspace.id, item_id)
            if item is None or find_result(connection, item.id, workspace.engine) is None:
                raise NotFound("This submission has no score.")
            decisions = item_decisions(connection, item, workspace.engine)
        score = final_score(original_score(site, workspace, item), as_json(decisions))
        return _ONE[file](site, workspace, item, score, decisions)

    return make


def _as_table(text: str) -> PlainTable:
    """A CSV of ours as a table, numbers as numbers."""
    head, *lines = csv.reader(StringIO(text.removeprefix("\ufeff")))
    return PlainTable(tuple(head), [[_cell(cell) for cell in line] for line in lines])


def _cell(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


def _student_xlsx(
    site: Site, workspace: Workspace, item: Item, score: SubmissionScore, decisions: Sequence[Decision]
) -> bytes:
    del site, workspace
    figures = [(name, e.value, e.low, e.high, e.reason) for name, e in intervals(score).items()]
    totals = [
        ("system score", (score.original or score).overall, None, None, ""),
        ("final score", score.overall, None, None, ""),
    ]
    tables = {
        "score": PlainTable(("figure", "value", "low", "high", "remark"), [*totals, *figures]),
        "findings": _as_table(details_csv(score)),
        "overrides": decision_table(decisions, {item.id: item.name}),
    }
    return workbook(tables)


def _student_json(
    site: Site, workspace: Workspace, item: Item, score: SubmissionScore, decisions: Sequence[Decision]
) -> bytes:
    del site, workspace
    content = {
        "schema": "assay.annotations.submission/1",
        "student": item.name,
        "system_score": (score.original or score).overall,
        "final_score": score.overall,
        "decisions": [decision_content(decision) for decision in decisions],
        "rules": rules_content(score.rubric),
        **student_content(StudentGrade.of_score(item.name, score)),
    }
    return dumped(plain(content)).encode()


def _student_document(
    site: Site, workspace: Workspace, item: Item, score: SubmissionScore, decisions: Sequence[Decision]
) -> Document:
    with site.database.reading() as connection:
        uploads = workspace_uploads(connection, workspace.id)
    inputs = {u.name: u.digest for u in uploads if u.role == "truth" or u.id == item.upload_id}
    now = site.now().astimezone().isoformat(timespec="seconds")
    provenance = Provenance(__version__, f"web, workspace {workspace.name}", inputs, 0, now)
    student = StudentGrade.of_score(item.name, score)
    document = student_report(student, photo_of=photos(workspace_images(site, workspace.id)), provenance=provenance)
    return with_decisions(document, score, decisions)


def with_decisions(document: Document, score: SubmissionScore, decisions: Sequence[Decision]) -> Document:
    """The report with what people changed: system and final score on top, a section with every decision."""
    changes = [decision for decision in decisions if decision.kind == "override"]
    if not changes:
        return document
    system = (score.original or score).overall
    change = f"System score {system:.1f}, final score {score.overall:.1f} after {counted(len(changes), 'override')}."
    columns = (
        Column("What"),
        Column("Was", "number", Number(decimals=1)),
        Column("Is", "number", Number(decimals=1)),
        Column("Reason"),
        Column("By"),
        Column("When"),
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


def _pdf(document: Document) -> bytes:
    from assay.report.render.pdf import to_pdf  # noqa: PLC0415  # optional

    return to_pdf(document)


One = Callable[[Site, Workspace, Item, SubmissionScore, Sequence[Decision]], bytes]
_ONE: Mapping[str, One] = {
    "report.html": lambda *work: to_html(_student_document(*work)).encode(),
    "report.pdf": lambda *work: _pdf(_student_document(*work)),
    "details.csv": lambda _site, _workspace, _item, score, _decisions: details_csv(score).encode(),
    "findings.xlsx": _student_xlsx,
    "result.json": _student_json,
}
