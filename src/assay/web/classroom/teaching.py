"""What teachers do with an assignment, from its pages and from programs: settings, extensions, release, answers."""

import tempfile
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from fastapi import UploadFile

from assay.errors import InputError
from assay.io.class_roster import ClassMember, read_class_roster
from assay.report.document.wording import counted
from assay.store.classroom.appeals import answer, find_appeal
from assay.store.classroom.assignments import Assignment, extend, find_assignment, save_assignment
from assay.store.classroom.drafts import has_drafts
from assay.store.courses import find_enrollment
from assay.store.sign_on.lti_courses import contexts_of_course
from assay.web.classroom.grades import highest_score, release_grades, roster_of, withdraw_grades
from assay.web.problems import FieldErrors, NotFound
from assay.web.sign_on.lti_services import PassedGrade, passback
from assay.web.sign_on.outgoing import SignOnProblem
from assay.web.workspaces.scoring import WorkspaceContext, given_files


def save_settings(
    context: WorkspaceContext,
    opens: datetime | None,
    due: datetime | None,
    instructions: str,
    anonymous: bool,
    takes_late: bool,
    appeal_days: int,
) -> Assignment:
    """Keep how an assignment takes work; FieldErrors for what cannot be any more."""
    if opens is not None and due is not None and due <= opens:
        raise FieldErrors({"due": "The deadline must come after the opening."})
    workspace_id = context.workspace.id
    with context.site.database.writing() as connection:
        before = find_assignment(connection, workspace_id)
        was = before.anonymous if before is not None else False
        if anonymous != was and has_drafts(connection, workspace_id):
            words = "Work was handed in already; whether marking is anonymous can't be changed any more."
            raise FieldErrors({"anonymous": words})
        created = before.created if before is not None else context.site.now()
        new = Assignment(workspace_id, instructions.strip(), opens, due, takes_late, anonymous, appeal_days, created)
        save_assignment(connection, new)
        context.note(connection, "change assignment", {"due": due.isoformat() if due else None, "anonymous": anonymous})
    return new


def grant_extension(context: WorkspaceContext, student: int, until: datetime | None) -> None:
    """Another deadline for one student of the course."""
    with context.site.database.writing() as connection:
        one = find_enrollment(connection, context.workspace.course_id, student)
        if one is None or one.role != "student":
            raise FieldErrors({"student": "Choose a student of this course."})
        extend(connection, context.workspace.id, student, until)
        context.note(connection, "extend deadline", {"name": one.name, "until": until.isoformat() if until else None})


def release_chosen(
    context: WorkspaceContext,
    who: str,
    students: Collection[str],
    shown: list[str],
    at: datetime | None,
    *,
    withdraws: bool,
) -> int:
    """Release or withdraw the grades of all, of the reviewed, or of some; how many."""
    now = context.site.now()
    with context.site.database.writing() as connection:
        lines = roster_of(connection, context, now)
        chosen = {
            "all": [line.enrollment.id for line in lines],
            "reviewed": [line.enrollment.id for line in lines if line.state == "reviewed"],
            "some": [line.enrollment.id for line in lines if line.key in students],
        }[who]
        if not chosen:
            raise FieldErrors({"who": "There is no such grade. Choose students, or review some work first."})
        if withdraws:
            withdraw_grades(connection, context, chosen)
            return len(chosen)
        released = release_grades(connection, context, chosen, at=at or now, shown=shown)
    if "score" in shown and (at is None or at <= now):
        _pass_back(context, chosen)
    return released


def _pass_back(context: WorkspaceContext, ids: Collection[int]) -> None:
    """Send released grades to the gradebooks of the platforms that students came from; noted in the history.

    A platform that doesn't take one stops neither the release nor the others. Releasing again sends again.
    """
    site, workspace = context.site, context.workspace
    with site.database.reading() as connection:
        lines = [line for line in roster_of(connection, context, site.now()) if line.enrollment.id in ids]
        has_platform = bool(contexts_of_course(connection, workspace.course_id))
    sent, problems = 0, []
    for line in lines if has_platform else []:
        if line.item is None or line.item.final is None:
            continue
        grade = PassedGrade(workspace.id, workspace.name, round(line.item.final, 2), highest_score(context))
        try:
            sent += passback(site, workspace.course_id, line.enrollment.id, grade)
        except SignOnProblem as problem:
            problems.append(f"{line.enrollment.name}: {problem}")
    if sent or problems:
        with site.database.writing() as connection:
            context.note(connection, "pass grades back", {"name": counted(sent, "grade"), "problems": problems[:20]})


def save_answer(context: WorkspaceContext, appeal_id: int, text: str) -> None:
    """Answer an appeal, which closes it."""
    if not text.strip():
        raise FieldErrors({"text": "Write an answer: the student sees it."})
    with context.site.database.writing() as connection:
        asked = find_appeal(connection, context.workspace.id, appeal_id)
        if asked is None:
            raise NotFound("There is no such appeal.")
        answer(connection, asked, text=text, author=context.visitor.name, now=context.site.now())
        context.note(connection, "answer appeal", {"name": asked.author})


def read_roster(roster: UploadFile | None, class_id: str) -> list[ClassMember]:
    """The students of an uploaded roster; InputError says what is wrong with it."""
    files = given_files(roster)
    if not files:
        raise InputError("Choose a CSV with a row for each student, or a OneRoster ZIP.")
    name, stream = files[0]
    with tempfile.NamedTemporaryFile() as file:
        while chunk := stream.read(1 << 20):
            file.write(chunk)
        file.flush()
        return read_class_roster(Path(file.name), name=name, class_id=class_id)
