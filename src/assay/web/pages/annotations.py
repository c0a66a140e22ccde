"""Annotation workspaces: drop files, and see who found what."""

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store.database import Connection
from assay.store.item_listing import SORTS, STATES, ListQuery, count, reasons_of_failure, rows, totals
from assay.store.uploads import workspace_uploads
from assay.store.workspaces import recent_workspaces
from assay.web.pages import annotation_decisions, annotation_insights, annotation_review, annotation_rules
from assay.web.problems import FieldErrors, page_words
from assay.web.site import Site, SiteHere
from assay.web.templating import render
from assay.web.uploads import given_files
from assay.web.visitors import Trainer
from assay.web.workspaces.annotations.scores import submission_uploads, truth_upload
from assay.web.workspaces.annotations.workspace import Files, new_annotations, score_if_ready, take_files
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.workspace_page import Found, WorkspaceContext, open_job, workspace_page

router = APIRouter(prefix="/annotations")
KIND = KINDS["annotations"]
PAGE_ROWS = 50
Many = Annotated[list[UploadFile] | None, File()]
COLUMNS = (
    ("name", "Student", ""),
    ("final", "Score", "n"),
    ("matched", "Found", "n"),
    ("extra", "Extra", "n"),
    ("quality", "Quality", "n hide-s"),
    ("completeness", "Complete", "n hide-s"),
)
"""Sort key, heading, class."""


@router.get("")
def door(request: Request, site: SiteHere, _who: Trainer) -> HTMLResponse:
    """What grading does, files to drop, and the workspaces there are."""
    return _door(request, site)


def _door(request: Request, site: Site, errors: dict[str, str] | None = None, name: str = "") -> HTMLResponse:
    with site.database.reading() as connection:
        listed = recent_workspaces(connection, kind=KIND.path)
    values = {"kind": KIND, "workspaces": listed, "errors": errors or {}, "name": name}
    return render(request, "annotations/landing.html", values, status=422 if errors else 200)


