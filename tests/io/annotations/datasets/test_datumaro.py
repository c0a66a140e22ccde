"""Datumaro's JSON: every type of annotation, joints, crowds, and what is refused by name."""

import json
from pathlib import Path

import numpy as np
import pytest

from assay.annotations.shapes.shapes import Box, Mask, Polyline, Skeleton
from assay.errors import InputError
from assay.io.annotations.datasets.datumaro import read_datumaro
from fuzz.seed_datasets import datumaro
from tests.io.annotations.datasets.dataset_files import labels_of, lost, read_file


def test_every_type_is_read_or_refused_by_name(tmp_path: Path) -> None:
    annotations = read_file(tmp_path, "student.json", datumaro()[0])

    assert annotations.format == "Datumaro"
    assert [image.name for image in annotations.images] == ["a.png"]
    assert (annotations.images[0].width, annotations.images[0].height) == (100, 80)
    assert annotations.counts() == {
        **{"box": 2, "polygon": 1, "mask": 2, "polyline": 1, "skeleton": 2, "ellipse": 1, "tag": 1},
    }
    assert lost(annotations) == [
        "a 3-D cuboid is not scored: only shapes in the image are",
        "an annotation of type 'caption' is not scored",
    ]
    assert annotations.shape(0) == Box(1, 2, 31, 42, 5.0)
    assert annotations.attributes[0] == {"color": "red"}
    assert annotations.occluded is not None
    assert annotations.occluded.tolist()[:2] == [True, False]
    assert annotations.crowd is not None
    assert np.flatnonzero(annotations.crowd).size == 1
    assert annotations.group is not None
    assert labels_of(annotations)[4] == "dog"


def test_points_with_as_many_joints_as_the_label_has_are_a_skeleton() -> None:
    annotations = read_datumaro(datumaro()[0], source="a")
    skeleton = annotations.shape(4)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.names == ("head", "tail")
    assert skeleton.visibility.tolist() == [2, 1]
    assert annotations.definitions[1].keypoints == ("head", "tail")


def test_a_mask_in_runs_of_numbers_is_that_in_runs_of_text() -> None:
    annotations = read_datumaro(datumaro()[0], source="a")
    masks = [shape for i in range(len(annotations)) if isinstance(shape := annotations.shape(i), Mask)]
    assert [mask.runs.tolist() for mask in masks] == [[0, 20, 4], [20, 4]]
    assert isinstance(annotations.shape(3), Polyline)


@pytest.mark.parametrize(
    ("annotation", "problem"),
    [
        ({"type": "bbox", "bbox": [1, 2, 3]}, "bbox is not a list of 4 numbers"),
        ({"type": "bbox", "bbox": [1, 2, 3, 1e99]}, "bbox is not finite"),
        ({"type": "polygon", "points": [1, 2, 3]}, "pairs x, y"),
        ({"type": "mask", "rle": {"counts": [5], "size": [4, 6]}}, "add up to 5"),
        ({"type": "mask"}, "no run lengths"),
        ({"type": "skeleton"}, "no points"),
        ({}, "type ''"),
    ],
)
def test_what_cannot_be_used_is_counted(annotation: dict[str, object], problem: str) -> None:
    item = {"id": "a", "annotations": [annotation]}
    document = {"categories": {"label": {"labels": [{"name": "car"}]}}, "items": [item]}
    annotations = read_datumaro(json.dumps(document).encode(), source="a")
    assert len(annotations) == 0
    assert problem in lost(annotations)[0]


def test_an_image_listed_twice_or_of_a_negative_size_is_refused() -> None:
    twice = {"categories": {}, "items": [{"id": "a"}, {"id": "a"}]}
    negative = {"categories": {}, "items": [{"id": "a", "image": {"size": [-1, 5]}}]}
    for document, problem in ((twice, "listed twice"), (negative, "negative")):
        with pytest.raises(InputError, match=problem):
            read_datumaro(json.dumps(document).encode(), source="a")
