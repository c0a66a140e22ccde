"""VGG VIA: projects, exports as JSON and CSV, of both versions; which attribute is the class."""

from math import degrees
from pathlib import Path

import pytest

from assay.annotations.shapes.shapes import Box, Ellipse
from assay.errors import InputError
from assay.io.annotations.datasets.via import class_attribute, read_via
from fuzz.seed_datasets import VIA_CSV, via
from tests.io.annotations.datasets.dataset_files import labels_of, lost, read_file


@pytest.mark.parametrize("content", via(), ids=["project", "export", "version 1"])
def test_every_shape_of_each_kind_of_file(tmp_path: Path, content: bytes) -> None:
    annotations = read_file(tmp_path, "student.json", content)

    assert annotations.format == "VGG VIA"
    assert annotations.counts() == {"box": 1, "polygon": 1, "polyline": 1, "points": 1, "ellipse": 2}
    assert labels_of(annotations) == ["car"] * 6
    assert annotations.attributes[0] == {"color": "red"}
    assert annotations.shape(0) == Box(1, 2, 31, 42)
    ellipse = annotations.shape(2)
    assert isinstance(ellipse, Ellipse)
    assert ellipse.rotation == pytest.approx(degrees(0.3))


def test_an_export_as_csv_keeps_images_without_regions(tmp_path: Path) -> None:
    annotations = read_file(tmp_path, "student.csv", VIA_CSV)
    assert [image.name for image in annotations.images] == ["a.png", "b.png"]
    assert labels_of(annotations) == ["car"]


@pytest.mark.parametrize(
    ("regions", "name"),
    [
        ([{"color": "red", "Class": "car"}], "Class"),
        ([{"species": "cat"}], "species"),
        ([{"a": "1", "b": "2"}, {"b": "3"}], "b"),
        ([], ""),
    ],
)
def test_the_class_is_the_attribute_called_so_or_the_one_all_have(regions: list[dict[str, str]], name: str) -> None:
    assert class_attribute(regions) == name


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(InputError, match="names no images"):
        read_via(b'{"_via_img_metadata": {}}', source="a")
    regions = b'[{"shape_attributes": {"name": "rect", "x": "1"}}, {"shape_attributes": {"name": "star"}}]'
    annotations = read_via(b'{"a": {"filename": "a", "regions": ' + regions + b"}}", source="a")
    assert lost(annotations) == ["x is not a number", "a shape of type 'star' is not known"]
