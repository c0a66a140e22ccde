"""FRONT DOOR `appeal`, `answer`: what a student says about a released grade, and what a teacher says to that."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Connection, exists, func, insert, select, update

from assay.store.classroom.tables import messages
from assay.store.database import first_as, rows_as
from assay.store.schema import fields, items, workspaces

About = Literal["score", "error", "other"]
LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Message:
    """An appeal, or the answer to one."""

    id: int
    workspace_id: str
    enrollment_id: int
    item_id: int | None
    appeal_id: int | None
    """The appeal that it answers; None for an appeal."""
    about: str
    text: str
    author: str
    made_at: datetime
    closed: datetime | None
    """When an appeal was answered."""


def appeal(
    connection: Connection,
    workspace_id: str,
    enrollment_id: int,
    item_id: int,
    *,
    about: About,
    text: str,
    author: str,
    now: datetime,
) -> int:
    """Ask for another look; the item is back in the queue of what is to review."""
    row = {"workspace_id": workspace_id, "enrollment_id": enrollment_id, "item_id": item_id, "about": about}
    row |= {"text": text.strip()[:LONGEST], "author": author, "made": now}
    return int(connection.execute(insert(messages).values(**row).returning(messages.c.id)).scalar_one())


def answer(connection: Connection, asked: Message, *, text: str, author: str, now: datetime) -> None:
    """Answer an appeal, which closes it; a further answer is added to the first."""
    row = {"workspace_id": asked.workspace_id, "enrollment_id": asked.enrollment_id, "item_id": asked.item_id}
    row |= {"appeal_id": asked.id, "about": asked.about, "text": text.strip()[:LONGEST], "author": author, "made": now}
    connection.execute(insert(messages).values(**row))
    connection.execute(update(messages).where(messages.c.id == asked.id).values(closed=now))


def find_appeal(connection: Connection, workspace_id: str, appeal_id: int) -> Message | None:
    query = select(*fields(messages)).where(messages.c.workspace_id == workspace_id, messages.c.id == appeal_id)
    return first_as(connection, Message, query.where(messages.c.appeal_id.is_(None)))


def thread(connection: Connection, workspace_id: str, enrollment_ids: Collection[int]) -> list[Message]:
    """What was said about a person's grade in an assignment, oldest first."""
    query = select(*fields(messages)).where(messages.c.workspace_id == workspace_id)
    return rows_as(
        connection, Message, query.where(messages.c.enrollment_id.in_(list(enrollment_ids))).order_by(messages.c.id)
    )


def course_appeals(connection: Connection, course_id: str) -> list[Message]:
    """The appeals of a course that wait for an answer, oldest first."""
    query = select(*fields(messages)).join(workspaces, workspaces.c.id == messages.c.workspace_id)
    query = query.where(workspaces.c.course_id == course_id, workspaces.c.removed.is_(None))
    return rows_as(connection, Message, query.where(_is_open()).order_by(messages.c.id))


def open_appeals(connection: Connection, workspace_id: str) -> int:
    """How many appeals of an assignment wait."""
    query = select(func.count()).select_from(messages).where(messages.c.workspace_id == workspace_id, _is_open())
    return connection.execute(query).scalar_one()


def is_appealed() -> ColumnElement[bool]:
    """Of an item in a query: whether an appeal about it waits for an answer."""
    return exists().where(messages.c.item_id == items.c.id, _is_open())


def _is_open() -> ColumnElement[bool]:
    return messages.c.appeal_id.is_(None) & messages.c.closed.is_(None)
