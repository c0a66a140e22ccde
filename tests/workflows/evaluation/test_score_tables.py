"""Tables of scores: columns, flags, the scale, tallies stretch by stretch."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.evaluation.chunks import whole_tally
from assay.evaluation.plan import Plan
from assay.execution.executor import SerialExecutor
from assay.io.tables.ratings_table import ScoreColumns
from assay.scale import ScoreScale
from assay.workflows.evaluation import score_tables

FRAME = pl.DataFrame({"h": [0, 1, 2, 3, 4], "a": [1.0, 1, 2, 3, 4], "b": [2.0, 2, 2, 2, 2]})
COLUMNS = ScoreColumns(("h",), ("a", "b"))


def test_a_column_that_is_named_twice_is_refused_with_the_second_role() -> None:
    with pytest.raises(InputError, match="'h' is named twice") as refused:
        score_tables.open_scores(FRAME, ScoreColumns(("h", "h"), ("a",)))

    assert refused.value.field == "second_human"


@pytest.mark.parametrize("flag", ["status", "=ok", ""])
def test_a_flag_without_a_column_or_a_value_is_refused(flag: str) -> None:
    with pytest.raises(InputError) as refused:
        score_tables.flags_of([flag])

    assert refused.value.field == "flag"
    assert score_tables.flags_of({"status": "ok"}) == {"status": ("ok",)}


def test_intervals_are_made_one_way_or_the_other() -> None:
    assert score_tables.resampling_of("jackknife", 0) is not None
    assert score_tables.resampling_of("bootstrap", 7) is not None
    with pytest.raises(InputError) as refused:
        score_tables.resampling_of("magic", 0)
    assert refused.value.field == "intervals"


@pytest.mark.parametrize(
    ("declared", "keep_zeros", "scale", "left_out"),
    [
        (None, None, ScoreScale(0, 4), False),
        (None, True, ScoreScale(0, 4), False),
        (None, False, ScoreScale(1, 4), True),
        ("0-4", None, ScoreScale(0, 4), False),
        ("1-6", None, ScoreScale(1, 6), True),
        ("0-4", False, ScoreScale(0, 4), True),
    ],
)
def test_zeros_count_where_the_scale_holds_them_unless_told_otherwise(
    declared: str | None, keep_zeros: bool | None, scale: ScoreScale, left_out: bool
) -> None:
    table = score_tables.open_scores(FRAME, COLUMNS)

    assert score_tables.scale_of(table, declared, keep_zeros) == (scale, left_out)


def test_engines_of_a_table_are_tallied_on_the_same_responses() -> None:
    table = score_tables.open_scores(FRAME, COLUMNS)
    plan = score_tables.Choices(scale="1-4").plan(table, "a")
    first, second = (
        whole_tally(score_tables.tallied_ranges(table, plan, engine, SerialExecutor())) for engine in ("a", "b")
    )

    assert first[1] == second[1]
    assert float(first[0].system[plan.trimmed].merged().n) == float(second[0].system[plan.trimmed].merged().n) == 4


def test_a_table_read_from_the_middle_is_tallied_as_one(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "scores.parquet")
    FRAME.write_csv(tmp_path / "scores.csv")
    plan = Plan(ScoreScale(1, 4), leave_out_zeros=True)
    columns = ScoreColumns(("h",), ("a",))
    tallies = []
    for name in ("scores.parquet", "scores.csv"):
        table = score_tables.open_scores(tmp_path / name, columns)
        tally, exclusions, excluded = whole_tally(score_tables.tallied_ranges(table, plan, "a", SerialExecutor()))
        tallies.append((tally.system[plan.trimmed].merged().n, exclusions, [why for _, why in excluded]))
        assert score_tables.digests_of(table).keys() == {name}

    assert np.array_equal(tallies[0][0], tallies[1][0])
    assert tallies[0][1:] == tallies[1][1:]
    assert tallies[0][1].used == 4
    assert score_tables.digests_of(score_tables.open_scores(FRAME, COLUMNS)) == {}
