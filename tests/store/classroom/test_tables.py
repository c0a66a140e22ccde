"""A database of before has its students see what they saw, and its new tables are those of the program."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from assay.store.classroom.assignments import find_place
from assay.store.classroom.tables import assignment_students, assignments, drafts, messages
from assay.store.database import connect_database, migrate
from assay.store.schema import Json, courses, enrollments, items, metadata, workspaces

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_work_that_a_student_could_see_before_counts_as_released(database_url: str) -> None:
    database = connect_database(database_url)
    migrate(database.engine, "0005")
    with database.writing() as connection:
        person = {"course_id": "default", "role": "student", "name": "Amara", "email": "", "number": "", "created": NOW}
        owner = connection.execute(sa.insert(enrollments).values(**person).returning(enrollments.c.id)).scalar_one()
        space: Json = {"id": "w", "kind": "essays", "name": "Letter", "settings": {}, "summary": {}, "author": "x"}
        space |= {"example": False, "created": NOW, "changed": NOW, "course_id": "default"}
        connection.execute(sa.insert(workspaces).values(**space))
        for position, own in enumerate((owner, owner, None)):
            row = {"workspace_id": "w", "position": position, "digest": str(position), "name": "a", "detail": {}}
            connection.execute(sa.insert(items).values(**row, created=NOW, enrollment_id=own))
    migrate(database.engine)
    with database.reading() as connection:
        place = find_place(connection, "w", owner)
        number = connection.execute(sa.select(sa.func.count()).select_from(assignment_students)).scalar_one()
        kept_for = connection.execute(sa.select(courses.c.retention_days)).scalars().all()
    database.close()

    assert place is not None
    assert place.is_released(datetime.now(UTC))
    assert set(place.shown) == {"score", "advice", "errors", "sums", "overlay"}
    assert number == 1, "one row for a student, whatever number of items"
    assert kept_for == [None]


def test_migrations_make_the_tables_of_the_program(database_url: str) -> None:
    database = connect_database(database_url)
    migrate(database.engine)
    names = {table.name for table in (assignments, assignment_students, drafts, messages)}
    with database.reading() as connection:
        compared = compare_metadata(MigrationContext.configure(connection), metadata)
    database.close()

    assert names <= set(metadata.tables)
    assert [change for change in compared if any(name in str(change) for name in names)] == []
