"""A table of scores in parts: however it is read, the same responses come out in the same order."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.io.tables import ratings_table
from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
from assay.scale import ScoreScale

COLUMNS = ScoreColumns(human=("h1", "h2"), system=("system",), id="response", groups=("language",))
ROWS = 23


@pytest.fixture(params=["scores.csv", "scores.parquet"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "response": [f"r{i}" for i in range(ROWS)],
            "h1": rng.integers(1, 7, ROWS),
            "h2": [None if i % 3 else 4 for i in range(ROWS)],
            "system": rng.normal(3, 1, ROWS),
            "language": [None if i == 5 else "ab"[i % 2] for i in range(ROWS)],
        }
    )
    path: Path = tmp_path / request.param
    frame.write_csv(path) if path.suffix == ".csv" else frame.write_parquet(path, row_group_size=9)
    return path


@pytest.fixture(params=["kept", "streamed"])
def in_parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings_table, "PART_ROWS", 7)
    if request.param == "streamed":
        monkeypatch.setattr(ratings_table, "WHOLE_BYTES", 0)


@pytest.mark.usefixtures("in_parts")
def test_parts_joined_are_the_whole(table: Path) -> None:
    (whole,) = RatingsTable(table, COLUMNS, whole=True).parts(scale=None, zeros_count=True)
    parts = list(RatingsTable(table, COLUMNS).parts(scale=None, zeros_count=True))
    assert [len(part) for part in parts] == [7, 7, 7, 2]
    assert [part.first_row for part in parts] == [0, 7, 14, 21]
    assert np.array_equal(np.concatenate([p.human for p in parts]), whole.human, equal_nan=True)
    assert np.array_equal(np.concatenate([p.system for p in parts]), whole.system)
    assert np.concatenate([p.groups[0].codes for p in parts]).tolist() == whole.groups[0].codes.tolist()
    assert {p.groups[0].levels for p in parts} == {("No info", "a", "b")}


@pytest.mark.usefixtures("in_parts")
def test_ids_come_in_the_parts_of_the_scores(table: Path) -> None:
    ids = list(RatingsTable(table, COLUMNS).response_ids())
    assert [part.len() for part in ids] == [7, 7, 7, 2]
    assert ids[2].to_list() == [f"r{i}" for i in range(14, 21)]


@pytest.mark.usefixtures("in_parts")
def test_without_ids_a_response_is_called_by_its_row(table: Path) -> None:
    columns = ScoreColumns(human=("h1",), system=("system",))
    first = 2 if table.suffix == ".csv" else 1
    names = [name for part in RatingsTable(table, columns).response_ids() for name in part]
    assert names == [str(first + i) for i in range(ROWS)]


@pytest.mark.usefixtures("in_parts")
def test_an_id_column_that_also_groups_is_read_with_the_scores(table: Path) -> None:
    columns = ScoreColumns(human=("h1",), system=("system",), id="response", groups=("response",))
    parts = list(RatingsTable(table, columns).parts(scale=None, zeros_count=True))
    assert len(parts[0].groups[0].levels) == ROWS


@pytest.mark.usefixtures("in_parts")
def test_strays_beyond_the_part_in_hand_are_not_claimed_to_be_counted(table: Path) -> None:
    with pytest.raises(InputError, match="such so far"):
        list(RatingsTable(table, COLUMNS).parts(scale=ScoreScale(1, 2), zeros_count=True))
    with pytest.raises(InputError, match="such in all"):
        list(RatingsTable(table, COLUMNS, whole=True).parts(scale=ScoreScale(1, 2), zeros_count=True))
