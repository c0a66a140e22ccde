"""A database by URL or by file name, and what is said of one that cannot be database."""

import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import inspect, select
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from assay.errors import InputError
from assay.store.database import (
    Database,
    cause_of,
    database_url,
    insert_new,
    is_passing,
    open_database,
    storage_trouble,
)
from assay.store.schema import installation, metadata


def test_a_plain_file_name_is_sqlite() -> None:
    url = database_url("folder/assay.db")

    assert (url.drivername, url.database) == ("sqlite", "folder/assay.db")


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")

    assert database_url("~/assay.db").database == "/home/ada/assay.db"


def test_a_url_keeps_its_backend_and_postgresql_gets_the_driver_we_use() -> None:
    assert database_url("sqlite:///assay.db?timeout=5").query == {"timeout": "5"}
    url = database_url("postgresql://ada:secret@host:5433/scores")
    assert (url.drivername, url.host, url.port, url.database) == ("postgresql+psycopg", "host", 5433, "scores")


@pytest.mark.parametrize("text", ["mysql://host/name", "nothing://x", "://", "postgresql://host:port/name"])
def test_an_address_of_another_kind_says_what_to_give(text: str) -> None:
    with pytest.raises(InputError, match="Give a file name, sqlite:///FILE or postgresql") as caught:
        database_url(text)
    assert caught.value.field == "db"


@pytest.mark.parametrize("text", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="memory") as caught:
        open_database(text)
    assert caught.value.field == "db"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(InputError, match=r"file/assay\.db cannot be made: .* Choose another db\."):
        open_database(str(tmp_path / "file" / "assay.db"))


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(InputError, match="cannot be opened") as caught:
        open_database("postgresql://ada:secret@127.0.0.1:1/scores")
    assert "secret" not in str(caught.value)


def test_the_tables_are_those_of_the_schema(database: Database) -> None:
    inspected = inspect(database.engine)
    columns = {name: {c["name"] for c in inspected.get_columns(name)} for name in metadata.tables}

    assert columns == {name: {c.name for c in table.columns} for name, table in metadata.tables.items()}


def test_a_database_of_the_first_version_gets_the_columns_that_came_later(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"
    open_database(str(path)).close()
    with sqlite3.connect(path) as connection:
        for column in ("stage", "stage_done", "stage_total"):
            connection.execute(f"ALTER TABLE job_items DROP COLUMN {column}")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        connection.execute("INSERT INTO installation VALUES ('secret', 'kept')")
    connection.close()

    again = open_database(str(path))

    assert {"stage", "stage_done", "stage_total"} <= {
        column["name"] for column in inspect(again.engine).get_columns("job_items")
    }
    with again.reading() as reading:
        assert reading.execute(select(installation.c.value)).scalars().all() == ["kept"]
    again.close()


def test_a_row_whose_key_is_there_is_not_inserted_again(database: Database) -> None:
    with database.writing() as connection:
        assert insert_new(connection, installation, {"name": "a", "value": "first"})
        assert not insert_new(connection, installation, {"name": "a", "value": "second"})
        assert connection.execute(select(installation.c.value)).scalars().all() == ["first"]


def test_what_fails_half_way_leaves_nothing(database: Database) -> None:
    with suppress(RuntimeError), database.writing() as connection:
        insert_new(connection, installation, {"name": "a", "value": "b"})
        raise RuntimeError

    with database.reading() as connection:
        assert connection.execute(select(installation.c.name)).all() == []


@pytest.mark.parametrize(
    ("error", "trouble", "passes"),
    [
        (OperationalError("select", {}, sqlite3.OperationalError("database is locked")), "busy", True),
        (OperationalError("insert", {}, sqlite3.OperationalError("database or disk is full")), "full", True),
        (PoolTimeout("no connection is free"), "busy", True),
        (IntegrityError("insert", {}, sqlite3.IntegrityError("UNIQUE constraint failed")), "conflict", False),
        (ProgrammingError("selec", {}, sqlite3.ProgrammingError("near selec")), None, False),
        (ProgrammingError("select", {}, sqlite3.Error("gone"), connection_invalidated=True), "busy", True),
        (OSError(28, "No space left on device"), "full", False),
        (OSError(2, "No such file"), None, False),
        (ValueError("full"), None, False),
    ],
)
def test_an_error_says_whether_it_passes(error: Exception, trouble: str | None, passes: bool) -> None:
    assert (storage_trouble(error), is_passing(error)) == (trouble, passes)


def test_the_cause_is_what_the_database_said() -> None:
    assert cause_of(OperationalError("select", {}, sqlite3.OperationalError("locked"))) == "locked"
    assert cause_of(ValueError("odd")) == "odd"
