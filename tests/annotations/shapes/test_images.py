"""Which image is which."""

import numpy as np
import pytest

from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.annotation_set import Image
from assay.annotations.shapes.images import ImageNames, pair_images, resized
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box


def paired(truth: list[str], student: list[str]) -> list[int]:
    ours, theirs = (ImageNames.of([Image(name) for name in names]) for names in (truth, student))
    return [int(place) for place in pair_images(ours, theirs)]


def test_whole_paths_come_first() -> None:
    assert paired(["x/0.jpg", "y/0.jpg"], ["y/0.jpg", "x/0.jpg"]) == [1, 0]


def test_as_much_of_the_path_is_used_as_tells_images_apart() -> None:
    assert paired(["data/x/0.jpg", "data/y/0.jpg"], ["y/0.jpg", "x/0.jpg", "0.jpg"]) == [1, 0, -1]


def test_a_name_that_is_not_unique_on_both_sides_is_not_guessed() -> None:
    assert paired(["a/0.jpg"], ["x/0.jpg", "y/0.jpg"]) == [-1, -1]


def test_slashes_of_any_system_and_leading_dots_do_not_matter() -> None:
    assert paired(["train/0.jpg"], [".\\train\\0.jpg"]) == [0]


def test_no_image_is_used_twice() -> None:
    found = paired(["a/0.jpg"], ["a/0.jpg", "b/0.jpg"])
    assert found == [0, -1]


@pytest.mark.parametrize(
    ("truth", "student"),
    [
        ("IMG_1.JPG", "img_1.jpg"),
        ("frame_000001", "frame_000001.PNG"),  # CVAT for video, and CVAT's COCO of the same task
        ("a.jpg", "Train/a.png"),
        ("a.jpg", "0a1b2c3d-a.jpg"),  # an upload to Label Studio
        ("a_jpg.rf.0123456789abcdef.jpg", "a_jpg.rf.fedcba9876543210.jpg"),  # two versions of Roboflow
        ("a.jpg", " a.jpg"),
    ],
)
def test_names_that_tools_write_otherwise_still_meet(truth: str, student: str) -> None:
    assert paired([truth, "other.jpg"], [student]) == [0]
    assert paired(["other.jpg", student], [truth]) == [1]


def test_other_spellings_are_for_names_that_do_not_meet_and_are_not_guessed() -> None:
    assert paired(["a.jpg", "a.png"], ["a.png", "A.bmp"]) == [1, -1]
    assert paired(["a.jpg"], ["a.png", "a.bmp"]) == [-1, -1]
    assert paired(["scan.v1", "scan.v2"], ["scan.v3"]) == [-1]


def test_a_score_says_when_names_were_written_otherwise() -> None:
    truth, student = (annotation_set(box(name, "car", 0, 0, 5, 5)) for name in ("a.jpg", "A.png"))
    found = grade_submission(prepare_truth(truth), student)
    assert found.tally.matched == 1
    assert [(note.where, "'a.jpg' of the ground truth" in note.what) for note in found.notes] == [
        ("image 'A.png'", True)
    ]


def test_images_without_names_go_by_position_if_their_number_agrees() -> None:
    assert paired(["", ""], ["a.jpg", "b.jpg"]) == [0, 1]
    with pytest.raises(InputError, match="no names"):
        paired(["", ""], ["a.jpg"])


def test_only_stated_sizes_can_differ() -> None:
    truth, student = [Image("a", 10, 10), Image("b", 10, 10)], [Image("a", 0, 0), Image("b", 5, 5)]
    assert resized(truth, student, np.array([0, 1])).tolist() == [1]
