"""One essay: the marked text, why this score, and what a person decides."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store.item_listing import ListedItem, ListQuery, ids_in_order, reasons_of_failure, rows, rows_of
from assay.store.items import Item, find_result
from assay.store.overrides import history, item_decisions
from assay.store.workspaces import hold_workspace
from assay.web.problems import page_words
from assay.web.workspaces.decisions import consequence_of, last_decision, record_decision, undo_decision
from assay.web.workspaces.essays.exports import ESSAY_EXPORTS
from assay.web.workspaces.essays.models import MOST_POINTS, payload_score, result_feedback, workspace_model
from assay.web.workspaces.essays.view import essay_view
from assay.web.workspaces.stored_settings import EssaySettings, EssayTask
from assay.web.workspaces.workspace_page import Editable, Number, Own, Readable, WorkspaceContext, workspace_page

router = APIRouter()
LISTED = 200
"""Essays in the list beside the text."""


@router.get("/{workspace_id}/submissions/{item_id}")
def essay(request: Request, context: Readable, item: Own) -> HTMLResponse:
    """The essay with its notes, and why it has this score."""
    return _essay(request, context, item)


def _essay(
    request: Request, context: WorkspaceContext, item: Item, asked: dict[str, object] | None = None
) -> HTMLResponse:
    """The page; `asked` is an override that is shown before it is saved, or what is wrong with it."""
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        result = find_result(connection, item.id, engine)
        decisions = item_decisions(connection, item, engine)
        made = [d for d in history(connection, context.workspace.id, item.id) if d.engine == engine]
        failed = reasons_of_failure(connection, context.workspace.id, engine, [item.id]) if result is None else {}
    people = _people(context, item) if context.visitor.may_train else []
    values: dict[str, object] = {
        "item": item,
        "result": result,
        "failed": failed.get(item.id, ""),
        "people": people,
        "next_waiting": _next_waiting(context, people, item) if decisions else None,
        "may_decide": context.visitor.may_train,
        "asked": asked or {},
        "history": list(reversed(made)),
        "active": {decision.id for decision in decisions},
        "decision": decisions[-1] if decisions else None,
        "question": EssayTask.from_json(item.detail).prompt or EssaySettings.of(context.workspace).question,
        "model": EssaySettings.of(context.workspace).scoring_model,
        "is_example": context.workspace.example,
    }
    if result is not None:
        scale = workspace_model(context.site, context.workspace).scale
        score = payload_score(item.name, result.payload)
        final = decisions[-1].human_score if decisions else result.score
        points = scale.points().tolist()
        values |= {
            "payload": result.payload,
            "score": score,
            "final": final,
            "happened": last_decision(made, "none" if final is None else f"{final:g}"),
            "scale": scale,
            "points": points if len(points) <= MOST_POINTS else [],
            "view": essay_view(result_feedback(context.site, result), score, scale),
            "files": ESSAY_EXPORTS.one(context.site, context.workspace, item.id, item.name)
            if context.visitor.may_train
            else [],
        }
    status = 422 if asked and "wrong" in asked else 200
    return workspace_page(request, context, "essays/essay.html", tab="submissions", values=values, status=status)


def _people(context: WorkspaceContext, item: Item) -> list[ListedItem]:
    """The essays around this one, best first."""
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        ids = ids_in_order(connection, context.workspace.id, engine, ListQuery())
        at = ids.index(item.id) if item.id in ids else 0
        first = max(0, min(at - LISTED // 2, len(ids) - LISTED))
        return rows_of(connection, context.workspace.id, engine, ids[first : first + LISTED])


def _next_waiting(context: WorkspaceContext, people: list[ListedItem], item: Item) -> ListedItem | None:
    """The essay to go on with: the next one below that nobody has decided about, else the first of all."""
    at = next((place for place, row in enumerate(people) if row.id == item.id), 0)
    below = next((row for row in people[at + 1 :] if row.state == "to review"), None)
    if below is not None or not people:
        return below
    engine, waiting = context.workspace.engine, ListQuery(state="review")
    with context.site.database.reading() as connection:
        return next(
            (r for r in rows(connection, context.workspace.id, engine, waiting, most=2) if r.id != item.id), None
        )


@router.post("/{workspace_id}/submissions/{item_id}/confirm")
def confirm(request: Request, context: Editable, item: Own) -> Response:
    """A person looked and agrees with the score as it stands."""
    try:
        with context.site.database.writing() as connection:
            record_decision(
                connection,
                context.site,
                context.workspace,
                item,
                kind="confirm",
                target="score",
                value=None,
                reason="",
                who=context.visitor,
            )
    except InputError as problem:
        return _essay(request, context, item, {"wrong": page_words(problem)})
    return RedirectResponse(f"{context.url}/submissions/{item.id}#decided", 303)


@router.post("/{workspace_id}/submissions/{item_id}/override")
def override(
    request: Request,
    context: Editable,
    item: Own,
    value: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=4000)] = "",
    shown: Annotated[str, Form(max_length=80)] = "",
) -> Response:
    """Give another score: what it was and becomes is shown first, and saved when it was seen."""
    asked: dict[str, object] = {"value": value, "reason": reason}
    try:
        points = _points(value)
        with context.site.database.writing() as connection:
            hold_workspace(connection, context.workspace.id)
            told = consequence_of(connection, context.site, context.workspace, item, target="score", value=points)
            asked |= {"was": told.previous, "becomes": told.human_score, "system": told.system_score}
            code = f"{told.previous} {told.human_score}"
            if not reason.strip():
                asked["where"] = "reason"
                raise InputError("Say why: an override without a reason cannot be defended later.")
            if shown != code:
                return _essay(request, context, item, {**asked, "code": code})
            record_decision(
                connection,
                context.site,
                context.workspace,
                item,
                kind="override",
                target="score",
                value=points,
                reason=reason,
                who=context.visitor,
            )
    except InputError as problem:
        return _essay(request, context, item, {"where": "value", **asked, "wrong": page_words(problem)})
    return RedirectResponse(f"{context.url}/submissions/{item.id}#decided", 303)


def _points(text: str) -> float:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise InputError("Choose the score that this essay should have.") from None


@router.post("/{workspace_id}/submissions/{item_id}/decisions/{decision_id}/undo")
def undo(context: Editable, item: Own, decision_id: Number) -> RedirectResponse:
    """Take a decision back; what stood before it stands again."""
    with context.site.database.writing() as connection:
        undo_decision(connection, context.site, context.workspace, decision_id, context.visitor)
    return RedirectResponse(f"{context.url}/submissions/{item.id}#decided", 303)
