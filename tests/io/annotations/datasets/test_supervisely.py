"""Supervisely: a file per image, bitmaps, holes, graphs, and 3-D cuboids refused by name."""

import json
from pathlib import Path

import pytest

from assay.annotations.shapes.shapes import Box, Cuboid, Mask, Polygon, Skeleton
from assay.errors import InputError
from assay.io.annotations.datasets.supervisely import read_supervisely
from fuzz.seed_datasets import supervisely_file
from tests.io.annotations.datasets.dataset_files import lost, read_zip


def test_a_project_is_read_by_the_names_of_its_images(tmp_path: Path) -> None:
    files = {"ds/ann/a.jpg.json": supervisely_file(), "ds/ann/b.jpg.json": supervisely_file()}
    meta = json.dumps({"classes": [{"title": "car"}], "tags": [], "projectType": "images"}).encode()
    annotations = read_zip(tmp_path, {**files, "meta.json": meta})

    assert annotations.format == "Supervisely"
    assert [image.name for image in annotations.images] == ["a.jpg", "b.jpg"]
    assert lost(annotations) == ["a 3-D cuboid is not scored: only shapes in the image are"]


def test_every_shape_with_its_tags() -> None:
    annotations = read_supervisely([("a.jpg.json", supervisely_file())], source="a")
    shapes = [annotations.shape(i) for i in range(len(annotations))]

    assert annotations.counts()["tag"] == 2  # those of the image
    box, polygon, _, _, mask, graph, cuboid = shapes[2:]
    assert box == Box(1, 1, 20, 20)
    assert isinstance(polygon, Polygon)
    assert len(polygon.holes) == 1
    assert isinstance(mask, Mask)
    assert (mask.left, mask.top, mask.width, mask.height) == (4, 5, 3, 2)
    assert isinstance(graph, Skeleton)
    assert (graph.names, graph.visibility.tolist()) == (("head", "tail"), [1, 2])
    assert isinstance(cuboid, Cuboid)
    assert annotations.attributes[2] == {"color": "red", "night": True}


@pytest.mark.parametrize(
    ("stated", "problem"),
    [
        ({"geometryType": "rectangle", "points": {"exterior": [[1, 1]]}}, "two points"),
        ({"geometryType": "bitmap", "bitmap": {"origin": [0, 0], "data": "!!"}}, "zlib in base64"),
        ({"geometryType": "bitmap", "bitmap": {"origin": [0, 0]}}, "no pixels"),
        ({"geometryType": "graph", "nodes": {}}, "no nodes"),
        ({"geometryType": "cuboid", "points": [[1, 1]]}, "eight points"),
        ({"geometryType": "blob"}, "'blob' is not known"),
    ],
)
def test_what_cannot_be_used_is_counted(stated: dict[str, object], problem: str) -> None:
    content = json.dumps({"size": {"width": 5, "height": 5}, "objects": [stated]}).encode()
    annotations = read_supervisely([("a.json", content)], source="a")
    assert problem in lost(annotations)[0]


def test_a_negative_size_is_refused() -> None:
    content = json.dumps({"size": {"width": -5, "height": 5}, "objects": []}).encode()
    with pytest.raises(InputError, match="negative"):
        read_supervisely([("a.json", content)], source="a")
