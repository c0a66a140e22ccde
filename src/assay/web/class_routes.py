"""The routes of the REST API about classes: courses, hand-in, release, appeals, gradebooks, and the data of people."""

from dataclasses import asdict
from datetime import datetime
from io import BytesIO
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Response, UploadFile
from pydantic import Field, StringConstraints

from assay.store.classroom.appeals import About, course_appeals, thread
from assay.store.classroom.assignments import APPEAL_DAYS, find_assignment
from assay.store.courses import CourseRole, account_courses, course_people
from assay.store.rosters import take_roster
from assay.store.workspaces import entries
from assay.web.api_shapes import PROBLEMS, Changeable, Removable, Reviewable, Shape
from assay.web.classroom.grades import gradebook, released_now, roster_of
from assay.web.classroom.hand_in import KINDS_TAKEN, hand_in
from assay.web.classroom.person_data import erase
from assay.web.classroom.teaching import grant_extension, read_roster, release_chosen, save_answer, save_settings
from assay.web.pages.courses import ForAssistants, ForOwners, ForReviewers, ForTeachers, keep_for
from assay.web.pages.page_parts import Number
from assay.web.pages.privacy import data_answer
from assay.web.pages.student import AsStudent, assignment_state, send_appeal
from assay.web.problems import FieldErrors, NotFound
from assay.web.site import SiteHere
from assay.web.visitors import Admin, Anyone
from assay.web.workspaces.scoring import WorkspaceContext, given_files

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
LongText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)]
MOST_LINES = 1000


class CourseShape(Shape):
    id: str
    name: str
    role: CourseRole
    retention_days: int | None = Field(description="Work is erased so many days after it came in; null: never.")


class CourseList(Shape):
    courses: list[CourseShape]


class PersonShape(Shape):
    id: int
    name: str
    email: str
    number: str
    role: CourseRole


class PersonList(Shape):
    people: list[PersonShape]


class RosterAnswer(Shape):
    added: int
    updated: int
    ended: int


class Retention(Shape):
    days: int | None = Field(description="null: keep work until somebody erases it.")


class AssignmentChange(Shape):
    instructions: LongText = ""
    opens: datetime | None = None
    due: datetime | None = None
    takes_late: bool = True
    anonymous: bool = Field(default=False, description="Codes in place of names until a grade is released.")
    appeal_days: Annotated[int, Field(ge=0, le=365)] = APPEAL_DAYS


class AssignmentShape(AssignmentChange):
    workspace_id: str
    created: datetime


class DraftShape(Shape):
    number: int
    name: str
    digest: str = Field(description="SHA-256 of the bytes.")
    size: int
    content: str = Field(description="What the reader saw in it.")
    receipt: str
    late: bool
    made_at: datetime = Field(serialization_alias="made")


class OwnState(Shape):
    due: datetime | None = Field(description="The deadline, or your extension of it.")
    closed: str = Field(description="Why nothing can be handed in now; empty when something can.")
    released: bool
    drafts: list[DraftShape]


class StudentShape(Shape):
    id: int | None = Field(description="null as long as marking is anonymous.")
    name: str = Field(description="A code as long as marking is anonymous.")
    state: str
    drafts: int
    late: bool
    item_id: int | None
    final_score: float | None
    released: bool


class StudentList(Shape):
    students: list[StudentShape]


class Extension(Shape):
    student: int
    until: datetime | None = Field(description="null takes it back.")


class Release(Shape):
    who: Literal["reviewed", "all", "some"] = "reviewed"
    students: list[str] = Field(default_factory=list, description="Ids, or codes, of students, where who is some.")
    shown: list[str] = Field(default_factory=lambda: ["score"], description="score, advice, errors, sums, overlay")
    at: datetime | None = Field(default=None, description="From when; null: now.")
    withdraw: bool = Field(default=False, description="Make these grades private again.")


class ReleaseAnswer(Shape):
    grades: int


class NewAppeal(Shape):
    about: About = "score"
    text: LongText


class AppealAnswer(Shape):
    text: LongText


class MessageShape(Shape):
    id: int
    workspace_id: str
    item_id: int | None
    appeal_id: int | None = Field(description="The appeal that it answers; null for an appeal.")
    about: str
    text: str
    author: str
    made_at: datetime = Field(serialization_alias="made")
    closed: datetime | None


