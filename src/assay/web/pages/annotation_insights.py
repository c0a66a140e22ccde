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
from assay.web.workspaces.annotations.exports import ANNOTATION_EXPORTS, together_result
from assay.web.workspaces.annotations.workspace import is_together_current, put_together
from assay.web.workspaces.workspace_page import Found, Readable, WorkspaceContext, own_item, workspace_page

router = APIRouter()
PAGE_ROWS = 50


@router.get("/{workspace_id}/insights")
def insights(request: Request, context: Found) -> HTMLResponse:
    """The distribution, the ranking, what is hard, what is systematic."""
    result, why = together_result(context.site, context.workspace), ""
    body, styles = Markup(), ""
    with context.site.database.reading() as connection:
        if result is not None:
            body, styles = extract_inline_styles(read_blob(connection, result.files["page.html"]).decode())
        elif item_id := context.workspace.settings.get("together"):
            engine = context.workspace.engine
            why = reasons_of_failure(connection, context.workspace.id, engine, [item_id]).get(item_id, "")
    values = {"made": result, "body": body, "why": why, **_freshness(context, result)}
    return workspace_page(request, context, "annotations/insights.html", tab="insights", styles=styles, values=values)


def _freshness(context: WorkspaceContext, result: StoredResult | None) -> dict[str, object]:
    """How many decisions were made after the report of all."""
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        decided = reviewed(connection, context.workspace.id, engine)
        counts = totals(connection, context.workspace.id, engine)
    changed = sum(any(d.kind == "override" for d in own) for own in decided.values())
    stale = result is not None and not is_together_current(context)
    return {"stale": stale, "overridden": changed, "totals": counts}


@router.post("/{workspace_id}/insights")
def again(context: Found) -> RedirectResponse:
    """Work them out again, with every decision so far."""
    put_together(context)
    return RedirectResponse(f"{context.url}/insights", 303)


@router.get("/{workspace_id}/exports")
def exports(
    request: Request,
    context: Found,
    find: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> HTMLResponse:
    """Files about all, and about each student, a page at a time."""
    engine, query = context.workspace.engine, ListQuery("name", False, find.strip())
    with context.site.database.reading() as connection:
        number = count(connection, context.workspace.id, engine, query)
        pages = max(1, ceil(number / PAGE_ROWS))
        offset = (min(page, pages) - 1) * PAGE_ROWS
        listed = rows(connection, context.workspace.id, engine, query, offset=offset, most=PAGE_ROWS)
        counts = totals(connection, context.workspace.id, engine)
    result = together_result(context.site, context.workspace)
    values = {
        "files": ANNOTATION_EXPORTS.batch(context.site, context.workspace) if counts.scored else [],
        "rows": [
            (row, ANNOTATION_EXPORTS.one(context.site, context.workspace, row.id, row.name))
            for row in listed
            if row.payload
        ],
        "page": min(page, pages),
        "pages": pages,
        "find": find.strip(),
        "made": result,
        **_freshness(context, result),
    }
    return workspace_page(request, context, "annotations/exports.html", tab="exports", values=values)


@router.get("/{workspace_id}/exports/{group}/{name}")
def export(context: Readable, group: str, name: str, show: bool = False) -> Response:
    """One file, to keep or (a report) to open; a student has those of their own work."""
    if not context.visitor.may_train:
        own_item(int(group) if group.isascii() and group.isdigit() and len(group) < 10 else 0, context)
    return file_answer(ANNOTATION_EXPORTS.find(context.site, context.workspace, f"{group}/{name}"), show=show)
