import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.cli.panel import panel
from tests.workflows.evaluation.test_panel import LONG, WIDE

RUN = CliRunner()


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    WIDE.write_csv(tmp_path / "ratings.csv")
    return tmp_path / "ratings.csv"


WHO = ("--humans", "ann,bob,cy,dee", "--judges", "gpt,claude")


def test_the_first_screen_answers_for_each_judge_in_a_row(ratings: Path, tmp_path: Path) -> None:
    result = RUN.invoke(app, ["panel", str(ratings), *WHO, "-o", str(tmp_path / "out")])

    assert result.exit_code == 0, result.output
    assert "80 items, 4 people, 2 judges" in result.output
    for word in ("gpt", "claude", "People", "May replace", "Next:"):
        assert word in result.output
    assert (tmp_path / "out" / "report.html").exists()
    assert panel.__doc__


def test_a_failed_gate_ends_with_one(ratings: Path, tmp_path: Path) -> None:
    gate = ("--gate", "gpt.agreement>=0.99")
    result = RUN.invoke(app, ["panel", str(ratings), *WHO, *gate, "-q", "-o", str(tmp_path / "out")])

    assert result.exit_code == 1
    assert "gate gpt.agreement>=0.99: FAILED" in result.output


def test_json_goes_to_stdout_alone(ratings: Path, tmp_path: Path) -> None:
    result = RUN.invoke(app, ["panel", str(ratings), *WHO, "--json", "-o", str(tmp_path / "out")])

    assert json.loads(result.stdout)["schema"] == "assay.panel/1"


def test_what_was_left_out_is_said(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    LONG.write_csv(path)
    path.write_text(path.read_text("utf-8") + "i0,gpt,oops\n", "utf-8")

    result = RUN.invoke(app, ["panel", str(path), *WHO, "-o", str(tmp_path / "out")])

    assert "Left out of" in result.output
    assert "1 not a number" in result.output


def test_without_people_the_next_step_is_to_name_them(ratings: Path, tmp_path: Path) -> None:
    result = RUN.invoke(app, ["panel", str(ratings), "--judges", "gpt,claude", "-o", str(tmp_path / "out")])

    assert result.exit_code == 0, result.output
    assert "--humans NAME,NAME" in " ".join(result.output.split())
