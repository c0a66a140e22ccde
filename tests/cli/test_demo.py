"""`assay demo`: everything once, offline, and it ends by itself; `assay examples` writes what it runs on."""

import inspect
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assay.cli import demo as demo_module
from assay.cli.demo import demo
from assay.cli.main import app
from assay.errors import InputError


def test_the_demo_goes_to_a_folder_of_its_own_unless_told_otherwise() -> None:
    assert inspect.signature(demo).parameters["out"].default == Path("assay-demo")


def test_what_is_not_installed_is_skipped_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = {"spacy", "shapely"}

    def look(name: str) -> Any:
        return None if name in absent else find_spec(name)

    monkeypatch.setattr(demo_module, "find_spec", look)
    result = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "demo")])

    assert result.exit_code == 0, result.exception
    assert "2. Annotations: skipped" in result.output
    assert "pip install 'assay-scoring[essays]'" in result.output
    page = (tmp_path / "demo" / "index.html").read_text(encoding="utf-8")
    assert "evaluation/engine_a/report.html" in page
    assert "Skipped: not installed" in page
    assert "essays/scores" not in page


def test_the_examples_are_written_where_they_are_asked_for_and_nothing_is_written_over(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["examples", "--out", str(tmp_path / "mine")])
    assert done.exit_code == 0, done.exception
    assert (tmp_path / "mine" / "annotations" / "images" / "street_01.png").exists()
    again = CliRunner().invoke(app, ["examples", "--out", str(tmp_path / "mine")])
    assert isinstance(again.exception, InputError)
    assert CliRunner().invoke(app, ["examples", "--out", str(tmp_path / "mine"), "--force"]).exit_code == 0
