"""LabelMe: every type of shape, and what becomes of bad ones."""

import base64
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import Box, Ellipse, Mask, Points, Polygon, Polyline, Tag
from assay.errors import InputError
from assay.io.annotations.files import read_annotations
from assay.io.annotations.labelme import read_labelme
from tests.io.annotations.submissions import read_submissions

SQUARE = [[0, 0], [4, 0], [4, 4]]


def labelme(*shapes: Any, **more: Any) -> bytes:
    whole: dict[str, Any] = {
        "version": "5.5.0",
        "flags": {},
        "shapes": list(shapes),
        "imagePath": "a.jpg",
        "imageData": None,
    }
    return json.dumps(whole | {"imageHeight": 80, "imageWidth": 100} | more).encode()


def shape(kind: str | None, points: Any, **more: Any) -> dict[str, Any]:
    return {"label": "cat", "points": points, "shape_type": kind, "flags": {}, "group_id": None} | more


def read(*shapes: Any, **more: Any) -> AnnotationSet:
    return read_labelme([("a.json", labelme(*shapes, **more))], source="student")


def png(pixels: list[list[int]]) -> str:
    stream = BytesIO()
    Image.fromarray(np.array(pixels, np.uint8)).save(stream, "PNG")
    return base64.b64encode(stream.getvalue()).decode()


def test_polygons_lines_and_points_are_read() -> None:
    found = read(
        shape("polygon", SQUARE),
        shape(None, SQUARE),
        shape("line", [[1, 1], [2, 5]]),
        shape("linestrip", [[1, 1], [2, 5], [3, 3]]),
        shape("point", [[3, 3.5]]),
        shape("points", [[3, 3], [9, 1]]),
    )
    assert [type(found.shape(i)) for i in range(6)] == [Polygon, Polygon, Polyline, Polyline, Points, Points]
    polygon = found.shape(0)
    assert isinstance(polygon, Polygon)
    assert polygon.rings[0].tolist() == SQUARE
    assert found.bounds[3].tolist() == [1, 1, 3, 5]
    assert (found.format, found.problems) == ("LabelMe", ())
    assert [(i.name, i.width, i.height) for i in found.images] == [("a.jpg", 100, 80)]


def test_a_rectangle_is_drawn_from_any_corner() -> None:
    assert read(shape("rectangle", [[9, 2], [1, 8]])).shape(0) == Box(1, 2, 9, 8)
    assert read(shape("rectangle", [[1, 2], [9, 2], [9, 8], [1, 8]])).shape(0) == Box(1, 2, 9, 8)


def test_a_turned_rectangle_is_a_box_with_a_rotation() -> None:
    box = read(shape("oriented_rectangle", [[5, 0], [10, 5], [7, 8], [2, 3]])).shape(0)
    assert isinstance(box, Box)
    assert box.rotation == pytest.approx(45)
    assert [box.right - box.left, box.bottom - box.top] == pytest.approx([50**0.5, 18**0.5])


def test_a_circle_is_its_centre_and_a_point_on_it() -> None:
    assert read(shape("circle", [[10, 10], [13, 14]])).shape(0) == Ellipse(10, 10, 5, 5)


def test_a_mask_lies_in_the_window_of_its_points() -> None:
    found = read(shape("mask", [[10, 20], [12, 21]], mask=png([[0, 1, 1], [1, 0, 0]])))
    mask = found.shape(0)
    assert isinstance(mask, Mask)
    assert (mask.left, mask.top, mask.width, mask.height, mask.by_column) == (10, 20, 3, 2, False)
    assert mask.runs.tolist() == [1, 3, 2]
    assert found.bounds[0].tolist() == [10, 20, 13, 22]


def test_flags_description_and_group_are_kept() -> None:
    found = read(
        shape("polygon", SQUARE, flags={"old": True, "wet": False}, description="by the door", group_id=0),
        shape("polygon", SQUARE, description="", attributes={"colour": "red", "seen": ["a"]}, difficult=True),
    )
    assert found.attributes[0] == {"old": True, "wet": False, "description": "by the door"}
    assert found.attributes[1] == {"colour": "red", "seen": '["a"]', "difficult": True}
    assert found.group is not None
    assert found.group.tolist() == [1, 0]


def test_flags_of_the_image_that_are_on_are_tags() -> None:
    found = read(flags={"indoor": True, "night": False})
    assert (found.labels, found.shape(0)) == (("indoor",), Tag())


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        (shape("polygon", [[0, 0], [1, 1]]), "a polygon has fewer than three points"),
        (shape("polygon", []), "points is missing or empty"),
        (shape("polygon", [[0, 0], [1], [2, 2]]), "something else than pairs"),
        (shape("polygon", [[0, 0], [1, "1"], [2, 2]]), "not a number"),
        (shape("polygon", [[0, 0], [1, True], [2, 2]]), "not a number"),
        (shape("polygon", [[0, 0], [1, 1e99], [2, 2]]), "not finite or beyond"),
        (shape("polygon", [[0, 0], [1, 10**400], [2, 2]]), "not finite or beyond"),
        (shape("rectangle", [[0, 0]]), "a rectangle has 1 points and not 2"),
        (shape("rotation", [[0, 0], [9, 9], [0, 9], [30, 2]]), "form no rectangle"),
        (shape("circle", SQUARE), "a circle has 3 points and not 2"),
        (shape("point", SQUARE), "a point has 3 points and not 1"),
        (shape("line", [[0, 0]]), "fewer than two points"),
        (shape("cuboid", SQUARE), "a shape of type 'cuboid' is not known"),
        (shape("mask", [[0, 0], [1, 1]]), "a mask has no pixels"),
        (shape("mask", [[0, 0], [1, 1]], mask="%%%"), "cannot be read: it is no PNG"),
        (shape("mask", [[0, 0], [1, 1]], mask="a"), "not in base64"),
        (shape("mask", [[0, 0], [1, 1]], mask=png([[1]])), "do not fit"),
        ("polygon", "a shape is no object"),
    ],
)
def test_what_cannot_be_scored_is_told_and_the_rest_is_read(bad: Any, what: str) -> None:
    found = read(shape("polygon", SQUARE), bad)
    assert len(found) == 1
    assert [(p.where, p.lost) for p in found.problems] == [("a.json, shape 2", True)]
    assert what in found.problems[0].what


