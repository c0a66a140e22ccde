"""Real files written by others are read with nothing lost.

The files are not part of the project: they lie in ../shared/golden/annotations beside the repository, or where
ASSAY_SHARED points to. What is expected of each file is stated in a table, and counted once more from the file with
nothing but the standard library.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import Mask, Polygon, ShapeKind, Skeleton
from assay.errors import InputError
from assay.io.annotations.files import read_annotations
from tests.paths import SHARED

FOLDER = SHARED / "golden" / "annotations"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the golden annotation files are not in {FOLDER}")

CROSSES = "a polygon's outline crosses itself: the area it encloses is scored"
CLOSED = "a polygon repeats its first point at the end: the repetition was dropped"
UNLABELLED = "keypoints are all unlabelled: the annotation is not scored, as in COCO"
BOTH = "an annotation has keypoints and an outline: the keypoints are scored"
UNNAMED = "a label does not name all its keypoints: others go by number"
NO_LABEL = "an annotation has no label"
PARTS = "boxes of face and hands (COCO-WholeBody) are not scored"


class Expected(NamedTuple):
    images: int
    kinds: Mapping[str, int]
    mended: Mapping[str, int] = {}
    lost: Mapping[str, int] = {}
    truth: str = ""
    """The ground truth a list of results belongs to."""


FASTER, CVAT, DATUMARO, MMPOSE, COCOAPI, OLD_DATUMARO, MARKUP = (
    "MiXaiLL76__faster_coco_eval/tests__",
    "cvat-ai__cvat/tests__python__shared__assets__",
    "open-edge-platform__datumaro/tests__assets__",
    "open-mmlab__mmpose/tests__data__",
    "cocodataset__cocoapi/results__",
    "cvat-ai__datumaro/tests__assets__cvat_dataset__",
    "MaxKuklaVod__comparing-data-markup/resourses__",
)
COCO_100 = f"{FASTER}dataset__cocoapi__instances_val2014_100.json"

PANOPTIC = f"{DATUMARO}coco_dataset__coco__annotations__panoptic_val.json"
READ: Mapping[str, Expected] = {
    PANOPTIC: Expected(
        1,
        {"box": 2},
        {"the outlines of segments are in PNG files that were not handed in: their boxes are scored": 2},
    ),
    f"{MARKUP}cvat__exported_annotations__annotations.xml": Expected(14, {"box": 24}),
    "Monomoskin__cell-backend2/annotations__annotations.xml": Expected(
        478, {"polygon": 803, "polyline": 189, "ellipse": 235}, {CROSSES: 206}
    ),
    f"{OLD_DATUMARO}for_images__train.xml": Expected(
        2, {"box": 1, "polygon": 1, "polyline": 1, "points": 1, "skeleton": 2}, {NO_LABEL: 2}
    ),
    f"{OLD_DATUMARO}for_video__annotations.xml": Expected(4, {"box": 1, "polyline": 1, "points": 1, "skeleton": 3}),
    f"{DATUMARO}cvat_dataset__for_images__export_project__annotations.xml": Expected(
        6, {"box": 3, "polygon": 3, "polyline": 3, "points": 3}
    ),
    f"{DATUMARO}cvat_dataset__for_images__export_task__train.xml": Expected(
        2, {"box": 1, "polygon": 1, "polyline": 1, "points": 1}, {NO_LABEL: 2}
    ),
    f"{DATUMARO}cvat_dataset__for_video__annotations.xml": Expected(4, {"box": 1, "polyline": 1, "points": 1}),
    COCO_100: Expected(100, {"polygon": 830, "mask": 9}, {CROSSES: 2}),
    f"{FASTER}dataset__cocoapi__instances_val2014_fakebbox100_results.json": Expected(
        100, {"box": 734}, truth=COCO_100
    ),
    f"{FASTER}dataset__cocoapi__instances_val2014_fakesegm100_results.json": Expected(
        100, {"mask": 734}, truth=COCO_100
    ),
    f"{COCOAPI}instances_val2014_fakebbox100_results.json": Expected(100, {"box": 734}, truth=COCO_100),
    f"{COCOAPI}instances_val2014_fakesegm100_results.json": Expected(100, {"mask": 734}, truth=COCO_100),
    f"{FASTER}dataset__gt_dataset.json": Expected(3, {"polygon": 9}),
    f"{FASTER}dataset__dt_dataset.json": Expected(3, {"polygon": 9}, truth=f"{FASTER}dataset__gt_dataset.json"),
    f"{FASTER}dataset__gt_ignore_test.json": Expected(1, {"box": 14}),
    f"{FASTER}dataset__dt_ignore_test.json": Expected(1, {"box": 63}, truth=f"{FASTER}dataset__gt_ignore_test.json"),
    f"{FASTER}dataset__example_crowdpose_val.json": Expected(4, {"skeleton": 10}, {UNLABELLED: 1}),
    f"{FASTER}dataset__example_crowdpose_preds.json": Expected(
        4, {"skeleton": 15}, truth=f"{FASTER}dataset__example_crowdpose_val.json"
    ),
    f"{FASTER}keypoints_dataset__gt_dataset.json": Expected(1, {"skeleton": 14}, {UNLABELLED: 3}),
    f"{FASTER}keypoints_dataset__dt_dataset.json": Expected(
        1, {"skeleton": 128}, truth=f"{FASTER}keypoints_dataset__gt_dataset.json"
    ),
    f"{FASTER}lvis_dataset__lvis_val_100.json": Expected(100, {"polygon": 977}, {CLOSED: 977}),
    f"{DATUMARO}coco_dataset__coco__annotations__instances_train.json": Expected(1, {"box": 1}),
    f"{DATUMARO}coco_dataset__coco__annotations__instances_val.json": Expected(1, {"polygon": 1, "mask": 1}),
    f"{DATUMARO}coco_dataset__coco__annotations__person_keypoints_train.json": Expected(
        1, {"skeleton": 1}, {UNNAMED: 1}
    ),
    f"{DATUMARO}coco_dataset__coco__annotations__person_keypoints_val.json": Expected(
        1, {"skeleton": 2}, {BOTH: 2, UNNAMED: 2}
    ),
    f"{DATUMARO}coco_dataset__coco__annotations__stuff_val.json": Expected(1, {"mask": 1}),
    f"{DATUMARO}coco_dataset__coco_roboflow__val___annotations.coco.json": Expected(1, {"polygon": 1, "mask": 1}),
    f"{MMPOSE}ap10k__test_ap10k.json": Expected(2, {"skeleton": 2}),
    f"{MMPOSE}coco__test_coco.json": Expected(4, {"skeleton": 14}, {UNLABELLED: 2, BOTH: 14}),
    f"{MMPOSE}coco__test_coco_det_AP_H_56.json": Expected(4, {"box": 118}, truth=f"{MMPOSE}coco__test_coco.json"),
    f"{MMPOSE}coco__test_coco_wholebody.json": Expected(
        4, {"skeleton": 14}, {UNLABELLED: 2, BOTH: 14, UNNAMED: 14}, {PARTS: 14}
    ),
    f"{MMPOSE}coco__test_keypoint_partition_metric.json": Expected(
        4, {"skeleton": 14}, {UNLABELLED: 2, BOTH: 14, UNNAMED: 14}, {PARTS: 14}
    ),
    f"{MMPOSE}crowdpose__test_crowdpose.json": Expected(2, {"skeleton": 5}, {UNLABELLED: 1}),
    f"{MMPOSE}ochuman__test_ochuman.json": Expected(3, {"skeleton": 5}, {BOTH: 5}),
}

REFUSED: Mapping[str, str] = {
    f"{MARKUP}label_studio__media__upload__11__6d68c3e9-coco_2017_val_100tasks.json": (
        "Label Studio tasks without annotations"
    ),
    # its shapes name frames and labels by numbers that only other tables of the server resolve
    f"{CVAT}annotations.json": "CVAT's own JSON, which names neither images nor labels",
    **{
        f"{CVAT}{name}.json": "is a page of CVAT's API"
        for name in ("jobs", "labels", "tasks", "quality_conflicts", "quality_reports", "quality_settings")
    },
    # no ground truth of these images is at hand; without one, results cannot be read
    f"{COCOAPI}person_keypoints_val2014_fakekeypoints100_results.json": "is a list of COCO results",
    f"{DATUMARO}coco_dataset__coco__annotations__panoptic_val__b.png": "is not text",
    f"{COCOAPI}val2014_fake_eval_res.txt": "it is text, but neither JSON nor XML",
}


def read(name: str) -> AnnotationSet:
    truth = READ[name].truth if name in READ else ""
    return read_annotations(FOLDER / name, like=read(truth) if truth else None)


def test_every_golden_file_is_in_one_of_the_tables() -> None:
    files = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()}
    words = {name for name in files if Path(name).name in {"README.md", "LICENSE", "license.txt"}}
    assert files - words == set(READ) | set(REFUSED)


@pytest.mark.parametrize("name", READ)
def test_images_annotations_and_problems_are_those_expected(name: str) -> None:
    found, expected = read(name), READ[name]
    assert len(found.images) == expected.images
    assert found.counts() == expected.kinds
    assert {p.what: p.count for p in found.problems if not p.lost} == expected.mended
    assert {p.what: p.count for p in found.problems if p.lost} == expected.lost


@pytest.mark.parametrize("name", REFUSED)
def test_what_holds_no_annotations_is_refused_and_named(name: str) -> None:
    with pytest.raises(InputError) as refused:
        read(name)
    assert REFUSED[name] in str(refused.value)
    assert str(refused.value).startswith(Path(name).name)


# counted once more from the files themselves

COCO_FILES = [name for name in READ if name.endswith(".json") and name != PANOPTIC]


def coco_kind(annotation: Mapping[str, Any]) -> str:
    if annotation.get("keypoints"):
        return "skeleton"
    outline = annotation.get("segmentation")
    return ("mask" if isinstance(outline, dict) else "polygon") if outline else "box"


@pytest.mark.parametrize("name", COCO_FILES)
def test_coco_annotations_are_as_many_as_a_plain_walk_finds(name: str) -> None:
    document = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    rows: Sequence[Any] = document if isinstance(document, list) else document["annotations"]
    found = read(name)
    assert found.counts() == dict(Counter(coco_kind(row) for row in rows))
    if isinstance(document, dict):
        assert [image.name for image in found.images] == [image["file_name"] for image in document["images"]]
        assert found.ids == tuple(str(row["id"]) for row in rows)
        names = {category["id"]: category["name"] for category in document["categories"]}
        assert [found.labels[i] for i in found.label] == [names[row["category_id"]] for row in rows]


@pytest.mark.parametrize("name", COCO_FILES)
def test_coco_shapes_hold_every_number_of_the_file(name: str) -> None:
    document = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    rows = document if isinstance(document, list) else document["annotations"]
    found = read(name)
    for i, row in enumerate(rows):
        shape = found.shape(i)
        if isinstance(shape, Polygon):
            rings = [np.reshape(ring, (-1, 2)) for ring in row["segmentation"]]
            assert len(shape.rings) == len(rings)
            for ring, stated in zip(shape.rings, rings, strict=True):
                closed = (stated[0] == stated[-1]).all()
                np.testing.assert_array_equal(ring, stated[:-1] if closed else stated)
        elif isinstance(shape, Skeleton):
            stated = np.reshape(row["keypoints"], (-1, 3))
            np.testing.assert_array_equal(shape.points[: len(stated)], stated[:, :2])
        elif isinstance(shape, Mask):
            assert [shape.height, shape.width] == row["segmentation"]["size"]
        else:
            x, y, width, height = row["bbox"]
            assert found.bounds[i].tolist() == pytest.approx([x, y, x + width, y + height])


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # pycocotools' own
@pytest.mark.parametrize("name", [name for name in READ if READ[name].kinds.get("mask")])
def test_masks_are_those_of_pycocotools(name: str) -> None:
    from pycocotools import mask as pycoco_mask

    document = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    rows = document if isinstance(document, list) else document["annotations"]
    found = read(name)
    for i in np.flatnonzero(found.kind == ShapeKind.MASK).tolist()[:60]:
        stated, mask = rows[i]["segmentation"], found.shape(i)
        assert isinstance(mask, Mask)
        if isinstance(stated["counts"], list):
            stated = pycoco_mask.frPyObjects(stated, *stated["size"])
        pixels = pycoco_mask.decode(stated)
        drawn = np.repeat(np.arange(mask.runs.size) % 2, mask.runs).reshape(mask.width, mask.height).T
        assert (drawn == pixels).all()
        rows_drawn, columns_drawn = np.nonzero(pixels)
        expected = [columns_drawn.min(), rows_drawn.min(), columns_drawn.max() + 1, rows_drawn.max() + 1]
        assert found.bounds[i].tolist() == expected


@pytest.mark.parametrize("name", [name for name in READ if name.endswith(".xml") and "video" not in name])
def test_cvat_annotations_are_as_many_as_a_plain_walk_finds(name: str) -> None:
    root = ElementTree.parse(FOLDER / name).getroot()
    images = root.findall("image")
    found = read(name)
    assert len(found.images) == len(images)
    assert found.counts() == dict(Counter(child.tag for image in images for child in image))
    drawn = [child for image in images for child in image]
    assert [found.labels[i] for i in found.label] == [child.get("label") for child in drawn]
    attributes = [{a.get("name"): a.text or None for a in child.findall("attribute")} for child in drawn]
    assert [found.attributes.get(i, {}) for i in range(len(found))] == attributes
    numbers = sum(
        len(child.get("points", "").replace(";", ",").split(",")) for child in drawn if child.tag == "polygon"
    )
    polygons = [found.shape(i) for i in np.flatnonzero(found.kind == ShapeKind.POLYGON).tolist()]
    assert sum(2 * len(p.rings[0]) for p in polygons if isinstance(p, Polygon)) == numbers


@pytest.mark.parametrize("name", [name for name in READ if name.endswith(".xml") and "video" in name])
def test_cvat_tracks_have_every_row_that_is_not_outside(name: str) -> None:
    root = ElementTree.parse(FOLDER / name).getroot()
    tracks = root.findall("track")
    rows = [row for track in tracks for row in track if row.tag != "track" and row.get("outside") != "1"]
    found = read(name)
    assert found.counts() == dict(Counter(row.tag for row in rows))
    assert [found.images[i].name for i in found.image] == [f"frame_{int(row.get('frame', '')):06d}" for row in rows]
    assert found.track is not None
    assert set(found.track.tolist()) == {i for i, track in enumerate(tracks) if any(row in rows for row in track)}


def test_a_joint_that_is_outside_is_absent_in_old_skeleton_tracks() -> None:
    found = read(f"{OLD_DATUMARO}for_video__annotations.xml")
    skeletons = [found.shape(i) for i in np.flatnonzero(found.kind == ShapeKind.SKELETON).tolist()]
    assert [s.visibility.tolist() for s in skeletons if isinstance(s, Skeleton)] == [
        [2] * 4,
        [2, 2, 0, 2],
        [2, 2, 0, 2],
    ]


def test_names_that_collide_across_subsets_are_told_apart() -> None:
    found = read(f"{DATUMARO}cvat_dataset__for_images__export_project__annotations.xml")
    assert [image.name for image in found.images][:3] == ["Test/img0.jpg", "Test/img1.jpg", "Train/img0.jpg"]


def test_crowd_regions_are_those_flagged() -> None:
    found = read(COCO_100)
    assert found.crowd is not None
    assert (found.crowd == (found.kind == ShapeKind.MASK)).all()
