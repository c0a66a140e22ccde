"""`assay serve` as its user starts it: a process of its own, with workers."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import InputError

START = [sys.executable, "-m", "assay", "serve", "--port", "0"]


class Served:
    """A running `assay serve`."""

    def __init__(self, database: str, *options: str) -> None:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [*START, "--db", database, *options], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://[^/]+", first)
        assert found is not None, first
        self.address = found[0]

    def wait_for(self, path: str, words: str, seconds: float = 60) -> str:
        """The page, once it says something."""
        end = time.monotonic() + seconds
        while words not in (page := httpx2.get(self.address + path, timeout=30).text):
            assert time.monotonic() < end, page[-2000:]
            time.sleep(0.1)
        return page

    def stop(self, how: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(30)
        if self.process.stdout:
            self.process.stdout.close()
        return code


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    running = Served(str(tmp_path / "assay.db"), "--demo", "--workers", "1")
    yield running
    running.stop(signal.SIGKILL)


def test_the_demo_is_scored_by_a_worker_and_ctrl_c_ends_everything(served: Served) -> None:
    page = served.wait_for("/", "thresholds met")
    workers = subprocess.run(
        ["pgrep", "-P", str(served.process.pid)], capture_output=True, text=True, check=False
    ).stdout.split()
    served.stop(signal.SIGINT)

    assert "QWK 0.8" in page
    assert workers
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_another_name_for_this_machine_is_refused(served: Served) -> None:
    answer = httpx2.get(served.address, headers={"Host": "evil.example"})
    assert answer.status_code == 421


def test_a_port_in_use_is_said_before_anything_starts(served: Served, tmp_path: Path) -> None:
    port = served.address.rpartition(":")[2]
    result = CliRunner().invoke(app, ["serve", "--port", port, "--db", str(tmp_path / "other.db")])
    assert isinstance(result.exception, InputError)
    assert "--port" in str(result.exception)


@pytest.mark.parametrize("url", ["mysql://x/y", "postgresql://nobody@127.0.0.1:1/none", "sqlite://"])
def test_a_database_that_cannot_be_had_is_said(url: str) -> None:
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--db", url])
    assert isinstance(result.exception, InputError)
    assert "--db" in str(result.exception)
