"""The features table on its way out."""

from collections.abc import Iterator
from math import nan
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES, Measured
from assay.essays.feedback.advisories import Advisory
from assay.essays.text.text import Essay
from assay.io.essays import features_table
from assay.io.essays.features_table import (
    MEASURED,
    SCHEMA,
    V1_COLUMNS,
    Row,
    check_features_path,
    features_frame,
    features_row,
    read_study_features,
    write_features,
    write_features_part,
    write_study_features,
)

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


def test_what_cannot_be_written_is_refused_before_the_work_with_its_field(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for path, problem in ((tmp_path / "folder.csv", "this is a folder"), (tmp_path / "x.txt", "CSV or Parquet")):
        with pytest.raises(InputError, match=problem) as caught:
            check_features_path(path, field="features")
        assert caught.value.field == "features"
    check_features_path(Path("-"))
    check_features_path(tmp_path / "F.CSV")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written") as caught:
        write_features(tmp_path / "file/below.csv", [])
    assert caught.value.field == "out"


def test_rows_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    write_features(Path("-"), [row("a"), row("b")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split(",")[:3] == ["id", "prompt", "score"]
    assert [line.split(",")[0] for line in lines[1:]] == ["a", "b"]


def test_a_row_without_advisories_has_empty_cells() -> None:
    plain = features_row(Essay("a", "dogs", "p"), nan, Measured(VALUES, (), {}))
    assert list(plain[-3:]) == [None, None, None]
    frame = features_frame([plain])
    assert frame.get_column("score").to_list() == [None]
    assert frame.get_column(next(iter(FEATURES))).to_list() == [VALUES[next(iter(FEATURES))]]


def test_a_part_lies_at_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features_table, "ROWS_AT_ONCE", 2)
    write_features_part(tmp_path / "p.parquet", [row(str(i)) for i in range(4)])
    assert pl.read_parquet(tmp_path / "p.parquet").get_column("id").to_list() == ["0", "1", "2", "3"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.parquet", "part-000000", "part-000001"]


IDS = ["a", "b", "c"]
MEASURES = np.arange(36, dtype=float).reshape(3, 12)
V1 = np.arange(3 * len(V1_COLUMNS), dtype=float).reshape(3, -1)


@pytest.mark.parametrize("name", ["f.csv", "deep/f.parquet"])
def test_features_of_a_study_come_back_in_the_order_asked_for(name: str, tmp_path: Path) -> None:
    values = MEASURES.copy()
    values[1, list(FEATURES).index(MEASURED[0])] = nan
    write_study_features(tmp_path / name, IDS, values, V1)
    back, v1 = read_study_features(tmp_path / name, ["c", "b"])
    places = [list(FEATURES).index(measure) for measure in MEASURED]
    np.testing.assert_array_equal(back[:, places], values[[2, 1]][:, places])
    others = [place for place in range(12) if place not in places]
    assert np.isnan(back[:, others]).all()
    assert v1 is not None
    np.testing.assert_array_equal(v1, V1[[2, 1]])


def test_a_table_of_features_will_do_for_a_study_without_v1(tmp_path: Path) -> None:
    write_features(tmp_path / "f.csv", [row("a"), row("b")])
    values, v1 = read_study_features(tmp_path / "f.csv", ["b"])
    assert v1 is None
    assert values[0, list(FEATURES).index(MEASURED[1])] == VALUES[MEASURED[1]]


def test_features_of_other_essays_are_refused(tmp_path: Path) -> None:
    write_study_features(tmp_path / "f.csv", IDS, MEASURES, V1)
    with pytest.raises(InputError, match="no features of essay 'x'") as caught:
        read_study_features(tmp_path / "f.csv", ["a", "x"])
    assert (caught.value.source, caught.value.field) == ("f.csv", "features")
    write_study_features(tmp_path / "t.csv", ["a", "a", "b"], MEASURES, V1)
    with pytest.raises(InputError, match="an essay is named twice"):
        read_study_features(tmp_path / "t.csv", ["a"])
    (tmp_path / "n.csv").write_text("id,x\na,1\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"it has no column {', '.join(MEASURED)}"):
        read_study_features(tmp_path / "n.csv", ["a"])


def test_a_feature_that_is_no_number_names_its_row(tmp_path: Path) -> None:
    write_study_features(tmp_path / "f.csv", IDS, MEASURES, V1)
    lines = (tmp_path / "f.csv").read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace(lines[2].split(",")[1], "bad", 1)
    (tmp_path / "f.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_study_features(tmp_path / "f.csv", IDS)
    assert (caught.value.row, caught.value.column, caught.value.field) == (3, MEASURED[0], "features")


def test_a_place_that_becomes_a_folder_meanwhile_is_told(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"

    def disturbing() -> Iterator[Row]:
        (path / "inside").mkdir(parents=True)
        yield row("a")

    with pytest.raises(InputError, match="cannot be written") as caught:
        write_features(path, disturbing())
    assert (caught.value.field, caught.value.source) == ("out", str(path))
    assert [entry.name for entry in tmp_path.iterdir()] == ["f.csv"]


def test_features_of_a_study_that_cannot_be_written_are_told_with_their_field(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written") as caught:
        write_study_features(tmp_path / "file/f.csv", IDS, MEASURES, V1)
    assert caught.value.field == "features"
    with pytest.raises(InputError, match="no file of this machine") as caught:
        check_features_path(Path("s3://bucket/f.csv"))
    assert (caught.value.field, caught.value.source) == ("out", "s3://bucket/f.csv")


def test_a_table_with_some_columns_of_v1_has_none(tmp_path: Path) -> None:
    write_study_features(tmp_path / "f.csv", IDS, MEASURES, V1)
    frame = pl.read_csv(tmp_path / "f.csv").drop(V1_COLUMNS[-1])
    frame.write_csv(tmp_path / "g.csv")
    assert read_study_features(tmp_path / "g.csv", IDS)[1] is None
    frame.drop(MEASURED[0], MEASURED[2]).write_csv(tmp_path / "h.csv")
    with pytest.raises(InputError, match=f"it has no column {MEASURED[0]}, {MEASURED[2]}") as caught:
        read_study_features(tmp_path / "h.csv", IDS)
    assert (caught.value.source, caught.value.field) == ("h.csv", "features")
