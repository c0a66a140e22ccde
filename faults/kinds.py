"""The kinds of faults: each is injected, lasts a moment, and is over when its function returns."""

import os
import random
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from faults.databases import PostgresqlServer, SqliteFile, free_port
from faults.rig import LEASE_SECONDS, Rig, Work

Fault = Callable[[Rig, random.Random], object]


def one_worker(rig: Rig, rng: random.Random) -> int:
    return rng.choice(rig.wait_for_workers())


def kill_worker(rig: Rig, rng: random.Random) -> None:
    os.kill(one_worker(rig, rng), signal.SIGKILL)


def kill_server(rig: Rig, _rng: random.Random) -> None:
    """Its workers notice, and end by themselves."""
    workers = rig.pids("worker")
    assert rig.server is not None
    rig.server.kill()
    rig.server.wait()
    rig.until(lambda: not set(workers) & set(rig.pids("worker")))
    rig.start()


def kill_everything(rig: Rig, _rng: random.Random) -> None:
    assert rig.server is not None
    for pid in (*rig.pids("worker"), rig.server.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    rig.server.wait()
    rig.start()


def restart_server(rig: Rig, _rng: random.Random) -> None:
    """SIGTERM: workers give back what they hold; nothing is left behind."""
    assert rig.server is not None
    rig.server.terminate()
    rig.server.wait()
    rig.until(lambda: not rig.pids("worker"))
    rig.start()


def end_worker(rig: Rig, rng: random.Random) -> None:
    os.kill(one_worker(rig, rng), signal.SIGTERM)


def pause_worker(rig: Rig, rng: random.Random) -> None:
    """It sleeps past its lease, and wakes up with a result that is no longer its own."""
    _paused(one_worker(rig, rng), LEASE_SECONDS + rng.uniform(0.2, 0.6))


def pause_server(rig: Rig, rng: random.Random) -> None:
    assert rig.server is not None
    _paused(rig.server.pid, rng.uniform(0.1, 0.4))


def _paused(pid: int, seconds: float) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)


def locked_database(rig: Rig, rng: random.Random) -> None:
    rig.database.lock(rng.uniform(0.1, 0.5))


def no_file_handles(rig: Rig, rng: random.Random) -> None:
    _limited(one_worker(rig, rng), resource.RLIMIT_NOFILE, lambda _pid: 8, rng)


def no_file_size(rig: Rig, rng: random.Random) -> None:
    """Nothing that a worker writes to a file is taken, as on a full disk."""
    _limited(one_worker(rig, rng), resource.RLIMIT_FSIZE, lambda _pid: 4096, rng)


def no_memory(rig: Rig, rng: random.Random) -> None:
    _limited(one_worker(rig, rng), resource.RLIMIT_AS, _address_space, rng)


def _address_space(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[0])
    return pages * resource.getpagesize()


def _limited(pid: int, what: int, least: Callable[[int], int], rng: random.Random) -> None:
    with suppress(ProcessLookupError, FileNotFoundError):
        _, hard = resource.prlimit(pid, what)
        before = resource.prlimit(pid, what, (least(pid), hard))
        time.sleep(rng.uniform(0.1, 0.4))
        resource.prlimit(pid, what, before)


def wrong_clock(rig: Rig, rng: random.Random) -> None:
    """The clocks of all workers jump ahead or back, by a minute or an hour, and return."""
    rig.clock.write_text(str(rng.choice((-3600, -60, 60, 3600))), "ascii")
    time.sleep(rng.uniform(0.1, 0.5))
    rig.clock.write_text("0", "ascii")


def read_only_cache(rig: Rig, rng: random.Random) -> None:
    """The folder of temporary files can be read only, and is empty."""
    # a second server that was killed may have left its own
    cache = max((rig.database.folder / "tmp").glob("assay-*"), key=lambda folder: folder.stat().st_mtime)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(cache)], check=False).returncode == 0:
        time.sleep(rng.uniform(0.1, 0.5))
        subprocess.run(["umount", "-l", str(cache)], check=True)


def half_upload(rig: Rig, rng: random.Random) -> None:
    """A connection that breaks in the middle of a file."""
    head = "POST /api/v1/workspaces/{}/uploads/submissions HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 100000\r\n"
    kind = "Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; "
    begun = head.format(WORKSPACES[id(rig)], rig.port) + kind + 'name="files"; filename="half.json"\r\n\r\n{"images": ['
    with suppress(OSError), socket.create_connection(("127.0.0.1", rig.port), timeout=5) as link:
        link.sendall(begun.encode() + b"1, " * rng.randrange(20_000))


WORKSPACES: dict[int, str] = {}
"""A workspace of each rig, to which half of a file is sent."""


def second_server(rig: Rig, rng: random.Random) -> None:
    """Another server with a worker on the same database, which is killed in the end."""
    mine = set(rig.pids("worker"))
    other = rig.fork_server(free_port(), 1)
    time.sleep(rng.uniform(0.5, 1.5))
    other.kill()
    other.wait()
    rig.until(lambda: len(set(rig.pids("worker")) - mine) <= max(0, rig.workers - len(mine & set(rig.pids("worker")))))


def stopped_database(rig: Rig, rng: random.Random) -> None:
    assert isinstance(rig.database, PostgresqlServer)
    rig.database.stop()
    time.sleep(rng.uniform(0, 0.5))
    rig.database.start()


def cut_connections(rig: Rig, _rng: random.Random) -> None:
    assert isinstance(rig.database, PostgresqlServer)
    rig.database.proxy.cut()


def slow_database(rig: Rig, rng: random.Random) -> None:
    assert isinstance(rig.database, PostgresqlServer)
    rig.database.proxy.delay = rng.uniform(0.01, 0.05)
    time.sleep(rng.uniform(0.2, 0.5))
    rig.database.proxy.delay = 0.0


def full_disk(rig: Rig, rng: random.Random) -> None:
    assert isinstance(rig.database, SqliteFile)
    if rig.database.mounted:
        rig.database.fill(rng.uniform(0.1, 0.5))


BOTH: Mapping[str, tuple[Fault, int]] = {
    "kill -9 of a worker": (kill_worker, 3),
    "kill -9 of the server": (kill_server, 1),
    "kill -9 of server and workers": (kill_everything, 1),
    "SIGTERM of the server": (restart_server, 1),
    "SIGTERM of a worker": (end_worker, 2),
    "worker paused past its lease": (pause_worker, 1),
    "server paused": (pause_server, 3),
    "database locked by another": (locked_database, 4),
    "no file handles": (no_file_handles, 4),
    "no room for files": (no_file_size, 4),
    "no memory": (no_memory, 4),
    "clock jumps": (wrong_clock, 4),
    "temporary folder read-only": (read_only_cache, 4),
    "upload cut in the middle": (half_upload, 6),
    "second server on the database": (second_server, 1),
}
"""Words -> the fault, and how often it is drawn beside others."""
KINDS: Mapping[str, Mapping[str, tuple[Fault, int]]] = {
    "sqlite": {**BOTH, "disk full": (full_disk, 4)},
    "postgresql": {
        **BOTH,
        "database stopped": (stopped_database, 1),
        "connections cut": (cut_connections, 6),
        "database slow": (slow_database, 4),
    },
}


def aim(rig: Rig, work: Work) -> None:
    """Where half uploads go."""
    WORKSPACES[id(rig)] = work.workspace
