"""FRONT DOOR `person_archive`, `erase`: all that is stored about one person as a ZIP, and its erasure."""

import json
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from io import BytesIO
from pathlib import Path

from assay.errors import InputError
from assay.io.tables.output import zip_entry
from assay.report.render.tables_csv import slug
from assay.store.blobs import read_blob
from assay.store.classroom.appeals import thread
from assay.store.classroom.assignments import own_places
from assay.store.classroom.drafts import own_drafts
from assay.store.classroom.erasure import Erased, erase_person, same_person
from assay.store.courses import Enrollment, find_course
from assay.store.items import Item, find_result, students_items
from assay.store.overrides import history
from assay.store.schema import Connection, Json
from assay.store.workspaces import entries, find_workspace, note
from assay.web.problems import NotFound
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspaces.essays.sources import EssayReader
from assay.web.workspaces.export_files import file_of
from assay.web.workspaces.stored_settings import EssayTask

MOST_LINES = 100_000


def find_person(connection: Connection, who: Visitor, enrollment_id: int) -> list[Enrollment]:
    """Every enrollment of a person of the visitor's organization; a 404 where there is none."""
    organization_id = who.account.organization_id if who.account is not None else 0
    people = same_person(connection, enrollment_id, organization_id)
    if not people:
        raise NotFound("There is no such person.")
    return people


def _readable(content: object) -> bytes:
    def plain(value: object) -> str:
        return value.isoformat() if isinstance(value, datetime) else str(value)

    return (json.dumps(content, indent=1, ensure_ascii=False, default=plain) + "\n").encode("utf-8", "replace")


def person_archive(connection: Connection, site: Site, people: Sequence[Enrollment]) -> bytes:
    """Everything about a person: enrollments, every file handed in, results, decisions, messages, lines of the log."""
    ids = [one.id for one in people]
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        courses = {one.course_id: find_course(connection, one.course_id) for one in people}
        named = [{**asdict(one), "course": course.name if (course := courses[one.course_id]) else ""} for one in people]
        archive.writestr(zip_entry("person.json"), _readable({"enrollments": named}))
        for draft in own_drafts(connection, ids):
            suffix = "".join(c for c in draft.name[draft.name.rfind(".") :] if c.isalnum() or c == ".")[:12]
            name = f"work/{draft.workspace_id}/draft-{draft.number}{suffix}"
            archive.writestr(zip_entry(name), read_blob(connection, draft.digest))
            archive.writestr(zip_entry(f"{name}.receipt.json"), _readable(asdict(draft)))
        for item in students_items(connection, ids):
            archive.writestr(zip_entry(f"work/{item.workspace_id}/{item.id}.json"), _readable(_about(connection, item)))
            text = _essay_text(site, connection, item.detail)
            if text:
                archive.writestr(zip_entry(f"work/{item.workspace_id}/{item.id}-{slug(item.name)[:40]}.txt"), text)
        places = own_places(connection, ids)
        said = {key: thread(connection, key, ids) for key in {workspace_id for workspace_id, _ in places}}
        archive.writestr(zip_entry("releases.json"), _readable([asdict(place) for place in places.values()]))
        archive.writestr(zip_entry("messages.json"), _readable([asdict(m) for own in said.values() for m in own]))
        archive.writestr(zip_entry("log.json"), _readable(list(_log(connection, people))))
    return content.getvalue()


def _about(connection: Connection, item: Item) -> Json:
    workspace = find_workspace(connection, item.workspace_id)
    result = find_result(connection, item.id, workspace.engine) if workspace else None
    decided = [asdict(one) for one in history(connection, item.workspace_id, item.id)]
    return {
        "item": asdict(item),
        "workspace": workspace.name if workspace else "",
        "result": asdict(result) if result else None,
        "decisions": decided,
    }


def _essay_text(site: Site, connection: Connection, detail: Json) -> bytes:
    """The text of an essay that came in a table or a ZIP with others."""
    if detail.get("is") not in ("row", "member", "document"):
        return b""
    try:
        reader = EssayReader(file_of(site, connection))
        return reader.text_and_prompt(EssayTask.from_json(detail))[0].encode("utf-8", "replace")
    except (InputError, OSError):
        return b""


def _log(connection: Connection, people: Sequence[Enrollment]) -> Iterable[Json]:
    """Lines of the log of the person's courses that they wrote or that name them."""
    names = {one.name for one in people} | {one.email for one in people if one.email}
    for course_id in {one.course_id for one in people}:
        for line in entries(connection, course_id=course_id, most=MOST_LINES):
            if line.author in names or any(name in json.dumps(line.detail, ensure_ascii=False) for name in names):
                yield asdict(line)


def erase(site: Site, who: Visitor, enrollment_id: int, cache: Path) -> Erased:
    """Erase a person, and write down that it happened; nothing of the person is in that line."""
    with site.database.writing() as connection:
        people = find_person(connection, who, enrollment_id)
        if who.account is not None and any(one.account_id == who.account.id for one in people):
            raise InputError("You can't erase yourself. Ask another administrator.")
        organization_id = who.account.organization_id if who.account is not None else 0
        gone = erase_person(connection, people, organization_id=organization_id)
        counts = {"items": gone.items, "files": gone.files, "log_lines": gone.log_lines, "enrollments": len(people)}
        note(connection, "erase person", author=who.name, now=site.now(), detail=counts)
    forget_files(cache, gone.digests)
    site.database.compact()
    return gone


def forget_files(cache: Path, digests: Iterable[str]) -> None:
    """Delete what libraries needed as files."""
    for digest in digests:
        for path in cache.glob(f"{digest}*"):
            path.unlink(missing_ok=True)
