"""What is read for RSMTool's commands cannot be changed."""

from assay.io import rsm
from tests.frozen import compared_by_identity, mutable_dataclasses, without_slots


def test_all_values_are_frozen() -> None:
    assert mutable_dataclasses(rsm) == []


def test_two_of_these_are_equal_only_when_they_are_one() -> None:
    assert compared_by_identity(rsm) == ["ResponseFile", "RsmTable"]


def test_all_values_have_slots() -> None:
    assert without_slots(rsm) == []
