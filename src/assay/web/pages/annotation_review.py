"""One submission: the image with both drawings, the findings, why this score, and what a person decides."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from assay.errors import InputError
from assay.io.image_files import image_header
from assay.store.items import Item, find_item_id, find_result, students_items
from assay.store.overrides import Decision, item_decisions
from assay.store.schema import Json
from assay.store.workspaces import hold_workspace
from assay.web.pages.page_parts import NotSent, review_of, save_decision
from assay.web.problems import NotFound, page_words
from assay.web.templating import render
from assay.web.workspaces.annotations.decisions import Work, decision_words, detail_of, target_words
from assay.web.workspaces.annotations.exports import ANNOTATION_EXPORTS
from assay.web.workspaces.annotations.scores import original_score, workspace_images, workspace_truth
from assay.web.workspaces.annotations.view import image_view
from assay.web.workspaces.decisions import consequence_of, last_decision, undo_decision
from assay.web.workspaces.workspace_page import Editable, Number, Own, Readable, WorkspaceContext, workspace_page

router = APIRouter(prefix="/annotations/{workspace_id}")
ImageNumber = Annotated[int, Query(ge=1, le=10_000_000)]
FindingNumber = Annotated[int, Query(ge=0, le=10_000_000)]
ImageField = Annotated[int, Form(ge=1)]
FindingField = Annotated[int, Form(ge=0)]


@router.get("/submissions/by/{digest}")
def by_digest(context: Editable, digest: str) -> RedirectResponse:
    """The submission with this content, wherever a report has a link to it."""
    with context.site.database.reading() as connection:
        item_id = find_item_id(connection, context.workspace.id, digest)
    if item_id is None:
        raise NotFound("There is no such submission. It may have been removed.")
    return RedirectResponse(f"{context.url}/submissions/{item_id}", 303)


@router.get("/submissions/{item_id}")
def submission(
    request: Request,
    context: Readable,
    item: Own,
    image: ImageNumber = 1,
    finding: FindingNumber = 0,
    asked: Annotated[Json | None, NotSent] = None,
) -> HTMLResponse:
    """The work on one image; `asked` is a decision that is shown before it is saved, or what is wrong with it."""
    review = review_of(context, item, asked)
    values = {**review._asdict(), "target_words": target_words, "decision_words": decision_words, "exports": []}
    if review.result is not None:
        work = _work(context, item, review.decisions)
        values |= _work_values(context, work, image, finding)
        values["happened"] = last_decision(review.history, f"{work.final.overall:.1f}")
        values["exports"] = ANNOTATION_EXPORTS.one(context.site, context.workspace, item.id, item.name)
    template = "annotations/submission.html"
    return workspace_page(request, context, template, tab="submissions", values=values, status=422 if asked else 200)


def _work(context: WorkspaceContext, item: Item, decisions: list[Decision]) -> Work:
    return Work.of(original_score(context.site, context.workspace, item), decisions)


def _work_values(context: WorkspaceContext, work: Work, image: int, finding: int) -> Json:
    images = work.images()
    index = images[min(image, len(images)) - 1] if images else 0
    findings = work.findings(index)
    chosen = next((f for f in findings if f.number == finding), next(iter(findings), None))
    photos = workspace_images(context.site, context.workspace.id)
    is_known = index < len(work.original.truth.images)
    return {
        "work": work,
        "view": image_view(work, index),
        "detail": detail_of(work, chosen, choices=context.visitor.may_train) if chosen else None,
        "has_photo": is_known and photos is not None and photos.find(work.original.images[index].name) is not None,
    }


@router.get("/submissions/{item_id}/finding")
def one_finding(
    request: Request, context: Readable, item: Own, image: ImageNumber = 1, finding: FindingNumber = 1
) -> HTMLResponse:
    """A finding taken apart: the part of the page that changes."""
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        if find_result(connection, item.id, engine) is None:
            raise NotFound("This submission has no score.")
        work = _work(context, item, item_decisions(connection, item, engine))
    images = work.images()
    if image > len(images):
        raise NotFound("There is no such image.")
    chosen = next((f for f in work.findings(images[image - 1]) if f.number == finding), None)
    if chosen is None:
        raise NotFound("There is no such finding.")
    values = {
        "detail": detail_of(work, chosen, choices=context.visitor.may_train),
        "work": work,
        "url": context.url,
        "item": item,
        "image_place": image,
        "asked": {},
        "target_words": target_words,
        "decision_words": decision_words,
    }
    return render(request, "annotations/finding.html", values)


@router.get("/images/{number}")
def image_file(context: Readable, number: Annotated[int, Path(ge=0, le=10_000_000)]) -> Response:
    """An image of the ground truth, if it was uploaded and is one that browsers show."""
    workspace_id, only = context.workspace.id, context.visitor.only_student
    if only is not None:
        with context.site.database.reading() as connection:
            if not any(item.workspace_id == workspace_id for item in students_items(connection, only)):
                raise NotFound("There is no such image.")
    images, photos = workspace_truth(context.site, workspace_id).images, workspace_images(context.site, workspace_id)
    content = photos.find(images[number].name) if photos is not None and number < len(images) else None
    header = image_header(content) if content is not None else None
    if content is None or header is None:
        raise NotFound("There is no such image.")
    return Response(content, media_type=header.media, headers={"Cache-Control": "private, max-age=600"})


@router.get("/submissions/{item_id}/effect")
def effect(context: Editable, item: Own, target: Annotated[str, Query(max_length=400)], value: float) -> JSONResponse:
    """What the score would become."""
    with context.site.database.reading() as connection:
        consequence = consequence_of(connection, context.site, context.workspace, item, target=target, value=value)
    return JSONResponse({"becomes": f"{consequence.human_score:.1f}" if consequence.human_score is not None else "n/a"})


@router.post("/submissions/{item_id}/decisions")
def decide(
    request: Request,
    context: Editable,
    item: Own,
    choice: Annotated[str, Form(max_length=500)] = "",
    points: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=4000)] = "",
    image: ImageField = 1,
    finding: FindingField = 0,
) -> Response:
    """Confirm the score, or override a part of it: only after what it becomes was shown."""
    shown, value, target = _read_choice(choice, points)
    asked: dict[str, Any] = {"choice": choice, "points": points, "reason": reason}
    try:
        with context.site.database.writing() as connection:
            hold_workspace(connection, context.workspace.id)
            if target == "score":
                save_decision(connection, context, item, "confirm", reason=reason)
                return _back(context, item, image, finding)
            if value is None:
                raise InputError("Give the match a score from 0 to 100.")
            consequence = consequence_of(connection, context.site, context.workspace, item, target=target, value=value)
            becomes = f"{consequence.human_score:.1f}"
            if shown != becomes:
                asked |= {"was": consequence.previous, "value": value, "becomes": becomes, "target": target}
                asked |= {"code": f"{becomes}|{value:g}|{target}"}
                return submission(request, context, item, image, finding, asked)
            save_decision(connection, context, item, "override", target, value, reason)
    except InputError as problem:
        return submission(request, context, item, image, finding, asked | {"wrong": page_words(problem)})
    return _back(context, item, image, finding)


def _back(context: WorkspaceContext, item: Item, image: int, finding: int) -> RedirectResponse:
    query = urlencode({"image": image, "finding": finding})
    return RedirectResponse(f"{context.url}/submissions/{item.id}?{query}", 303)


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


@router.post("/submissions/{item_id}/decisions/{decision_id}/undo")
def undo(
    context: Editable, item: Own, decision_id: Number, image: ImageField = 1, finding: FindingField = 0
) -> RedirectResponse:
    """Take a decision back."""
    with context.site.database.writing() as connection:
        undo_decision(connection, context.site, context.workspace, decision_id, context.visitor)
    return _back(context, item, image, finding)
