"""What can be taken away from an essay workspace: each essay and all of them, system and final scores side by side."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from assay import __version__
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.counterfactual_advice import Raising
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.feedback_json import feedback_content
from assay.io.tables.output import workbook
from assay.provenance import Provenance
from assay.report.document.document import Document, Paragraph, Section
from assay.report.essays.feedback_report import essay_report
from assay.report.render.html import to_html
from assay.store.item_listing import ListedItem
from assay.store.items import StoredResult
from assay.store.overrides import Decision
from assay.store.schema import Json
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.workspaces.essays.class_report import class_report
from assay.web.workspaces.essays.scores import payload_score, result_feedback
from assay.web.workspaces.export_files import (
    DecidedItem,
    KindExports,
    all_decisions,
    csv_bytes,
    decision_content,
    decision_table,
    json_bytes,
    listed_items,
    pdf_bytes,
    web_provenance,
)
from assay.web.workspaces.stored_settings import EssaySettings, EssayTask

FINDING_COLUMNS = ("number", "category", "type", "title", "words", "instead", "explanation", "start", "end")
SCORE_COLUMNS = ("raw", "low", "high", "percentile", "words")
CATEGORIES = ("grammar", "usage", "mechanics", "style")
DECISION_NAMES = (
    *("kind", "target", "value", "previous", "system_score", "human_score", "reason", "author", "undone_by"),
    *("made", "undone"),
)


def _provenance(site: Site, workspace: Workspace, inputs: dict[str, str]) -> Provenance:
    model = EssaySettings.of(workspace).scoring_model.name
    return web_provenance(site, f"web, workspace {workspace.name}, model {model}", inputs)


# ---- one essay ---------------------------------------------------------------------------------------------------


def final_of(result: StoredResult, decisions: Sequence[Decision]) -> float | None:
    """The score that counts: the one a person gave, or else the system's."""
    return decisions[-1].human_score if decisions else result.score


def _essay_provenance(essay: DecidedItem) -> Provenance:
    """Names the file the essay came in, and its digest."""
    task = EssayTask.from_json(essay.item.detail)
    return _provenance(essay.site, essay.workspace, {task.file: task.digest})


def essay_document(essay: DecidedItem) -> Document:
    """The report for the student; system and final score side by side on top, where a person has decided."""
    item, result = essay.item, essay.result
    document = essay_report(
        result_feedback(essay.site, result),
        name=item.name,
        prompt=EssayTask.from_json(item.detail).prompt or EssaySettings.of(essay.workspace).question,
        provenance=_essay_provenance(essay),
        score=payload_score(item.name, result.payload),
    )
    if not essay.decisions:
        return document
    last = essay.decisions[-1]
    system = "none" if result.score is None else f"{result.score:g}"
    what = "confirmed by" if last.kind == "confirm" else "given by"
    scores = f"System score {system}, final score {last.human_score:g}, {what} {last.author}."
    reason = f" Reason: {last.reason}" if last.reason else ""
    section = Section("Final score", (Paragraph(f"{scores}{reason}"),))
    return replace(
        document,
        subtitle=f"{document.subtitle}. {scores}",
        sections=(section, *document.sections),
        footer=document.footer.replace(" No score was given.", ""),
    )


def finding_table(essay: DecidedItem) -> PlainTable:
    """A row for each place of each finding."""
    cells = [
        (n.number, n.category, n.type, n.title, n.words, n.suggestion or "", n.explanation, first, last)
        for n in result_feedback(essay.site, essay.result).notes
        for first, last in n.places
    ]
    return PlainTable(FINDING_COLUMNS, cells)


def _one_xlsx(essay: DecidedItem) -> bytes:
    payload = essay.result.payload
    figures = [
        ("system score", essay.result.score),
        ("final score", final_of(essay.result, essay.decisions)),
        *((name.replace("_", " "), payload[name]) for name in ("raw", "low", "high", "percentile", "average")),
        *((f"share of {name}", share) for name, share in payload["shares"].items()),
    ]
    tables = {
        "score": PlainTable(("figure", "value"), figures),
        "findings": finding_table(essay),
        "decisions": decision_table(essay.decisions, {essay.item.id: essay.item.name}, "essay", {}),
    }
    return workbook(tables)


def _one_json(essay: DecidedItem) -> bytes:
    item, result, feedback = essay.item, essay.result, result_feedback(essay.site, essay.result)
    score = payload_score(item.name, result.payload)
    said = feedback_content(feedback, _essay_provenance(essay), score, Raising())
    content: Json = {
        "schema": "assay.essays.essay/1",
        "name": item.name,
        "system_score": result.score,
        "final_score": final_of(result, essay.decisions),
        "decisions": [decision_content(decision, DECISION_NAMES) for decision in essay.decisions],
        "model": EssaySettings.of(essay.workspace).scoring_model.to_json(),
        "text": feedback.text.raw,
        **{name: value for name, value in said.items() if name != "schema"},
        "raising": result.payload["raising"],
    }
    return json_bytes(content)


