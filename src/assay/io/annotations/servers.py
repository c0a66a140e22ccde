"""Annotations pulled from a server: label-studio://HOST/PROJECT and cvat://HOST/tasks/ID, by their REST interfaces.

Sources: Label Studio's API reference (projects/ID/export, token/refresh); CVAT's API (tasks|jobs|projects/ID/
dataset/export, requests/ID), as in cvat-sdk's schema. The token comes from the environment and goes to that host only:
redirects are refused. Unencrypted HTTP is used for this machine alone.
"""

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from assay.errors import InputError
from assay.execution.limits import value_of

ADDRESS = re.compile(r"(?P<kind>label-studio|cvat):/+(?P<host>[^/\s?#@]+)/(?P<what>[^\s?#]+)")
TOKENS = {"label-studio": "LABEL_STUDIO_API_KEY", "cvat": "CVAT_ACCESS_TOKEN"}
"""Kind of server -> the environment variable with its token."""
CVAT_FORMAT = "CVAT for images 1.1"
LONGEST, PAUSE = 600.0, 1.0
"""Seconds that an export may take, and between two questions whether it is done."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})


def is_address(path: object) -> bool:
    """Whether something names a project or task on a server; a path that Python has folded counts, too.

    >>> is_address("label-studio://127.0.0.1:8080/3"), is_address(Path("cvat://host/tasks/22")), is_address("a/b")
    (True, True, False)
    """
    return ADDRESS.fullmatch(str(path)) is not None


@contextmanager
def pulled(address: object) -> Iterator[Path]:
    """The export of a project or task as a file, for as long as it is read."""
    name, content = export_of(str(address))
    with TemporaryDirectory(prefix="assay-pull-") as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        yield path


def export_of(address: str, *, longest: float = LONGEST, pause: float = PAUSE) -> tuple[str, bytes]:
    """The name and content of what a server exports; InputError with the remedy when it does not."""
    match = ADDRESS.fullmatch(address)
    if match is None:
        remedy = "Write label-studio://HOST/PROJECT or cvat://HOST/tasks/ID."
        raise InputError("it is no address of a project or task", source=address[:200], remedy=remedy)
    kind, host, what = match["kind"], match["host"], match["what"].strip("/")
    token = os.environ.get(TOKENS[kind], "").strip()
    if not token or not all("!" <= letter <= "~" for letter in token):
        remedy = f"Set {TOKENS[kind]} to a token of your account there."
        raise InputError("the server needs a token", source=f"{kind}://{host}", remedy=remedy)
    scheme = "http" if host.rsplit(":", 1)[0].lower() in LOOPBACK or host.lower() in LOOPBACK else "https"
    server = _Server(f"{scheme}://{host}", f"{kind}://{host}", token)
    return _label_studio(server, what) if kind == "label-studio" else _cvat(server, what, longest, pause)


def _label_studio(server: "_Server", what: str) -> tuple[str, bytes]:
    project = what.removeprefix("projects/").split("/")[0]
    if not project.isdecimal():
        raise InputError("the project is not a number", source=server.name, remedy="Write label-studio://HOST/3.")
    if server.token.count(".") == 2:  # a personal access token, good for a short-lived one
        answer = server.json("POST", "/api/token/refresh/", {"refresh": server.token}, signed=False)
        access = answer.get("access")
        if not isinstance(access, str) or not all("!" <= letter <= "~" for letter in access):
            raise InputError("the server gave no access token", source=server.name, remedy="Create a new token.")
        server.header = f"Bearer {access}"
    else:
        server.header = f"Token {server.token}"
    return "export.json", server.bytes("GET", f"/api/projects/{project}/export?exportType=JSON")


def _cvat(server: "_Server", what: str, longest: float, pause: float) -> tuple[str, bytes]:
    parts = what.split("/")
    kind, number = parts[-2:] if len(parts) > 1 else ("", "")
    if kind not in {"tasks", "jobs", "projects"} or not number.isdecimal():
        remedy = "Write cvat://HOST/tasks/22, jobs/22 or projects/22."
        raise InputError("it names no task, job or project", source=server.name, remedy=remedy)
    server.header = f"Bearer {server.token}"
    query = urlencode({"format": CVAT_FORMAT, "save_images": "false"})
    begun = server.json("POST", f"/api/{kind}/{number}/dataset/export?{query}", {})
    identity = begun.get("rq_id")
    if not isinstance(identity, str) or not identity:
        raise InputError("the server began no export", source=server.name, remedy="Check the number and your rights.")
    end = time.monotonic() + longest
    while True:
        state = server.json("GET", f"/api/requests/{quote(identity, safe='')}")
        if state.get("status") == "finished":
            break
        if state.get("status") == "failed" or time.monotonic() > end:
            why = "failed" if state.get("status") == "failed" else f"took more than {longest:g} seconds"
            raise InputError(f"the export {why}", source=server.name, remedy="Export it in CVAT and give the file.")
        time.sleep(pause)
    result = state.get("result_url")
    parsed = urlsplit(result if isinstance(result, str) else "")
    if not parsed.path or (parsed.netloc and parsed.netloc != urlsplit(server.base).netloc):
        raise InputError("the export lies on another server", source=server.name, remedy="Export it in CVAT.")
    return "export.zip", server.bytes("GET", parsed.path + (f"?{parsed.query}" if parsed.query else ""))


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(slots=True)
class _Server:
    base: str
    name: str
    token: str = field(repr=False)
    header: str = field(default="", repr=False)
    timeout: float = 120.0

    def json(self, method: str, path: str, body: object = None, *, signed: bool = True) -> dict[str, Any]:
        content = self.bytes(method, path, body, signed=signed)
        try:
            answer = json.loads(content[:1_000_000])
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise InputError("the server's answer is not understood", source=self.name, remedy="Check the address.")
        return answer

    def bytes(self, method: str, path: str, body: object = None, *, signed: bool = True) -> bytes:
        """The whole answer, of a size that a file may have."""
        headers = {"Accept": "application/json, */*", "User-Agent": "assay"}
        headers |= {"Authorization": self.header} if signed else {}
        content = None if body is None else json.dumps(body).encode()
        headers |= {} if content is None else {"Content-Type": "application/json"}
        request = Request(self.base + path, data=content, headers=headers, method=method)
        opener = build_opener(_NoRedirects(), *([ProxyHandler({})] if self.base.startswith("http:") else []))
        most = value_of("file_bytes")
        try:
            with opener.open(request, timeout=self.timeout) as answer:
                read: bytes = answer.read(most + 1)
        except HTTPError as problem:
            problem.close()
            raise self._refused(problem.code) from None
        except (URLError, HTTPException, OSError, ValueError) as problem:
            why = getattr(problem, "reason", None) or type(problem).__name__
            remedy = "Check the address, and whether the server runs."
            raise InputError(f"the server cannot be reached: {why}", source=self.name, remedy=remedy) from None
        if len(read) > most:
            raise InputError(
                f"the export has more than {most:,} bytes", source=self.name, remedy="Export a part of it."
            )
        return read

    def _refused(self, status: int) -> InputError:
        variable = TOKENS[self.name.split(":")[0]]
        said = {
            **dict.fromkeys((401, 403), ("the server refuses the token", f"Check {variable} and your rights there.")),
            404: ("there is no such project or task", "Check its number."),
        }
        problem, remedy = said.get(status, (f"the server answers {status}", "Try again later, or export it by hand."))
        return InputError(problem, source=self.name, remedy=remedy)
