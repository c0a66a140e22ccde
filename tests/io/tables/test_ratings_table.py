"""A table of scores -> ratings, whole or in parts."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.io.tables import ratings_table
from assay.io.tables.ratings_table import RatingsTable, ScoreColumns
from assay.scale import ScoreScale
from tests.paths import EXAMPLES

COLUMNS = ScoreColumns(
    ("human", "human_2"),
    ("engine_a",),
    id="id",
    groups=("first_language", "first_language*gender"),
    length="words",
    candidate="candidate",
)


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    pl.read_csv(EXAMPLES / "scores.csv").write_parquet(tmp_path / "scores.parquet", row_group_size=100)
    return tmp_path / "scores.parquet"


def test_a_streamed_table_gives_the_figures_of_a_whole_one(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(ScoreScale(1, 6))
    whole = evaluate_engine(RatingsTable(parquet, COLUMNS).parts(scale=None, zeros_count=False), plan)
    monkeypatch.setattr(ratings_table, "WHOLE_BYTES", 0)
    monkeypatch.setattr(ratings_table, "PART_ROWS", 70)

    table = RatingsTable(parquet, COLUMNS)
    parts = list(table.parts(scale=None, zeros_count=False))
    streamed = evaluate_engine(iter(parts), plan)

    assert len(parts) > 3
    assert [len(ids) for ids in table.response_ids()] == [len(part) for part in parts]
    figures = whole.figures(), streamed.figures()
    assert figures[0].keys() == figures[1].keys()
    for name, estimate in figures[0].items():
        other = figures[1][name]
        for end in ("value", "low", "high"):
            assert getattr(estimate, end) == pytest.approx(getattr(other, end), abs=1e-9, nan_ok=True), name


def test_groups_within_groups_are_named_by_both(parquet: Path) -> None:
    table = RatingsTable(parquet, COLUMNS)
    (part,) = table.parts(scale=None, zeros_count=False)
    both = part.groups[1]

    names = np.array(both.levels)[both.codes]

    frame = pl.read_csv(EXAMPLES / "scores.csv")
    assert names.tolist() == [f"{a} × {b}" for a, b in zip(frame["first_language"], frame["gender"], strict=True)]


def test_a_column_whose_own_name_holds_a_star_is_that_column(tmp_path: Path) -> None:
    pl.DataFrame({"h": [1, 2], "m": [1, 2], "a*b": ["x", None]}).write_csv(tmp_path / "t.csv")

    table = RatingsTable(tmp_path / "t.csv", ScoreColumns(("h",), ("m",), groups=("a*b",)))

    assert table.group_levels["a*b"] == ("No info", "x")


def test_only_responses_every_engine_scored_are_compared(parquet: Path) -> None:
    table = RatingsTable(parquet, ScoreColumns(("human",), ("engine_a", "engine_b")))

    (first,) = table.parts("engine_a", scale=None, zeros_count=False)
    (second,) = table.parts("engine_b", scale=None, zeros_count=False)

    assert np.isnan(first.system).sum() == 3
    np.testing.assert_array_equal(np.isnan(first.system), np.isnan(second.system))


def test_a_flag_keeps_only_the_values_named(tmp_path: Path) -> None:
    pl.DataFrame({"h": [1, 2, 3], "m": [1, 2, 3], "flag": ["0", "1", None]}).write_csv(tmp_path / "t.csv")

    table = RatingsTable(tmp_path / "t.csv", ScoreColumns(("h",), ("m",), flags={"flag": ("0",)}))
    (part,) = table.parts(scale=None, zeros_count=False)

    assert part.flagged is not None
    assert part.flagged.tolist() == [False, True, True]


def test_candidates_get_the_same_number_in_every_part(parquet: Path) -> None:
    table = RatingsTable(parquet, COLUMNS)
    (part,) = table.parts(scale=None, zeros_count=False)
    assert part.candidate is not None

    assert (part.candidate[0::2] == part.candidate[1::2]).all(), "two responses of each candidate"
    assert len(set(part.candidate.tolist())) == 300


def test_a_score_off_the_scale_names_row_and_column(tmp_path: Path) -> None:
    pl.DataFrame({"h": [1, 2], "h2": [1, 9], "m": [1, 2]}).write_csv(tmp_path / "t.csv")
    table = RatingsTable(tmp_path / "t.csv", ScoreColumns(("h", "h2"), ("m",)))

    with pytest.raises(InputError, match=r"t\.csv, row 3, column 'h2': 9 is not a point of the scale 1 to 6"):
        list(table.parts(scale=ScoreScale(1, 6), zeros_count=False))
