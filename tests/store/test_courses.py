"""Organizations, courses, enrollments: who is where, and the migration that puts everybody into the first course."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import create_engine, select

from assay.store import database as store
from assay.store.accounts import create_account, find_account
from assay.store.courses import (
    DEFAULT_COURSE,
    account_courses,
    account_roles,
    change_course,
    change_enrollment,
    course_people,
    create_course,
    create_organization,
    enroll,
    find_course,
    find_enrollment,
    find_organization,
    own_enrollments,
    workspace_course,
)
from assay.store.database import Database, migrate, open_database
from assay.store.items import students_items, workspace_items
from assay.store.schema import Connection, accounts
from assay.store.workspaces import entries, note, recent_workspaces
from tests.store.scored import NOW


def person(connection: Connection, name: str, role: str = "trainer", organization: int = 1) -> int:
    return create_account(connection, name, "", role, now=NOW, organization_id=organization)  # type: ignore[arg-type]


def test_every_database_has_one_course(database: Database) -> None:
    course = database.read(find_course, DEFAULT_COURSE)
    assert course is not None
    assert course.name == "Main course"


def test_an_account_is_in_the_courses_it_is_enrolled_in_and_an_administrator_in_all(database: Database) -> None:
    with database.writing() as connection:
        other = create_organization(connection, "Another", now=NOW)
        first = create_course(connection, "English 9", organization_id=1, now=NOW)
        theirs = create_course(connection, "Theirs", organization_id=other.id, now=NOW)
        ada, chief = person(connection, "Ada"), person(connection, "Chief", "admin")
        enroll(connection, first.id, "teacher", "Ada", now=NOW, account_id=ada)
        enroll(connection, theirs.id, "owner", "Ada", now=NOW, account_id=ada)  # which no page allows
        own, all_ = find_account(connection, "ada"), find_account(connection, "chief")
        assert own is not None
        assert all_ is not None

        assert account_roles(connection, own) == {first.id: "teacher"}
        assert account_roles(connection, all_) == {DEFAULT_COURSE: "owner", first.id: "owner"}
        assert [course.name for course, _ in account_courses(connection, all_)] == ["English 9", "Main course"]
        assert find_organization(connection, "ANOTHER") == other
        assert chief != ada


def test_who_comes_back_has_the_enrollment_of_before(database: Database) -> None:
    with database.writing() as connection:
        ada = person(connection, "Ada")
        one = enroll(connection, DEFAULT_COURSE, "student", "Ada", now=NOW, account_id=ada, email="a@x.org", number="7")
        change_enrollment(connection, one.id, ended=NOW)
        assert find_enrollment(connection, DEFAULT_COURSE, one.id) is None
        assert course_people(connection, DEFAULT_COURSE) == own_enrollments(connection, ada) == []
        again = enroll(connection, DEFAULT_COURSE, "assistant", "Ada L.", now=NOW, account_id=ada)

        assert (again.id, again.role, again.name) == (one.id, "assistant", "Ada L.")
        assert course_people(connection, DEFAULT_COURSE, "student") == []
        change_enrollment(connection, one.id, role="owner")
        assert [p.role for p in course_people(connection, DEFAULT_COURSE)] == ["owner"]


def test_a_course_can_be_renamed(database: Database) -> None:
    with database.writing() as connection:
        change_course(connection, DEFAULT_COURSE, name=" English\n9 ")
        course = find_course(connection, DEFAULT_COURSE)
    assert course is not None
    assert course.name == "English 9"


def test_a_line_of_the_log_belongs_to_the_organization_of_the_course_or_of_whoever_did_it(database: Database) -> None:
    with database.writing() as connection:
        other = create_organization(connection, "Another", now=NOW).id
        person(connection, "Ada", organization=other)
        theirs = create_course(connection, "Theirs", organization_id=other, now=NOW)
        note(connection, "sign in", author="Ada", now=NOW)
        note(connection, "enroll", author="command line", now=NOW, course_id=theirs.id)
        note(connection, "sign in", author="Nobody", now=NOW)

        assert [line.action for line in entries(connection, organization_id=other)] == ["enroll", "sign in"]
        assert [line.author for line in entries(connection, organization_id=1)] == ["Nobody"]
        assert [line.action for line in entries(connection, course_id=theirs.id)] == ["enroll"]


@pytest.mark.parametrize("version", ["0004"])
def test_everybody_keeps_what_they_saw_when_courses_come(database_url: str, version: str) -> None:
    old = create_engine(store.database_url(database_url))
    migrate(old, version)
    at = "'2026-01-05 09:00:00.000000'"
    with old.begin() as connection:
        for statement in (
            "INSERT INTO accounts (name, password_hash, role, created) VALUES"
            f" ('Ada', 'h', 'admin', {at}), ('Tess', 'h', 'trainer', {at}), ('Ben', 'h', 'student', {at})",
            "INSERT INTO workspaces (id, kind, name, settings, summary, author, example, created, changed)"
            f" VALUES ('w', 'essays', 'Class', '{{}}', '{{}}', 'Ada', false, {at}, {at})",
            "INSERT INTO items (workspace_id, position, digest, name, detail, created, student)"
            f" VALUES ('w', 1, 'd', 'ben', '{{}}', {at}, 'ben'), ('w', 2, 'e', 'zoe', '{{}}', {at}, 'zoe')",
            f"INSERT INTO audit (made, author, action, detail) VALUES ({at}, 'Ada', 'sign in', '{{}}')",
        ):
            connection.exec_driver_sql(statement)
    old.dispose()

    database = open_database(database_url)
    with database.writing() as connection:
        roles = {one.name: one.role for one in course_people(connection, DEFAULT_COURSE)}
        ben = find_account(connection, "ben")
        assert ben is not None
        own = [one.id for one in own_enrollments(connection, ben.id)]
        assert roles == {"Ada": "owner", "Tess": "teacher", "Ben": "student"}
        assert [w.id for w in recent_workspaces(connection, within=[DEFAULT_COURSE])] == ["w"]
        assert workspace_course(connection, "w") == DEFAULT_COURSE
        assert [item.name for item in students_items(connection, own)] == ["ben"]
        assert [item.enrollment_id for item in workspace_items(connection, "w")] == [own[0], None]
        assert [line.action for line in entries(connection, organization_id=1)] == ["sign in"]
        assert set(connection.execute(select(accounts.c.organization_id)).scalars()) == {1}
        assert create_organization(connection, "Second", now=datetime(2026, 2, 1, tzinfo=UTC)).id == 2
    database.close()
