"""The programs on the API page, run as they stand against a running app."""

import html
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.web.pages.test_evaluation import SCORES
from tests.web.serving import Served


def test_the_programs_on_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served = Served(str(tmp_path / "assay.db"), "--workers", "1")
    (tmp_path / "scores.csv").write_text(SCORES.replace("rater", "rater_1"))
    monkeypatch.chdir(tmp_path)
    try:
        shown = served.client.get("/api").text
        programs = dict(re.findall(r'<code id="p-([a-z]+)">(.*?)</code>', shown, re.S))
        together = "\n".join(html.unescape(programs[name]) for name in ("start", "evaluation", "trust"))
        names: dict[str, Any] = {}
        exec(compile(together, "the API page", "exec"), names)
        names["assay"].close()
    finally:
        served.stop(signal.SIGKILL)

    told = capsys.readouterr().out
    assert re.search(r"'value': 0\.\d+", told)
    assert "QWK is known to ±" in told
    assert re.search(r"\d+/report\.html \d{4,}", told)