def test_a_number_that_python_writes_as_nan_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(labelme(shape("polygon", [[0, 0], [1, float("nan")], [2, 2]])))
    assert "not a number" in read_annotations(path).problems[0].what


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (labelme(imageWidth=-1), r"a\.json: the size -1 x 80 is negative"),
        (labelme(imageWidth="wide"), r"a\.json: imageWidth or imageHeight is not a number"),
        (b'{"imagePath": "a.jpg"}', r"a\.json: it is no LabelMe file"),
        (b'{"shapes": {}, "imagePath": "a.jpg"}', "shapes is not a list"),
        (b'{"imagePath": "a.jpg", "shapes": [' + b"[" * 100_000, "nested too deeply"),
        (labelme()[:30], "breaks off"),
    ],
)
def test_a_file_that_is_broken_is_refused_by_name(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_labelme([("a.json", content)], source="s")


def test_folders_that_lead_out_are_no_part_of_an_image_s_name() -> None:
    assert read(imagePath="..\\shots\\a.jpg").images[0].name == "shots/a.jpg"
    assert read(imagePath=None).images[0].name == "a"


def test_a_folder_of_files_is_one_submission(tmp_path: Path) -> None:
    for student in ("alice", "bob"):
        (tmp_path / "class" / student).mkdir(parents=True)
        for i in "12":
            content = labelme(shape("polygon", SQUARE), imagePath=f"{i}.jpg")
            (tmp_path / "class" / student / f"{i}.json").write_bytes(content)
    found = read_submissions([tmp_path / "class"])
    assert [(s.student, s.error) for s in found] == [("alice", ""), ("bob", "")]
    assert found[1].annotations is not None
    assert [image.name for image in found[1].annotations.images] == ["1.jpg", "2.jpg"]


def test_a_number_that_no_float_holds_costs_its_shape_only() -> None:
    content = labelme(shape("polygon", [[1, 1], [9, 1], [9, 9]]), shape("line", [[1, 1], [2, 77]], flags={"n": 88}))
    for digits in (b"1e999", b"1" * 5000):
        annotations = read_labelme([("a.json", content.replace(b"77", digits))], source="a.json")
        assert len(annotations) == 1
        what = "points holds a number that is not finite or beyond 10000000"
        assert [problem.what for problem in annotations.problems] == [what]
    attributes = read_labelme([("a.json", content.replace(b"88", b"1e999"))], source="a.json").attributes
    assert attributes[1]["n"] == "inf"


@pytest.mark.parametrize(("stated", "group"), [(0, 1), ((1 << 62) - 1, 1 << 62), (1 << 62, 0), (-1, 0), (True, 0)])
def test_a_group_is_a_number_from_0(stated: Any, group: int) -> None:
    found = read(shape("polygon", SQUARE, group_id=stated), shape("polygon", SQUARE, group_id=7))
    assert found.group is not None
    assert found.group.tolist() == [group, 8]


def test_a_mask_fits_its_window_on_both_sides() -> None:
    pixels = png([[0, 1, 1], [1, 0, 0]])
    for corner in ((13, 21), (11, 21), (12, 22), (12, 20)):
        found = read(shape("mask", [[10, 20], list(corner)], mask=pixels))
        assert [p.what for p in found.problems] == ["the pixels of a mask do not fit the window of its two points"]


def test_a_rectangle_may_be_drawn_to_any_corner() -> None:
    for points in ([[1, 2], [9, 8]], [[9, 8], [1, 2]], [[1, 8], [9, 2]], [[9, 2], [1, 8]]):
        found = read(shape("rectangle", points))
        assert (found.shape(0), found.problems) == (Box(1, 2, 9, 8), ())


def test_an_unknown_type_is_shown_in_at_most_forty_letters() -> None:
    assert read(shape("x" * 50, SQUARE)).problems[0].what == f"a shape of type {'x' * 40!r} is not known"


@pytest.mark.parametrize("label", [None, "", 7, ["cat"]])
def test_a_shape_without_a_text_for_its_label_is_told_and_stays(label: Any) -> None:
    found = read(shape("polygon", SQUARE, label=label))
    assert (len(found), found.labels) == (1, ("",))
    assert [(problem.what, problem.lost) for problem in found.problems] == [("an annotation has no label", False)]
