"""Courses: their workspaces, the people in them and what was done; only where people sign in."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.errors import InputError
from assay.store import accounts
from assay.store.courses import (
    COURSE_ROLES,
    Course,
    CourseRole,
    Enrollment,
    account_courses,
    at_least,
    change_course,
    change_enrollment,
    course_people,
    enroll,
    find_course,
    find_enrollment,
    past_students,
    set_retention,
)
from assay.store.schema import Connection
from assay.store.sign_on.lti_courses import contexts_of_course
from assay.store.workspaces import entries, note, recent_workspaces
from assay.web.pages.page_parts import Errors, Number, Short, Typed
from assay.web.pages.shared_pages import MOST_ENTRIES, log_lines
from assay.web.problems import FieldErrors, Forbidden, NotFound
from assay.web.site import Site, SiteHere
from assay.web.templating import render
from assay.web.visitors import Anyone, Trainer, Visitor, new_course

router = APIRouter(prefix="/courses")
RoleField = Annotated[CourseRole, Form()]
MOST_WORKSPACES = 500
MOST_DAYS = 36_500
TABS: tuple[tuple[str, str, CourseRole], ...] = (
    ("", "Work", "reviewer"),
    ("/assignments", "Assignments", "reviewer"),
    ("/appeals", "Appeals", "reviewer"),
    ("/people", "People", "assistant"),
    ("/matching", "Files to match", "teacher"),
    ("/log", "Log", "teacher"),
)
"""Pages of a course: the end of the address, the title, and the role that sees it."""
ROLE_WORDS: Mapping[CourseRole, str] = {
    "student": "sees their own work and its scores",
    "reviewer": "reads work and decides about scores",
    "assistant": "also uploads, scores and exports",
    "teacher": "also adds people and removes workspaces",
    "owner": "also appoints teachers and owners",
}


@dataclass(frozen=True, slots=True)
class CourseContext:
    """A course and who asks for it."""

    course: Course
    visitor: Visitor
    site: Site

    @property
    def url(self) -> str:
        return f"/courses/{self.course.id}"

    @property
    def role(self) -> CourseRole:
        return self.visitor.role_in(self.course.id) or "student"

    def note(self, connection: Connection, action: str, detail: Mapping[str, object] | None = None) -> None:
        """Add a line to the log of the course."""
        now, author = self.site.now(), self.visitor.name
        note(connection, action, author=author, now=now, course_id=self.course.id, detail=detail)


def find_course_context(course_id: str, site: Site, who: Visitor, role: CourseRole) -> CourseContext:
    """A course; a 404 for those who are not in it, and wherever nobody signs in."""
    course = site.database.read(find_course, course_id) if who.account is not None else None
    own = who.role_in(course.id) if course is not None else None
    if course is None or own is None:
        raise NotFound("There is no such course, or you are not in it.")
    if not at_least(own, role):
        raise Forbidden(f"Only people with the role of {role} or above in this course can do this.")
    return CourseContext(course, replace(who, course_id=course.id), site)


def course_for(role: CourseRole) -> Any:
    """The course in the address, for those whose role in it is enough."""

    def course_in_address(course_id: str, site: SiteHere, who: Anyone) -> CourseContext:
        return find_course_context(course_id, site, who, role)

    return Depends(course_in_address)


ForReviewers = Annotated[CourseContext, course_for("reviewer")]
ForAssistants = Annotated[CourseContext, course_for("assistant")]
ForTeachers = Annotated[CourseContext, course_for("teacher")]
ForOwners = Annotated[CourseContext, course_for("owner")]


def course_page(
    request: Request, context: CourseContext, template: str, *, tab: str, values: Mapping[str, Any]
) -> HTMLResponse:
    """A page below the header of its course."""
    shared = {
        "course": context.course,
        "url": context.url,
        "tab": tab,
        "tabs": [(path, title) for path, title, role in TABS if at_least(context.role, role)],
        "visitor": context.visitor,
    }
    return render(request, template, {**shared, **values})


@router.get("")
def courses(request: Request, site: SiteHere, who: Trainer, errors: Errors = None) -> HTMLResponse:
    """The courses one is in."""
    if who.account is None:
        raise NotFound
    with site.database.reading() as connection:
        listed = account_courses(connection, who.account)
        counts = {course.id: len(course_people(connection, course.id, "student")) for course, _ in listed}
    own = [(course, role) for course, role in listed if at_least(role, "reviewer")]
    may_create = who.role in ("admin", "trainer")
    values = {"listed": own, "counts": counts, "may_create": may_create, "errors": errors or {}}
    return render(request, "courses/courses.html", values)


@router.post("")
def create(request: Request, site: SiteHere, who: Trainer, name: Short = "") -> Response:
    """A new course, whose owner is whoever made it."""
    if who.account is None:
        raise NotFound
    if who.role not in ("admin", "trainer"):
        raise Forbidden("Only trainers and administrators can create courses.")
    if not name.strip():
        return courses(request, site, who, {"name": "Give the course a name."})
    with site.database.writing() as connection:
        course = new_course(connection, name, who, now=site.now())
    return RedirectResponse(f"/courses/{course.id}", 303)


@router.get("/{course_id}")
def work(request: Request, context: ForReviewers) -> HTMLResponse:
    """The workspaces of a course."""
    with context.site.database.reading() as connection:
        listed = recent_workspaces(connection, within=[context.course.id], most=MOST_WORKSPACES)
    return course_page(request, context, "courses/work.html", tab="", values={"workspaces": listed})


@router.post("/{course_id}/name")
def rename(context: ForOwners, name: Short = "") -> RedirectResponse:
    """Another name for the course."""
    if name.strip():
        with context.site.database.writing() as connection:
            change_course(connection, context.course.id, name=name)
            context.note(connection, "rename course", {"name": name.strip()})
    return RedirectResponse(context.url, 303)


@router.post("/{course_id}/retention")
def retention(context: ForOwners, days: Annotated[str, Form(max_length=6)] = "") -> RedirectResponse:
    """How many days work is kept; an empty field: for good."""
    keep_for(context, int(days) if days.strip().isdecimal() else None)
    return RedirectResponse(context.url, 303)


def keep_for(context: CourseContext, days: int | None) -> None:
    """Erase work so many days after it came in; None: never."""
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise InputError(f"Give a number of days from 1 to {MOST_DAYS:,}.", field="days")
    with context.site.database.writing() as connection:
        set_retention(connection, context.course.id, days)
        context.note(connection, "change retention", {"days": days})


@router.get("/{course_id}/log")
def log(request: Request, context: ForTeachers, before: int | None = None) -> HTMLResponse:
    """Who did what in the course, newest first."""
    with context.site.database.reading() as connection:
        logged = entries(connection, course_id=context.course.id, before=before, most=MOST_ENTRIES)
        listed = recent_workspaces(connection, within=[context.course.id], most=MOST_WORKSPACES)
    values = {
        "lines": log_lines(logged),
        "named": {workspace.id: workspace for workspace in listed},
        "earlier": logged[-1].id if len(logged) == MOST_ENTRIES else None,
    }
    return course_page(request, context, "courses/log.html", tab="/log", values=values)


@router.get("/{course_id}/people")
def people(
    request: Request, context: ForAssistants, errors: Errors = None, name: Typed = None, links: Typed = None
) -> HTMLResponse:
    """Who is in the course."""
    with context.site.database.reading() as connection:
        listed = course_people(connection, context.course.id)
        left = past_students(connection, context.course.id)
    values = {
        "left": left,
        "people": sorted(listed, key=lambda one: (one.role == "student", one.name.casefold())),
        "roles": _assignable(context),
        "role_words": ROLE_WORDS,
        "may_enroll": at_least(context.role, "teacher"),
        "errors": errors or {},
        "name": name or "",
        "links": links or "",
    }
    platforms = context.site.database.read(contexts_of_course, context.course.id)
    values["has_platform"] = any(one.memberships_url for one in platforms)
    return course_page(request, context, "courses/people.html", tab="/people", values=values)


def _assignable(context: CourseContext) -> list[CourseRole]:
    """The roles one may give and take: those below one's own, and for owners all."""
    rank = COURSE_ROLES.index(context.role)
    return list(COURSE_ROLES if context.role == "owner" else COURSE_ROLES[:rank])


