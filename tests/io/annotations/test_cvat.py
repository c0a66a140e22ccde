"""CVAT for images 1.1: every element of the format, and what becomes of bad ones."""

import numpy as np
import pytest

from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.annotation_set import AnnotationSet, AttributeDefinition, FileProblem
from assay.annotations.shapes.shapes import (
    Box,
    Cuboid,
    Ellipse,
    Mask,
    Points,
    Polygon,
    Polyline,
    ShapeKind,
    Skeleton,
    Tag,
)
from assay.errors import InputError
from assay.io.annotations.cvat import LAST_FRAME, read_cvat
from assay.io.annotations.detect import detect

META = """<meta><task><labels>
  <label><name>car</name><type>any</type><attributes>
    <attribute><name>colour</name><mutable>False</mutable><input_type>select</input_type>
      <default_value>red</default_value><values>red
blue</values></attribute>
    <attribute><name>note</name><input_type>text</input_type><values></values></attribute>
  </attributes></label>
  <label><name>person</name><type>skeleton</type></label>
  <label><name>head</name><parent>person</parent></label>
  <label><name>hand</name><parent>person</parent></label>
</labels></task></meta>"""


def document(inside: str, meta: str = META) -> bytes:
    body = f"<annotations><version>1.1</version>{meta}{inside}</annotations>"
    return f"<?xml version='1.0' encoding='utf-8'?>\n{body}".encode()


def image(inside: str, name: str = "a.jpg", more: str = "") -> str:
    return f'<image id="0" name="{name}" width="100" height="80" {more}>{inside}</image>'


def read(inside: str, meta: str = META) -> AnnotationSet:
    return read_cvat(document(image(inside), meta), source="student.xml")


def one(inside: str) -> AnnotationSet:
    found = read(inside)
    assert len(found) == 1
    return found


def lost(found: AnnotationSet) -> list[FileProblem]:
    return [problem for problem in found.problems if problem.lost]


def test_a_box_keeps_its_place_rotation_group_and_occlusion() -> None:
    found = one('<box label="car" occluded="1" xtl="1" ytl="2.5" xbr="11" ybr="12" rotation="370" group_id="7"/>')
    assert found.shape(0) == Box(1, 2.5, 11, 12, 10)
    assert found.bounds.tolist() == [[1, 2.5, 11, 12]]
    assert found.group is not None
    assert found.group.tolist() == [7]
    assert found.occluded is not None
    assert found.occluded.tolist() == [True]
    assert (found.format, found.problems) == ("CVAT for images 1.1", ())


def test_a_polygon_a_line_and_points_are_read() -> None:
    found = read(
        '<polygon label="car" points="0,0;4,0;4,3"/><polyline label="car" points="1,1;2,5"/>'
        '<points label="car" points="3,3;9,1;"/>'
    )
    polygon, line, points = (found.shape(i) for i in range(3))
    assert isinstance(polygon, Polygon)
    assert polygon.rings[0].tolist() == [[0, 0], [4, 0], [4, 3]]
    assert isinstance(line, Polyline)
    assert line.points.tolist() == [[1, 1], [2, 5]]
    assert isinstance(points, Points)
    assert points.points.tolist() == [[3, 3], [9, 1]]
    assert found.bounds.tolist() == [[0, 0, 4, 3], [1, 1, 2, 5], [3, 1, 9, 3]]


def test_a_turned_ellipse_has_the_bounds_of_the_turned_shape() -> None:
    found = one('<ellipse label="car" cx="20" cy="30" rx="8" ry="4" rotation="90"/>')
    assert found.shape(0) == Ellipse(20, 30, 8, 4, 90)
    assert found.bounds[0].tolist() == pytest.approx([16, 22, 24, 38])


def test_a_cuboid_has_its_eight_corners_in_order() -> None:
    names = [f"{axis}{corner}{face}" for face in "12" for corner in ("tl", "bl", "tr", "br") for axis in "xy"]
    stated = " ".join(f'{name}="{value}"' for value, name in enumerate(names))
    found = one(f'<cuboid label="car" {stated}/>')
    cuboid = found.shape(0)
    assert isinstance(cuboid, Cuboid)
    assert cuboid.corners.ravel().tolist() == list(range(16))
    assert found.bounds[0].tolist() == [0, 1, 14, 15]


def test_a_mask_runs_row_by_row_within_its_window() -> None:
    found = one('<mask label="car" rle="1, 2, 1, 2" left="10" top="20" width="3" height="2"/>')
    mask = found.shape(0)
    assert isinstance(mask, Mask)
    assert (mask.left, mask.top, mask.width, mask.height, mask.by_column) == (10, 20, 3, 2, False)
    assert mask.runs.tolist() == [1, 2, 1, 2]
    assert found.bounds[0].tolist() == [11, 20, 13, 22]


