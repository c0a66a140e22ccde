"""`assay serve` as its user starts it: a process of its own, with workers."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import InputError
from tests.web.serving import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = Served(str(tmp_path_factory.mktemp("served") / "assay.db"), "--workers", "0")
    yield running
    running.stop(signal.SIGKILL)


def test_the_demo_is_scored_by_a_worker_and_ctrl_c_ends_everything(tmp_path: Path) -> None:
    served = Served(str(tmp_path / "assay.db"), "--demo", "--workers", "1")
    page = served.wait_for("/", "thresholds met")
    workers = subprocess.run(
        ["pgrep", "-P", str(served.process.pid)], capture_output=True, text=True, check=False
    ).stdout.split()
    served.stop(signal.SIGINT)

    assert "QWK 0.8" in page
    assert workers
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_another_name_for_this_machine_is_refused(served: Served) -> None:
    answer = served.client.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 421


def test_a_port_in_use_is_said_before_anything_starts(served: Served, tmp_path: Path) -> None:
    port = served.address.rpartition(":")[2]
    result = CliRunner().invoke(app, ["serve", "--port", port, "--db", str(tmp_path / "other.db")])
    assert isinstance(result.exception, InputError)
    assert (result.exception.field, bool(result.exception.remedy)) == ("port", True)


@pytest.mark.parametrize("url", ["mysql://x/y", "postgresql://nobody@127.0.0.1:1/none", "sqlite://"])
def test_a_database_that_cannot_be_had_is_said(url: str) -> None:
    result = CliRunner().invoke(app, ["serve", "--port", "0", "--db", url])
    assert isinstance(result.exception, InputError)
    assert (result.exception.field, bool(result.exception.remedy)) == ("db", True)
