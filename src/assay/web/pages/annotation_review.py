"""One submission: the image with both drawings, the findings, why this score, and what a person decides."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.io.archives.image_header import image_header
from assay.store.item_listing import ListQuery, ids_in_order, reasons_of_failure, rows_of
from assay.store.items import Item, find_item_id, find_result, students_items
from assay.store.overrides import Decision, history, item_decisions
from assay.web.problems import NotFound
from assay.web.templating import render
from assay.web.workspaces.annotations.decisions import Detail, Work, decision_words, detail_of, target_words
from assay.web.workspaces.annotations.exports import ANNOTATION_EXPORTS
from assay.web.workspaces.annotations.scores import original_score, workspace_images, workspace_truth
from assay.web.workspaces.annotations.view import image_view
from assay.web.workspaces.decisions import last_decision
from assay.web.workspaces.workspace_page import Found, Own, Readable, WorkspaceContext, workspace_page

router = APIRouter()
LISTED = 200
"""Submissions in the list beside the work."""
ImageNumber = Annotated[int, Query(ge=1, le=10_000_000)]
FindingNumber = Annotated[int, Query(ge=0, le=10_000_000)]


@router.get("/{workspace_id}/submissions/by/{digest}")
def by_digest(context: Found, digest: str) -> RedirectResponse:
    """The submission with this content, wherever a report has a link to it."""
    with context.site.database.reading() as connection:
        item_id = find_item_id(connection, context.workspace.id, digest)
    if item_id is None:
        raise NotFound("There is no such submission. It may have been removed.")
    return RedirectResponse(f"{context.url}/submissions/{item_id}", 303)


@router.get("/{workspace_id}/submissions/{item_id}")
def submission(
    request: Request, context: Readable, item: Own, image: ImageNumber = 1, finding: FindingNumber = 0
) -> HTMLResponse:
    """The work on one image."""
    return submission_page(request, context, item, image, finding)


def submission_page(
    request: Request,
    context: WorkspaceContext,
    item: Item,
    image: int,
    finding: int,
    *,
    asked: dict[str, object] | None = None,
) -> HTMLResponse:
    """The page; `asked` is a decision that is shown before it is saved, or what is wrong with it."""
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        result = find_result(connection, item.id, engine)
        decisions = item_decisions(connection, item, engine)
        past = [d for d in history(connection, context.workspace.id, item.id) if d.engine == engine]
        failed = reasons_of_failure(connection, context.workspace.id, engine, [item.id]) if result is None else {}
        people = _people(context, item) if context.visitor.may_train else []
    values: dict[str, object] = {
        "item": item,
        "result": result,
        "failed": failed.get(item.id, ""),
        "people": people,
        "may_decide": context.visitor.may_train,
        "asked": asked or {},
        "history": list(reversed(past)),
        "standing": {decision.id for decision in decisions},
        "target_words": target_words,
        "decision_words": decision_words,
        "exports": ANNOTATION_EXPORTS.one(context.site, context.workspace, item.id, item.name) if result else [],
    }
    if result is not None:
        work = _work(context, item, decisions)
        values |= _work_context(context, work, image, finding)
        values["happened"] = last_decision(past, f"{work.final.overall:.1f}")
    template = "annotations/submission.html"
    return workspace_page(request, context, template, tab="submissions", values=values, status=422 if asked else 200)


def _people(context: WorkspaceContext, item: Item) -> list[object]:
    """The submissions around this one, best first."""
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        ids = ids_in_order(connection, context.workspace.id, engine, ListQuery())
        at = ids.index(item.id) if item.id in ids else 0
        first = max(0, min(at - LISTED // 2, len(ids) - LISTED))
        return list(rows_of(connection, context.workspace.id, engine, ids[first : first + LISTED]))


def _work(context: WorkspaceContext, item: Item, decisions: list[Decision]) -> Work:
    return Work.of(original_score(context.site, context.workspace, item), decisions)


def _work_context(context: WorkspaceContext, work: Work, image: int, finding: int) -> dict[str, object]:
    images = work.images()
    index = images[min(image, len(images)) - 1] if images else 0
    view = image_view(work, index)
    chosen = next((f for f in work.findings(index) if f.number == finding), None)
    chosen = chosen or next(iter(work.findings(index)), None)
    known = len(work.original.truth.images)
    photos = workspace_images(context.site, context.workspace.id)
    has_photo = index < known and photos is not None and photos.find(work.original.images[index].name) is not None
    return {
        "work": work,
        "view": view,
        "image_scores": _image_scores(work),
        "detail": detail_of(work, chosen, choices=context.visitor.may_train) if chosen else None,
        "has_photo": has_photo,
        "has_images": photos is not None,
    }


def _image_scores(work: Work) -> list[tuple[int, str, float]]:
    """Place, name and final score of each image, for the menu; at most a thousand of them."""
    scores = []
    for place, index in enumerate(work.images()[:1000], start=1):
        scored = work.final.image_score(index)
        scores.append((place, scored.name, scored.tally.score))
    return scores


@router.get("/{workspace_id}/submissions/{item_id}/finding")
def one_finding(
    request: Request, context: Readable, item: Own, image: ImageNumber = 1, finding: FindingNumber = 1
) -> HTMLResponse:
    """A finding taken apart: the part of the page that changes."""
    work = _standing_work(context, item)
    return render(request, "annotations/finding.html", _finding_context(context, item, work, image, finding))


def _standing_work(context: WorkspaceContext, item: Item) -> Work:
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        if find_result(connection, item.id, engine) is None:
            raise NotFound("This submission has no score.")
        decisions = item_decisions(connection, item, engine)
    return _work(context, item, decisions)


def _finding_context(context: WorkspaceContext, item: Item, work: Work, image: int, finding: int) -> dict[str, object]:
    images = work.images()
    if image > len(images):
        raise NotFound("There is no such image.")
    chosen = next((f for f in work.findings(images[image - 1]) if f.number == finding), None)
    if chosen is None:
        raise NotFound("There is no such finding.")
    detail: Detail = detail_of(work, chosen, choices=context.visitor.may_train)
    return {
        "detail": detail,
        "work": work,
        "url": context.url,
        "item": item,
        "may_decide": context.visitor.may_train,
        "image_place": image,
        "asked": {},
        "target_words": target_words,
        "decision_words": decision_words,
    }


@router.get("/{workspace_id}/images/{number}")
def image_file(context: Readable, number: Annotated[int, Path(ge=0, le=10_000_000)]) -> Response:
    """An image of the ground truth, if it was uploaded and is one that browsers show."""
    only = context.visitor.only_student
    if only is not None:
        with context.site.database.reading() as connection:
            if not any(item.workspace_id == context.workspace.id for item in students_items(connection, only)):
                raise NotFound("There is no such image.")
    images, photos = (
        workspace_truth(context.site, context.workspace.id).images,
        workspace_images(context.site, context.workspace.id),
    )
    content = photos.find(images[number].name) if photos is not None and number < len(images) else None
    header = image_header(content) if content is not None else None
    if content is None or header is None:
        raise NotFound("There is no such image.")
    return Response(content, media_type=header.media, headers={"Cache-Control": "private, max-age=600"})
