"""What the scoring plan leaves open, settled: one test or more for each of the decisions 0101 to 0122."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.grading.class_scores import report_keypoints
from assay.annotations.grading.overrides import Override, apply_overrides
from assay.annotations.grading.parts import rounded
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import LabelMode, LabelRule, Rubric, Thresholds, Weights, profile
from assay.annotations.shapes.annotation_set import AnnotationSet, AttributeDefinition, Image, LabelDefinition
from assay.errors import InputError
from tests.annotations.drawn import Drawn, annotation_set, box, polygon, rectangle, skeleton


def score(truth: AnnotationSet, submission: AnnotationSet, rubric: Rubric | None = None) -> SubmissionScore:
    return score_submission(prepare_truth(truth, rubric), submission)


def one(drawn: Drawn) -> AnnotationSet:
    return annotation_set(drawn)


CAR = box("a.jpg", "Car", 0, 0, 100, 100)


# 0101 a pair needs a least similarity; below it there is a near miss


def test_0101_a_pair_below_the_threshold_is_a_near_miss_not_a_match() -> None:
    result = score(one(CAR), one(box("a.jpg", "Car", 60, 0, 160, 100)))  # IoU 40 / 160
    assert (result.tally.matched, result.tally.missed, result.tally.extra) == (0, 1, 1)
    (miss,), (extra,) = result.misses(), result.extras()
    assert miss.why == extra.why == ErrorKind.NEAR_MISS
    assert miss.similarity == pytest.approx(0.25)


def test_0101_boxes_that_hardly_touch_are_plainly_missed_and_extra() -> None:
    result = score(one(CAR), one(box("a.jpg", "Car", 99, 0, 199, 100)))
    assert result.errors() == {ErrorKind.NOT_FOUND: 1, ErrorKind.NOTHING_THERE: 1}


def test_0101_an_overlap_of_exactly_one_half_is_enough() -> None:
    assert score(one(CAR), one(box("a.jpg", "Car", 0, 0, 50, 100))).tally.matched == 1


def test_0101_thresholds_differ_by_kind_and_by_label() -> None:
    shifted = one(box("a.jpg", "Car", 60, 0, 160, 100))
    by_kind = Rubric(thresholds=Thresholds(box=0.2))
    by_label = Rubric(labels=(LabelRule("car", least=0.2),))
    assert score(one(CAR), shifted, by_kind).tally.matched == 1
    assert score(one(CAR), shifted, by_label).tally.matched == 1


# 0102 the total similarity is largest, not the number of pairs


def test_0102_the_total_similarity_is_largest_not_the_number_of_pairs() -> None:
    """Two pairs of 0.5 would tie two objects; the single pair of 1 and one miss is better only if its total is."""
    truth = annotation_set(box("a.jpg", "Car", 0, 0, 100, 100), box("a.jpg", "Car", 50, 0, 150, 100))
    submission = annotation_set(box("a.jpg", "Car", 50, 0, 150, 100), box("a.jpg", "Car", 100, 0, 200, 100))
    rubric = Rubric(thresholds=Thresholds(box=0.3))
    result = score(truth, submission, rubric)  # both pairs: 1/3 + 1/3; the right one alone: 1
    assert result.localisation.tolist() == [1.0]
    assert (result.tally.missed, result.tally.extra) == (1, 1)


# 0103 labels break ties, and steer more by choice


def label_thief() -> tuple[AnnotationSet, AnnotationSet]:
    """A wrongly labelled box overlaps the only object a little better than the rightly labelled one."""
    submission = annotation_set(box("a.jpg", "Dog", 0, 0, 95, 100), box("a.jpg", "Car", 0, 0, 90, 100))
    return one(CAR), submission


def test_0103_by_default_the_better_overlap_wins_whatever_its_label() -> None:
    assert score(*label_thief()).match(0).student_label == "Dog"


def test_0103_between_equal_overlaps_the_right_label_wins() -> None:
    submission = annotation_set(box("a.jpg", "Dog", 0, 0, 95, 100), box("a.jpg", "car", 0, 0, 95, 100))
    assert score(one(CAR), submission).match(0).student_label == "car"


@pytest.mark.parametrize("mode", ["prefer", "require"])
def test_0103_preferring_or_requiring_the_label_takes_the_right_one(mode: LabelMode) -> None:
    truth, submission = label_thief()
    result = score(truth, submission, replace(Rubric(), label_mode=mode))
    assert result.match(0).student_label == "Car"


def test_0103_requiring_the_label_reports_the_wrong_class() -> None:
    result = score(one(CAR), one(box("a.jpg", "Dog", 0, 0, 100, 100)), Rubric(label_mode="require"))
    assert result.tally.matched == 0
    assert result.errors() == {ErrorKind.WRONG_CLASS: 1}


# 0104 kinds of shape match within their family


def test_0104_a_box_drawn_for_a_polygon_is_the_wrong_tool() -> None:
    result = score(one(rectangle("a.jpg", "Car", 0, 0, 100, 100)), one(CAR), Rubric(box_files="outlines"))
    assert (result.tally.matched, result.tally.missed, result.tally.extra) == (0, 1, 1)
    assert result.errors() == {ErrorKind.WRONG_TOOL: 1}


def test_0104_across_families_the_areas_are_compared() -> None:
    result = score(one(rectangle("a.jpg", "Car", 0, 0, 100, 100)), one(CAR), Rubric(across_families=True))
    assert result.localisation == pytest.approx([1.0])


# 0105 keys


def keyed(*boxes: tuple[float, str]) -> AnnotationSet:
    return annotation_set(*(box("a.jpg", "Car", x, 0, x + 50, 50, no=key) for x, key in boxes))


KEY = Rubric(match_key="no")


def test_0105_equal_keys_match_after_trimming_even_where_the_places_differ() -> None:
    result = score(keyed((0, "1"), (100, "2")), keyed((500, " 1"), (100, "2")), KEY)
    first = result.match(0)
    assert (first.by_key, first.localisation) == (True, 0)
    assert result.errors() == {ErrorKind.KEY_ELSEWHERE: 1}


def test_0105_a_key_used_twice_matches_nothing_by_key_and_is_reported() -> None:
    result = score(keyed((0, "1"), (100, "2")), keyed((0, "2"), (100, "2")), KEY)
    assert not result.by_key.any()
    assert result.tally.matched == 2  # by their places
    assert result.errors()[ErrorKind.KEY_TWICE] == 2


def test_0105_the_key_is_not_an_attribute_to_score() -> None:
    rubric = suggest_rubric(keyed((0, "1"), (100, "2")))
    assert rubric.match_key == "no"
    assert rubric.labels[0].attributes == ()


def test_0105_a_key_does_not_join_different_kinds_of_shape() -> None:
    truth = one(polygon("a.jpg", "Car", (0, 0), (50, 0), (50, 50), no="1"))
    assert score(truth, keyed((0, "1")), replace(KEY, box_files="outlines")).tally.matched == 0


def test_0105_the_strict_profile_asks_a_key_for_its_place_too() -> None:
    strict = replace(profile("strict"), match_key="no")
    assert score(keyed((0, "1")), keyed((500, "1")), strict).tally.matched == 0


# 0106, 0107, 0108 wording


def test_0106_case_and_spaces_do_not_matter() -> None:
    assert score(one(CAR), one(box("a.jpg", " cAR ", 0, 0, 100, 100))).match(0).label == 100


def test_0107_true_for_false_earns_nothing_and_free_text_its_letters() -> None:
    truth = annotation_set(box("a.jpg", "Car", 0, 0, 100, 100, parked=True, plate="AB 123"))
    result = score(truth, one(box("a.jpg", "Car", 0, 0, 100, 100, parked="false", plate="AB 12")))
    similarity = {c.name: c.similarity for c in result.match(0).comparisons}
    assert similarity == {"parked": 0, "plate": pytest.approx(100 * 5 / 6)}


def test_0108_the_name_of_another_class_earns_letters_by_default_and_nothing_when_strict() -> None:
    truth = annotation_set(box("a.jpg", "car", 0, 0, 100, 100), box("a.jpg", "cat", 200, 0, 300, 100))
    submission = annotation_set(box("a.jpg", "cat", 0, 0, 100, 100), box("a.jpg", "cta", 200, 0, 300, 100))
    assert score(truth, submission).label == pytest.approx([2 / 3, 1 / 3])
    strict = replace(profile("strict"), similarity_floor=0.0)
    assert score(truth, submission, strict).label == pytest.approx([0, 1 / 3])  # "cta" is a typo, not a class


# 0109, 0110 attributes


def test_0109_an_object_without_attributes_has_them_in_full_or_renormalised() -> None:
    half = one(box("a.jpg", "Car", 0, 0, 50, 100))
    assert score(one(CAR), half).match(0).score == 75
    assert score(one(CAR), half, profile("strict")).match(0).score == pytest.approx(100 * (2 / 3 * 0.5 + 1 / 3))


def test_0110_listed_attributes_count_and_unexpected_ones_are_only_noted() -> None:
    truth = annotation_set(
        box("a.jpg", "Car", 0, 0, 100, 100, color="red", doors=4), box("a.jpg", "Car", 200, 0, 300, 100, color="red")
    )
    submission = annotation_set(
        box("a.jpg", "Car", 0, 0, 100, 100, color="red", mood="good"),
        box("a.jpg", "Car", 200, 0, 300, 100, color="red", doors=2),
    )
    result = score(truth, submission)
    assert result.attributes.tolist() == [0.5, 1.0]  # doors missing: 0; doors where the truth has none: not compared
    assert any("mood" in note.where for note in result.notes)


# 0111, 0112, 0113 totals


def test_0111_no_match_means_no_quality() -> None:
    result = score(one(CAR), one(box("a.jpg", "Car", 500, 500, 600, 600)))
    assert np.isnan(result.tally.quality)
    assert result.overall == 0


def test_0111_nothing_to_find_and_nothing_drawn_is_100_and_says_so() -> None:
    empty = annotation_set(images=["a.jpg"])
    result = score(empty, empty)
    assert (result.overall, result.tally.vacuous) == (100, True)


def test_0111_an_image_rightly_left_empty_counts_only_by_choice() -> None:
    truth = annotation_set(CAR, images=["a.jpg", "b.jpg"])
    submission = annotation_set(box("a.jpg", "Car", 500, 500, 600, 600), images=["a.jpg", "b.jpg"])
    assert score(truth, submission).tally.recall == 0
    assert score(truth, submission, Rubric(count_empty_images=True)).tally.recall == 50
    further = annotation_set(CAR, images=["a.jpg", "b.jpg", "not in the ground truth.jpg"])
    assert score(truth, further, Rubric(count_empty_images=True)).image_sums[4].tolist() == [0, 1, 0]


def test_0112_completeness_is_pooled_over_images() -> None:
    truth = annotation_set(CAR, *(box("b.jpg", "Car", 100 * i, 0, 100 * i + 50, 50) for i in range(3)))
    result = score(truth, annotation_set(CAR, images=["a.jpg", "b.jpg"]))
    assert result.tally.recall == 25
    assert [image.tally.recall for image in result.image_scores()] == [100, 0]


def test_0113_halves_are_rounded_up_for_display_only() -> None:
    assert [rounded(x) for x in (0.5, 1.5, 2.5, 74.4999)] == [1, 2, 3, 74]


# 0114 keypoints


def person(**changes: tuple[float, float, int]) -> AnnotationSet:
    points = {"nose": (50.0, 20.0, 2), "left hand": (20.0, 60.0, 1), "right hand": (80.0, 60.0, 0)} | changes
    return one(skeleton("a.jpg", "person", points))


def test_0114_points_are_matched_by_name_and_absent_ones_count_0() -> None:
    swapped = one(skeleton("a.jpg", "person", {"left hand": (20, 60, 1), "nose": (50, 20, 2), "right hand": (0, 0, 0)}))
    assert score(person(), swapped).localisation == pytest.approx([1.0])
    without = person(**{"left hand": (20.0, 60.0, 0)})
    assert score(person(), without, Rubric(thresholds=Thresholds(skeleton=0.4))).localisation == pytest.approx([0.5])


def test_0114_points_too_many_and_visibility_are_reported_without_weight() -> None:
    result = score(person(), person(**{"right hand": (80.0, 60.0, 2), "left hand": (20.0, 60.0, 2)}))
    report = report_keypoints(result)
    assert result.overall == pytest.approx(100)
    assert report.extra == ("right hand of person 1 on a.jpg",)
    assert report.visibility_agreement == 50


# 0115, 0116 images


def test_0115_equal_file_names_in_different_folders_are_different_images() -> None:
    truth = annotation_set(box("Train/0.jpg", "Car", 0, 0, 50, 50), box("Test/0.jpg", "Car", 0, 0, 90, 90))
    submission = annotation_set(box("Test/0.jpg", "Car", 0, 0, 90, 90), box("Train/0.jpg", "Car", 0, 0, 50, 50))
    assert score(truth, submission).overall == 100
    assert score(truth, one(box("0.jpg", "Car", 0, 0, 50, 50))).tally.matched == 0


def test_0115_a_bare_file_name_is_enough_when_it_is_unique() -> None:
    truth = annotation_set(box("images/a.jpg", "Car", 0, 0, 50, 50))
    assert score(truth, one(box(r".\a.jpg", "Car", 0, 0, 50, 50))).tally.matched == 1


def test_0115_resized_images_are_refused_or_scaled() -> None:
    truth = annotation_set(CAR, images=[Image("a.jpg", 1000, 500)])
    submission = annotation_set(box("a.jpg", "Car", 0, 0, 50, 50), images=[Image("a.jpg", 500, 250)])
    with pytest.raises(InputError, match=r"a\.jpg is 500 x 250 and should be 1000 x 500.*resized_images"):
        score(truth, submission)
    assert score(truth, submission, Rubric(resized_images="scale")).overall == 100


def test_0116_objects_on_images_the_submission_lacks_are_missed_or_skipped() -> None:
    truth = annotation_set(CAR, box("b.jpg", "Car", 0, 0, 50, 50))
    assert score(truth, one(CAR)).tally.missed == 1
    skipped = score(truth, one(CAR), Rubric(missing_images="skip"))
    assert (skipped.tally.missed, skipped.overall) == (0, 100)
    assert skipped.not_scored == {"ground truth: on an image not in the submission": 1}


def test_0116_annotations_on_images_the_ground_truth_lacks_are_extra_or_ignored() -> None:
    submission = annotation_set(CAR, box("b.jpg", "Car", 0, 0, 50, 50))
    assert score(one(CAR), submission).tally.extra == 1
    assert score(one(CAR), submission, Rubric(extra_images="ignore")).overall == 100


# 0117, 0118 crowd regions and duplicates


def test_0117_annotations_inside_a_crowd_region_are_no_extras() -> None:
    truth = annotation_set(CAR, box("a.jpg", "person", 200, 0, 400, 200, crowd=True))
    submission = annotation_set(CAR, box("a.jpg", "person", 210, 10, 250, 60), box("a.jpg", "person", 390, 0, 490, 100))
    result = score(truth, submission)
    assert (result.tally.matched, result.tally.missed, result.tally.extra) == (1, 0, 1)
    assert result.not_scored["submission: inside a crowd or ignore region"] == 1


def test_0117_a_crowd_region_of_the_student_is_neither_match_nor_extra() -> None:
    """Else guesses marked as crowd would win when they hit and cost nothing when they do not."""
    truth = annotation_set(CAR, box("a.jpg", "person", 200, 0, 400, 200))
    marked = annotation_set(
        CAR, box("a.jpg", "person", 200, 0, 400, 200, crowd=True), box("a.jpg", "person", 600, 0, 700, 99, crowd=True)
    )
    result = score(truth, marked)
    assert (result.tally.matched, result.tally.missed, result.tally.extra) == (1, 1, 0)
    assert result.not_scored == {"submission: crowd or ignore region": 2}


def test_0118_a_second_annotation_of_a_matched_object_is_a_duplicate_and_extra() -> None:
    result = score(one(CAR), annotation_set(CAR, box("a.jpg", "Car", 0, 0, 90, 100)))
    assert result.tally.extra == 1
    assert result.errors() == {ErrorKind.DUPLICATE: 1}


# 0119 overrides


def test_0119_an_override_needs_its_files_and_a_reason_and_keeps_the_original() -> None:
    result = score(one(CAR), one(box("a.jpg", "Car", 0, 0, 50, 100)))
    change = Override("match", 90, "Ada", "2026-01-02T10:00:00Z", "the edge is hidden", "digest", truth=0, student=0)
    changed = apply_overrides(result, [change], "digest")
    assert (changed.match(0).score, changed.match(0).original_score) == (90, 75)
    assert changed.original is result
    with pytest.raises(InputError, match=r"other files.*"):
        apply_overrides(result, [change], "another digest")


# 0120, 0121, 0122


def test_0120_shapes_beyond_their_image_are_scored_as_they_are_and_noted() -> None:
    beyond = annotation_set(box("a.jpg", "Car", -50, 0, 50, 100))
    result = score(beyond, beyond)
    assert result.overall == 100
    assert [note.count for note in result.notes if "beyond their image" in note.what] == [1, 1]


def test_0120_a_shape_without_area_matches_nothing() -> None:
    flat = one(box("a.jpg", "Car", 10, 10, 10, 50))
    assert score(flat, flat).tally.matched == 0


def test_0121_weights_are_divided_by_their_sum_and_all_zero_is_an_error() -> None:
    assert Weights(70, 15, 15).of_match == (0.7, 0.15, 0.15)
    assert Weights(quality=9, completeness=1).of_overall == (0.9, 0.1)
    with pytest.raises(InputError, match="are all 0"):
        Rubric(weights=Weights(0, 0, 0))


def test_0122_tracks_are_scored_by_frame_and_their_identity_is_reported() -> None:
    frames = [f"frame_{i}" for i in range(4)]
    truth = annotation_set(*(box(f, "Car", 0, 0, 50, 50, track=7) for f in frames))
    submission = annotation_set(*(box(f, "Car", 0, 0, 50, 50, track=int(i > 2)) for i, f in enumerate(frames)))
    result = score(truth, submission)
    assert result.overall == 100
    assert result.tracks is not None
    assert (result.tracks.switches, result.tracks.idf1) == (1, 0.75)


# inference, as the rules of 0107 use it


def test_0107_cvat_input_types_decide_how_values_are_compared() -> None:
    inputs = ("checkbox", "radio", "select", "number", "text")
    attributes = tuple(AttributeDefinition(name, name, ("x", "y")) for name in inputs)
    truth = annotation_set(CAR, definitions=(LabelDefinition("Car", attributes),))
    found = {rule.name: rule.comparator for rule in suggest_rubric(truth).labels[0].attributes}
    assert found == {"checkbox": "boolean", "radio": "exact", "select": "exact", "number": "number", "text": "text"}
