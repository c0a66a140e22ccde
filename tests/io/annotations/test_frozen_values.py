"""Readers of annotations gather in few classes; all else that they make cannot be changed."""

from assay.io import annotations
from tests.frozen import compared_by_identity, mutable_dataclasses, without_slots


def test_values_are_frozen_but_those_that_gather() -> None:
    assert mutable_dataclasses(annotations) == [
        "AnnotationColumns",
        "BoxColumns",
        "CvatImages",
        "CvatVideo",
        "ProblemTally",
        "Region",
        "_Server",
    ]


def test_two_of_these_are_equal_only_when_they_are_one() -> None:
    assert compared_by_identity(annotations) == [
        "CocoShapes",
        "Layout",
        "Poses",
        "References",
        "ScannedAnnotations",
        "Submission",
        "Task",
        "TaskDrawing",
        "TrackRow",
        "YoloImages",
        "YoloRow",
    ]


def test_all_values_have_slots() -> None:
    assert without_slots(annotations) == []
