"""COCO panoptic: pixels where the PNG is there, boxes where it is not."""

from pathlib import Path

import pytest

from assay.annotations.shapes.shapes import Mask
from assay.errors import InputError
from assay.io.annotations.datasets.panoptic import read_panoptic, segment_ids
from assay.io.annotations.files import read_annotations
from fuzz.seed_datasets import panoptic, panoptic_file
from tests.io.annotations.datasets.dataset_files import labels_of, read_file
from tests.paths import SHARED

GOLDEN = SHARED / "golden/annotations/open-edge-platform__datumaro"


def test_segments_are_the_pixels_of_their_color(tmp_path: Path) -> None:
    annotations = read_file(tmp_path, "student.zip", panoptic()[0])

    assert annotations.format == "COCO panoptic"
    assert labels_of(annotations) == ["car", "sky"]
    mask = annotations.shape(0)
    assert isinstance(mask, Mask)
    assert (mask.left, mask.top, mask.width, mask.height, mask.runs.tolist()) == (0, 1, 3, 1, [0, 3])
    assert annotations.crowd is not None
    assert annotations.crowd.tolist() == [False, True]
    assert annotations.problems == ()


def test_without_the_png_boxes_are_scored_and_it_is_said(tmp_path: Path) -> None:
    annotations = read_file(tmp_path, "student.json", panoptic_file())
    assert annotations.counts() == {"box": 2}
    assert "PNG files that were not handed in" in annotations.problems[0].what


@pytest.mark.skipif(not GOLDEN.exists(), reason="needs ../shared")
def test_a_real_file_of_datumaro_has_its_segments(tmp_path: Path) -> None:
    start = "tests__assets__coco_dataset__coco__annotations__"
    (tmp_path / "panoptic_val.json").write_bytes((GOLDEN / f"{start}panoptic_val.json").read_bytes())
    (tmp_path / "b.png").write_bytes((GOLDEN / f"{start}panoptic_val__b.png").read_bytes())
    annotations = read_annotations(tmp_path)
    assert annotations.counts() == {"mask": len(annotations)}
    # the area that the file states is the number of pixels
    pixels = [
        int(mask.runs[1::2].sum()) for i in range(len(annotations)) if isinstance(mask := annotations.shape(i), Mask)
    ]
    assert pixels[0] == 20


def test_a_color_is_a_number() -> None:
    with pytest.raises(InputError, match="no PNG"):
        segment_ids(b"hello")
    assert read_panoptic(panoptic_file(), source="a", prefer="box").counts() == {"box": 2}
