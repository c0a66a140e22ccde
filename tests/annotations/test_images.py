"""Which image is which."""

import numpy as np
import pytest

from assay.annotations.annotation import Image
from assay.annotations.images import ImageNames, pair_images, resized
from assay.errors import InputError


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


def test_images_without_names_go_by_position_if_their_number_agrees() -> None:
    assert paired(["", ""], ["a.jpg", "b.jpg"]) == [0, 1]
    with pytest.raises(InputError, match="no names"):
        paired(["", ""], ["a.jpg"])


def test_only_stated_sizes_can_differ() -> None:
    truth, student = [Image("a", 10, 10), Image("b", 10, 10)], [Image("a", 0, 0), Image("b", 5, 5)]
    assert resized(truth, student, np.array([0, 1])).tolist() == [1]
