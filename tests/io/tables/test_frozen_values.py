"""What is known of a table cannot be changed."""

from assay.io import tables
from tests.frozen import compared_by_identity, mutable_dataclasses, without_slots


def test_all_values_are_frozen() -> None:
    assert mutable_dataclasses(tables) == []


def test_all_values_are_compared_by_what_they_hold_but_those_with_arrays() -> None:
    assert compared_by_identity(tables) == ["ReadLabels"]


def test_only_values_with_cached_parts_lack_slots() -> None:
    assert without_slots(tables) == ["Contents", "CsvText", "Duplicates", "TableSource"]
