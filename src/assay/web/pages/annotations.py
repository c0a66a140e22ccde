"""Annotation workspaces: drop files, see who found what, take it away; one submission, and what is decided."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Path, Query, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from markupsafe import Markup

from assay.annotations.grading.review_subject import IMAGE, SUBMISSION, is_review
from assay.errors import InputError
from assay.execution.children import read_apart
from assay.io.image_header import image_header
from assay.store.blobs import read_blob, workspace_uploads
from assay.store.item_listing import SORTS, STATES, ListQuery, reasons_of_failure, rows, totals
from assay.store.items import Item, StoredResult, find_item_id, find_result, students_items
from assay.store.overrides import item_decisions, reviewed
from assay.store.schema import Json
from assay.store.workspaces import hold_workspace
from assay.web.classroom.visibility import released_enrollments
from assay.web.pages import page_parts as parts
from assay.web.pages.page_parts import Editable, Own, Readable, Reviewable, workspace_page
from assay.web.pages.shared_pages import file_answer
from assay.web.problems import FieldErrors, NotFound, beside, page_words
from assay.web.site import SiteHere
from assay.web.templating import extract_inline_styles, render
from assay.web.visitors import Author
from assay.web.workspaces.annotations import workspace as work
from assay.web.workspaces.annotations.exports import ANNOTATION_EXPORTS, together_result
from assay.web.workspaces.annotations.scores import (
    original_score,
    submission_uploads,
    truth_upload,
    workspace_images,
    workspace_truth,
)
from assay.web.workspaces.annotations.view import Work, decision_words, detail_of, image_view, target_words
from assay.web.workspaces.decisions import consequence_of, last_decision, save_decision, undo_decision
from assay.web.workspaces.scoring import WorkspaceContext, given_files
from assay.web.workspaces.stored_settings import AnnotationSettings

router = APIRouter(prefix="/annotations")
Many = Annotated[list[UploadFile] | None, File()]
ImageNumber = Annotated[int, Query(ge=1, le=10_000_000)]
FindingNumber = Annotated[int, Query(ge=0, le=10_000_000)]
ImageField = Annotated[int, Form(ge=1)]
FindingField = Annotated[int, Form(ge=0)]
COLUMNS = {
    "name": ("Student", ""),
    "final": ("Score", "n"),
    "matched": ("Found", "n"),
    "extra": ("Extra", "n"),
    "quality": ("Quality", "n hide-s"),
    "completeness": ("Complete", "n hide-s"),
}
"""Sort key -> heading and class."""


@router.post("")
def create(
    request: Request,
    site: SiteHere,
    who: Author,
    truth: Many = None,
    submissions: Many = None,
    images: Many = None,
    name: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """A new workspace from what was dropped; scored at once when there is enough."""
    files = _given(truth=truth, submissions=submissions, images=images)
    try:
        if not files:
            raise FieldErrors({"truth": "Choose the ground truth: the file that shows how it should be."})
        context = work.new_annotations(site, files, who, title=name)
    except (FieldErrors, InputError) as problem:
        return parts.landing_page(request, site, who, "annotations", beside("submissions", problem), name=name)
    return RedirectResponse(f"{context.url}/submissions", 303)


def _given(**fields: Many) -> dict[str, work.Files]:
    """Role -> the files that a form holds under it."""
    return {role: files for role, uploads in fields.items() if (files := given_files(uploads))}


@router.get("/{workspace_id}")
def first_page(context: Reviewable) -> RedirectResponse:
    """The submissions."""
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.post("/{workspace_id}/files")
def add_files(
    request: Request, context: Editable, truth: Many = None, submissions: Many = None, images: Many = None
) -> Response:
    """More files, at any time: a ground truth replaces the one before, submissions and images are added."""
    given = _given(truth=truth, submissions=submissions, images=images)
    try:
        if not given:
            raise InputError("Choose some files first.")
        with context.site.database.writing() as connection:
            work.take_all(connection, context, given)
        work.score_if_ready(context)
    except (FieldErrors, InputError) as problem:
        return files(request, context, beside("submissions", problem))
    return RedirectResponse(f"{context.url}/submissions", 303)


@router.get("/{workspace_id}/files")
def files(request: Request, context: Editable, errors: parts.Errors = None) -> HTMLResponse:
    """What the workspace holds, and places to drop more."""
    site, workspace = context.site, context.workspace
    with site.database.reading() as connection:
        images = workspace_uploads(connection, workspace.id, "images")
        failed = rows(connection, workspace.id, workspace.engine, ListQuery(state="failed"), most=parts.PAGE_ROWS)
        why = reasons_of_failure(connection, workspace.id, workspace.engine, [row.id for row in failed])
    values = {
        "truth": truth_upload(site, workspace.id),
        "handed_in": submission_uploads(site, workspace.id),
        "images": images,
        "failing": {row.name: why[row.id] for row in failed if row.id in why},
        "facts": AnnotationSettings.of(workspace).truth,
        "errors": errors or {},
    }
    return workspace_page(request, context, "annotations/files.html", tab="submissions", values=values)


@router.get("/{workspace_id}/submissions")
def submissions(
    request: Request,
    context: Reviewable,
    sort: str = "final",
    order: str = "",
    find: parts.SearchText = "",
    state: str = "",
    page: parts.PageNumber = 1,
) -> HTMLResponse:
    """Everyone's score: sorted, filtered, a page at a time. Without submissions, places to drop them."""
    if not submission_uploads(context.site, context.workspace.id) or not context.workspace.engine:
        return files(request, context)
    sort, state = sort if sort in SORTS else "final", state if state in STATES else ""
    descending = order == "down" if order else sort not in parts.UPWARD
    values = parts.list_values(context, ListQuery(sort, descending, find.strip(), state), page, COLUMNS)
    return workspace_page(request, context, "annotations/submissions.html", tab="submissions", values=values)


