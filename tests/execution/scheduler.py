"""A real Dask scheduler and its workers, each a process of its own on 127.0.0.1."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 60.0


class Cluster:
    """Processes that are started one by one and all ended at the end."""

    def __init__(self, folder: Path, *, python: str = sys.executable) -> None:
        self.folder, self.python = folder, python
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._start("scheduler", ["scheduler", "--port", "0", "--no-dashboard", *self._told_in("--scheduler-file")])
        self.address = self._address()

    def add_worker(self, name: str, *, threads: int = 1) -> None:
        options = [
            "--nthreads",
            str(threads),
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            str(self.folder / name),
        ]
        self._start(name, ["worker", self.address, "--name", name, *options])

    def kill(self, name: str) -> None:
        """At once and without a word, as a machine that loses power."""
        self.processes[name].send_signal(signal.SIGKILL)
        self.processes.pop(name).wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for process in reversed(self.processes.values()):  # workers before their scheduler: they wait for it
            process.kill()
            process.wait()

    def _told_in(self, option: str) -> list[str]:
        return ["--host", "127.0.0.1", option, str(self.folder / "scheduler.json")]

    def _start(self, name: str, arguments: list[str]) -> None:
        command = [self.python, "-m", f"distributed.cli.dask_{arguments[0]}", *arguments[1:]]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def _address(self) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                return str(json.loads((self.folder / "scheduler.json").read_text())["address"])
            except (OSError, ValueError):
                time.sleep(0.1)
        raise TimeoutError((self.folder / "scheduler.log").read_text())


@contextmanager
def cluster(folder: Path, *workers: str) -> Iterator[Cluster]:
    """A scheduler with these workers."""
    with Cluster(folder) as found:
        for name in workers:
            found.add_worker(name)
        yield found
