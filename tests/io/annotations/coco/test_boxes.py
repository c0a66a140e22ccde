"""The reader for orderly boxes reads what the reader for all of COCO reads, and leaves it the rest."""

import json
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import InputError
from assay.io.annotations.coco import reader as coco
from assay.io.annotations.coco.boxes import plain_boxes
from assay.io.annotations.coco.reader import read_coco, read_plain_coco
from assay.io.annotations.columns import Prefer
from tests.paths import SHARED

few = settings(max_examples=60, deadline=None)
CATEGORIES = [{"id": 3, "name": "car"}, {"id": 90, "name": "bus"}]
COLUMNS = ("image", "label", "kind", "bounds", "rotation", "crowd", "area", "confidence", "track", "occluded")

numbers = st.floats(-50, 500) | st.integers(-50, 500)
sizes = st.floats(0, 300) | st.integers(0, 300)
boxes = st.tuples(numbers, numbers, sizes, sizes).map(list)
drawn = st.fixed_dictionaries(
    {"image_id": st.sampled_from([1, 7, 900_000]), "category_id": st.sampled_from([3, 90]), "bbox": boxes},
    optional={
        "area": st.floats(0, 100),
        "iscrowd": st.integers(0, 1),
        "ignore": st.just(0),
        "segmentation": st.just([[0.0, 0, 4, 0, 4, 3]]),
    },
)


def dataset(annotations: list[dict[str, Any]], ids: tuple[int | str, ...] = (1, 7, 900_000)) -> bytes:
    images = [{"id": number, "file_name": f"{number}.jpg", "width": 640} for number in ids]
    return json.dumps({"images": images, "annotations": annotations, "categories": CATEGORIES}).encode()


def numbered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "id": i} for i, row in enumerate(rows, start=5)]