@router.get("/{workspace_id}/insights")
def insights(request: Request, context: Reviewable) -> HTMLResponse:
    """The distribution, the ranking, what is hard, what is systematic."""
    workspace, result = context.workspace, together_result(context.site, context.workspace)
    body, styles, why = Markup(), "", ""
    with context.site.database.reading() as connection:
        if result is not None:
            body, styles = extract_inline_styles(read_blob(connection, result.files["page.html"]).decode())
        elif item_id := AnnotationSettings.of(workspace).together:
            why = reasons_of_failure(connection, workspace.id, workspace.engine, [item_id]).get(item_id, "")
    values = {"body": body, "why": why, **_freshness(context, result)}
    return workspace_page(request, context, "annotations/insights.html", tab="insights", styles=styles, values=values)


def _freshness(context: WorkspaceContext, result: StoredResult | None) -> Json:
    """The report of all, and how many decisions were made after it."""
    with context.site.database.reading() as connection:
        decided = reviewed(connection, context.workspace.id, context.workspace.engine)
        counts = totals(connection, context.workspace.id, context.workspace.engine)
    changed = sum(any(d.kind == "override" for d in own) for own in decided.values())
    stale = result is not None and not work.is_together_current(context)
    return {"made": result, "stale": stale, "overridden": changed, "totals": counts}


@router.post("/{workspace_id}/insights")
def again(context: Editable) -> RedirectResponse:
    """Work them out again, with every decision so far."""
    work.put_together(context)
    return RedirectResponse(f"{context.url}/insights", 303)


@router.get("/{workspace_id}/exports")
def exports(
    request: Request, context: Editable, find: parts.SearchText = "", page: parts.PageNumber = 1
) -> HTMLResponse:
    """Files about all, and about each student, a page at a time."""
    values = parts.export_values(context, ANNOTATION_EXPORTS, find.strip(), page)
    values |= _freshness(context, together_result(context.site, context.workspace))
    return workspace_page(request, context, "annotations/exports.html", tab="exports", values=values)


@router.get("/{workspace_id}/exports/{group}/{name}")
def export(context: Readable, group: str, name: str, show: bool = False) -> Response:
    """One file, to keep or (a report) to open; a student has those of their own work."""
    if not context.visitor.may("assistant"):
        item = parts.own_item(int(group) if group.isascii() and group.isdigit() and len(group) < 10 else 0, context)
        _check_overlay(context, item)
    return file_answer(ANNOTATION_EXPORTS.find(context.site, context.workspace, f"{group}/{name}"), show=show)


