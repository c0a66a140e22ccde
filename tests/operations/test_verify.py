"""What is wrong with a database is found, named, and has a remedy."""

from pathlib import Path

from assay.operations.verify import verify
from assay.store.database import connect_database, schema_versions, upgrade
from tests.operations.test_backup import fill


def test_a_file_that_was_overwritten_in_the_middle_is_found(tmp_path: Path) -> None:
    database = connect_database(str(tmp_path / "a.db"))
    with database.writing() as connection:
        upgrade(connection)
    fill(database)
    database.close()
    content = bytearray((tmp_path / "a.db").read_bytes())
    content[8192:40960] = b"\xa5" * (40960 - 8192)
    (tmp_path / "a.db").write_bytes(content)
    assert verify(str(tmp_path / "a.db")) != []


def test_tables_of_an_earlier_version_are_said(database_url: str) -> None:
    database = connect_database(database_url)
    with database.writing() as connection:
        upgrade(connection, schema_versions()[-1])
    (problem,) = verify(database_url)
    assert problem.check == "version"
    database.close()
