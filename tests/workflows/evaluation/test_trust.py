"""Trust from a table: reviews are its human scores, what waits are its rows without one."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import InputError
from assay.workflows.evaluation.evaluate import evaluate
from assay.workflows.evaluation.trust import trust
from tests.workflows.evaluation.test_evaluate import FRAME

REVIEWS = FRAME.with_columns(pl.when(pl.int_range(240) < 200).then(pl.col("rater")).alias("teacher"))


def test_the_figures_are_those_of_an_evaluation_of_the_reviewed() -> None:
    result = trust(REVIEWS, id="response", human="teacher", system="engine", scale="1-6")
    evaluated = evaluate(REVIEWS, human="teacher", system="engine", scale="1-6")
    assert result.figures["qwk"] == evaluated.qwk
    assert result.figures["qwk"].low == evaluated.qwk.low
    assert (len(result.trust.pairs), len(result.trust.evidence.names)) == (200, 40)


def test_only_rows_without_a_human_score_are_to_be_reviewed() -> None:
    result = trust(REVIEWS, id="response", human="teacher", system="engine", scale="1-6", most=3)
    names = result.to_polars()["name"].to_list()
    assert len(names) == 3
    assert set(names) <= {f"r{i}" for i in range(200, 240)}


def test_the_answer_is_short_in_words_and_whole_in_json(tmp_path: Path) -> None:
    result = trust(REVIEWS, id="response", human="teacher", system="engine", scale="1-6", within=0.01)
    assert "200 reviewed, 40 waiting" in repr(result)
    assert len(repr(result).splitlines()) < 10
    folder = result.write(tmp_path / "trust")
    assert {path.name for path in folder.iterdir()} == {"report.html", "trust.json"}
    content = json.loads((folder / "trust.json").read_text())
    assert content == result.to_dict()
    assert content["schema"] == "assay.trust/1"
    assert content["precision"]["more"] == content["precision"]["needed"] - 200
    assert "can be trusted" in (folder / "report.html").read_text()


def test_a_table_without_a_review_still_says_what_to_do() -> None:
    unread = FRAME.head(5).with_columns(teacher=pl.lit(None, dtype=pl.Float64))
    result = trust(unread, human="teacher", system="engine", scale="1-6")
    assert result.figures == {}
    assert result.verdict.startswith("Nothing is reviewed yet.")
    assert len(result.trust.next) == 5


@pytest.mark.parametrize(("options", "field"), [({"figure": "kw"}, "figure"), ({"within": 0}, "within")])
def test_an_option_that_cannot_be_used_is_named(options: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as refused:
        trust(REVIEWS, human="teacher", system="engine", **options)  # type: ignore[arg-type]
    assert refused.value.field == field


def test_the_command_gives_what_python_gives(tmp_path: Path) -> None:
    REVIEWS.write_csv(tmp_path / "reviews.csv")
    words = ["trust", str(tmp_path / "reviews.csv"), "--id", "response", "--human", "teacher", "--system", "engine"]
    done = CliRunner().invoke(app, [*words, "--scale", "1-6", "--json", "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    result = trust(tmp_path / "reviews.csv", id="response", human="teacher", system="engine", scale="1-6").to_dict()
    assert {**told, "provenance": None} == {**result, "provenance": None}
    assert (tmp_path / "out" / "report.html").exists()
    shown = CliRunner().invoke(app, [*words, "--scale", "1-6"]).stdout
    assert shown.startswith("“engine”: 200 reviewed, 40 waiting")
    assert "Review next:" in shown
