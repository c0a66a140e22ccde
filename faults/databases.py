"""Databases that can be taken away: a SQLite file on a small disk, a PostgreSQL server behind a proxy."""

import os
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread

import psycopg

from tests.store.databases import USER, _as_user, server_programs

SMALL_DISK = 512
"""Megabytes of the disk a SQLite database lies on; it is filled and emptied again."""


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class SqliteFile:
    """A database in a file, on a disk of its own where one can be mounted."""

    name = "sqlite"

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="assay-faults-"))
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}m", "tmpfs", str(self.folder)]
        self.mounted = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
        self.path = self.folder / "assay.db"
        self.url = f"sqlite:///{self.path}?timeout=5"

    def lock(self, seconds: float) -> None:
        """Another program writes, and takes its time."""
        with closing(sqlite3.connect(self.path, timeout=30, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            other.execute("ROLLBACK")

    def fill(self, seconds: float) -> None:
        """No room on the disk for a while."""
        filler = self.folder / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            free = os.statvfs(self.folder)
            os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize)
        time.sleep(seconds)
        filler.unlink()

    def close(self) -> None:
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=False, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


class PostgresqlServer:
    """A server of our own, reached through a proxy that can be slow or cut."""

    name = "postgresql"

    def __init__(self) -> None:
        programs, prefix = server_programs(), _as_user()
        assert programs is not None
        assert prefix is not None
        self.folder = Path(tempfile.mkdtemp(prefix="assay-faults-"))
        inside = self.folder / "pg"
        inside.mkdir()
        if prefix:
            self.folder.chmod(0o755)
            shutil.chown(inside, USER)
        self._port = free_port()
        cluster = str(inside / "cluster")
        made = [*prefix, str(programs / "initdb"), "-D", cluster, "-A", "trust", "-U", USER, "--no-sync"]
        self._run([*made, "-E", "UTF8", "--locale=C.UTF-8"])
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        self._control = [
            *prefix,
            str(programs / "pg_ctl"),
            "-D",
            cluster,
            "-w",
            "-l",
            str(inside / "log"),
            "-o",
            options,
        ]
        self.start()
        self.proxy = Proxy(self._port)
        with psycopg.connect(f"postgresql://{USER}@127.0.0.1:{self._port}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE faults")
        self.direct_url = f"postgresql://{USER}@127.0.0.1:{self._port}/faults"
        self.url = f"postgresql://{USER}@127.0.0.1:{self.proxy.port}/faults"

    def start(self) -> None:
        self._run([*self._control, "start"])

    def stop(self) -> None:
        self._run([*self._control, "-m", "immediate", "stop"])

    def lock(self, seconds: float) -> None:
        """Another program holds every row of the queue."""
        with psycopg.connect(self.direct_url) as other:
            other.execute("SELECT 1 FROM jobs FOR UPDATE")
            other.execute("LOCK TABLE job_items IN EXCLUSIVE MODE")
            time.sleep(seconds)

    def close(self) -> None:
        self.proxy.close()
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, command: list[str]) -> None:
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder / "pg"
        )


class Proxy:
    """Hands on what comes in, late if asked to, until it is cut."""

    def __init__(self, target: int) -> None:
        self._target, self.delay = target, 0.0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: set[socket.socket] = set()
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._target), timeout=5)
                except OSError:
                    near.close()
                    continue
                far.settimeout(None)
                self._open |= {near, far}
                for ends in ((near, far), (far, near)):
                    Thread(target=self._hand_on, args=ends, daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while chunk := source.recv(65536):
                if self.delay:
                    time.sleep(self.delay)
                target.sendall(chunk)
        for end in (source, target):
            self._end(end)

    def _end(self, end: socket.socket) -> None:
        self._open.discard(end)
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            end.close()

    def cut(self) -> None:
        """Every connection breaks at once."""
        for end in list(self._open):
            self._end(end)

    def close(self) -> None:
        self._listener.close()
        self.cut()


FaultyDatabase = SqliteFile | PostgresqlServer