@router.post("")
def create(
    request: Request,
    site: SiteHere,
    who: Trainer,
    truth: Many = None,
    submissions: Many = None,
    images: Many = None,
    name: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """A new workspace from what was dropped; scored at once when there is enough."""
    files = _given(truth, submissions, images)
    if not files:
        return _door(request, site, {"truth": "Choose the ground truth: the file that shows how it should be."}, name)
    try:
        context = new_annotations(site, files, who, title=name)
    except FieldErrors as wrong:
        return _door(request, site, wrong.errors, name)
    except InputError as problem:
        return _door(request, site, {"submissions": page_words(problem)}, name)
    return RedirectResponse(f"{context.url}/submissions", 303)


def _given(truth: Many, submissions: Many, images: Many) -> dict[str, Files]:
    """Role -> the files that a form holds under it."""
    roles = {"truth": given_files(truth), "submissions": given_files(submissions), "images": given_files(images)}
    return {role: files for role, files in roles.items() if files}


@router.get("/{workspace_id}")
def first_page(context: Found) -> RedirectResponse:
    """The submissions."""
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.post("/{workspace_id}/files")
def add_files(
    request: Request, context: Found, truth: Many = None, submissions: Many = None, images: Many = None
) -> Response:
    """More files, at any time: a ground truth replaces the one before, submissions and images are added."""
    files = _given(truth, submissions, images)
    if not files:
        return _files(request, context, {"submissions": "Choose some files first."})
    try:
        with context.site.database.writing() as connection:
            take_files(connection, context.site, context.workspace, files, context.visitor)
        score_if_ready(context)
    except FieldErrors as wrong:
        return _files(request, context, wrong.errors)
    except InputError as problem:
        return _files(request, context, {"submissions": page_words(problem)})
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.get("/{workspace_id}/files")
def files(request: Request, context: Found) -> HTMLResponse:
    """What the workspace holds, and places to drop more."""
    return _files(request, context)


def _files(request: Request, context: WorkspaceContext, errors: dict[str, str] | None = None) -> HTMLResponse:
    site, workspace = context.site, context.workspace
    with site.database.reading() as connection:
        images = workspace_uploads(connection, workspace.id, "images")
        failing = _failing(connection, workspace.id, workspace.engine)
    values = {
        "truth": truth_upload(site, workspace.id),
        "handed_in": submission_uploads(site, workspace.id),
        "images": images,
        "failing": failing,
        "facts": workspace.settings.get("truth"),
        "errors": errors or {},
    }
    status = 422 if errors else 200
    return workspace_page(request, context, "annotations/files.html", tab="submissions", status=status, values=values)


def _failing(connection: Connection, workspace_id: str, engine: str) -> dict[str, str]:
    """Submission -> why it has no score, for the first of them."""
    listed = rows(connection, workspace_id, engine, ListQuery(state="failed"), most=PAGE_ROWS)
    why = reasons_of_failure(connection, workspace_id, engine, [row.id for row in listed])
    return {row.name: why[row.id] for row in listed if row.id in why}


@router.get("/{workspace_id}/submissions")
def submissions(
    request: Request,
    context: Found,
    sort: str = "final",
    order: str = "",
    find: Annotated[str, Query(max_length=200)] = "",
    state: str = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> HTMLResponse:
    """Everyone's score: sorted, filtered, a page at a time. Without submissions, places to drop them."""
    if not submission_uploads(context.site, context.workspace.id) or "engine" not in context.workspace.settings:
        return _files(request, context)
    sort = sort if sort in SORTS else "final"
    listing = ListQuery(sort, (order or _first_order(sort)) == "down", find.strip(), state if state in STATES else "")
    return workspace_page(
        request, context, "annotations/submissions.html", tab="submissions", values=_listing(context, listing, page)
    )


def _first_order(sort: str) -> str:
    """Best first, or A to Z."""
    return "up" if sort in ("name", "position", "missed", "extra") else "down"


def _listing(context: WorkspaceContext, listing: ListQuery, page: int) -> dict[str, object]:
    workspace_id, engine = context.workspace.id, context.workspace.engine
    with context.site.database.reading() as connection:
        number = count(connection, workspace_id, engine, listing)
        pages = max(1, ceil(number / PAGE_ROWS))
        page = min(page, pages)
        listed = rows(connection, workspace_id, engine, listing, offset=(page - 1) * PAGE_ROWS, most=PAGE_ROWS)
        unscored = [row.id for row in listed if row.payload is None]
        failed = reasons_of_failure(connection, workspace_id, engine, unscored) if unscored else {}
        counts = totals(connection, workspace_id, engine)
    return {
        "rows": listed,
        "failed": failed,
        "waiting": open_job(context) is not None,
        "wanted": listing,
        "number": number,
        "totals": counts,
        "page": page,
        "pages": pages,
        "first": (page - 1) * PAGE_ROWS + 1,
        "states": STATES,
        "columns": [(*column, *_heading(context.url, listing, column[0])) for column in COLUMNS],
        "page_address": _addresser(context.url, listing),
    }


def _heading(url: str, listing: ListQuery, sort: str) -> tuple[str, str]:
    """Where a click on a heading leads, and how the column is sorted now."""
    chosen = listing.sort == sort
    order = _first_order(sort) if not chosen else "up" if listing.descending else "down"
    sorted_now = ("descending" if listing.descending else "ascending") if chosen else "none"
    return _address(url, replace(listing, sort=sort, descending=order == "down")), sorted_now


def _address(url: str, listing: ListQuery, page: int = 1) -> str:
    query = {"sort": listing.sort, "order": "down" if listing.descending else "up"}
    query |= {"find": listing.containing} if listing.containing else {}
    query |= {"state": listing.state} if listing.state else {}
    query |= {"page": str(page)} if page > 1 else {}
    return f"{url}/submissions?{urlencode(query)}"


def _addresser(url: str, listing: ListQuery) -> Callable[[int], str]:
    return lambda page: _address(url, listing, page)


for part in (annotation_review, annotation_decisions, annotation_rules, annotation_insights):
    router.include_router(part.router)
