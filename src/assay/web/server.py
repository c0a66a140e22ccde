"""The app as a process: a socket, a server, and the workers it looks after."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import Any

import uvicorn
from fastapi import FastAPI

from assay.errors import Field, InputError
from assay.store.accounts import all_accounts
from assay.web.site import MEGABYTE, Site, WebSettings, data_folder, is_loopback, local_name
from assay.web.worker.worker import bury


def settings_for(
    *,
    database: str | None,
    host: str,
    port: int,
    accounts: bool,
    names: tuple[str, ...],
    https: bool,
    most_upload: int,
    sign_on: Path | None = None,
) -> WebSettings:
    """The settings behind the options of `assay serve`."""
    where = database or str(data_folder() / "assay.db")
    # only this user may look into it, and two databases never share it; it may be deleted at any time
    cache = Path(tempfile.gettempdir()) / f"assay-{local_name()}-{sha256(where.encode()).hexdigest()[:12]}"
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    if cache.stat().st_uid != os.getuid():
        raise InputError("belongs to someone else", source=cache, remedy="Set TMPDIR to a folder of your own.")
    return WebSettings(
        database=where,
        cache=cache,
        host=host,
        port=port,
        accounts=accounts or not is_loopback(host),
        most_upload=most_upload * MEGABYTE,
        allowed_hosts=names,
        secure_cookies=https,
        first_run_key=secrets.token_urlsafe(12),
        sign_on=sign_on,
    )


def serve_app(
    settings: WebSettings,
    create: Callable[[WebSettings], FastAPI],
    *,
    workers: int,
    certificate: Path | None,
    key: Path | None,
    say: Callable[[str], object],
    servers: int = 1,
) -> None:
    """Serve what `create` makes until Ctrl-C or SIGTERM; then the workers end too.

    With several servers, each is a process of its own that takes requests from the one socket; one that dies is
    replaced, as workers are.
    """
    with _listener(settings) as listener:
        app = create(settings)
        site: Site = app.state.site
        processes = WorkerProcesses(settings, workers, lambda process: bury(site.database, process))
        processes.start()
        for line in _greeting(site, listener, "https" if certificate else "http"):
            say(line)
        try:
            if servers == 1:
                answer_requests(app, listener, certificate, key)
            else:
                _supervise(ServerProcesses(settings, servers, listener, certificate, key))
        finally:
            processes.stop()
            site.database.close()


def answer_requests(app: FastAPI, listener: socket.socket, certificate: Path | None, key: Path | None) -> None:
    """Answer requests in this process until Ctrl-C or SIGTERM."""
    quiet: Any = {"log_level": "warning", "access_log": False, "server_header": False}
    config = uvicorn.Config(app, **quiet, timeout_graceful_shutdown=2, ssl_certfile=certificate, ssl_keyfile=key)
    uvicorn.Server(config).run(sockets=[listener])


def _supervise(servers: "ServerProcesses") -> None:
    """Look after server processes until Ctrl-C or SIGTERM."""
    over = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    servers.start()
    try:
        while not over.wait(3600):
            pass
    finally:
        servers.stop()


def _greeting(site: Site, listener: socket.socket, scheme: str) -> Iterator[str]:
    """Where the app is, where its data lie, and how to make the first account."""
    host = site.settings.host
    address = f"{scheme}://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    yield f"Assay: {address}/  (Ctrl-C stops)"
    yield f"Database: {site.database.address}"
    if not site.settings.only_here and scheme == "http" and not site.settings.secure_cookies:
        yield "Warning: passwords and students' work cross the network unencrypted. Use --certificate and --key, or a"
        yield "proxy that speaks HTTPS together with --behind-https."
    if site.settings.accounts:
        with site.database.reading() as connection:
            if not all_accounts(connection):
                yield f"Make the first account: {address}/first-run?key={site.settings.first_run_key}"


def _listener(settings: WebSettings) -> socket.socket:
    """The socket, taken before anything else happens: a port in use is the most likely mistake."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(2048)  # at once: until then another could bind the same port, and visitors would be refused
    except OSError as error:
        listener.close()
        problem = f"Port {settings.port} of {settings.host} cannot be used: {error.strerror}"
        raise InputError(problem, field="port", remedy=("Choose another with ", Field("port"), ".")) from None
    return listener


class WorkerProcesses:
    """Worker processes; one that dies is replaced, once `bury` has taken back what it held."""

    def __init__(self, settings: WebSettings, count: int, bury: Callable[[int], object]) -> None:
        self._environment = {**os.environ, "ASSAY_DB": settings.database, "ASSAY_CACHE": str(settings.cache)}
        self._count, self._bury = count, bury
        self._running: list[subprocess.Popen[bytes]] = []
        self._stopped = Event()
        self._watch = Thread(target=self._look_after, daemon=True)

    def start(self) -> None:
        self._running = [self._started() for _ in range(self._count)]
        self._watch.start()

    def _started(self) -> "subprocess.Popen[bytes]":
        # its standard input is a pipe from us: when we are gone, it ends, and the worker with it
        command = [sys.executable, "-m", "assay.web.worker"]
        return subprocess.Popen(command, env=self._environment, stdin=subprocess.PIPE)

    def _look_after(self) -> None:
        while not self._stopped.wait(1):
            self._running = [self._living(worker) for worker in self._running]

    def _living(self, worker: "subprocess.Popen[bytes]") -> "subprocess.Popen[bytes]":
        if worker.poll() is None:
            return worker
        try:
            self._bury(worker.pid)
            return self._started()
        except Exception:  # the database is away, or the machine has no process to spare: the next look tries again
            traceback.print_exc(file=sys.stderr)
            return worker

    def stop(self) -> None:
        """Ask the workers to end after the piece in hand; end those that do not."""
        self._stopped.set()
        self._watch.join()
        for worker in self._running:
            worker.terminate()
        for worker in self._running:
            try:
                worker.wait(5)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()


class ServerProcesses(WorkerProcesses):
    """Processes that answer requests from one socket; one that dies is replaced."""

    def __init__(
        self, settings: WebSettings, count: int, listener: socket.socket, certificate: Path | None, key: Path | None
    ) -> None:
        super().__init__(settings, count, lambda _process: None)
        self._socket = listener.fileno()
        self._text = settings_text(settings, certificate, key)

    def _started(self) -> "subprocess.Popen[bytes]":
        # what they need to know comes by the pipe, which others cannot read, and which ends when we do
        command = [sys.executable, "-m", "assay.web.server_process", str(self._socket)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[self._socket])
        assert process.stdin is not None  # asked for above
        process.stdin.write(self._text.encode() + b"\n")
        process.stdin.flush()
        return process


def settings_text(settings: WebSettings, certificate: Path | None, key: Path | None) -> str:
    """Settings as one line, for a server process."""
    return json.dumps({**asdict(settings), "certificate": certificate, "key": key}, default=str)


def settings_of_text(text: str) -> tuple[WebSettings, Path | None, Path | None]:
    """What `settings_text` wrote: settings, certificate and key."""
    values = json.loads(text)
    certificate, key, sign_on = (
        Path(path) if (path := values.pop(name)) else None for name in ("certificate", "key", "sign_on")
    )
    values |= {"cache": Path(values["cache"]), "allowed_hosts": tuple(values["allowed_hosts"]), "sign_on": sign_on}
    return WebSettings(**values), certificate, key
