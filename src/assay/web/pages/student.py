"""A student's own pages: what is open, handing in, receipts, released grades with feedback, and appeals."""

from datetime import datetime, timedelta
from io import BytesIO
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store.blobs import read_blob
from assay.store.classroom.appeals import About, Message, appeal, thread
from assay.store.classroom.assignments import Assignment, StudentPlace, course_assignments, find_assignment, find_place
from assay.store.classroom.drafts import Draft, own_drafts
from assay.store.courses import find_course, own_enrollments
from assay.store.items import Item, find_result, students_items
from assay.store.overrides import item_decisions
from assay.store.schema import Connection, Json
from assay.store.workspaces import find_workspace
from assay.web.classroom.grades import highest_score
from assay.web.classroom.hand_in import StudentContext, deadline, hand_in, why_closed
from assay.web.pages.page_parts import Errors, Number, Typed, find_context
from assay.web.problems import FieldErrors, Forbidden, NotFound, page_words
from assay.web.site import Site, SiteHere
from assay.web.templating import render
from assay.web.visitors import Anyone
from assay.web.workspaces.essays.models import payload_score, result_feedback, workspace_model
from assay.web.workspaces.essays.view import essay_view
from assay.web.workspaces.scoring import WorkspaceContext, given_files

router = APIRouter(prefix="/mine")
EssayText = Annotated[str, Form(max_length=1_000_000)]


def student_here(workspace_id: str, site: SiteHere, who: Anyone) -> StudentContext:
    """The workspace in the address, for students of its course."""
    context = find_context(workspace_id, site, who)
    if who.account is None:
        raise NotFound("There is no such assignment.")
    own = site.database.read(own_enrollments, who.account.id)
    mine = (one for one in own if one.course_id == context.workspace.course_id and one.role == "student")
    enrollment = next(mine, None)
    if enrollment is None:
        raise NotFound("There is no such assignment of yours.")
    return StudentContext(context, enrollment)


AsStudent = Annotated[StudentContext, Depends(student_here)]


@router.get("")
def mine(request: Request, site: SiteHere, who: Anyone) -> HTMLResponse:
    """What is open, what was handed in, and what is graded."""
    cards: list[Json] = []
    with site.database.reading() as connection:
        own = own_enrollments(connection, who.account.id) if who.account is not None else []
        students = {one.course_id: one for one in own if one.role == "student"}
        ids = [one.workspace_id for one in course_assignments(connection, list(students))]
        ids += [item.workspace_id for item in students_items(connection, [one.id for one in students.values()])]
        for workspace_id in dict.fromkeys(ids):
            workspace = find_workspace(connection, workspace_id)
            if workspace is None or workspace.course_id not in students:
                continue
            enrollment = students[workspace.course_id]
            state = assignment_state(connection, site, workspace_id, enrollment.id)
            if state["assignment"] is None and not state["is_released"]:
                state["waits"] = True
            course = find_course(connection, workspace.course_id)
            cards.append({**state, "workspace": workspace, "course": course})
    return render(request, "mine/mine.html", {"cards": cards, "visitor": who})


def assignment_state(connection: Connection, site: Site, workspace_id: str, enrollment_id: int) -> Json:
    """How far an assignment is for one student."""
    assignment, now = find_assignment(connection, workspace_id), site.now()
    place = find_place(connection, workspace_id, enrollment_id)
    drafts = own_drafts(connection, [enrollment_id], workspace_id)
    closed = why_closed(assignment, place, handed_in=bool(drafts), now=now) if assignment else "closed"
    return {
        "assignment": assignment,
        "place": place,
        "drafts": drafts,
        "closed": closed,
        "due": deadline(assignment, place) if assignment else None,
        "is_released": place is not None and place.is_released(now),
        "waits": False,
    }


@router.get("/{workspace_id}")
def assignment(
    request: Request, context: AsStudent, errors: Errors = None, typed: Typed = None, message: Typed = None
) -> HTMLResponse:
    """One assignment: hand in, the receipt, and the grade once it is released."""
    site, work, own = context.site, context.work, context.enrollment.id
    with site.database.reading() as connection:
        state = assignment_state(connection, site, work.workspace.id, own)
        said = thread(connection, work.workspace.id, [own])
        course = find_course(connection, work.workspace.course_id)
        item = own_item(connection, context)
        grade = _grade(connection, work, item, state["place"]) if state["is_released"] and item is not None else None
    values = {
        **state,
        **{"workspace": work.workspace, "kind": work.kind, "url": f"/mine/{work.workspace.id}", "course": course},
        "grade": grade,
        "item": item,
        "messages": said,
        "appeal_until": appeal_until(state["assignment"], state["place"]) if grade else None,
        "errors": errors or {},
        "typed": typed or "",
        "message": message or "",
        "visitor": work.visitor,
    }
    return render(request, "mine/assignment.html", values)


def own_item(connection: Connection, context: StudentContext) -> Item | None:
    """What is scored of the student's work in the workspace: the latest."""
    own = students_items(connection, [context.enrollment.id])
    return next((item for item in own if item.workspace_id == context.work.workspace.id), None)


