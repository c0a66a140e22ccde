"""What can be taken away from an essay workspace: each essay and all of them, system and final scores side by side."""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from assay import __version__
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.counterfactual_advice import Raising
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.feedback_json import feedback_content
from assay.io.results.result_json import plain
from assay.io.tables.output import write_csv
from assay.io.tables.workbook import workbook
from assay.provenance import Provenance
from assay.report.document.document import Document, Paragraph, Section
from assay.report.essays.feedback_report import essay_report
from assay.report.render.html import to_html
from assay.report.render.tables_csv import slug
from assay.store.item_listing import ListedItem, ListQuery, reasons_of_failure, rows
from assay.store.items import Item, StoredResult, find_item, find_result
from assay.store.overrides import Decision, history, item_decisions, reviewed
from assay.store.schema import Json
from assay.store.workspaces import Workspace
from assay.web.problems import NotFound
from assay.web.site import Site
from assay.web.workspaces.essays.class_report import class_report
from assay.web.workspaces.essays.scores import payload_score, result_feedback
from assay.web.workspaces.export_files import ExportFile
from assay.web.workspaces.stored_settings import EssaySettings, EssayTask

ALL = "all"
ONE_FILES = {
    "report.html": "Report as a web page",
    "report.pdf": "Report as PDF",
    "findings.csv": "Every finding as CSV",
    "essay.xlsx": "Score, findings and decisions as a workbook",
    "essay.json": "Everything as JSON",
}
ALL_FILES = {
    "report.html": "Report of all as a web page",
    "report.pdf": "Report of all as PDF",
    "scores.csv": "A row for each essay as CSV",
    "scores.xlsx": "Scores, findings and decisions as a workbook",
    "scores.json": "Scores, reasons and decisions as JSON",
    "decisions.csv": "Every override and confirmation as CSV",
}


def essay_exports(site: Site, workspace: Workspace) -> list[ExportFile]:
    """All files there are."""
    engine = workspace.engine
    with site.database.reading() as connection:
        listed = rows(connection, workspace.id, engine, ListQuery(sort="position", descending=False))
    scored = [row for row in listed if row.payload is not None]
    if not scored:
        return []
    return [*batch_exports(site, workspace), *(f for r in scored for f in one_exports(site, workspace, r.id, r.name))]


def batch_exports(site: Site, workspace: Workspace) -> list[ExportFile]:
    """The files about all essays."""
    return [
        ExportFile(f"{ALL}/{name}", "All essays", title, _of_all(site, workspace, name))
        for name, title in _offered(ALL_FILES)
    ]


def one_exports(site: Site, workspace: Workspace, item_id: int, name: str) -> list[ExportFile]:
    """The files about one essay."""
    return [
        ExportFile(f"{item_id}/{slug(name)[:40]}-{file}", name, title, _of_one(site, workspace, item_id, file))
        for file, title in _offered(ONE_FILES)
    ]


def _offered(files: Mapping[str, str]) -> list[tuple[str, str]]:
    pdf = find_spec("typst") is not None
    return [(name, title) for name, title in files.items() if pdf or not name.endswith(".pdf")]


def find_export(site: Site, workspace: Workspace, path: str) -> ExportFile:
    """A file by its path, without listing all of them; a 404 when there is none."""
    group, _, _ = path.partition("/")
    offered: list[ExportFile] = []
    if group == ALL:
        offered = batch_exports(site, workspace)
    elif group.isascii() and group.isdigit() and len(group) < 10:
        with site.database.reading() as connection:
            item = find_item(connection, workspace.id, int(group))
        offered = one_exports(site, workspace, item.id, item.name) if item else []
    chosen = next((file for file in offered if file.path == path), None)
    if chosen is None:
        raise NotFound("There is no such file. It may not be made yet.")
    return chosen


# ---- one essay ---------------------------------------------------------------------------------------------------

One = Callable[[Site, Workspace, Item, StoredResult, Sequence[Decision]], bytes]


def _of_one(site: Site, workspace: Workspace, item_id: int, file: str) -> Callable[[], bytes]:
    def make() -> bytes:
        engine = workspace.engine
        with site.database.reading() as connection:
            item = find_item(connection, workspace.id, item_id)
            result = find_result(connection, item_id, engine)
            if item is None or result is None:
                raise NotFound("This essay has no score.")
            decisions = item_decisions(connection, item, engine)
        return _ONE[file](site, workspace, item, result, decisions)

    return make


def final_of(result: StoredResult, decisions: Sequence[Decision]) -> float | None:
    """The score that counts: the one a person gave, or else the system's."""
    return decisions[-1].human_score if decisions else result.score


