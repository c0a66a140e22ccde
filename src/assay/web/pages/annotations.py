"""Annotation workspaces: drop files, see who found what, what all of it shows, and take it away."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from assay.errors import InputError
from assay.store.blobs import read_blob
from assay.store.item_listing import SORTS, STATES, ListQuery, reasons_of_failure, rows, totals
from assay.store.items import StoredResult
from assay.store.overrides import reviewed
from assay.store.schema import Json
from assay.store.uploads import workspace_uploads
from assay.web.pages import page_parts as parts
from assay.web.pages.workspace_pages import file_answer
from assay.web.problems import FieldErrors, beside
from assay.web.site import SiteHere
from assay.web.templating import extract_inline_styles
from assay.web.uploads import given_files
from assay.web.visitors import Trainer
from assay.web.workspaces.annotations import workspace as work
from assay.web.workspaces.annotations.exports import ANNOTATION_EXPORTS, together_result
from assay.web.workspaces.annotations.scores import submission_uploads, truth_upload
from assay.web.workspaces.stored_settings import AnnotationSettings
from assay.web.workspaces.workspace_page import Editable, Readable, WorkspaceContext, own_item, workspace_page

router = APIRouter(prefix="/annotations")
Many = Annotated[list[UploadFile] | None, File()]
COLUMNS = {
    "name": ("Student", ""),
    "final": ("Score", "n"),
    "matched": ("Found", "n"),
    "extra": ("Extra", "n"),
    "quality": ("Quality", "n hide-s"),
    "completeness": ("Complete", "n hide-s"),
}
"""Sort key -> heading and class."""


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
    files = _given(truth=truth, submissions=submissions, images=images)
    try:
        if not files:
            raise FieldErrors({"truth": "Choose the ground truth: the file that shows how it should be."})
        context = work.new_annotations(site, files, who, title=name)
    except (FieldErrors, InputError) as problem:
        return parts.landing_page(request, site, "annotations", beside("submissions", problem), name=name)
    return RedirectResponse(f"{context.url}/submissions", 303)


def _given(**fields: Many) -> dict[str, work.Files]:
    """Role -> the files that a form holds under it."""
    return {role: files for role, uploads in fields.items() if (files := given_files(uploads))}


@router.get("/{workspace_id}")
def first_page(context: Editable) -> RedirectResponse:
    """The submissions."""
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.post("/{workspace_id}/files")
def add_files(
    request: Request, context: Editable, truth: Many = None, submissions: Many = None, images: Many = None
) -> Response:
    """More files, at any time: a ground truth replaces the one before, submissions and images are added."""
    given = _given(truth=truth, submissions=submissions, images=images)
    try:
        if not given:
            raise InputError("Choose some files first.")
        with context.site.database.writing() as connection:
            work.take_files(connection, context.site, context.workspace, given, context.visitor)
        work.score_if_ready(context)
    except (FieldErrors, InputError) as problem:
        return files(request, context, beside("submissions", problem))
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.get("/{workspace_id}/files")
def files(request: Request, context: Editable, errors: parts.Errors = None) -> HTMLResponse:
    """What the workspace holds, and places to drop more."""
    site, workspace = context.site, context.workspace
    with site.database.reading() as connection:
        images = workspace_uploads(connection, workspace.id, "images")
        failed = rows(connection, workspace.id, workspace.engine, ListQuery(state="failed"), most=parts.PAGE_ROWS)
        why = reasons_of_failure(connection, workspace.id, workspace.engine, [row.id for row in failed])
    values = {
        "truth": truth_upload(site, workspace.id),
        "handed_in": submission_uploads(site, workspace.id),
        "images": images,
        "failing": {row.name: why[row.id] for row in failed if row.id in why},
        "facts": AnnotationSettings.of(workspace).truth,
        "errors": errors or {},
    }
    return workspace_page(request, context, "annotations/files.html", tab="submissions", values=values)


@router.get("/{workspace_id}/submissions")
def submissions(
    request: Request,
    context: Editable,
    sort: str = "final",
    order: str = "",
    find: parts.SearchText = "",
    state: str = "",
    page: parts.PageNumber = 1,
) -> HTMLResponse:
    """Everyone's score: sorted, filtered, a page at a time. Without submissions, places to drop them."""
    if not submission_uploads(context.site, context.workspace.id) or not context.workspace.engine:
        return files(request, context)
    sort, state = sort if sort in SORTS else "final", state if state in STATES else ""
    descending = order == "down" if order else sort not in parts.UPWARD
    values = parts.list_values(context, ListQuery(sort, descending, find.strip(), state), page, COLUMNS)
    return workspace_page(request, context, "annotations/submissions.html", tab="submissions", values=values)


@router.get("/{workspace_id}/insights")
def insights(request: Request, context: Editable) -> HTMLResponse:
    """The distribution, the ranking, what is hard, what is systematic."""
    workspace, result = context.workspace, together_result(context.site, context.workspace)
    body, styles, why = Markup(), "", ""
    with context.site.database.reading() as connection:
        if result is not None:
            body, styles = extract_inline_styles(read_blob(connection, result.files["page.html"]).decode())
        elif item_id := AnnotationSettings.of(workspace).together:
            why = reasons_of_failure(connection, workspace.id, workspace.engine, [item_id]).get(item_id, "")
    values = {"body": body, "why": why, **_freshness(context, result)}
    return workspace_page(request, context, "annotations/insights.html", tab="insights", styles=styles, values=values)


def _freshness(context: WorkspaceContext, result: StoredResult | None) -> Json:
    """The report of all, and how many decisions were made after it."""
    with context.site.database.reading() as connection:
        decided = reviewed(connection, context.workspace.id, context.workspace.engine)
        counts = totals(connection, context.workspace.id, context.workspace.engine)
    changed = sum(any(d.kind == "override" for d in own) for own in decided.values())
    stale = result is not None and not work.is_together_current(context)
    return {"made": result, "stale": stale, "overridden": changed, "totals": counts}


@router.post("/{workspace_id}/insights")
def again(context: Editable) -> RedirectResponse:
    """Work them out again, with every decision so far."""
    work.put_together(context)
    return RedirectResponse(f"{context.url}/insights", 303)


@router.get("/{workspace_id}/exports")
def exports(
    request: Request, context: Editable, find: parts.SearchText = "", page: parts.PageNumber = 1
) -> HTMLResponse:
    """Files about all, and about each student, a page at a time."""
    site, workspace = context.site, context.workspace
    listed = parts.export_values(
        context, find.strip(), page, lambda row: ANNOTATION_EXPORTS.one(site, workspace, row.id, row.name)
    )
    values = listed | _freshness(context, together_result(site, workspace))
    values["files"] = ANNOTATION_EXPORTS.batch(site, workspace) if values["totals"].scored else []
    return workspace_page(request, context, "annotations/exports.html", tab="exports", values=values)


@router.get("/{workspace_id}/exports/{group}/{name}")
def export(context: Readable, group: str, name: str, show: bool = False) -> Response:
    """One file, to keep or (a report) to open; a student has those of their own work."""
    if not context.visitor.may_train:
        own_item(int(group) if group.isascii() and group.isdigit() and len(group) < 10 else 0, context)
    return file_answer(ANNOTATION_EXPORTS.find(context.site, context.workspace, f"{group}/{name}"), show=show)