def _check_overlay(context: WorkspaceContext, item: Item) -> None:
    """A 404 for students whose teacher does not show them the images."""
    if "overlay" not in parts.shown_here(context, item):
        raise NotFound("Your teacher shows the grade of this work on your own page only.")


@router.get("/{workspace_id}/submissions/by/{digest}")
def by_digest(context: Reviewable, digest: str) -> RedirectResponse:
    """The submission with this content, wherever a report has a link to it."""
    item_id = context.site.database.read(find_item_id, context.workspace.id, digest)
    if item_id is None:
        raise NotFound("There is no such submission. It may have been removed.")
    return RedirectResponse(f"{context.url}/submissions/{item_id}", 303)


@router.get("/{workspace_id}/submissions/{item_id}")
def submission(
    request: Request,
    context: Readable,
    item: Own,
    image: ImageNumber = 1,
    finding: FindingNumber = 0,
    asked: Annotated[Json | None, parts.NotSent] = None,
) -> HTMLResponse:
    """The work on one image; `asked` is a decision that is shown before it is saved, or what is wrong with it."""
    _check_overlay(context, item)
    review = parts.review_of(context, item, asked)
    values = {**review._asdict(), "target_words": target_words, "decision_words": decision_words, "exports": []}
    if review.result is not None:
        work = Work.of(original_score(context.site, context.workspace, item), review.decisions)
        images = work.images()
        index = images[min(image, len(images)) - 1] if images else 0
        findings = work.findings(index)
        chosen = next((f for f in findings if f.number == finding), next(iter(findings), None))
        photos = workspace_images(context.site, context.workspace.id)
        is_known = index < len(work.original.truth.images)
        values |= {
            "work": work,
            "view": image_view(work, index),
            "detail": detail_of(work, chosen, choices=context.visitor.may_train) if chosen else None,
            "has_photo": is_known and photos is not None and photos.find(work.original.images[index].name) is not None,
        }
        values["images_reviewed"], values["images_scored"] = work.reviewed()
        values["image_reviewed"] = bool(images) and work.is_reviewed(index)
        values["reviewed"] = any(decision.target == SUBMISSION for decision in review.decisions)
        values["happened"] = last_decision(review.history, f"{work.final.overall:.1f}")
        values["exports"] = ANNOTATION_EXPORTS.one(context.site, context.workspace, item.id, item.name)
    template = "annotations/submission.html"
    return workspace_page(request, context, template, tab="submissions", values=values, status=422 if asked else 200)


@router.get("/{workspace_id}/submissions/{item_id}/finding")
def one_finding(
    request: Request, context: Readable, item: Own, image: ImageNumber = 1, finding: FindingNumber = 1
) -> HTMLResponse:
    """A finding taken apart: the part of the page that changes."""
    _check_overlay(context, item)
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        if find_result(connection, item.id, engine) is None:
            raise NotFound("This submission has no score.")
        decisions = item_decisions(connection, item, engine)
    work = Work.of(original_score(context.site, context.workspace, item), decisions)
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


@router.get("/{workspace_id}/images/{number}")
def image_file(context: Readable, number: Annotated[int, Path(ge=0, le=10_000_000)]) -> Response:
    """An image of the ground truth, if it was uploaded and is one that browsers show."""
    workspace_id, who = context.workspace.id, context.visitor
    if not who.may_train:
        released = context.site.database.read(released_enrollments, context, "overlay")
        own = context.site.database.read(students_items, released)
        if not any(item.workspace_id == workspace_id for item in own):
            raise NotFound("There is no such image.")
    images, photos = workspace_truth(context.site, workspace_id).images, workspace_images(context.site, workspace_id)
    content = photos.find(images[number].name) if photos is not None and number < len(images) else None
    header = read_apart(image_header, content, source=images[number].name) if content is not None else None
    if content is None or header is None:
        raise NotFound("There is no such image.")
    return Response(content, media_type=header.media, headers={"Cache-Control": "private, max-age=600"})


