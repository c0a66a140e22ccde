"""What is read of essays cannot be changed."""

from assay.io import essays
from tests.frozen import compared_by_identity, mutable_dataclasses, without_slots


def test_all_values_are_frozen() -> None:
    assert mutable_dataclasses(essays) == []


def test_two_of_these_are_equal_only_when_they_are_one() -> None:
    assert compared_by_identity(essays) == ["EssayPart", "ScoredEssays", "StudyEssays"]


def test_all_values_have_slots() -> None:
    assert without_slots(essays) == []
