"""Whatever table people hold, a verb takes it."""

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from assay.errors import InputError
from assay.workflows.inputs import table_of

COLUMNS = {"human": [1, 2, 3], "system": [1.5, 2.0, 3.0]}


@pytest.mark.parametrize(
    "table",
    [
        COLUMNS,
        pl.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        [{"human": h, "system": s} for h, s in zip(*COLUMNS.values(), strict=True)],
    ],
    ids=["columns", "polars", "pandas", "pyarrow", "rows"],
)
def test_the_same_table_in_any_form_is_the_same_frame(table: object) -> None:
    frame = table_of(table)
    assert isinstance(frame, pl.DataFrame)
    assert frame.to_dict(as_series=False) == COLUMNS


def test_a_path_stays_a_path() -> None:
    assert table_of("a/scores.csv") == Path("a/scores.csv")


@pytest.mark.parametrize("wrong", [3, [1, 2], None, {"a": [1], "b": [1, 2]}])
def test_anything_else_is_refused_with_the_argument_named(wrong: object) -> None:
    with pytest.raises(InputError, match="scores") as refused:
        table_of(wrong, "scores")
    assert refused.value.field == "scores"
