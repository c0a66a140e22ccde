"""`assay compare`: engines on the same responses."""

import csv
import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from assay.cli.main import app
from assay.errors import InputError
from tests.paths import EXAMPLES


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit | InputError):
        raise result.exception
    return result


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    return Path(shutil.copy(EXAMPLES / "scores.csv", tmp_path))


def differences(folder: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    with (folder / "tables/differences.csv").open(encoding="utf-8", newline="") as lines:
        return {(row["metric"], row["first"], row["second"]): row for row in csv.DictReader(lines)}


def test_columns_of_one_table_are_compared_pair_by_pair(scores: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"

    result = run(
        "compare", scores, "--human", "human", "--system", "engine_a,engine_b,judge", "--scale", "1-6", "--out", out
    )

    assert result.exit_code == 0, result.output
    found = differences(out)
    assert len([key for key in found if key[0] == "qwk"]) == 3
    better = found["qwk", "engine_a", "engine_b"]
    assert float(better["low"]) > 0
    assert float(better["p_adjusted"]) >= float(better["p"])
    written = json.loads((out / "comparison.json").read_text(encoding="utf-8"))
    assert written["paired"] is True
    assert (out / "report.html").exists()


def test_two_evaluations_of_the_same_responses_compare_as_the_table_does(scores: Path, tmp_path: Path) -> None:
    # both engines must have scored the same responses: engine_b and judge miss none
    for engine in ("engine_b", "judge"):
        run("evaluate", scores, "--human", "human", "--system", engine, "--scale", "1-6", "--out", tmp_path / engine)
    run("compare", scores, "--human", "human", "--system", "engine_b,judge", "--scale", "1-6", "--out", tmp_path / "t")

    result = run(
        *("compare", tmp_path / "engine_b/evaluation.json", tmp_path / "judge/evaluation.json"),
        *("--out", tmp_path / "j"),
    )

    assert result.exit_code == 0, result.output
    assert differences(tmp_path / "j") == differences(tmp_path / "t")


def test_evaluations_of_different_responses_are_compared_as_independent(scores: Path, tmp_path: Path) -> None:
    pl.read_csv(EXAMPLES / "scores.csv").head(300).write_csv(tmp_path / "half.csv")
    run("evaluate", scores, "--human", "human", "--system", "judge", "--scale", "1-6", "--out", tmp_path / "a")
    run(
        "evaluate",
        tmp_path / "half.csv",
        "--human",
        "human",
        "--system",
        "judge",
        "--scale",
        "1-6",
        "--out",
        tmp_path / "b",
    )

    result = run("compare", tmp_path / "a/evaluation.json", tmp_path / "b/evaluation.json", "--out", tmp_path / "c")

    assert "independent" in result.output
    assert {first for _, first, _ in differences(tmp_path / "c")} == {"judge (a)"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [("{}", "not an evaluation"), ("no json", "not JSON"), ('{"schema": "assay.evaluation/1"}', "damaged")],
)
def test_a_file_that_is_no_evaluation_is_refused(content: str, expected: str, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(content)

    result = run("compare", tmp_path / "a.json", tmp_path / "b.json")

    assert isinstance(result.exception, InputError)
    assert expected in str(result.exception)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "b.json"]