def _check_assignable(context: CourseContext, *roles: CourseRole) -> None:
    if not set(roles) <= set(_assignable(context)):
        raise Forbidden("You can only give and change roles below your own.")


@router.post("/{course_id}/people")
def add_person(
    request: Request, context: ForTeachers, role: RoleField, name: Short = "", email: Short = "", number: Short = ""
) -> Response:
    """Enroll somebody: an account of that name, or a new one with an invitation link."""
    _check_assignable(context, role)
    if not name.strip():
        return people(request, context, {"name": "Give the name of the person, or of their account."})
    try:
        with context.site.database.writing() as connection:
            account = _own_account(connection, context, email.strip() or name.strip())
            if account is not None:
                _check_free(connection, context, account.id)
            one = enroll(
                connection,
                context.course.id,
                role,
                name,
                now=context.site.now(),
                account_id=account.id if account else None,
                email=email,
                number=number,
            )
            context.note(connection, "enroll", {"name": one.name, "role": role})
            link = "" if account else invitation(connection, request, context, one)
    except FieldErrors as wrong:
        return people(request, context, wrong.errors, name)
    return people(request, context, links=link) if link else RedirectResponse(f"{context.url}/people", 303)


def _own_account(connection: Connection, context: CourseContext, name: str) -> accounts.Account | None:
    """The account of a name in the same organization."""
    account = accounts.find_account(connection, name)
    return account if account and account.organization_id == context.course.organization_id else None


