"""Essay workspaces: paste or upload essays, see the class, its insights and exports; one essay, and what is decided."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store.item_listing import STATES, ListedItem, ListQuery, rows, totals
from assay.store.items import Item, workspace_items
from assay.store.schema import Json
from assay.store.workspaces import find_workspace, hold_workspace
from assay.web.pages import page_parts as parts
from assay.web.pages.page_parts import Editable, Own, Readable, Reviewable, workspace_page
from assay.web.pages.shared_pages import file_answer
from assay.web.problems import FieldErrors, NotFound, page_words
from assay.web.site import SiteHere
from assay.web.visitors import Author
from assay.web.workspaces.decisions import consequence_of, last_decision, save_decision, undo_decision
from assay.web.workspaces.essays import workspace as work
from assay.web.workspaces.essays.exports import ESSAY_EXPORTS
from assay.web.workspaces.essays.models import MOST_POINTS, payload_score, result_feedback, workspace_model
from assay.web.workspaces.essays.view import essay_view, insights_of, spread_of
from assay.web.workspaces.scoring import WorkspaceContext, given_files, take_files
from assay.web.workspaces.stored_settings import EssayColumnNames, EssaySettings, EssayTask

router = APIRouter(prefix="/essays")
COLUMNS = {
    "name": ("Essay", ""),
    "final": ("Score", "n"),
    "raw": ("Raw", "n hide-s"),
    "words": ("Words", "n hide-s"),
    "errors": ("Findings", "n"),
    "doubts": ("Flags", "n hide-s"),
}
"""Sort key -> heading and class."""
Text = Annotated[str, Form(max_length=1_000_000)]
Long = Annotated[str, Form(max_length=4000)]
Many = Annotated[list[UploadFile] | None, File()]


@router.post("/paste")
def paste(
    request: Request, site: SiteHere, who: Author, text: Text = "", writer: parts.Short = "", question: Long = ""
) -> Response:
    """A new workspace from a text in a form, scored at once."""
    typed = {"text": text, "writer": writer, "question": question}
    title = writer.strip() or "Pasted essay"
    try:
        if not text.strip():
            raise InputError("Paste or write an essay first.")
        context = work.new_workspace(site, [work.pasted(title, text)], who, title=title, question=question)
    except (FieldErrors, InputError) as problem:
        return parts.landing_page(request, site, who, "essays", {"text": page_words(problem)}, **typed)
    (item,) = site.database.read(workspace_items, context.workspace.id)
    return RedirectResponse(f"{context.url}/submissions/{item.id}", 303)


@router.post("")
def create(request: Request, site: SiteHere, who: Author, essays: Many = None, title: parts.Short = "") -> Response:
    """A new workspace from a table or documents."""
    files = given_files(essays)
    try:
        if not files:
            raise InputError("Choose a table or documents first.")
        context = work.new_workspace(site, files, who, title=title)
    except (FieldErrors, InputError) as problem:
        errors = {"essays": page_words(problem)}
        return parts.landing_page(request, site, who, "essays", errors, title=title)
    return RedirectResponse(context.url, 303)


@router.get("/{workspace_id}")
def first_page(context: Reviewable) -> RedirectResponse:
    """The essays, or the columns while they must be chosen."""
    waits = work.table_upload(context.site, context.workspace.id) is not None and not context.workspace.engine
    return RedirectResponse(f"{context.url}/{'columns' if waits else 'submissions'}", 303)


@router.get("/{workspace_id}/columns")
def columns(
    request: Request,
    context: Editable,
    chosen: Annotated[EssayColumnNames | None, parts.NotSent] = None,
    question: parts.Typed = None,
    errors: parts.Errors = None,
) -> HTMLResponse:
    """Which column holds what: guessed, with the first rows beside it."""
    upload = work.table_upload(context.site, context.workspace.id)
    if upload is None:
        raise InputError("This workspace holds no table: its essays are documents, which have no columns.")
    settings = EssaySettings.of(context.workspace)
    values = {
        **parts.essay_table_values(context, upload, chosen or settings.columns),
        "question": settings.question if question is None else question,
        "errors": errors or {},
        "model": settings.scoring_model,
    }
    return workspace_page(request, context, "essays/columns.html", tab="submissions", values=values)


@router.post("/{workspace_id}/columns")
def choose_columns(
    request: Request,
    context: Editable,
    text: parts.Short = "",
    id: parts.Short = "",
    prompt: parts.Short = "",
    score: parts.Short = "",
    program: parts.Short = "",
    question: Long = "",
) -> Response:
    """Keep the choice and score."""
    chosen = EssayColumnNames(text=text, id=id, prompt=prompt, score=score, program=program)
    try:
        work.score_with(context, columns=chosen, question=question)
    except FieldErrors as wrong:
        return columns(request, context, chosen, question, wrong.errors)
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.get("/{workspace_id}/submissions")
def submissions(
    request: Request,
    context: Reviewable,
    find: parts.SearchText = "",
    state: Annotated[str, Query(max_length=20)] = "",
    sort: Annotated[str, Query(max_length=20)] = "final",
    order: Annotated[str, Query(max_length=5)] = "down",
    page: parts.PageNumber = 1,
    errors: parts.Errors = None,
) -> HTMLResponse:
    """The class: how scores spread, and a page of essays."""
    workspace, settings = context.workspace, EssaySettings.of(context.workspace)
    sort, state = sort if sort in COLUMNS else "final", state if state in STATES else ""
    with context.site.database.reading() as connection:
        scale = workspace_model(context.site, workspace).scale
        spread = spread_of(connection, workspace.id, workspace.engine, scale)
    values = {
        **parts.list_values(context, ListQuery(sort, order != "up", find.strip(), state), page, COLUMNS),
        "spread": spread,
        "has_table": work.table_upload(context.site, workspace.id) is not None,
        "human_column": settings.columns.score,
        "errors": errors or {},
    }
    return workspace_page(request, context, "essays/submissions.html", tab="submissions", values=values)


@router.post("/{workspace_id}/essays")
def add(
    request: Request, context: Editable, essays: Many = None, text: Text = "", writer: parts.Short = ""
) -> Response:
    """Further essays; scored at once unless columns must be chosen."""
    files = given_files(essays)
    if text.strip():
        files.append(work.pasted(writer, text))
    try:
        if not files:
            raise InputError("Choose files, or paste an essay.")
        with context.site.database.writing() as connection:
            take_files(connection, context, "essays", files)
            workspace = find_workspace(connection, context.workspace.id) or context.workspace
        work.score_if_ready(replace(context, workspace=workspace))
    except (FieldErrors, InputError) as problem:
        return submissions(request, context, errors={"essays": page_words(problem)})
    waits = EssaySettings.of(workspace).columns_chosen is False
    return RedirectResponse(f"{context.url}/{'columns' if waits else 'submissions'}", 303)


@router.post("/{workspace_id}/reviews")
def take_reviews(context: Editable) -> RedirectResponse:
    """The human scores of the table count as reviews from now on."""
    if not context.workspace.engine:
        raise InputError("Score the essays first.")
    work.reviews_from_table(context)
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.get("/{workspace_id}/insights")
def insights(request: Request, context: Reviewable) -> HTMLResponse:
    """What the class has in common."""
    engine, workspace_id = context.workspace.engine, context.workspace.id
    with context.site.database.reading() as connection:
        counts = totals(connection, workspace_id, engine)
        spread = spread_of(connection, workspace_id, engine, workspace_model(context.site, context.workspace).scale)
        common = insights_of(connection, workspace_id, engine) if counts.scored else None
    values = {"totals": counts, "spread": spread, "common": common}
    return workspace_page(request, context, "essays/insights.html", tab="insights", values=values)


@router.get("/{workspace_id}/exports")
def exports(
    request: Request, context: Editable, find: parts.SearchText = "", page: parts.PageNumber = 1
) -> HTMLResponse:
    """Everything that can be taken away: of all essays, and of each."""
    values = parts.export_values(context, ESSAY_EXPORTS, find, page)
    return workspace_page(request, context, "essays/exports.html", tab="exports", values=values)


@router.get("/{workspace_id}/exports/{group}/{name}")
def export(context: Editable, group: str, name: str, show: bool = False) -> Response:
    """One file, to keep or (a report) to open."""
    return file_answer(ESSAY_EXPORTS.find(context.site, context.workspace, f"{group}/{name}"), show=show)


@router.get("/{workspace_id}/submissions/{item_id}")
def essay(
    request: Request, context: Readable, item: Own, asked: Annotated[Json | None, parts.NotSent] = None
) -> HTMLResponse:
    """The essay with its notes, and why it has this score."""
    site, workspace, may_train = context.site, context.workspace, context.visitor.may_train
    shown = parts.shown_here(context, item)
    if "errors" not in shown:
        raise NotFound("Your teacher shows the grade of this work on your own page only.")
    review = parts.review_of(context, item, asked)
    result, decisions = review.result, review.decisions
    values = {
        **review._asdict(),
        "shown": shown,
        "next_waiting": _next_waiting(context, review.people, item) if decisions else None,
        "decision": decisions[-1] if decisions else None,
        "question": EssayTask.from_json(item.detail).prompt or EssaySettings.of(workspace).question,
    }
    if result is not None:
        scale = workspace_model(site, workspace).scale
        score = payload_score(item.name, result.payload)
        final = decisions[-1].human_score if decisions else result.score
        points = scale.points().tolist()
        values |= {
            "payload": result.payload,
            "score": score,
            "final": final,
            "happened": last_decision(review.history, "none" if final is None else f"{final:g}"),
            "scale": scale,
            "points": points if len(points) <= MOST_POINTS else [],
            "view": essay_view(result_feedback(site, result), score, scale, result.payload["raising"]),
            "files": ESSAY_EXPORTS.one(site, workspace, item.id, item.name) if may_train else [],
        }
    status = 422 if asked and "wrong" in asked else 200
    return workspace_page(request, context, "essays/essay.html", tab="submissions", values=values, status=status)


def _next_waiting(context: WorkspaceContext, people: list[ListedItem], item: Item) -> ListedItem | None:
    """The essay to go on with: the next one below that nobody has decided about, else the first of all."""
    at = next((place for place, row in enumerate(people) if row.id == item.id), 0)
    below = next((row for row in people[at + 1 :] if row.state in ("to review", "appeal")), None)
    if below is not None or not people:
        return below
    waiting = context.site.database.read(
        rows, context.workspace.id, context.workspace.engine, ListQuery(state="review"), most=2
    )
    return next((row for row in waiting if row.id != item.id), None)


@router.post("/{workspace_id}/submissions/{item_id}/confirm")
def confirm(request: Request, context: Reviewable, item: Own) -> Response:
    """A person looked and agrees with the score as it stands."""
    try:
        with context.site.database.writing() as connection:
            save_decision(connection, context, item, "confirm")
    except InputError as problem:
        return essay(request, context, item, {"wrong": page_words(problem)})
    return RedirectResponse(f"{context.url}/submissions/{item.id}#decided", 303)


@router.post("/{workspace_id}/submissions/{item_id}/override")
def override(
    request: Request,
    context: Reviewable,
    item: Own,
    value: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=4000)] = "",
    shown: Annotated[str, Form(max_length=80)] = "",
) -> Response:
    """Give another score: what it was and becomes is shown first, and saved when it was seen."""
    asked: Json = {"value": value, "reason": reason}
    try:
        try:
            points = float(value.strip().replace(",", "."))
        except ValueError:
            raise InputError("Choose the score that this essay should have.") from None
        with context.site.database.writing() as connection:
            hold_workspace(connection, context.workspace.id)
            effect = consequence_of(connection, context, item, "score", points)
            asked |= {"was": effect.previous, "becomes": effect.human_score, "system": effect.system_score}
            code = f"{effect.previous} {effect.human_score}"
            if not reason.strip():
                asked["where"] = "reason"
                raise InputError("Say why: an override without a reason cannot be defended later.")
            if shown != code:
                return essay(request, context, item, {**asked, "code": code})
            save_decision(connection, context, item, "override", value=points, reason=reason)
    except InputError as problem:
        return essay(request, context, item, {"where": "value", **asked, "wrong": page_words(problem)})
    return RedirectResponse(f"{context.url}/submissions/{item.id}#decided", 303)


@router.post("/{workspace_id}/submissions/{item_id}/decisions/{decision_id}/undo")
def undo(context: Reviewable, item: Own, decision_id: parts.Number) -> RedirectResponse:
    """Take a decision back; what stood before it stands again."""
    with context.site.database.writing() as connection:
        undo_decision(connection, context, decision_id)
    return RedirectResponse(f"{context.url}/submissions/{item.id}#decided", 303)
