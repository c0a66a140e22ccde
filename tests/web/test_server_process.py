"""Several server processes behind one address: supervised, replaced, and ended together."""

import os
import signal
import subprocess
import time
from io import StringIO
from pathlib import Path

import pytest

from assay.web import server_process
from assay.web.server import settings_of_text, settings_text
from assay.web.site import WebSettings
from tests.web.serving import PATIENCE, Served


def test_settings_come_back_as_they_went(tmp_path: Path) -> None:
    settings = WebSettings("a.db", tmp_path, allowed_hosts=("a.example",), first_run_key="k", sign_on=tmp_path / "s")
    assert settings_of_text(settings_text(settings, tmp_path / "c", None)) == (settings, tmp_path / "c", None)


def test_a_process_ends_when_its_parent_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *ids: sent.append(ids))
    server_process.end_with(StringIO("a line\n"))
    assert sent == [(os.getpid(), signal.SIGTERM)]


def servers_of(served: Served) -> set[int]:
    listed = subprocess.run(
        ["pgrep", "-P", str(served.process.pid), "-f", "assay.web.server_process"],
        capture_output=True,
        text=True,
        check=False,
    )
    return {int(number) for number in listed.stdout.split()}


def test_one_of_two_servers_is_killed_and_replaced_while_the_other_answers(tmp_path: Path) -> None:
    served = Served(f"sqlite:///{tmp_path / 'assay.db'}", "--servers", "2", "--workers", "0", "--accounts")
    try:
        served.wait_for("/health", "ok")
        first = servers_of(served)
        assert len(first) == 2
        os.kill(min(first), signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while len(servers_of(served) - {min(first)}) < 2:
            assert time.monotonic() < end
            time.sleep(0.2)
        assert "Sign in" in served.client.get("/sign-in").text
        left = servers_of(served)
    finally:
        code = served.stop()
    assert code == 0
    assert not [number for number in left if Path(f"/proc/{number}").exists()]
