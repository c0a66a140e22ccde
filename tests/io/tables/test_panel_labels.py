import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.io.tables.panel_labels import REASON_CODES, read_labels
from assay.scale import ScoreScale


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "2.5", "3"], "number", [1, 2.5, 3]),
        (["0", "1", "1"], "boolean", [0, 1, 1]),
        (["Pass", "fail ", "PASS"], "boolean", [1, 0, 1]),
        (["yes", "no", "yes"], "boolean", [1, 0, 1]),
        (["true", "False", "1"], "boolean", [1, 0, 1]),
        (["cat", "dog", "Cat "], "category", [0, 1, 0]),
        (["none", "cat", "none"], "category", [1, 0, 1]),
    ],
)
def test_the_kind_is_seen_in_the_labels(cells: list[str], kind: str, values: list[float]) -> None:
    read = read_labels(pl.Series(cells))

    assert read.labels.kind == kind
    assert read.value.tolist() == values
    assert not read.labels.declared


def test_columns_that_are_numbers_or_booleans_already_are_read_too() -> None:
    assert read_labels(pl.Series([1.0, 2.0, None])).labels.kind == "number"
    assert read_labels(pl.Series([True, False])).value.tolist() == [1, 0]
    assert read_labels(pl.Series([0, 1, 1])).labels.kind == "boolean"


def test_a_zero_is_a_score() -> None:
    read = read_labels(pl.Series(["0", "3", "5", "0"]))

    assert read.value.tolist() == [0, 3, 5, 0]
    assert not read.reason.any()


def test_ordered_words_keep_the_order_given() -> None:
    read = read_labels(pl.Series(["good", " Poor", "fair", "bad"]), levels=["poor", "fair", "good"])

    np.testing.assert_array_equal(read.value, [2, 0, 1, np.nan])
    assert read.labels.levels == ("poor", "fair", "good")
    assert REASON_CODES[read.reason[3]] == "not one of the levels"


def test_a_word_among_numbers_is_counted_and_not_guessed_away() -> None:
    read = read_labels(pl.Series(["3"] * 30 + ["refused", "", "NA"]))

    assert read.labels.kind == "number"
    assert [REASON_CODES[code] for code in read.reason[30:]] == ["not a number", "no label", "no label"]
    assert np.isnan(read.value[30:]).all()


def test_scores_off_the_declared_scale_are_counted() -> None:
    read = read_labels(pl.Series(["1", "5", "9", "0"]), scale=ScoreScale(1, 5))

    assert [REASON_CODES[code] for code in read.reason] == ["", "", "not on the scale", "not on the scale"]


def test_words_that_differ_in_case_or_spaces_are_merged_with_a_notice() -> None:
    read = read_labels(pl.Series(["Spam", "spam ", "ham", "Spam"]))

    assert read.labels.levels == ("ham", "Spam")
    assert read.notices == ("Labels that differ only in case or spaces were merged: 'Spam', 'spam '.",)


def test_a_kind_can_be_declared() -> None:
    read = read_labels(pl.Series(["1", "2", "3"]), kind="category")

    assert read.labels.kind == "category"
    assert read.labels.levels == ("1", "2", "3")
    assert read.labels.declared


@pytest.mark.parametrize(
    ("cells", "options", "field"),
    [
        (["a", "b"], {"kind": "colour"}, "kind"),
        (["a", "b"], {"kind": "ordered"}, "levels"),
        (["a", "b"], {"levels": ["a", "A"]}, "levels"),
        ([f"words {n}" for n in range(100)], {}, "label"),
    ],
)
def test_what_cannot_be_read_is_an_error(cells: list[str], options: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as error:
        read_labels(pl.Series(cells), **options)  # type: ignore[arg-type]

    assert error.value.field == field


def test_words_that_everyone_orders_alike_are_ordered_and_it_is_said() -> None:
    read = read_labels(pl.Series(["agree", "Strongly agree", "disagree "]))

    assert read.labels.kind == "ordered"
    assert read.value.tolist() == [3, 4, 1]
    assert "read as ordered" in read.notices[0]
    assert read_labels(pl.Series(["agree", "disagree"]), kind="category").labels.kind == "category"


def test_a_label_whose_square_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="a label of 1e\\+300 is too large to work with") as refused:
        read_labels(pl.Series(["1e300", "-1e300", "5", "4", "3", "2"]))
    assert refused.value.field == "label"
