"""Both databases for tests: a SQLite file, and a PostgreSQL server of our own in a temporary folder."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from assay.store.database import Database, open_database

USER = "postgres"


def server_programs() -> Path | None:
    """The folder with initdb and postgres, if this machine has them."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return installed[-1].parent if installed else None


def _as_user() -> list[str] | None:
    """How to run the server, which refuses to be root; None where there is nobody to run it as."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam(USER)
    except KeyError:
        return None
    return ["runuser", "-u", USER, "--"] if shutil.which("runuser") else None


def why_no_postgresql() -> str | None:
    """The reason to skip, or None."""
    if server_programs() is None:
        return "no PostgreSQL server on this machine (apt install postgresql)"
    return "PostgreSQL refuses to run as root, and there is no other user" if _as_user() is None else None


@contextmanager
def postgresql_server() -> Iterator[str]:
    """A server on a free port of the loopback address; its URL without the name of a database."""
    programs, prefix = server_programs(), _as_user()
    assert programs is not None
    assert prefix is not None
    folder = Path(tempfile.mkdtemp(prefix="assay-pg-"))
    if prefix:
        shutil.chown(folder, USER)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    cluster = folder / "cluster"
    try:
        made = [*prefix, str(programs / "initdb"), "-D", str(cluster), "-A", "trust", "-U", USER, "--no-sync"]
        _run([*made, "-E", "UTF8", "--locale=C.UTF-8"], folder)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        control = [*prefix, str(programs / "pg_ctl"), "-D", str(cluster), "-w"]
        log = ["-l", str(folder / "log")]
        _run([*control, "-o", options, *log, "start"], folder)
        try:
            yield f"postgresql://{USER}@127.0.0.1:{port}"
        finally:
            _run([*control, "-m", "immediate", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, check=True, capture_output=True, cwd=folder)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a server, started once for each process of the test run."""
    reason = why_no_postgresql()
    if reason:
        pytest.skip(reason)
    with postgresql_server() as url:
        yield url


def fresh_postgresql(server: str) -> str:
    """The URL of a new, empty database on a server."""
    name = f"t{uuid4().hex[:12]}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{server}/{name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database nobody else uses: each test that asks runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'assay.db'}"
    return fresh_postgresql(request.getfixturevalue("postgresql"))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = open_database(database_url)
    yield opened
    opened.close()
