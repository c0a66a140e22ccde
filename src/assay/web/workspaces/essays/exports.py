"""What can be taken away from an essay workspace: each essay and all of them, system and final scores side by side."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from assay import __version__
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.feedback import Raising
from assay.essays.models.scoring_model import SCORE_TITLES
from assay.io.results.evaluation_tables import PlainTable
from assay.io.results.feedback_json import feedback_content
from assay.io.tables.output import workbook
from assay.provenance import Provenance
from assay.report.charts.charts import Bar, Bars
from assay.report.document.document import Block, Document, Paragraph, Section
from assay.report.document.values import Column, Number, Table
from assay.report.document.wording import counted, date_words
from assay.report.essays.feedback_report import essay_report
from assay.report.render.html import to_html
from assay.store.item_listing import ListedItem
from assay.store.overrides import Decision
from assay.store.schema import Json
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.workspaces import export_files as files
from assay.web.workspaces.essays.models import payload_score, result_feedback
from assay.web.workspaces.export_files import DecidedItem, KindExports
from assay.web.workspaces.stored_settings import EssaySettings, EssayTask

FINDING_COLUMNS = ("number", "category", "type", "title", "words", "instead", "explanation", "start", "end")
SCORE_COLUMNS = ("raw", "low", "high", "percentile", "words")
MOST_ROWS = 2000
"""Essays listed in the report; the tables have all."""
CATEGORIES = ("grammar", "usage", "mechanics", "style")
DECISION_NAMES = (
    *("kind", "target", "value", "previous", "system_score", "human_score", "reason", "author", "undone_by"),
    *("made", "undone"),
)


def _essay_provenance(essay: DecidedItem) -> Provenance:
    """Names the file the essay came in, and its digest."""
    task, workspace = EssayTask.from_json(essay.item.detail), essay.workspace
    command = f"web, workspace {workspace.name}, model {EssaySettings.of(workspace).scoring_model.name}"
    return files.web_provenance(essay.site, command, {task.file: task.digest})


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
        ("final score", essay.final_score),
        *((name.replace("_", " "), payload[name]) for name in ("raw", "low", "high", "percentile", "average")),
        *((f"share of {name}", share) for name, share in payload["shares"].items()),
    ]
    tables = {
        "score": PlainTable(("figure", "value"), figures),
        "findings": finding_table(essay),
        "decisions": files.decision_table(essay.decisions, {essay.item.id: essay.item.name}, "essay", {}),
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
        "final_score": essay.final_score,
        "decisions": [files.decision_content(decision, DECISION_NAMES) for decision in essay.decisions],
        "model": EssaySettings.of(essay.workspace).scoring_model.to_json(),
        "text": feedback.text.raw,
        **{name: value for name, value in said.items() if name != "schema"},
        "raising": result.payload["raising"],
    }
    return files.json_bytes(content)


def score_table(site: Site, workspace: Workspace) -> PlainTable:
    """A row for each essay: system and final score, the decision, interval, features, shares, advisories."""
    listed, decided, failed = files.listed_items(site, workspace)
    features = list(dict.fromkeys(name for row in listed if row.payload for name in row.payload["features"]))
    columns = (
        *("essay", "final_score", "system_score", "review", "reason", "reviewer", "reviewed", "prompt"),
        *SCORE_COLUMNS,
        *(f"{category}_findings" for category in CATEGORIES),
        *features,
        "average",
        *(f"share_{name}" for name in features),
        *("advisories", "evidence", "consequence", "withheld_raw", "error"),
    )
    rows = list[list[object]]()
    for row in listed:
        payload, last = row.payload or {}, next(iter(decided.get(row.id, [])[-1:]), None)
        counts, doubts = payload.get("counts", {}), payload.get("advisories", [])
        rows.append(
            [
                *(row.name, row.final, row.system, row.state, last.reason if last else None),
                *(last.author if last else None, last.made_at.isoformat() if last else None, payload.get("prompt")),
                *(payload.get(name) for name in SCORE_COLUMNS),
                *(counts.get(category, 0 if payload else None) for category in CATEGORIES),
                *(payload.get("features", {}).get(name) for name in features),
                payload.get("average"),
                *(payload.get("shares", {}).get(name) for name in features),
                " ".join(doubt["name"] for doubt in doubts) or None,
                " | ".join(doubt["evidence"] for doubt in doubts) or None,
                *(payload.get("consequence") or None, payload.get("withheld_raw")),
                failed.get(row.id),
            ]
        )
    return PlainTable(columns, rows)


_decisions = partial(files.all_decisions, first="essay", further={})


def _all_xlsx(site: Site, workspace: Workspace) -> bytes:
    listed, _, _ = files.listed_items(site, workspace)
    errors = PlainTable(("type", "title", "category", "essays", "findings"), error_types(listed))
    return workbook(
        {"scores": score_table(site, workspace), "errors": errors, "decisions": _decisions(site, workspace)}
    )


def _all_json(site: Site, workspace: Workspace) -> bytes:
    listed, decided, failed = files.listed_items(site, workspace)
    essays = [
        {
            "name": row.name,
            "system_score": row.system,
            "final_score": row.final,
            "review": row.state,
            "decisions": [files.decision_content(decision, DECISION_NAMES) for decision in decided.get(row.id, [])],
            "error": failed.get(row.id),
            **(row.payload or {}),
        }
        for row in listed
    ]
    head = {"schema": "assay.essays.scores/1", "workspace": workspace.name, "version": __version__}
    return files.json_bytes({**head, "model": EssaySettings.of(workspace).scoring_model.to_json(), "essays": essays})


def class_report(site: Site, workspace: Workspace) -> Document:
    """The report; system and final score stand side by side."""
    listed, decided, failed = files.listed_items(site, workspace)
    scored = [row for row in listed if row.final is not None]
    changed = sum(row.changes > 0 for row in listed)
    mean = sum(row.final for row in scored if row.final is not None) / len(scored) if scored else 0.0
    sections = [
        Section("Scores", tuple(_spread(scored))),
        Section("Essay by essay", tuple(_essays(listed, decided, failed))),
        Section("Common errors", tuple(_errors(listed, len(scored)))),
        Section("Flags", tuple(_doubts(listed))),
    ]
    return Document(
        title=f"Essays of {workspace.name}",
        subtitle=f"Scored by “{EssaySettings.of(workspace).scoring_model.name}”",
        verdict_lead=f"{counted(len(scored), 'essay')} scored; the mean final score is {mean:.2f}.",
        verdict_rest=f"{counted(len(decided), 'essay')} reviewed by a person, {counted(changed, 'score')} overridden.",
        sections=tuple(section for section in sections if section.blocks),
        footer=f"Made by Assay {__version__}, {date_words(site.now().astimezone().isoformat(timespec='seconds'))}.",
    )


def _spread(scored: Sequence[ListedItem]) -> Iterator[Block]:
    final = Counter(row.final for row in scored if row.final is not None)
    bars = tuple(Bar(f"{point:g}", final[point]) for point in sorted(final))
    if not bars:
        yield Paragraph("No essay has a score yet.")
        return
    common = max(bars, key=lambda bar: bar.count)
    yield Bars(
        name="final_scores",
        title="Essays at each final score",
        says=f"Most common score: {common.label} ({common.count:,} of {len(scored):,}).",
        alt="; ".join(f"score {bar.label}: {bar.count:,} essays" for bar in bars),
        bars=bars,
        bar_title="Score",
    )


def _essays(
    listed: Sequence[ListedItem], decided: Mapping[int, Sequence[Decision]], failed: Mapping[int, str]
) -> Iterator[Block]:
    whole = all(score is None or score == round(score) for row in listed for score in (row.final, row.system))
    points, count = Number(0 if whole else 1), Number(0)
    columns = (
        *(Column("Essay"), Column("Final score", "number", points), Column("System score", "number", points)),
        *(Column("Raw", "number", Number(2)), Column("Words", "number", count), Column("Findings", "number", count)),
        *(Column("Review"), Column("Reason")),
    )
    rows = []
    for row in listed[:MOST_ROWS]:
        decisions, payload = decided.get(row.id, ()), row.payload or {}
        reason = decisions[-1].reason if decisions else failed.get(row.id, "")
        figures = (payload.get(name) for name in ("raw", "words", "errors"))
        rows.append((row.name, row.final, row.system, *figures, row.state, reason))
    yield Table("essays", "Final and system scores", columns, tuple(rows))
    if len(listed) > MOST_ROWS:
        yield Paragraph(f"{counted(len(listed) - MOST_ROWS, 'further essay')}: see scores.csv.", quiet=True)


def _errors(listed: Sequence[ListedItem], essays: int) -> Iterator[Block]:
    errors = error_types(listed)
    if not errors:
        return
    first, count = errors[0], Number(0)
    yield Paragraph(f"The commonest finding is “{first[1]}”: in {first[3]:,} of {essays:,} essays, {first[4]:,} times.")
    columns = (*map(Column, ("Finding", "Category")), *(Column(name, "number", count) for name in ("Essays", "Times")))
    yield Table("errors", "Findings over all essays", columns, tuple((t, c, n, f) for _, t, c, n, f in errors))


def error_types(listed: Sequence[ListedItem]) -> list[tuple[str, str, str, int, int]]:
    """Types of finding by how many essays have them: name, title, category, essays, findings."""
    essays, findings = Counter[str](), Counter[str]()
    for row in listed:
        types = (row.payload or {}).get("types", {})
        essays.update(types.keys())
        findings.update(types)
    order = sorted(essays, key=lambda name: (-essays[name], -findings[name], name))
    return [(n, CATALOGUE[n].title, CATALOGUE[n].category, essays[n], findings[n]) for n in order if n in CATALOGUE]


def _doubts(listed: Sequence[ListedItem]) -> Iterator[Block]:
    tally = Counter(doubt["name"] for row in listed if row.payload for doubt in row.payload["advisories"])
    if tally:
        columns = (Column("Advisory"), Column("Essays", "number", Number(0)))
        rows = tuple((title, tally[name]) for name, title in SCORE_TITLES.items() if tally[name])
        yield Table("advisories", "Flags", columns, rows)
        yield Paragraph("Some advisories withhold a score or cap it. Let a person read these essays.")


ESSAY_EXPORTS = KindExports(
    of_all={
        "report.html": ("Report of all as a web page", lambda *work: to_html(class_report(*work)).encode()),
        "report.pdf": ("Report of all as PDF", lambda *work: files.pdf_bytes(class_report(*work))),
        "scores.csv": ("A row for each essay as CSV", lambda *work: files.csv_bytes(score_table(*work))),
        "scores.xlsx": ("Scores, findings and decisions as a workbook", _all_xlsx),
        "scores.json": ("Scores, reasons and decisions as JSON", _all_json),
        "decisions.csv": ("Every override and confirmation as CSV", lambda *work: files.csv_bytes(_decisions(*work))),
    },
    of_one={
        "report.html": ("Report as a web page", lambda essay: to_html(essay_document(essay)).encode()),
        "report.pdf": ("Report as PDF", lambda essay: files.pdf_bytes(essay_document(essay))),
        "findings.csv": ("Every finding as CSV", lambda essay: files.csv_bytes(finding_table(essay))),
        "essay.xlsx": ("Score, findings and decisions as a workbook", _one_xlsx),
        "essay.json": ("Everything as JSON", _one_json),
    },
)
