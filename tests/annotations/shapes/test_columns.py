"""Shapes in tables give each annotation the shape it would have by itself."""

import json
from typing import Any

import numpy as np
import pytest

from assay.annotations.shapes.columns import ShapeColumns
from assay.annotations.shapes.shapes import Mask, Polygon, ShapeKind, Skeleton
from assay.io.annotations.coco.reader import read_coco

OUTLINE = [[0.0, 0, 4, 0, 4, 3], [10.0, 10, 12, 10, 12, 15, 10, 15]]
DRAWN: list[dict[str, Any]] = [
    {"bbox": [1, 1, 5, 5]},
    {"segmentation": OUTLINE},
    {"keypoints": [1, 2, 2, 8, 9, 1], "category_id": 2},
    {"segmentation": {"size": [4, 3], "counts": [5, 2, 5]}},
    {"segmentation": [[20, 20, 30, 20, 20, 30, 30, 30]]},
    {"keypoints": [3, 4, 1, 0, 0, 0], "category_id": 2},
]


@pytest.fixture(scope="module")
def columns() -> ShapeColumns:
    content = {
        "images": [{"id": 1, "file_name": "a.jpg"}],
        "categories": [{"id": 1, "name": "car"}, {"id": 2, "name": "person", "keypoints": ["head", "hand"]}],
        "annotations": [{"id": i, "image_id": 1, "category_id": 1, **drawn} for i, drawn in enumerate(DRAWN)],
    }
    found = read_coco(json.dumps(content).encode(), source="truth.json")
    assert [ShapeKind(kind) for kind in found.kind] == [
        *(ShapeKind.BOX, ShapeKind.POLYGON, ShapeKind.SKELETON, ShapeKind.MASK, ShapeKind.POLYGON, ShapeKind.SKELETON)
    ]
    assert isinstance(found.shape_of, ShapeColumns)
    return found.shape_of


def test_a_polygon_has_its_own_rings_and_no_others(columns: ShapeColumns) -> None:
    polygon = columns(1)
    assert isinstance(polygon, Polygon)
    assert [ring.ravel().tolist() for ring in polygon.rings] == OUTLINE
    assert polygon.holes == ()


def test_a_skeleton_is_found_among_the_skeletons(columns: ShapeColumns) -> None:
    first, second = columns(2), columns(5)
    assert isinstance(first, Skeleton)
    assert isinstance(second, Skeleton)
    assert first.points.tolist() == [[1, 2], [8, 9]]
    assert (second.points[0].tolist(), second.visibility.tolist()) == ([3, 4], [1, 0])


def test_other_shapes_are_kept_one_by_one(columns: ShapeColumns) -> None:
    mask = columns(3)
    assert isinstance(mask, Mask)
    assert mask.runs.tolist() == [5, 2, 5]


def test_rings_that_cross_themselves_are_marked(columns: ShapeColumns) -> None:
    assert columns.crossing is not None
    assert columns.rings.owner[columns.crossing].tolist() == [4]
    assert np.array_equal(columns.rings.owner, [1, 1, 4])
