"""One essay: the marked text, why this score, and what a person decides."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store.item_listing import ListedItem, ListQuery, rows
from assay.store.items import Item
from assay.store.schema import Json
from assay.store.workspaces import hold_workspace
from assay.web.pages.page_parts import NotSent, review_of, save_decision
from assay.web.problems import page_words
from assay.web.workspaces.decisions import consequence_of, last_decision, undo_decision
from assay.web.workspaces.essays.exports import ESSAY_EXPORTS
from assay.web.workspaces.essays.models import MOST_POINTS, payload_score, result_feedback, workspace_model
from assay.web.workspaces.essays.view import essay_view
from assay.web.workspaces.stored_settings import EssaySettings, EssayTask
from assay.web.workspaces.workspace_page import Editable, Number, Own, Readable, WorkspaceContext, workspace_page

router = APIRouter(prefix="/essays/{workspace_id}/submissions/{item_id}")


@router.get("")
def essay(
    request: Request, context: Readable, item: Own, asked: Annotated[Json | None, NotSent] = None
) -> HTMLResponse:
    """The essay with its notes, and why it has this score."""
    site, workspace, may_train = context.site, context.workspace, context.visitor.may_train
    review = review_of(context, item, asked)
    result, decisions = review.result, review.decisions
    values = {
        **review._asdict(),
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
            "view": essay_view(result_feedback(site, result), score, scale),
            "files": ESSAY_EXPORTS.one(site, workspace, item.id, item.name) if may_train else [],
        }
    status = 422 if asked and "wrong" in asked else 200
    return workspace_page(request, context, "essays/essay.html", tab="submissions", values=values, status=status)


def _next_waiting(context: WorkspaceContext, people: list[ListedItem], item: Item) -> ListedItem | None:
    """The essay to go on with: the next one below that nobody has decided about, else the first of all."""
    at = next((place for place, row in enumerate(people) if row.id == item.id), 0)
    below = next((row for row in people[at + 1 :] if row.state == "to review"), None)
    if below is not None or not people:
        return below
    with context.site.database.reading() as connection:
        waiting = rows(connection, context.workspace.id, context.workspace.engine, ListQuery(state="review"), most=2)
    return next((row for row in waiting if row.id != item.id), None)


def _decided(context: WorkspaceContext, item: Item) -> RedirectResponse:
    return RedirectResponse(f"{context.url}/submissions/{item.id}#decided", 303)


@router.post("/confirm")
def confirm(request: Request, context: Editable, item: Own) -> Response:
    """A person looked and agrees with the score as it stands."""
    try:
        with context.site.database.writing() as connection:
            save_decision(connection, context, item, "confirm")
    except InputError as problem:
        return essay(request, context, item, {"wrong": page_words(problem)})
    return _decided(context, item)


@router.post("/override")
def override(
    request: Request,
    context: Editable,
    item: Own,
    value: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=4000)] = "",
    shown: Annotated[str, Form(max_length=80)] = "",
) -> Response:
    """Give another score: what it was and becomes is shown first, and saved when it was seen."""
    asked: Json = {"value": value, "reason": reason}
    try:
        points = _points(value)
        with context.site.database.writing() as connection:
            hold_workspace(connection, context.workspace.id)
            effect = consequence_of(connection, context.site, context.workspace, item, target="score", value=points)
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
    return _decided(context, item)


def _points(text: str) -> float:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise InputError("Choose the score that this essay should have.") from None


@router.post("/decisions/{decision_id}/undo")
def undo(context: Editable, item: Own, decision_id: Number) -> RedirectResponse:
    """Take a decision back; what stood before it stands again."""
    with context.site.database.writing() as connection:
        undo_decision(connection, context.site, context.workspace, decision_id, context.visitor)
    return _decided(context, item)
