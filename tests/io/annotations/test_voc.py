"""Pascal VOC: every element that tools write, and what becomes of bad ones."""

import io
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.annotations.shapes.shapes import Box, Polygon
from assay.errors import InputError
from assay.io.annotations.files import read_annotations
from assay.io.annotations.voc import read_pascal_voc
from tests.io.annotations.submissions import read_submissions

BOX = "<bndbox><xmin>10</xmin><ymin>20.5</ymin><xmax>30</xmax><ymax>40</ymax></bndbox>"


def voc(*objects: str, filename: str = "a.jpg", size: str = "<width>100</width><height>80</height>") -> bytes:
    head = f"<folder>x</folder><filename>{filename}</filename><size>{size}<depth>3</depth></size>"
    return f"<annotation>{head}<segmented>0</segmented>{''.join(objects)}</annotation>".encode()


def thing(inside: str = BOX, name: str = "cat") -> str:
    return f"<object><name>{name}</name>{inside}</object>"


def read(*objects: str) -> AnnotationSet:
    return read_pascal_voc([("a.xml", voc(*objects))], source="student")


def lost(found: AnnotationSet) -> list[FileProblem]:
    return [problem for problem in found.problems if problem.lost]


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    path.write_bytes(stream.getvalue())
    return path


def test_a_box_has_its_place_its_label_and_its_flags() -> None:
    flags = "<pose>Left</pose><truncated>1</truncated><difficult>0</difficult><occluded>1</occluded>"
    found = read(thing(flags + BOX))
    assert found.shape(0) == Box(10, 20.5, 30, 40)
    assert (found.labels, found.format, found.problems) == (("cat",), "Pascal VOC", ())
    assert [(i.name, i.width, i.height) for i in found.images] == [("a.jpg", 100, 80)]
    assert found.attributes == {0: {"pose": "Left", "truncated": True, "difficult": False, "occluded": True}}
    assert found.occluded is not None
    assert found.occluded.tolist() == [True]


def test_attributes_of_cvat_are_read_and_its_turn_and_track_go_where_they_belong() -> None:
    pairs = {"colour": "red", "rotation": "30.0", "track_id": "4", "keyframe": "True", "clean": "false"}
    inside = "".join(f"<attribute><name>{k}</name><value>{v}</value></attribute>" for k, v in pairs.items())
    found = read(thing(f"{BOX}<attributes>{inside}</attributes>"))
    assert found.shape(0) == Box(10, 20.5, 30, 40, 30)
    assert found.attributes == {0: {"colour": "red", "clean": False}}
    assert found.track is not None
    assert found.track.tolist() == [4]


def test_what_a_tool_writes_beside_the_box_is_an_attribute() -> None:
    assert read(thing(f"{BOX}<colour>red</colour><note/>")).attributes == {0: {"colour": "red", "note": None}}


def test_a_turned_box_of_rolabelimg_turns_clockwise_by_radians() -> None:
    inside = "<robndbox><cx>50</cx><cy>40</cy><w>20</w><h>10</h><angle>0.5</angle></robndbox>"
    box = read(thing(f"<type>robndbox</type>{inside}")).shape(0)
    assert isinstance(box, Box)
    assert (box.left, box.top, box.right, box.bottom) == (40, 35, 60, 45)
    assert box.rotation == pytest.approx(math.degrees(0.5))


def test_a_turned_box_of_four_corners_is_the_same_box() -> None:
    turn, centre = 0.3, np.array([50, 40])
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    corners = np.array([[-10, -5], [10, -5], [10, 5], [-10, 5]]) @ rotation.T + centre
    names = ("left_top", "right_top", "right_bottom", "left_bottom")
    inside = "".join(f"<x_{n}>{x}</x_{n}><y_{n}>{y}</y_{n}>" for n, (x, y) in zip(names, corners, strict=True))
    box = read(thing(f"<robndbox>{inside}</robndbox>")).shape(0)
    assert isinstance(box, Box)
    assert [box.left, box.top, box.right, box.bottom] == pytest.approx([40, 35, 60, 45])
    assert box.rotation == pytest.approx(math.degrees(turn))


