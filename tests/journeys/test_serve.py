"""`assay serve`: the reports of a folder, on this machine only."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.cli.serve import server_for
from assay.errors import InputError


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    results = tmp_path / "results" / "<engine> & more"
    results.mkdir(parents=True)
    (results / "report.html").write_text("<p>the report</p>")
    (results / "notes.txt").write_text("private")
    (tmp_path / "secret.html").write_text("outside")
    with server_for(tmp_path / "results", 0) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def read(address: str) -> str:
    with urlopen(address, timeout=5) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        return str(answer.read().decode())


def test_every_report_is_linked_and_can_be_opened(address: str) -> None:
    page = read(address)

    assert "&lt;engine&gt; &amp; more" in page
    link = page.split('href="')[1].split('"')[0]
    assert read(address + link) == "<p>the report</p>"


@pytest.mark.parametrize(
    "path", ["/../secret.html", "/%2e%2e/secret.html", "/nothing.html", "/%3Cengine%3E%20%26%20more/notes.txt"]
)
def test_nothing_else_is_shown(address: str, path: str) -> None:
    with pytest.raises(HTTPError) as refused:
        urlopen(address + path, timeout=5)
    assert refused.value.code == 404
    refused.value.close()


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["serve", str(tmp_path / "nowhere")])
    assert isinstance(result.exception, InputError)
