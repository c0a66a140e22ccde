"""Erasure takes a person and nobody else; retention takes old work and leaves the rest."""

from datetime import timedelta
from io import BytesIO

import pytest

from assay.errors import InputError
from assay.store.blobs import keep_upload, read_blob, workspace_uploads
from assay.store.classroom.erasure import ERASED, erase_expired, erase_person, find_people, same_person
from assay.store.courses import course_people, enroll, set_retention
from assay.store.items import NewItem, put_items, put_result, workspace_items
from assay.store.rosters import set_owner
from assay.store.workspaces import entries, note
from tests.store.classroom.conftest import NOW, Lesson


def test_a_person_is_erased_with_their_work_and_the_log_keeps_no_name(lesson: Lesson) -> None:
    with lesson.database.writing() as connection:
        upload = lesson.upload(connection, "Amara Osei.txt")
        other = lesson.upload(connection, "Ben.txt", b"others")
        mine, theirs = put_items(
            connection,
            lesson.workspace,
            [NewItem("1", "A", upload_id=upload.id), NewItem("2", "B", upload_id=other.id)],
            now=NOW,
        )
        set_owner(connection, lesson.workspace, mine.id, lesson.amara.id)
        set_owner(connection, lesson.workspace, theirs.id, lesson.ben.id)
        put_result(connection, mine.id, "e", payload={}, score=1.0, files={"report": b"about Amara"}, now=NOW)
        detail = {"name": "Amara Osei.txt"}
        note(connection, "upload", author="Amara Osei", now=NOW, workspace_id=lesson.workspace, detail=detail)
        again = enroll(connection, "default", "student", "A. Osei", now=NOW, email="AMARA@school.example")
        people = same_person(connection, lesson.amara.id, 1)
        gone = erase_person(connection, people, organization_id=1)
        left = workspace_items(connection, lesson.workspace)
        line = entries(connection, workspace_id=lesson.workspace)[0]
        bytes_left = read_blob(connection, upload.digest), read_blob(connection, other.digest)

    assert {one.id for one in people} == {lesson.amara.id, again.id}
    assert (gone.items, gone.files, gone.log_lines) == (1, 2, 1)
    assert [item.id for item in left] == [theirs.id]
    assert (line.author, line.detail) == (ERASED, {"name": ERASED})
    assert bytes_left == (b"", b"others")


def test_nothing_is_erased_while_a_file_holds_the_work_of_others_too(lesson: Lesson) -> None:
    with lesson.database.writing() as connection:
        upload = lesson.upload(connection, "class.csv")
        new = [NewItem(digest, digest, upload_id=upload.id) for digest in "12"]
        mine, _ = put_items(connection, lesson.workspace, new, now=NOW)
        set_owner(connection, lesson.workspace, mine.id, lesson.amara.id)
    with pytest.raises(InputError, match=r"class\.csv in Letter"), lesson.database.writing() as connection:
        erase_person(connection, same_person(connection, lesson.amara.id, 1), organization_id=1)
    with lesson.database.reading() as connection:
        assert len(workspace_items(connection, lesson.workspace)) == 2


def test_somebody_of_another_organization_is_not_found(lesson: Lesson) -> None:
    with lesson.database.reading() as connection:
        assert same_person(connection, lesson.amara.id, 2) == []
        assert find_people(connection, 2, "amara") == []
        assert [one.id for one in find_people(connection, 1, "AMARA@")] == [lesson.amara.id]


def test_retention_erases_old_work_of_its_course_and_writes_it_down(lesson: Lesson) -> None:
    later = NOW + timedelta(days=40)
    with lesson.database.writing() as connection:
        old = lesson.upload(connection, "old.txt")
        put_items(connection, lesson.workspace, [NewItem("1", "old", upload_id=old.id)], now=NOW)
        keep_upload(connection, lesson.workspace, "essays", "new.txt", BytesIO(b"new"), author="x", now=later)
        never = erase_expired(connection, later)
        set_retention(connection, lesson.course, 30)
        gone = erase_expired(connection, later)
        again = erase_expired(connection, later)
        left = [upload.name for upload in workspace_uploads(connection, lesson.workspace)]
        line = entries(connection, course_id=lesson.course)[0]
        people = course_people(connection, lesson.course)

    assert never is None
    assert gone is not None
    assert (gone.items, again) == (1, None)
    assert left == ["new.txt"]
    assert (line.action, line.detail) == ("erase old work", {"items": 1, "files": 1, "days": 30})
    assert len(people) == 2