@pytest.mark.parametrize(
    "outline",
    [
        "<x1>0</x1><y1>0</y1><x2>4</x2><y2>0</y2><x3>4</x3><y3>3</y3>",
        "<pt><x>0</x><y>0</y></pt><pt><x>4</x><y>0</y></pt><pt><x>4</x><y>3</y></pt><username>x</username>",
    ],
)
def test_an_outline_is_read_before_its_box_unless_boxes_are_wanted(outline: str) -> None:
    content = voc(thing(f"{BOX}<polygon>{outline}</polygon>"))
    shape = read_pascal_voc([("a.xml", content)], source="s").shape(0)
    assert isinstance(shape, Polygon)
    assert shape.rings[0].tolist() == [[0, 0], [4, 0], [4, 3]]
    assert read_pascal_voc([("a.xml", content)], source="s", prefer="box").shape(0) == Box(10, 20.5, 30, 40)


def test_swapped_edges_and_flat_boxes_are_mended_and_told() -> None:
    swapped = "<bndbox><xmin>30</xmin><ymin>20</ymin><xmax>10</xmax><ymax>20</ymax></bndbox>"
    found = read(thing(swapped))
    assert found.shape(0) == Box(10, 20, 30, 20)
    assert [(p.where, p.lost) for p in found.problems] == [("a.xml, object 1", False)] * 2


@pytest.mark.parametrize(
    ("inside", "what"),
    [
        ("", "an object has neither <bndbox>"),
        ("<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax></bndbox>", "ymax is missing"),
        (BOX.replace("10", "nan"), "xmin is not finite"),
        (BOX.replace("10", "1e300"), "xmin is not finite or beyond"),
        (BOX.replace("10", "ten"), "xmin is not a number"),
        ("<polygon><x1>0</x1><y1>0</y1><x2>1</x2><y2>1</y2></polygon>", "fewer than three points"),
        ("<polygon/>", "fewer than three points"),
        ("<polygon><x1>0</x1><x2>1</x2><x3>1</x3></polygon>", "y is missing"),
        ("<robndbox><cx>5</cx><cy>4</cy><w>2</w><h>1</h><angle>45</angle></robndbox>", "perhaps in degrees"),
        ("<robndbox><cx>5</cx><cy>4</cy><w>-2</w><h>1</h><angle>0</angle></robndbox>", "negative width"),
        (f"{BOX}<part><name>head</name>{BOX}</part>", "parts of an object"),
        (f"{BOX}<more><x>1</x></more>", "<more> of an object is not known"),
    ],
)
def test_what_cannot_be_scored_is_told_and_the_rest_is_read(inside: str, what: str) -> None:
    found = read(thing(), thing(inside))
    assert len(lost(found)) == 1
    assert what in lost(found)[0].what
    assert lost(found)[0].where == "a.xml, object 2"
    assert found.shape(0) == Box(10, 20.5, 30, 40)


def test_an_object_that_was_deleted_is_none() -> None:
    assert len(read(thing(), thing(f"<deleted>1</deleted>{BOX}"))) == 1


