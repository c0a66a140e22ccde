"""Annotations on resized images, brought to the size of the original."""

import numpy as np
import pytest

from assay.annotations.shapes.rescale import rescaled, stretched
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Points, Polygon, Shape, Skeleton, Tag
from assay.errors import InputError
from tests.annotations.shape_sets import ring, set_of, square

TWICE, UNEVEN = np.array([2.0, 2.0]), np.array([2.0, 3.0])
MASK = Mask(0, 0, 2, 2, np.array([0, 4]), by_column=True)


def test_bounds_shapes_and_areas_follow_their_image() -> None:
    drawn = set_of(Box(1, 1, 2, 2), Polygon((square(1, 1, 1),)), images=[0, 1], area=[1, 1])

    result = rescaled(drawn, np.array([[1.0, 1.0], [2.0, 3.0]]))

    assert result.bounds.tolist() == [[1, 1, 2, 2], [2, 3, 4, 6]]
    assert result.area is not None
    assert result.area.tolist() == [1, 6]
    polygon = result.shape(1)
    assert isinstance(polygon, Polygon)
    assert polygon.rings[0].max(axis=0).tolist() == [4, 6]


def test_an_ellipse_is_stretched_along_its_axes() -> None:
    assert stretched(Ellipse(1, 1, 2, 4), UNEVEN) == Ellipse(2, 3, 4, 12)
    assert stretched(Ellipse(1, 1, 2, 4, 30), TWICE) == Ellipse(2, 2, 4, 8, 30)
    with pytest.raises(InputError, match="turned ellipse"):
        stretched(Ellipse(1, 1, 2, 4, 30), UNEVEN)


def test_points_and_cuboids_move_and_a_tag_stays() -> None:
    points = stretched(Points(ring((1, 2))), UNEVEN)
    assert isinstance(points, Points)
    assert points.points.tolist() == [[2, 6]]
    cuboid = stretched(Cuboid(np.ones((8, 2))), UNEVEN)
    assert isinstance(cuboid, Cuboid)
    assert cuboid.corners[0].tolist() == [2, 3]
    assert stretched(Tag(), UNEVEN) == Tag()


@pytest.mark.parametrize("shape", [MASK, Box(0, 0, 2, 1, 30)])
def test_what_cannot_be_stretched_is_refused_by_name(shape: Shape) -> None:
    with pytest.raises(InputError, match=r"0\.jpg: annotation 1 is a mask or a turned shape") as refused:
        rescaled(set_of(shape), np.array([[2.0, 3.0]]))
    assert refused.value.remedy == "Draw it on the original image."


def test_what_is_not_resized_stays_as_it_is() -> None:
    assert rescaled(set_of(MASK), np.ones((1, 2))).shape(0) is MASK


RING = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 3.0]])


def far_corner(shape: Shape) -> tuple[float, float]:
    match shape:
        case Box():
            return shape.right, shape.bottom
        case Polygon():
            return tuple(shape.rings[0].max(axis=0))
        case Skeleton():
            return tuple(shape.points.max(axis=0))
        case Cuboid():
            return tuple(shape.corners.max(axis=0))
        case Ellipse():
            return shape.x + shape.radius_x, shape.y + shape.radius_y
    return 0, 0


@pytest.mark.parametrize(
    ("shape", "corner"),
    [
        (Box(0, 0, 2, 3), (4, 9)),
        (Polygon((RING,)), (4, 9)),
        (Skeleton(("a", "b", "c"), RING, np.array([2, 2, 2], np.int8)), (4, 9)),
        (Cuboid(np.vstack([RING, RING, RING[:2]])), (4, 9)),
        (Ellipse(1, 1, 1, 2), (4, 9)),
        (Tag(), (0, 0)),
    ],
)
def test_shapes_are_stretched_with_their_image(shape: Shape, corner: tuple[float, float]) -> None:
    assert far_corner(stretched(shape, np.array([2.0, 3.0]))) == pytest.approx(corner)


def test_a_mask_or_a_turned_ellipse_cannot_be_stretched_unevenly() -> None:
    with pytest.raises(InputError, match="mask"):
        stretched(Mask(0, 0, 2, 2, np.array([0, 4]), by_column=True), np.array([2.0, 2.0]))
    with pytest.raises(InputError, match="turned ellipse"):
        stretched(Ellipse(1, 1, 1, 2, 30), np.array([2.0, 3.0]))
