"""What every kind of workspace has: exports, history, work as it goes on, and how far its scores can be trusted."""

import json
from asyncio import sleep
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from markupsafe import Markup

from assay.errors import InputError
from assay.evaluation.trust.evidence import ReviewEvidence
from assay.evaluation.trust.judgement import Trust, judge
from assay.report.document.document import Document
from assay.report.evaluation import trust_report as words
from assay.report.evaluation.verdict import key_figures
from assay.report.render.html import HATCH, blocks_html, key_figures_html
from assay.store.blobs import workspace_uploads
from assay.store.items import find_item
from assay.store.jobs import Progress, cancel, progress, resume, retry
from assay.store.overrides import history as decisions_of
from assay.store.reviews import override_targets, results_state
from assay.store.schema import Json
from assay.store.workspaces import Entry, Workspace, entries, find_workspace, note
from assay.web.pages.page_parts import Editable, Errors, Reviewable, job_context, progress_words, workspace_page
from assay.web.problems import FieldErrors, NotFound
from assay.web.site import Site, SiteHere, ThreadSafeCache
from assay.web.templating import extract_inline_styles, render
from assay.web.visitors import Admin, Trainer
from assay.web.workspaces.annotations.view import decision_words
from assay.web.workspaces.export_files import ExportFile
from assay.web.workspaces.scoring import WorkspaceContext, refresh_summary
from assay.web.workspaces.stored_settings import DrawnSample, EvaluationSettings
from assay.web.workspaces.trust_sources import draw_sample, reviewed_evidence, table_evidence

