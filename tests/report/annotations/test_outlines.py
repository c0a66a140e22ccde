"""Shapes of every kind as lines and dots."""

import numpy as np
import pytest

from assay.annotations.shapes.shapes import Box, Ellipse, Mask, Polygon, Polyline
from assay.report.annotations.outlines import CORNERS_OF_ELLIPSE, MOST_POINTS, drawn_shape, mask_rings
from tests.report.annotations.annotation_sets import (
    EVERY_KIND,
)


def test_every_kind_of_shape_is_drawn() -> None:
    for shape, _ in EVERY_KIND[:-1]:
        outlines, dots = drawn_shape(shape)
        assert outlines or dots, type(shape).__name__
    assert drawn_shape(EVERY_KIND[-1][0]) == ((), ()), "a tag has no place"


def test_a_turned_box_keeps_its_centre_and_its_sides() -> None:
    (outline,), _ = drawn_shape(Box(0, 0, 40, 20, rotation=90))

    corners = np.array(outline.points)
    assert corners.mean(axis=0) == pytest.approx([20, 10])
    # clockwise on the screen, where y points down: the upper left corner goes to the upper right
    assert corners[0] == pytest.approx([30, -10])


def test_the_outline_of_a_mask_goes_around_its_pixels_and_its_holes() -> None:
    ring = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], bool)

    outer, hole = sorted(mask_rings(ring), key=lambda points: -np.ptp(points))

    assert outer.tolist() == [[0, 0], [3, 0], [3, 3], [0, 3]]
    assert sorted(hole.tolist()) == [[1, 1], [1, 2], [2, 1], [2, 2]]


def test_pixels_that_touch_at_a_corner_are_closed_rings() -> None:
    rings = mask_rings(np.array([[1, 0], [0, 1]], bool))

    edges = sum(np.abs(np.diff([*r.tolist(), r[0].tolist()], axis=0)).sum() for r in rings)
    assert edges == 8


def test_an_ellipse_is_a_ring_of_corners_around_its_centre() -> None:
    (outline,), _ = drawn_shape(Ellipse(340, 140, 30, 15))

    corners = np.array(outline.points)
    assert len(corners) == CORNERS_OF_ELLIPSE
    assert (((corners - [340, 140]) / [30, 15]) ** 2).sum(axis=1) == pytest.approx(1)


def test_a_line_stays_open_and_a_polygon_is_closed() -> None:
    points = np.array([(0.0, 0), (9, 0), (9, 9)])

    assert [drawn_shape(shape)[0][0].closed for shape in (Polyline(points), Polygon((points,)))] == [False, True]


def test_a_polygon_of_very_many_points_is_thinned() -> None:
    angles = np.linspace(0, 2 * np.pi, 20_000, endpoint=False)
    points = 500 + 400 * np.column_stack([np.cos(angles), np.sin(angles)])

    (outline,), _ = drawn_shape(Polygon((points,)))

    assert len(outline.points) <= MOST_POINTS


def test_a_mask_of_very_many_runs_is_drawn_as_its_window() -> None:
    speckled = Mask(5, 7, 400, 300, np.ones(400 * 300, np.int64), by_column=True)

    (outline,), _ = drawn_shape(speckled)

    assert outline.points[0] == (5.0, 7.0)
    assert outline.points[2] == (405.0, 307.0)
