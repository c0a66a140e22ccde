"""KITTI's labels: boxes in the image, regions to leave alone, and 3-D boxes said not to be scored."""

from pathlib import Path

import pytest

from assay.annotations.shapes.shapes import Box
from assay.errors import InputError
from assay.io.annotations.datasets.kitti import read_kitti
from fuzz.seed_datasets import KITTI
from tests.io.annotations.datasets.dataset_files import labels_of, lost, read_file, read_zip


def test_one_file_is_one_image(tmp_path: Path) -> None:
    annotations = read_file(tmp_path, "000001.txt", KITTI)

    assert annotations.format == "KITTI"
    assert [image.name for image in annotations.images] == ["000001"]
    assert labels_of(annotations) == ["Car", "Pedestrian", "DontCare"]
    assert annotations.shape(0) == Box(59.4, 15.4, 62.7, 18.2)
    assert annotations.attributes == {
        0: {"truncated": 0.0, "occluded": 0.0},
        1: {"truncated": 0.2, "occluded": 2.0},
    }
    assert annotations.crowd is not None
    assert annotations.crowd.tolist() == [False, False, True]
    assert annotations.confidence is not None
    assert annotations.confidence[1] == 0.93
    assert [(p.what, p.count) for p in annotations.problems] == [
        ("KITTI's 3-D boxes are not scored: the boxes in the image are", 2)
    ]


def test_an_empty_file_beside_others_is_an_image_without_objects(tmp_path: Path) -> None:
    annotations = read_zip(tmp_path, {"label_2/000001.txt": KITTI, "label_2/000002.txt": b""})
    assert [image.name for image in annotations.images] == ["000001", "000002"]


def test_rows_that_are_none_are_counted_or_refused() -> None:
    annotations = read_kitti([("a.txt", KITTI + b"Car 1 2\nCar x 0 0 1 1 2 2 0 0 0 0 0 0 0\n")], source="a")
    assert lost(annotations) == ["a row has 3 fields and not 15", "'x' is not a number"]
    with pytest.raises(InputError, match="no rows of KITTI"):
        read_kitti([("a.txt", b"a b c")], source="a")