router = APIRouter()
BEAT = 0.4
LONGEST = 3600
"""A browser asks again after this many seconds; until then one connection is enough."""
TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
}
REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""A report is one file that carries its own styles; opened here it may do nothing else."""
MOST_ENTRIES = 100
MOST_DECISIONS = 50
IN_ONE_GO = timedelta(minutes=2)
MOST_NAMES = 8
SIZE = 30
"""Items drawn at random unless somebody asks for another number."""
JOB_ACTIONS = {"cancel": (cancel, "stop work"), "resume": (resume, "resume work"), "retry": (retry, "retry work")}
"""Last part of an address -> what it does to a job, and what the history calls it."""
PIECES = ("figures", "agreement", "levels", "groups", "drift", "tables")
_EVIDENCE: ThreadSafeCache[ReviewEvidence] = ThreadSafeCache(16)
_JUDGED: ThreadSafeCache[Trust] = ThreadSafeCache(32)


@router.get("/{kind}/{workspace_id}/exports")
def exports(request: Request, context: Editable) -> HTMLResponse:
    """Everything that can be taken away."""
    groups: dict[str, list[ExportFile]] = {}
    for file in context.site.handlers[context.workspace.kind].exports(context.site, context.workspace):
        groups.setdefault(file.group, []).append(file)
    return workspace_page(request, context, "exports.html", tab="exports", values={"groups": groups})


@router.get("/{kind}/{workspace_id}/exports/{group}/{name}")
def export(context: Editable, group: str, name: str, show: bool = False) -> Response:
    """One file, to keep or (a report) to open."""
    return export_answer(context.site, context.workspace, f"{group}/{name}", show=show)


def export_answer(site: Site, workspace: Workspace, path: str, *, show: bool = False) -> Response:
    """A file of a workspace by its path; a 404 when it has none of that name."""
    file = next((f for f in site.handlers[workspace.kind].exports(site, workspace) if f.path == path), None)
    if file is None:
        raise NotFound("There is no such file. It may not be made yet.")
    return file_answer(file, show=show)


def file_answer(file: ExportFile, *, show: bool = False) -> Response:
    """The file, to keep or (a report) to open."""
    name = file.path.rpartition("/")[2]
    ending = name[name.rfind(".") :]
    inline = show and ending in (".html", ".pdf")
    headers = {"Content-Disposition": f'{"inline" if inline else "attachment"}; filename="{name}"'}
    if inline and ending == ".html":
        headers["Content-Security-Policy"] = REPORT_POLICY
    return Response(file.make(), media_type=TYPES.get(ending, "application/octet-stream"), headers=headers)


@router.get("/jobs/{job_id}/events")
def events(job_id: str, request: Request, site: SiteHere, who: Trainer) -> StreamingResponse:
    """Server-sent events: `progress` while the job goes on, `end` when it is over."""
    job_context(job_id, site, who, role="reviewer")
    return StreamingResponse(_progress_events(job_id, request, site), media_type="text/event-stream")


async def _progress_events(job_id: str, request: Request, site: Site) -> AsyncIterator[str]:
    last = ""
    for _ in range(int(LONGEST / BEAT)):
        job = await run_sync(_job, site, job_id)
        words = json.dumps(progress_words(job))
        if words != last or not job.is_open:
            yield f"event: {'progress' if job.is_open else 'end'}\ndata: {words}\n\n"
        if not job.is_open or await request.is_disconnected():
            return
        last = words
        await sleep(BEAT)


def _job(site: Site, job_id: str) -> Progress:
    job = site.database.read(progress, job_id, now=site.now())
    if job is None:
        raise NotFound("There is no such job.")
    return job


@router.post("/jobs/{job_id}/cancel")
@router.post("/jobs/{job_id}/resume")
@router.post("/jobs/{job_id}/retry")
def steer_job(
    request: Request, job_id: str, site: SiteHere, who: Trainer, back: Annotated[str, Form()] = ""
) -> RedirectResponse:
    """Stop a job, and what is done stays; go on with one that was stopped; or try again what failed in one."""
    act, action = JOB_ACTIONS[request.url.path.rpartition("/")[2]]
    now, workspace = site.now(), job_context(job_id, site, who, role="assistant")[0].workspace
    with site.database.writing() as connection:
        act(connection, job_id, now=now)
        refresh_summary(connection, workspace.id, now=now)
        note(connection, action, author=who.name, now=now, workspace_id=workspace.id, detail={"job": job_id})
    return RedirectResponse("/" if back == "home" else f"/{workspace.kind}/{workspace.id}", 303)


@router.get("/{kind}/{workspace_id}/history")
def history(request: Request, context: Editable, before: int | None = None) -> HTMLResponse:
    """The decisions and the log of a workspace, newest first."""
    workspace_id = context.workspace.id
    with context.site.database.reading() as connection:
        logged = entries(connection, workspace_id=workspace_id, before=before, most=MOST_ENTRIES)
        decided = decisions_of(connection, workspace_id)
        shown = decided[: -MOST_DECISIONS - 1 : -1]
        named = (find_item(connection, workspace_id, id_) for id_ in {d.item_id for d in shown})
        values = {
            "lines": log_lines(logged),
            "earlier": logged[-1].id if len(logged) == MOST_ENTRIES else None,
            "decisions": shown if before is None else [],
            "decided": len(decided),
            "names": {item.id: item.name for item in named if item is not None},
            "decision_words": decision_words,
            "uploads": workspace_uploads(connection, workspace_id),
        }
    return workspace_page(request, context, "history.html", tab="history", values=values)


@router.get("/audit")
def audit_page(request: Request, site: SiteHere, who: Admin, before: int | None = None) -> HTMLResponse:
    """Who did what, when, over all workspaces of the organization."""
    organization_id = who.account.organization_id if who.account is not None else None
    with site.database.reading() as connection:
        logged = entries(connection, organization_id=organization_id, before=before, most=MOST_ENTRIES)
        workspaces = {e.workspace_id: find_workspace(connection, e.workspace_id) for e in logged if e.workspace_id}
    values = {
        "lines": log_lines(logged),
        "named": {id_: workspace for id_, workspace in workspaces.items() if workspace is not None},
        "earlier": logged[-1].id if len(logged) == MOST_ENTRIES else None,
    }
    return render(request, "accounts/audit.html", values)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One act, or a run of like acts: twenty files of one upload are one line."""

    when: datetime
    author: str
    action: str
    workspace_id: str | None
    names: tuple[str, ...]
    """What it was about, newest first."""

    @property
    def about(self) -> str:
        """The names in words: a few of them, and how many more.

        >>> LogLine(datetime(2026, 1, 1), "Ada", "upload", None, ("b.xml", "a.xml")).about
        'a.xml, b.xml'
        """
        shown = self.names[::-1][:MOST_NAMES]
        left = len(self.names) - len(shown)
        return ", ".join(shown) + (f" and {left:,} more" if left else "")


def log_lines(entries: Iterable[Entry]) -> list[LogLine]:
    """The entries, newest first, with runs of the same act by the same person drawn together."""
    lines: list[LogLine] = []
    for entry in entries:
        names = (str(entry.detail["name"]),) if "name" in entry.detail else ()
        last = lines[-1] if lines else None
        if (
            last is not None
            and (last.author, last.action, last.workspace_id) == (entry.author, entry.action, entry.workspace_id)
            and (names and last.names and last.when - entry.made_at < IN_ONE_GO)
        ):
            lines[-1] = replace(last, names=last.names + names)
        else:
            lines.append(LogLine(entry.made_at, entry.author, entry.action, entry.workspace_id, names))
    return lines


