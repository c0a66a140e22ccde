"""Batches of real submissions for the web app, over its API, and how `assay serve` is started and ended for them."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2

from assay.io.example_data import example_annotations

Results = dict[str, tuple[float | None, str]]
"""Name of a submission -> its score, and all that is kept of it."""


class Serve:
    """A running `assay serve`."""

    def __init__(self, database: str, *options: str, workers: int, cache: Path) -> None:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": str(cache), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "assay", "serve", "--port", "0", "--db", database, "--workers", str(workers)]
        command += options
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        found = re.search(r"http://[^/]+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]
        self.api = httpx2.Client(base_url=f"{self.address}/api/v1", timeout=120)

    def workers(self) -> list[int]:
        """The worker processes of this server."""
        listed = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False)
        return [int(number) for number in listed.stdout.split()]

    def kill(self) -> None:
        """kill -9, the server and its workers."""
        for number in (*self.workers(), self.process.pid):
            os.kill(number, signal.SIGKILL)
        self.end()

    def stop(self) -> None:
        self.process.terminate()
        self.end()

    def end(self) -> None:
        self.process.wait(60)
        self.api.close()
        if self.process.stdout:
            self.process.stdout.close()


def start_batch(serve: Serve, submissions: int) -> tuple[str, str]:
    """A workspace with so many submissions of invented students, in the queue; its id and that of the job."""
    made = example_annotations()
    good = [path for path in made.submissions if path.stem != "grace"]  # the file of grace is cut off
    workspace = serve.api.post("/workspaces", json={"kind": "annotations", "name": "A batch"}).json()["id"]
    with made.truth.open("rb") as truth:
        _fine(serve.api.post(f"/workspaces/{workspace}/uploads/truth", files={"files": truth}))
    names = [f"student {i:03d}" for i in range(submissions)]
    files = [
        ("files", (f"{name}{(one := good[i % len(good)]).suffix}", one.read_bytes())) for i, name in enumerate(names)
    ]
    _fine(serve.api.post(f"/workspaces/{workspace}/uploads/submissions", files=files))
    job = _fine(serve.api.post(f"/workspaces/{workspace}/jobs", json={})).json()["job"]["id"]
    return workspace, job


def _fine(answer: httpx2.Response) -> httpx2.Response:
    assert answer.status_code < 300, answer.text
    return answer


def done(serve: Serve, job: str) -> tuple[int, int, str]:
    """Submissions done, submissions in all, and the state of a job."""
    told: dict[str, Any] = _fine(serve.api.get(f"/jobs/{job}")).json()["job"]
    return told["done"] + told["failed"], told["total"], told["state"]


def wait_for(serve: Serve, job: str, count: int | None = None, seconds: float = 1200) -> int:
    """Wait until so many submissions are done, or all; how many are."""
    end = time.monotonic() + seconds
    while True:
        finished, total, state = done(serve, job)
        if state == "done" or finished >= (total if count is None else count):
            return finished
        assert time.monotonic() < end, f"{finished} done"
        time.sleep(0.05)


def results_of(serve: Serve, workspace: str) -> Results:
    """Every submission with its score and payload, whatever ids they have."""
    found = _fine(serve.api.get(f"/workspaces/{workspace}/results", params={"limit": 1000})).json()["results"]
    return {one["item"]["name"]: (one["score"], repr(one["payload"])) for one in found}


def interrupted(database: str, folder: Path, submissions: int, *, workers: int) -> tuple[Results, int, int]:
    """The results of a batch that was cut off by kill -9 and taken up again; submissions done by then, and in all."""
    serve = Serve(database, workers=workers, cache=folder)
    workspace, job = start_batch(serve, submissions)
    wait_for(serve, job, max(2, submissions // 5))
    before, total, _ = done(serve, job)
    serve.kill()
    again = Serve(database, workers=workers, cache=folder)
    wait_for(again, job)
    found = results_of(again, workspace)
    again.stop()
    return found, before, total


def undisturbed(database: str, folder: Path, submissions: int, *, workers: int) -> Results:
    """The results of a batch nobody disturbed."""
    serve = Serve(database, workers=workers, cache=folder)
    workspace, job = start_batch(serve, submissions)
    wait_for(serve, job)
    found = results_of(serve, workspace)
    serve.stop()
    return found
