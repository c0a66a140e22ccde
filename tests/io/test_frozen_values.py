"""What readers return cannot be changed; only what they gather while they read can."""

from assay import io
from tests.frozen import comparable_arrays, mutable_dataclasses, without_slots


def test_only_what_is_gathered_while_reading_can_be_changed() -> None:
    gathered = ["AnnotationColumns", "BoxColumns", "CvatImages", "CvatVideo", "ProblemTally", "Region", "_Server"]
    assert mutable_dataclasses(io) == gathered


def test_values_with_arrays_are_compared_by_identity() -> None:
    assert comparable_arrays(io) == ["BoxColumns"]  # gathered while reading, and never compared


def test_values_of_which_there_are_many_have_slots() -> None:
    assert without_slots(io) == ["Contents", "CsvText", "Duplicates", "TableSource"]