def test_a_skeleton_goes_by_the_names_of_its_joints() -> None:
    found = one(
        '<skeleton label="person" points="junk" rotation="0.0">'
        '<points label="hand" outside="0" occluded="1" points="3,4"><attribute name="ring">gold</attribute></points>'
        '<points label="head" outside="1" occluded="0" points="9,9"/></skeleton>'
    )
    skeleton = found.shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.names == ("head", "hand")
    assert skeleton.visibility.tolist() == [0, 1]
    assert skeleton.points[1].tolist() == [3, 4]
    assert found.bounds[0].tolist() == [3, 4, 3, 4]
    assert found.attributes == {0: {"hand.ring": "gold"}}


def test_a_tag_belongs_to_the_whole_image() -> None:
    found = one('<tag label="car"/>')
    assert found.shape(0) == Tag()
    assert found.bounds[0].tolist() == [0, 0, 0, 0]


def test_attributes_keep_their_text_and_empty_ones_are_none() -> None:
    found = read(
        '<box label="car" xtl="0" ytl="0" xbr="1" ybr="1"><attribute name="colour">毛竹 &amp; co</attribute>'
        '<attribute name="note"></attribute></box><box label="car" xtl="0" ytl="0" xbr="1" ybr="1"/>'
    )
    assert found.attributes == {0: {"colour": "毛竹 & co", "note": None}}


def test_definitions_come_from_the_meta_block_with_joints_below_their_skeleton() -> None:
    found = read("")
    car, person = found.definitions
    assert car.attributes == (
        AttributeDefinition("colour", "select", ("red", "blue")),
        AttributeDefinition("note", "text", ()),
    )
    assert person.keypoints == ("head", "hand")
    assert found.labels == ("car", "person")


@pytest.mark.parametrize("level", ["task", "job", "project"])
def test_labels_of_a_task_a_job_and_a_project_are_found(level: str) -> None:
    meta = f"<meta><{level}><labels><label><name>cat</name></label></labels></{level}></meta>"
    assert [d.name for d in read("", meta).definitions] == ["cat"]


def test_a_file_without_meta_declaration_source_or_order_is_read() -> None:
    text = (
        '<annotations><image name="a.jpg" height="8" id="3" width="9"><box ybr="2" xbr="2" label="x" xtl="0" ytl="1"/>'
    )
    found = read_cvat(f"{text}</image></annotations>".encode(), source="s.xml")
    assert (found.labels, found.shape(0), found.image_ids) == (("x",), Box(0, 1, 2, 2), {"3": 0})


def test_images_without_annotations_are_listed() -> None:
    found = read_cvat(document(image("") + image("", "b.jpg")), source="s.xml")
    assert ([i.name for i in found.images], len(found)) == (["a.jpg", "b.jpg"], 0)


def test_names_have_their_subset_before_them() -> None:
    inside = image("", more='subset="Train"') + image("", more='subset="Test"') + image("", "b.jpg", 'subset="Test"')
    found = read_cvat(document(inside), source="s.xml")
    assert [i.name for i in found.images] == ["Train/a.jpg", "Test/a.jpg", "Test/b.jpg"]


def test_a_student_s_part_of_a_project_meets_the_images_of_its_subset() -> None:
    drawn = '<box label="car" xtl="0" ytl="0" xbr="5" ybr="5"/>'
    ours = read_cvat(document(image("", more='subset="Train"') + image(drawn, more='subset="Test"')), source="t.xml")
    theirs = read_cvat(document(image(drawn, more='subset="Test"')), source="s.xml")
    found = score_submission(prepare_truth(ours), theirs)
    assert (found.tally.matched, found.tally.missed, found.tally.extra) == (1, 0, 0)


def test_the_same_name_in_two_tasks_gets_the_task_before_it() -> None:
    inside = image("", more='subset="Train" task_id="1"') + image("", more='subset="Train" task_id="2"')
    found = read_cvat(document(inside), source="s.xml")
    assert [i.name for i in found.images] == ["Train/task 1/a.jpg", "Train/task 2/a.jpg"]


def test_an_image_listed_twice_is_one_image_and_said() -> None:
    tag = '<tag label="car"/>'
    found = read_cvat(document(image(tag) + image(tag)), source="s.xml")
    assert (len(found.images), found.image.tolist()) == (1, [0, 0])
    assert found.problems == (
        FileProblem("image 'a.jpg'", "an image is listed twice: its annotations were put together", 1, lost=False),
    )


def test_an_image_listed_twice_in_two_sizes_is_an_error() -> None:
    other = '<image id="1" name="a.jpg" width="50" height="80"/>'
    with pytest.raises(InputError, match=r"s\.xml: image 'a\.jpg' is listed twice, as 100 x 80 and as 50 x 80"):
        read_cvat(document(image("") + other), source="s.xml")


