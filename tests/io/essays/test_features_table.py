"""The features table on its way out."""

from collections.abc import Iterator
from math import nan
from pathlib import Path

import polars as pl
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES, Measured
from assay.essays.feedback.advisories import Advisory
from assay.essays.text.text import Essay
from assay.io.essays import features_table
from assay.io.essays.features_table import SCHEMA, Row, check_features_path, features_row, write_features

VALUES = {name: i / 8 for i, name in enumerate(FEATURES)}


def row(name: str, **values: float) -> Row:
    measured = Measured({**VALUES, **values}, (Advisory("too_short", "8 words"),), {})
    return features_row(Essay(name, "", "dogs"), 4.0, measured)


def test_csv_and_parquet_hold_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features_table, "ROWS_AT_ONCE", 2)
    rows = [row(str(i), grammar=i / 7) for i in range(5)]
    for name in ("f.csv", "f.parquet"):
        write_features(tmp_path / name, rows)
    parquet = pl.read_parquet(tmp_path / "f.parquet")
    assert parquet.columns == list(SCHEMA)
    assert pl.read_csv(tmp_path / "f.csv", schema=pl.Schema(SCHEMA)).equals(parquet)
    assert parquet["id"].to_list() == ["0", "1", "2", "3", "4"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_an_undefined_value_is_an_empty_cell_with_its_reason(tmp_path: Path) -> None:
    write_features(tmp_path / "f.parquet", [row("a", max_cos=nan)])
    found = pl.read_parquet(tmp_path / "f.parquet").row(0, named=True)
    assert found["max_cos"] is None
    assert found["undefined"] == "max_cos: no scored essays of this prompt to compare with"
    assert (found["advisories"], found["evidence"]) == ("too_short", "8 words")


def test_a_failure_on_the_way_leaves_the_old_table_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("old", encoding="utf-8")

    def broken() -> Iterator[Row]:
        yield row("a")
        raise InputError("row 2 is bad")

    with pytest.raises(InputError, match="row 2"):
        write_features(path, broken())
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_another_ending_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.csv or \.parquet"):
        check_features_path(tmp_path / "features.xlsx")


def test_no_essays_give_a_table_without_rows(tmp_path: Path) -> None:
    write_features(tmp_path / "f.parquet", [])
    assert pl.read_parquet(tmp_path / "f.parquet").shape == (0, len(SCHEMA))
