"""Courses of platforms and ours."""

from dataclasses import replace
from datetime import UTC, datetime

from assay.store.database import Database
from assay.store.sign_on.lti_courses import (
    LtiContext,
    contexts_of_course,
    course_of_context,
    line_items_of,
    put_line_item,
    set_services,
)
from assay.store.workspaces import create_workspace

NOW = datetime(2026, 11, 18, tzinfo=UTC)
CONTEXT = LtiContext("https://lms.example.org", "client", "1", "course 5")


def test_a_context_leads_to_one_course_and_another_deployment_to_another(database: Database) -> None:
    with database.writing() as connection:
        first = course_of_context(connection, CONTEXT, title="Writing", organization_id=1, now=NOW)
        again = course_of_context(connection, CONTEXT, title="Renamed", organization_id=1, now=NOW)
        other = replace(CONTEXT, deployment="2")
        assert first == again
        assert course_of_context(connection, other, title="Writing", organization_id=1, now=NOW).course_id != (
            first.course_id
        )
        set_services(connection, first.id, "https://lms.example.org/people", "")
        assert contexts_of_course(connection, first.course_id)[0].memberships_url == "https://lms.example.org/people"


def test_grades_of_a_workspace_go_to_its_own_column(database: Database) -> None:
    with database.writing() as connection:
        course = course_of_context(connection, CONTEXT, title="Writing", organization_id=1, now=NOW)
        made = [
            create_workspace(connection, "essays", name, author="x", now=NOW, course_id=course.course_id)
            for name in ("one", "two")
        ]
        put_line_item(connection, course.id, "link", "https://lms.example.org/1", None)
        put_line_item(connection, course.id, "link", "https://lms.example.org/2", made[0].id)
        put_line_item(connection, course.id, "link", "https://lms.example.org/3", None)

        listed = line_items_of(connection, course.course_id, made[0].id)
        assert [(item.url, item.resource_link) for _, item in listed] == [("https://lms.example.org/3", "link")]
        assert line_items_of(connection, course.course_id, made[1].id) == []