@router.get("/{workspace_id}/submissions/{item_id}/effect")
def effect(context: Reviewable, item: Own, target: Annotated[str, Query(max_length=400)], value: float) -> JSONResponse:
    """What the score would become."""
    consequence = context.site.database.read(consequence_of, context, item, target, value)
    return JSONResponse({"becomes": f"{consequence.human_score:.1f}" if consequence.human_score is not None else "n/a"})


@router.post("/{workspace_id}/submissions/{item_id}/decisions")
def decide(
    request: Request,
    context: Reviewable,
    item: Own,
    choice: Annotated[str, Form(max_length=500)] = "",
    review: Annotated[Literal["", "image", "submission"], Form()] = "",
    points: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=4000)] = "",
    image: ImageField = 1,
    finding: FindingField = 0,
) -> Response:
    """Say that an error is right, an image or the submission reviewed; or override, after what it becomes was shown."""
    shown, value, target = _read_choice(choice, points)
    asked: dict[str, Any] = {"choice": choice, "points": points, "reason": reason}
    try:
        with context.site.database.writing() as connection:
            hold_workspace(connection, context.workspace.id)
            if review == "image":
                target = _image_target(context, item, image)
            if review == "submission" or is_review(target):
                about = SUBMISSION if review == "submission" else target
                save_decision(connection, context, item, "confirm", about, reason=reason)
                if review == "image":
                    return _back(context, item, image + 1, 0)
                return _back(context, item, image, finding if review else _next_finding(context, item, image, finding))
            if value is None:
                raise InputError("Give the match a score from 0 to 100.")
            consequence = consequence_of(connection, context, item, target, value)
            becomes = f"{consequence.human_score:.1f}"
            if shown != becomes:
                asked |= {"was": consequence.previous, "value": value, "becomes": becomes, "target": target}
                asked |= {"code": f"{becomes}|{value:g}|{target}"}
                return submission(request, context, item, image, finding, asked)
            save_decision(connection, context, item, "override", target, value, reason)
    except InputError as problem:
        return submission(request, context, item, image, finding, asked | {"wrong": page_words(problem)})
    return _back(context, item, image, finding)


def _next_finding(context: WorkspaceContext, item: Item, image: int, finding: int) -> int:
    """The finding to look at next on an image; the last one stays."""
    work = Work.of(original_score(context.site, context.workspace, item), ())
    images = work.images()
    numbers = [f.number for f in work.findings(images[image - 1])] if 1 <= image <= len(images) else []
    return finding + 1 if finding + 1 in numbers else finding


def _image_target(context: WorkspaceContext, item: Item, image: int) -> str:
    """The target of "image reviewed", for the image at a place in the page's strip."""
    score = original_score(context.site, context.workspace, item)
    images = Work.of(score, ()).images()
    if not 1 <= image <= len(images):
        raise NotFound("There is no such image.")
    return f"{IMAGE}{score.images[images[image - 1]].name}"


def _back(context: WorkspaceContext, item: Item, image: int, finding: int) -> RedirectResponse:
    query = urlencode({"image": image, "finding": finding})
    return RedirectResponse(f"{context.url}/submissions/{item.id}?{query}", 303)


def _read_choice(choice: str, points: str) -> tuple[str, float | None, str]:
    """What a form holds: the score that was shown, the value, the target. An empty value stands for the points."""
    if not choice or is_review(choice):
        return "", None, choice or SUBMISSION
    shown, _, rest = choice.partition("|")
    value, _, target = rest.partition("|")
    try:
        return shown, float(value or points.replace(",", ".")), target
    except ValueError:
        return shown, None, target


@router.post("/{workspace_id}/submissions/{item_id}/decisions/{decision_id}/undo")
def undo(
    context: Reviewable, item: Own, decision_id: parts.Number, image: ImageField = 1, finding: FindingField = 0
) -> RedirectResponse:
    """Take a decision back."""
    with context.site.database.writing() as connection:
        undo_decision(connection, context, decision_id)
    return _back(context, item, image, finding)
