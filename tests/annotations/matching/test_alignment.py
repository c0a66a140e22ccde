"""A submission aligned with the ground truth: images, sizes and regions that do not count."""

import numpy as np
import pytest

from assay.annotations.matching.alignment import align, scope_of
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import Image
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box


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
