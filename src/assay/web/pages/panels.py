"""Panels: drop a table of ratings, check columns and raters, read the report."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from assay.errors import InputError
from assay.io.tables.panel_columns import PanelColumns
from assay.store.blobs import read_blob
from assay.store.items import scored_items
from assay.store.jobs import failures, latest_job
from assay.web.pages.page_parts import Editable, Errors, NotSent, Reviewable, cell_text, landing_page, workspace_page
from assay.web.problems import FieldErrors, page_words
from assay.web.site import SiteHere
from assay.web.templating import extract_inline_styles
from assay.web.visitors import Author
from assay.web.workspaces import panels
from assay.web.workspaces.score_tables import head_of
from assay.web.workspaces.scoring import given_files
from assay.web.workspaces.stored_settings import PanelChoice, PanelSettings

router = APIRouter(prefix="/panels")
ROWS_SHOWN = 6
MORE_FIELDS = frozenset(
    (
        "time",
        "family",
        "model_version",
        "author",
        "weight",
        "exclude",
        "margin",
        "scoring",
        *panels.COUNTS,
        "within",
        "pass_mark",
    )
)
"""Fields behind a line, which is open when one of them is wrong."""
Chosen = Annotated[Any, NotSent]


@router.post("")
def create(
    request: Request, site: SiteHere, who: Author, table: Annotated[UploadFile | None, File()] = None
) -> Response:
    """A new workspace from an uploaded table."""
    files = given_files(table)
    try:
        if not files:
            raise InputError("Choose a table first: CSV, TSV, JSONL, XLSX or Parquet.")
        context = panels.new_panel(site, *files[0], who)
    except InputError as error:
        return landing_page(request, site, who, "panels", {"table": page_words(error)})
    return RedirectResponse(f"{context.url}/columns", 303)


@router.get("/{workspace_id}")
def first_page(context: Reviewable) -> RedirectResponse:
    """The report, or the columns while there is none."""
    return RedirectResponse(f"{context.url}/{'report' if context.workspace.engine else 'columns'}", 303)


@router.get("/{workspace_id}/columns")
def columns(request: Request, context: Editable, chosen: Chosen = None, errors: Errors = None) -> HTMLResponse:
    """What each column holds and who is a judge: guessed, with the first rows beside it."""
    upload, source = panels.table_of(context)
    choice: PanelChoice = chosen or PanelSettings.of(context.workspace).panel
    raters = source.columns
    if choice.layout != "wide":
        known = PanelColumns("long", rater=choice.rater if choice.rater in source.columns else None)
        raters = panels.raters_of(source, known)
    values = {
        "upload": upload,
        "names": list(source.columns),
        "rows": [[cell_text(value, 60) for value in row] for row in head_of(source, ROWS_SHOWN).iter_rows()],
        "chosen": choice,
        "raters": list(raters[: panels.MOST_RATERS]),
        "errors": errors or {},
        "more_fields": MORE_FIELDS,
    }
    return workspace_page(request, context, "panels/columns.html", tab="columns", values=values)


@router.post("/{workspace_id}/columns")
async def choose_columns(request: Request, context: Editable) -> Response:
    """Keep the choice and make the report."""
    form = await request.form()
    single = ("layout", *panels.ROLES, *panels.PREFERENCE_ROLES, "kind", "levels", "scale", "scoring")
    values: dict[str, Any] = {name: str(form.get(name, "")).strip() for name in single if name in form}
    for name in ("humans", "judges", "groups", "exclude"):
        values[name] = tuple(str(value) for value in form.getlist(name) if value)
    before, wrong = PanelSettings.of(context.workspace).panel, {}
    for name, usual in (*panels.NUMBERS.items(), *panels.COUNTS.items()):
        written = str(form.get(name, "")).strip().replace(",", ".")
        whole = name in panels.COUNTS
        try:
            if name in form:
                values[name] = (int(written) if whole else float(written)) if written else usual
        except ValueError:
            wrong[name] = "Enter a whole number." if whole else "Enter a number such as 0.1."
    try:
        choice = before.changed(**values)
        if wrong:
            raise FieldErrors(wrong)
        panels.start_panel(context, choice)
    except FieldErrors as error:
        return columns(request, context, choice, error.errors)
    return RedirectResponse(f"{context.url}/report", 303)


@router.get("/{workspace_id}/report")
def report(request: Request, context: Reviewable) -> HTMLResponse:
    """The report, as soon as it is made."""
    scored = context.site.database.read(scored_items, context.workspace.id, context.workspace.engine)
    item, result = scored[0] if scored else (None, None)
    before, after, styles, why = Markup(), Markup(), "", ""
    with context.site.database.reading() as connection:
        if result is not None:
            html, styles = extract_inline_styles(read_blob(connection, result.files["page.html"]).decode())
            start, _, rest = html.partition("<!--actions-->")
            before, after = Markup(start), Markup(rest)
        elif item is not None:
            job = latest_job(connection, context.workspace.id, now=context.site.now())
            why = dict(failures(connection, job.job_id)).get(item.id, "") if job else ""
    values = {"item": item, "result": result, "before": before, "after": after, "why": why}
    return workspace_page(request, context, "panels/report.html", tab="report", styles=styles, values=values)
