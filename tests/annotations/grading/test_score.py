"""Work as it is handed in: refused when it belongs to other images, noted where only one side has an image."""

import pytest

from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box

CAR = box("a.png", "car", 0, 0, 100, 100)
TRUTH = prepare_truth(annotation_set(CAR, images=["a.png", "b.png"]))


def test_work_on_other_images_is_refused_with_the_names_of_both() -> None:
    with pytest.raises(InputError, match=r"'z\.png'.*'a\.png'") as caught:
        grade_submission(TRUTH, annotation_set(box("z.png", "car", 0, 0, 100, 100)))

    assert caught.value.field == "submissions"
    assert caught.value.remedy


def test_images_of_one_side_only_are_noted_with_what_that_means() -> None:
    score = grade_submission(TRUTH, annotation_set(CAR, box("c.png", "car", 0, 0, 10, 10)))

    notes = {note.where: note.what for note in score.notes}
    assert "count as extra" in notes["image 'c.png'"]
    assert "count as missed" in notes["image 'b.png'"]


def test_a_name_that_differs_in_case_and_ending_is_found_and_noted() -> None:
    score = grade_submission(TRUTH, annotation_set(box("A.JPG", "car", 0, 0, 100, 100), images=["A.JPG", "b.png"]))

    assert score.overall == 100
    assert any("taken for 'a.png'" in note.what for note in score.notes)
