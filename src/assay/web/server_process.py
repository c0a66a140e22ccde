"""`python -m assay.web.server_process SOCKET`: one of several processes that answer requests for `assay serve`."""

import os
import signal
import socket
import sys
from threading import Thread
from typing import IO

from assay.execution.escaping import EscapingStream
from assay.web.app import create_app
from assay.web.server import answer_requests, settings_of_text


def main(number: int, pipe: IO[str]) -> None:
    """Answer requests from an inherited socket, until told to stop or until whoever started us is gone."""
    settings, certificate, key = settings_of_text(pipe.readline())
    Thread(target=end_with, args=(pipe,), daemon=True).start()
    app = create_app(settings)
    try:
        with socket.socket(fileno=number) as listener:
            answer_requests(app, listener, certificate, key)
    finally:
        app.state.site.database.close()


def end_with(pipe: IO[str]) -> None:
    """Stop this process once the other end of a pipe is closed."""
    while pipe.readline():
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.stderr = EscapingStream(sys.stderr)  # type: ignore[assignment, unused-ignore] # a log shows the names of uploads
    main(int(sys.argv[1]), sys.stdin)