@pytest.mark.parametrize(
    ("element", "what"),
    [
        ('<box label="car" xtl="nan" ytl="0" xbr="1" ybr="1"/>', "xtl is not finite or beyond 10000000"),
        ('<box label="car" xtl="inf" ytl="0" xbr="1" ybr="1"/>', "xtl is not finite or beyond 10000000"),
        ('<box label="car" xtl="0" ytl="0" xbr="2e7" ybr="1"/>', "xbr is not finite or beyond 10000000"),
        ('<box label="car" xtl="0" ytl="0" xbr="one" ybr="1"/>', "xbr is not a number"),
        ('<box label="car" xtl="0" ytl="0" xbr="1"/>', "ybr is missing"),
        ('<polygon label="car" points="0,0;1,1"/>', "a polygon has fewer than three points"),
        ('<polygon label="car" points="0,0;1;2,2"/>', "points holds something else than pairs x,y"),
        ('<polygon label="car" points=""/>', "points is missing or empty"),
        ('<polyline label="car" points="0,0;1,NaN"/>', "points holds a number that is not finite"),
        ('<points label="car" points="0,zero"/>', "points holds something that is not a number"),
        ('<ellipse label="car" cx="1" cy="1" rx="-1" ry="1"/>', "an ellipse has a negative radius"),
        ('<mask label="car" rle="1,2" left="0" top="0" width="2" height="2"/>', "add up to 3 and not to 2 x 2 = 4"),
        ('<mask label="car" rle="4,x" left="0" top="0" width="2" height="2"/>', "not a whole number"),
        ('<mask label="car" rle="9,-5" left="0" top="0" width="2" height="2"/>', "negative or longer than the mask"),
        ('<mask label="car" rle="1" left="0" top="0" width="9000000" height="9000000"/>', "9000000 x 9000000 pixels"),
        ('<skeleton label="person"><points label="head" points="1,1;2,2"/></skeleton>', "not one point"),
        ('<cloud label="car"/>', "<cloud> is no shape that is known"),
    ],
)
def test_one_bad_element_is_lost_and_said_and_the_others_stay(element: str, what: str) -> None:
    found = read('<tag label="car"/>' + element)
    assert found.kind.tolist() == [ShapeKind.TAG]
    assert len(found.problems) == 1
    problem = found.problems[0]
    assert (what in problem.what, problem.count, problem.lost) == (True, 1, True)
    assert problem.where.startswith("image 'a.jpg', <")
    assert "element 2" in problem.where


def test_equal_troubles_are_one_problem_with_a_count() -> None:
    found = read('<polygon label="car" points="0,0;1,1"/>' * 3)
    assert [(p.count, p.lost) for p in found.problems] == [(3, True)]


@pytest.mark.parametrize(
    ("element", "what"),
    [
        ('<box label="car" xtl="5" ytl="0" xbr="1" ybr="2"/>', "the edges were swapped"),
        ('<box label="car" xtl="5" ytl="0" xbr="5" ybr="2"/>', "a box has no area"),
        ('<polygon label="car" points="0,0;4,0;4,3;0,0"/>', "the repetition was dropped"),
        ('<polygon label="car" points="0,0;4,4;4,0;0,4"/>', "outline crosses itself"),
        ('<tag label=""/>', "has no label"),
    ],
)
def test_what_is_mended_is_scored_and_said(element: str, what: str) -> None:
    found = one(element)
    assert [(what in p.what, p.lost) for p in found.problems] == [(True, False)]


def test_swapped_edges_give_the_same_rectangle() -> None:
    assert one('<box label="car" xtl="5" ytl="9" xbr="1" ybr="2"/>').shape(0) == Box(1, 2, 5, 9)