# ---- all essays --------------------------------------------------------------------------------------------------


def score_table(site: Site, workspace: Workspace) -> PlainTable:
    """A row for each essay: system and final score, the decision, interval, features, shares, advisories."""
    listed, decided, failed = listed_items(site, workspace)
    features = list(dict.fromkeys(name for row in listed if row.payload for name in row.payload["features"]))
    columns = (
        *("essay", "final_score", "system_score", "review", "reason", "reviewer", "reviewed", "prompt"),
        *SCORE_COLUMNS,
        *(f"{category}_findings" for category in CATEGORIES),
        *features,
        "average",
        *(f"share_{name}" for name in features),
        *("advisories", "evidence", "error"),
    )
    return PlainTable(columns, [_score_row(r, features, decided.get(r.id, []), failed.get(r.id)) for r in listed])


def _score_row(
    row: ListedItem, features: Sequence[str], decisions: Sequence[Decision], error: str | None
) -> list[object]:
    payload = row.payload or {}
    last = decisions[-1] if decisions else None
    counts, doubts = payload.get("counts", {}), payload.get("advisories", [])
    return [
        *(row.name, row.final, row.system, row.state, last.reason if last else None, last.author if last else None),
        *(last.made.isoformat() if last else None, payload.get("prompt")),
        *(payload.get(name) for name in SCORE_COLUMNS),
        *(counts.get(category, 0 if payload else None) for category in CATEGORIES),
        *(payload.get("features", {}).get(name) for name in features),
        payload.get("average"),
        *(payload.get("shares", {}).get(name) for name in features),
        " ".join(doubt["name"] for doubt in doubts) or None,
        " | ".join(doubt["evidence"] for doubt in doubts) or None,
        error,
    ]


def error_types(listed: Sequence[ListedItem]) -> list[tuple[str, str, str, int, int]]:
    """Types of finding by how many essays have them: name, title, category, essays, findings."""
    essays, findings = Counter[str](), Counter[str]()
    for row in listed:
        types = (row.payload or {}).get("types", {})
        essays.update(types.keys())
        findings.update(types)
    order = sorted(essays, key=lambda name: (-essays[name], -findings[name], name))
    return [(n, CATALOGUE[n].title, CATALOGUE[n].category, essays[n], findings[n]) for n in order if n in CATALOGUE]


def _decisions(site: Site, workspace: Workspace) -> PlainTable:
    return all_decisions(site, workspace, "essay", {})


def _all_xlsx(site: Site, workspace: Workspace) -> bytes:
    listed, _, _ = listed_items(site, workspace)
    errors = PlainTable(("type", "title", "category", "essays", "findings"), error_types(listed))
    tables = {"scores": score_table(site, workspace), "errors": errors, "decisions": _decisions(site, workspace)}
    return workbook(tables)


def _all_json(site: Site, workspace: Workspace) -> bytes:
    listed, decided, failed = listed_items(site, workspace)
    essays = [
        {
            "name": row.name,
            "system_score": row.system,
            "final_score": row.final,
            "review": row.state,
            "decisions": [decision_content(decision, DECISION_NAMES) for decision in decided.get(row.id, [])],
            "error": failed.get(row.id),
            **(row.payload or {}),
        }
        for row in listed
    ]
    head = {"schema": "assay.essays.scores/1", "workspace": workspace.name, "version": __version__}
    return json_bytes({**head, "model": EssaySettings.of(workspace).scoring_model.to_json(), "essays": essays})


def class_document(site: Site, workspace: Workspace) -> Document:
    """The report of all essays."""
    listed, decided, failed = listed_items(site, workspace)
    return class_report(
        listed,
        decided,
        failed,
        error_types(listed),
        name=workspace.name,
        model=EssaySettings.of(workspace).scoring_model.name,
        provenance=_provenance(site, workspace, {}),
    )


ESSAY_EXPORTS = KindExports(
    of_all={
        "report.html": ("Report of all as a web page", lambda *work: to_html(class_document(*work)).encode()),
        "report.pdf": ("Report of all as PDF", lambda *work: pdf_bytes(class_document(*work))),
        "scores.csv": ("A row for each essay as CSV", lambda *work: csv_bytes(score_table(*work))),
        "scores.xlsx": ("Scores, findings and decisions as a workbook", _all_xlsx),
        "scores.json": ("Scores, reasons and decisions as JSON", _all_json),
        "decisions.csv": ("Every override and confirmation as CSV", lambda *work: csv_bytes(_decisions(*work))),
    },
    of_one={
        "report.html": ("Report as a web page", lambda essay: to_html(essay_document(essay)).encode()),
        "report.pdf": ("Report as PDF", lambda essay: pdf_bytes(essay_document(essay))),
        "findings.csv": ("Every finding as CSV", lambda essay: csv_bytes(finding_table(essay))),
        "essay.xlsx": ("Score, findings and decisions as a workbook", _one_xlsx),
        "essay.json": ("Everything as JSON", _one_json),
    },
)
