"""One verb for a table, a frame or columns by name; what it returns is what the command writes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.errors import Cancelled, InputError
from assay.evaluation.points import figure_names
from assay.evaluation.thresholds import GateResult
from assay.execution.executor import ProcessExecutor
from assay.execution.observer import Observer
from assay.metrics.intervals import Estimate
from assay.workflows.evaluation.evaluate import evaluate

RNG = np.random.default_rng(3)
TRUE = RNG.normal(3.5, 1.1, 240)
FRAME = pl.DataFrame(
    {
        "response": [f"r{i}" for i in range(240)],
        "rater": np.clip(np.rint(TRUE + RNG.normal(0, 0.4, 240)), 1, 6),
        "rater_2": np.clip(np.rint(TRUE + RNG.normal(0, 0.5, 240)), 1, 6),
        "engine": TRUE + RNG.normal(0.1, 0.4, 240),
        "school": [("East", "West", None)[i % 3] for i in range(240)],
    }
)
COLUMNS: dict[str, Any] = {"human": "rater", "system": "engine", "scale": "1-6"}


def test_a_path_any_frame_and_columns_by_name_give_the_same_figures(tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "scores.csv")
    tables = [tmp_path / "scores.csv", str(tmp_path / "scores.csv"), FRAME, FRAME.to_pandas(), FRAME.to_arrow()]
    tables += [FRAME.to_dict(as_series=False), FRAME.to_dicts()]
    figures = [evaluate(table, **COLUMNS).figures for table in tables]
    assert all(np.array_equal(list(one.values()), list(figures[0].values()), equal_nan=True) for one in figures)


def test_every_headline_figure_is_an_attribute_with_its_interval() -> None:
    result = evaluate(FRAME, **COLUMNS, second_human="rater_2", groups=["school"])
    assert isinstance(result.qwk, Estimate)
    assert 0.7 < result.qwk.low < result.qwk < result.qwk.high < 1
    assert result.human_qwk == result.figures["human_qwk"]
    assert {"qwk", "largest_dsm", "prmse"} <= set(dir(result))
    with pytest.raises(AttributeError, match="qkw"):
        result.qkw  # noqa: B018


def test_the_table_of_figures_has_a_row_for_each() -> None:
    result = evaluate(FRAME, **COLUMNS)
    frame = result.to_polars()
    assert frame.columns == ["name", "title", "value", "low", "high", "reason", "verdict"]
    assert frame["name"].to_list() == list(result.figures)
    row = frame.row(by_predicate=pl.col("name") == "qwk", named=True)
    assert (row["title"], row["value"], row["verdict"]) == ("Quadratic weighted kappa (QWK)", result.qwk, "met")


def test_a_short_look_is_short() -> None:
    result = evaluate(FRAME, **COLUMNS, second_human="rater_2")
    assert repr(result).splitlines()[0] == "EvaluationResult: “engine” on 240 responses"
    assert len(repr(result).splitlines()) < 10
    assert "<table>" in result._repr_html_()


def test_gates_are_judged_and_say_why() -> None:
    result = evaluate(FRAME, **COLUMNS, gate=["qwk>=0.7", "qwk>=0.999"])
    assert [gate.passed for gate in result.gates] == [True, False]
    assert isinstance(result.gates[0], GateResult)
    assert not result.passed
    assert evaluate(FRAME, **COLUMNS, gate="qwk>0.5").passed


def test_the_files_are_written_whole_and_hold_what_the_result_holds(tmp_path: Path) -> None:
    result = evaluate(FRAME, **COLUMNS, id="response", groups="school")
    folder = result.write(tmp_path / "out")
    assert json.loads((folder / "evaluation.json").read_text()) == result.to_dict()
    assert {"report.html", "evaluation.json", "tables"} == {path.name for path in folder.iterdir()}
    assert (folder / "tables" / "eval_by_school.csv").exists()
    assert result.to_dict()["schema"] == "assay.evaluation/1"
    (folder / "mine.txt").write_text("")
    (folder / "evaluation.json").unlink()
    with pytest.raises(InputError, match="other files") as refused:
        result.write(folder)
    assert refused.value.field == "out"


def test_a_missing_column_is_named_by_the_argument_that_asked_for_it() -> None:
    with pytest.raises(InputError, match="Did you mean 'rater_2'") as refused:
        evaluate(FRAME, **COLUMNS, second_human="rater_3")
    assert refused.value.field == "second_human"


def test_one_column_for_two_roles_is_refused() -> None:
    with pytest.raises(InputError, match="its own column") as refused:
        evaluate(FRAME, human="rater", system="rater")
    assert refused.value.field == "system"


@pytest.mark.parametrize(
    ("options", "field"),
    [({"intervals": "guess"}, "intervals"), ({"flag": "status"}, "flag"), ({"gate": "qwk is good"}, "gate"),
     ({"scale": "six"}, "scale"), ({"scale": 6}, "scale"), ({"gate": "qkw>1"}, "gate")],
)  # fmt: skip
def test_an_option_that_cannot_be_read_is_named(options: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as refused:
        evaluate(FRAME, **(COLUMNS | options))
    assert refused.value.field == field
    assert "--" not in str(refused.value)


def test_responses_left_out_are_counted_and_listed() -> None:
    frame = FRAME.with_columns(pl.when(pl.col("response") == "r7").then(None).otherwise(pl.col("rater")).alias("rater"))
    result = evaluate(frame, **COLUMNS, id="response", flag={"school": ["East", "West"]})
    assert (result.exclusions.read, result.exclusions.left_out) == (240, {"flagged": 80, "no human score": 1})
    assert ("r7", "no human score") in result.excluded


def test_workers_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.io.tables.ratings_table.WHOLE_BYTES", 0)
    FRAME.write_parquet(tmp_path / "scores.parquet")
    alone = evaluate(tmp_path / "scores.parquet", **COLUMNS)
    spread = evaluate(tmp_path / "scores.parquet", **COLUMNS, executor=ProcessExecutor(2))
    assert alone.to_dict()["figures"] == spread.to_dict()["figures"]


def test_whoever_stops_listening_stops_the_work() -> None:
    class Stopping(Observer):
        def check(self) -> None:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        evaluate(FRAME, **COLUMNS, observer=Stopping())


LABELS = {
    "human_1": [0, 1, 1, 0, 1, 0, 0, None] * 20,
    "human_2": [0, 1, 0, 0, 1, 1, 0, 1] * 20,
    "gpt": [0, 1, 1, 1, 1, 0, 0, 1] * 20,
}


def test_zeros_are_scores_unless_they_are_to_be_left_out() -> None:
    kept = evaluate(LABELS, human="human_1", system="gpt")
    assert (kept.exclusions.used, dict(kept.exclusions.left_out)) == (140, {"no human score": 20})
    assert kept.exact_agreement == pytest.approx(100 * 6 / 7)
    assert str(kept.evaluation.plan.scale) == "0 to 1"
    without = evaluate(LABELS, human="human_1", system="gpt", keep_zeros=False)
    assert without.exclusions.left_out["human score 0"] == 80
    assert "80 of 160 responses (50 %) are left out: human score 0." in without.document().verdict_rest


def test_a_response_that_only_the_second_rater_scored_counts() -> None:
    both = evaluate(LABELS, human="human_1", second_human="human_2", system="gpt")
    assert (both.exclusions.used, dict(both.exclusions.left_out)) == (160, {})
    mean = evaluate(LABELS, human="human_1", second_human="human_2", system="gpt", reference="mean")
    assert mean.figures["exact_agreement"].reason == "the mean of several raters lies between score points"
    with pytest.raises(InputError) as refused:
        evaluate(LABELS, human="human_1", system="gpt", reference="best")
    assert refused.value.field == "reference"


def test_a_gate_on_an_unknown_figure_is_refused_before_any_work(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("h,m\n1,1\nx,2\n", encoding="utf-8")  # the score that is no number would be met only later
    with pytest.raises(InputError, match="names a figure") as refused:
        evaluate(path, human="h", system="m", scale="1-6", gate="foo>=1")
    assert refused.value.field == "gate"


def test_a_negative_weight_is_named_with_its_row(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("h,m,w\n1,1,1\n2,2,-3\n", encoding="utf-8")
    with pytest.raises(InputError, match="the weight -3 is negative") as refused:
        evaluate(path, human="h", system="m", weights="w")
    assert (refused.value.row, refused.value.column, refused.value.field) == (3, "w", "weights")


def test_an_infinite_score_has_a_reason_of_its_own() -> None:
    table = {"h": [1, 2, 3, float("inf"), 2, None], "m": [1, float("-inf"), 3, 2, 2, 2]}
    result = evaluate(table, human="h", system="m")
    assert dict(result.exclusions.left_out) == {"no human score": 1, "infinite score": 2}


def test_every_figure_an_evaluation_has_is_known_before() -> None:
    table = {**LABELS, "group": ["a", "b"] * 80, "words": list(range(160))}
    result = evaluate(
        table, human="human_1", second_human="human_2", system="gpt", groups="group", length="words", cuts=1
    )
    plan = result.evaluation.plan
    known = figure_names(plan, raters=2, groups={"group": ["a", "b"]}, length=True)
    assert set(result.figures) == set(known)
