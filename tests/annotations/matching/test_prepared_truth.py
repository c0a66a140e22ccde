"""The ground truth before a submission is seen: what is to be found, and regions that do not count."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.agreement import measure_agreement
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.grading.class_scores import class_scores
from assay.annotations.grading.graded import Batch
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import (
    align,
    crowd_of,
    inside_share,
    prepare_truth,
    scope_of,
    without_other_labels,
)
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import LabelRule, Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.shapes import Box, Mask, Points, Polygon, Shape
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box, rectangle, skeleton
from tests.annotations.shape_sets import ring, set_of, square


def test_without_rules_the_truth_suggests_them() -> None:
    prepared = prepare_truth(annotation_set(box("a.jpg", "car", 0, 0, 10, 10)))

    assert [rule.name for rule in prepared.rubric.labels] == ["car"]
    assert prepared.geometry.area.tolist() == [100]


def test_crowd_regions_and_labels_that_do_not_count_need_not_be_found() -> None:
    truth = annotation_set(
        box("a.jpg", "car", 0, 0, 10, 10),
        box("a.jpg", "car", 0, 0, 90, 90, crowd=True),
        box("a.jpg", "bus", 0, 0, 10, 10),
    )

    assert prepare_truth(truth).to_be_found.tolist() == [True, False, True]
    assert prepare_truth(truth, Rubric(only_labels=("Car",))).to_be_found.tolist() == [True, False, False]
    assert prepare_truth(annotation_set(labels=["car"])).to_be_found.tolist() == []


def test_a_set_that_marks_no_crowd_has_none() -> None:
    assert crowd_of(set_of(Box(0, 0, 1, 1), Box(0, 0, 1, 1))).tolist() == [False, False]
    assert crowd_of(set_of(Box(0, 0, 1, 1), crowd=[True])).tolist() == [True]


def test_share_inside_crowd_regions_of_the_same_image() -> None:
    truth = Geometry(set_of(Box(0, 0, 10, 10), Box(0, 0, 50, 80), images=[0, 0], crowd=[False, True]))
    shapes: list[Shape] = [Box(0, 0, 10, 10), Box(40, 0, 60, 10), Polygon((square(45, 0, 10),)), Box(60, 0, 70, 10)]
    student = Geometry(set_of(*shapes, Box(0, 0, 9, 9), images=[1, 1, 1, 1, 0]))

    share = inside_share(truth, student, np.array([-1, 0], np.int32))

    assert share.tolist() == pytest.approx([1, 0.5, 0.5, 0, 0])


def test_share_inside_a_crowd_mask_counts_pixels() -> None:
    mask = Mask(0, 0, 100, 80, np.array([0, 50 * 80, 50 * 80]), by_column=True)
    truth = Geometry(set_of(mask, crowd=[True]))

    assert inside_share(truth, Geometry(set_of(Box(40, 0, 60, 10))), np.zeros(1, np.int32)).tolist() == [0.5]


def test_lines_and_points_count_by_the_box_around_them() -> None:
    truth = Geometry(set_of(Box(0, 0, 50, 80), crowd=[True]))
    student = Geometry(set_of(Points(ring((40, 0), (60, 10))), Points(ring((5, 5)))))

    assert inside_share(truth, student, np.zeros(1, np.int32)).tolist() == [0.5, 0]


def images(*names: str) -> tuple[Image, ...]:
    return tuple(Image(name, 100, 100) for name in names)


def test_images_that_only_the_submission_has_follow_those_of_the_truth() -> None:
    scope = scope_of(images("a", "b", "c"), images("x", "b"), np.array([-1, 1]), Rubric())

    assert [image.name for image in scope.images] == ["a", "b", "c", "x"]
    assert scope.number.tolist() == [3, 1]
    assert scope.listed.tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    ("rubric", "counts"),
    [
        (Rubric(missing_images="skip", extra_images="ignore"), [False, True, False]),
        (Rubric(missing_images="missed", extra_images="extra"), [True, True, True]),
    ],
)
def test_rules_say_which_images_count(rubric: Rubric, counts: list[bool]) -> None:
    scope = scope_of(images("a", "b"), images("x", "b"), np.array([-1, 1]), rubric)
    assert scope.counts.tolist() == counts


def test_annotations_meet_on_the_image_of_their_name() -> None:
    truth = prepare_truth(annotation_set(box("a.jpg", "car", 0, 0, 10, 10), box("b.jpg", "car", 0, 0, 10, 10)))
    submission = annotation_set(box("b.jpg", "car", 0, 0, 10, 5), images=["b.jpg", "a.jpg"])

    aligned, _ = align(truth, submission, truth.rubric)

    assert (aligned.candidates.truth.tolist(), aligned.candidates.student.tolist()) == ([1], [0])
    assert aligned.student_image.tolist() == [1]
    assert aligned.intersection.tolist() == pytest.approx([50])


def test_a_resized_image_is_refused_or_scaled_as_the_rules_say() -> None:
    truth = prepare_truth(annotation_set(box("a.jpg", "car", 0, 0, 100, 100)))
    half = annotation_set(box("a.jpg", "car", 0, 0, 50, 50), images=[Image("a.jpg", 500, 500)])

    with pytest.raises(InputError, match=r"a\.jpg is 500 x 500 and should be 1000 x 1000") as refused:
        align(truth, half, Rubric(resized_images="error"))
    assert refused.value.field == "resized_images"
    aligned, _ = align(truth, half, Rubric(resized_images="scale"))
    assert aligned.candidates.similarity.tolist() == [1]


def test_crowd_regions_of_either_side_do_not_count() -> None:
    truth = prepare_truth(
        annotation_set(box("a.jpg", "car", 0, 0, 10, 10), box("a.jpg", "car", 0, 0, 90, 90, crowd=True))
    )
    submission = annotation_set(box("a.jpg", "car", 20, 20, 30, 30), box("a.jpg", "car", 0, 0, 5, 5, crowd=True))

    aligned, _ = align(truth, submission, truth.rubric)

    assert aligned.truth_counts.tolist() == [True, False]
    assert aligned.student_counts.tolist() == [True, False]
    assert aligned.crowd_share.tolist() == [1, 0]


CARS = Rubric(only_labels=("car",))
CAR, TRUCK = box("a.jpg", "Car", 0, 0, 100, 100), box("a.jpg", "Truck", 200, 0, 300, 100)
TRUTH = annotation_set(CAR, TRUCK)


def score(truth: AnnotationSet, submission: AnnotationSet, rubric: Rubric = CARS) -> SubmissionScore:
    return score_submission(prepare_truth(truth, rubric), submission)


def figures(result: SubmissionScore) -> tuple[int, int, int]:
    return result.tally.matched, result.tally.missed, result.tally.extra


def test_objects_of_other_labels_need_not_be_found_and_are_counted_as_left_out() -> None:
    result = score(TRUTH, annotation_set(CAR, images=["a.jpg"]))

    assert figures(result) == (1, 0, 0)
    assert result.overall == 100
    assert result.not_scored == {"ground truth: a label that the rules do not count": 1}
    assert [line.label for line in class_scores(result)] == ["Car"]


def test_annotations_of_other_labels_are_no_extras() -> None:
    result = score(TRUTH, annotation_set(CAR, TRUCK, box("a.jpg", "Truck", 500, 500, 600, 600)))

    assert figures(result) == (1, 0, 0)
    assert result.not_scored == {
        "ground truth: a label that the rules do not count": 1,
        "submission: a label that the rules do not count": 2,
    }


def test_every_annotation_is_matched_missed_extra_or_left_out() -> None:
    drawn = annotation_set(TRUCK, box("a.jpg", "Car", 400, 0, 500, 100), box("a.jpg", "lorry", 0, 400, 90, 500))
    result = score(TRUTH, drawn)

    assert figures(result) == (0, 1, 2)  # the car, and "lorry", which nobody knows and may be meant for one
    assert sum(result.not_scored.values()) + result.tally.missed + result.tally.extra == len(TRUTH) + len(drawn)


def test_a_car_drawn_where_a_truck_is_counts_as_an_extra_car() -> None:
    result = score(TRUTH, annotation_set(CAR, box("a.jpg", "Car", 200, 0, 300, 100)))
    assert figures(result) == (1, 0, 1)


def test_a_car_that_was_called_a_truck_is_found_with_a_wrong_label() -> None:
    result = score(TRUTH, annotation_set(box("a.jpg", "Truck", 0, 0, 100, 100), images=["a.jpg"]))
    assert figures(result) == (1, 0, 0)
    assert result.label[0] < 1


def test_the_box_of_a_truck_goes_to_the_truck_and_not_to_the_car_behind_it() -> None:
    truth = annotation_set(box("a.jpg", "Car", 0, 0, 100, 100), box("a.jpg", "Truck", 10, 0, 110, 100))
    result = score(truth, annotation_set(box("a.jpg", "Truck", 10, 0, 110, 100)))
    assert figures(result) == (0, 1, 0)


def test_without_names_everything_counts() -> None:
    drawn = annotation_set(CAR)
    assert figures(score(TRUTH, drawn, Rubric())) == (1, 1, 0)
    assert score(TRUTH, drawn, Rubric()).not_scored == {}


def test_an_empty_submission_misses_what_counts() -> None:
    assert figures(score(TRUTH, annotation_set(images=["a.jpg"]))) == (0, 1, 0)


def test_a_batch_counts_only_objects_that_count() -> None:
    truth = prepare_truth(TRUTH, CARS)
    batch = Batch(truth, {"ann": score_submission(truth, annotation_set(images=["a.jpg"]))})

    assert truth.to_be_found.tolist() == [True, False]
    assert [(item.label, item.missed_by) for item in batch.hardest_objects(5)] == [("Car", 1)]


def test_labels_that_do_not_exist_are_refused() -> None:
    with pytest.raises(InputError, match=r"the ground truth has no such label.*'Car', 'Truck'"):
        score(TRUTH, TRUTH, Rubric(only_labels=("bus",)))
    with pytest.raises(InputError, match="only_labels names 'bus', which is not among the labels of the rules: Car"):
        Rubric(labels=(LabelRule("Car"),), only_labels=("bus",))


def test_the_rules_say_which_labels_count() -> None:
    assert "Only 'car' counts" in pseudocode(CARS)
    assert CARS.departures() == ("only_labels",)


def test_annotators_are_compared_on_the_labels_that_count() -> None:
    moved = annotation_set(CAR, box("a.jpg", "Truck", 600, 600, 700, 700))
    everything = measure_agreement({"ann": TRUTH, "bob": moved}, Rubric())
    cars = measure_agreement({"ann": TRUTH, "bob": moved}, replace(Rubric(), only_labels=("Car",)))

    assert everything.same_objects[0, 1] == pytest.approx(50)
    assert cars.same_objects[0, 1] == pytest.approx(100)


def test_only_crowd_regions_hold_a_share_and_a_set_without_them_holds_none() -> None:
    student = Geometry(set_of(Box(60, 0, 70, 10), Box(1, 1, 1.5, 1.5)))
    crowd = Geometry(set_of(Box(60, 0, 70, 10), Box(0, 0, 50, 80), crowd=[False, True]))
    assert inside_share(crowd, student, np.zeros(1, np.int32)).tolist() == [0, 1]
    for marks in (None, [False, False]):
        plain = Geometry(set_of(Box(60, 0, 70, 10), Box(0, 0, 50, 80), crowd=marks))
        assert inside_share(plain, student, np.zeros(1, np.int32)).tolist() == [0, 0]


def test_several_images_of_the_submission_alone_have_places_of_their_own() -> None:
    scope = scope_of(images("a", "b"), images("x", "b", "y"), np.array([-1, 1, -1]), Rubric())
    assert (scope.number.tolist(), [image.name for image in scope.images]) == ([2, 1, 3], ["a", "b", "x", "y"])


def test_a_box_and_a_polygon_meet_so_that_a_wrong_tool_is_seen() -> None:
    truth = prepare_truth(annotation_set(box("a.jpg", "car", 0, 0, 10, 10)), Rubric())
    aligned, _ = align(truth, annotation_set(rectangle("a.jpg", "car", 0, 0, 10, 10)), Rubric())
    assert (aligned.candidates.similarity.tolist(), aligned.candidates.same_family.tolist()) == ([1], [False])


def test_what_is_worked_out_of_the_truth_is_used_again_unless_the_rules_measure_otherwise() -> None:
    body = skeleton("a.jpg", "person", {"nose": (10, 10, 2), "foot": (90, 90, 2)})
    off = skeleton("a.jpg", "person", {"nose": (14, 10, 2), "foot": (90, 90, 2)})
    plain, wide = Rubric(), Rubric(sigmas={"nose": 0.5, "foot": 0.5})
    truth = prepare_truth(annotation_set(body), plain)
    same, other = (align(truth, annotation_set(off), rules)[0] for rules in (plain, wide))
    assert same.areas[0] is truth.geometry.area
    again, _ = align(prepare_truth(annotation_set(body), wide), annotation_set(off), wide)
    assert other.candidates.similarity == pytest.approx(again.candidates.similarity)
    assert other.candidates.similarity > same.candidates.similarity


@pytest.mark.parametrize(("count", "end"), [(8, ""), (9, ", ...")])
def test_of_many_labels_eight_are_named(count: int, end: str) -> None:
    truth = annotation_set(*(box("a.jpg", f"l{i}", 0, 0, 9, 9) for i in range(count)))
    with pytest.raises(InputError) as caught:
        score(truth, truth, Rubric(only_labels=("bus", "van")))
    names = ", ".join(repr(f"l{i}") for i in range(8))
    assert caught.value.remedy == f"It has {names}{end}. Correct only_labels in the rules."
    assert str(caught.value.problem).startswith("The rules count only 'bus', 'van', and the ground truth has no such")
    assert caught.value.field == "only_labels"


def test_labels_that_do_not_count_are_marked_where_there_are_any() -> None:
    nothing = annotation_set(labels=["Car"])
    assert without_other_labels(TRUTH, Rubric()) is TRUTH
    assert without_other_labels(nothing, CARS) is nothing
    marked = without_other_labels(annotation_set(replace(CAR, crowd=True), CAR, TRUCK), CARS)
    assert crowd_of(marked).tolist() == [True, False, True]
