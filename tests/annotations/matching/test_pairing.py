"""The two passes of matching: keys first, then similarity, with labels as the rules say."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assay.annotations import matching
from assay.annotations.matching.pairing import (
    AlignedSets,
    KeyPairs,
    Pairing,
    pair_annotations,
    pair_by_key,
    similarity_of,
)
from assay.annotations.matching.prepared_truth import align, prepare_truth
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric, Thresholds
from assay.annotations.shapes.attributes import EMPTY, AttributeColumn
from assay.annotations.shapes.shapes import FAMILIES
from tests.annotations.drawn import Drawn, annotation_set, box, rectangle
from tests.frozen import comparable_arrays, mutable_dataclasses, without_slots

NONE = np.zeros(0, np.intp)
WHOLE, UPPER = (0.0, 0.0, 10.0, 10.0), (0.0, 0.0, 10.0, 8.0)


def paired(truth: list[Drawn], submission: list[Drawn], keyed: tuple[int, int] | None = None, **rules: Any) -> Pairing:
    rubric = Rubric(**rules)
    sets, _ = align(prepare_truth(annotation_set(*truth), rubric), annotation_set(*submission), rubric)
    truth_key, student_key = (np.array([keyed[0]]), np.array([keyed[1]])) if keyed else (NONE, NONE)
    return pair_annotations(sets, KeyPairs(truth_key, student_key, NONE, NONE))


def test_pairs_by_key_go_first_and_take_their_annotations_out_of_the_second_pass() -> None:
    truth = [box("a", "car", *WHOLE), box("a", "car", *UPPER)]
    pairing = paired(truth, [box("a", "car", *WHOLE), box("a", "car", *UPPER)], keyed=(0, 1))

    assert (pairing.truth.tolist(), pairing.student.tolist()) == ([0, 1], [1, 0])
    assert pairing.by_key.tolist() == [True, False]
    assert pairing.similarity.tolist() == pytest.approx([0.8, 0.8])


def test_a_pair_by_key_that_lies_elsewhere_counts_only_when_keys_count_anywhere() -> None:
    truth, far = [box("a", "car", *WHOLE)], [box("a", "car", 500, 500, 510, 510)]
    assert paired(truth, far, keyed=(0, 0), key_anywhere=False).truth.tolist() == []
    anywhere = paired(truth, far, keyed=(0, 0), key_anywhere=True)
    assert (anywhere.truth.tolist(), anywhere.similarity.tolist()) == ([0], [0])


@pytest.mark.parametrize(("mode", "student"), [("ignore", [0]), ("tiebreak", [0]), ("prefer", [1]), ("require", [1])])
def test_labels_steer_the_choice_as_the_rules_say(mode: str, student: list[int]) -> None:
    drawn = [box("a", "bus", *WHOLE), box("a", "car", *UPPER)]
    assert paired([box("a", "car", *WHOLE)], drawn, label_mode=mode).student.tolist() == student


def test_between_equals_the_label_decides_and_then_the_attributes() -> None:
    truth = [box("a", "car", *WHOLE, colour="red")]
    by_label = paired(truth, [box("a", "bus", *WHOLE), box("a", "car", *WHOLE)], label_mode="tiebreak")
    assert by_label.student.tolist() == [1]
    rules = (LabelRule("car", (AttributeRule("colour"),)),)
    drawn = [box("a", "car", *WHOLE, colour="blue"), box("a", "car", *WHOLE, colour="red")]
    assert paired(truth, drawn, label_mode="tiebreak", labels=rules).student.tolist() == [1]


def test_pairs_of_other_labels_are_made_only_if_labels_need_not_agree() -> None:
    truth, drawn = [box("a", "car", *WHOLE)], [box("a", "bus", *WHOLE)]
    assert paired(truth, drawn, label_mode="require").truth.tolist() == []
    assert paired(truth, drawn, label_mode="prefer").truth.tolist() == [0]


def test_the_similarity_of_pairs_that_do_not_touch_is_zero() -> None:
    truth = [box("a", "car", *WHOLE), box("a", "car", 50, 50, 60, 60)]
    rubric = Rubric()
    sets, _ = align(prepare_truth(annotation_set(*truth), rubric), annotation_set(truth[1], truth[0]), rubric)
    found = similarity_of(sets.candidates, np.array([0, 0, 1]), np.array([1, 0, 0]), 2)
    assert found.tolist() == [1, 0, 1]
    assert similarity_of(sets.candidates, NONE, NONE, 2).tolist() == []


def keys(*values: str) -> AttributeColumn:
    """A column of keys; "" is one that was not filled in."""
    distinct = [value for value in dict.fromkeys(values) if value]
    codes = np.array([distinct.index(value) if value else EMPTY for value in values], np.int32)
    return AttributeColumn(codes, tuple(distinct))


def paired_by_key(
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
    assert pairs(paired_by_key(keys("1", "2", "3"), keys("3", "1"))) == [(0, 1), (2, 0)]


def test_spaces_around_a_key_do_not_matter_and_case_does() -> None:
    assert pairs(paired_by_key(keys(" a1 ", "b"), keys("a1", "B"))) == [(0, 0)]


def test_a_box_and_a_polygon_with_one_key_are_no_pair() -> None:
    found = paired_by_key(keys("1", "2"), keys("1", "2"), families=([0, 0], [0, 1]))

    assert pairs(found) == [(0, 0)]
    assert found.truth_twice.size == found.student_twice.size == 0, "the key is unique all the same"


def test_a_key_on_another_image_is_no_pair() -> None:
    assert pairs(paired_by_key(keys("1", "2"), keys("1", "2"), images=([0, 1], [1, 1]))) == [(1, 1)]


def test_a_key_used_twice_on_an_image_pairs_nothing_and_is_reported_on_its_side() -> None:
    found = paired_by_key(keys("1", "1", "2"), keys("1", "2", "2"))

    assert pairs(found) == []
    assert found.truth_twice.tolist() == [0, 1]
    assert found.student_twice.tolist() == [1, 2]


def test_a_key_on_two_images_is_unique_on_each() -> None:
    assert pairs(paired_by_key(keys("1", "1"), keys("1", "1"), images=([0, 1], [1, 0]))) == [(0, 1), (1, 0)]


def test_keys_left_empty_or_not_counted_pair_nothing() -> None:
    assert pairs(paired_by_key(keys("", "2"), keys("", "2"))) == [(1, 1)]
    assert pairs(paired_by_key(keys("1", "2"), keys("1", "2"), counted=([True, False], [True, True]))) == [(0, 0)]
    assert pairs(paired_by_key(keys("1", "1"), keys("1"), counted=([True, False], [True]))) == [(0, 0)], (
        "not a second use"
    )


RUBRIC = Rubric(thresholds=Thresholds(box=0.5, area=0.3), labels=(LabelRule("bus", least=0.9), LabelRule("car")))


def aligned(truth: list[Drawn], submission: list[Drawn], rubric: Rubric = RUBRIC) -> AlignedSets:
    return align(prepare_truth(annotation_set(*truth), rubric), annotation_set(*submission), rubric)[0]


def test_families_are_places_among_their_names() -> None:
    shapes = annotation_set(box("a", "car", 0, 0, 1, 1), rectangle("a", "car", 0, 0, 1, 1))
    assert [FAMILIES[number] for number in shapes.families().tolist()] == ["box", "area"]


def test_each_object_asks_for_the_overlap_of_its_label_or_else_its_family() -> None:
    objects = [box("a", "car", 0, 0, 1, 1), box("a", "Bus", 0, 0, 1, 1), rectangle("a", "car", 0, 0, 1, 1)]
    assert aligned(objects, []).least.tolist() == pytest.approx([0.5, 0.9, 0.3])


def test_a_pair_at_the_threshold_is_near_enough_and_one_below_is_not() -> None:
    truth = [box("a", "car", 0, 0, 10, 10)]
    pairs = aligned(truth, [box("a", "car", 0, 0, 10, 5), box("a", "car", 0, 0, 10, 4.9)])
    assert pairs.near_enough.tolist() == [True, False]
    assert pairs.fit.tolist() == [True, False]


def test_kinds_of_another_family_fit_only_when_the_rules_say_so() -> None:
    truth, drawn = [box("a", "car", 0, 0, 10, 10)], [rectangle("a", "car", 0, 0, 10, 10)]
    assert aligned(truth, drawn).fit.tolist() == [False]
    assert aligned(truth, drawn, Rubric(across_families=True)).fit.tolist() == [True]


def test_labels_are_the_same_whatever_their_case() -> None:
    pairs = aligned([box("a", "Car", 0, 0, 10, 10)], [box("a", "car", 0, 0, 10, 10), box("a", "van", 0, 0, 10, 10)])
    assert pairs.same_label.tolist() == [True, False]


@pytest.mark.parametrize(("bottom", "matched"), [(5.0, [True]), (4.9, [])])
def test_a_key_asks_for_the_threshold_where_it_does_not_count_anywhere(bottom: float, matched: list[bool]) -> None:
    drawn = [box("a", "car", 0, 0, 10, bottom)]
    assert paired([box("a", "car", *WHOLE)], drawn, keyed=(0, 0), key_anywhere=False).by_key.tolist() == matched


def test_labels_are_numbered_alike_also_where_one_side_has_none() -> None:
    car = [box("a", "car", *WHOLE)]
    assert [side.tolist() for side in aligned(car, []).common_labels] == [[0], []]
    assert [side.tolist() for side in aligned([], car).common_labels] == [[], [0]]


def test_what_is_aligned_and_paired_cannot_be_changed() -> None:
    assert mutable_dataclasses(matching) == []


def test_values_with_arrays_are_compared_by_identity() -> None:
    assert comparable_arrays(matching) == []


def test_values_of_which_there_are_many_have_slots() -> None:
    assert without_slots(matching) == ["AlignedSets"]


def test_pairs_by_key_name_places_in_their_own_sets() -> None:
    assert pairs(paired_by_key(keys("1", "2"), keys("", "1", "2"))) == [(0, 1), (1, 2)]
    assert pairs(paired_by_key(keys("", "", "1"), keys("1"))) == [(2, 0)]


@pytest.mark.parametrize("families", [([0], [1]), ([1], [0])])
def test_families_must_be_equal(families: tuple[list[int], list[int]]) -> None:
    assert pairs(paired_by_key(keys("1"), keys("1"), families=families)) == []


@pytest.mark.parametrize(("bottom", "near"), [(8, True), (5 - 1e-12, True), (5 - 1e-10, False)])
def test_a_threshold_is_not_missed_by_rounding_with_a_key_or_without(bottom: float, near: bool) -> None:
    truth, drawn = [box("a", "car", *WHOLE)], [box("a", "car", 0, 0, 10, bottom)]
    assert aligned(truth, drawn).near_enough.tolist() == [near]
    assert paired(truth, drawn, keyed=(0, 0), key_anywhere=False).by_key.tolist() == [True] * near


def test_what_has_nothing_in_common_is_not_near_enough_even_where_nothing_is_asked() -> None:
    car = [box("a", "car", *WHOLE)]
    sets = aligned(car, car, Rubric(thresholds=Thresholds(box=0.0)))
    apart = replace(sets, candidates=replace(sets.candidates, similarity=np.zeros(1)))
    assert (sets.near_enough.tolist(), apart.near_enough.tolist()) == ([True], [False])


def test_labels_differ_whichever_comes_first() -> None:
    objects = [box("a", "car", *WHOLE), box("a", "bus", 50, 50, 60, 60)]
    swapped = [box("a", "bus", *WHOLE), box("a", "car", 50, 50, 60, 60)]
    assert aligned(objects, swapped).same_label.tolist() == [False, False]


def test_the_area_in_common_follows_from_overlap_and_both_areas() -> None:
    objects = [box("a", "car", 50, 50, 80, 60), box("a", "car", *WHOLE), box("a", "car", 0, 90, 1, 91)]
    sets = aligned(objects, [box("a", "car", 0, 0, 10, 5), box("a", "car", 60, 50, 100, 60)])
    assert (sets.candidates.truth.tolist(), sets.candidates.student.tolist()) == ([0, 1], [1, 0])
    assert sets.intersection.tolist() == pytest.approx([200, 50])


def test_place_goes_before_label_and_label_before_attributes() -> None:
    rules = (LabelRule("car", (AttributeRule("colour"),)),)
    truth = [box("a", "car", *WHOLE, colour="red")]
    placed = [box("a", "car", *UPPER, colour="red"), box("a", "car", *WHOLE, colour="blue")]
    assert paired(truth, placed, label_mode="tiebreak", labels=rules).student.tolist() == [1]
    named = [box("a", "cat", *WHOLE, colour="red"), box("a", "car", *WHOLE, colour="blue")]
    assert paired(truth, named, label_mode="tiebreak", labels=rules).student.tolist() == [1]


def test_one_annotation_goes_to_the_object_of_its_label() -> None:
    truth, drawn = [box("a", "bus", *WHOLE), box("a", "car", *WHOLE)], [box("a", "car", *WHOLE)]
    assert paired(truth, drawn, label_mode="tiebreak").truth.tolist() == [1]


@pytest.mark.parametrize(("colours", "chosen"), [(("red", None), 1), ((None, "red"), 0), (("blue", None), 0)])
def test_an_object_without_attributes_agrees_in_full(colours: tuple[str | None, str | None], chosen: int) -> None:
    truth = [box("a", "car", *WHOLE, colour=colour) for colour in colours]
    drawn = [box("a", "car", *WHOLE, colour="blue")]
    rules = (LabelRule("car", (AttributeRule("colour"),)),)
    assert paired(truth, drawn, label_mode="tiebreak", labels=rules).truth.tolist() == [chosen]


def test_an_annotation_matched_by_label_is_not_matched_again_without() -> None:
    truth = [box("a", "car", *WHOLE), box("a", "bus", *UPPER)]
    pairing = paired(truth, [box("a", "car", *WHOLE)], label_mode="prefer")
    assert (pairing.truth.tolist(), pairing.student.tolist()) == ([0], [0])


def test_all_pairs_of_the_second_pass_are_not_by_key() -> None:
    cars = [box("a", "car", 20 * i, 0, 20 * i + 10, 10) for i in range(4)]
    assert paired(cars, cars, keyed=(1, 1)).by_key.tolist() == [False, True, False, False]


def test_a_pair_after_the_last_candidate_has_no_similarity() -> None:
    cars = [box("a", "car", *WHOLE), box("a", "car", 50, 50, 60, 60)]
    sets = aligned(cars, cars[::-1])
    assert similarity_of(sets.candidates, np.array([1, 0]), np.array([1, 1]), 2).tolist() == [0, 1]
