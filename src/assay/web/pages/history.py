"""What happened in a workspace: uploads, work, decisions."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from assay.store.audit import entries
from assay.store.jobs import workspace_jobs
from assay.store.overrides import history as decisions_of
from assay.store.uploads import workspace_uploads
from assay.web.workspace_page import Found, workspace_page

router = APIRouter()


@router.get("/{kind}/{workspace_id}/history")
def history(request: Request, found: Found, before: int | None = None) -> HTMLResponse:
    """The log of a workspace, newest first."""
    with found.site.database.reading() as connection:
        context = {
            "entries": entries(connection, workspace_id=found.workspace.id, before=before),
            "jobs": workspace_jobs(connection, found.workspace.id, now=found.site.now()),
            "decisions": decisions_of(connection, found.workspace.id),
            "uploads": workspace_uploads(connection, found.workspace.id),
        }
    return workspace_page(request, found, "history.html", tab="history", context=context)
