"""Files that the kernel reads become the very sets that the reader for all of COCO makes of them."""

import json
from collections.abc import Iterator
from dataclasses import fields
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.columns import ShapeColumns
from assay.annotations.shapes.shapes import Mask, Polygon, Skeleton
from assay.io.annotations.coco.plain_shapes import plain_shapes
from assay.io.annotations.coco.reader import read_coco
from assay.kernel import VARIABLE, kernel
from fuzz import seed_annotations as seeds
from tests.paths import SHARED

pytestmark = pytest.mark.skipif(kernel() is None, reason="the compiled kernel was not built here")

IMAGES = [
    {"id": 5, "file_name": "a.jpg", "width": 20, "height": 10},
    {"id": 6, "file_name": "b.jpg", "width": 5, "height": 2},
]
PERSON = {"id": 3, "name": "person", "keypoints": ["nose", "tail"], "skeleton": [[1, 2]]}
CATEGORIES = [PERSON, {"id": 900, "name": "car"}]
BOW_TIE = [0, 0, 4, 4, 4, 0, 0, 4]
CLOSED = [1, 1, 5, 1, 5, 5, 1, 1]
FULL = {"size": [2, 5], "counts": [3, 4, 3]}
DRAWN: dict[str, list[dict[str, Any]]] = {
    "boxes": [{"bbox": [1, 2, 3, 4]}, {"bbox": [1, 2, 0, 4], "iscrowd": 1, "area": 7}, {"bbox": [-1, -2, 3, 4]}],
    "outlines": [
        {"segmentation": [[0, 0, 4, 0, 4, 4]], "bbox": [9, 9, 1, 1]},
        {"segmentation": [BOW_TIE, [8, 8, 9, 8, 9, 9]]},
        {"segmentation": [CLOSED, [0, 0, 1, 1]], "area": 3.5},
        {"segmentation": [[0, 0, 2e7, 0, 4, 4]], "bbox": [1, 1, 2, 2]},
    ],
    "masks": [
        {"segmentation": FULL, "image_id": 6},
        {"segmentation": {"size": [2, 5], "counts": "334"}, "iscrowd": 1},
        {"segmentation": FULL, "iscrowd": 1, "attributes": {"occluded": False}},
        {"segmentation": {"size": [2, 2], "counts": [4]}, "bbox": [1, 1, 2, 2]},
    ],
    "keypoints": [
        {"keypoints": [1, 2, 2, 3, 4, 1], "category_id": 3, "bbox": [0, 0, 9, 9], "area": 30},
        {"keypoints": [1, 2, 0, 3, 4, 0], "category_id": 3, "segmentation": [[0, 0, 4, 0, 4, 4]]},
        {"keypoints": [0, 0, 0, 0, 0, 0], "category_id": 3, "segmentation": FULL},
        {"keypoints": [1, 2, 0.5, 3, 4, 0, 5, 6, 0.1], "category_id": 3, "score": 0.25},
        {"keypoints": [1, 2, 2], "category_id": 900},
    ],
    "attributes": [
        {"bbox": [1, 2, 3, 4], "attributes": {"rotation": 30.0, "occluded": True, "track_id": 4, "keyframe": True}},
        {"bbox": [1, 2, 3, 4], "attributes": {"colour": " red ", "list": [1], "size": 2, "empty": ""}},
    ],
}


def annotations_of(kind: str) -> list[dict[str, Any]]:
    return [
        {"id": 10 + k, "image_id": 5, "category_id": 900, **one}
        for k, one in enumerate(chain.from_iterable(DRAWN.values()) if kind == "all" else DRAWN[kind])
    ]


def both_ways(
    content: bytes, like: AnnotationSet | None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AnnotationSet | None]:
    yield plain_shapes(BytesIO(content), "a.json", like)
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "off")
        assert plain_shapes(BytesIO(content), "a.json", like) is None
        yield read_coco(content, source="a.json", like=like)


