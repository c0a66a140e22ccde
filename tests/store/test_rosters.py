"""Whose work a file is: by id, e-mail address or name, where exactly one person fits."""

from datetime import UTC, datetime

import pytest

from assay.io.class_roster import ClassMember
from assay.store.courses import DEFAULT_COURSE, Enrollment, course_people, enroll, past_students
from assay.store.database import Database
from assay.store.items import NewItem, put_items, workspace_items
from assay.store.rosters import likely_owners, match_items, owner_of, set_owner, take_roster, unmatched_items
from tests.store.scored import NOW, scored_workspace


def student(number: int, name: str, email: str = "", own_id: str = "") -> Enrollment:
    return Enrollment(number, "c", None, "student", name, email, own_id, datetime(2026, 1, 1, tzinfo=UTC), None)


CLASS = [
    student(1, "Amara Osei", "amara@school.org", "4711"),
    student(2, "Ben Carver", "ben.carver@school.org", "4712"),
    student(3, "Ben Carver", "bcarver2@school.org", "4713"),
    student(4, "María José Peña", "", ""),
]


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("4711", 1),
        ("AMARA@school.org", 1),
        ("amara_osei", 1),
        ("Osei, Amara", 1),
        ("maria jose pena", 4),
        ("Ben Carver", None),  # two of them
        ("4713", 3),
        ("letter_final", None),
        ("amara", None),  # maybe, which is not enough
        ("", None),
    ],
)
def test_only_an_exact_fit_of_one_person_is_an_owner(name: str, owner: int | None) -> None:
    person = owner_of(name, CLASS)
    assert (person.id if person else None) == owner


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("oseiamara_99_letter.docx", 1),
        ("4712_late_essay", 2),
        ("Pena homework", 4),
        ("IMG_2207", None),
    ],
)
def test_who_might_have_handed_it_in_is_suggested(name: str, first: int | None) -> None:
    likely = likely_owners(name, CLASS)
    assert (likely[0].id if likely else None) == first


def test_files_that_fit_are_matched_and_the_rest_waits(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [])
        new = [NewItem(name, name, student=name) for name in ("4711", "letter of Ben Carver", "nobody")]
        put_items(connection, filled.id, [*new, NewItem("report", "report")], now=NOW)
        assert match_items(connection, filled.id) == 0  # nobody is enrolled
        assert unmatched_items(connection, filled.id) == []
        for one in CLASS[:2]:
            enroll(connection, DEFAULT_COURSE, "student", one.name, now=NOW, email=one.email, number=one.number)

        assert match_items(connection, filled.id) == 1
        waiting = unmatched_items(connection, filled.id)
        assert [(item.name, [p.name for p in item.suggestions]) for item in waiting] == [
            ("letter of Ben Carver", ["Ben Carver"]),
            ("nobody", []),
        ]
        set_owner(connection, filled.id, waiting[0].id, waiting[0].suggestions[0].id)
        set_owner(connection, filled.id, waiting[1].id, None)
        assert unmatched_items(connection, filled.id) == []
        assert match_items(connection, filled.id) == 0
        owned = {item.name: item.enrollment_id is not None for item in workspace_items(connection, filled.id)}
        assert owned == {"4711": True, "letter of Ben Carver": True, "nobody": False, "report": False}


def test_who_left_is_marked_and_back_with_the_same_enrollment_when_on_the_roster_again(database: Database) -> None:
    amara, ben = ClassMember("Amara Osei", number="4711"), ClassMember("Ben Carver", number="4712")
    with database.writing() as connection:
        first = take_roster(connection, DEFAULT_COURSE, [amara, ben], end_others=True, now=NOW)
        before = {one.number: one.id for one in course_people(connection, DEFAULT_COURSE, "student")}
        second = take_roster(connection, DEFAULT_COURSE, [ben], end_others=True, now=NOW)
        left = past_students(connection, DEFAULT_COURSE)
        again = take_roster(connection, DEFAULT_COURSE, [ben], end_others=True, now=NOW)
        third = take_roster(connection, DEFAULT_COURSE, [amara, ben], end_others=True, now=NOW)
        after = {one.number: one.id for one in course_people(connection, DEFAULT_COURSE, "student")}

    assert (first.added, second.ended, again.ended) == (2, 1, 0)
    assert [(one.name, one.ended) for one in left] == [("Amara Osei", NOW)]
    assert (third.added, third.updated) == (0, 1)
    assert after == before
