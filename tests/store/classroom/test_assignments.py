"""Deadlines, extensions and releases are kept for each student."""

from dataclasses import replace
from datetime import timedelta

from assay.store.classroom.assignments import (
    Assignment,
    course_assignments,
    end_hand_in,
    extend,
    find_assignment,
    own_places,
    place_of,
    release,
    save_assignment,
    student_places,
    withdraw,
)
from assay.store.workspaces import remove_workspaces
from tests.store.classroom.conftest import NOW, Lesson


def test_an_assignment_is_saved_changed_listed_and_ended(lesson: Lesson) -> None:
    first = Assignment(lesson.workspace, "Write.", None, NOW, True, False, 7, NOW)
    with lesson.database.writing() as connection:
        save_assignment(connection, first)
        save_assignment(connection, replace(first, anonymous=True))
        changed = find_assignment(connection, lesson.workspace)
        listed = course_assignments(connection, [lesson.course])
        elsewhere = course_assignments(connection, ["default"])
        remove_workspaces(connection, [lesson.workspace], author="x", now=NOW)
        removed = course_assignments(connection, [lesson.course])
        end_hand_in(connection, lesson.workspace)
        ended = find_assignment(connection, lesson.workspace)

    assert changed == replace(first, anonymous=True)
    assert listed == [changed]
    assert elsewhere == removed == []
    assert ended is None


def test_a_release_is_for_some_from_a_date_on_and_can_be_taken_back(lesson: Lesson) -> None:
    tomorrow = NOW + timedelta(days=1)
    with lesson.database.writing() as connection:
        release(connection, lesson.workspace, [lesson.amara.id], at=tomorrow, shown=["errors", "score", "nonsense"])
        places = student_places(connection, lesson.workspace)
        withdraw(connection, lesson.workspace, [lesson.amara.id])
        after = own_places(connection, [lesson.amara.id])[lesson.workspace, lesson.amara.id]

    assert set(places) == {lesson.amara.id}
    assert places[lesson.amara.id].shown == ["score", "errors"]
    assert not places[lesson.amara.id].is_released(NOW)
    assert places[lesson.amara.id].is_released(tomorrow)
    assert not after.is_released(tomorrow)


def test_each_student_has_one_code_and_an_extension_of_their_own(lesson: Lesson) -> None:
    with lesson.database.writing() as connection:
        first = place_of(connection, lesson.workspace, lesson.amara.id)
        extend(connection, lesson.workspace, lesson.amara.id, NOW)
        again = place_of(connection, lesson.workspace, lesson.amara.id)
        other = place_of(connection, lesson.workspace, lesson.ben.id)

    assert first.code == again.code != other.code
    assert (again.extension, other.extension) == (NOW, None)
