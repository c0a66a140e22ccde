"""What kind of values a column holds, as pandas decides it."""

import numpy as np
import polars as pl
import pytest

from assay.io.rsm.table import as_text, inferred, inferred_from_json, numbers_or_nan


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "02", "+3"], pl.Int64, [1, 2, 3]),
        (["1", "", "NA"], pl.Float64, [1.0, None, None]),
        ([" 1.5", "1e1 "], pl.Float64, [1.5, 10.0]),
        (["True", "false", ""], pl.Boolean, [True, False, None]),
        (["1", "x", "None"], pl.String, ["1", "x", None]),
        (["1,5", "2"], pl.String, ["1,5", "2"]),
        (["", None], pl.Float64, [None, None]),
    ],
)
def test_a_column_is_the_narrowest_kind_that_fits(
    cells: list[str | None], dtype: type[pl.DataType], values: list[object]
) -> None:
    found = inferred(pl.Series("c", cells, dtype=pl.String))

    assert found.dtype == dtype
    assert found.to_list() == values


def test_numbers_among_text_are_read_and_the_rest_is_missing() -> None:
    found = numbers_or_nan(inferred(pl.Series(["4 ", "x", "inf", "", "1_000"])))

    np.testing.assert_array_equal(found, [4, np.nan, np.inf, np.nan, np.nan])


def test_typed_values_become_the_text_python_prints() -> None:
    assert as_text(pl.Series([1, 2])).to_list() == ["1", "2"]
    assert as_text(pl.Series([1, None])).to_list() == ["1.0", "nan"]
    assert as_text(pl.Series(["a", None])).to_list() == ["a", "None"]
    assert as_text(pl.Series([True, False])).to_list() == ["True", "False"]


def test_lists_become_text() -> None:
    assert inferred(pl.Series([[1, 2], None])).to_list() == ["[1, 2]", None]


def test_in_json_a_text_is_a_number_only_where_all_are_and_no_word_is_an_empty_cell() -> None:
    assert inferred_from_json(pl.Series(["1", "2.5", None])).to_list() == [1.0, 2.5, None]
    assert inferred_from_json(pl.Series(["NA", "2"])).to_list() == ["NA", "2"]
    assert inferred_from_json(pl.Series(["true", "false"])).to_list() == ["true", "false"]


def test_in_a_workbook_true_and_false_with_gaps_are_numbers() -> None:
    assert inferred(pl.Series(["true", "false", None]), sheet=True).to_list() == [1.0, 0.0, None]
    assert inferred(pl.Series(["true", "false"]), sheet=True).to_list() == [True, False]
