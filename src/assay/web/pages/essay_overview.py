"""Insights of a class of essays, and its exports."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse

from assay.store.item_listing import ListQuery, count, rows, totals
from assay.web.pages.exports import file_answer
from assay.web.workspaces.essays.exports import ESSAY_EXPORTS
from assay.web.workspaces.essays.insights import insights_of, spread_of
from assay.web.workspaces.essays.models import workspace_model
from assay.web.workspaces.workspace_page import Editable, workspace_page

router = APIRouter()
PER_PAGE = 50


@router.get("/{workspace_id}/insights")
def insights(request: Request, context: Editable) -> HTMLResponse:
    """What the class has in common."""
    engine, workspace_id = context.workspace.engine, context.workspace.id
    with context.site.database.reading() as connection:
        told = totals(connection, workspace_id, engine)
        spread = spread_of(connection, workspace_id, engine, workspace_model(context.site, context.workspace).scale)
        common = insights_of(connection, workspace_id, engine) if told.scored else None
    values = {"totals": told, "spread": spread, "common": common}
    return workspace_page(request, context, "essays/insights.html", tab="insights", values=values)


@router.get("/{workspace_id}/exports")
def exports(
    request: Request,
    context: Editable,
    find: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> HTMLResponse:
    """Everything that can be taken away: of all essays, and of each."""
    engine, workspace_id = context.workspace.engine, context.workspace.id
    query = ListQuery("name", False, find.strip())
    with context.site.database.reading() as connection:
        told = totals(connection, workspace_id, engine)
        pages = max(1, -(-count(connection, workspace_id, engine, query) // PER_PAGE))
        page = min(page, pages)
        listed = rows(connection, workspace_id, engine, query, offset=(page - 1) * PER_PAGE, most=PER_PAGE)
    values = {
        "files": ESSAY_EXPORTS.batch(context.site, context.workspace) if told.scored else [],
        "rows": [
            (r, ESSAY_EXPORTS.one(context.site, context.workspace, r.id, r.name))
            for r in listed
            if r.payload is not None
        ],
        "find": find,
        "page": page,
        "pages": pages,
    }
    return workspace_page(request, context, "essays/exports.html", tab="exports", values=values)


@router.get("/{workspace_id}/exports/{group}/{name}")
def export(context: Editable, group: str, name: str, show: bool = False) -> Response:
    """One file, to keep or (a report) to open."""
    return file_answer(ESSAY_EXPORTS.find(context.site, context.workspace, f"{group}/{name}"), show=show)
