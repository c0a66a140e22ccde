"""What happened in a workspace: decisions, uploads, work."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from assay.store.audit import entries
from assay.store.database import Connection
from assay.store.items import find_item
from assay.store.overrides import Decision
from assay.store.overrides import history as decisions_of
from assay.store.uploads import workspace_uploads
from assay.web.workspaces.annotations.decisions import decision_words
from assay.web.workspaces.log_lines import log_lines
from assay.web.workspaces.workspace_page import Editable, workspace_page

router = APIRouter()
MOST_ENTRIES = 100
MOST_DECISIONS = 50


@router.get("/{kind}/{workspace_id}/history")
def history(request: Request, context: Editable, before: int | None = None) -> HTMLResponse:
    """The decisions and the log of a workspace, newest first."""
    with context.site.database.reading() as connection:
        logged = entries(connection, workspace_id=context.workspace.id, before=before, most=MOST_ENTRIES)
        decided = decisions_of(connection, context.workspace.id)
        shown = decided[: -MOST_DECISIONS - 1 : -1]
        values = {
            "lines": log_lines(logged),
            "earlier": logged[-1].id if len(logged) == MOST_ENTRIES else None,
            "decisions": shown if before is None else [],
            "decided": len(decided),
            "names": _names(connection, context.workspace.id, shown),
            "decision_words": decision_words,
            "uploads": workspace_uploads(connection, context.workspace.id),
        }
    return workspace_page(request, context, "history.html", tab="history", values=values)


def _names(connection: Connection, workspace_id: str, decisions: list[Decision]) -> dict[int, str]:
    """How the items that were decided about are called; those that are gone are left out."""
    named = (find_item(connection, workspace_id, id_) for id_ in {d.item_id for d in decisions})
    return {item.id: item.name for item in named if item is not None}
