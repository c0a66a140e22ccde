"""A database that is locked, and a disk that is full: said clearly, nothing half written, work goes on afterwards."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import Engine, event, func, select

from assay.store.blobs import blob_file, keep_bytes
from assay.store.schema import audit, blobs, uploads, workspaces
from assay.web.worker import worker as workers
from assay.web.worker.worker import Worker
from tests.web.annotated import scores
from tests.web.test_at_once import uploaded
from tests.web.visits import Visit, table

ROWS = "human,system\n" + "1,2\n2,2\n3,3\n" * 10


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Visit]:
    """An app on SQLite that does not wait long for a lock."""
    made = Visit(f"sqlite:///{tmp_path / 'assay.db'}?timeout=0.1", tmp_path / "cache")
    yield made
    made.close()


@contextmanager
def locked(visit: Visit) -> Iterator[None]:
    """Another program writes to the database, and goes on writing."""
    other = sqlite3.connect(visit.site.database.engine.url.database or "", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@contextmanager
def full(engine: Engine) -> Iterator[None]:
    """SQLite finds no room for a single page more."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # as low as it goes: what is there already

    event.listen(engine, "connect", limit)
    engine.dispose()
    yield
    event.remove(engine, "connect", limit)
    engine.dispose()


def kept(visit: Visit) -> list[int]:
    """Rows of the tables that an upload writes."""
    with visit.site.database.reading() as connection:
        tables = (workspaces, uploads, blobs, audit)
        return [connection.execute(select(func.count()).select_from(one)).scalar_one() for one in tables]


def test_a_locked_database_is_said_on_the_page_and_to_programs_and_nothing_is_kept(hasty: Visit) -> None:
    token = hasty.token()
    with locked(hasty):
        page = hasty.client.post("/evaluation", data={"csrf": token}, files=table(ROWS))
        program = hasty.another().post("/api/v1/workspaces", json={"kind": "essays", "name": "x"})
        read = hasty.client.get("/evaluation")

    assert (page.status_code, program.status_code, read.status_code) == (503, 503, 200)
    assert "busy or away, so nothing was saved" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "nothing was saved" in program.json()["detail"]
    assert kept(hasty) == [0, 0, 0, 0]
    hasty.send("/evaluation", files=table(ROWS))


def test_a_worker_waits_for_a_locked_database_and_loses_nothing(hasty: Visit) -> None:
    url = uploaded(hasty)
    worker = Worker(hasty.site.database, hasty.settings.cache)
    thread = Thread(target=worker.work)
    with locked(hasty):
        thread.start()
        thread.join(2 * workers.AWAY_SECONDS)
        alive = thread.is_alive()
    while None in (system for system, _ in scores(hasty, url).values()):
        assert thread.is_alive()
        thread.join(0.05)
    worker.stop.set()
    thread.join(30)

    assert alive
    assert scores(hasty, url) == {"ada": (100.0, 100.0), "ben": (83.3, 83.3), "cy": (95.3, 95.3)}


def test_a_full_disk_is_said_and_nothing_is_kept(visit: Visit) -> None:
    token = visit.token()
    before = kept(visit)
    large = "human,system\n" + "1,2\n2,2\n3,3\n" * 100_000
    with full(visit.site.database.engine):
        answer = visit.client.post("/evaluation", data={"csrf": token}, files=table(large))

    assert answer.status_code == 507
    assert "The disk of the server is full, so nothing was saved." in answer.text
    assert kept(visit) == before


def test_a_file_for_which_the_disk_has_no_room_is_not_left_half_written(visit: Visit) -> None:
    with visit.site.database.writing() as connection:
        digest = keep_bytes(connection, b"x" * 200_000, now=datetime.now(UTC))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with visit.site.database.reading() as connection, pytest.raises(OSError, match="too large"):
            blob_file(connection, digest, ".csv", visit.settings.cache)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert list(visit.settings.cache.iterdir()) == []
