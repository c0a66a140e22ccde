"""COCO's images and categories, by id and by name."""

import pytest

from assay.annotations.shapes.annotation_set import Image
from assay.errors import InputError
from assay.io.annotations.coco.document import CocoCategory, CocoImage
from assay.io.annotations.coco.images import (
    References,
    TextIds,
    id_key,
    indices,
    references_of,
    references_of_truth,
)
from assay.io.annotations.columns import ProblemTally


def references(images: list[CocoImage], *categories: CocoCategory) -> tuple[References, list[str]]:
    tally = ProblemTally()
    found = references_of(images, categories, "s.json", tally)
    return found, [problem.what for problem in tally.problems()]


def test_an_id_is_the_same_as_number_and_as_text() -> None:
    found, _ = references([CocoImage("7", "a.jpg", width=4, height=3), CocoImage(9, "b.jpg", width=4, height=3)])
    assert indices([7, "7", 7.0, "9", 8], found.image_index).tolist() == [0, 0, 0, 1, -1]
    assert id_key("007") == "007"
    assert TextIds(found.image_index) == {"7": 0, "9": 1}


def test_an_image_listed_twice_is_one_image_unless_its_sizes_differ() -> None:
    found, told = references([CocoImage(1, "a.jpg", width=4, height=3), CocoImage(2, "a.jpg", width=4, height=3)])
    assert (found.images, dict(found.image_index)) == ((Image("a.jpg", 4, 3),), {1: 0, 2: 0})
    assert told == ["an image is listed twice: its annotations were put together"]
    with pytest.raises(InputError, match="listed twice, as 4 x 3 and as 8 x 3"):
        references([CocoImage(1, "a.jpg", width=4, height=3), CocoImage(2, "a.jpg", width=8, height=3)])


def test_an_image_without_name_goes_by_its_address_or_id() -> None:
    found, told = references([CocoImage(1, coco_url="http://x/y/a.jpg"), CocoImage(2.0)])
    assert [image.name for image in found.images] == ["a.jpg", "2"]
    assert told == ["an image has no file name: it is known by its id"]


@pytest.mark.parametrize(
    ("images", "categories", "message"),
    [
        ([CocoImage(1, "a"), CocoImage(1, "b")], [], "two images have the id 1"),
        ([CocoImage(1, "a", width=-1)], [], "image 'a': the size -1 x 0 makes no sense"),
        ([], [CocoCategory(1, "cat"), CocoCategory(1, "dog")], "two categories have the id 1"),
    ],
)
def test_what_contradicts_itself_is_refused_with_file_and_remedy(
    images: list[CocoImage], categories: list[CocoCategory], message: str
) -> None:
    with pytest.raises(InputError, match=message) as refused:
        references(images, *categories)
    assert refused.value.source == "s.json"
    assert refused.value.remedy


def test_categories_of_one_name_are_one_label_and_bones_are_named() -> None:
    person = CocoCategory(2, "person", keypoints=["head", "hand"], skeleton=[[1, 2], [1, 9], "x"])
    found, told = references([], CocoCategory(1, "person"), person)
    assert (found.labels, dict(found.label_index)) == (("person",), {1: 0, 2: 0})
    assert found.definitions[0].bones == (("head", "hand"),)
    assert told == ["categories have the same name: they are one label"]


def test_results_need_the_truth_that_numbers_them() -> None:
    with pytest.raises(InputError, match="beside the COCO ground truth"):
        references_of_truth(None, "r.json")
