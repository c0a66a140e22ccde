"""`assay demo`: everything once, offline, and it ends by itself."""

from pathlib import Path

from typer.testing import CliRunner

from assay.cli.main import app


def test_the_demo_writes_what_it_names(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "demo")])

    assert result.exit_code == 0, result.exception
    report = tmp_path / "demo/evaluation/engine_a/report.html"
    assert str(report) in result.output
    assert report.stat().st_size > 20_000
    assert (tmp_path / "demo/evaluation/engines/comparison.json").exists()
    grades = tmp_path / "demo/annotations/grades/report.html"
    assert str(grades) in result.output
    assert "data:image/png" in grades.read_text(encoding="utf-8")
    assert (tmp_path / "demo/annotations/consensus.json").exists()
    scores = tmp_path / "demo/essays/scores"
    assert str(scores / "report.html") in result.output
    assert (scores / "scores.csv").read_text(encoding="utf-8").count("\n") == 49