@router.get("/{kind}/{workspace_id}/trust")
def trust(
    request: Request,
    context: Reviewable,
    figure: Annotated[str, Query(max_length=40)] = "qwk",
    within: str = "",
    of: Annotated[str, Query(max_length=10)] = "",
    engine: Annotated[str, Query(max_length=400)] = "",
    errors: Errors = None,
) -> HTMLResponse:
    """How far the scores of this workspace can be trusted."""
    if not context.workspace.engine:
        return workspace_page(request, context, "trust.html", tab="trust", values={"trust": None})
    errors = dict(errors or {})
    half_width = None
    if within.strip():
        try:
            half_width = float(within.replace(",", "."))
        except ValueError:
            half_width = -1
        if not 0 < half_width <= 1000:
            half_width, errors["within"] = None, "Give a number above 0, such as 0.05."
    judgement = trust_of(context, figure=figure, within=half_width, of=of, engine=engine)
    shown, styles = page_context(context, judgement)
    values = {
        **shown,
        "errors": errors,
        "within": within if "within" in errors else f"{judgement.precision.within:g}",
        "size": SIZE,
        "engine": next(iter(_engines(context, engine)), ""),
    }
    return workspace_page(request, context, "trust.html", tab="trust", styles=styles, values=values)


@router.post("/{kind}/{workspace_id}/trust/draw")
def draw(request: Request, context: Editable, size: Annotated[str, Form()] = "") -> Response:
    """Draw items at random, to be reviewed without choosing."""
    try:
        draw_items(context, int(size) if size.strip().isdecimal() and len(size) < 10 else 0)
    except FieldErrors as wrong:
        return trust(request, context, errors=wrong.errors)
    return RedirectResponse(f"{context.url}/trust?of=sample", 303)


def draw_items(context: WorkspaceContext, size: int) -> DrawnSample:
    """Items drawn at random; those of an evaluation are reviewed elsewhere."""
    if context.workspace.kind == "evaluation":
        raise InputError("Responses of a table are read elsewhere: draw them there, and upload their human scores.")
    return draw_sample(context, size)


def trust_of(context: WorkspaceContext, *, figure: str, within: float | None, of: str, engine: str) -> Trust:
    """The judgement, on all reviews or on the random sample; the sample by default once it is reviewed.

    It is kept until the workspace or one of its results changes.
    """
    workspace, engine = context.workspace, next(iter(_engines(context, engine)), "")
    results = context.site.database.read(results_state, workspace.id, workspace.engine)
    key = f"{workspace.id} {workspace.changed.isoformat()} {workspace.engine} {results} {engine}"
    of_table, reviewed = (
        partial(table_evidence, context, engine),
        partial(reviewed_evidence, context.site, workspace, results),
    )
    evidence = _EVIDENCE.get(key, of_table if workspace.kind == "evaluation" else reviewed)
    drawn = any(evidence.pairs.drawn)
    only_sample = drawn and (of == "sample" or (of != "all" and not evidence.sample_left))
    asked = f"{key} {only_sample} {figure} {within}"
    return _JUDGED.get(asked, lambda: judge(evidence, only_sample=only_sample, figure=figure, within=within))


def _engines(context: WorkspaceContext, first: str = "") -> list[str]:
    """The engines of a table, one of them first; none of other workspaces."""
    is_table = context.workspace.kind == "evaluation"
    engines = list(EvaluationSettings.of(context.workspace).columns.system) if is_table else []
    return sorted(engines, key=lambda engine: engine != first)


def page_context(context: WorkspaceContext, judgement: Trust) -> tuple[Json, str]:
    """What the template shows, and the styles its charts need."""
    kind, evaluation = context.kind, judgement.evaluation
    figures = key_figures(evaluation) if evaluation else ()
    lead, rest = words.verdict_words(judgement, kind)
    parts = words.trust_blocks(judgement, evaluation) if evaluation else {}
    html = {name: blocks_html(blocks) for name, blocks in parts.items() if blocks}
    if figures:
        html["figures"] = HATCH + key_figures_html(Document("Trust", key_figures=figures))
    border = "<!--next piece-->"  # all pieces in one go, so that the numbers of their styles agree
    whole, styles = extract_inline_styles(border.join(html.values()))
    pieces = dict(zip(html, map(Markup, whole.split(border)), strict=True)) if html else {}
    targets = context.site.database.read(override_targets, context.workspace.id, context.workspace.engine)
    return {
        "trust": judgement,
        "lead": lead,
        "rest": rest,
        "html": dict.fromkeys(PIECES, Markup()) | pieces,
        "selection": words.selection_words(judgement, kind),
        "anchoring": words.anchoring_words(judgement),
        "precision": words.precision_words(judgement.precision, kind),
        "drift": words.drift_words(judgement),
        "next": [(one, words.why_words(one, kind), words.BRINGS[one.pick.why]) for one in judgement.next],
        "options": words.OPTIONS,
        "targets": [
            (words.TARGETS.get(name, name), count) for name, count in sorted(targets.items(), key=lambda t: -t[1])
        ],
        "engines": _engines(context),
    }, styles
