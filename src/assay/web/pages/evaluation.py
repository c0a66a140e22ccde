"""Evaluation workspaces: drop a table, check the columns, read the report, compare engines."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from assay.errors import InputError
from assay.io.tables.guess_columns import ROWS_LOOKED_AT, guess_columns
from assay.store.blobs import read_blob
from assay.store.database import Connection
from assay.store.items import Item, StoredResult, scored_items
from assay.store.jobs import failures, latest_job
from assay.store.schema import Json
from assay.store.workspaces import recent_workspaces
from assay.web.inline_styles import extract_inline_styles
from assay.web.problems import FieldErrors, page_words
from assay.web.site import Site, SiteHere
from assay.web.templating import render
from assay.web.uploads import given_files
from assay.web.visitors import Trainer
from assay.web.workspaces.evaluation.further_engines import COLUMN, ID, TABLE, add_table
from assay.web.workspaces.evaluation.score_tables import (
    COMPARISON,
    EMPTY,
    evaluate_with,
    head_of,
    new_evaluation,
    table_of,
)
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.workspace_page import Found, WorkspaceContext, workspace_page

router = APIRouter(prefix="/evaluation")
KIND = KINDS["evaluation"]
ROWS_SHOWN = 6


@router.get("")
def door(request: Request, site: SiteHere, _who: Trainer) -> HTMLResponse:
    """What evaluation does, a table to drop, and the workspaces there are."""
    return _door(request, site)


def _door(request: Request, site: Site, errors: dict[str, str] | None = None) -> HTMLResponse:
    with site.database.reading() as connection:
        listed = recent_workspaces(connection, kind=KIND.path)
    context = {"kind": KIND, "workspaces": listed, "errors": errors or {}}
    return render(request, "evaluation/landing.html", context, status=422 if errors else 200)


@router.post("")
def create(
    request: Request, site: SiteHere, who: Trainer, table: Annotated[UploadFile | None, File()] = None
) -> Response:
    """A new workspace from an uploaded table."""
    files = given_files([table] if table else [])
    if not files:
        return _door(request, site, {"table": "Choose a table first: CSV, TSV, JSONL, XLSX or Parquet."})
    try:
        workspace = new_evaluation(site, *files[0], who)
    except InputError as error:
        return _door(request, site, {"table": page_words(error)})
    return RedirectResponse(f"/evaluation/{workspace.id}/columns", 303)


@router.get("/{workspace_id}")
def first_page(found: Found) -> RedirectResponse:
    """The report, or the columns while there is none."""
    chosen = "engine" in found.workspace.settings
    return RedirectResponse(f"{found.url}/{'report' if chosen else 'columns'}", 303)


@router.get("/{workspace_id}/columns")
def columns(request: Request, found: Found) -> HTMLResponse:
    """Which column holds what: guessed, with the first rows beside it."""
    settings = found.workspace.settings
    return _columns(request, found, settings.get("columns", EMPTY), settings.get("scale", ""))


def _columns(
    request: Request, found: WorkspaceContext, chosen: Json, scale: str, errors: dict[str, str] | None = None
) -> HTMLResponse:
    upload, source = table_of(found)
    head = head_of(source, ROWS_SHOWN)
    context = {
        "upload": upload,
        "names": list(source.columns),
        "rows": [[_cell(value) for value in row] for row in head.iter_rows()],
        "chosen": chosen,
        "scale": scale,
        "errors": errors or {},
        "roles": _roles(chosen),
    }
    status = 422 if errors else 200
    return workspace_page(request, found, "evaluation/columns.html", tab="columns", status=status, values=context)


def _cell(value: object) -> str:
    text = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _roles(chosen: Json) -> dict[str, str]:
    """Column -> the word above it in the first rows."""
    words = {
        "id": "id",
        "human": "human",
        "system": "system",
        "groups": "group",
        "candidate": "candidate",
        "length": "length",
    }
    roles: dict[str, str] = {}
    for role, word in words.items():
        names = chosen.get(role) or []
        roles |= {name: word for name in ([names] if isinstance(names, str) else names) if name not in roles}
    return roles


@router.post("/{workspace_id}/columns")
def choose_columns(
    request: Request,
    found: Found,
    human: Annotated[list[str] | None, Form()] = None,
    system: Annotated[list[str] | None, Form()] = None,
    groups: Annotated[list[str] | None, Form()] = None,
    id: Annotated[str, Form()] = "",
    candidate: Annotated[str, Form()] = "",
    length: Annotated[str, Form()] = "",
    scale: Annotated[str, Form()] = "",
) -> Response:
    """Keep the choice and evaluate."""
    chosen = {
        "id": id,
        "human": [name for name in human or [] if name],
        "system": [name for name in system or [] if name],
        "groups": [name for name in groups or [] if name],
        "candidate": candidate,
        "length": length,
    }
    try:
        evaluate_with(found, chosen, scale.strip())
    except FieldErrors as wrong:
        return _columns(request, found, chosen, scale, wrong.errors)
    return RedirectResponse(f"{found.url}/report", 303)


@router.get("/{workspace_id}/report")
def report(request: Request, found: Found, engine: str = "") -> HTMLResponse:
    """The report of one engine, as soon as it is made."""
    made = _results(found)
    engines = [(item, result) for item, result in made if item.detail["is"] == "engine"]
    shown = next(((i, r) for i, r in engines if i.name == engine), engines[0] if engines else None)
    return _report(request, found, shown, "evaluation/report.html", tab="report", others=[i.name for i, _ in engines])


@router.get("/{workspace_id}/engines")
def engines(request: Request, found: Found) -> HTMLResponse:
    """Engines on the same responses: every difference with its interval."""
    return _engines(request, found, {}, {})


def _engines(request: Request, found: WorkspaceContext, typed: Json, errors: dict[str, str]) -> HTMLResponse:
    made = _results(found)
    shown = next(((i, r) for i, r in made if i.detail["is"] == COMPARISON), None)
    upload, source = table_of(found)
    chosen = found.workspace.settings.get("columns", EMPTY)
    guessed = guess_columns(head_of(source, ROWS_LOOKED_AT))
    taken = {*chosen["human"], *chosen["system"]}
    context = {
        "free": [name for name in guessed.system if name not in taken],
        "chosen": chosen,
        "names": [n for n in source.columns if n not in taken],
        "upload": upload,
        "typed": {ID: "", COLUMN: "", **typed},
        "errors": errors,
    }
    status = 422 if errors else 200
    return _report(request, found, shown, "evaluation/engines.html", tab="engines", status=status, context=context)


@router.post("/{workspace_id}/engines")
def add_engine(request: Request, found: Found, system: Annotated[str, Form()] = "") -> Response:
    """Judge one more column of the table, and compare it with the others."""
    chosen = found.workspace.settings.get("columns", EMPTY)
    more = {**chosen, "system": [*chosen["system"], system]} if system else chosen
    try:
        evaluate_with(found, more, found.workspace.settings.get("scale", ""))
    except FieldErrors as wrong:
        return _columns(request, found, more, found.workspace.settings.get("scale", ""), wrong.errors)
    return RedirectResponse(f"{found.url}/engines", 303)


@router.post("/{workspace_id}/engines/table")
def add_engine_table(
    request: Request,
    found: Found,
    other: Annotated[UploadFile | None, File()] = None,
    other_id: Annotated[str, Form()] = "",
    other_system: Annotated[str, Form()] = "",
) -> Response:
    """Judge an engine whose scores are in a table of their own, joined by id."""
    typed = {ID: other_id, COLUMN: other_system}
    files = given_files([other] if other else [])
    if not files:
        return _engines(request, found, typed, {TABLE: "Choose the table with the scores of the other engine first."})
    try:
        add_table(found, files[0], id_=other_id.strip(), column=other_system.strip())
    except FieldErrors as wrong:
        return _engines(request, found, typed, wrong.errors)
    return RedirectResponse(f"{found.url}/engines", 303)


def _results(found: WorkspaceContext) -> list[tuple[Item, StoredResult | None]]:
    with found.site.database.reading() as connection:
        return scored_items(connection, found.workspace.id, found.workspace.engine)


def _report(
    request: Request,
    found: WorkspaceContext,
    shown: tuple[Item, StoredResult | None] | None,
    template: str,
    *,
    tab: str,
    status: int = 200,
    others: list[str] | None = None,
    context: Json | None = None,
) -> HTMLResponse:
    """A page around a report that a worker has made, or that is being made, or that failed."""
    item, result = shown if shown else (None, None)
    before, after, styles = Markup(), Markup(), ""
    why = ""
    with found.site.database.reading() as connection:
        if result is not None:
            html, styles = extract_inline_styles(read_blob(connection, result.files["page.html"]).decode())
            start, _, rest = html.partition("<!--actions-->")
            before, after = Markup(start), Markup(rest)
        elif item is not None:
            why = _failure(connection, found, item)
    values = {
        "item": item,
        "result": result,
        "before": before,
        "after": after,
        "why": why,
        "engines": others or [],
        **(context or {}),
    }
    return workspace_page(request, found, template, tab=tab, status=status, styles=styles, values=values)


def _failure(connection: Connection, found: WorkspaceContext, item: Item) -> str:
    job = latest_job(connection, found.workspace.id, now=found.site.now())
    failed = dict(failures(connection, job.job_id)) if job else {}
    return failed.get(item.id, "")