def essay_document(
    site: Site, workspace: Workspace, item: Item, result: StoredResult, decisions: Sequence[Decision]
) -> Document:
    """The report for the student, with what a person decided on top."""
    feedback = result_feedback(site, result)
    question = EssayTask.from_json(item.detail).prompt or EssaySettings.of(workspace).question
    score = payload_score(item.name, result.payload)
    made = provenance(site, workspace, inputs_of(item))
    document = essay_report(feedback, name=item.name, prompt=question, provenance=made, score=score)
    return with_decision(document, result, decisions)


def with_decision(document: Document, result: StoredResult, decisions: Sequence[Decision]) -> Document:
    """The report with system and final score side by side, where a person has decided."""
    if not decisions:
        return document
    last = decisions[-1]
    system = "none" if result.score is None else f"{result.score:g}"
    what = "confirmed by" if last.kind == "confirm" else "given by"
    told = f"System score {system}, final score {last.human_score:g}, {what} {last.author}."
    reason = f" Reason: {last.reason}" if last.reason else ""
    section = Section("Final score", (Paragraph(f"{told}{reason}"),))
    footer = document.footer.replace(" No score was given.", "")
    return replace(
        document, subtitle=f"{document.subtitle}. {told}", sections=(section, *document.sections), footer=footer
    )


def inputs_of(item: Item) -> dict[str, str]:
    """The file an essay came in, and its digest."""
    task = EssayTask.from_json(item.detail)
    return {task.file: task.digest}


def provenance(site: Site, workspace: Workspace, inputs: Mapping[str, str]) -> Provenance:
    model = EssaySettings.of(workspace).scoring_model
    made = site.now().astimezone().isoformat(timespec="seconds")
    return Provenance(__version__, f"web, workspace {workspace.name}, model {model.name}", dict(inputs), 0, made)


FINDING_COLUMNS = ("number", "category", "type", "title", "words", "instead", "explanation", "start", "end")


def finding_table(site: Site, result: StoredResult) -> PlainTable:
    """A row for each place of each finding."""
    feedback = result_feedback(site, result)
    listed = [
        (n.number, n.category, n.type, n.title, n.words, n.suggestion or "", n.explanation, first, last)
        for n in feedback.notes
        for first, last in n.places
    ]
    return PlainTable(FINDING_COLUMNS, listed)


def _one_xlsx(
    site: Site, workspace: Workspace, item: Item, result: StoredResult, decisions: Sequence[Decision]
) -> bytes:
    del workspace
    payload = result.payload
    figures = [
        ("system score", result.score),
        ("final score", final_of(result, decisions)),
        *((name.replace("_", " "), payload[name]) for name in ("raw", "low", "high", "percentile", "average")),
        *((f"share of {name}", share) for name, share in payload["shares"].items()),
    ]
    tables = {
        "score": PlainTable(("figure", "value"), figures),
        "findings": finding_table(site, result),
        "decisions": decision_table(decisions, {item.id: item.name}),
    }
    return workbook(tables)


def _one_json(
    site: Site, workspace: Workspace, item: Item, result: StoredResult, decisions: Sequence[Decision]
) -> bytes:
    feedback = result_feedback(site, result)
    made = provenance(site, workspace, inputs_of(item))
    said = feedback_content(feedback, made, payload_score(item.name, result.payload), Raising())
    content: Json = {
        "schema": "assay.essays.essay/1",
        "name": item.name,
        "system_score": result.score,
        "final_score": final_of(result, decisions),
        "decisions": [decision_content(decision) for decision in decisions],
        "model": EssaySettings.of(workspace).scoring_model.to_json(),
        "text": feedback.text.raw,
        **{name: value for name, value in said.items() if name != "schema"},
        "raising": result.payload["raising"],
    }
    return _json(content)


_ONE: Mapping[str, One] = {
    "report.html": lambda *work: to_html(essay_document(*work)).encode(),
    "report.pdf": lambda *work: _pdf(essay_document(*work)),
    "findings.csv": lambda site, _workspace, _item, result, _held: _csv(finding_table(site, result)),
    "essay.xlsx": _one_xlsx,
    "essay.json": _one_json,
}


# ---- all essays --------------------------------------------------------------------------------------------------


def _of_all(site: Site, workspace: Workspace, file: str) -> Callable[[], bytes]:
    return lambda: _ALL[file](site, workspace)


def class_rows(site: Site, workspace: Workspace) -> tuple[list[ListedItem], dict[int, list[Decision]], dict[int, str]]:
    """Every essay, best final score first, the decisions that stand, and why some have no score."""
    engine = workspace.engine
    with site.database.reading() as connection:
        listed = rows(connection, workspace.id, engine, ListQuery())
        failed = reasons_of_failure(connection, workspace.id, engine, [r.id for r in listed if r.payload is None])
        return listed, reviewed(connection, workspace.id, engine), failed


SCORE_COLUMNS = ("raw", "low", "high", "percentile", "words")


