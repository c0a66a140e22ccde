"""FRONT DOOR `hand_in`: a student's file is checked by the readers that score it, kept with a receipt, and scored."""

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePath
from typing import BinaryIO

from assay.errors import InputError
from assay.io.annotations.uploads import read_uploaded_submission, uploaded_students
from assay.io.essays.documents import DOCUMENTS, is_document, read_essay_document
from assay.report.document.wording import counted
from assay.store.blobs import keep_upload
from assay.store.classroom.assignments import Assignment, StudentPlace, find_assignment, find_place, place_of, withdraw
from assay.store.classroom.drafts import Draft, keep_draft, own_drafts
from assay.store.courses import Enrollment, course_people
from assay.store.schema import Connection
from assay.store.workspaces import hold_workspace
from assay.web.problems import FieldErrors, Forbidden, Removed
from assay.web.site import MEGABYTE, Site
from assay.web.workspaces.annotations import scores
from assay.web.workspaces.export_files import file_of
from assay.web.workspaces.scoring import WorkspaceContext

KINDS_TAKEN = ("essays", "annotations")
ROLE: Mapping[str, str] = {"essays": "essays", "annotations": "submissions"}
"""Kind of a workspace -> the role under which it keeps what students hand in."""
MOST_BYTES = 20 * MEGABYTE


@dataclass(frozen=True, slots=True)
class StudentContext:
    """A workspace as a student of its course meets it."""

    work: WorkspaceContext
    enrollment: Enrollment

    @property
    def site(self) -> Site:
        return self.work.site


def deadline(assignment: Assignment, place: StudentPlace | None) -> datetime | None:
    """Until when a student may hand in: the deadline, or one's own extension of it."""
    if place is None or place.extension is None or assignment.due is None:
        return assignment.due
    return max(assignment.due, place.extension)


def why_closed(assignment: Assignment, place: StudentPlace | None, *, handed_in: bool, now: datetime) -> str:
    """Why nothing can be handed in now; "" when something can."""
    if assignment.opens is not None and now < assignment.opens:
        return "This assignment is not open yet."
    due = deadline(assignment, place)
    if due is None or now <= due:
        return ""
    if handed_in:
        return "The deadline is over. Ask your teacher for an extension if you need to replace your work."
    return "" if assignment.takes_late else "The deadline is over, and late work is not accepted."


def hand_in(context: StudentContext, name: str, content: BinaryIO) -> Draft:
    """Check a file, keep it as the latest draft and score it; InputError says what is wrong with it."""
    site, workspace = context.site, context.work.workspace
    with site.database.reading() as connection:
        _open_assignment(connection, context)
    words = checked(context.work, name, content)
    with site.database.writing() as connection:
        if hold_workspace(connection, workspace.id) is None:
            raise Removed
        assignment = _open_assignment(connection, context)
        place = place_of(connection, workspace.id, context.enrollment.id)
        label = _label(connection, context, assignment, place)
        due, now, shown = deadline(assignment, place), site.now(), label.replace("/", " ")
        upload = keep_upload(
            connection,
            workspace.id,
            ROLE[workspace.kind],
            f"{shown}{PurePath(name).suffix.lower()[:12]}",
            content,
            author=label[:80],
            now=now,
        )
        late = due is not None and now > due
        draft = keep_draft(connection, context.enrollment.id, upload, name=name, content=words, late=late, now=now)
        withdraw(connection, workspace.id, [context.enrollment.id])
        marked = replace(context.work, visitor=replace(context.work.visitor, name=label[:80]))
        detail = {"name": upload.name, "draft": draft.number, "receipt": draft.receipt, "sha256": draft.digest}
        marked.note(connection, "hand in late" if late else "hand in", detail)
    with suppress(FieldErrors, InputError):  # something the teacher must settle first: the work is kept, and waits
        site.handlers[workspace.kind].score_if_ready(marked)
    return draft


def _open_assignment(connection: Connection, context: StudentContext) -> Assignment:
    workspace_id, own = context.work.workspace.id, context.enrollment.id
    assignment = find_assignment(connection, workspace_id)
    if assignment is None:
        raise Forbidden("Nothing can be handed in here.")
    handed_in = bool(own_drafts(connection, [own], workspace_id))
    place = find_place(connection, workspace_id, own)
    closed = why_closed(assignment, place, handed_in=handed_in, now=context.site.now())
    if closed:
        raise Forbidden(closed)
    return assignment


def _label(connection: Connection, context: StudentContext, assignment: Assignment, place: StudentPlace) -> str:
    """What the file is called where it is marked: a code, or the name, with the code where two have that name."""
    if assignment.anonymous:
        return place.code
    own = context.enrollment.name
    people = course_people(connection, context.enrollment.course_id, "student")
    same = sum(one.name.casefold() == own.casefold() for one in people)
    return own if same < 2 else f"{own} ({place.code})"


def checked(context: WorkspaceContext, name: str, content: BinaryIO) -> str:
    """What a file holds, in words; InputError when it cannot be read or is not the work of one student."""
    content.seek(0)
    whole = content.read(MOST_BYTES + 1)
    content.seek(0)
    if len(whole) > MOST_BYTES:
        raise InputError(f"is larger than {MOST_BYTES // MEGABYTE} MB", source=name, field="file")
    if context.workspace.kind == "essays":
        return _checked_essay(name, whole)
    return _checked_annotations(context, name, whole)


def _checked_essay(name: str, content: bytes) -> str:
    if not is_document(name):
        remedy = f"Hand in one of {', '.join(DOCUMENTS)}."
        raise InputError("this is no kind of file that holds an essay", source=name, field="file", remedy=remedy)
    number = len(read_essay_document(content, name).split())
    if not number:
        raise InputError("holds no words", source=name, field="file", remedy="Open it and see whether it is empty.")
    return f"{counted(number, 'word')}, readable"


def _checked_annotations(context: WorkspaceContext, name: str, content: bytes) -> str:
    truth, images = scores.files_beside(context.site, context.workspace.id)
    files = file_of(context.site)
    like, photos = scores.place_of(truth, files), tuple(scores.place_of(image, files) for image in images)
    suffix = "".join(c for c in PurePath(name).suffix.lower() if c.isalnum() or c == ".")[:12]
    with tempfile.NamedTemporaryFile(suffix=suffix) as file:
        file.write(content)
        file.flush()
        place = (Path(file.name), name)
        students = uploaded_students(place, like, photos)
        if len(students) != 1:
            remedy = "Hand in your own work only."
            raise InputError(f"holds the work of {len(students)} people", source=name, field="file", remedy=remedy)
        work = read_uploaded_submission(place, 0, like, photos)
    if not len(work):
        raise InputError("holds no annotations", source=name, field="file", remedy="Export your work again.")
    return f"{counted(len(work), 'annotation')}, readable"
