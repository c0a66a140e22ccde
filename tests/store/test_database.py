"""A database by URL or by file name, and what is said of one that cannot be database."""

import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, select
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from assay.errors import InputError
from assay.store import database as store
from assay.store.database import (
    Database,
    cause_of,
    database_url,
    insert_new,
    is_passing,
    migrate,
    open_database,
    storage_trouble,
)
from assay.store.items import workspace_items
from assay.store.jobs import progress
from assay.store.schema import installation, job_items, metadata


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


def test_work_of_an_earlier_version_is_kept_and_its_innocent_pieces_are_no_longer_blamed(database_url: str) -> None:
    old = create_engine(store.database_url(database_url))
    migrate(old, "0002")
    moment = "2026-01-05 09:00:00.000000"
    with old.begin() as connection:
        for statement in (
            "INSERT INTO workspaces VALUES"
            f" ('w', 'essays', 'Mine', '{{}}', '{{}}', 'you', false, '{moment}', '{moment}', null)",
            "INSERT INTO jobs VALUES ('j', 'w', 'essays', 'e', '{}', 'running', 3, 1, 0, 'you',"
            f" '{moment}', '{moment}', '{moment}', null)",
            "INSERT INTO job_items (job_id, position, task, state, attempts) VALUES ('j', 0, '{}', 'done', 1),"
            " ('j', 1, '{}', 'leased', 2), ('j', 2, '{}', 'waiting', 2)",
            "INSERT INTO items (workspace_id, position, digest, name, detail, created)"
            f" VALUES ('w', 1, 'd', 'Ada', '{{}}', '{moment}')",
        ):
            connection.exec_driver_sql(statement)
    old.dispose()

    again = open_database(database_url)
    with again.reading() as reading:
        c = job_items.c
        pieces = reading.execute(select(c.state, c.attempts, c.deaths, c.started).order_by(c.position)).all()
        names = [item.name for item in workspace_items(reading, "w")]
        found = progress(reading, "j", now=datetime(2026, 1, 5, tzinfo=UTC))
    again.close()

    assert [tuple(piece) for piece in pieces] == [("done", 1, 0, None), ("leased", 0, 0, None), ("waiting", 0, 0, None)]
    assert names == ["Ada"]
    assert found is not None
    assert (found.state, found.done, found.total) == ("running", 1, 3)


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
        (OSError(28, "No space left on device"), "full", True),
        (OSError(24, "Too many open files"), "busy", True),
        (OSError(16, "Device or resource busy"), "busy", True),
        (OSError(27, "File too large"), "full", False),
        (OSError(2, "No such file"), None, False),
        (ValueError("full"), None, False),
    ],
)
def test_an_error_says_whether_it_passes(error: Exception, trouble: str | None, passes: bool) -> None:
    assert (storage_trouble(error), is_passing(error)) == (trouble, passes)


def test_the_cause_is_what_the_database_said() -> None:
    assert cause_of(OperationalError("select", {}, sqlite3.OperationalError("locked"))) == "locked"
    assert cause_of(ValueError("odd")) == "odd"
