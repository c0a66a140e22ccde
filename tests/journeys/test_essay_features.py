"""`assay essays features`: a table of essays in, a table of features out."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from assay.cli.essays.commands import essays_app
from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.execution.executor import open_executor
from assay.workflows.essays.features import features

DOGS = [
    "I like dogs. Dogs is good. They run and they bark at the the mailman.",
    "My dog Rex sleeps by the door. He waits for us every day and he is always happy when we come home from school.",
    "Dogs are loyal companions. For example, my neighbour's dog guarded the house while the family was away. In "
    "conclusion, a dog teaches responsibility, patience and affection.",
]
BUSES = [
    "The bus is late all the time and people get angry.",
    "A city with good buses needs fewer parking places. My mother leaves the car at home because the bus is faster.",
    "Public transport reduces congestion. Firstly, one bus replaces forty cars. Secondly, the air becomes cleaner.",
]


@pytest.fixture
def essays(tmp_path: Path) -> Path:
    path = tmp_path / "essays.csv"
    rows = [
        (f"{prompt}{i}", prompt, i + 1, text)
        for _ in range(8)
        for prompt, texts in (("dogs", DOGS), ("buses", BUSES))
        for i, text in enumerate(texts)
    ]
    frame = pl.DataFrame(rows, schema=["id", "prompt", "score", "text"], orient="row")
    frame.with_columns(pl.col("id") + "-" + pl.int_range(pl.len()).cast(pl.String)).write_csv(path)
    return path


def run(*words: object) -> str:
    result = CliRunner().invoke(essays_app, ["features", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_every_essay_gets_a_row_in_order_with_all_features(essays: Path, tmp_path: Path) -> None:
    out = tmp_path / "features.parquet"
    said = run(essays, "--text", "text", "--id", "id", "--prompt", "prompt", "--score", "score", "-o", out, "-j", 1)
    table = pl.read_parquet(out)
    assert table["id"].to_list() == pl.read_csv(essays)["id"].to_list()
    assert table.select(list(FEATURES)).null_count().sum_horizontal().item() == 0
    assert table["max_cos"].is_between(1, 3).all()
    assert "Measured 48 essays" in said
    assert str(out) in said.replace("\n", "")


def test_without_scores_prompt_specific_features_are_empty_and_say_why(essays: Path, tmp_path: Path) -> None:
    out = tmp_path / "features.csv"
    run(essays, "--text", "text", "-o", out, "-j", 1, "--quiet")
    table = pl.read_csv(out)
    assert table["max_cos"].null_count() == 48
    assert set(table["undefined"].to_list()) == {
        "max_cos: no scored essays of this prompt to compare with | "
        "cos_highest: no scored essays of this prompt to compare with"
    }


def test_results_do_not_depend_on_the_number_of_workers(essays: Path) -> None:
    columns: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt", "score": "score"}
    found = []
    for workers in (1, 2):
        with open_executor(workers) as executor:
            found.append(features(essays, **columns, executor=executor).rows)
    one, two = found
    assert repr(one) == repr(two)


def test_the_summary_can_be_read_by_a_program(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "ann.txt").write_text(DOGS[2], encoding="utf-8")
    (folder / "bob.txt").write_text("", encoding="utf-8")
    out = tmp_path / "features.csv"
    summary = json.loads(run(folder, "-o", out, "--json"))
    assert summary == {"essays": 2, "advisories": {"empty": 1}, "features": str(out)}


def test_a_dash_prints_the_table_and_nothing_else(essays: Path) -> None:
    printed = run(essays, "--text", "text", "--id", "id", "-o", "-", "-j", 1)
    table = pl.read_csv(printed.encode())
    assert table["id"].to_list() == pl.read_csv(essays)["id"].to_list()
    assert table.columns[3:5] == ["grammar", "usage"]


def test_a_wrong_ending_is_refused_at_once(essays: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.csv or \.parquet"):
        CliRunner().invoke(
            essays_app,
            ["features", str(essays), "--text", "text", "-o", str(tmp_path / "f.xlsx")],
            catch_exceptions=False,
        )
