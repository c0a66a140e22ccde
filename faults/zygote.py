"""A process that has the code of the app loaded and forks servers and workers from it, each in some milliseconds.

A server or a worker that was killed is there again at once, so that a thousand faults fit into some minutes. What runs
in the fork is what `assay serve` and `python -m assay.web.worker` run. Asked over a socket of this machine.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

CLOCK = "FAULTS_CLOCK"
"""Names a file with the seconds by which a worker's clock is wrong, for faults only."""
Request = dict[str, Any]


class Forked:
    """A forked process, in the manner of `subprocess.Popen`: what the server knows of its workers."""

    def __init__(self, what: str, environment: dict[str, str], log: Path) -> None:
        self._socket, (read, self._write) = environment["FAULTS_ZYGOTE"], os.pipe()
        with log.open("ab") as output:
            asked = {"run": what, "environment": environment}
            self.pid = int(ask(self._socket, asked, [read, output.fileno()])["pid"])
        os.close(read)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = ask(self._socket, {"poll": self.pid})["status"]
            if self.returncode is not None:
                os.close(self._write)
        return self.returncode

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float = 60) -> int:
        end = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("forked", timeout)
            time.sleep(0.02)
        return status


def ask(address: str, request: Request, handles: list[int] | None = None) -> Request:
    """What the zygote answers."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(address)
        socket.send_fds(link, [json.dumps(request).encode()], handles or [])
        answer: Request = json.loads(link.recv(4096))
    return answer


def serve(address: str) -> None:
    """Fork what is asked for, until the parent is gone."""
    import assay.web.app
    import assay.web.server
    import assay.web.worker.annotations
    import assay.web.worker.essays
    import assay.web.worker.evaluation  # noqa: F401

    statuses: dict[int, int] = {}
    forked: dict[int, str] = {}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        print("loaded", flush=True)
        parent = os.getppid()
        listener.settimeout(1)
        while os.getppid() == parent:
            try:
                link, _ = listener.accept()
            except TimeoutError:
                continue
            with link:
                raw, handles, _, _ = socket.recv_fds(link, 65536, 4)
                request: Request = json.loads(raw)
                if "poll" in request:
                    answer: Request = {"status": _status(statuses, request["poll"])}
                elif "list" in request:
                    alive = [pid for pid, what in forked.items() if what == request["list"]]
                    answer = {"pids": [pid for pid in alive if _status(statuses, pid) is None]}
                else:
                    answer = {"pid": os.fork()}
                    if not answer["pid"]:
                        listener.close()
                        link.close()
                        _run(request, handles)
                    forked[answer["pid"]] = request["run"]
                for handle in handles:
                    os.close(handle)
                link.sendall(json.dumps(answer).encode())


def _status(statuses: dict[int, int], pid: int) -> int | None:
    if pid not in statuses:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if not ended:
            return None
        statuses[pid] = os.waitstatus_to_exitcode(status)
    return statuses[pid]


def _run(request: Request, handles: list[int]) -> None:
    """Become a server or a worker; never returns."""
    code = 1
    try:
        for number, handle in enumerate((handles[0], handles[1], handles[1])):
            os.dup2(handle, number)
        os.environ.update(request["environment"])
        tempfile.tempdir = None
        {"worker": run_worker, "server": run_server}[request["run"]]()
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def run_worker() -> None:
    """`python -m assay.web.worker`, with a clock that may be wrong."""
    from assay.web.worker import worker

    clock = os.environ.get(CLOCK)
    if clock:
        shifted = lambda: datetime.now(UTC) + timedelta(seconds=float(Path(clock).read_text("ascii") or 0))  # noqa: E731
        setattr(worker, "now", shifted)  # noqa: B010
    worker.main()


def run_server() -> None:
    """`assay serve` on a port of the loopback address."""
    from assay.web import server
    from assay.web.app import create_app

    log = Path(os.environ["FAULTS_LOG"])
    server.WorkerProcesses._started = lambda self: Forked("worker", self._environment, log)  # type: ignore[method-assign,assignment,return-value]
    port, workers = int(os.environ["FAULTS_PORT"]), int(os.environ["FAULTS_WORKERS"])
    asked: Any = {"host": "127.0.0.1", "accounts": False, "names": (), "https": False, "most_upload": 50}
    settings = server.settings_for(database=os.environ["FAULTS_DB"], port=port, **asked)
    server.serve_app(settings, create_app, workers=workers, certificate=None, key=None, say=print)


if __name__ == "__main__":
    serve(sys.argv[1])
