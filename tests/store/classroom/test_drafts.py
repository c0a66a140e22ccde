"""Every draft is kept with its receipt, and the last one is scored under the name that may be seen."""

from dataclasses import replace

from assay.store.blobs import workspace_uploads
from assay.store.classroom.assignments import Assignment, place_of, release, save_assignment
from assay.store.classroom.drafts import Draft, has_drafts, keep_draft, name_items, own_drafts, workspace_drafts
from assay.store.items import NewItem, find_item, put_items
from assay.store.schema import Connection
from tests.store.classroom.conftest import NOW, Lesson


def handed_in(lesson: Lesson, connection: Connection, name: str) -> Draft:
    upload = lesson.upload(connection, name, name.encode())
    return keep_draft(connection, lesson.amara.id, upload, name=name, content="1 word", late=False, now=NOW)


def test_a_second_draft_takes_the_place_of_the_first_which_is_kept(lesson: Lesson) -> None:
    with lesson.database.writing() as connection:
        before = has_drafts(connection, lesson.workspace)
        first, second = (handed_in(lesson, connection, name) for name in ("one.txt", "two.txt"))
        scored = [upload.id for upload in workspace_uploads(connection, lesson.workspace)]
        own, all_ = own_drafts(connection, [lesson.amara.id]), workspace_drafts(connection, lesson.workspace)

    assert not before
    assert (first.number, second.number) == (1, 2)
    assert first.receipt != second.receipt
    assert scored == [second.upload_id]
    assert own == [second, first] == all_[lesson.amara.id]


def test_work_bears_a_code_until_the_grade_is_released(lesson: Lesson) -> None:
    with lesson.database.writing() as connection:
        save_assignment(connection, Assignment(lesson.workspace, "", None, None, True, True, 7, NOW))
        place = place_of(connection, lesson.workspace, lesson.amara.id)
        draft = handed_in(lesson, connection, "one.txt")
        new = NewItem("d", "one", student="one", upload_id=draft.upload_id)
        (item,) = put_items(connection, lesson.workspace, [new], now=NOW)
        name_items(connection, lesson.workspace, now=NOW)
        hidden = find_item(connection, lesson.workspace, item.id)
        release(connection, lesson.workspace, [lesson.amara.id], at=NOW, shown=["score"])
        name_items(connection, lesson.workspace, now=NOW)
        shown = find_item(connection, lesson.workspace, item.id)

    assert hidden == replace(item, name=place.code, student=place.code, enrollment_id=lesson.amara.id)
    assert shown == replace(item, name="Amara Osei", student="Amara Osei", enrollment_id=lesson.amara.id)
