"""Attribute values in columns, compared pair by pair."""

import numpy as np
import pytest

from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.annotations.shapes.attributes import AttributeColumns, compare_attributes, compare_values
from tests.annotations.drawn import annotation_set, box

CAR = ("a", "car", 0.0, 0.0, 1.0, 1.0)
ROWS = np.array([0, 1, 2]), np.array([0, 1, 2])


def columns(*values: object, name: str = "colour") -> AttributeColumns:
    return AttributeColumns.of(annotation_set(*(box(*CAR, **{name: value}) for value in values)))  # type: ignore[arg-type]


def test_a_name_is_found_however_it_is_written() -> None:
    column = columns("red", name="Main Colour").column("main  colour")
    assert column.value(0) == "red"


def test_true_and_one_are_different_values_and_blank_is_none() -> None:
    column = columns(True, 1, " ", None, float("nan")).column("colour")
    assert column.codes.tolist() == [0, 1, -1, -1, -1]
    assert column.value(0) is True
    assert column.value(2) is None


def test_nothing_to_compare_is_not_applicable_and_a_missing_answer_is_wrong() -> None:
    truth, student = columns("red", None, "red"), columns("red", "red", None)
    alike = compare_values(truth.column("colour"), student.column("colour"), AttributeRule("colour"), Rubric(), ROWS)
    assert alike.tolist() == pytest.approx([1, np.nan, 0], nan_ok=True)


def test_attributes_weigh_as_the_rules_say_and_the_key_is_not_scored() -> None:
    truth = AttributeColumns.of(annotation_set(box(*CAR, colour="red", doors=4, plate="x")))
    student = AttributeColumns.of(annotation_set(box(*CAR, colour="red", doors=2, plate="y")))
    rules = (AttributeRule("colour", weight=3), AttributeRule("doors", "number"), AttributeRule("plate"))
    rubric = Rubric(labels=(LabelRule("car", rules),), match_key="plate")
    one = np.array([0])

    score, parts = compare_attributes(truth, student, rubric, ["car"], np.zeros(1, np.int32), (one, one))

    assert score.tolist() == [0.75]
    assert [(part.rule.name, part.similarity.tolist()) for part in parts] == [("colour", [1]), ("doors", [0])]


def test_a_label_without_rules_has_no_attribute_score() -> None:
    attributes = columns("red")
    one = np.array([0])
    score, parts = compare_attributes(attributes, attributes, Rubric(), ["car"], np.zeros(1, np.int32), (one, one))
    assert np.isnan(score).tolist() == [True]
    assert parts == ()
