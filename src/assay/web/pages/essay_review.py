"""One essay: the marked text, why this score, and what a person decides."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store.item_listing import ListedItem, ListQuery, ids_in_order, reasons_of_failure, rows, rows_of
from assay.store.items import Item, find_result
from assay.store.overrides import history, standing
from assay.store.workspaces import hold_workspace
from assay.web.workspaces.access import Number, Own, Readable
from assay.web.workspaces.decisions import consequence_of, record_decision, undo_decision
from assay.web.workspaces.essays.exports import final_of, one_exports
from assay.web.workspaces.essays.models import MOST_POINTS, workspace_model
from assay.web.workspaces.essays.scores import payload_score, result_feedback
from assay.web.workspaces.essays.view import essay_view
from assay.web.workspaces.last_decision import last_decision
from assay.web.workspaces.stored_settings import EssaySettings, EssayTask
from assay.web.workspaces.workspace_page import Found, WorkspaceContext, workspace_page

router = APIRouter()
LISTED = 200
"""Essays in the list beside the text."""


@router.get("/{workspace_id}/submissions/{item_id}")
def essay(request: Request, found: Readable, item: Own) -> HTMLResponse:
    """The essay with its notes, and why it has this score."""
    return _essay(request, found, item)


def _essay(
    request: Request, found: WorkspaceContext, item: Item, asked: dict[str, object] | None = None
) -> HTMLResponse:
    """The page; `asked` is an override that is shown before it is saved, or what is wrong with it."""
    engine = found.workspace.engine
    with found.site.database.reading() as connection:
        result = find_result(connection, item.id, engine)
        held = standing(connection, item, engine)
        made = [d for d in history(connection, found.workspace.id, item.id) if d.engine == engine]
        failed = reasons_of_failure(connection, found.workspace.id, engine, [item.id]) if result is None else {}
    people = _people(found, item) if found.visitor.may_train else []
    context: dict[str, object] = {
        "item": item,
        "result": result,
        "failed": failed.get(item.id, ""),
        "people": people,
        "next_waiting": _next_waiting(found, people, item) if held else None,
        "may_decide": found.visitor.may_train,
        "asked": asked or {},
        "history": list(reversed(made)),
        "standing": {decision.id for decision in held},
        "held": held[-1] if held else None,
        "question": EssayTask.from_json(item.detail).prompt or EssaySettings.of(found.workspace).question,
        "model": EssaySettings.of(found.workspace).scoring_model,
        "is_example": found.workspace.example,
    }
    if result is not None:
        scale = workspace_model(found.site, found.workspace).scale
        score = payload_score(item.name, result.payload)
        points, final = scale.points().tolist(), final_of(result, held)
        context |= {
            "payload": result.payload,
            "score": score,
            "final": final,
            "happened": last_decision(made, "none" if final is None else f"{final:g}"),
            "scale": scale,
            "points": points if len(points) <= MOST_POINTS else [],
            "view": essay_view(result_feedback(found.site, result), score, scale),
            "files": one_exports(found.site, found.workspace, item.id, item.name) if found.visitor.may_train else [],
        }
    status = 422 if asked and "wrong" in asked else 200
    return workspace_page(request, found, "essays/essay.html", tab="submissions", context=context, status=status)


def _people(found: WorkspaceContext, item: Item) -> list[ListedItem]:
    """The essays around this one, best first."""
    engine = found.workspace.engine
    with found.site.database.reading() as connection:
        ids = ids_in_order(connection, found.workspace.id, engine, ListQuery())
        at = ids.index(item.id) if item.id in ids else 0
        first = max(0, min(at - LISTED // 2, len(ids) - LISTED))
        return rows_of(connection, found.workspace.id, engine, ids[first : first + LISTED])


def _next_waiting(found: WorkspaceContext, people: list[ListedItem], item: Item) -> ListedItem | None:
    """The essay to go on with: the next one below that nobody has decided about, else the first of all."""
    at = next((place for place, row in enumerate(people) if row.id == item.id), 0)
    below = next((row for row in people[at + 1 :] if row.state == "to review"), None)
    if below is not None or not people:
        return below
    engine, waiting = found.workspace.engine, ListQuery(state="review")
    with found.site.database.reading() as connection:
        return next((r for r in rows(connection, found.workspace.id, engine, waiting, most=2) if r.id != item.id), None)


@router.post("/{workspace_id}/submissions/{item_id}/confirm")
def confirm(request: Request, found: Found, item: Own) -> Response:
    """A person looked and agrees with the score as it stands."""
    try:
        with found.site.database.writing() as connection:
            record_decision(
                connection,
                found.site,
                found.workspace,
                item,
                kind="confirm",
                target="score",
                value=None,
                reason="",
                who=found.visitor,
            )
    except InputError as problem:
        return _essay(request, found, item, {"wrong": str(problem)})
    return RedirectResponse(f"{found.url}/submissions/{item.id}#decided", 303)


@router.post("/{workspace_id}/submissions/{item_id}/override")
def override(
    request: Request,
    found: Found,
    item: Own,
    value: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=4000)] = "",
    shown: Annotated[str, Form(max_length=80)] = "",
) -> Response:
    """Give another score: what it was and becomes is shown first, and saved when it was seen."""
    asked: dict[str, object] = {"value": value, "reason": reason}
    try:
        points = _points(value)
        with found.site.database.writing() as connection:
            hold_workspace(connection, found.workspace.id)
            told = consequence_of(connection, found.site, found.workspace, item, target="score", value=points)
            asked |= {"was": told.previous, "becomes": told.human_score, "system": told.system_score}
            code = f"{told.previous} {told.human_score}"
            if not reason.strip():
                asked["where"] = "reason"
                raise InputError("Say why: an override without a reason cannot be defended later.")
            if shown != code:
                return _essay(request, found, item, {**asked, "code": code})
            record_decision(
                connection,
                found.site,
                found.workspace,
                item,
                kind="override",
                target="score",
                value=points,
                reason=reason,
                who=found.visitor,
            )
    except InputError as problem:
        return _essay(request, found, item, {"where": "value", **asked, "wrong": str(problem)})
    return RedirectResponse(f"{found.url}/submissions/{item.id}#decided", 303)


def _points(text: str) -> float:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise InputError("Choose the score that this essay should have.") from None


@router.post("/{workspace_id}/submissions/{item_id}/decisions/{decision_id}/undo")
def undo(found: Found, item: Own, decision_id: Number) -> RedirectResponse:
    """Take a decision back; what stood before it stands again."""
    with found.site.database.writing() as connection:
        undo_decision(connection, found.site, found.workspace, decision_id, found.visitor)
    return RedirectResponse(f"{found.url}/submissions/{item.id}#decided", 303)
