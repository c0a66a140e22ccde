"""`assay serve`: the reports of a folder in a browser, on this machine only."""

import html
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated
from urllib.parse import quote, unquote, urlsplit

import typer

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
}
"""What is shown, by ending; nothing else of the folder is."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def serve(
    folder: Annotated[Path, typer.Argument(help="Folder with results, at any depth.")] = Path(),
    port: Annotated[int, typer.Option(help="Port on this machine; 0 for any free one.")] = 8765,
    demo: Annotated[bool, typer.Option("--demo", help="Make the demo's results and show those.")] = False,
) -> None:
    """Show the reports of a folder in a browser, on this machine only. Stop with Ctrl-C.

    Example: assay serve --demo
    """
    if not demo:
        _serve(folder, port)
        return
    from assay.cli.demo import demo as make_demo

    with TemporaryDirectory(prefix="assay-demo-") as made:
        make_demo(Path(made))
        _serve(Path(made), port)


def _serve(folder: Path, port: int) -> None:
    from assay.errors import InputError

    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder. Name one with results of `assay evaluate`.")
    try:
        server = server_for(folder, port)
    except OSError as error:
        raise InputError(f"Port {port} cannot be used: {error.strerror}. Choose another with --port.") from None
    with server:
        typer.echo(
            f"Reports of {folder.resolve().name or folder}: http://127.0.0.1:{server.server_port}/  (Ctrl-C stops)"
        )
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("Stopped.")


def server_for(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server on the loopback address for the results below a folder."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(_Pages, folder.resolve()))


class _Pages(BaseHTTPRequestHandler):
    """The list of reports, and the files beside them."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        self.folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path == "/":
            self._answer(200, index_page(self.folder).encode(), TYPES[".html"])
            return
        file = (self.folder / path.lstrip("/")).resolve()
        # resolved first: neither `..` nor a link leads out of the folder
        if file.is_relative_to(self.folder) and file.is_file() and file.suffix in TYPES:
            self._answer(200, file.read_bytes(), TYPES[file.suffix])
        else:
            self._answer(404, b"There is no such report.", "text/plain; charset=utf-8")

    def _answer(self, status: int, content: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(content))),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: the terminal shows the address, not every request."""


def index_page(folder: Path) -> str:
    """A page that links every report below the folder, newest first."""
    reports = sorted(folder.rglob("report.html"), key=lambda path: path.stat().st_mtime, reverse=True)
    rows = "".join(_row(path.relative_to(folder)) for path in reports[:500])
    listed = f"<ul>{rows}</ul>" if rows else "<p>No report yet. Make one with <code>assay evaluate</code>.</p>"
    style = "body{font:15px/1.6 system-ui,sans-serif;max-width:70ch;margin:40px auto;padding:0 16px}"
    style += ":root{color-scheme:light dark}li{margin:6px 0}"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Assay reports</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head><body><main><h1>Reports</h1>{listed}</main></body></html>"
    )


def _row(path: Path) -> str:
    name = str(path.parent) if path.parent != Path() else path.name
    return f'<li><a href="/{quote(path.as_posix())}">{html.escape(name)}</a></li>'