def test_an_image_without_name_goes_by_its_file_and_without_size_has_none() -> None:
    found = read_pascal_voc([("x/img7.xml", b"<annotation/>")], source="s")
    assert [(i.name, i.width) for i in found.images] == [("img7", 0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'<!DOCTYPE a [<!ENTITY x "y">]><annotation/>', r"a\.xml, row 1: a document type"),
        (b"<annotation><object>", r"a\.xml, row 1: the XML is broken"),
        (b"<annotations/>", r"root is <annotations>"),
        (voc(size="<width>-1</width><height>2</height>"), r"a\.xml: <size>: the size -1 x 2 is negative"),
        (voc(size="<width>wide</width>"), r"a\.xml: <size>: width is not a number"),
        (b"<annotation>" + b"<a>" * 100 + b"</a>" * 100 + b"</annotation>", "more than 64 elements"),
    ],
)
def test_a_file_that_is_broken_is_refused_by_name(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_pascal_voc([("a.xml", content)], source="s")


def test_one_broken_file_among_many_is_told_and_does_not_stop_the_others() -> None:
    found = read_pascal_voc([("a.xml", voc(thing())), ("b.xml", b"<annotation>")], source="s")
    assert [image.name for image in found.images] == ["a.jpg"]
    assert [(p.where, p.lost) for p in found.problems] == [("b.xml", True)]


def test_images_of_one_name_in_two_folders_are_told_apart() -> None:
    files = [(f"s/{folder}/a.xml", voc(thing())) for folder in ("train", "test")]
    assert [i.name for i in read_pascal_voc(files, source="s").images] == ["train/a.jpg", "test/a.jpg"]


def test_files_that_name_the_same_image_go_by_their_own_names() -> None:
    found = read_pascal_voc([("s/a.xml", voc(thing())), ("s/b.xml", voc(thing()))], source="s")
    assert [image.name for image in found.images] == ["a.jpg", "b.jpg"]
    assert found.problems[0].count == 2
    assert "about the same image" in found.problems[0].what


def test_a_zip_of_files_for_each_image_is_one_submission_per_student(tmp_path: Path) -> None:
    files = {f"{s}/Annotations/{i}.xml": voc(thing(), filename=f"{i}.jpg") for s in ("alice", "bob") for i in "123"}
    found = read_submissions([zipped(tmp_path / "class.zip", files | {"readme.txt": b"hi"})])
    assert [(s.student, s.error) for s in found] == [("alice", ""), ("bob", "")]
    assert found[0].annotations is not None
    assert [i.name for i in found[0].annotations.images] == ["1.jpg", "2.jpg", "3.jpg"]


def test_a_folder_of_one_export_is_one_set(tmp_path: Path) -> None:
    for i in "12":
        (tmp_path / f"{i}.xml").write_bytes(voc(thing(), filename=f"{i}.jpg"))
    found = read_annotations(tmp_path)
    assert (len(found), found.format) == (2, "Pascal VOC")


def test_outlines_in_png_files_and_objects_without_a_label_are_told() -> None:
    content = voc(thing(name="")).replace(b"<segmented>0", b"<segmented>1")
    found = read_pascal_voc([("a.xml", content)], source="s")
    assert found.labels == ("",)
    assert [(p.what, p.where, p.lost) for p in found.problems] == [
        ("outlines are in PNG files, which are not read: the boxes are scored", "a.xml", False),
        ("an annotation has no label", "a.xml, object 1", False),
    ]


def test_four_corners_that_are_no_rectangle_are_no_box() -> None:
    places = zip(["10", "30", "33", "10"], ["10", "10", "30", "25"], strict=True)
    names = ("left_top", "right_top", "right_bottom", "left_bottom")
    corners = "".join(f"<x_{c}>{x}</x_{c}><y_{c}>{y}</y_{c}>" for c, (x, y) in zip(names, places, strict=True))
    found = read(thing(f"<robndbox>{corners}</robndbox>"))
    assert [problem.what for problem in lost(found)] == ["the corners of a <robndbox> form no rectangle"]


def test_what_a_person_does_are_attributes_that_are_on_or_off() -> None:
    actions = "<actions><jumping>1</jumping><reading>0</reading></actions>"
    assert read(thing(BOX + actions, "person")).attributes == {0: {"jumping": True, "reading": False}}


@pytest.mark.parametrize(
    ("stated", "track"), [("0", 0), ("7", 7), ("9" * 18, int("9" * 18)), ("9" * 19, None), ("-1", None), ("x", None)]
)
def test_a_track_is_a_number_of_at_most_18_digits(stated: str, track: int | None) -> None:
    def attribute(name: str, value: str) -> str:
        return f"<attribute><name>{name}</name><value>{value}</value></attribute>"

    inside = attribute("track_id", stated) + attribute("keyframe", "True") + attribute("colour", "red")
    found = read(thing(f"{BOX}<attributes>{inside}</attributes>"))
    if track is None:
        assert found.track is None
        assert set(found.attributes[0]) == {"track_id", "keyframe", "colour"}
    else:
        assert found.track is not None
        assert (found.track.tolist(), set(found.attributes[0])) == ([track], {"colour"})