class MessageList(Shape):
    messages: list[MessageShape]


class LogEntry(Shape):
    id: int
    made_at: datetime = Field(serialization_alias="made")
    author: str
    action: str
    course_id: str | None
    workspace_id: str | None
    detail: dict[str, Any]


class LogList(Shape):
    entries: list[LogEntry]


class ErasedShape(Shape):
    items: int
    files: int


@router.get("/courses", tags=["courses"])
def list_courses(site: SiteHere, who: Anyone) -> CourseList:
    """The courses you are in, with your role."""
    listed = site.database.read(account_courses, who.account) if who.account is not None else []
    return CourseList(
        courses=[
            CourseShape(id=one.id, name=one.name, role=role, retention_days=one.retention_days) for one, role in listed
        ]
    )


@router.get("/courses/{course_id}/people", tags=["courses"])
def list_people(context: ForAssistants) -> PersonList:
    """Who is in a course."""
    listed = context.site.database.read(course_people, context.course.id)
    names = tuple(PersonShape.model_fields)
    return PersonList(people=[PersonShape(**{name: getattr(one, name) for name in names}) for one in listed])


@router.post("/courses/{course_id}/roster", tags=["courses"])
def upload_roster(
    context: ForTeachers, roster: Annotated[UploadFile, File()], class_id: str = "", end_others: bool = False
) -> RosterAnswer:
    """Bring enrollment in step with a CSV or a OneRoster ZIP; who left is marked, and keeps their work."""
    lines = read_roster(roster, class_id)
    with context.site.database.writing() as connection:
        change = take_roster(connection, context.course.id, lines, end_others=end_others, now=context.site.now())
        words = f"{change.added} added, {change.updated} updated, {change.ended} removed"
        context.note(connection, "take roster", {"name": words})
    return RosterAnswer(**asdict(change))


@router.put("/courses/{course_id}/retention", status_code=204, tags=["courses"])
def set_retention(context: ForOwners, change: Retention) -> None:
    """How many days the work of a course is kept."""
    keep_for(context, change.days)


def _takes_work(context: WorkspaceContext) -> WorkspaceContext:
    if context.visitor.account is None or context.workspace.kind not in KINDS_TAKEN:
        raise NotFound("Nobody hands in here.")
    return context


@router.get("/workspaces/{workspace_id}/assignment", tags=["assignments"])
def get_assignment(context: Reviewable) -> AssignmentShape:
    """How a workspace takes work from students."""
    known = context.site.database.read(find_assignment, _takes_work(context).workspace.id)
    if known is None:
        raise NotFound("This workspace is not open for hand-in.")
    return AssignmentShape(**asdict(known))


@router.put("/workspaces/{workspace_id}/assignment", tags=["assignments"])
def put_assignment(context: Removable, new: AssignmentChange) -> AssignmentShape:
    """Open a workspace for hand-in, or change how it takes work."""
    opens, due = (moment.astimezone() if moment else None for moment in (new.opens, new.due))
    arguments = (opens, due, new.instructions, new.anonymous, new.takes_late, new.appeal_days)
    return AssignmentShape(**asdict(save_settings(_takes_work(context), *arguments)))


@router.get("/workspaces/{workspace_id}/students", tags=["assignments"])
def list_students(context: Reviewable) -> StudentList:
    """Every student of the course, and how far their work is."""
    now = context.site.now()
    with context.site.database.reading() as connection:
        lines = roster_of(connection, _takes_work(context), now)
    return StudentList(
        students=[
            StudentShape(
                id=None if line.hidden else line.enrollment.id,
                name=line.name,
                state=line.state,
                drafts=len(line.drafts),
                late=bool(line.drafts) and line.drafts[0].late,
                item_id=line.item.id if line.item else None,
                final_score=line.item.final if line.item else None,
                released=released_now(line.place, now),
            )
            for line in lines
        ]
    )


@router.put("/workspaces/{workspace_id}/extensions", status_code=204, tags=["assignments"])
def put_extension(context: Removable, new: Extension) -> None:
    """Another deadline for one student."""
    grant_extension(_takes_work(context), new.student, new.until.astimezone() if new.until else None)


