"""Skeletons in pictures: bones where a file says which joints belong together, joints alone where none does."""

import json

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import Image, LabelDefinition
from assay.annotations.shapes.shapes import Box, Skeleton
from assay.io.annotations.coco.reader import read_coco
from assay.io.annotations.cvat import read_cvat
from assay.io.annotations.writers import coco_json
from assay.report.annotations.outlines import drawn_shape
from assay.report.annotations.overlay import MarkedShape, overlay_of
from tests.paths import SHARED

GOLDEN = SHARED / "golden/annotations"
POSE = Skeleton(("head", "neck", "hand"), np.array([[5.0, 1], [5, 4], [9, 6]]), np.array([2, 2, 0], np.int8))
NAMES = ["head", "neck", "hand"]


def coco(skeleton: object) -> bytes:
    return json.dumps(
        {
            "images": [{"id": 1, "file_name": "a.jpg", "width": 20, "height": 20}],
            "categories": [{"id": 1, "name": "person", "keypoints": NAMES, "skeleton": skeleton}],
            "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "keypoints": [5, 1, 2, 5, 4, 2, 9, 6, 2]}],
        }
    ).encode()


def cvat(drawing: str) -> bytes:
    joints = "".join(f"<label><name>{name}</name><type>points</type><parent>person</parent></label>" for name in NAMES)
    return (
        "<annotations><version>1.1</version><meta><job><labels>"
        f"<label><name>person</name><type>skeleton</type><svg>{drawing}</svg></label>{joints}"
        '</labels></job></meta><image id="0" name="a.jpg" width="20" height="20"><skeleton label="person">'
        '<points label="head" points="5,1"/><points label="neck" points="5,4"/></skeleton></image></annotations>'
    ).encode()


def lines(skeleton: Skeleton, bones: tuple[tuple[str, str], ...]) -> list[tuple[tuple[float, float], ...]]:
    return [outline.points for outline in drawn_shape(skeleton, bones)[0] if not outline.closed]


def test_a_bone_joins_two_joints_that_are_both_there() -> None:
    assert lines(POSE, (("head", "neck"), ("neck", "hand"), ("neck", "tail"))) == [((5.0, 1.0), (5.0, 4.0))]
    assert drawn_shape(POSE, (("head", "neck"),))[1] == ((5.0, 1.0), (5.0, 4.0))


def test_without_bones_there_are_joints_within_a_frame() -> None:
    outlines, dots = drawn_shape(POSE)
    assert [outline.closed for outline in outlines] == [True]
    assert len(dots) == 2


def test_bones_say_nothing_about_other_shapes() -> None:
    assert drawn_shape(Box(0, 0, 5, 5), (("head", "neck"),)) == drawn_shape(Box(0, 0, 5, 5))


@pytest.mark.parametrize(
    ("stated", "bones"),
    [
        ([[1, 2], [2, 3]], (("head", "neck"), ("neck", "hand"))),
        ([[1, 2], [3, 9], [0, 1], [1], "x", [1, "2"]], (("head", "neck"),)),
        (None, ()),
        ("1-2", ()),
        ({"1": 2}, ()),
    ],
)
def test_coco_names_bones_by_position_and_what_is_odd_is_passed_over(
    stated: object, bones: tuple[tuple[str, str], ...]
) -> None:
    found = read_coco(coco(stated), source="truth.json")
    assert found.definitions == (LabelDefinition("person", (), tuple(NAMES), bones),)
    assert found.problems == ()


def test_cvat_draws_bones_as_lines_between_circles() -> None:
    nodes = "".join(
        f'&lt;circle data-node-id="{i}" data-label-name="{name}"&gt;&lt;/circle&gt;' for i, name in enumerate(NAMES, 7)
    )
    edges = '&lt;line data-type="edge" data-node-from="7" data-node-to="8"&gt;&lt;/line&gt;'
    lost = '&lt;line data-node-from="7" data-node-to="99"&gt;&lt;/line&gt;'
    (definition,) = read_cvat(cvat(edges + lost + nodes), source="truth.xml").definitions
    assert definition.bones == (("head", "neck"),)
    assert read_cvat(cvat("&lt;line broken"), source="truth.xml").definitions[0].bones == ()


def test_a_picture_takes_bones_from_whichever_file_has_them() -> None:
    truth = read_coco(coco([[1, 2], [2, 3]]), source="truth.json")
    student = read_cvat(cvat(""), source="student.xml")
    marked = [MarkedShape(truth, 0, "truth", "truth"), MarkedShape(student, 0, "submission", "submission")]

    overlay = overlay_of(Image("a.jpg", 20, 20), marked, lambda _: None, says="Two poses.")

    assert overlay is not None
    assert [len(shape.outlines) for shape in overlay.shapes] == [2, 1]


def test_bones_are_written_to_coco_and_come_back() -> None:
    found = read_coco(coco([[1, 2]]), source="truth.json")
    assert read_coco(coco_json(found).encode(), source="again.json").definitions == found.definitions


@pytest.mark.skipif(not GOLDEN.exists(), reason="needs the golden annotations in ../shared")
def test_the_bones_of_a_real_cvat_file_are_found() -> None:
    file = GOLDEN / "cvat-ai__datumaro/tests__assets__cvat_dataset__for_images__train.xml"
    bones = {d.name: d.bones for d in read_cvat(file.read_bytes(), source=file.name).definitions if d.bones}
    assert set(bones.values()) == {(("3", "2"), ("1", "4"))}
