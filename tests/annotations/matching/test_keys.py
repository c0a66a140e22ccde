"""Pairs by key: equal keys, unique on their image on both sides, on shapes of one family."""

import numpy as np

from assay.annotations.matching.keys import KeyPairs, pair_by_key
from assay.annotations.shapes.attributes import EMPTY, AttributeColumn


def keys(*values: str) -> AttributeColumn:
    """A column of keys; "" is one that was not filled in."""
    distinct = [value for value in dict.fromkeys(values) if value]
    codes = np.array([distinct.index(value) if value else EMPTY for value in values], np.int32)
    return AttributeColumn(codes, tuple(distinct))


def paired(
    ours: AttributeColumn,
    theirs: AttributeColumn,
    *,
    images: tuple[list[int], list[int]] | None = None,
    families: tuple[list[int], list[int]] | None = None,
    counted: tuple[list[bool], list[bool]] | None = None,
) -> KeyPairs:
    sizes = len(ours.codes), len(theirs.codes)
    own_images = images or ([0] * sizes[0], [0] * sizes[1])
    own_families = families or ([0] * sizes[0], [0] * sizes[1])
    own_counted = counted or ([True] * sizes[0], [True] * sizes[1])
    return pair_by_key(
        (ours, theirs),
        (np.array(own_images[0], np.intp), np.array(own_images[1], np.intp)),
        (np.array(own_families[0], np.uint8), np.array(own_families[1], np.uint8)),
        (np.array(own_counted[0], bool), np.array(own_counted[1], bool)),
    )


def pairs(found: KeyPairs) -> list[tuple[int, int]]:
    return sorted(zip(found.truth.tolist(), found.student.tolist(), strict=True))


def test_equal_keys_are_pairs_whatever_their_order() -> None:
    assert pairs(paired(keys("1", "2", "3"), keys("3", "1"))) == [(0, 1), (2, 0)]


def test_spaces_around_a_key_do_not_matter_and_case_does() -> None:
    assert pairs(paired(keys(" a1 ", "b"), keys("a1", "B"))) == [(0, 0)]


def test_a_box_and_a_polygon_with_one_key_are_no_pair() -> None:
    found = paired(keys("1", "2"), keys("1", "2"), families=([0, 0], [0, 1]))

    assert pairs(found) == [(0, 0)]
    assert found.truth_twice.size == found.student_twice.size == 0, "the key is unique all the same"


def test_a_key_on_another_image_is_no_pair() -> None:
    assert pairs(paired(keys("1", "2"), keys("1", "2"), images=([0, 1], [1, 1]))) == [(1, 1)]


def test_a_key_used_twice_on_an_image_pairs_nothing_and_is_reported_on_its_side() -> None:
    found = paired(keys("1", "1", "2"), keys("1", "2", "2"))

    assert pairs(found) == []
    assert found.truth_twice.tolist() == [0, 1]
    assert found.student_twice.tolist() == [1, 2]


def test_a_key_on_two_images_is_unique_on_each() -> None:
    assert pairs(paired(keys("1", "1"), keys("1", "1"), images=([0, 1], [1, 0]))) == [(0, 1), (1, 0)]


def test_keys_left_empty_or_not_counted_pair_nothing() -> None:
    assert pairs(paired(keys("", "2"), keys("", "2"))) == [(1, 1)]
    assert pairs(paired(keys("1", "2"), keys("1", "2"), counted=([True, False], [True, True]))) == [(0, 0)]
    assert pairs(paired(keys("1", "1"), keys("1"), counted=([True, False], [True]))) == [(0, 0)], "not a second use"
