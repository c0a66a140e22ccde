"""`rsm_predict` and what it returns, at once or part by part."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import InputError
from assay.workflows.rsm.predict import rsm_predict
from assay.workflows.rsm.tool import rsm_tool
from tests.io.rsm.rsm_training import write_training


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    rsm_tool(write_training(tmp_path), tmp_path / "model", no_report=True)
    table = pl.read_csv(tmp_path / "test.csv")
    alpha = pl.when(pl.int_range(40) == 3).then(None).otherwise(pl.col("alpha"))
    table.with_columns(alpha.alias("alpha")).write_parquet(tmp_path / "new.parquet")
    return {
        "experiment_id": "ours",
        "experiment_dir": str(tmp_path / "model"),
        "input_features_file": str(tmp_path / "new.parquet"),
        "id_column": "id",
    }


def test_scores_are_at_hand_and_nothing_is_written(options: dict[str, Any], tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))

    result = rsm_predict(options)

    assert (result.scored, result.excluded, result.path) == (39, 1, None)
    assert result.to_polars().height == len(result.to_dict()["scores"]) == 39
    assert sorted(tmp_path.rglob("*")) == before


def test_parts_hold_the_scores_of_the_whole_and_are_gone_on_with(options: dict[str, Any], tmp_path: Path) -> None:
    whole = rsm_predict(options).to_polars()

    first = rsm_predict(options, tmp_path / "parts", partitions=True)
    again = rsm_predict(options, tmp_path / "parts", partitions=True)

    assert first.to_polars().equals(whole)
    assert (first.scored, first.excluded) == (39, 1)
    assert (again.scored, again.to_polars().height) == (0, 39)


def test_parts_need_a_folder_and_a_file_that_exists_needs_force(options: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError) as without:
        rsm_predict(options, partitions=True)
    rsm_predict(options, tmp_path / "scores.csv")
    with pytest.raises(InputError) as twice:
        rsm_predict(options, tmp_path / "scores.csv")

    assert (without.value.field, twice.value.field) == ("out", "out")
    assert twice.value.source == str(tmp_path / "scores.csv")
    assert rsm_predict(options, tmp_path / "scores.csv", force=True).path == tmp_path / "scores.csv"


def test_the_report_counts_each_score(options: dict[str, Any], tmp_path: Path) -> None:
    result = rsm_predict(options)

    page = result.report(tmp_path / "scores.html").read_text(encoding="utf-8")

    assert "39 responses scored" in page
    counts = result.plot("scores").chart.table.rows
    assert sum(int(str(row[1])) for row in counts) == 39
