"""`assay evaluate`: a table in, a folder of results out."""

import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner, Result

from assay.cli.main import app, with_each_gate_named
from assay.errors import InputError
from assay.metrics.kappa import quadratic_weighted_kappa
from tests.paths import EXAMPLES

Run = Callable[..., Result]


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    shutil.copy(EXAMPLES / "training.csv", tmp_path)
    return Path(shutil.copy(EXAMPLES / "scores.csv", tmp_path))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Result:
        result = CliRunner().invoke(app, with_each_gate_named([str(a) for a in arguments]))
        if result.exception is not None and not isinstance(result.exception, SystemExit | InputError):
            raise result.exception
        return result

    return command


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


FULL = ("--id", "id", "--human", "human", "--second-human", "human_2,human_3", "--system", "engine_a", "--scale", "1-6")


def read_by_anyone() -> pl.DataFrame:
    """The example scores, each response with the first human score that it has."""
    first = pl.coalesce("human", "human_2", "human_3")
    return pl.read_csv(EXAMPLES / "scores.csv").with_columns(human=first)


def test_a_table_becomes_figures_a_report_and_tables(run: Run, scores: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"

    result = run("evaluate", scores, *FULL, "--groups", "first_language,gender", "--cuts", "4", "--out", out)

    assert result.exit_code == 0, result.output
    assert "report.html" in result.output.splitlines()[-1]
    written = json.loads((out / "evaluation.json").read_text(encoding="utf-8"))
    frame = read_by_anyone().filter(pl.col("human") > 0, pl.col("engine_a").is_not_null())
    trimmed = np.clip(frame["engine_a"].to_numpy(), 0.5002, 6.4998)
    assert written["figures"]["qwk"]["value"] == pytest.approx(
        quadratic_weighted_kappa(frame["human"].to_numpy(), trimmed), abs=1e-12
    )
    assert written["n"] == len(frame)
    names = {path.stem for path in (out / "tables").iterdir()}
    assert len(list((out / "tables" / "report").iterdir())) > 10, "every table of the report is there as CSV too"
    expected = {"eval", "eval_short", "consistency", "true_score_eval", "confMatrix", "score_dist", "levels", "cuts"}
    assert expected | {"eval_by_gender", "fairness_metrics_by_first_language", "degradation", "figures"} <= names


def test_the_counts_of_left_out_responses_add_up_and_each_is_listed(run: Run, scores: Path, tmp_path: Path) -> None:
    run("evaluate", scores, *FULL, "--out", "out")

    missing = read_by_anyone().filter(pl.col("human").is_null())["id"].to_list()
    steps = {row["step"]: int(row["responses"]) for row in table(tmp_path / "out/tables/exclusions.csv")}
    assert steps["read"] == 600
    assert steps["no human score"] == -len(missing)
    assert sum(n for step, n in steps.items() if step != "used") == steps["used"]
    listed = table(tmp_path / "out/tables/excluded.csv")
    assert len(listed) == steps["read"] - steps["used"]
    assert {row["response"] for row in listed if row["reason"] == "no human score"} == set(missing)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "xlsx", "parquet"])
def test_every_table_format_gives_the_same_figures(run: Run, scores: Path, tmp_path: Path, ending: str) -> None:
    frame = pl.read_csv(EXAMPLES / "scores.csv")
    other = tmp_path / f"same.{ending}"
    match ending:
        case "csv":
            frame.write_csv(other)
        case "tsv":
            frame.write_csv(other, separator="\t")
        case "jsonl":
            frame.write_ndjson(other)
        case "xlsx":
            frame.write_excel(other)
        case "parquet":
            frame.write_parquet(other)
    run("evaluate", scores, *FULL, "--groups", "gender", "--out", "a")

    result = run("evaluate", other, *FULL, "--groups", "gender", "--out", "b")

    assert result.exit_code == 0, result.output
    first, second = (json.loads((tmp_path / x / "evaluation.json").read_text())["figures"] for x in "ab")
    assert first == second


def test_a_gate_that_fails_makes_the_command_fail(run: Run, scores: Path, tmp_path: Path) -> None:
    passed = run("evaluate", scores, *FULL, "--gate", "qwk>=0.7", "abs(smd)<=0.15", "--out", "a")
    failed = run("evaluate", scores, *FULL, "--gate", "qwk>=0.7", "abs(smd)<=0.0001", "--out", "b")

    assert passed.exit_code == 0, passed.output
    assert failed.exit_code == 1
    assert "abs(smd)<=0.0001: FAILED" in failed.output
    assert (tmp_path / "b/report.html").exists(), "a failed gate still leaves the evidence"


def test_with_gate_ci_the_whole_interval_must_pass(run: Run, scores: Path) -> None:
    figures = json.loads(run("evaluate", scores, *FULL, "--json", "--out", "a").stdout)["figures"]["qwk"]
    between = (figures["low"] + figures["value"]) / 2

    by_value = run("evaluate", scores, *FULL, "--gate", f"qwk>={between}", "--out", "b")
    by_interval = run("evaluate", scores, *FULL, "--gate", f"qwk>={between}", "--gate-ci", "--out", "c")

    assert (by_value.exit_code, by_interval.exit_code) == (0, 1)


