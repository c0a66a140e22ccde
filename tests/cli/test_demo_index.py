"""The page a demo ends in leads to everything that was written, and every figure on it is one of the results."""

import csv
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.demo_index import write_index
from assay.cli.main import app


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("demo") / "demo"
    result = CliRunner().invoke(app, ["demo", "--out", str(out)])
    assert result.exit_code == 0, result.exception
    assert str(out / "index.html") in result.output
    return out


def test_every_link_leads_to_a_file_and_every_report_has_one(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'href="([^"]+)"', page)) - {""}
    assert not [name for name in linked if not name.startswith("data:") and not (folder / name).is_file()]
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("report.html")} <= linked


def test_the_demo_evaluates_the_scores_it_gave(folder: Path) -> None:
    own = json.loads((folder / "essays" / "evaluation" / "evaluation.json").read_text(encoding="utf-8"))
    with (folder / "essays" / "scores" / "scores.csv").open(encoding="utf-8", newline="") as stream:
        scored = [bool(row["score"]) for row in csv.DictReader(stream)]
    assert len(scored) == 48
    assert 40 <= own["n"] == sum(scored), "all that have a score; a few examples are too disconnected for one"
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert f"<b>{own['figures']['qwk']['value']:.2f}</b>" in page
    trust = json.loads((folder / "essays" / "trust" / "trust.json").read_text(encoding="utf-8"))
    assert trust["waiting"] == 16
    assert 26 <= trust["reviewed"] <= 32
    assert (folder / "annotations" / "consensus.json").exists()


def test_the_page_needs_no_network_and_no_script(folder: Path) -> None:
    page = write_index(folder, seconds=1.0, skipped=[]).read_text(encoding="utf-8")
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="https?:', page)
    assert "data:image/png" in page
