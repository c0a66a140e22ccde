"""What all submissions together show, and everything there is to take away."""

from math import ceil
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from assay.store.blobs import read_blob
from assay.store.item_listing import ListQuery, count, reasons_of_failure, rows, totals
from assay.store.items import StoredResult
from assay.store.overrides import reviewed
from assay.web.inline_styles import extract_inline_styles
from assay.web.pages.exports import file_answer
from assay.web.workspaces.access import Readable, own_item
from assay.web.workspaces.annotations.exports import batch_exports, find_export, student_exports, together_result
from assay.web.workspaces.annotations.workspace import is_together_current, put_together
from assay.web.workspaces.workspace_page import Found, WorkspaceContext, workspace_page

router = APIRouter()
PAGE_ROWS = 50


@router.get("/{workspace_id}/insights")
def insights(request: Request, found: Found) -> HTMLResponse:
    """The distribution, the ranking, what is hard, what is systematic."""
    made, why = together_result(found.site, found.workspace), ""
    body, styles = Markup(), ""
    with found.site.database.reading() as connection:
        if made is not None:
            body, styles = extract_inline_styles(read_blob(connection, made.files["page.html"]).decode())
        elif item_id := found.workspace.settings.get("together"):
            engine = found.workspace.settings.get("engine", "")
            why = reasons_of_failure(connection, found.workspace.id, engine, [item_id]).get(item_id, "")
    context = {"made": made, "body": body, "why": why, **_freshness(found, made)}
    return workspace_page(request, found, "annotations/insights.html", tab="insights", styles=styles, values=context)


def _freshness(found: WorkspaceContext, made: StoredResult | None) -> dict[str, object]:
    """How many decisions were made after the report of all."""
    engine = found.workspace.settings.get("engine", "")
    with found.site.database.reading() as connection:
        decided = reviewed(connection, found.workspace.id, engine)
        told = totals(connection, found.workspace.id, engine)
    changed = sum(any(d.kind == "override" for d in made_) for made_ in decided.values())
    stale = made is not None and not is_together_current(found)
    return {"stale": stale, "overridden": changed, "totals": told}


@router.post("/{workspace_id}/insights")
def again(found: Found) -> RedirectResponse:
    """Work them out again, with every decision so far."""
    put_together(found)
    return RedirectResponse(f"{found.url}/insights", 303)


@router.get("/{workspace_id}/exports")
def exports(
    request: Request,
    found: Found,
    find: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> HTMLResponse:
    """Files about all, and about each student, a page at a time."""
    engine, wanted = found.workspace.settings.get("engine", ""), ListQuery("name", False, find.strip())
    with found.site.database.reading() as connection:
        number = count(connection, found.workspace.id, engine, wanted)
        pages = max(1, ceil(number / PAGE_ROWS))
        offset = (min(page, pages) - 1) * PAGE_ROWS
        listed = rows(connection, found.workspace.id, engine, wanted, offset=offset, most=PAGE_ROWS)
        told = totals(connection, found.workspace.id, engine)
    made = together_result(found.site, found.workspace)
    context = {
        "files": batch_exports(found.site, found.workspace) if told.scored else [],
        "rows": [
            (row, student_exports(found.site, found.workspace, row.id, row.name)) for row in listed if row.payload
        ],
        "page": min(page, pages),
        "pages": pages,
        "find": find.strip(),
        "made": made,
        **_freshness(found, made),
    }
    return workspace_page(request, found, "annotations/exports.html", tab="exports", values=context)


@router.get("/{workspace_id}/exports/{group}/{name}")
def export(found: Readable, group: str, name: str, show: bool = False) -> Response:
    """One file, to keep or (a report) to open; a student has those of their own work."""
    if not found.visitor.may_train:
        own_item(int(group) if group.isascii() and group.isdigit() and len(group) < 10 else 0, found)
    return file_answer(find_export(found.site, found.workspace, f"{group}/{name}"), show=show)
