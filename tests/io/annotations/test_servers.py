"""Annotations pulled from Label Studio and CVAT.

Both are answered by a server on this machine, with answers shaped as theirs: Label Studio's from its API reference,
CVAT's from the schema of cvat-sdk 2.80 (RqId; Request with status and result_url), because CVAT's own server needs
containers, which tests cannot run.
"""

import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.annotations.files import read_annotations
from assay.io.annotations.servers import export_of, is_address, pulled
from assay.workflows.annotations.rules import rules
from fuzz.seed_annotations import label_studio

CVAT_XML = (
    b'<annotations><version>1.1</version><image id="0" name="a.jpg" width="100" height="80">'
    b'<box label="car" occluded="0" xtl="1" ytl="2" xbr="30" ybr="40" z_order="0"/></image></annotations>'
)


def zipped(content: bytes) -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("annotations.xml", content)
    return target.getvalue()


Answers = dict[tuple[str, str], list[tuple[int, bytes]]]


@contextmanager
def answering(answers: Answers) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """A host that gives these answers by method and path, the last of each for ever; and what it was asked."""
    asked: list[tuple[str, str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked.append((self.command, self.path, self.headers.get("Authorization", "")))
            listed = answers.get((self.command, self.path), [(404, b"{}")])
            status, body = listed.pop(0) if len(listed) > 1 else listed[0]
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:9/stolen")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer  # noqa: N815 - names of http.server

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


EXPORT = ("GET", "/api/projects/3/export?exportType=JSON")


def test_a_project_of_label_studio_is_pulled_with_a_legacy_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "abc123")
    served = answering({EXPORT: [(200, label_studio()[0])]})
    with served as (host, asked), pulled(f"label-studio://{host}/3") as path:
        annotations = read_annotations(path)
    assert asked == [(*EXPORT, "Token abc123")]
    assert annotations.format == "Label Studio"
    assert len(annotations)


def test_a_personal_token_is_exchanged_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "a.b.c")
    refreshed = json.dumps({"access": "x.y.z"}).encode()
    answers: Answers = {("POST", "/api/token/refresh/"): [(200, refreshed)], EXPORT: [(200, b"[]")]}
    with answering(answers) as (host, asked):
        assert export_of(f"label-studio://{host}/projects/3/data") == ("export.json", b"[]")
    assert [one[2] for one in asked] == ["", "Bearer x.y.z"]


def cvat_answers(*states: dict[str, str]) -> Answers:
    begin = "/api/tasks/22/dataset/export?format=CVAT+for+images+1.1&save_images=false"
    return {
        ("POST", begin): [(202, json.dumps({"rq_id": "action=export&id=22"}).encode())],
        ("GET", "/api/requests/action%3Dexport%26id%3D22"): [(200, json.dumps(state).encode()) for state in states],
        ("GET", "/api/result?x=1"): [(200, zipped(CVAT_XML))],
    }


def test_a_task_of_cvat_is_exported_waited_for_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CVAT_ACCESS_TOKEN", "secret")
    states = {"status": "queued"}, {"status": "finished", "result_url": "/api/result?x=1"}
    with answering(cvat_answers(*states)) as (host, asked):
        name, content = export_of(f"cvat://{host}/tasks/22", pause=0.0)
    assert (name, content[:2]) == ("export.zip", b"PK")
    assert {one[2] for one in asked} == {"Bearer secret"}


def test_a_workflow_takes_an_address_for_a_ground_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CVAT_ACCESS_TOKEN", "secret")
    with answering(cvat_answers({"status": "finished", "result_url": "/api/result?x=1"})) as (host, _):
        result = rules(f"cvat://{host}/tasks/22")
    assert [rule.name for rule in result.rubric.labels] == ["car"]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({EXPORT: [(401, b"")]}, "refuses the token"),
        ({EXPORT: [(404, b"")]}, "no such project"),
        ({EXPORT: [(500, b"")]}, "answers 500"),
        ({EXPORT: [(302, b"")]}, "answers 302"),
    ],
)
def test_what_a_server_refuses_is_said_and_redirects_are_not_followed(
    answers: Answers, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "abc123")
    with answering(answers) as (host, _), pytest.raises(InputError, match=why) as refused:
        export_of(f"label-studio://{host}/3")
    assert "abc123" not in str(refused.value)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"status": "failed"}, "the export failed"),
        ({"status": "started"}, "more than 0 seconds"),
        ({"status": "finished", "result_url": "http://evil.example/x"}, "another server"),
        ({"status": "finished"}, "another server"),
    ],
)
def test_an_export_that_does_not_come_is_said(state: dict[str, str], why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CVAT_ACCESS_TOKEN", "secret")
    with answering(cvat_answers(state)) as (host, _), pytest.raises(InputError, match=why):
        export_of(f"cvat://{host}/tasks/22", longest=0.0, pause=0.0)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("label-studio://127.0.0.1:9/abc", "not a number"),
        ("cvat://127.0.0.1:9/folders/3", "no task"),
        ("label-studio://127.0.0.1:9/3", "cannot be reached"),
        ("https://example.com/3", "no address"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused(address: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "abc123")
    monkeypatch.setenv("CVAT_ACCESS_TOKEN", "secret")
    with pytest.raises(InputError, match=why):
        export_of(address)


def test_without_a_token_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CVAT_ACCESS_TOKEN", raising=False)
    with pytest.raises(InputError, match="needs a token"):
        export_of("cvat://127.0.0.1:9/tasks/3")


def test_addresses_survive_being_made_a_path() -> None:
    assert is_address(Path("label-studio://host/3"))
    assert not is_address(Path("label-studio/3"))
