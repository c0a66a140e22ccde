"""FRONT DOOR `account_roles`: who is in which course, in which role, and so what they may see.

A course belongs to an organization. An enrollment stands for a person in a course: with an account once they sign in,
without one as long as they are only on the roster. Administrators of an organization are owners of all its courses.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, update

from assay.store.accounts import Account
from assay.store.database import first_as, rows_as
from assay.store.schema import clipped, courses, enrollments, new_id, organizations, workspaces

CourseRole = Literal["student", "reviewer", "assistant", "teacher", "owner"]
COURSE_ROLES: tuple[CourseRole, ...] = get_args(CourseRole)
"""Each may do what those before it may, and more; a student sees nothing but the own work."""
DEFAULT_COURSE, DEFAULT_ORGANIZATION = "default", 1
"""Those that every database has: where nobody signs in, there is no other."""


def at_least(role: CourseRole | None, needed: CourseRole) -> bool:
    """Whether a role may do what another may.

    >>> at_least("teacher", "assistant"), at_least("reviewer", "assistant"), at_least(None, "student")
    (True, False, False)
    """
    return role is not None and COURSE_ROLES.index(role) >= COURSE_ROLES.index(needed)


@dataclass(frozen=True, slots=True)
class Organization:
    """A school or a firm: nobody in it sees anything of another."""

    id: int
    name: str
    created: datetime


@dataclass(frozen=True, slots=True)
class Course:
    """A class, a project, a team: the people in it share workspaces."""

    id: str
    organization_id: int
    name: str
    created: datetime
    removed: datetime | None
    retention_days: int | None = None
    """Work is erased so many days after it came in; None: never."""


@dataclass(frozen=True, slots=True)
class Enrollment:
    """A person in a course."""

    id: int
    course_id: str
    account_id: int | None
    role: CourseRole
    name: str
    email: str
    number: str
    """What the school calls the person: a student number, a user name."""
    created: datetime
    ended: datetime | None


def create_organization(connection: Connection, name: str, *, now: datetime) -> Organization:
    """A new organization, without courses or accounts."""
    new = insert(organizations).values(name=clipped(name), created=now).returning(organizations)
    return Organization(**connection.execute(new).mappings().one())


def find_organization(connection: Connection, name: str) -> Organization | None:
    """By name, whatever the case of its letters."""
    same = func.lower(organizations.c.name) == clipped(name).lower()
    return first_as(connection, Organization, select(organizations).where(same).order_by(organizations.c.id))


def create_course(connection: Connection, name: str, *, organization_id: int, now: datetime) -> Course:
    """A new course with nobody in it."""
    course = Course(new_id(), organization_id, clipped(name), now, None)
    connection.execute(insert(courses).values(**asdict(course)))
    return course


def find_course(connection: Connection, course_id: str) -> Course | None:
    """The course; None if there is none or it was removed."""
    query = select(courses).where(courses.c.id == course_id, courses.c.removed.is_(None))
    return first_as(connection, Course, query)


def change_course(connection: Connection, course_id: str, *, name: str) -> None:
    """Another name."""
    connection.execute(update(courses).where(courses.c.id == course_id).values(name=clipped(name)))


def set_retention(connection: Connection, course_id: str, days: int | None) -> None:
    """Erase work so many days after it came in; None: never."""
    connection.execute(update(courses).where(courses.c.id == course_id).values(retention_days=days))


def account_courses(connection: Connection, account: Account) -> list[tuple[Course, CourseRole]]:
    """The courses an account is in, by name, with its role in each; of an administrator, all of the organization."""
    joined = courses.outerjoin(enrollments, _own(account))
    query = select(courses, enrollments.c.role).select_from(joined).where(courses.c.removed.is_(None))
    query = query.where(courses.c.organization_id == account.organization_id)
    if account.role != "admin":
        query = query.where(enrollments.c.id.is_not(None))
    pairs: list[tuple[Course, CourseRole]] = []
    for row in map(dict, connection.execute(query.order_by(func.lower(courses.c.name), courses.c.id)).mappings()):
        role = row.pop("role")
        pairs.append((Course(**row), "owner" if account.role == "admin" else role))
    return pairs


def account_roles(connection: Connection, account: Account) -> Mapping[str, CourseRole]:
    """Course -> the role of an account in it; courses it is not in are not there."""
    return {course.id: role for course, role in account_courses(connection, account)}


def _own(account: Account) -> ColumnElement[bool]:
    c = enrollments.c
    return and_(c.course_id == courses.c.id, c.account_id == account.id, c.ended.is_(None))


def own_enrollments(connection: Connection, account_id: int) -> list[Enrollment]:
    """Every enrollment of an account that has not ended, the latest first."""
    query = select(enrollments).where(enrollments.c.account_id == account_id, enrollments.c.ended.is_(None))
    return rows_as(connection, Enrollment, query.order_by(enrollments.c.id.desc()))


def enroll(
    connection: Connection,
    course_id: str,
    role: CourseRole,
    name: str,
    *,
    now: datetime,
    account_id: int | None = None,
    email: str = "",
    number: str = "",
) -> Enrollment:
    """Put a person into a course; an account that was in it before has that enrollment again, with this role."""
    c = enrollments.c
    values = {"role": role, "name": clipped(name), "email": email.strip()[:400], "number": number.strip()[:80]}
    if account_id is not None:
        again = update(enrollments).where(c.course_id == course_id, c.account_id == account_id)
        row = connection.execute(again.values(**values, ended=None).returning(enrollments)).mappings().first()
        if row is not None:
            return Enrollment(**row)
    new = insert(enrollments).values(course_id=course_id, account_id=account_id, **values, created=now, ended=None)
    return Enrollment(**connection.execute(new.returning(enrollments)).mappings().one())


def course_people(connection: Connection, course_id: str, role: CourseRole | None = None) -> list[Enrollment]:
    """Who is in a course, by name; of one role or all."""
    query = select(enrollments).where(enrollments.c.course_id == course_id, enrollments.c.ended.is_(None))
    query = query if role is None else query.where(enrollments.c.role == role)
    return rows_as(connection, Enrollment, query.order_by(func.lower(enrollments.c.name), enrollments.c.id))


def past_students(connection: Connection, course_id: str) -> list[Enrollment]:
    """Students who left a course, by name; their work is still there."""
    query = select(enrollments).where(enrollments.c.course_id == course_id, enrollments.c.ended.is_not(None))
    query = query.where(enrollments.c.role == "student")
    return rows_as(connection, Enrollment, query.order_by(func.lower(enrollments.c.name), enrollments.c.id))


def find_enrollment(connection: Connection, course_id: str, enrollment_id: int) -> Enrollment | None:
    """A person in this course."""
    query = select(enrollments).where(enrollments.c.course_id == course_id, enrollments.c.id == enrollment_id)
    return first_as(connection, Enrollment, query.where(enrollments.c.ended.is_(None)))


def change_enrollment(
    connection: Connection,
    enrollment_id: int,
    *,
    role: CourseRole | None = None,
    account_id: int | None = None,
    ended: datetime | None = None,
) -> None:
    """Another role, an account for someone from the roster, or the end of it; what is None stays."""
    values = {"role": role, "account_id": account_id, "ended": ended}
    changes = {name: value for name, value in values.items() if value is not None}
    connection.execute(update(enrollments).where(enrollments.c.id == enrollment_id).values(**changes))


def workspace_course(connection: Connection, workspace_id: str) -> str | None:
    """The course a workspace belongs to, one that was removed too."""
    query = select(workspaces.c.course_id).where(workspaces.c.id == workspace_id)
    return connection.execute(query).scalar_one_or_none()
