"""CVAT's elements as shapes, and what is repaired in them."""

from xml.etree.ElementTree import fromstring

import pytest

from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Polygon
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.cvat_shapes import CORNERS, SHAPES, CvatMeta, attributes, group, is_set, read_shape, skeleton


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


def test_the_runs_of_a_mask_go_along_its_rows() -> None:
    mask, _ = repairs_of('<mask left="5" top="6" width="3" height="2" rle="1,2,3"/>')
    assert isinstance(mask, Mask)
    assert (mask.left, mask.top, mask.width, mask.height, mask.by_column) == (5, 6, 3, 2, False)
    assert mask.runs.tolist() == [1, 2, 3]


def test_ellipses_and_cuboids_have_all_their_numbers() -> None:
    ellipse, _ = repairs_of('<ellipse cx="1" cy="2" rx="3" ry="4" rotation="370"/>')
    assert ellipse == Ellipse(1, 2, 3, 4, 10)
    numbers = " ".join(
        f'{axis}{corner}="{i}"' for i, (corner, axis) in enumerate((c, a) for c in CORNERS for a in "xy")
    )
    cuboid, _ = repairs_of(f"<cuboid {numbers}/>")
    assert isinstance(cuboid, Cuboid)
    assert cuboid.corners.tolist() == [[2 * i, 2 * i + 1] for i in range(8)]


def test_a_group_is_a_number_of_at_most_18_digits() -> None:
    for text, number in (("9" * 18, int("9" * 18)), ("9" * 19, 0), ("x", 0), ("-1", 0), (" 4 ", 4)):
        assert group(fromstring(f'<box group_id="{text}"/>')) == number
    assert group(fromstring("<box/>")) == 0


def test_a_joint_is_one_point() -> None:
    for points in ("1,2;3,4", ""):
        with pytest.raises(InputError, match=r"not one point|missing or empty"):
            skeleton(fromstring(f'<skeleton><points label="a" points="{points}"/></skeleton>'), [], list[str]().append)


def test_whole_numbers_of_a_window_may_be_negative_and_written_as_decimals() -> None:
    mask, _ = repairs_of('<mask left="-5.0" top="6" width="1" height="2" rle="1, 1"/>')
    assert isinstance(mask, Mask)
    assert (mask.left, mask.top, mask.width, mask.height) == (-5, 6, 1, 2)
    assert not mask.runs.flags.writeable
    for name in ("top", "width", "height"):
        stated = {"left": "0", "top": "0", "width": "1", "height": "1"} | {name: "0.5"}
        inside = " ".join(f'{key}="{value}"' for key, value in stated.items())
        with pytest.raises(InputError, match=f"a mask's {name} is not a whole number"):
            repairs_of(f'<mask {inside} rle="1"/>')


def test_an_unknown_element_is_named_in_at_most_forty_letters_and_a_missing_label_told() -> None:
    columns = AnnotationColumns()
    assert read_shape(fromstring(f"<{'b' * 50}/>"), CvatMeta(), columns, "here") is None
    assert read_shape(fromstring('<tag label="x"/>'), CvatMeta(), columns, "there") is not None
    assert read_shape(fromstring("<tag/>"), CvatMeta(), columns, "there") is not None
    assert [(p.what, p.where, p.lost) for p in columns.problems.problems()] == [
        (f"<{'b' * 40}> is no shape that is known", "here", True),
        ("an annotation has no label", "there", False),
    ]
