"""A workspace as a request meets it: who may see what of it, the header its pages share, the work that is going on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.responses import HTMLResponse

from assay.store.audit import note
from assay.store.database import Connection
from assay.store.items import Item, find_item, is_of_student
from assay.store.jobs import PieceStage, Progress, latest_job
from assay.store.workspaces import Workspace, find_workspace
from assay.web.problems import NotFound, Removed
from assay.web.site import Site, SiteHere
from assay.web.templating import duration, number, render
from assay.web.visitors import Anyone, Trainer, Visitor
from assay.web.workspaces.kinds import KINDS, WorkspaceKind

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""Ids are whole numbers of 32 bits in PostgreSQL."""


@dataclass(frozen=True, slots=True)
class WorkspaceContext:
    """A workspace, its kind, and who asks for it."""

    workspace: Workspace
    kind: WorkspaceKind
    visitor: Visitor
    site: Site

    @property
    def url(self) -> str:
        return f"/{self.kind.path}/{self.workspace.id}"

    def note(self, connection: Connection, action: str, detail: Mapping[str, object] | None = None) -> None:
        """Add a line to the history of the workspace."""
        author, now = self.visitor.name, self.site.now()
        note(connection, action, author=author, now=now, workspace_id=self.workspace.id, detail=detail)


def find_context(workspace_id: str, site: Site, who: Visitor, request: Request | None = None) -> WorkspaceContext:
    """A workspace and who asks for it; a 404 when there is none, or none of the kind in the address of a page."""
    with site.database.reading() as connection:
        workspace = find_workspace(connection, workspace_id)
    if workspace is None or (request is not None and workspace.kind != request.url.path.split("/")[1]):
        raise Removed
    return WorkspaceContext(workspace, KINDS[workspace.kind], who, site)


def editable_workspace(workspace_id: str, request: Request, site: SiteHere, who: Trainer) -> WorkspaceContext:
    """The workspace in the address, for those who may change it."""
    return find_context(workspace_id, site, who, request)


def readable_workspace(workspace_id: str, request: Request, site: SiteHere, who: Anyone) -> WorkspaceContext:
    """A workspace of the kind in the address, for anyone signed in; students see only what is theirs in it."""
    return find_context(workspace_id, site, who, request)


Editable = Annotated[WorkspaceContext, Depends(editable_workspace)]
Found = Editable  # the name that pages of the other kinds still use
Readable = Annotated[WorkspaceContext, Depends(readable_workspace)]


def find_own(item_id: int, context: WorkspaceContext) -> Item | None:
    """An item of the workspace, a student's own only; None where there is none that the visitor may see."""
    with context.site.database.reading() as connection:
        item = find_item(connection, context.workspace.id, item_id)
    only = context.visitor.only_student
    return item if item is not None and (only is None or is_of_student(item, only)) else None


def own_item(item_id: Number, context: Readable) -> Item:
    """The same for a page, which says so where there is none."""
    item = find_own(item_id, context)
    if item is None:
        raise NotFound(f"There is no such {context.kind.item}. It may have been removed.")
    return item


Own = Annotated[Item, Depends(own_item)]


def workspace_page(
    request: Request,
    context: WorkspaceContext,
    template: str,
    *,
    tab: str,
    status: int = 200,
    styles: str = "",
    values: Mapping[str, Any] | None = None,
) -> HTMLResponse:
    """A page below the header of its workspace: name, counts, state, tabs, and the work that is going on."""
    latest = _latest_job(context)
    job = latest if latest is not None and latest.is_open else None
    values = {
        "workspace": context.workspace,
        "kind": context.kind,
        "url": context.url,
        "tab": tab,
        "job": job,
        "job_words": progress_words(job) if job else None,
        "stopped": latest if latest is not None and latest.state == "cancelled" else None,
        **(values or {}),
    }
    return render(request, template, values, status=status, styles=styles)


def open_job(context: WorkspaceContext) -> Progress | None:
    """The work that is going on in a workspace."""
    job = _latest_job(context)
    return job if job is not None and job.is_open else None


def _latest_job(context: WorkspaceContext) -> Progress | None:
    with context.site.database.reading() as connection:
        return latest_job(connection, context.workspace.id, now=context.site.now())


def progress_words(job: Progress) -> dict[str, str | int]:
    """A job as people read it: done of total, rate, time left."""
    rate = "" if job.rate is None else f"{job.rate:.0f} a second" if job.rate >= 1 else f"{60 * job.rate:.0f} a minute"
    together = job.is_open and 0 < job.total == job.done + job.failed
    left = "" if job.seconds_left is None or together else f"{duration(job.seconds_left)} left"
    failed = f"{number(job.failed)} failed" if job.failed else ""
    ended = {"done": "Done", "cancelled": "Stopped"}.get(job.state, "")
    waiting = "waiting for a worker" if job.state == "queued" else ""
    stage = _stage_words(job.stage) if job.stage and job.total == 1 else ""
    if together:
        rate = "putting all together"
    return {
        "state": job.state,
        "done": job.done + job.failed,
        "total": job.total,
        "count": f"{number(job.done + job.failed)} of {number(job.total)}",
        "detail": ", ".join(words for words in (ended, failed, stage, rate, left, waiting) if words) or "starting",
    }


def _stage_words(stage: PieceStage) -> str:
    """What a job of one piece is doing.

    >>> _stage_words(PieceStage("Evaluate engines", 3, 12)), _stage_words(PieceStage("Read", 0, None))
    ('Evaluate engines: 3 of 12', 'Read')
    """
    return stage.title if stage.total is None else f"{stage.title}: {number(stage.done)} of {number(stage.total)}"
