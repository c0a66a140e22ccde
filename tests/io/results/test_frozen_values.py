"""What tables of results are made of cannot be changed."""

from assay.io import results
from tests.frozen import compared_by_identity, mutable_dataclasses, without_slots


def test_all_values_are_frozen() -> None:
    assert mutable_dataclasses(results) == []


def test_all_values_are_compared_by_what_they_hold() -> None:
    assert compared_by_identity(results) == []


def test_all_values_have_slots() -> None:
    assert without_slots(results) == []