def test_an_unknown_figure_in_a_gate_is_named_with_the_near_one(run: Run, scores: Path) -> None:
    result = run("evaluate", scores, *FULL, "--gate", "qvk>=0.7")

    assert isinstance(result.exception, InputError)
    assert "qwk" in str(result.exception)


def test_half_points_are_not_rounded_in_silence(run: Run, tmp_path: Path) -> None:
    rows = "\n".join(f"{i},{h},{h + 0.2}" for i, h in enumerate([1, 1.5, 2, 2.5, 3, 3.5, 4, 2.5, 3, 1.5]))
    (tmp_path / "half.csv").write_text(f"id,human,system\n{rows}\n")

    refused = run("evaluate", "half.csv", "--id", "id", "--human", "human", "--system", "system", "--scale", "1-4")
    declared = run(
        *("evaluate", "half.csv", "--id", "id", "--human", "human", "--system", "system", "--scale", "1-4:0.5"),
        *("--out", "declared"),
    )
    guessed = run("evaluate", "half.csv", "--id", "id", "--human", "human", "--system", "system", "--out", "guessed")

    assert "row 3, column 'human': 1.5" in str(refused.exception)
    assert "1-4:0.5" in str(refused.exception)
    assert declared.exit_code == guessed.exit_code == 0
    points = [row["score"] for row in table(tmp_path / "declared/tables/score_dist.csv")]
    assert {"1.5", "2.5", "3.5"} <= set(points)
    assert table(tmp_path / "guessed/tables/eval.csv") == table(tmp_path / "declared/tables/eval.csv")


def test_scaled_forms_come_from_training_data(run: Run, scores: Path, tmp_path: Path) -> None:
    run("evaluate", scores, *FULL, "--scale-with", tmp_path / "training.csv", "--out", "out")

    forms = [row[""] for row in table(tmp_path / "out/tables/eval.csv")]
    assert forms == ["raw", "raw_trim", "raw_trim_round", "scale", "scale_trim", "scale_trim_round"]


def test_groups_within_groups(run: Run, scores: Path, tmp_path: Path) -> None:
    run("evaluate", scores, *FULL, "--groups", "gender,first_language*gender", "--min-group", "30", "--out", "out")

    both = table(tmp_path / "out/tables/groups_by_first_language_gender.csv")
    alone = table(tmp_path / "out/tables/groups_by_gender.csv")
    assert len(both) == 8
    assert sum(int(row["N"]) for row in both) == sum(int(row["N"]) for row in alone)
    small = [row["group"] for row in both if int(row["N"]) < 30]
    shown = {row[""] for row in table(tmp_path / "out/tables/eval_by_first_language_gender.csv")}
    assert small, "the example should have a small group to hide"
    assert not shown & set(small)


def test_the_same_command_gives_the_same_bytes_of_figures(run: Run, scores: Path, tmp_path: Path) -> None:
    for out in ("a", "b"):
        run("evaluate", scores, *FULL, "--candidate", "candidate", "--out", out)

    tables = sorted(path.name for path in (tmp_path / "a/tables").glob("*.csv"))
    assert tables
    for name in tables:
        assert (tmp_path / "a/tables" / name).read_bytes() == (tmp_path / "b/tables" / name).read_bytes(), name


def test_the_report_is_one_file_without_network_or_script(run: Run, scores: Path, tmp_path: Path) -> None:
    run("evaluate", scores, *FULL, "--groups", "first_language", "--out", "out")

    html = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert len(html.encode()) < 2_000_000
    assert "<script" not in html
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", html)


def test_a_pdf_is_written_on_request(run: Run, scores: Path, tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the extra assay-scoring[pdf] is not installed")

    run("evaluate", scores, *FULL, "--pdf", "--out", "out")

    assert (tmp_path / "out/report.pdf").read_bytes().startswith(b"%PDF-")


def test_json_goes_to_stdout_and_nothing_else_does(run: Run, scores: Path) -> None:
    result = run("evaluate", scores, *FULL, "--json", "--out", "out")

    assert json.loads(result.stdout)["schema"] == "assay.evaluation/1"


def test_quiet_says_nothing(run: Run, scores: Path) -> None:
    assert run("evaluate", scores, *FULL, "--quiet", "--out", "out").output == ""


def test_a_second_run_replaces_its_own_results_but_no_other_folder(run: Run, scores: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("keep me")
    run("evaluate", scores, *FULL, "--groups", "gender", "--out", "out")

    again = run("evaluate", scores, *FULL, "--out", "out")
    foreign = run("evaluate", scores, *FULL, "--out", "mine")

    assert again.exit_code == 0
    assert not (tmp_path / "out/tables/eval_by_gender.csv").exists(), "no table of an earlier run survives"
    assert isinstance(foreign.exception, InputError)
    assert "force" in str(foreign.exception)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_rerun_without_a_pdf_leaves_no_old_one(run: Run, scores: Path, tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the extra assay-scoring[pdf] is not installed")
    run("evaluate", scores, *FULL, "--pdf", "--out", "out")

    run("evaluate", scores, *FULL, "--out", "out")

    assert not (tmp_path / "out/report.pdf").exists()