def assert_same(one: AnnotationSet, other: AnnotationSet) -> None:
    for field in fields(AnnotationSet):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        if field.name == "shape_of":
            continue
        if isinstance(ours, np.ndarray):
            assert ours.dtype == theirs.dtype, field.name
            np.testing.assert_array_equal(ours, theirs, err_msg=field.name)
            assert not ours.flags.writeable
        elif field.name == "ids":
            assert list(ours) == list(theirs)
        elif field.name in {"image_ids", "label_ids"}:
            assert dict(ours) == dict(theirs)
        else:
            assert ours == theirs, field.name
    for index in range(len(one)):
        assert_same_shape(one.shape(index), other.shape(index))
    columns = one.shape_of, other.shape_of
    if all(isinstance(column, ShapeColumns) for column in columns):
        crossing = [column.crossing for column in columns]  # type: ignore[attr-defined]
        assert (crossing[0] is None) == (crossing[1] is None)
        if crossing[0] is not None:
            assert crossing[0].tolist() == crossing[1].tolist()


def assert_same_shape(one: object, other: object) -> None:
    assert type(one) is type(other)
    if isinstance(one, Polygon) and isinstance(other, Polygon):
        assert [ring.tolist() for ring in one.rings] == [ring.tolist() for ring in other.rings]
    elif isinstance(one, Mask) and isinstance(other, Mask):
        assert (one.width, one.height, one.runs.tolist()) == (other.width, other.height, other.runs.tolist())
    elif isinstance(one, Skeleton) and isinstance(other, Skeleton):
        assert (one.names, one.points.tolist()) == (other.names, other.points.tolist())
        assert one.visibility.tolist() == other.visibility.tolist()
    else:
        assert one == other


@pytest.mark.parametrize("kind", [*DRAWN, "all"])
def test_datasets_are_read_as_by_the_other_reader(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {"images": IMAGES, "categories": CATEGORIES, "annotations": annotations_of(kind)}
    ours, theirs = both_ways(json.dumps(whole).encode(), None, monkeypatch)
    assert ours is not None
    assert theirs is not None
    assert_same(ours, theirs)


@pytest.mark.parametrize("kind", [*DRAWN, "all"])
@pytest.mark.parametrize("with_ids", [True, False])
def test_results_are_read_as_by_the_other_reader(kind: str, with_ids: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    truth = read_coco(
        json.dumps({"images": IMAGES, "categories": CATEGORIES, "annotations": annotations_of("boxes")}).encode(),
        source="truth.json",
    )
    rows = [{key: one[key] for key in one if with_ids or key != "id"} for one in annotations_of(kind)]
    ours, theirs = both_ways(json.dumps(rows).encode(), truth, monkeypatch)
    assert ours is not None
    assert theirs is not None
    assert_same(ours, theirs)


@pytest.mark.parametrize(
    "odd",
    [
        {"image_id": 7},
        {"category_id": 7},
        {"id": 10},
        {"bbox": [1, 2, -3, 4]},
        {"bbox": [1, 2, 3, 1e8]},
        {"bbox": None},
        {"keypoints": [1, 2e8, 2]},
    ],
)
def test_what_needs_a_closer_look_is_left_to_the_other_reader(odd: dict[str, Any]) -> None:
    rows = [*annotations_of("boxes"), {"id": 99, "image_id": 5, "category_id": 900, "bbox": [1, 1, 1, 1], **odd}]
    content = json.dumps({"images": IMAGES, "categories": CATEGORIES, "annotations": rows}).encode()
    assert plain_shapes(BytesIO(content), "a.json", None) is None
    assert read_coco(content, source="a.json") is not None


@pytest.mark.parametrize("content", [*seeds.coco(), *seeds.coco_results()])
def test_seeds_are_read_alike_where_the_kernel_reads_them(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    truth = read_coco(seeds.coco()[0], source="truth.json")
    if plain_shapes(BytesIO(content), "a.json", truth) is not None:  # what is broken is said by the other reader
        ours, theirs = both_ways(content, truth, monkeypatch)
        assert ours is not None
        assert theirs is not None
        assert_same(ours, theirs)


REAL = sorted((SHARED / "golden/annotations").rglob("*.json"), key=lambda path: path.stat().st_size)[:400]


@pytest.mark.skipif(not REAL, reason="needs ../shared")
def test_real_files_are_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for path in [path for path in REAL if path.stat().st_size < 3_000_000]:
        content = Path(path).read_bytes()
        ours = plain_shapes(BytesIO(content), "a.json", None) if b'"annotations"' in content else None
        if ours is not None:
            with monkeypatch.context() as patch:
                patch.setenv(VARIABLE, "off")
                assert_same(ours, read_coco(content, source="a.json"))
            compared += 1
    assert compared >= 5