def _check_free(connection: Connection, context: CourseContext, account_id: int) -> None:
    if any(one.account_id == account_id for one in course_people(connection, context.course.id)):
        raise FieldErrors({"name": "This person is in the course already. Change their role below."})


def invitation(connection: Connection, request: Request, context: CourseContext, one: Enrollment) -> str:
    """A line with a person's name and the link with which they set a password; an account is made for them."""
    wish = one.email or one.name
    wish = wish if accounts.NAME.fullmatch(wish) else " ".join(one.name.split())
    name, further = wish[:76], 1
    while not accounts.NAME.fullmatch(name) or accounts.find_account(connection, name) is not None:
        further += 1
        name = f"{wish[:76] if accounts.NAME.fullmatch(wish[:76]) else 'Person'} {further}"
    now, organization = context.site.now(), context.course.organization_id
    role: accounts.Role = "student" if one.role == "student" else "trainer"
    account_id = accounts.create_account(connection, name, "", role, now=now, organization_id=organization)
    change_enrollment(connection, one.id, account_id=account_id)
    token = accounts.create_link(connection, account_id, "invitation", now=now)
    context.note(connection, "create account", {"name": name, "role": role})
    return f"{name}\t{str(request.base_url).rstrip('/')}/welcome/{token}"


@router.post("/{course_id}/invite")
def invite(request: Request, context: ForTeachers) -> HTMLResponse:
    """Accounts and links for all students who have none yet; shown this once."""
    with context.site.database.writing() as connection:
        waiting = [one for one in course_people(connection, context.course.id, "student") if one.account_id is None]
        lines = [invitation(connection, request, context, one) for one in waiting]
    return people(request, context, links="\n".join(lines))


def person_here(enrollment_id: Number, context: ForTeachers) -> Enrollment:
    """A person in the course, whose role one may change."""
    one = context.site.database.read(find_enrollment, context.course.id, enrollment_id)
    if one is None:
        raise NotFound("There is no such person in this course.")
    _check_assignable(context, one.role)
    return one


PersonHere = Annotated[Enrollment, Depends(person_here)]


@router.post("/{course_id}/people/{enrollment_id}/role")
def change_role(request: Request, context: ForTeachers, one: PersonHere, role: RoleField) -> Response:
    """Another role for a person."""
    _check_assignable(context, role)
    return _changed(request, context, one, "change role", role)


@router.post("/{course_id}/people/{enrollment_id}/end")
def end(request: Request, context: ForTeachers, one: PersonHere) -> Response:
    """Take a person out of the course; their work stays."""
    return _changed(request, context, one, "end enrollment", None)


def _changed(
    request: Request, context: CourseContext, one: Enrollment, action: str, role: CourseRole | None
) -> Response:
    with context.site.database.writing() as connection:
        owners = course_people(connection, context.course.id, "owner")
        if one.role == "owner" and role != "owner" and len(owners) == 1:
            return people(request, context, {"people": "A course needs an owner. Make somebody else one first."})
        change_enrollment(connection, one.id, role=role, ended=None if role else context.site.now())
        context.note(connection, action, {"name": one.name, **({"role": role} if role else {})})
    return RedirectResponse(f"{context.url}/people", 303)
