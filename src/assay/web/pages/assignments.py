"""Assignments of a course: deadlines, who handed in, extensions, the release of grades, gradebooks and appeals."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Form, Path, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.io.gradebook import GRADEBOOKS
from assay.store.blobs import read_blob
from assay.store.classroom.appeals import Message, course_appeals, open_appeals, thread
from assay.store.classroom.assignments import (
    APPEAL_DAYS,
    Assignment,
    course_assignments,
    find_assignment,
    save_assignment,
)
from assay.store.courses import CourseRole
from assay.store.items import find_item
from assay.store.schema import Connection
from assay.store.workspaces import create_workspace, find_workspace
from assay.web.classroom.grades import (
    BY_DEFAULT,
    OFFERED,
    gradebook,
    released_now,
    reveal_names,
    roster_of,
)
from assay.web.classroom.hand_in import KINDS_TAKEN
from assay.web.classroom.teaching import grant_extension, release_chosen, save_answer, save_settings
from assay.web.pages.courses import ForReviewers, ForTeachers, course_page
from assay.web.pages.page_parts import Errors, Number, Short, find_context
from assay.web.problems import FieldErrors, NotFound
from assay.web.site import SiteHere
from assay.web.visitors import Anyone
from assay.web.workspaces.scoring import WorkspaceContext

router = APIRouter(prefix="/courses/{course_id}")
Long = Annotated[str, Form(max_length=4000)]
When = Annotated[str, Form(max_length=30)]
Chosen = Annotated[list[str] | None, Form()]
Parts = Annotated[list[str] | None, Form()]
Yes = Annotated[bool, Form()]


def moment_of(text: str, field: str) -> datetime | None:
    """A time as a form sends it, in the time zone of the server; None for an empty one."""
    if not text.strip():
        return None
    try:
        return datetime.fromisoformat(text.strip()).astimezone()
    except (ValueError, OverflowError, OSError):
        raise FieldErrors({field: "Give a date and a time, such as 2026-11-20T23:59."}) from None


def local_text(moment: datetime | None) -> str:
    """A moment as a form field takes it."""
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%dT%H:%M}"


def assignment_for(role: CourseRole) -> object:
    """The workspace in the address, which must be in the course, for those whose role is enough."""

    def workspace_here(course_id: str, workspace_id: str, site: SiteHere, who: Anyone) -> WorkspaceContext:
        context = find_context(workspace_id, site, who, role=role)
        if who.account is None or context.workspace.course_id != course_id:
            raise NotFound("There is no such assignment in this course.")
        if context.workspace.kind not in KINDS_TAKEN:
            raise NotFound("Students hand in essays and annotations only.")
        return context

    return Depends(workspace_here)


ToReview = Annotated[WorkspaceContext, assignment_for("reviewer")]
ToExport = Annotated[WorkspaceContext, assignment_for("assistant")]
ToTeach = Annotated[WorkspaceContext, assignment_for("teacher")]


def _url(context: WorkspaceContext) -> str:
    return f"/courses/{context.workspace.course_id}/assignments/{context.workspace.id}"


@router.get("/assignments")
def assignments(request: Request, context: ForReviewers, errors: Errors = None) -> HTMLResponse:
    """The assignments of a course, and a form for a new one."""
    with context.site.database.reading() as connection:
        listed = course_assignments(connection, [context.course.id])
        named = {one.workspace_id: find_workspace(connection, one.workspace_id) for one in listed}
        waiting = {one.workspace_id: open_appeals(connection, one.workspace_id) for one in listed}
    values = {"listed": listed, "named": named, "waiting": waiting, "errors": errors or {}}
    return course_page(request, context, "courses/assignments.html", tab="/assignments", values=values)


@router.post("/assignments")
def create(
    request: Request,
    context: ForTeachers,
    name: Short = "",
    kind: Annotated[Literal["essays", "annotations"], Form()] = "essays",
    due: When = "",
    instructions: Long = "",
    anonymous: Yes = False,
    takes_late: Yes = False,
) -> Response:
    """A workspace into which the students of the course hand in."""
    site = context.site
    try:
        until = moment_of(due, "due")
        if not name.strip():
            raise FieldErrors({"name": "Give the assignment a name."})
    except FieldErrors as wrong:
        return assignments(request, context, wrong.errors)
    with site.database.writing() as connection:
        now, by = site.now(), context.visitor.name
        workspace = create_workspace(connection, kind, name, author=by, now=now, course_id=context.course.id)
        save_assignment(
            connection,
            Assignment(workspace.id, instructions.strip(), None, until, takes_late, anonymous, APPEAL_DAYS, now),
        )
        context.note(connection, "create assignment", {"name": workspace.name})
    return RedirectResponse(f"{context.url}/assignments/{workspace.id}", 303)


@router.get("/assignments/{workspace_id}")
def assignment(request: Request, course: ForReviewers, context: ToReview, errors: Errors = None) -> HTMLResponse:
    """Who handed in, how far the marking is, and what students see."""
    site, workspace = context.site, context.workspace
    with site.database.reading() as connection:
        known = find_assignment(connection, workspace.id)
    reveal_names(context, known)
    now = site.now()
    with site.database.reading() as connection:
        lines = roster_of(connection, context, now)
        appeals = open_appeals(connection, workspace.id)
    graded = [line for line in lines if line.item is not None and line.item.final is not None]
    released = [line for line in graded if released_now(line.place, now)]
    values = {
        "workspace": workspace,
        "assignment": known,
        "here": _url(context),
        "lines": lines,
        "graded": len(graded),
        "reviewed": sum(line.item is not None and line.item.decisions > 0 for line in lines),
        "released": {line.enrollment.id for line in released},
        "to_release": sum(line.state == "reviewed" and line not in released for line in graded),
        "appeals": appeals,
        "offered": OFFERED[workspace.kind],
        "by_default": BY_DEFAULT,
        "gradebooks": {key: title for key, (title, _) in GRADEBOOKS.items()},
        "local_text": local_text,
        "errors": errors or {},
    }
    return course_page(request, course, "courses/assignment.html", tab="/assignments", values=values)


@router.post("/assignments/{workspace_id}")
def change(
    request: Request,
    course: ForReviewers,
    context: ToTeach,
    opens: When = "",
    due: When = "",
    instructions: Long = "",
    anonymous: Yes = False,
    takes_late: Yes = False,
    appeal_days: Annotated[int, Form(ge=0, le=365)] = APPEAL_DAYS,
) -> Response:
    """Open a workspace for hand-in, or change how it takes it."""
    try:
        save_settings(
            context, moment_of(opens, "opens"), moment_of(due, "due"), instructions, anonymous, takes_late, appeal_days
        )
    except FieldErrors as wrong:
        return assignment(request, course, context, wrong.errors)
    return RedirectResponse(_url(context), 303)


@router.post("/assignments/{workspace_id}/extension")
def extension(
    request: Request,
    course: ForReviewers,
    context: ToTeach,
    student: Annotated[int, Form(ge=0, le=2**31 - 1)] = 0,
    until: When = "",
) -> Response:
    """Another deadline for one student; an empty one takes it back."""
    try:
        grant_extension(context, student, moment_of(until, "until"))
    except FieldErrors as wrong:
        return assignment(request, course, context, wrong.errors)
    return RedirectResponse(_url(context), 303)


@router.post("/assignments/{workspace_id}/release")
def release(
    request: Request,
    course: ForReviewers,
    context: ToTeach,
    who: Annotated[Literal["reviewed", "all", "some"], Form()] = "reviewed",
    student: Chosen = None,
    shown: Parts = None,
    at: When = "",
    action: Annotated[Literal["release", "withdraw"], Form()] = "release",
) -> Response:
    """Let students see their grades, now or from a date on; or make grades private again."""
    try:
        release_chosen(context, who, student or [], shown or [], moment_of(at, "at"), withdraws=action == "withdraw")
    except FieldErrors as wrong:
        return assignment(request, course, context, wrong.errors)
    return RedirectResponse(_url(context), 303)


@router.get("/assignments/{workspace_id}/gradebook/{format_name}")
def gradebook_file(context: ToExport, format_name: Annotated[str, Path(max_length=20)]) -> Response:
    """Grades as a platform imports them."""
    content = context.site.database.read(gradebook, context, format_name)
    headers = {"Content-Disposition": f'attachment; filename="grades-{format_name}.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/assignments/{workspace_id}/drafts/{draft_id}")
def draft_file(context: ToReview, draft_id: Number) -> Response:
    """A version that a student handed in; by its code where marking is anonymous."""
    now = context.site.now()
    with context.site.database.reading() as connection:
        lines = roster_of(connection, context, now)
        pairs = ((line, draft) for line in lines for draft in line.drafts)
        line, draft = next((pair for pair in pairs if pair[1].id == draft_id), (None, None))
        if line is None or draft is None:
            raise NotFound("There is no such draft.")
        content = read_blob(connection, draft.digest)
    suffix = "".join(c for c in draft.name[draft.name.rfind(".") :] if c.isalnum() or c == ".")[:12]
    headers = {"Content-Disposition": f'attachment; filename="draft-{draft.receipt}{suffix}"'}
    return Response(content, media_type="application/octet-stream", headers=headers)


@router.get("/appeals")
def appeals(request: Request, context: ForReviewers, errors: Errors = None) -> HTMLResponse:
    """What students ask for another look at, and wait for an answer."""
    with context.site.database.reading() as connection:
        waiting = [
            (message, find_workspace(connection, message.workspace_id), _named(connection, message))
            for message in course_appeals(connection, context.course.id)
        ]
        threads = {m.id: thread(connection, m.workspace_id, [m.enrollment_id]) for m, _, _ in waiting}
    values = {"waiting": waiting, "threads": threads, "errors": errors or {}}
    return course_page(request, context, "courses/appeals.html", tab="/appeals", values=values)


def _named(connection: Connection, message: Message) -> str:
    item = find_item(connection, message.workspace_id, message.item_id) if message.item_id else None
    return item.name if item is not None else message.author


@router.post("/appeals/{workspace_id}/{appeal_id}")
def answer_appeal(
    request: Request, course: ForReviewers, context: ToReview, appeal_id: Number, text: Long = ""
) -> Response:
    """Answer a student; the score is changed on the page of the work."""
    try:
        save_answer(context, appeal_id, text)
    except FieldErrors as wrong:
        return appeals(request, course, wrong.errors)
    return RedirectResponse(f"{course.url}/appeals", 303)
