"""Turned rectangles that are given by their four corners, as boxes with a rotation."""

from math import atan2, degrees, hypot

import numpy as np

from assay.annotations.shapes.shapes import Box, Coordinates

PIXELS_OFF = 1.0
SHARE_OFF = 0.02
"""How far corners may lie from those of a rectangle: a pixel, or this share of its diagonal."""


def box_of_corners(corners: Coordinates) -> Box | None:
    """The rectangle with four corners in order of its outline; None when they form none.

    The rotation is the smallest that does it, from -45 to 45 degrees: an upright rectangle is an upright box, with
    whichever corner it begins.

    >>> box_of_corners(np.array([[4.0, 0.0], [4.0, 2.0], [0.0, 2.0], [0.0, 0.0]]))
    Box(left=0.0, top=0.0, right=4.0, bottom=2.0, rotation=0.0)
    """
    diagonals = np.hypot(*(corners[2:] - corners[:2]).T)
    allowed = max(PIXELS_OFF, SHARE_OFF * float(diagonals.max()))
    apart = np.hypot(*(corners[0] + corners[2] - corners[1] - corners[3]))
    if float(apart) > 2 * allowed or abs(float(diagonals[0] - diagonals[1])) > allowed:
        return None
    along = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    across = (corners[2] - corners[1] + corners[3] - corners[0]) / 2
    x, y = map(float, corners.mean(axis=0))
    return box_about(x, y, hypot(*along), hypot(*across), degrees(atan2(along[1], along[0])))


def box_about(x: float, y: float, width: float, height: float, rotation: float) -> Box:
    """The box of a centre, a size and a turn in degrees, which becomes the smallest that does it.

    >>> box_about(2, 1, 2, 4, 90)
    Box(left=0.0, top=0.0, right=4.0, bottom=2.0, rotation=0.0)
    """
    quarters = round(rotation / 90)
    left_over = round(rotation - 90 * quarters, 9) % 360.0
    if quarters % 2:
        width, height = height, width
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2, left_over)
