"""FRONT DOOR `keep_draft`: every version a student handed in, with its receipt; and the names that lists show."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, case, func, insert, literal, select, update

from assay.store.blobs import Upload
from assay.store.classroom.tables import assignment_students, assignments, drafts
from assay.store.database import rows_as
from assay.store.schema import clipped, enrollments, fields, items, new_id, uploads


@dataclass(frozen=True, slots=True)
class Draft:
    """One version of a student's work."""

    id: int
    workspace_id: str
    enrollment_id: int
    number: int
    upload_id: int
    name: str
    """What the student calls the file."""
    digest: str
    size: int
    content: str
    """What the reader saw in it, in words: 412 words."""
    receipt: str
    late: bool
    made_at: datetime


def keep_draft(
    connection: Connection, enrollment_id: int, upload: Upload, *, name: str, content: str, late: bool, now: datetime
) -> Draft:
    """Write down what was handed in; earlier versions are kept, and no longer scored."""
    c = drafts.c
    own = (c.workspace_id == upload.workspace_id) & (c.enrollment_id == enrollment_id)
    last = connection.execute(select(func.coalesce(func.max(c.number), 0)).where(own)).scalar_one()
    earlier = select(c.upload_id).where(own).scalar_subquery()
    connection.execute(
        update(uploads).where(uploads.c.id.in_(earlier), uploads.c.removed.is_(None)).values(removed=now)
    )
    row = {"workspace_id": upload.workspace_id, "enrollment_id": enrollment_id, "number": last + 1}
    row |= {"upload_id": upload.id, "name": clipped(name), "digest": upload.digest, "size": upload.size}
    row |= {"content": content, "receipt": new_id().upper(), "late": late, "made": now}
    row_back = connection.execute(insert(drafts).values(**row).returning(*fields(drafts))).mappings().one()
    return Draft(**row_back)


def own_drafts(connection: Connection, enrollment_ids: Collection[int], workspace_id: str | None = None) -> list[Draft]:
    """What a person handed in, the latest first, in one assignment or all."""
    query = select(*fields(drafts)).where(drafts.c.enrollment_id.in_(list(enrollment_ids)))
    query = query if workspace_id is None else query.where(drafts.c.workspace_id == workspace_id)
    return rows_as(connection, Draft, query.order_by(drafts.c.id.desc()))


def workspace_drafts(connection: Connection, workspace_id: str) -> dict[int, list[Draft]]:
    """Enrollment -> what was handed in, the latest first."""
    by_student: dict[int, list[Draft]] = {}
    query = select(*fields(drafts)).where(drafts.c.workspace_id == workspace_id).order_by(drafts.c.id.desc())
    for draft in rows_as(connection, Draft, query):
        by_student.setdefault(draft.enrollment_id, []).append(draft)
    return by_student


def name_items(connection: Connection, workspace_id: str, *, now: datetime) -> None:
    """Give what was handed in to whoever did, under the name that those who mark may see.

    That is the code of the student where marking is anonymous and the grade is not released, or else the name.
    """
    place, person = assignment_students.c, enrollments.c
    hidden = assignments.c.anonymous.is_(True) & (place.released.is_(None) | (place.released > now))
    label = case((hidden, place.code), else_=person.name)
    handed_in = drafts.join(enrollments, person.id == drafts.c.enrollment_id)
    handed_in = handed_in.outerjoin(assignments, assignments.c.workspace_id == drafts.c.workspace_id)
    same = (place.workspace_id == drafts.c.workspace_id) & (place.enrollment_id == drafts.c.enrollment_id)
    handed_in = handed_in.outerjoin(assignment_students, same)
    query = select(items.c.id, person.id, func.coalesce(label, person.name), items.c.name, items.c.enrollment_id)
    query = query.select_from(handed_in.join(items, items.c.upload_id == drafts.c.upload_id))
    for item_id, owner, name, known, current in connection.execute(query.where(items.c.workspace_id == workspace_id)):
        if (name, owner) != (known, current):
            values = {"name": clipped(name), "student": name[:80], "enrollment_id": owner}
            connection.execute(update(items).where(items.c.id == item_id).values(**values))


def has_drafts(connection: Connection, workspace_id: str) -> bool:
    """Whether somebody has handed something in."""
    query = select(literal(1)).where(drafts.c.workspace_id == workspace_id).limit(1)
    return connection.execute(query).first() is not None
