"""`assay serve` as a process of its own: for one test, or shared by the tests of a module, on each database."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx2
import pytest

from tests.store.databases import fresh_postgresql

PATIENCE = 240
"""Seconds; the machine may be busy with other tests."""

START = [sys.executable, "-m", "assay", "serve", "--port", "0"]


class Served:
    """A running `assay serve`."""

    def __init__(self, database: str, *options: str) -> None:
        self.database = database
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [*START, "--db", database, *options], stdout=subprocess.PIPE, text=True, env=environment
        )
        first = self.line()
        found = re.search(r"http://[^/]+", first)
        assert found is not None, first
        self.address = found[0]
        # a connection kept open may be closed by the server just when it is used again
        fresh = httpx2.Limits(max_keepalive_connections=0)
        self.client = httpx2.Client(base_url=self.address, timeout=PATIENCE, limits=fresh)

    def wait_for(self, path: str, words: str, seconds: float = PATIENCE) -> str:
        """The page, once it says something."""
        end = time.monotonic() + seconds
        while words not in (page := self.client.get(path).text):
            assert time.monotonic() < end, page[-2000:]
            time.sleep(0.1)
        return page

    def line(self) -> str:
        """The next line it says on the terminal."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def stop(self, how: int = signal.SIGTERM) -> int:
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()
        return code


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app with one worker, shared by the tests of a module; on SQLite, then on PostgreSQL."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('served') / 'assay.db'}"
    else:
        url = fresh_postgresql(request.getfixturevalue("postgresql"))
    running = Served(url, "--workers", "1")
    yield running
    running.stop(signal.SIGKILL)
