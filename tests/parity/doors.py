"""The three ways in: the command, Python, and the web app with its worker. What each gives is a mapping of outputs."""

import json
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from fastapi.testclient import TestClient
from typer.testing import CliRunner

from assay.cli.main import app
from assay.store.blobs import read_blob
from assay.store.items import find_result
from tests.web.visits import Visit

Outputs: TypeAlias = Mapping[str, Any]
"""The name of a file or of a figure -> its content."""

MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)|\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d")


class Bench:
    """A folder to work in and an app, shared by all cases: what one case made, another may read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = count()
        self._inputs: dict[tuple[str, bytes], Path] = {}

    def path(self, name: str) -> Path:
        """A place of its own that is not there yet."""
        folder = self.folder / f"{next(self._numbers):03}"
        folder.mkdir()
        return folder / name

    def file(self, name: str, content: str | bytes) -> Path:
        """An input, written once: reports name where it lies."""
        whole = content if isinstance(content, bytes) else content.encode()
        if (name, whole) not in self._inputs:
            self._inputs[name, whole] = self.path(name)
            self._inputs[name, whole].write_bytes(whole)
        return self._inputs[name, whole]

    # ---- the command ---------------------------------------------------------------------------------------------

    def command(self, *words: object) -> str:
        """What a command prints; it must succeed."""
        result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    # ---- the web app ---------------------------------------------------------------------------------------------

    @cached_property
    def visit(self) -> Visit:
        return Visit(f"sqlite:///{self.folder / 'assay.db'}", self.folder / "cache")

    @cached_property
    def api(self) -> TestClient:
        """A program: it has no cookies, and so needs no token."""
        return self.visit.another()

    def workspace(self, kind: str, **uploads: Mapping[str, bytes]) -> str:
        """The id of a new workspace with files in it: role -> name -> content."""
        made = self.api.post("/api/v1/workspaces", json={"kind": kind, "name": "Parity"}).json()["id"]
        for role, files in uploads.items():
            for name, content in files.items():
                sent = {"files": (name, BytesIO(content))}
                answer = self.api.post(f"/api/v1/workspaces/{made}/uploads/{role}", files=sent)
                assert answer.status_code == 201, answer.text
        return str(made)

    def work(self, workspace: str, *, task: str = "score", **settings: Any) -> None:
        """Start scoring or another task, and let a worker do all of it."""
        answer = self.api.post(f"/api/v1/workspaces/{workspace}/jobs", json={"task": task, "settings": settings})
        assert answer.status_code == 202, answer.text
        self.visit.work()

    def asked(self, workspace: str, path: str = "", **options: Any) -> Any:
        """What the API says."""
        answer = self.api.get(f"/api/v1/workspaces/{workspace}{path}", params=options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def exported(self, workspace: str, ending: str) -> bytes:
        """The one export whose path ends so."""
        (path,) = [e["path"] for e in self.asked(workspace, "/exports")["exports"] if e["path"].endswith(ending)]
        return bytes(self.api.get(f"/api/v1/workspaces/{workspace}/exports/{path}").content)

    def model_made(self, workspace: str, what: str) -> Mapping[str, bytes]:
        """The files of a model that was trained or refitted in a workspace of essays and waits to be accepted."""
        asked = self.asked(workspace)["settings"][what]
        with self.visit.site.database.reading() as connection:
            result = find_result(connection, asked["item"], asked["engine"])
            assert result is not None, what
            return {name: read_blob(connection, digest) for name, digest in result.files.items()}


@dataclass(frozen=True, slots=True)
class Case:
    """One input, and what comes out of each door for it."""

    verb: str
    command: Callable[[Bench], Outputs]
    python: Callable[[Bench], Outputs]
    web: Callable[[Bench], Outputs] | None = None


def typed() -> str:
    """What a command records as typed: given to Python too, so that whole files can be compared."""
    return shlex.join(["assay", *sys.argv[1:]])


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, byte for byte but for the moment at which it was made."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): MOMENT.sub(b"then", path.read_bytes()) for path in files}


def numbers(content: str | bytes) -> Any:
    """A result as JSON without where it comes from: doors call their input differently."""
    found = json.loads(content)
    found.pop("provenance")
    return found