def slowly(content: bytes, like: AnnotationSet | None = None) -> AnnotationSet:
    """As the reader for all of COCO reads it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coco, "plain_boxes", lambda *_: None)
        return read_coco(content, source="a.json", like=like, prefer="box")


def quickly(content: bytes, like: AnnotationSet | None = None) -> AnnotationSet | None:
    return plain_boxes(BytesIO(content), "a.json", like)


def assert_same(one: AnnotationSet | None, other: AnnotationSet) -> None:
    assert one is not None
    for name in COLUMNS:
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (ours is None) == (theirs is None), name
        assert ours is None or (np.array_equal(ours, theirs, equal_nan=True) and ours.dtype == theirs.dtype), name
        assert ours is None or not ours.flags.writeable
    for name in ("images", "labels", "ids", "definitions", "problems", "source", "format", "attributes"):
        assert getattr(one, name) == getattr(other, name), name
    for name in ("image_ids", "label_ids"):
        assert dict(getattr(one, name)) == dict(getattr(other, name)), name


@few
@given(st.lists(drawn, min_size=1, max_size=8))
def test_datasets_are_read_alike(rows: list[dict[str, Any]]) -> None:
    content = dataset(numbered(rows))
    assert_same(quickly(content), slowly(content))


@few
@given(st.lists(drawn.map(lambda row: {**row, "iscrowd": 0, "score": 0.5}), min_size=1, max_size=8))
def test_results_are_read_alike(rows: list[dict[str, Any]]) -> None:
    like = slowly(dataset(numbered(rows)))
    content = json.dumps(rows).encode()
    assert_same(quickly(content, like), slowly(content, like))


ROW = {"image_id": 1, "category_id": 3, "bbox": [1, 2, 30, 40], "id": 1}


@pytest.mark.parametrize(
    "changed",
    [
        {"bbox": None},
        {"bbox": [1, 2, 3]},
        {"bbox": [1, 2, -3, 4]},
        {"bbox": [1, 2, 1e12, 4]},
        {"bbox": ["1", 2, 3, 4]},
        {"image_id": 2},
        {"image_id": -1},
        {"image_id": 10**9},
        {"image_id": "1"},
        {"category_id": 5},
        {"id": 9},
        {"id": "a"},
        {"id": None},
        {"id": 2**70},
        {"ignore": 1},
        {"is_crowd": 1},
        {"attributes": {"rotation": 5}},
        {"score": 0.4},
    ],
)
def test_what_is_out_of_the_ordinary_is_left_to_the_other_reader(changed: dict[str, Any]) -> None:
    content = dataset([{**ROW, "id": 9}, {**ROW, **changed}])
    assert quickly(content) is None
    assert_same(read_coco(content, source="a.json", prefer="box"), slowly(content))


def test_a_box_without_area_is_told_alike() -> None:
    content = dataset([{**ROW, "bbox": [1, 2, 0, 5]}])
    assert [problem.what for problem in slowly(content).problems] == ["a box has no area"]
    assert_same(quickly(content), slowly(content))


@pytest.mark.parametrize("ids", [(1, "7", 900_000), (1, 7, 2**40)])
def test_images_may_be_named_by_text_or_by_large_numbers(ids: tuple[int | str, ...]) -> None:
    content = dataset([{**ROW, "image_id": number, "id": i} for i, number in enumerate(map(int, ids))], ids)
    assert_same(quickly(content), slowly(content))


def test_images_that_contradict_each_other_are_an_error_for_both() -> None:
    content = dataset([ROW], ids=(1, 1))
    twice = content.replace(b'"1.jpg"', b'"2.jpg"', 1)
    for read in (quickly, slowly):
        with pytest.raises(InputError, match="two images have the id 1"):
            read(twice)


@pytest.mark.parametrize("prefer", ["box", "shape"])
def test_a_file_that_is_plainly_coco_is_read_without_a_first_look(prefer: Prefer) -> None:
    outlined = {**ROW, "segmentation": [[0.0, 0, 4, 0, 4, 3]]}
    content = dataset([outlined])
    found = read_plain_coco(BytesIO(content), source="a.json", prefer=prefer)
    assert_same(found, read_coco(content, source="a.json", prefer=prefer))


@pytest.mark.parametrize("prefer", ["box", "shape"])
def test_plain_results_are_read_beside_their_truth_without_a_first_look(prefer: Prefer) -> None:
    like = slowly(dataset([ROW]))
    content = json.dumps([{**ROW, "id": None, "score": 0.5, "segmentation": [[0.0, 0, 4, 0, 4, 3]]}]).encode()
    found = read_plain_coco(BytesIO(content), source="a.json", like=like, prefer=prefer)
    assert_same(found, read_coco(content, source="a.json", like=like, prefer=prefer))
    assert read_plain_coco(BytesIO(b"[]"), source="a.json", like=like, prefer=prefer) is None


@pytest.mark.parametrize("prefer", ["box", "shape"])
@pytest.mark.parametrize(
    "content",
    [b"", b"<annotations/>", b"[]", b'[{"image_id": 1}]', b'{"shapes": []}', b'{"images": []}', b'{"images": [', b"{"],
)
def test_anything_else_needs_a_closer_look(content: bytes, prefer: Prefer) -> None:
    assert read_plain_coco(BytesIO(content), source="a.json", prefer=prefer) is None


GOLDEN = SHARED / "golden/annotations/MiXaiLL76__faster_coco_eval"


@pytest.mark.skipif(not GOLDEN.exists(), reason="needs the golden annotations in ../shared")
def test_real_boxes_are_read_alike() -> None:
    truth = (GOLDEN / "tests__dataset__cocoapi__instances_val2014_100.json").read_bytes()
    results = (GOLDEN / "tests__dataset__cocoapi__instances_val2014_fakebbox100_results.json").read_bytes()
    assert_same(quickly(truth), slowly(truth))
    assert_same(quickly(results, slowly(truth)), slowly(results, slowly(truth)))


def test_results_without_a_first_look_are_results() -> None:
    like = slowly(dataset([ROW]))
    content = json.dumps([{**ROW, "id": None, "bbox": None, "keypoints": [5, 5, 0], "score": 0.5}]).encode()
    found = read_plain_coco(BytesIO(content), source="a.json", like=like)
    assert found is not None
    assert (found.format, found.crowd) == ("COCO results", None)
    assert "state no visibility" in found.problems[0].what
    unscored = read_plain_coco(BytesIO(dataset([{**ROW, "keypoints": [5, 5, 0]}])), source="a.json")
    assert unscored is not None
    assert unscored.crowd is not None
    assert (unscored.format, unscored.crowd.tolist()) == ("COCO", [True])


@pytest.mark.parametrize("ids", [(0, 3, 7), (5, 999_999), (1_000_000, 2)])
def test_images_are_found_by_small_and_large_numbers(ids: tuple[int, ...]) -> None:
    content = dataset([{**ROW, "image_id": number, "id": i} for i, number in enumerate(ids)], ids)
    found = quickly(content)
    assert found is not None
    assert found.image.tolist() == list(range(len(ids)))
    for unknown in (max(ids) + 1, max(ids) + 2, -1, 4):
        assert quickly(dataset([{**ROW, "image_id": unknown}], ids)) is None
