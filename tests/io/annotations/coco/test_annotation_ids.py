"""Ids of COCO's annotations: numbers that are read as text, when they are asked for."""

import numpy as np
import pytest

from assay.io.annotations.coco.document import CocoAnnotation
from assay.io.annotations.coco.images import NumberIds, are_distinct, ids_of
from assay.io.annotations.columns import ProblemTally


def ids(*stated: int | float | str | None, kept: list[int] | None = None) -> tuple[list[str], list[str]]:
    """The ids of annotations that state these, and what is said about them."""
    tally = ProblemTally()
    annotations = [CocoAnnotation[None](image_id=1, category_id=1, id=one) for one in stated]
    places = np.arange(len(stated)) if kept is None else np.array(kept, np.int64)
    return list(ids_of(annotations, places, tally)), [problem.what for problem in tally.problems()]


def test_numbers_are_texts_to_whoever_looks() -> None:
    found = NumberIds(np.array([7, 9, 12]))
    assert (len(found), found[0], found[-1], list(found)) == (3, "7", "12", ["7", "9", "12"])
    assert "9" in found
    assert found.index("12") == 2
    with pytest.raises(IndexError):
        found[3]


def test_a_slice_is_a_sequence_of_the_same_kind() -> None:
    part = NumberIds(np.array([7, 9, 12]))[1:]
    assert isinstance(part, NumberIds)
    assert list(part) == ["9", "12"]


def test_they_equal_any_sequence_of_the_same_texts_and_hash_alike() -> None:
    found = NumberIds(np.array([7, 9]))
    assert found == ("7", "9") == tuple(found)
    assert found == NumberIds(np.array([7, 9]))
    assert found != ("7",)
    assert found != 7
    assert hash(found) == hash(("7", "9"))


@pytest.mark.parametrize(
    ("numbers", "distinct"), [([1, 2, 3], True), ([3, 1, 2], True), ([3, 1, 3], False), ([2, 2], False), ([], True)]
)
def test_whether_no_number_occurs_twice(numbers: list[int], distinct: bool) -> None:
    assert are_distinct(np.array(numbers, np.int64)) is distinct


def test_an_annotation_without_an_id_goes_by_its_position() -> None:
    assert ids(None, None) == (["1", "2"], [])
    assert ids(5, None) == (["5", "2"], [])
    assert ids("a", 7.0, 2**70) == (["a", "7", str(2**70)], [])


def test_only_those_kept_have_ids_but_repetitions_are_told_of_all() -> None:
    assert ids(4, 5, 6, kept=[0, 2]) == (["4", "6"], [])
    assert ids(4, 4, 6, kept=[0, 2]) == (["4", "6"], ["an annotation's id is not its own: others have it too"])