@router.post("/workspaces/{workspace_id}/release", tags=["assignments"])
def release(context: Removable, new: Release) -> ReleaseAnswer:
    """Let students see their grades, all, reviewed or some, now or from a date on; or make them private again."""
    at = new.at.astimezone() if new.at else None
    number = release_chosen(_takes_work(context), new.who, new.students, new.shown, at, withdraws=new.withdraw)
    return ReleaseAnswer(grades=number)


@router.get("/workspaces/{workspace_id}/gradebook/{format_name}", tags=["assignments"], response_class=Response)
def get_gradebook(context: Changeable, format_name: str) -> Response:
    """Grades as canvas, moodle or classroom import them, or as csv."""
    content = context.site.database.read(gradebook, _takes_work(context), format_name)
    return Response(content, media_type="text/csv; charset=utf-8")


@router.get("/workspaces/{workspace_id}/hand-in", tags=["hand-in"])
def get_own(context: AsStudent) -> OwnState:
    """How far you are with an assignment: deadline, drafts with their receipts, release."""
    own = (context.site, context.work.workspace.id, context.enrollment.id)
    state = context.site.database.read(assignment_state, *own)
    drafts = [DraftShape.model_validate(draft) for draft in state["drafts"]]
    return OwnState(due=state["due"], closed=state["closed"], released=state["is_released"], drafts=drafts)


@router.post("/workspaces/{workspace_id}/hand-in", status_code=201, tags=["hand-in"])
def post_hand_in(context: AsStudent, file: Annotated[UploadFile, File()]) -> DraftShape:
    """Hand in your work; it is checked at once, and replaces your earlier draft."""
    files = given_files(file)
    if not files:
        raise FieldErrors({"file": "Send a file, with its name."})
    name, stream = files[0]
    return DraftShape.model_validate(hand_in(context, name, BytesIO(stream.read())))


@router.get("/workspaces/{workspace_id}/hand-in/messages", tags=["hand-in"])
def own_messages(context: AsStudent) -> MessageList:
    """Your appeals, and the answers to them."""
    own = context.site.database.read(thread, context.work.workspace.id, [context.enrollment.id])
    return MessageList(messages=[MessageShape.model_validate(one) for one in own])


@router.post("/workspaces/{workspace_id}/hand-in/messages", status_code=201, tags=["hand-in"])
def post_appeal(context: AsStudent, new: NewAppeal) -> MessageShape:
    """Ask your teacher to look at a released grade again."""
    return MessageShape.model_validate(send_appeal(context, new.about, new.text))


@router.get("/courses/{course_id}/appeals", tags=["courses"])
def list_appeals(context: ForReviewers) -> MessageList:
    """Appeals that wait for an answer, oldest first."""
    waiting = context.site.database.read(course_appeals, context.course.id)
    return MessageList(messages=[MessageShape.model_validate(one) for one in waiting])


@router.post("/workspaces/{workspace_id}/appeals/{appeal_id}", status_code=204, tags=["assignments"])
def answer_appeal(context: Reviewable, appeal_id: Number, new: AppealAnswer) -> None:
    """Answer an appeal, which closes it."""
    save_answer(_takes_work(context), appeal_id, new.text)


@router.get("/audit", tags=["people"])
def list_log(site: SiteHere, who: Admin, before: int | None = None) -> LogList:
    """Who did what in your organization, newest first, a thousand lines at a time."""
    organization_id = who.account.organization_id if who.account is not None else None
    logged = site.database.read(entries, organization_id=organization_id, before=before, most=MOST_LINES)
    names = tuple(LogEntry.model_fields)
    return LogList(entries=[LogEntry(**{name: getattr(one, name) for name in names}) for one in logged])


@router.get("/people/{enrollment_id}/data", tags=["people"], response_class=Response)
def get_data(site: SiteHere, who: Admin, enrollment_id: Number) -> Response:
    """All that is stored about one person, as a ZIP."""
    return data_answer(site, who, enrollment_id)


@router.delete("/people/{enrollment_id}", tags=["people"])
def erase_person(site: SiteHere, who: Admin, enrollment_id: Number) -> ErasedShape:
    """Erase a person and their work for good."""
    gone = erase(site, who, enrollment_id, site.settings.cache)
    return ErasedShape(items=gone.items, files=gone.files)
