"""What is read of COCO cannot be changed, and is compared by identity where it holds arrays."""

from assay.io.annotations import coco
from tests.frozen import compared_by_identity, mutable_dataclasses, without_slots


def test_values_are_frozen_but_those_that_gather() -> None:
    assert mutable_dataclasses(coco) == ["BoxColumns"]


def test_two_of_these_are_equal_only_when_they_are_one() -> None:
    assert compared_by_identity(coco) == ["CocoShapes", "Poses", "References", "ScannedAnnotations"]


def test_all_values_have_slots() -> None:
    assert without_slots(coco) == []
