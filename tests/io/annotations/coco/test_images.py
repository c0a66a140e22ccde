"""COCO's images and categories, by id and by name."""

from typing import Any

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import Image
from assay.errors import InputError
from assay.io.annotations.coco.document import Annotation, CocoCategory, CocoImage
from assay.io.annotations.coco.images import (
    NumberIds,
    References,
    TextIds,
    are_distinct,
    id_key,
    ids_of,
    indices,
    references_of,
    references_of_truth,
)
from assay.io.annotations.coco.reader import read_coco
from assay.io.annotations.columns import ProblemTally
from tests.annotations.drawn import annotation_set


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


@pytest.mark.parametrize(
    ("stated", "key"),
    [
        ("7", 7),
        ("07", "07"),
        ("x", "x"),
        ("9" * 18, int("9" * 18)),
        ("9" * 19, "9" * 19),
        (7.0, 7.0),
        ("\u0667", "\u0667"),
    ],
)
def test_a_text_is_a_number_where_it_would_be_written_just_so(stated: str | float, key: str | float) -> None:
    assert id_key(stated) == key
    assert type(id_key(stated)) is type(key)


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (None, 5), (1e9, 5)])
def test_one_image_without_a_plain_size_does_not_change_the_others(size: tuple[float | None, float]) -> None:
    images = [CocoImage(1, "a", width=4, height=3), CocoImage(2, "b", width=size[0], height=size[1])]
    if size[0] == 1e9:
        with pytest.raises(InputError, match="the size 1e"):
            references(images)
        return
    found, told = references(images)
    assert found.images == (Image("a", 4, 3), Image("b", size[0] or 0, size[1]))
    assert (dict(found.image_index), told) == ({1: 0, 2: 1}, [])


def test_ids_of_mixed_kinds_name_one_image_each() -> None:
    found, _ = references([CocoImage("1", "a", width=4, height=3), CocoImage("x", "b", width=4, height=3)])
    assert dict(found.image_index) == {1: 0, "x": 1}
    with pytest.raises(InputError, match="two images have the id '1'"):
        references([CocoImage(1, "a", width=4, height=3), CocoImage("1", "b", width=4, height=3)])


def test_texts_of_ids_are_a_mapping_made_when_asked_for() -> None:
    texts = TextIds({7: 0, "x": 1})
    assert (list(texts), len(texts), texts["7"], len(TextIds({}))) == (["7", "x"], 2, 0, 0)


def test_numbers_as_ids_are_texts() -> None:
    ids = NumberIds(np.array([3, 12, 5]))
    assert (len(ids), ids[1], list(ids), list(ids[1:])) == (3, "12", ["3", "12", "5"], ["12", "5"])
    assert ids == ("3", "12", "5")
    assert ids != ("3", "12")
    assert ids != 3
    assert hash(ids) == hash(("3", "12", "5"))


@pytest.mark.parametrize(
    ("stated", "ids", "told"),
    [
        ([None, None, None], ["1", "3"], []),
        ([7, 9, 8], ["7", "8"], []),
        ([7, None, "x"], ["7", "x"], []),
        ([2**70, 1, 2], [str(2**70), "2"], []),
        ([5, 5, 5], ["5", "5"], ["an annotation's id is not its own: others have it too"]),
        (["b", "a", "a"], ["b", "a"], ["an annotation's id is not its own: others have it too"]),
    ],
)
def test_annotations_go_by_their_ids_or_places(stated: list[Any], ids: list[str], told: list[str]) -> None:
    tally = ProblemTally()
    annotations = [Annotation(image_id=1, category_id=1, id=one) for one in stated]
    assert list(ids_of(annotations, np.array([0, 2]), tally)) == ids
    assert [problem.what for problem in tally.problems()] == told


def test_the_first_repeated_id_is_named_with_how_many_there_are() -> None:
    tally = ProblemTally()
    ids_of([Annotation(image_id=1, category_id=1, id=one) for one in ("a", "b", "b", "a", "b")], np.arange(5), tally)
    (problem,) = tally.problems()
    assert (problem.where, problem.count) == ("annotation b", 3)


def test_numbers_are_distinct_in_any_order() -> None:
    assert [are_distinct(np.array(n)) for n in ([1, 2, 3], [3, 1, 2], [1, 1, 2], [2, 1, 2], [])] == [
        *(True, True, False, False, True),
    ]


def test_results_are_read_by_the_numbers_of_the_truth() -> None:
    truth = read_coco(
        b'{"images": [{"id": 7, "file_name": "a"}], "categories": [{"id": 3, "name": "cat"}], "annotations": []}',
        source="t.json",
    )
    found = references_of_truth(truth, "r.json")
    assert (found.labels, indices([7, "7", 8], found.image_index).tolist()) == (("cat",), [0, 0, -1])
    with pytest.raises(InputError, match="names images and categories by number only") as caught:
        references_of_truth(annotation_set(images=["a"]), "r.json")
    assert caught.value.source == "r.json"
