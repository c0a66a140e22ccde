"""Essay workspaces: paste or upload essays, check the columns, see the class."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store.item_listing import STATES, ListQuery, count, reasons_of_failure, rows, totals
from assay.store.items import workspace_items
from assay.store.workspaces import find_workspace, recent_workspaces
from assay.web.pages import essay_model, essay_overview, essay_review
from assay.web.pages.essay_model import table_preview
from assay.web.problems import FieldErrors
from assay.web.site import Site, SiteHere
from assay.web.templating import render
from assay.web.uploads import given_files
from assay.web.visitors import Trainer
from assay.web.workspaces.essays.insights import spread_of
from assay.web.workspaces.essays.models import workspace_model
from assay.web.workspaces.essays.workspace import (
    add_essays,
    new_workspace,
    pasted,
    reviews_from_table,
    score_if_ready,
    score_with,
    table_upload,
)
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.stored_settings import EssayColumnNames, EssaySettings
from assay.web.workspaces.workspace_page import Editable, WorkspaceContext, open_job, workspace_page

router = APIRouter(prefix="/essays")
KIND = KINDS["essays"]
PER_PAGE = 50
SORTS = {"name": "Essay", "final": "Score", "raw": "Raw", "words": "Words", "errors": "Findings", "doubts": "Doubts"}
"""Sort key -> the head of its column."""
NAMES_FIRST = ("name",)
"""Columns that are first sorted upwards."""
Text = Annotated[str, Form(max_length=1_000_000)]
Short = Annotated[str, Form(max_length=200)]
Long = Annotated[str, Form(max_length=4000)]


@router.get("")
def landing_page(request: Request, site: SiteHere, _who: Trainer) -> HTMLResponse:
    """What scoring does, an essay to paste, files to drop, and the workspaces there are."""
    return _landing_page(request, site)


def _landing_page(request: Request, site: Site, errors: dict[str, str] | None = None, **typed: str) -> HTMLResponse:
    with site.database.reading() as connection:
        listed = recent_workspaces(connection, kind=KIND.path)
    values = {"kind": KIND, "workspaces": listed, "errors": errors or {}, "typed": typed}
    return render(request, "essays/landing.html", values, status=422 if errors else 200)


@router.post("/paste")
def paste(
    request: Request, site: SiteHere, who: Trainer, text: Text = "", writer: Short = "", question: Long = ""
) -> Response:
    """A new workspace from a text in a form, scored at once."""
    typed = {"text": text, "writer": writer, "question": question}
    if not text.strip():
        return _landing_page(request, site, {"text": "Paste or write an essay first."}, **typed)
    title = writer.strip() or "Pasted essay"
    try:
        context = new_workspace(site, [pasted(title, text)], who, title=title, question=question)
    except (FieldErrors, InputError) as problem:
        return _landing_page(request, site, FieldErrors.of(problem, otherwise="text").errors, **typed)
    with site.database.reading() as connection:
        (item,) = workspace_items(connection, context.workspace.id)
    return RedirectResponse(f"{context.url}/submissions/{item.id}", 303)


@router.post("")
def create(
    request: Request,
    site: SiteHere,
    who: Trainer,
    essays: Annotated[list[UploadFile] | None, File()] = None,
    title: Short = "",
) -> Response:
    """A new workspace from a table or documents."""
    files = given_files(essays)
    if not files:
        return _landing_page(request, site, {"essays": "Choose a table or documents first."}, title=title)
    try:
        context = new_workspace(site, files, who, title=title)
    except (FieldErrors, InputError) as problem:
        return _landing_page(request, site, FieldErrors.of(problem, otherwise="essays").errors, title=title)
    return RedirectResponse(context.url, 303)


@router.get("/{workspace_id}")
def first_page(context: Editable) -> RedirectResponse:
    """The essays, or the columns while they must be chosen."""
    waits = table_upload(context.site, context.workspace.id) is not None and not context.workspace.engine
    return RedirectResponse(f"{context.url}/{'columns' if waits else 'submissions'}", 303)


@router.get("/{workspace_id}/columns")
def columns(request: Request, context: Editable) -> HTMLResponse:
    """Which column holds what: guessed, with the first rows beside it."""
    settings = EssaySettings.of(context.workspace)
    return _columns(request, context, settings.columns, settings.question)


def _columns(
    request: Request,
    context: WorkspaceContext,
    chosen: EssayColumnNames,
    question: str,
    errors: dict[str, str] | None = None,
) -> HTMLResponse:
    upload = table_upload(context.site, context.workspace.id)
    if upload is None:
        raise InputError("This workspace holds no table: its essays are documents, which have no columns.")
    values = {
        **table_preview(context, upload),
        "chosen": chosen,
        "question": question,
        "errors": errors or {},
        "roles": chosen.roles,
        "model": EssaySettings.of(context.workspace).scoring_model,
        "chosen_before": bool(context.workspace.engine),
    }
    status = 422 if errors else 200
    return workspace_page(request, context, "essays/columns.html", tab="submissions", status=status, values=values)


@router.post("/{workspace_id}/columns")
def choose_columns(
    request: Request,
    context: Editable,
    text: Short = "",
    id: Short = "",
    prompt: Short = "",
    score: Short = "",
    program: Short = "",
    question: Long = "",
) -> Response:
    """Keep the choice and score."""
    chosen = EssayColumnNames(text=text, id=id, prompt=prompt, score=score, program=program)
    try:
        score_with(context, columns=chosen, question=question)
    except FieldErrors as wrong:
        return _columns(request, context, chosen, question, wrong.errors)
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.get("/{workspace_id}/submissions")
def submissions(
    request: Request,
    context: Editable,
    find: Annotated[str, Query(max_length=200)] = "",
    state: Annotated[str, Query(max_length=20)] = "",
    sort: Annotated[str, Query(max_length=20)] = "final",
    order: Annotated[str, Query(max_length=5)] = "down",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> HTMLResponse:
    """The class: how scores spread, and a page of essays."""
    query = ListQuery(sort if sort in SORTS else "final", order != "up", find.strip(), state if state in STATES else "")
    return _submissions(request, context, query, page)


def _submissions(
    request: Request, context: WorkspaceContext, query: ListQuery, page: int, errors: dict[str, str] | None = None
) -> HTMLResponse:
    engine, workspace_id = context.workspace.engine, context.workspace.id
    with context.site.database.reading() as connection:
        number = count(connection, workspace_id, engine, query)
        pages = max(1, -(-number // PER_PAGE))
        page = min(page, pages)
        first = (page - 1) * PER_PAGE
        listed = rows(connection, workspace_id, engine, query, offset=first, most=PER_PAGE)
        failed = reasons_of_failure(connection, workspace_id, engine, [r.id for r in listed if r.payload is None])
        told = totals(connection, workspace_id, engine)
        spread = spread_of(connection, workspace_id, engine, workspace_model(context.site, context.workspace).scale)
    values = {
        "rows": listed,
        "failed": failed,
        "totals": told,
        "spread": spread,
        "query": query,
        "states": STATES,
        "columns": list(_heads(context, query)),
        "number": number,
        "first": first + 1,
        "page": page,
        "pages": pages,
        "page_address": lambda n: _address(context, query, page=n),
        "waiting": open_job(context) is not None,
        "model": EssaySettings.of(context.workspace).scoring_model,
        "has_table": table_upload(context.site, workspace_id) is not None,
        "human_column": EssaySettings.of(context.workspace).columns.score,
        "errors": errors or {},
    }
    status = 422 if errors else 200
    return workspace_page(request, context, "essays/submissions.html", tab="submissions", status=status, values=values)


def _heads(context: WorkspaceContext, query: ListQuery) -> Any:
    """Key, title, classes, address and sort of each column."""
    for key, title in SORTS.items():
        here = key == query.sort
        down = not query.descending if here else key not in NAMES_FIRST
        sorted_now = ("descending" if query.descending else "ascending") if here else "none"
        classes = "" if key == "name" else "n hide-s" if key in ("raw", "words", "doubts") else "n"
        yield key, title, classes, _address(context, ListQuery(key, down, query.containing, query.state)), sorted_now


def _address(context: WorkspaceContext, query: ListQuery, *, page: int = 1) -> str:
    asked = {"sort": query.sort, "order": "down" if query.descending else "up"}
    asked |= {"find": query.containing} if query.containing else {}
    asked |= {"state": query.state} if query.state else {}
    asked |= {"page": str(page)} if page > 1 else {}
    return f"{context.url}/submissions?{urlencode(asked)}"


@router.post("/{workspace_id}/essays")
def add(
    request: Request,
    context: Editable,
    essays: Annotated[list[UploadFile] | None, File()] = None,
    text: Text = "",
    writer: Short = "",
) -> Response:
    """Further essays; scored at once unless columns must be chosen."""
    files = given_files(essays)
    if text.strip():
        files.append(pasted(writer, text))
    if not files:
        return _submissions(request, context, ListQuery(), 1, {"essays": "Choose files, or paste an essay."})
    try:
        add_essays(context, files)
        with context.site.database.reading() as connection:
            now_ = find_workspace(connection, context.workspace.id) or context.workspace
        score_if_ready(WorkspaceContext(now_, context.kind, context.visitor, context.site))
    except (FieldErrors, InputError) as problem:
        return _submissions(request, context, ListQuery(), 1, FieldErrors.of(problem, otherwise="essays").errors)
    waits = EssaySettings.of(now_).columns_chosen is False
    return RedirectResponse(f"{context.url}/{'columns' if waits else 'submissions'}", 303)


@router.post("/{workspace_id}/reviews")
def take_reviews(context: Editable) -> RedirectResponse:
    """The human scores of the table count as reviews from now on."""
    if not context.workspace.engine:
        raise InputError("Score the essays first.")
    reviews_from_table(context)
    return RedirectResponse(f"{context.url}/submissions", 303)


for further in (essay_review.router, essay_model.router, essay_overview.router):
    router.include_router(further)
