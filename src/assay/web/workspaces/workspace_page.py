"""A page of a workspace: the workspace or a 404, and the header all of its pages share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse

from assay.store.jobs import Progress, latest_job
from assay.store.workspaces import Workspace, find_workspace
from assay.web.problems import Removed
from assay.web.site import Site, SiteHere
from assay.web.templating import render
from assay.web.visitors import Trainer, Visitor
from assay.web.workspaces.kinds import KINDS, WorkspaceKind
from assay.web.workspaces.progress_words import progress_words


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


Editable = Annotated[WorkspaceContext, Depends(editable_workspace)]
Found = Editable  # the name that pages of the other kinds still use


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
