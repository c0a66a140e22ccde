"""Transformations of features, and the choice among them."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.transformations import TRANSFORMATIONS, best_transformation, transformed


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("raw", 4.0),
        ("org", 4.0),
        ("inv", 0.25),
        ("sqrt", 2.0),
        ("log", np.log(4)),
        ("addOneInv", 0.2),
        ("addOneLn", np.log(5)),
    ],
)
def test_each_transformation_is_the_function_its_name_says(name: str, expected: float) -> None:
    assert transformed(np.array([4.0]), name)[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "values", "word"),
    [
        ("sqrt", [1.0, -1.0], "negative"),
        ("log", [1.0, 0.0], "0"),
        ("inv", [1.0, -1.0], "different signs"),
        ("inv", [0.0, 1.0], "0"),
        ("addOneLn", [-0.5], "negative"),
        ("addOneInv", [-0.5], "negative"),
    ],
)
def test_values_without_an_image_are_refused_in_training(name: str, values: list[float], word: str) -> None:
    with pytest.raises(InputError, match=word):
        transformed(np.array(values), name, "f", strict=True)


def test_an_unknown_transformation_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="addOneLn"):
        transformed(np.array([1.0]), "cube", "f")
    assert "cube" not in TRANSFORMATIONS


def test_features_with_negative_values_are_left_alone_or_inverted() -> None:
    human = np.array([1.0, 2.0, 3.0, 4.0])

    assert best_transformation(-1 / human, human) == "inv"
    assert best_transformation(human - 2.5, human) == "org"


def test_the_transformation_that_correlates_most_is_chosen() -> None:
    human = np.array([1.0, 2.0, 3.0, 4.0, 5.0])

    assert best_transformation(np.exp(human) - 1, human) == "addOneLn"
    assert best_transformation(1 / human - 0.1, human) == "addOneInv"


def test_rounding_does_not_decide_between_transformations_that_are_equally_good() -> None:
    # after any transformation a feature of two values correlates the same; addOneLn looks better by 2e-16
    values, human = np.array([0.0, 1, 0, 1, 1, 1]), np.array([3.0, 3, 2, 4, 5, 2])

    assert best_transformation(values, human) == "org"
