"""How a cell becomes a number or a text."""

import datetime
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.io.tables.columns import LONGEST_SHOWN, MOST_LEVELS, MOST_POINTS, guess_columns, number_column, text_column


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


def test_text_is_refused_unless_it_may_be_missing() -> None:
    with pytest.raises(InputError) as caught:
        number_column(pl.DataFrame({"h": ["x"]}), "h", source="s.csv", field="human", first_row=7)
    assert (caught.value.row, caught.value.column, caught.value.field, caught.value.source) == (
        7,
        "h",
        "human",
        "s.csv",
    )


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["a", "b"], "'a' is not a number. Nor are 1 more cells: 'b' in row 3. Leave"),
        (["a", "b", "c"], "Nor are 2 more cells: 'b' in row 3, 'c' in row 4. Leave"),
        (["a", "b", "c", "d"], "Nor are 3 more cells: 'b' in row 3, 'c' in row 4, .... Leave"),
        (["-1,25"], "Write decimals with a point (-1.25)"),
    ],
)
def test_misprints_are_counted_and_the_first_three_shown(cells: list[object], said: str) -> None:
    assert said in message(cells)


def test_a_text_is_shown_whole_up_to_a_length() -> None:
    assert repr("x" * LONGEST_SHOWN) in message(["x" * LONGEST_SHOWN])
    assert repr("x" * (LONGEST_SHOWN - 3) + "...") in message(["x" * (LONGEST_SHOWN + 1)])


ROWS = 40
SCORES = [1 + i % 5 for i in range(ROWS)]
FLOATS = [i / 7 for i in range(ROWS)]


def guessed(**columns: Any) -> dict[str, object]:
    found = guess_columns(pl.DataFrame(columns, strict=False))
    named = {name: getattr(found, name) for name in ("id", "human", "system", "groups", "candidate", "length")}
    return {name: value for name, value in named.items() if value}


def test_columns_are_known_by_their_names() -> None:
    assert guessed(
        essayId=[f"e{i}" for i in range(ROWS)],
        testTaker=[f"c{i // 2}" for i in range(ROWS)],
        wordCount=[100 + i for i in range(ROWS)],
        L1=["de", "fr"] * 20,
        Rater1=SCORES,
        rater_2=SCORES,
        gpt4=FLOATS,
        pred=FLOATS,
        listed=[[1]] * ROWS,
        note=[f"n{i}" for i in range(ROWS)],
    ) == {
        "id": "essayId",
        "candidate": "testTaker",
        "length": "wordCount",
        "groups": ("L1",),
        "human": ("Rater1", "rater_2"),
        "system": ("gpt4", "pred"),
    }


def test_an_id_names_every_row_once() -> None:
    names = [f"e{i}" for i in range(ROWS)]
    assert guessed(id=[*names[:-1], "e0"], other=names)["id"] == "other"
    assert guessed(id=[*names[:-1], None], other=names)["id"] == "other"
    assert guessed(id=list(range(ROWS)), other=names)["id"] == "id"
    assert "id" not in guessed(other=["a"])
    assert guessed(other=["a", "b"]) == {"id": "other"}
    assert guessed(first=names, second=names) == {"id": "first"}


def test_groups_have_from_two_to_twenty_values() -> None:
    def levels(n: int, name: str = "school") -> bool:
        return "groups" in guessed(**{"id": list(range(ROWS * 2)), name: [f"s{i % n}" for i in range(ROWS * 2)]})

    assert [levels(n) for n in (1, 2, MOST_LEVELS, MOST_LEVELS + 1)] == [False, True, True, False]
    assert [levels(n, "x") for n in (1, 2, MOST_LEVELS, MOST_LEVELS + 1)] == [False, True, True, False]
    # a column that is not called a group has two rows a value at least
    few = {"id": list(range(6)), "x": ["a", "b", "c", "a", "b", "c"], "y": ["a", "b", "c", "d", "a", "b"]}
    assert guessed(**few)["groups"] == ("x",)
    assert guessed(b=["x", "y"] * 3, task=["p", "q"] * 3)["groups"] == ("b", "task")


def test_a_human_score_has_few_whole_points_where_no_name_tells() -> None:
    assert guessed(a=FLOATS, b=SCORES) == {"human": ("b",), "system": ("a",)}
    many = [i % (MOST_POINTS + 1) for i in range(ROWS)]
    assert guessed(a=many, b=SCORES) == {"human": ("b",), "system": ("a",)}
    assert guessed(a=[i % MOST_POINTS for i in range(ROWS)], b=FLOATS) == {"human": ("a",), "system": ("b",)}
    assert guessed(a=[3] * ROWS, b=[1, 2] * 20) == {"human": ("b",)}


def test_gaps_are_no_values_and_words_are_no_numbers() -> None:
    assert guessed(human=["1", " 2 ", "NA", ""], system=["1.5", None, "-", "2"]) == {
        "human": ("human",),
        "system": ("system",),
    }
    assert "human" not in guessed(human=["1", "two"])
    assert guessed(human=["NA", ""]) == {}
    assert guessed(student_score=[1, 2, 1, 2], words=["a", "b", "c", "d"]) == {
        "id": "words",
        "human": ("student_score",),
    }


def test_fractions_are_no_human_scores_however_few_there_are() -> None:
    assert guessed(a=[0.5, 1.5] * (ROWS // 2), b=SCORES) == {"human": ("b",), "system": ("a",)}
