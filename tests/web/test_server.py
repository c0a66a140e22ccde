"""The app as a process: its settings, its socket, its workers."""

import socket
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.web.app import create_app
from assay.web.server import WorkerProcesses, serve_app, settings_for
from assay.web.site import MEGABYTE, WebSettings


@pytest.mark.parametrize(("host", "needed"), [("127.0.0.1", False), ("::1", False), ("0.0.0.0", True), ("::", True)])
def test_any_address_but_this_machines_own_needs_accounts(tmp_path: Path, host: str, needed: bool) -> None:
    settings = settings_for(
        database=str(tmp_path / "assay.db"), host=host, port=0, accounts=False, names=(), https=False, most_upload=1
    )
    app = create_app(settings)
    app.state.site.database.close()

    assert settings.accounts is needed
    assert len(settings.first_run_key) >= 12


def test_options_become_settings(tmp_path: Path) -> None:
    options = {"database": str(tmp_path / "a.db"), "host": "127.0.0.1", "port": 8765, "accounts": True}
    settings = settings_for(**options, names=("scores.example.org",), https=True, most_upload=3)  # type: ignore[arg-type]

    assert (settings.accounts, settings.secure_cookies, settings.most_upload) == (True, True, 3 * MEGABYTE)
    assert settings.allowed_hosts == ("scores.example.org",)
    assert settings.cache.is_dir()


def test_a_port_in_use_is_said_before_the_app_is_made(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = WebSettings(database=str(tmp_path / "a.db"), cache=tmp_path, port=port)
        with pytest.raises(InputError, match=f"Port {port} of 127.0.0.1 cannot be used") as problem:
            serve_app(settings, create_app, workers=0, certificate=None, key=None, say=print)

    assert problem.value.field == "port"
    assert not (tmp_path / "a.db").exists()


def test_no_workers_start_and_stop_as_well(tmp_path: Path) -> None:
    processes = WorkerProcesses(WebSettings(database=str(tmp_path / "a.db"), cache=tmp_path), 0, print)

    processes.start()
    processes.stop()

    assert not processes._watch.is_alive()
