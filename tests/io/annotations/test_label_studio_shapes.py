"""Label Studio's percentages as shapes."""

from typing import Any

import pytest

from assay.annotations.shapes.shapes import Box, Ellipse, Points, Polygon, Polyline
from assay.errors import InputError
from assay.io.annotations.label_studio import shape_of

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