def appeal_until(assignment: Assignment | None, place: StudentPlace | None) -> datetime | None:
    """Until when a student may appeal; None without a released grade."""
    if place is None or place.released is None:
        return None
    return place.released + timedelta(days=assignment.appeal_days if assignment else 7)


def _grade(connection: Connection, work: WorkspaceContext, item: Item, place: StudentPlace) -> Json | None:
    """What the student is shown of the grade."""
    workspace = work.workspace
    result = find_result(connection, item.id, workspace.engine)
    if result is None:
        return None
    decisions = item_decisions(connection, item, workspace.engine)
    shown = frozenset(place.shown)
    grade: Json = {
        "shown": shown,
        "score": (decisions[-1].human_score if decisions else result.score) if "score" in shown else None,
        "highest": highest_score(work),
        "by": decisions[-1].author if decisions and "score" in shown else "",
        "link": "",
        "counts": {},
        "view": None,
    }
    if workspace.kind == "essays":
        grade["link"] = f"/essays/{workspace.id}/submissions/{item.id}" if "errors" in shown else ""
        if "advice" in shown:
            score = payload_score(item.name, result.payload)
            scale = workspace_model(work.site, workspace).scale
            grade["view"] = essay_view(result_feedback(work.site, result), score, scale, result.payload["raising"])
    else:
        grade["link"] = f"/annotations/{workspace.id}/submissions/{item.id}" if "overlay" in shown else ""
        if "errors" in shown:
            names = {"matched": "matched", "missed": "missed", "extra": "extra"}
            grade["counts"] = {words: result.payload.get(name) for name, words in names.items()}
    return grade


@router.post("/{workspace_id}/hand-in")
def take(
    request: Request, context: AsStudent, file: Annotated[UploadFile | None, File()] = None, text: EssayText = ""
) -> Response:
    """Hand in a file, or an essay typed in the form; checked at once."""
    files = given_files(file)
    try:
        if not files and text.strip() and context.work.workspace.kind == "essays":
            files = [("Typed essay.txt", BytesIO(text.replace("\r\n", "\n").encode("utf-8", "replace")))]
        if not files:
            raise InputError("Choose a file, or type your essay.")
        name, stream = files[0]
        hand_in(context, name, BytesIO(stream.read()))
    except (InputError, FieldErrors) as problem:
        return assignment(request, context, {"file": page_words(problem)}, text)
    except Forbidden as problem:
        return assignment(request, context, {"file": str(problem)}, text)
    return RedirectResponse(f"/mine/{context.work.workspace.id}#receipt", 303)


@router.get("/{workspace_id}/drafts/{number}")
def draft_file(context: AsStudent, number: Number) -> Response:
    """A version that the student handed in, as it was."""
    draft = find_draft(context, number)
    suffix = "".join(c for c in draft.name[draft.name.rfind(".") :] if c.isalnum() or c == ".")[:12]
    headers = {"Content-Disposition": f'attachment; filename="draft-{draft.number}{suffix}"'}
    content = context.site.database.read(read_blob, draft.digest)
    return Response(content, media_type="application/octet-stream", headers=headers)


def find_draft(context: StudentContext, number: int) -> Draft:
    """One of the student's own versions."""
    own = context.site.database.read(own_drafts, [context.enrollment.id], context.work.workspace.id)
    draft = next((one for one in own if one.number == number), None)
    if draft is None:
        raise NotFound("There is no such draft of yours.")
    return draft


@router.post("/{workspace_id}/appeals")
def ask(
    request: Request,
    context: AsStudent,
    about: Annotated[About, Form()] = "score",
    text: Annotated[str, Form(max_length=4000)] = "",
) -> Response:
    """Ask the teacher to look again."""
    try:
        send_appeal(context, about, text)
    except FieldErrors as wrong:
        return assignment(request, context, wrong.errors, message=text)
    return RedirectResponse(f"/mine/{context.work.workspace.id}#messages", 303)


def send_appeal(context: StudentContext, about: About, text: str) -> Message:
    """An appeal about a released grade, which puts the work back into the queue of what is to review."""
    site, workspace = context.site, context.work.workspace
    if not text.strip():
        raise FieldErrors({"text": "Say what looks wrong."})
    with site.database.writing() as connection:
        state = assignment_state(connection, site, workspace.id, context.enrollment.id)
        until, item = appeal_until(state["assignment"], state["place"]), own_item(connection, context)
        if not state["is_released"] or item is None or until is None:
            raise FieldErrors({"text": "Your grade is not released yet."})
        if site.now() > until:
            raise FieldErrors({"text": "The time for questions about this grade is over. Speak to your teacher."})
        by = context.enrollment.name[:80]
        appeal(
            connection, workspace.id, context.enrollment.id, item.id, about=about, text=text, author=by, now=site.now()
        )
        context.work.note(connection, "appeal", {"name": item.name, "about": about})
        return thread(connection, workspace.id, [context.enrollment.id])[-1]
