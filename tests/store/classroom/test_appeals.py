"""An appeal waits until it is answered, and is seen only where it belongs."""

from assay.store.classroom.appeals import (
    answer,
    appeal,
    course_appeals,
    find_appeal,
    is_appealed,
    open_appeals,
    thread,
)
from assay.store.item_listing import ListQuery, rows
from assay.store.items import NewItem, put_items, put_result
from tests.store.classroom.conftest import NOW, Lesson


def test_an_appeal_enters_the_queue_and_leaves_it_with_its_answer(lesson: Lesson) -> None:
    with lesson.database.writing() as connection:
        (item,) = put_items(connection, lesson.workspace, [NewItem("d", "Amara")], now=NOW)
        put_result(connection, item.id, "e", payload={}, score=4.0, files={}, now=NOW)
        id_ = appeal(
            connection, lesson.workspace, lesson.amara.id, item.id, about="score", text=" Why? ", author="A", now=NOW
        )
        asked = find_appeal(connection, lesson.workspace, id_)
        queue = rows(connection, lesson.workspace, "e", ListQuery(state="appeal"))
        waiting = course_appeals(connection, lesson.course)
        elsewhere = course_appeals(connection, "default"), find_appeal(connection, "other", id_)
        assert asked is not None
        answer(connection, asked, text="Because.", author="Teacher", now=NOW)
        left = (
            open_appeals(connection, lesson.workspace),
            rows(connection, lesson.workspace, "e", ListQuery(state="appeal")),
        )
        said = [message.text for message in thread(connection, lesson.workspace, [lesson.amara.id])]
        others = thread(connection, lesson.workspace, [lesson.ben.id])

    assert [row.state for row in queue] == ["appeal"]
    assert waiting == [asked]
    assert elsewhere == ([], None)
    assert left == (0, [])
    assert said == ["Why?", "Because."]
    assert others == []
    assert "messages" in str(is_appealed())
