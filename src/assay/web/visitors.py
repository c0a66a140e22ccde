"""Who asks, and what they may do: their account says whether they look after one, their enrollments the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Form, Request

from assay.store.accounts import Account, Role, Scope, SessionKind, account_of
from assay.store.courses import (
    DEFAULT_COURSE,
    DEFAULT_ORGANIZATION,
    Course,
    CourseRole,
    account_roles,
    at_least,
    create_course,
    enroll,
    own_enrollments,
)
from assay.store.schema import Connection
from assay.store.workspaces import note
from assay.web.problems import Forbidden, SignInFirst
from assay.web.site import Site, SiteHere, local_name

SESSION = "assay_session"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person or program behind a request. Without accounts it is whoever sits at this machine."""

    name: str
    role: Role
    account: Account | None = None
    may_change: bool = True
    """False for a program whose token only reads."""
    courses: Mapping[str, CourseRole] = field(default_factory=dict)
    """Course -> the role in it; of no use where nobody signs in, and whoever asks owns everything."""
    enrollments: tuple[int, ...] = ()
    """The own enrollments, the latest first: whose work may be seen."""
    course_id: str = ""
    """The course that the request is about, once it is known."""
    scope: Scope = "all"
    """What the token of a program may do."""

    @property
    def may_train(self) -> bool:
        """Whether more than the own work may be seen: in the course it is about, or else in any."""
        if self.course_id:
            return self.may("reviewer")
        in_any = any(at_least(role, "reviewer") for role in self.courses.values())
        return self.account is None or self.role in ("admin", "trainer") or in_any

    def role_in(self, course_id: str) -> CourseRole | None:
        """The role in a course; None for someone who is not in it."""
        return "owner" if self.account is None else self.courses.get(course_id)

    def may(self, role: CourseRole) -> bool:
        """Whether a role is enough for something in the course that the request is about."""
        return at_least(self.role_in(self.course_id), role)

    def within(self, role: CourseRole = "reviewer") -> list[str] | None:
        """The courses in which the visitor may do what a role may; None: all there are."""
        if self.account is None:
            return None
        return [course for course, own in self.courses.items() if at_least(own, role)]


def find_visitor(request: Request, site: Site) -> Visitor | None:
    """Who asks; None when nobody is signed in."""
    if not site.settings.accounts:
        return Visitor(local_name(), "admin")
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    is_program = scheme == "Bearer" and bearer != ""
    token = bearer if is_program else request.cookies.get(SESSION, "")
    with site.database.reading() as connection:
        kind: SessionKind = "api" if is_program else "browser"
        known = account_of(connection, token, now=site.now(), kind=kind) if token else None
        if known is None:
            return None
        account, scope = known
        roles = account_roles(connection, account)
        own = tuple(one.id for one in own_enrollments(connection, account.id) if one.course_id in roles)
    return Visitor(account.name, account.role, account, scope != "read", roles, own, scope=scope)


def visitor(request: Request, site: SiteHere) -> Visitor:
    """Who asks; those who are not signed in are sent to do so."""
    who = find_visitor(request, site)
    if who is None:
        raise SignInFirst
    if not who.may_change and request.method not in ("GET", "HEAD"):
        raise Forbidden("This token can only read. Create one with full access on your account page.")
    if who.scope == "scim" and not request.url.path.startswith("/scim/"):
        raise Forbidden("This token is for SCIM only. Create another one on your account page.")
    request.state.visitor = who
    return who


Anyone = Annotated[Visitor, Depends(visitor)]
"""Signed in, student or not."""


def trainer(who: Anyone) -> Visitor:
    if not who.may_train:
        raise Forbidden("This page is for trainers.")
    return who


Trainer = Annotated[Visitor, Depends(trainer)]


def workspace_author(who: Trainer, course: Annotated[str, Form(max_length=16)] = "") -> Visitor:
    """Someone who makes a workspace, in the course a form names or in their own."""
    return replace(who, course_id=course) if course else who


Author = Annotated[Visitor, Depends(workspace_author)]


def course_of_new(connection: Connection, who: Visitor, *, now: datetime) -> str:
    """The course that a new workspace belongs to: the one asked for, the one joined last, or a new one of their own."""
    if who.account is None:
        return DEFAULT_COURSE
    if who.course_id:
        if not who.may("assistant"):
            raise Forbidden("You can't add workspaces to this course. Ask its owner for the role of an assistant.")
        return who.course_id
    own = own_enrollments(connection, who.account.id)
    fitting = [one.course_id for one in own if at_least(who.role_in(one.course_id), "assistant")]
    if fitting:
        return fitting[0]
    if who.role == "student":
        raise Forbidden("Only teachers and assistants of a course can add workspaces.")
    return new_course(connection, f"Course of {who.name}", who, now=now).id


def new_course(connection: Connection, name: str, who: Visitor, *, now: datetime) -> Course:
    """A course whose owner is the visitor."""
    organization_id = who.account.organization_id if who.account else DEFAULT_ORGANIZATION
    course = create_course(connection, name, organization_id=organization_id, now=now)
    if who.account is not None:
        enroll(connection, course.id, "owner", who.name, now=now, account_id=who.account.id)
    note(connection, "create course", author=who.name, now=now, course_id=course.id, detail={"name": course.name})
    return course


def admin(who: Anyone) -> Visitor:
    if who.role != "admin":
        raise Forbidden("Accounts are looked after by the administrator.")
    return who


Admin = Annotated[Visitor, Depends(admin)]
