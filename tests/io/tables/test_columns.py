"""How a cell becomes a number or a text."""

import datetime
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.io.tables.columns import number_column, text_column


def numbers(cells: list[object], *, text_as_missing: bool = False) -> list[float]:
    frame = pl.DataFrame({"h": cells}, strict=False)
    found = number_column(frame, "h", source="scores.csv", field="human", first_row=2, text_as_missing=text_as_missing)
    assert found.dtype == np.float64
    floats: list[float] = found.tolist()
    return floats


def message(cells: list[object]) -> str:
    with pytest.raises(InputError) as caught:
        numbers(cells)
    return str(caught.value)


def test_numbers_in_text_are_numbers_with_blanks_around_them_too() -> None:
    assert numbers(["4", "4.5", " 3 ", "\t2", "+1", "-1.5", "1e3", ".5"]) == [4, 4.5, 3, 2, 1, -1.5, 1000, 0.5]


@pytest.mark.parametrize("word", ["", " ", "NA", "na", " N/A ", "nan", "NaN", "NULL", "None", ".", "-", None])
def test_words_for_missing_are_nan(word: str | None) -> None:
    first, second = numbers(["4", word])
    assert first == 4
    assert math.isnan(second)


def test_infinite_values_stay_for_the_caller_to_count() -> None:
    assert numbers(["inf", "-inf", "Infinity"]) == [math.inf, -math.inf, math.inf]


@pytest.mark.parametrize("cells", [[1, None, 3], [1.0, math.nan, 3.0], [True, None, False]])
def test_typed_columns_become_floats_with_nan_for_null(cells: list[object]) -> None:
    first, missing, third = numbers(cells)
    assert (first, third) == (float(cells[0]), float(cells[2]))  # type: ignore[arg-type]
    assert math.isnan(missing)


def test_decimals_and_categories_are_numbers_too() -> None:
    frame = pl.DataFrame({"d": ["1.5"], "c": ["2.5"]}, schema_overrides={"c": pl.Categorical})
    frame = frame.with_columns(pl.col("d").cast(pl.Decimal(10, 2)))
    found = [number_column(frame, c, source="s", field="x", first_row=1)[0] for c in "dc"]
    assert found == [1.5, 2.5]


def test_a_column_of_nulls_is_all_nan() -> None:
    assert all(math.isnan(x) for x in numbers([None, None]))


def test_a_misprinted_score_names_file_row_column_value_and_remedy() -> None:
    assert message(["4", "NA", "four", "3"]) == (
        "scores.csv, row 4, column 'h': 'four' is not a number. "
        "Leave the cell empty if the response was not scored, or choose another column as human."
    )


def test_several_misprints_are_counted_and_three_are_shown() -> None:
    found = message(["a", "1", "b", "c", "d", "e"])
    assert "row 2, column 'h': 'a' is not a number" in found
    assert "Nor are 4 more cells: 'b' in row 4, 'c' in row 5, ...." in found


def test_a_decimal_comma_is_recognised() -> None:
    assert "row 3, column 'h': '4,5' is not a number. Write decimals with a point (4.5)" in message(["4", "4,5"])


def test_a_long_text_is_shown_in_part() -> None:
    found = message(["x" * 5000])
    assert len(found) < 300


def test_text_can_be_taken_as_missing() -> None:
    found = numbers(["4", "TD", "4,5", "3"], text_as_missing=True)
    assert [found[0], found[3]] == [4, 3]
    assert math.isnan(found[1])
    assert math.isnan(found[2])


@pytest.mark.parametrize(("cell", "kind"), [(datetime.date(2024, 1, 1), "dates"), ([1, 2], "lists"), (b"x", "bytes")])
def test_other_kinds_of_columns_are_refused(cell: object, kind: str) -> None:
    assert f"scores.csv, column 'h': holds {kind}" in message([cell])


@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_a_float_printed_in_full_comes_back_exactly(values: list[float]) -> None:
    assert numbers([repr(value) for value in values]) == values


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        (["007", " a ", "", None], ["007", " a ", None, None]),
        ([7, -3, None], ["7", "-3", None]),
        ([7.0, 2.5, 1e20, math.nan, None], ["7", "2.5", "1e+20", None, None]),
        ([0.1, 123456789012.0], ["0.1", "123456789012"]),
        ([True, False], ["true", "false"]),
        ([datetime.date(2024, 1, 31)], ["2024-01-31"]),
        ([None], [None]),
    ],
)
def test_ids_and_groups_become_text(cells: list[object], text: list[str | None]) -> None:
    found = text_column(pl.DataFrame({"id": cells}, strict=False), "id")
    assert found.dtype == pl.String
    assert found.to_list() == text


@pytest.mark.parametrize("cell", [[1], {"a": 1}, b"x"])
def test_cells_that_are_no_text_are_refused(cell: object) -> None:
    with pytest.raises(InputError, match="column 'id': holds"):
        text_column(pl.DataFrame({"id": [cell]}), "id")
