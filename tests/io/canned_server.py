"""A server that gives canned answers, for what a real model cannot be made to do: break, stall, lie, redirect."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Canned:
    """One answer: status, body, headers; `drip` sends it so many seconds apart, byte by byte."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drip: float = 0.0


@dataclass
class Heard:
    """What was asked of the server."""

    url: str
    bodies: list[Any] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


def completion(content: object) -> Canned:
    """A well-formed completion with this content."""
    return Canned(json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode())


@contextmanager
def canned_server(answers: Sequence[Canned]) -> Iterator[Heard]:
    """A server on this machine that gives these answers in turn, the last one for ever."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            heard.headers.append(dict(self.headers.items()))
            answer = left.pop(0) if len(left) > 1 else left[0]
            self.send_response(answer.status)
            for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                for place in range(len(answer.body)) if answer.drip else ():
                    self.wfile.write(answer.body[place : place + 1])
                    time.sleep(answer.drip)
                self.wfile.write(b"" if answer.drip else answer.body)
            except OSError:
                pass  # the client has gone, as it should

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    heard = Heard(f"http://127.0.0.1:{server.server_address[1]}/v1")
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield heard
    finally:
        server.shutdown()
        server.server_close()