@pytest.mark.parametrize(
    "prolog",
    [
        '<!DOCTYPE annotations [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE annotations SYSTEM "http://example.org/a.dtd">',
        '<!DOCTYPE annotations [<!ENTITY f SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_a_document_type_or_entity_is_refused(prolog: str) -> None:
    with pytest.raises(InputError, match=r"s\.xml, row 1: a document type or entity is declared"):
        read_cvat(f"{prolog}<annotations/>".encode(), source="s.xml")


def test_a_document_type_in_utf_16_is_refused_too() -> None:
    text = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE annotations []><annotations/>'
    with pytest.raises(InputError, match="document type"):
        read_cvat(text.encode("utf-16"), source="s.xml")


def test_broken_xml_says_where() -> None:
    with pytest.raises(InputError, match=r"s\.xml, row 2: the XML is broken in column \d+ "):
        read_cvat(b"<annotations>\n<image name='a.jpg'", source="s.xml")


def test_text_that_is_not_in_the_declared_encoding_is_an_error() -> None:
    with pytest.raises(InputError, match=r"row 1: the XML is broken in column \d+ \(not well-formed"):
        read_cvat(b"<annotations><image name='\xff\xfe'/></annotations>", source="s.xml")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(InputError, match="more than 64 elements"):
        read_cvat(b"<annotations>" + b"<a>" * 100_000, source="s.xml")


def test_another_root_is_refused() -> None:
    with pytest.raises(InputError, match=r"its root is <annotation> and not CVAT's <annotations>"):
        read_cvat(b"<annotation/>", source="s.xml")


def test_an_image_without_a_name_is_an_error() -> None:
    with pytest.raises(InputError, match=r"s\.xml: the image with id '4' has no name"):
        read_cvat(document('<image id="4" width="1" height="1"/>'), source="s.xml")


@pytest.mark.parametrize("size", ["-3", "nan", "wide"])
def test_a_senseless_image_size_is_an_error(size: str) -> None:
    with pytest.raises(InputError, match=r"s\.xml: image 'a\.jpg': width is .*\. Correct the image's size\."):
        read_cvat(document(f'<image id="4" name="a.jpg" width="{size}" height="1"/>'), source="s.xml")


def test_arrays_cannot_be_changed() -> None:
    found = one('<box label="car" xtl="0" ytl="0" xbr="1" ybr="1"/>')
    for array in (found.image, found.label, found.kind, found.bounds, found.rotation):
        assert isinstance(array, np.ndarray)
        assert not array.flags.writeable


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("utf-8", "utf-16"),
        ("utf-16", "utf-16"),
        ("utf-8", "utf-16-le"),
        ("utf-8", "utf-32"),
        ("utf-8", "utf-8-sig"),
        ("windows-1252", "cp1252"),
        ("gbk", "gbk"),
        ("shift_jis", "shift_jis"),
    ],
)
def test_what_editors_of_windows_save_is_read(declared: str, encoding: str) -> None:
    name = "\u732b.jpg" if encoding in {"gbk", "shift_jis"} else "\u00e4.jpg"
    text = f'<?xml version="1.0" encoding="{declared}"?><annotations><image id="0" name="{name}"/></annotations>'
    look = detect("s.xml", text.encode(encoding))
    assert read_cvat(look.content, source="s.xml").images[0].name == name


def test_a_file_in_another_encoding_than_it_declares_is_told() -> None:
    content = b'<?xml version="1.0" encoding="gbk"?><annotations><image id="0" name="\xff\xff"/></annotations>'
    with pytest.raises(InputError, match=r"s\.xml: it says it is in gbk and is not"):
        read_cvat(content, source="s.xml")


def test_a_document_type_is_refused_in_any_encoding() -> None:
    text = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a [<!ENTITY x "y">]><annotations>&x;</annotations>'
    with pytest.raises(InputError, match="a document type or entity is declared"):
        detect("s.xml", text.encode("utf-16"))


TRACK = '<track id="1" label="car"{more}><box frame="{frame}" xtl="0" ytl="0" xbr="2" ybr="2" outside="0"/></track>'


def tracks(*elements: str) -> AnnotationSet:
    return read_cvat(f"<annotations>{''.join(elements)}</annotations>".encode(), source="v.xml")


def test_tracks_of_several_tasks_or_subsets_have_images_of_their_own() -> None:
    by_task = tracks(*(TRACK.format(frame=0, more=f' task_id="{task}"') for task in (7, 8)))
    assert [image.name for image in by_task.images] == ["7/frame_000000", "8/frame_000000"]
    subsets = tracks(*(TRACK.format(frame=0, more=f' task_id="7" subset="{name}"') for name in ("Test", "Train")))
    assert [image.name for image in subsets.images] == ["Test/frame_000000", "Train/frame_000000"]
    alone = tracks(TRACK.format(frame=3, more=' task_id="7"'))
    assert [image.name for image in alone.images] == ["frame_000003"]


@pytest.mark.parametrize(("frame", "told"), [(LAST_FRAME, 0), (LAST_FRAME + 1, 1), ("x", 1), ("-1", 1)])
def test_a_frame_that_no_video_has_is_left_out_and_told(frame: object, told: int) -> None:
    found = tracks(TRACK.format(frame=frame, more=""), TRACK.format(frame=0, more=""))
    assert len(found) == 2 - told
    assert [problem.what for problem in found.problems] == ["a shape of a track has no frame number"] * told


def test_a_part_that_is_not_known_is_told_by_the_first_letters_of_its_name() -> None:
    tag = image('<tag label="car"/>')
    found = read_cvat(document(f"<{'x' * 50}/>{tag}"), source="a.xml")
    what = f"<{'x' * 40}> is no part of the format that is known"
    assert [(p.what, p.where, p.lost) for p in found.problems] == [(what, f"<{'x' * 40}>", True)]
    assert len(found) == 1
