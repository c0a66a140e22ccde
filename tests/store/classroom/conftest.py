"""The databases of the tests, and a course with a workspace in them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO

import pytest

from assay.store.blobs import Upload, keep_upload
from assay.store.courses import Enrollment, create_course, enroll
from assay.store.database import Database
from assay.store.schema import Connection
from assay.store.workspaces import create_workspace
from tests.store.databases import database, database_url, postgresql

__all__ = ["database", "database_url", "postgresql"]
NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A course with a workspace and two students."""

    database: Database
    course: str
    workspace: str
    amara: Enrollment
    ben: Enrollment

    def upload(self, connection: Connection, name: str = "a.txt", content: bytes = b"words") -> Upload:
        return keep_upload(connection, self.workspace, "essays", name, BytesIO(content), author="Amara", now=NOW)


@pytest.fixture
def lesson(database: Database) -> Lesson:
    with database.writing() as connection:
        course = create_course(connection, "English 9", organization_id=1, now=NOW).id
        workspace = create_workspace(connection, "essays", "Letter", author="x", now=NOW, course_id=course).id
        amara = enroll(connection, course, "student", "Amara Osei", now=NOW, email="amara@school.example")
        ben = enroll(connection, course, "student", "Ben Carver", now=NOW)
    return Lesson(database, course, workspace, amara, ben)
