"""Label Studio's percentages as shapes."""

from typing import Any

import pytest

from assay.annotations.shapes.shapes import Box, Ellipse, Points, Polygon, Polyline
from assay.errors import InputError
from assay.io.annotations.label_studio import FARTHEST_PERCENT, shape_of

SIZE = (200.0, 100.0)


def read(**value: Any) -> tuple[object, list[str]]:
    repairs: list[str] = []
    return shape_of(value, SIZE, repairs.append), repairs


def test_a_rectangle_is_turned_about_its_upper_left_corner() -> None:
    assert read(x=10, y=10, width=20, height=20)[0] == Box(20, 10, 60, 30)
    turned = read(x=50, y=50, width=10, height=10, rotation=90)[0]
    assert isinstance(turned, Box)
    assert (turned.left + turned.right) / 2 == pytest.approx(100 - 5)
    assert (turned.top + turned.bottom) / 2 == pytest.approx(50 + 10)


def test_every_shape_is_known_by_what_it_holds() -> None:
    triangle = [[0, 0], [50, 0], [50, 50]]
    assert read(x=50, y=50, radiusX=10, radiusY=10)[0] == Ellipse(100, 50, 20, 10)
    assert isinstance(read(points=triangle)[0], Polygon)
    assert isinstance(read(x=5, y=5)[0], Points)
    open_line, repairs = read(points=triangle, closed=False)
    assert isinstance(open_line, Polyline)
    assert repairs == ["a polygon was not closed: it is read as a line"]
    assert read(choices=["a"])[0] is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"x": 300, "y": 1, "width": 1, "height": 1}, "x is not a percentage"),
        ({"x": 1, "y": 1, "width": -1, "height": 1}, "negative width"),
        ({"x": 1, "y": 1, "radiusX": -1, "radiusY": 1}, "negative radius"),
        ({"points": [[0, 0], [500, 0], [0, 9]]}, "not percentages"),
        ({"x": None, "y": 1}, "x is missing"),
        ({"rle": "abc"}, "not a list of bytes"),
    ],
)
def test_what_is_no_shape_is_refused(value: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(**value)


def test_a_shape_may_leave_its_image_by_its_size_and_no_more() -> None:
    far = FARTHEST_PERCENT
    assert read(x=-far, y=0, width=far, height=10)[0] == Box(-2 * far, 0, 0, 10)
    polygon = read(points=[[0, 0], [far, 0], [0, -far]])[0]
    assert isinstance(polygon, Polygon)
    assert polygon.rings[0].tolist() == [[0, 0], [2 * far, 0], [0, -far]]
    for value in ({"x": far + 1, "y": 0}, {"x": 0, "y": -far - 1}, {"points": [[0, 0], [0, -far - 1], [1, 1]]}):
        with pytest.raises(InputError, match="percentage"):
            read(**value)


def test_a_turned_rectangle_lies_about_its_own_centre() -> None:
    shape = read(x=50, y=50, width=10, height=10, rotation=90)[0]
    assert isinstance(shape, Box)
    assert (shape.left, shape.top, shape.right, shape.bottom) == pytest.approx((85, 55, 105, 65))
    assert shape.rotation == 90
    back = read(x=50, y=50, width=10, height=10, rotation=-30)[0]
    assert isinstance(back, Box)
    # from the corner: half of 20 along (cos, -sin) and of 10 along (sin, cos)
    middle = (100 + 10 * 0.75**0.5 + 5 * 0.5, 50 - 10 * 0.5 + 5 * 0.75**0.5)
    assert ((back.left + back.right) / 2, (back.top + back.bottom) / 2) == pytest.approx(middle)
    assert (back.right - back.left, back.bottom - back.top, back.rotation) == pytest.approx((20, 10, 330))
    assert read(x=5, y=5, radiusX=1, radiusY=1, rotation=370)[0] == Ellipse(10, 5, 2, 1, 10)


def test_one_negative_side_is_enough() -> None:
    with pytest.raises(InputError, match="negative width or height"):
        read(x=1, y=1, width=1, height=-1)
    assert read(x=1, y=1, width=0, height=10) == (Box(2, 1, 2, 11), ["a box has no area"])


def test_a_brush_needs_whole_pixels() -> None:
    for size in ((2.5, 2.0), (2.0, 2.5)):
        with pytest.raises(InputError, match="no whole number of pixels"):
            shape_of({"rle": []}, size, list[str]().append)
