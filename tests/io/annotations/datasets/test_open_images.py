"""Open Images: boxes in shares of the image, groups that are not scored, names of classes beside them."""

from pathlib import Path

import pytest

from assay.annotations.shapes.annotation_set import Image
from assay.annotations.shapes.shapes import Box
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.datasets.open_images import read_open_images
from fuzz.seed_datasets import CLASSES, OPEN_IMAGES
from tests.io.annotations.datasets.dataset_files import labels_of, lost, read_file, read_zip


def test_without_sizes_images_are_one_unit_wide_and_high(tmp_path: Path) -> None:
    annotations = read_file(tmp_path, "boxes.csv", OPEN_IMAGES)

    assert annotations.format == "Open Images"
    assert annotations.images == (Image("a", 1, 1),)
    assert annotations.shape(0) == Box(0.1, 0.2, 0.5, 0.6)
    assert labels_of(annotations) == ["/m/01g317", "/m/0k4j"]
    assert annotations.crowd is not None
    assert annotations.crowd.tolist() == [False, True]
    assert annotations.attributes[1] == {"occluded": False, "truncated": False, "depiction": False}
    assert annotations.confidence is not None


def test_the_ground_truth_gives_sizes(tmp_path: Path) -> None:
    columns = AnnotationColumns()
    columns.add_image(Image("a.jpg", 100, 50))
    annotations = read_file(tmp_path, "boxes.csv", OPEN_IMAGES, like=columns.finished(source="t", format="COCO"))
    assert annotations.images == (Image("a.jpg", 100, 50),)
    assert annotations.shape(0) == Box(10, 10, 50, 30)


def test_classes_have_the_names_of_the_list_beside_them(tmp_path: Path) -> None:
    annotations = read_zip(tmp_path, {"boxes.csv": OPEN_IMAGES, "class-descriptions-boxable.csv": CLASSES})
    assert labels_of(annotations) == ["Person", "Car"]


def test_rows_that_are_none_are_counted_and_masks_refused_by_name(tmp_path: Path) -> None:
    head = OPEN_IMAGES.splitlines()[0] + b"\n"
    rows = b",x,/m/1,1,0,1,0,1,0,0,0,0,0\na,x,/m/1,1,0,7,0,1,0,0,0,0,0\na,x,/m/1,1,zero,1,0,1,0,0,0,0,0\n"
    annotations = read_open_images([("a.csv", head + rows)], source="a")
    assert lost(annotations) == [
        "a row names no image",
        "a box lies outside its image: its edges are shares from 0 to 1",
        "'zero' is not a number",
    ]
    with pytest.raises(InputError, match="masks of Open Images"):
        read_file(tmp_path, "masks.csv", b"MaskPath,ImageID,LabelName,BoxID\na.png,a,/m/1,1\n")
