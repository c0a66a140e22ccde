"""CVAT's elements as shapes, and what is repaired in them."""

from xml.etree.ElementTree import fromstring

import pytest

from assay.annotations.shapes.shapes import Box, Polygon
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.cvat_shapes import SHAPES, CvatMeta, attributes, group, is_set, read_shape, skeleton


def repairs_of(text: str) -> tuple[object, list[str]]:
    element, repairs = fromstring(text), list[str]()
    return SHAPES[element.tag](element, repairs.append), repairs


def test_edges_in_the_wrong_order_are_swapped_and_told() -> None:
    shape, repairs = repairs_of('<box xtl="9" ytl="1" xbr="3" ybr="5" rotation="-90"/>')
    assert shape == Box(3, 1, 9, 5, 270)
    assert len(repairs) == 1


def test_a_closing_point_is_dropped_and_told() -> None:
    shape, repairs = repairs_of('<polygon points="0,0;4,0;4,4;0,0"/>')
    assert isinstance(shape, Polygon)
    assert len(shape.rings[0]) == 3
    assert repairs == ["a polygon repeats its first point at the end: the repetition was dropped"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<box xtl="9" ytl="1" xbr="3"/>', "ybr is missing"),
        ('<polygon points="0,0;4,0"/>', "fewer than three points"),
        ('<ellipse cx="1" cy="1" rx="-1" ry="2"/>', "negative radius"),
        ('<mask left="0" top="0" width="2" height="2" rle="1,2"/>', "add up to 3"),
        ('<mask left="0.5" top="0" width="2" height="2" rle="4"/>', "left is not a whole number"),
        ('<mask left="0" top="0" width="2" height="2" rle="a"/>', "not a whole number"),
    ],
)
def test_a_shape_that_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        repairs_of(text)


def test_a_joint_that_occurs_twice_counts_once_and_absent_ones_are_added() -> None:
    repairs: list[str] = []
    element = fromstring(
        '<skeleton><points label="b" points="1,2"/><points label="b" points="9,9"/>'
        '<points label="c" points="3,4" occluded="1"/><points label="d" points="0,0" outside="1"/></skeleton>'
    )
    drawn = skeleton(element, ["a", "b"], repairs.append)
    assert (drawn.names, drawn.visibility.tolist()) == (("a", "b", "c", "d"), [0, 2, 1, 0])
    assert repairs == ["a skeleton has a joint twice: the first one counts"]


def test_flags_groups_and_attributes() -> None:
    element = fromstring('<skeleton occluded="True" group_id="7"><attribute name="x"> </attribute>'
                         '<points label="head"><attribute name="hat">red</attribute></points></skeleton>')  # fmt: skip
    assert (is_set(element, "occluded"), is_set(element, "outside"), group(element)) == (True, False, 7)
    assert attributes(element) == {"x": None, "head.hat": "red"}


def test_an_element_that_is_no_shape_is_a_problem_with_its_place() -> None:
    columns = AnnotationColumns()
    assert read_shape(fromstring("<blob/>"), CvatMeta(), columns, "here") is None
    assert read_shape(fromstring('<box xtl="a"/>'), CvatMeta(), columns, "there") is None
    assert [(p.where, p.lost) for p in columns.problems.problems()] == [("here", True), ("there", True)]