def score_table(site: Site, workspace: Workspace) -> PlainTable:
    """A row for each essay: system and final score, the decision, interval, features, shares, advisories."""
    listed, decided, failed = class_rows(site, workspace)
    features = list(dict.fromkeys(name for row in listed if row.payload for name in row.payload["features"]))
    columns = (
        *("essay", "final_score", "system_score", "review", "reason", "reviewer", "reviewed", "prompt"),
        *SCORE_COLUMNS,
        *(f"{category}_findings" for category in ("grammar", "usage", "mechanics", "style")),
        *features,
        "average",
        *(f"share_{name}" for name in features),
        *("advisories", "evidence", "error"),
    )
    return PlainTable(columns, [_score_row(r, features, decided.get(r.id, []), failed.get(r.id)) for r in listed])


def _score_row(
    row: ListedItem, features: Sequence[str], decisions: Sequence[Decision], error: str | None
) -> list[object]:
    told = row.payload or {}
    last = decisions[-1] if decisions else None
    doubts = told.get("advisories", [])
    return [
        *(row.name, row.final, row.system, row.state, last.reason if last else None, last.author if last else None),
        *(last.made.isoformat() if last else None, told.get("prompt")),
        *(told.get(name) for name in SCORE_COLUMNS),
        *(
            told.get("counts", {}).get(category, 0 if told else None)
            for category in ("grammar", "usage", "mechanics", "style")
        ),
        *(told.get("features", {}).get(name) for name in features),
        told.get("average"),
        *(told.get("shares", {}).get(name) for name in features),
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


def decision_content(decision: Decision) -> Json:
    """A decision as JSON."""
    names = ("kind", "target", "value", "previous", "system_score", "human_score", "reason", "author", "undone_by")
    moments = {"made": decision.made.isoformat(), "undone": decision.undone.isoformat() if decision.undone else None}
    return {name: getattr(decision, name) for name in names} | moments


def decision_table(decisions: Sequence[Decision], names: Mapping[int, str]) -> PlainTable:
    """Decisions as a table, undone ones too."""
    columns = ("essay", "kind", "was", "is", "system_score", "final_score", "reason", "author", "made", "undone")
    listed = [
        (
            *(names.get(d.item_id, ""), d.kind, d.previous, d.value, d.system_score, d.human_score, d.reason, d.author),
            *(d.made.isoformat(), d.undone.isoformat() if d.undone else None, d.undone_by),
        )
        for d in decisions
    ]
    return PlainTable((*columns, "undone_by"), listed)


def _all_decisions(site: Site, workspace: Workspace) -> PlainTable:
    listed, _, _ = class_rows(site, workspace)
    with site.database.reading() as connection:
        made = history(connection, workspace.id)
    return decision_table(made, {row.id: row.name for row in listed})


def _all_xlsx(site: Site, workspace: Workspace) -> bytes:
    listed, _, _ = class_rows(site, workspace)
    errors = PlainTable(("type", "title", "category", "essays", "findings"), error_types(listed))
    tables = {"scores": score_table(site, workspace), "errors": errors, "decisions": _all_decisions(site, workspace)}
    return workbook(tables)


def _all_json(site: Site, workspace: Workspace) -> bytes:
    listed, decided, failed = class_rows(site, workspace)
    essays = [
        {
            "name": row.name,
            "system_score": row.system,
            "final_score": row.final,
            "review": row.state,
            "decisions": [decision_content(decision) for decision in decided.get(row.id, [])],
            "error": failed.get(row.id),
            **(row.payload or {}),
        }
        for row in listed
    ]
    head = {"schema": "assay.essays.scores/1", "workspace": workspace.name, "version": __version__}
    return _json({**head, "model": EssaySettings.of(workspace).scoring_model.to_json(), "essays": essays})


def class_document(site: Site, workspace: Workspace) -> Document:
    """The report of all essays."""
    listed, decided, failed = class_rows(site, workspace)
    return class_report(
        listed,
        decided,
        failed,
        error_types(listed),
        name=workspace.name,
        model=EssaySettings.of(workspace).scoring_model.name,
        provenance=provenance(site, workspace, {}),
    )


def _json(content: Json) -> bytes:
    return (json.dumps(plain(content), indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace")


def _csv(table: PlainTable) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write_csv(path, table.columns, table.rows)
        return path.read_bytes()


def _pdf(document: Document) -> bytes:
    from assay.report.render.pdf import to_pdf  # noqa: PLC0415  # optional

    return to_pdf(document)


_ALL: Mapping[str, Callable[[Site, Workspace], bytes]] = {
    "report.html": lambda site, workspace: to_html(class_document(site, workspace)).encode(),
    "report.pdf": lambda site, workspace: _pdf(class_document(site, workspace)),
    "scores.csv": lambda site, workspace: _csv(score_table(site, workspace)),
    "scores.xlsx": _all_xlsx,
    "scores.json": _all_json,
    "decisions.csv": lambda site, workspace: _csv(_all_decisions(site, workspace)),
}
