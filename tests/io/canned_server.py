"""A server that gives canned answers, for what a real model cannot be made to do: break, stall, lie, redirect."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Canned:
    """One answer: status (0: none, the connection breaks), body, headers; `drip` sends it slowly, byte by byte."""

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


def completion(content: object, **further: object) -> Canned:
    """A well-formed completion with this content."""
    choice = {"message": {"role": "assistant", "content": content}}
    return Canned(json.dumps({"choices": [choice], **further}).encode())


def canned_server(answers: Sequence[Canned]) -> AbstractContextManager[Heard]:
    """A server on this machine that gives these answers in turn, the last one for ever."""
    left = list(answers)
    return answering_server(lambda _: left.pop(0) if len(left) > 1 else left[0])


@contextmanager
def answering_server(answer_to: Callable[[Any], Canned]) -> Iterator[Heard]:
    """A server on this machine whose answers depend on what is asked; requests are answered one at a time."""
    turn = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with turn:
                heard.bodies.append(asked)
                heard.headers.append(dict(self.headers.items()))
                answer = answer_to(asked)
            if answer.status == 0:  # hang up without a word
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return
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
