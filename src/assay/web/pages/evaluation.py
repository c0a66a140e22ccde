"""Evaluation workspaces: drop a table, check the columns, read the report, compare engines."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from assay.errors import InputError
from assay.evaluation.reference import REFERENCES
from assay.io.tables.columns import ROWS_LOOKED_AT, guess_columns
from assay.store.blobs import read_blob
from assay.store.items import Item, StoredResult, scored_items
from assay.store.jobs import failures, latest_job
from assay.store.schema import Json
from assay.web.pages.page_parts import (
    Editable,
    Errors,
    NotSent,
    Reviewable,
    Typed,
    cell_text,
    landing_page,
    workspace_page,
)
from assay.web.problems import FieldErrors, page_words
from assay.web.site import SiteHere
from assay.web.templating import extract_inline_styles
from assay.web.visitors import Author
from assay.web.workspaces import score_tables as tables
from assay.web.workspaces.evaluation_options import DEFAULTS, INTERVALS, form_texts, options_of
from assay.web.workspaces.scoring import WorkspaceContext, given_files
from assay.web.workspaces.stored_settings import EvaluationOptions, EvaluationSettings

router = APIRouter(prefix="/evaluation")
ROWS_SHOWN = 6
Text = Annotated[str, Form()]
TypedJson = Annotated[Json | None, NotSent]
Names = Annotated[list[str] | None, Form()]


@router.post("")
def create(
    request: Request, site: SiteHere, who: Author, table: Annotated[UploadFile | None, File()] = None
) -> Response:
    """A new workspace from an uploaded table."""
    files = given_files(table)
    try:
        if not files:
            raise InputError("Choose a table first: CSV, TSV, JSONL, XLSX or Parquet.")
        context = tables.new_evaluation(site, *files[0], who)
    except InputError as error:
        return landing_page(request, site, who, "evaluation", {"table": page_words(error)})
    return RedirectResponse(f"{context.url}/columns", 303)


@router.get("/{workspace_id}")
def first_page(context: Reviewable) -> RedirectResponse:
    """The report, or the columns while there is none."""
    return RedirectResponse(f"{context.url}/{'report' if context.workspace.engine else 'columns'}", 303)


@router.get("/{workspace_id}/columns")
def columns(
    request: Request,
    context: Editable,
    chosen: TypedJson = None,
    scale: Typed = None,
    errors: Errors = None,
    reference: Typed = None,
    options: TypedJson = None,
) -> HTMLResponse:
    """Which column holds what: guessed, with the first rows beside it."""
    upload, source = tables.table_of(context)
    settings = EvaluationSettings.of(context.workspace)
    chosen = tables.chosen_columns(context.workspace) if chosen is None else chosen
    roles: dict[str, str] = {}  # column -> the word above it in the first rows
    for role in ("id", "human", "system", "groups", "candidate", "length"):
        names = chosen.get(role) or []
        word = "group" if role == "groups" else role
        roles |= {name: word for name in ([names] if isinstance(names, str) else names) if name not in roles}
    values = {
        "upload": upload,
        "names": list(source.columns),
        "rows": [[cell_text(value, 60) for value in row] for row in tables.head_of(source, ROWS_SHOWN).iter_rows()],
        "chosen": chosen,
        "scale": settings.scale if scale is None else scale,
        "reference": (settings.reference if reference is None else reference) or REFERENCES[0],
        "references": REFERENCES,
        "options": form_texts(settings.options) | (options or {}),
        "intervals": INTERVALS,
        "more_open": bool(set(errors or {}) & set(EvaluationOptions.model_fields)) or settings.options != DEFAULTS,
        "errors": errors or {},
        "roles": roles,
    }
    return workspace_page(request, context, "evaluation/columns.html", tab="columns", values=values)


@router.post("/{workspace_id}/columns")
def choose_columns(
    request: Request,
    context: Editable,
    human: Names = None,
    system: Names = None,
    groups: Names = None,
    id: Text = "",
    candidate: Text = "",
    length: Text = "",
    scale: Text = "",
    reference: Text = "",
    weights: Text = "",
    min_items: Text = "",
    min_group: Text = "",
    cuts: Text = "",
    flag: Text = "",
    keep_zeros: Text = "",
    trim_tolerance: Text = "",
    rater_error_variance: Text = "",
    intervals: Text = "",
    seed: Text = "",
) -> Response:
    """Keep the choice and evaluate."""
    typed = {"weights": weights, "min_items": min_items, "min_group": min_group, "cuts": cuts, "flag": flag}
    typed |= {"keep_zeros": keep_zeros, "trim_tolerance": trim_tolerance, "intervals": intervals, "seed": seed}
    typed |= {"rater_error_variance": rater_error_variance}
    several = {"human": human, "system": system, "groups": groups}
    chosen: Json = {role: [name for name in names or [] if name] for role, names in several.items()}
    chosen = {"id": id, **chosen, "candidate": candidate, "length": length}
    try:
        tables.evaluate_with(context, chosen, scale.strip(), reference, options_of(typed))
    except FieldErrors as wrong:
        return columns(request, context, chosen, scale, wrong.errors, reference, typed)
    return RedirectResponse(f"{context.url}/report", 303)


@router.get("/{workspace_id}/report")
def report(request: Request, context: Reviewable, engine: str = "") -> HTMLResponse:
    """The report of one engine, as soon as it is made."""
    engines = _results(context, "engine")
    shown = next((pair for pair in engines if pair[0].name == engine), engines[0] if engines else None)
    values = {"engines": [item.name for item, _ in engines]}
    return _report(request, context, shown, "report", values)


@router.get("/{workspace_id}/engines")
def engines(request: Request, context: Editable, typed: TypedJson = None, errors: Errors = None) -> HTMLResponse:
    """Engines on the same responses: every difference with its interval."""
    upload, source = tables.table_of(context)
    chosen = tables.chosen_columns(context.workspace)
    taken = {*chosen["human"], *chosen["system"]}
    guessed = guess_columns(tables.head_of(source, ROWS_LOOKED_AT))
    values = {
        "free": [name for name in guessed.system if name not in taken],
        "chosen": chosen,
        "names": [name for name in source.columns if name not in taken],
        "upload": upload,
        "typed": {tables.ID: "", tables.COLUMN: "", **(typed or {})},
        "errors": errors or {},
    }
    return _report(request, context, next(iter(_results(context, tables.COMPARISON)), None), "engines", values)


@router.post("/{workspace_id}/engines")
def add_engine(request: Request, context: Editable, system: Text = "") -> Response:
    """Judge one more column of the table, and compare it with the others."""
    chosen, settings = tables.chosen_columns(context.workspace), EvaluationSettings.of(context.workspace)
    more = {**chosen, "system": [*chosen["system"], system]} if system else chosen
    try:
        tables.evaluate_with(context, more, settings.scale, settings.reference, settings.options)
    except FieldErrors as wrong:
        return columns(request, context, more, settings.scale, wrong.errors)
    return RedirectResponse(f"{context.url}/engines", 303)


@router.post("/{workspace_id}/engines/table")
def add_engine_table(
    request: Request,
    context: Editable,
    other: Annotated[UploadFile | None, File()] = None,
    other_id: Text = "",
    other_system: Text = "",
) -> Response:
    """Judge an engine whose scores are in a table of their own, joined by id."""
    typed = {tables.ID: other_id, tables.COLUMN: other_system}
    files = given_files(other)
    try:
        if not files:
            raise FieldErrors({tables.TABLE: "Choose the table with the scores of the other engine first."})
        tables.add_table(context, files[0], id_=other_id.strip(), column=other_system.strip())
    except FieldErrors as wrong:
        return engines(request, context, typed, wrong.errors)
    return RedirectResponse(f"{context.url}/engines", 303)


def _results(context: WorkspaceContext, what: str) -> list[tuple[Item, StoredResult | None]]:
    """The engines, or the comparison, with what is known of them."""
    scored = context.site.database.read(scored_items, context.workspace.id, context.workspace.engine)
    return [(item, result) for item, result in scored if item.detail["is"] == what]


def _report(
    request: Request, context: WorkspaceContext, shown: tuple[Item, StoredResult | None] | None, tab: str, values: Json
) -> HTMLResponse:
    """A page around a report that a worker has made, or that is being made, or that failed."""
    item, result = shown or (None, None)
    before, after, styles, why = Markup(), Markup(), "", ""
    with context.site.database.reading() as connection:
        if result is not None:
            html, styles = extract_inline_styles(read_blob(connection, result.files["page.html"]).decode())
            start, _, rest = html.partition("<!--actions-->")
            before, after = Markup(start), Markup(rest)
        elif item is not None:
            job = latest_job(connection, context.workspace.id, now=context.site.now())
            why = dict(failures(connection, job.job_id)).get(item.id, "") if job else ""
    values |= {"item": item, "result": result, "before": before, "after": after, "why": why}
    return workspace_page(request, context, f"evaluation/{tab}.html", tab=tab, styles=styles, values=values)
