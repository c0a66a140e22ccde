"""A backup is one state of a database, whatever is written meanwhile; restored, it is that state again."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from threading import Event, Thread

import pytest

from assay.errors import InputError
from assay.operations.backup import backup
from assay.operations.restore import restore
from assay.operations.verify import verify
from assay.store.accounts import all_accounts, create_account
from assay.store.backup import count_rows, stored_tables, table_rows
from assay.store.blobs import PART, keep_upload, read_blob
from assay.store.database import Database, connect_database, open_database, schema_versions
from assay.store.items import NewItem, put_items, put_result
from assay.store.jobs import JobPiece, enqueue
from assay.store.leases import finish, lease
from assay.store.workspaces import create_workspace
from tests.store.databases import fresh_postgresql
from tests.store.scored import NOW, review, scored_workspace

LARGE = bytes(range(256)) * (PART // 256) + b"and a little more"


def fill(database: Database) -> str:
    """A class with scores, decisions, an account and a stored file of more than one part; the digest of the file."""
    with database.writing() as connection:
        workspace = scored_workspace(connection, [4, 5.5, None])
        review(connection, workspace.items[0], 4, 3)
        create_account(connection, "Ada \x1b ü", "a long password", "trainer", now=NOW)
        upload = keep_upload(connection, workspace.id, "essays", "a.csv", BytesIO(LARGE), author="Ada", now=NOW)
    return upload.digest


def contents(database: Database) -> dict[str, list[object]]:
    """Every row of every table."""
    with database.snapshot() as connection:
        return {name: list(table_rows(connection, table)) for name, table in stored_tables(connection).items()}


@pytest.fixture(params=["sqlite", "postgresql"])
def other_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a backup is restored to: also on the other kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "other.db")
    return fresh_postgresql(request.getfixturevalue("postgresql"))


def test_a_restored_database_holds_the_same_rows_and_files(database: Database, other_url: str, tmp_path: Path) -> None:
    digest = fill(database)
    out = tmp_path / "backup.zip"
    manifest = backup(database.engine.url.render_as_string(hide_password=False), out)
    restore(out, other_url)

    other = open_database(other_url)
    assert contents(other) == contents(database)
    assert (manifest["blobs"]["count"], manifest["schema"]) == (1, schema_versions()[0])
    with other.writing() as connection:
        assert read_blob(connection, digest) == LARGE
        create_account(connection, "Ben", "another password", "trainer", now=NOW)  # numbers go on where they were
        assert len(all_accounts(connection)) == 2
    assert verify(other_url) == []
    assert out.stat().st_mode & 0o077 == 0
    other.close()


def work_until(database: Database, workspace: str, items: list[int], stop: Event) -> None:
    """What a worker does: lease, keep the result and close the piece, over and over."""
    now = datetime.now(UTC)
    while not stop.is_set():
        with database.writing() as connection:
            pieces = [JobPiece({"n": i}, item) for i, item in enumerate(items)]
            enqueue(connection, "essays", workspace, pieces, author="Ada", now=now, engine=now.isoformat())
        while not stop.is_set():
            now += timedelta(seconds=1)
            with database.writing() as connection:
                leased = lease(connection, "worker", now=now)
            if not leased:
                break
            with database.writing() as connection:
                payload = {"score": 3, "text": "ä" * 2000}
                assert leased[0].item_id is not None
                files = {"report": str(now).encode()}
                put_result(
                    connection, leased[0].item_id, now.isoformat(), payload=payload, score=3, files=files, now=now
                )
                finish(connection, leased[0], now=now)


def test_backups_taken_while_a_worker_writes_are_whole(database: Database, tmp_path: Path) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    with database.writing() as connection:
        workspace = create_workspace(connection, "essays", "Class", author="Ada", now=NOW)
        items = put_items(connection, workspace.id, [NewItem(f"d{i}", f"i{i}", {}) for i in range(8)], now=NOW)
    stop = Event()
    worker = Thread(target=work_until, args=(database, workspace.id, [item.id for item in items], stop))
    worker.start()
    try:
        rows = []
        for number in range(4):
            manifest = backup(url, tmp_path / f"{number}.zip")
            rows.append(manifest["tables"]["results"]["rows"])
            assert verify(url) == []  # also while it is written to
    finally:
        stop.set()
        worker.join()
    assert rows[-1] > rows[0]
    for number in range(4):
        restore(tmp_path / f"{number}.zip", str(tmp_path / "again.db"), force=True)
        assert verify(str(tmp_path / "again.db")) == []
        again = connect_database(str(tmp_path / "again.db"))
        with again.reading() as connection:
            assert count_rows(connection, stored_tables(connection)["results"]) == rows[number]
        again.close()


def test_a_database_that_holds_something_is_left_alone(database: Database, tmp_path: Path) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    fill(database)
    backup(url, tmp_path / "backup.zip")
    with pytest.raises(InputError, match="is not empty") as refused:
        restore(tmp_path / "backup.zip", url)
    assert refused.value.field == "db"
    with pytest.raises(InputError, match="already exists"):
        backup(url, tmp_path / "backup.zip")


def test_there_is_no_backup_of_a_database_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no database"):
        backup(str(tmp_path / "none.db"), tmp_path / "backup.zip")
    assert list(tmp_path.iterdir()) == []
