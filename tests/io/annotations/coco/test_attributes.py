"""What is told of COCO's shapes that are scored as they stand."""

import json

import numpy as np
import pytest

from assay.annotations.shapes.shapes import ShapeKind
from assay.io.annotations.coco.attributes import painted_masks, read_attributes
from assay.io.annotations.coco.document import CocoAnnotation
from assay.io.annotations.coco.reader import read_coco
from assay.io.annotations.columns import ProblemTally

BOW_TIE = [[0, 0, 10, 10, 10, 0, 0, 10]]


def problems(*rows: dict[str, object], **category: object) -> dict[str, str]:
    document = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": 20, "height": 20}],
        "categories": [{"id": 1, "name": "cat", **category}],
        "annotations": [{"id": i, "image_id": 1, "category_id": 1, **row} for i, row in enumerate(rows, start=5)],
    }
    found = read_coco(json.dumps(document).encode(), source="s")
    return {problem.what: problem.where for problem in found.problems}


@pytest.mark.parametrize(
    ("row", "what", "where"),
    [
        ({"bbox": [1, 1, 0, 5]}, "a box has no area", "image 'a.jpg', annotation 5"),
        (
            {"segmentation": {"size": [2, 2], "counts": [1, 3]}},
            "a mask is not of its image's size: it is laid at the image's upper left corner",
            "image 'a.jpg', annotation 5",
        ),
        (
            {"segmentation": BOW_TIE},
            "a polygon's outline crosses itself: the area it encloses is scored",
            "image 'a.jpg', annotation 5",
        ),
        (
            {"keypoints": [1, 1, 2], "segmentation": BOW_TIE},
            "an annotation has keypoints and an outline: the keypoints are scored",
            "annotation 5",
        ),
        ({"keypoints": [1, 1, 2]}, "a label does not name all its keypoints: others go by number", "annotation 5"),
        (
            {"keypoints": [1, 1, 2], "face_box": [1, 1, 2, 2]},
            "boxes of face and hands (COCO-WholeBody) are not scored",
            "annotation 5",
        ),
    ],
)
def test_each_is_told_with_its_place(row: dict[str, object], what: str, where: str) -> None:
    assert problems(row)[what] == where


def test_nothing_is_told_of_what_is_as_it_should_be() -> None:
    whole = {"size": [20, 20], "counts": [0, 400]}
    assert problems({"bbox": [1, 1, 2, 2]}, {"segmentation": whole}, {"segmentation": [[0, 0, 4, 0, 4, 4]]}) == {}
    assert problems({"keypoints": [1, 1, 2]}, keypoints=["nose"]) == {}


def test_turns_occlusion_and_tracks_have_columns_of_their_own() -> None:
    stated = {1: {"rotation": 370, "occluded": True, "track_id": 3, "keyframe": True, "color": " red "}}
    kinds = np.full(2, ShapeKind.BOX, np.int16)
    annotations: list[CocoAnnotation[None]] = [CocoAnnotation(1, 1, id=5), CocoAnnotation(1, 1, id=6)]
    columns = read_attributes(stated, annotations, kinds, ProblemTally())
    assert columns["attributes"] == {1: {"occluded": True, "color": "red"}}
    assert columns["rotation"].tolist() == [0, 10]
    assert (columns["occluded"].tolist(), columns["track"].tolist()) == ([False, True], [-1, 3])


def test_a_mask_that_is_a_crowd_is_painted_when_it_says_whether_it_is_occluded() -> None:
    painted = painted_masks(4, {0: {}, 1: {"occluded": False}, 3: {"occluded": "no"}})
    assert painted.tolist() == [False, True, False, False]
