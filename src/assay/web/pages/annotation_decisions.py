"""What a person decides about a submission: shown before it is saved, and undone."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from assay.errors import InputError
from assay.store.database import Connection
from assay.store.items import Item
from assay.store.workspaces import hold_workspace
from assay.web.pages.annotation_review import submission_page
from assay.web.problems import page_words
from assay.web.workspaces.decisions import consequence_of, record_decision, undo_decision
from assay.web.workspaces.workspace_page import Found, Number, Own, WorkspaceContext

router = APIRouter()


@router.get("/{workspace_id}/submissions/{item_id}/effect")
def effect(context: Found, item: Own, target: Annotated[str, Query(max_length=400)], value: float) -> JSONResponse:
    """What the score would become."""
    with context.site.database.reading() as connection:
        consequence = consequence_of(connection, context.site, context.workspace, item, target=target, value=value)
    return JSONResponse({"becomes": f"{consequence.human_score:.1f}" if consequence.human_score is not None else "n/a"})


@router.post("/{workspace_id}/submissions/{item_id}/decisions")
def decide(
    request: Request,
    context: Found,
    item: Own,
    choice: Annotated[str, Form(max_length=500)] = "",
    points: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=4000)] = "",
    image: Annotated[int, Form(ge=1)] = 1,
    finding: Annotated[int, Form(ge=0)] = 0,
) -> Response:
    """Confirm the score, or override a part of it: only after what it becomes was shown."""
    back = f"{context.url}/submissions/{item.id}?{urlencode({'image': image, 'finding': finding})}"
    shown, value, target = _read_choice(choice, points)
    asked: dict[str, Any] = {"choice": choice, "points": points, "reason": reason}
    try:
        with context.site.database.writing() as connection:
            hold_workspace(connection, context.workspace.id)
            if target == "score":
                _record(context, item, connection, "score", None, reason, kind="confirm")
                return RedirectResponse(back, 303)
            if value is None:
                raise InputError("Give the match a score from 0 to 100.")
            consequence = consequence_of(connection, context.site, context.workspace, item, target=target, value=value)
            becomes = f"{consequence.human_score:.1f}"
            if shown != becomes:
                asked |= {"was": consequence.previous, "value": value, "becomes": becomes, "target": target}
                asked |= {"code": f"{becomes}|{value:g}|{target}"}
                return submission_page(request, context, item, image, finding, asked=asked)
            _record(context, item, connection, target, value, reason, kind="override")
    except InputError as problem:
        return submission_page(request, context, item, image, finding, asked=asked | {"wrong": page_words(problem)})
    return RedirectResponse(back, 303)


def _read_choice(choice: str, points: str) -> tuple[str, float | None, str]:
    """What a form holds: the score that was shown, the value, the target. An empty value stands for the points."""
    if choice in ("", "confirm"):
        return "", None, "score"
    shown, _, rest = choice.partition("|")
    value, _, target = rest.partition("|")
    try:
        return shown, float(value or points.replace(",", ".")), target
    except ValueError:
        return shown, None, target


def _record(
    context: WorkspaceContext,
    item: Item,
    connection: Connection,
    target: str,
    value: float | None,
    reason: str,
    *,
    kind: Literal["override", "confirm"],
) -> None:
    record_decision(
        connection,
        context.site,
        context.workspace,
        item,
        kind=kind,
        target=target,
        value=value,
        reason=reason,
        who=context.visitor,
    )


@router.post("/{workspace_id}/submissions/{item_id}/decisions/{decision_id}/undo")
def undo(
    context: Found,
    item: Own,
    decision_id: Number,
    image: Annotated[int, Form(ge=1)] = 1,
    finding: Annotated[int, Form(ge=0)] = 0,
) -> RedirectResponse:
    """Take a decision back."""
    with context.site.database.writing() as connection:
        undo_decision(connection, context.site, context.workspace, decision_id, context.visitor)
    return RedirectResponse(
        f"{context.url}/submissions/{item.id}?{urlencode({'image': image, 'finding': finding})}", 303
    )
