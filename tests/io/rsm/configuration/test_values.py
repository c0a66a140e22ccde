"""How values of options are read: a function a kind of value, and words for what will not do."""

from collections.abc import Callable
from typing import Any

import pytest

from assay.io.rsm.configuration.values import (
    BadValue,
    any_text,
    distinct_names,
    experiment_id,
    features,
    flags,
    names,
    not_negative,
    number,
    one_of,
    parameters,
    row_range,
    sections_of,
    several_names,
    smallest_groups,
    text,
    whole_from,
    yes_or_no,
)

Reader = Callable[[Any], Any]


@pytest.mark.parametrize(
    ("reader", "value", "read"),
    [
        (text, " a ", " a "),
        (any_text, "", ""),
        (experiment_id, "e" * 200, "e" * 200),
        (parameters, {"max_depth": 3}, {"max_depth": 3}),
        (one_of(("csv", "tsv"), "csv or tsv"), "tsv", "tsv"),
        (number, "4.5", 4.5),
        (number, 4, 4.0),
        (not_negative, 0, 0.0),
        (whole_from(2), "2", 2),
        (yes_or_no, " TRUE", True),
        (yes_or_no, "False ", False),
        (yes_or_no, False, False),
        (names, "a, b ,c", ("a", "b", "c")),
        (names, [" a", "b"], (" a", "b")),
        (names, "", ()),
        (names, [], ()),
        (distinct_names, "a,b", ("a", "b")),
        (distinct_names, [], ()),
        (several_names, ["a", "a"], ("a", "a")),
        (sections_of(("pca",)), ["all", "pca"], ("all", "pca")),
        (features, "features.csv", "features.csv"),
        (features, ["a", "b"], ("a", "b")),
        (flags, {"f": [0, 1], "g": "no"}, {"f": (0, 1), "g": ("no",)}),
        (flags, {}, {}),
        (smallest_groups, "0", 0),
        (smallest_groups, {"a": "3", "b": 4}, {"a": 3, "b": 4}),
        (row_range, " 3 - 3 ", (3, 3)),
    ],
)
def test_a_value_is_read_as_what_it_means(reader: Reader, value: object, read: object) -> None:
    assert reader(value) == read
    assert type(reader(value)) is type(read)


@pytest.mark.parametrize(
    ("reader", "value", "words"),
    [
        (text, "  ", "a text"),
        (text, 3, "a text"),
        (any_text, None, "a text"),
        (experiment_id, "e" * 201, "up to 200 letters"),
        (experiment_id, "", "up to 200 letters"),
        (experiment_id, "a\tb", "without blanks"),
        (experiment_id, "a\\b", "without blanks or slashes"),
        (parameters, [("a", 1)], "an object such as"),
        (one_of(("csv", "tsv"), "csv or tsv"), "xls", "csv or tsv"),
        (number, True, "a number"),
        (number, "inf", "a number"),
        (number, "nan", "a number"),
        (number, None, "a number"),
        (not_negative, -1e-9, "a number of 0 or more"),
        (whole_from(2), 1, "a whole number of 2 or more"),
        (whole_from(2), 2.5, "a whole number of 2 or more"),
        (yes_or_no, 1, "true or false"),
        (names, ["a", 1], "a list of names"),
        (names, {"a": 1}, "a list of names"),
        (distinct_names, ["a", ""], "none of them empty"),
        (distinct_names, ["b", "a", "b", "a"], "'a', 'b' occurs more than once"),
        (several_names, [], "at least one"),
        (several_names, ["a", ""], "none of them empty"),
        (sections_of(("pca", "model")), ["pca", "x", "y"], "out of all, pca, model; not 'x', 'y'"),
        (features, " ", "the name of a feature file, or a list of features"),
        (features, [], "or a list of features"),
        (features, ["a", ""], "or a list of features"),
        (features, ["a", "a"], "'a' occurs more than once"),
        (flags, ["f"], "for each column the values that are allowed"),
        (smallest_groups, {"a": -1}, "a whole number of 0 or more"),
        (row_range, "4-3", "counted from 0"),
        (row_range, [1, 2], "counted from 0"),
        (row_range, "1-2-3", "counted from 0"),
    ],
)
def test_what_will_not_do_is_said_as_the_end_of_a_sentence(reader: Reader, value: object, words: str) -> None:
    with pytest.raises(BadValue) as caught:
        reader(value)
    assert words in str(caught.value)
