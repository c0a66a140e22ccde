"""What every kind of workspace has: its exports, its history, its work as it goes on with a way to stop it."""

import json
from asyncio import sleep
from collections.abc import AsyncIterator, Mapping
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from assay.store.audit import entries, note
from assay.store.items import find_item
from assay.store.jobs import Progress, cancel, progress, resume
from assay.store.overrides import history as decisions_of
from assay.store.uploads import workspace_uploads
from assay.store.workspaces import Workspace, find_workspace
from assay.web.problems import NotFound
from assay.web.site import Site, SiteHere
from assay.web.templating import render
from assay.web.visitors import Admin, Trainer
from assay.web.workspaces.annotations.decisions import decision_words
from assay.web.workspaces.export_files import ExportFile
from assay.web.workspaces.log_lines import log_lines
from assay.web.workspaces.summaries import refresh_summary
from assay.web.workspaces.workspace_page import Editable, progress_words, workspace_page

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
def events(job_id: str, request: Request, site: SiteHere, _who: Trainer) -> StreamingResponse:
    """Server-sent events: `progress` while the job goes on, `end` when it is over."""
    _job(site, job_id)
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
    with site.database.reading() as connection:
        job = progress(connection, job_id, now=site.now())
    if job is None:
        raise NotFound("There is no such job.")
    return job


@router.post("/jobs/{job_id}/cancel")
@router.post("/jobs/{job_id}/resume")
def steer_job(
    request: Request, job_id: str, site: SiteHere, who: Trainer, back: Annotated[str, Form()] = ""
) -> RedirectResponse:
    """Stop a job, and what is done stays; or go on with one that was stopped."""
    stops, now = request.url.path.endswith("/cancel"), site.now()
    with site.database.writing() as connection:
        (cancel if stops else resume)(connection, job_id, now=now)
        job = progress(connection, job_id, now=now)
        workspace = find_workspace(connection, job.workspace_id) if job else None
        if workspace is None:
            raise NotFound("There is no such job.")
        if stops:
            refresh_summary(connection, workspace.id, now=now)
        action, detail = "stop work" if stops else "resume work", {"job": job_id}
        note(connection, action, author=who.name, now=now, workspace_id=workspace.id, detail=detail)
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
def audit_page(request: Request, site: SiteHere, _who: Admin, before: int | None = None) -> HTMLResponse:
    """Who did what, when, over all workspaces."""
    with site.database.reading() as connection:
        logged = entries(connection, before=before, most=MOST_ENTRIES)
        workspaces = {e.workspace_id: find_workspace(connection, e.workspace_id) for e in logged if e.workspace_id}
    values = {
        "lines": log_lines(logged),
        "named": {id_: workspace for id_, workspace in workspaces.items() if workspace is not None},
        "earlier": logged[-1].id if len(logged) == MOST_ENTRIES else None,
    }
    return render(request, "accounts/audit.html", values)
