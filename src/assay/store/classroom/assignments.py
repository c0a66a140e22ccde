"""FRONT DOOR `find_assignment`, `save_assignment`: workspaces into which students hand in, deadlines and extensions."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from assay.store.classroom.tables import assignment_students, assignments
from assay.store.database import first_as, rows_as
from assay.store.schema import LETTERS, workspaces

SHOWN = ("score", "advice", "errors", "sums", "overlay")
"""What a student may be shown: the score, strengths and aims, errors marked, how the score adds up, the images."""
APPEAL_DAYS = 7


@dataclass(frozen=True, slots=True)
class Assignment:
    """What students hand in to a workspace, and until when."""

    workspace_id: str
    instructions: str
    opens: datetime | None
    due: datetime | None
    takes_late: bool
    """Whether those who handed in nothing may still do so after the deadline."""
    anonymous: bool
    """Whether those who mark see a code in place of a name until the grade is released."""
    appeal_days: int
    created: datetime


@dataclass(frozen=True, slots=True)
class StudentPlace:
    """What there is between an assignment and one student."""

    workspace_id: str
    enrollment_id: int
    code: str
    extension: datetime | None = None
    released: datetime | None = None
    """From when the student sees the grade; in the future for a release by date."""
    shown: Sequence[str] = field(default=())

    def is_released(self, now: datetime) -> bool:
        return self.released is not None and self.released <= now


def save_assignment(connection: Connection, assignment: Assignment) -> None:
    """Open a workspace for hand-in, or change how it takes it."""
    values = {name: value for name, value in asdict(assignment).items() if name != "workspace_id"}
    own = assignments.c.workspace_id == assignment.workspace_id
    if not connection.execute(update(assignments).where(own).values(**values)).rowcount:
        connection.execute(insert(assignments).values(workspace_id=assignment.workspace_id, **values))


def find_assignment(connection: Connection, workspace_id: str) -> Assignment | None:
    """How a workspace takes work; None for one into which nobody hands in."""
    return first_as(connection, Assignment, select(assignments).where(assignments.c.workspace_id == workspace_id))


def course_assignments(connection: Connection, course_ids: Collection[str]) -> list[Assignment]:
    """The assignments of courses, the next deadline first; those of removed workspaces left out."""
    query = select(assignments).join(workspaces, workspaces.c.id == assignments.c.workspace_id)
    query = query.where(workspaces.c.course_id.in_(list(course_ids)), workspaces.c.removed.is_(None))
    return rows_as(connection, Assignment, query.order_by(assignments.c.due.asc().nulls_last(), assignments.c.created))


def end_hand_in(connection: Connection, workspace_id: str) -> None:
    """Take no more work; what was handed in stays."""
    connection.execute(delete(assignments).where(assignments.c.workspace_id == workspace_id))


def find_place(connection: Connection, workspace_id: str, enrollment_id: int) -> StudentPlace | None:
    c = assignment_students.c
    query = select(assignment_students).where(c.workspace_id == workspace_id, c.enrollment_id == enrollment_id)
    return first_as(connection, StudentPlace, query)


def place_of(connection: Connection, workspace_id: str, enrollment_id: int) -> StudentPlace:
    """What is between an assignment and a student; made, with a code by chance, where there is nothing yet."""
    known = find_place(connection, workspace_id, enrollment_id)
    if known is not None:
        return known
    code = "".join(secrets.choice(LETTERS.upper()) for _ in range(6))
    place = StudentPlace(workspace_id, enrollment_id, f"{code[:3]}-{code[3:]}")
    connection.execute(insert(assignment_students).values(**{**asdict(place), "shown": []}))
    return place


def student_places(connection: Connection, workspace_id: str) -> dict[int, StudentPlace]:
    """Enrollment -> what is between the student and the assignment."""
    query = select(assignment_students).where(assignment_students.c.workspace_id == workspace_id)
    return {place.enrollment_id: place for place in rows_as(connection, StudentPlace, query)}


def own_places(connection: Connection, enrollment_ids: Collection[int]) -> dict[tuple[str, int], StudentPlace]:
    """Workspace and enrollment -> what is between them, for one person."""
    query = select(assignment_students).where(assignment_students.c.enrollment_id.in_(list(enrollment_ids)))
    return {(p.workspace_id, p.enrollment_id): p for p in rows_as(connection, StudentPlace, query)}


def extend(connection: Connection, workspace_id: str, enrollment_id: int, until: datetime | None) -> None:
    """A deadline of one's own; None takes it back."""
    place_of(connection, workspace_id, enrollment_id)
    _change(connection, workspace_id, [enrollment_id], extension=until)


def release(
    connection: Connection, workspace_id: str, enrollment_ids: Collection[int], *, at: datetime, shown: Sequence[str]
) -> None:
    """Let students see their grade from a moment on, and so much of it."""
    for enrollment_id in enrollment_ids:
        place_of(connection, workspace_id, enrollment_id)
    _change(connection, workspace_id, enrollment_ids, released=at, shown=[name for name in SHOWN if name in shown])


def withdraw(connection: Connection, workspace_id: str, enrollment_ids: Collection[int]) -> None:
    """Make grades private again."""
    _change(connection, workspace_id, enrollment_ids, released=None)


def _change(connection: Connection, workspace_id: str, ids: Collection[int], **values: object) -> None:
    c = assignment_students.c
    own = update(assignment_students).where(c.workspace_id == workspace_id, c.enrollment_id.in_(list(ids)))
    connection.execute(own.values(**values))
