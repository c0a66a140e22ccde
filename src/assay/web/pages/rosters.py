"""The roster of a course from a file, and files whose owner somebody has to settle."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store.courses import course_people, find_enrollment, workspace_course
from assay.store.items import find_item
from assay.store.rosters import set_owner, take_roster, unmatched_items
from assay.store.workspaces import recent_workspaces
from assay.web.classroom.teaching import read_roster
from assay.web.pages.courses import MOST_WORKSPACES, CourseContext, ForTeachers, course_page, people
from assay.web.pages.page_parts import Number, Short
from assay.web.problems import NotFound, page_words

router = APIRouter(prefix="/courses/{course_id}")
MOST_WAITING = 200


@router.post("/roster")
def upload_roster(
    request: Request,
    context: ForTeachers,
    roster: Annotated[UploadFile | None, File()] = None,
    class_id: Short = "",
    end_others: Annotated[bool, Form()] = False,
) -> Response:
    """Enroll the students of a file; those who are in the course already are brought up to date."""
    try:
        lines = read_roster(roster, class_id)
    except InputError as problem:
        return people(request, context, {"roster": page_words(problem)})
    with context.site.database.writing() as connection:
        change = take_roster(connection, context.course.id, lines, end_others=end_others, now=context.site.now())
        words = f"{change.added} added, {change.updated} updated, {change.ended} removed"
        context.note(connection, "take roster", {"name": words})
    return RedirectResponse(f"{context.url}/people", 303)


@router.get("/matching")
def matching(request: Request, context: ForTeachers) -> HTMLResponse:
    """Files that could not be matched to one student."""
    with context.site.database.reading() as connection:
        listed = recent_workspaces(connection, within=[context.course.id], most=MOST_WORKSPACES)
        waiting = [(one, item) for one in listed for item in unmatched_items(connection, one.id)]
        students = course_people(connection, context.course.id, "student")
    values = {"waiting": waiting[:MOST_WAITING], "count": len(waiting), "students": students}
    return course_page(request, context, "courses/matching.html", tab="/matching", values=values)


@router.post("/matching/{workspace_id}/{item_id}")
def settle(
    context: ForTeachers, workspace_id: str, item_id: Number, owner: Annotated[str, Form(max_length=12)] = ""
) -> RedirectResponse:
    """Say whose work a file is, or that it is nobody's in this course."""
    with context.site.database.writing() as connection:
        item = find_item(connection, workspace_id, item_id)
        if item is None or workspace_course(connection, workspace_id) != context.course.id:
            raise NotFound("There is no such file in this course.")
        person = _person(context, owner)
        set_owner(connection, workspace_id, item_id, person)
        context.note(connection, "match file", {"name": item.name, "enrollment": person})
    return RedirectResponse(f"{context.url}/matching", 303)


def _person(context: CourseContext, owner: str) -> int | None:
    """The enrollment that was chosen; None for nobody."""
    if owner == "nobody":
        return None
    number = int(owner) if owner.isascii() and owner.isdigit() and len(owner) < 10 else 0
    one = context.site.database.read(find_enrollment, context.course.id, number)
    if one is None or one.role != "student":
        raise InputError("Choose a student of this course.")
    return one.id
