"""FRONT DOOR `erase_person`, `erase_expired`: nothing of a person, or of old work, stays; the log says so.

Work goes with its results, decisions, drafts and messages; stored bytes go once nobody else needs them; lines of the
log stay, without names. A file that holds the work of several people is not touched: it is named, and nothing is
erased until somebody has replaced it.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    String,
    cast,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)

from assay.errors import InputError
from assay.store.classroom.tables import assignment_students, drafts, messages
from assay.store.courses import Enrollment
from assay.store.database import rows_as
from assay.store.schema import (
    accounts,
    audit,
    blob_parts,
    blobs,
    courses,
    enrollments,
    items,
    jobs,
    overrides,
    results,
    sign_in_attempts,
    uploads,
    workspaces,
)

ERASED = "erased person"
LONG_ENOUGH = 4
"""Shorter ids and names are only looked for as whole values: `12` is part of many a number."""
STUDENTS_FILES = ("essays", "submissions")


@dataclass(frozen=True, slots=True)
class Erased:
    """What went: counts for the log, digests of bytes that are gone, and workspaces whose reports went too."""

    items: int
    files: int
    log_lines: int
    digests: Sequence[str]
    workspaces: Sequence[str]


def same_person(connection: Connection, enrollment_id: int, organization_id: int) -> list[Enrollment]:
    """Every enrollment of whoever this is, ended ones too: of one account, or else of one e-mail address."""
    query = select(enrollments).join(courses, courses.c.id == enrollments.c.course_id)
    query = query.where(courses.c.organization_id == organization_id)
    one = rows_as(connection, Enrollment, query.where(enrollments.c.id == enrollment_id))
    if not one:
        return []
    same: list[ColumnElement[bool]] = [enrollments.c.id == enrollment_id]
    if one[0].account_id is not None:
        same.append(enrollments.c.account_id == one[0].account_id)
    if one[0].email:
        same.append(func.lower(enrollments.c.email) == one[0].email.lower())
    return rows_as(connection, Enrollment, query.where(or_(*same)).order_by(enrollments.c.id))


def find_people(connection: Connection, organization_id: int, containing: str, *, most: int = 100) -> list[Enrollment]:
    """People of an organization by name, e-mail address or id; those who left a course too."""
    query = select(enrollments).join(courses, courses.c.id == enrollments.c.course_id)
    query = query.where(courses.c.organization_id == organization_id)
    columns = (enrollments.c.name, enrollments.c.email, enrollments.c.number)
    fitting = or_(*(column.icontains(containing, autoescape=True) for column in columns))
    return rows_as(connection, Enrollment, query.where(fitting).order_by(enrollments.c.name).limit(most))


def erase_person(connection: Connection, people: Sequence[Enrollment], *, organization_id: int) -> Erased:
    """Erase a person: the account, all enrollments, all work and what was said about it."""
    ids = [one.id for one in people]
    known = {one.account_id for one in people if one.account_id is not None}
    own = (items.c.enrollment_id.in_(ids)) | items.c.upload_id.in_(_draft_uploads(ids))
    item_ids = list(connection.execute(select(items.c.id).where(own)).scalars())
    upload_ids: set[int] = set(connection.execute(_draft_uploads(ids)).scalars())
    upload_ids |= set(
        connection.execute(select(items.c.upload_id).where(own, items.c.upload_id.is_not(None))).scalars()
    )
    _check_shared(connection, upload_ids, item_ids)
    account_names = connection.execute(select(accounts.c.name).where(accounts.c.id.in_(known))).scalars().all()
    files = connection.execute(select(drafts.c.name).where(drafts.c.enrollment_id.in_(ids))).scalars().all()
    shown = connection.execute(select(uploads.c.name).where(uploads.c.id.in_(upload_ids))).scalars().all()
    places = select(assignment_students.c.code).where(assignment_students.c.enrollment_id.in_(ids))
    codes = connection.execute(places).scalars().all()
    names = {one.name for one in people} | set(account_names)
    words = names | {one.email for one in people} | {one.number for one in people} | {*files, *shown, *codes}
    gone = _erase_work(connection, item_ids, upload_ids)
    for table in (messages, drafts, assignment_students):
        connection.execute(delete(table).where(table.c.enrollment_id.in_(ids)))
    connection.execute(delete(enrollments).where(enrollments.c.id.in_(ids)))
    connection.execute(delete(accounts).where(accounts.c.id.in_(known)))
    lowered = [name.lower() for name in names]
    connection.execute(delete(sign_in_attempts).where(func.lower(sign_in_attempts.c.name).in_(lowered)))
    _rename_author(connection, names | set(codes), organization_id)
    lines = _blank_log(connection, words - {""}, organization_id)
    return Erased(len(item_ids), len(gone.digests), lines, gone.digests, gone.workspaces)


def erase_expired(connection: Connection, now: datetime, *, most: int = 200) -> Erased | None:
    """Erase work that is older than its course keeps it, a portion at a time; None when there is none."""
    limited = select(courses.c.id, courses.c.retention_days).where(courses.c.retention_days.is_not(None))
    for course_id, days in connection.execute(limited).all():
        old = select(uploads.c.id, uploads.c.name).join(workspaces, workspaces.c.id == uploads.c.workspace_id)
        old = old.where(workspaces.c.course_id == course_id, uploads.c.role.in_(STUDENTS_FILES))
        rows = connection.execute(old.where(uploads.c.created < now - timedelta(days=days)).limit(most)).all()
        if not rows:
            continue
        upload_ids = {row.id for row in rows}
        own = select(items.c.id, items.c.name).where(items.c.upload_id.in_(upload_ids))
        listed = connection.execute(own).all()
        organization = select(courses.c.organization_id).where(courses.c.id == course_id)
        organization_id = connection.execute(organization).scalar_one()
        gone = _erase_work(connection, [row.id for row in listed], upload_ids)
        lines = _blank_log(connection, {row.name for row in rows}, organization_id)
        counts = {"items": len(listed), "files": len(upload_ids), "days": days}
        row = {"made": now, "author": "retention", "action": "erase old work", "detail": counts}
        connection.execute(audit.insert().values(**row, course_id=course_id, organization_id=organization_id))
        return Erased(len(listed), len(gone.digests), lines, gone.digests, gone.workspaces)
    return None


def _draft_uploads(ids: Collection[int]) -> Select[int]:
    return select(drafts.c.upload_id).where(drafts.c.enrollment_id.in_(ids))


def _check_shared(connection: Connection, upload_ids: Collection[int], item_ids: Collection[int]) -> None:
    """InputError while a file also holds the work of others: taking it away would take theirs too."""
    query = select(uploads.c.name, workspaces.c.name).join(workspaces, workspaces.c.id == uploads.c.workspace_id)
    others = exists().where(items.c.upload_id == uploads.c.id, items.c.id.not_in(list(item_ids)))
    shared = connection.execute(query.where(uploads.c.id.in_(list(upload_ids)), others)).all()
    if shared:
        listed = "; ".join(f"{name} in {workspace}" for name, workspace in shared[:5])
        remedy = "Upload it again without this person, remove the old one, and erase then."
        raise InputError(f"This file holds the work of several people: {listed}", remedy=remedy)


def _erase_work(connection: Connection, item_ids: Sequence[int], upload_ids: Collection[int]) -> Erased:
    """Delete items and uploads, and reports about all of a workspace in which they were."""
    of_items = select(items.c.workspace_id).where(items.c.id.in_(item_ids))
    of_uploads = select(uploads.c.workspace_id).where(uploads.c.id.in_(list(upload_ids)))
    touched = set(connection.execute(of_items).scalars()) | set(connection.execute(of_uploads).scalars())
    hidden = select(items.c.id, items.c.detail).where(items.c.workspace_id.in_(touched), items.c.removed.is_not(None))
    reports = [row.id for row in connection.execute(hidden) if row.detail.get("is") == "batch"]
    doomed = [*item_ids, *reports]
    digests = set(connection.execute(select(uploads.c.digest).where(uploads.c.id.in_(list(upload_ids)))).scalars())
    for files in connection.execute(select(results.c.files).where(results.c.item_id.in_(doomed))).scalars():
        digests |= set((files or {}).values())
    connection.execute(delete(jobs).where(jobs.c.workspace_id.in_(touched)))  # they name the files they worked on
    connection.execute(delete(messages).where(messages.c.item_id.in_(doomed)))
    connection.execute(delete(drafts).where(drafts.c.upload_id.in_(list(upload_ids))))
    connection.execute(delete(items).where(items.c.id.in_(doomed)))
    connection.execute(delete(uploads).where(uploads.c.id.in_(list(upload_ids))))
    for workspace_id in touched:
        own = workspaces.c.id == workspace_id
        settings = dict(connection.execute(select(workspaces.c.settings).where(own)).scalar_one())
        if settings.pop("together", None) is not None:
            connection.execute(update(workspaces).where(own).values(settings=settings))
    gone = [digest for digest in sorted(digests) if not _is_needed(connection, digest)]
    connection.execute(delete(blob_parts).where(blob_parts.c.digest.in_(gone)))
    connection.execute(delete(blobs).where(blobs.c.digest.in_(gone)))
    return Erased(len(item_ids), len(gone), 0, gone, sorted(touched))


def _is_needed(connection: Connection, digest: str) -> bool:
    """Whether an upload, a result, an item or the settings of a workspace still refer to some bytes."""
    places = (uploads.c.digest == digest, *(_holds(column, digest) for column in (results.c.files, items.c.detail)))
    checks = (*places, _holds(workspaces.c.settings, digest))
    return any(connection.execute(select(literal(1)).where(check).limit(1)).first() for check in checks)


def _holds(column: ColumnElement[object], digest: str) -> ColumnElement[bool]:
    return cast(column, String).contains(digest)


def _rename_author(connection: Connection, names: Iterable[str], organization_id: int) -> None:
    """What a person did in the organization was done by somebody who is erased."""
    listed, own = list(names), select(courses.c.id).where(courses.c.organization_id == organization_id)
    mine = select(workspaces.c.id).where(workspaces.c.course_id.in_(own))
    for table in (uploads, overrides, jobs, messages):
        own_rows = table.c.workspace_id.in_(mine)
        connection.execute(update(table).where(own_rows, table.c.author.in_(listed)).values(author=ERASED))
    undone = update(overrides).where(overrides.c.workspace_id.in_(mine), overrides.c.undone_by.in_(listed))
    connection.execute(undone.values(undone_by=ERASED))
    of_course = workspaces.c.course_id.in_(own)
    connection.execute(update(workspaces).where(of_course, workspaces.c.author.in_(listed)).values(author=ERASED))
    connection.execute(update(workspaces).where(of_course, workspaces.c.name.in_(listed)).values(name="Erased"))
    lines = audit.c.organization_id == organization_id
    connection.execute(update(audit).where(lines, audit.c.author.in_(listed)).values(author=ERASED))


def _blank_log(connection: Connection, words: Collection[str], organization_id: int) -> int:
    """Lines of the log that name a person say only what was done, by whom and when; how many there were."""
    parts = [word.casefold() for word in words if len(word) >= LONG_ENOUGH]
    whole = {word.casefold() for word in words}
    named = []
    query = select(audit.c.id, audit.c.detail).where(audit.c.organization_id == organization_id)
    for row in connection.execute(query.execution_options(yield_per=500)):
        text = json.dumps(row.detail, ensure_ascii=False).casefold()
        values = {str(value).casefold() for value in row.detail.values()}
        if any(part in text for part in parts) or values & whole:
            named.append(row.id)
    for start in range(0, len(named), 500):
        portion = audit.c.id.in_(named[start : start + 500])
        connection.execute(update(audit).where(portion).values(detail={"name": ERASED}))
    return len(named)
