"""FRONT DOOR `course_of_context`: courses of a learning platform and ours, and where their grades go."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from assay.store.courses import create_course
from assay.store.database import first_as, rows_as
from assay.store.schema import courses, lti_courses, lti_line_items


@dataclass(frozen=True, slots=True)
class LtiContext:
    """A course as a platform names it."""

    issuer: str
    client_id: str
    deployment: str
    context: str


@dataclass(frozen=True, slots=True)
class LtiCourse:
    """A course of ours that belongs to one of a platform."""

    id: int
    course_id: str
    issuer: str
    client_id: str
    deployment: str
    context: str
    memberships_url: str | None
    line_items_url: str | None


@dataclass(frozen=True, slots=True)
class LineItem:
    """A column in the gradebook of a platform."""

    id: int
    lti_course_id: int
    workspace_id: str | None
    resource_link: str
    url: str


def course_of_context(
    connection: Connection, context: LtiContext, *, title: str, organization_id: int, now: datetime
) -> LtiCourse:
    """The course of a context; a new one the first time, and when ours was removed."""
    c = lti_courses.c
    same = (c.issuer == context.issuer) & (c.client_id == context.client_id)
    same &= (c.deployment == context.deployment) & (c.context == context.context)
    known = first_as(connection, LtiCourse, select(lti_courses).where(same))
    if known is not None:
        removed = select(courses.c.removed).where(courses.c.id == known.course_id)
        if connection.execute(removed).scalar_one() is None:
            return known
    course = create_course(connection, title, organization_id=organization_id, now=now)
    if known is not None:
        connection.execute(update(lti_courses).where(c.id == known.id).values(course_id=course.id))
    else:
        row = {"issuer": context.issuer, "client_id": context.client_id, "deployment": context.deployment}
        connection.execute(insert(lti_courses).values(**row, context=context.context, course_id=course.id))
    return LtiCourse(**connection.execute(select(lti_courses).where(same)).mappings().one())


def set_services(connection: Connection, lti_course_id: int, memberships_url: str, line_items_url: str) -> None:
    """Where a platform lists people and gradebook columns, as its last launch said."""
    urls = {"memberships_url": memberships_url[:2000] or None, "line_items_url": line_items_url[:2000] or None}
    connection.execute(update(lti_courses).where(lti_courses.c.id == lti_course_id).values(**urls))


def contexts_of_course(connection: Connection, course_id: str) -> list[LtiCourse]:
    """The courses of platforms that lead to one of ours."""
    query = select(lti_courses).where(lti_courses.c.course_id == course_id)
    return rows_as(connection, LtiCourse, query.order_by(lti_courses.c.id))


def put_line_item(
    connection: Connection, lti_course_id: int, resource_link: str, url: str, workspace_id: str | None
) -> None:
    """The gradebook column of a link, and the workspace whose grades it takes, if it is known."""
    c = lti_line_items.c
    same = (c.lti_course_id == lti_course_id) & (c.resource_link == resource_link)
    values = {"url": url[:2000]} | ({"workspace_id": workspace_id} if workspace_id else {})
    if connection.execute(update(lti_line_items).where(same).values(**values)).rowcount == 0:
        row = {"lti_course_id": lti_course_id, "resource_link": resource_link[:400], **values}
        connection.execute(insert(lti_line_items).values(**row))


def line_items_of(connection: Connection, course_id: str, workspace_id: str) -> list[tuple[LtiCourse, LineItem]]:
    """The gradebook columns that take the grades of a workspace."""
    contexts = {one.id: one for one in contexts_of_course(connection, course_id)}
    query = select(lti_line_items).where(lti_line_items.c.workspace_id == workspace_id)
    items = rows_as(connection, LineItem, query.order_by(lti_line_items.c.id))
    return [(contexts[item.lti_course_id], item) for item in items if item.lti_course_id in contexts]
