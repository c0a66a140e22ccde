"""Requests go to configured servers only."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from assay.web.sign_on.outgoing import MOST_BYTES, Outgoing, SignOnProblem


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("Location", "/keys")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"x" * (MOST_BYTES + 1) if self.path == "/long" else b"[1]")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Answers) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_a_configured_server_is_asked_and_its_redirects_are_not_followed(server: str) -> None:
    outgoing = Outgoing([f"{server}/token"])

    assert outgoing.request("GET", f"{server}/keys").json() == [1]
    assert outgoing.request("GET", f"{server}/elsewhere").status == 302


@pytest.mark.parametrize(
    "url",
    [
        "https://169.254.169.254/latest",
        "http://127.0.0.1:1/",
        "https://id.example.org.evil.example/",
        "https://id.example.org@evil.example/",
        "http://id.example.org/",
        "file:///etc/passwd",
        "https://id.example.org:8443/",
        "//id.example.org",
    ],
)
def test_no_other_address_is_asked(url: str) -> None:
    with pytest.raises(SignOnProblem, match="not among the servers configured"):
        Outgoing(["https://id.example.org/"]).request("GET", url)


def test_an_endless_answer_is_cut_off(server: str) -> None:
    with pytest.raises(SignOnProblem, match="too long"):
        Outgoing([server]).request("GET", f"{server}/long")


def test_what_is_no_json_is_said(server: str) -> None:
    reply = Outgoing([server]).request("GET", f"{server}/elsewhere")
    with pytest.raises(SignOnProblem, match="JSON"):
        reply.json()
