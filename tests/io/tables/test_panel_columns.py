from typing import Any

import polars as pl
import pytest

from assay.errors import InputError
from assay.io.tables.panel_columns import PanelColumns, is_judge, panel_columns
from assay.io.tables.tables import open_table


def guessed(columns: dict[str, Any], **named: Any) -> PanelColumns:
    return panel_columns(open_table(pl.DataFrame(columns)), **named)


def test_a_long_table_is_known_by_its_rater_and_its_score() -> None:
    columns = guessed({"Item ID": ["a"], "annotator": ["x"], "score": [1], "trait": ["style"], "word_count": [9]})

    assert columns.layout == "long"
    assert (columns.item, columns.rater, columns.label) == ("Item ID", "annotator", "score")
    assert (columns.criterion, columns.length) == ("trait", "word_count")
    assert {"item", "rater", "label", "criterion", "length"} == set(columns.guessed)


def test_what_is_named_is_not_guessed() -> None:
    columns = guessed({"item": ["a"], "judge": ["x"], "score": [1], "points": [2]}, label="points")

    assert columns.label == "points"
    assert "label" not in columns.guessed


def test_a_wide_table_has_raters_by_name() -> None:
    columns = guessed({"id": ["a", "b"], "human_1": [1, 2], "rater_2": [2, 2], "gpt-4o": [1, 1], "topic": ["x", "y"]})

    assert columns.layout == "wide"
    assert columns.humans == ("human_1", "rater_2")
    assert columns.judges == ("gpt-4o",)
    assert columns.item == "id"
    assert columns.groups == ("topic",)


def test_named_raters_of_a_wide_table_are_taken_as_they_are() -> None:
    columns = guessed({"id": ["a"], "x": [1], "y": [2], "z": [2]}, humans=["x", "y"], judges=["z"])

    assert (columns.layout, columns.humans, columns.judges) == ("wide", ("x", "y"), ("z",))


def test_preferences_are_known_by_both_sides_and_the_winner() -> None:
    columns = guessed({"question": ["q"], "model_a": ["x"], "model_b": ["y"], "winner": ["model_a"], "judge": ["g"]})

    assert columns.layout == "preferences"
    assert (columns.first, columns.second, columns.winner) == ("model_a", "model_b", "winner")
    assert (columns.rater, columns.item) == ("judge", "question")


@pytest.mark.parametrize(
    ("columns", "named", "field", "problem"),
    [
        ({"a1": [1], "b1": [2]}, {}, "humans", "cannot tell which of the columns a1, b1 are raters"),
        ({"rater": ["x"], "score": [1]}, {}, "item", "no column seems to hold what was rated"),
        ({"item": ["a"], "rater": ["x"], "score": [1]}, {"label": "points"}, "label", "column 'points' not found"),
        ({"id": ["a"], "x": [1]}, {"judges": ["gpt"]}, "judges", "column 'gpt' not found"),
    ],
)
def test_what_cannot_be_told_is_asked_for(
    columns: dict[str, Any], named: dict[str, Any], field: str, problem: str
) -> None:
    with pytest.raises(InputError, match=problem) as error:
        guessed(columns, **named)

    assert error.value.field == field


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude-3-opus", True),
        ("o3-mini", True),
        ("llm_judge", True),
        ("human_gpt_fan", False),
        ("bob", False),
        ("h1", False),
    ],
)
def test_models_are_known_by_name(name: str, expected: bool) -> None:
    assert is_judge(name) is expected


def test_judges_alone_are_raters_where_no_other_column_holds_their_labels() -> None:
    columns = guessed({"id": ["x", "y"], "price": [7, 9], "gpt": [1, 2], "llama": [2, 1]})

    assert (columns.humans, columns.judges) == ((), ("gpt", "llama"))


def test_columns_with_the_labels_of_judges_are_presumed_to_be_people() -> None:
    columns = guessed(
        {"id": ["x", "y"], "ann": [1, 2], "bob": [2, 2], "gpt": [1, 2], "llama": [2, 3], "page": [77, 81]}
    )

    assert columns.humans == columns.presumed == ("ann", "bob")
    assert columns.judges == ("gpt", "llama")


def test_a_column_like_the_raters_with_a_name_that_says_nothing_is_not_used_in_silence() -> None:
    columns = guessed({"id": ["x", "y"], "h1": [1, 2], "h2": [2, 2], "gpt": [1, 2], "x17": [2, 1]})

    assert (columns.humans, columns.judges, columns.unused) == (("h1", "h2"), ("gpt",), ("x17",))
