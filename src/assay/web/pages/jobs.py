"""Work that is going on: how far it is, live, and a way to stop it."""

import json
from asyncio import sleep
from collections.abc import AsyncIterator
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, StreamingResponse

from assay.store.audit import note
from assay.store.database import Connection
from assay.store.jobs import Progress, cancel, progress, resume
from assay.store.workspaces import find_workspace
from assay.web.problems import NotFound
from assay.web.site import Site, SiteHere
from assay.web.visitors import Trainer
from assay.web.workspaces.summaries import refresh_summary
from assay.web.workspaces.workspace_page import progress_words

router = APIRouter()
BEAT = 0.4
LONGEST = 3600
"""A browser asks again after this many seconds; until then one connection is enough."""


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
def stop(job_id: str, site: SiteHere, who: Trainer, back: Annotated[str, Form()] = "") -> RedirectResponse:
    """Stop a job; what is done stays."""
    with site.database.writing() as connection:
        cancel(connection, job_id, now=site.now())
        if (job := progress(connection, job_id, now=site.now())) is not None:
            refresh_summary(connection, job.workspace_id, now=site.now())
        return _noted(connection, site, job_id, "stop work", who.name, back)


@router.post("/jobs/{job_id}/resume")
def take_up(job_id: str, site: SiteHere, who: Trainer, back: Annotated[str, Form()] = "") -> RedirectResponse:
    """Go on with a stopped job."""
    with site.database.writing() as connection:
        resume(connection, job_id, now=site.now())
        return _noted(connection, site, job_id, "resume work", who.name, back)


def _noted(connection: Connection, site: Site, job_id: str, action: str, author: str, back: str) -> RedirectResponse:
    job = progress(connection, job_id, now=site.now())
    workspace = find_workspace(connection, job.workspace_id) if job else None
    if workspace is None:
        raise NotFound("There is no such job.")
    note(connection, action, author=author, now=site.now(), workspace_id=workspace.id, detail={"job": job_id})
    return RedirectResponse("/" if back == "home" else f"/{workspace.kind}/{workspace.id}", 303)
