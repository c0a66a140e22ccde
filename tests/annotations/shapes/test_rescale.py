"""Shapes on resized images."""

import numpy as np
import pytest

from assay.annotations.shapes.rescale import stretched
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Polygon, Shape, Skeleton, Tag
from assay.errors import InputError

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
