"""Similarity of lines and of points without names."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.geometry.lines import (
    NEGLIGIBLE,
    line_similarity,
    may_be_near,
    points_similarity,
    resampled,
)
from assay.annotations.geometry.similarity import point_set_similarity, polyline_similarity
from assay.annotations.shapes.shapes import Points, Polyline
from tests.annotations.shape_sets import ring, set_of

few = settings(max_examples=50, deadline=None)
HERE = np.zeros(1, np.int64)
IMAGE = np.array([100.0 * 100.0])
corners = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=8)


def alike(first: NDArray[np.float64], second: NDArray[np.float64], *, directed: bool = False) -> float:
    return float(line_similarity(resampled([first]), resampled([second]), scale=IMAGE, directed=directed)[0])


@few
@given(corners, corners)
def test_line_similarity_is_symmetric_and_one_for_the_same_line(
    first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    one, two = ring(*first), ring(*second)

    assert alike(one, one) == 1
    assert alike(one, two) == pytest.approx(alike(two, one), abs=1e-12)
    assert alike(one, two[::-1]) == pytest.approx(alike(one, two), abs=1e-9)


def test_a_parallel_line_is_as_near_as_its_distance_says() -> None:
    # CVAT: exp(-d^2 / (2 image area (2 x 0.01)^2)) at every point
    found = alike(ring((10, 10), (90, 10)), ring((10, 12), (90, 12)))

    assert found == pytest.approx(np.exp(-4 / (2 * 10_000 * 0.02**2)))


def test_more_clicks_on_the_same_line_change_nothing() -> None:
    straight, clicked = ring((0, 0), (90, 0)), ring((0, 0), (1, 0), (2, 0), (3, 0), (90, 0))

    assert alike(straight, clicked) == pytest.approx(1, abs=1e-12)
    assert alike(ring((0, 3), (90, 3)), clicked) == pytest.approx(alike(ring((0, 3), (90, 3)), straight), abs=1e-9)


def test_direction_counts_only_when_asked() -> None:
    line = ring((0, 0), (50, 0), (50, 50))

    assert alike(line, line[::-1]) == pytest.approx(1, abs=1e-9)
    assert alike(line, line[::-1], directed=True) < 0.2


def test_lines_far_apart_have_nothing_in_common() -> None:
    assert alike(ring((0, 0), (90, 0)), ring((0, 90), (90, 90))) < 1e-12


def test_a_line_without_points_is_like_nothing() -> None:
    truth, student = Geometry(set_of(Polyline(ring()))), Geometry(set_of(Polyline(ring((0, 0), (5, 5)))))

    assert polyline_similarity(truth, student, HERE, HERE).tolist() == [0]


def test_without_an_image_size_a_line_is_measured_by_its_length() -> None:
    truth, student = Polyline(ring((0, 0), (50, 0))), Polyline(ring((0, 1), (50, 1)))
    first, second = (Geometry(set_of(shape, size=(0, 0))) for shape in (truth, student))

    assert polyline_similarity(first, second, HERE, HERE)[0] == pytest.approx(np.exp(-1 / (2 * 50**2 * 0.02**2)))


@few
@given(corners, corners)
def test_points_are_paired_at_the_best_whatever_their_order(
    first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    one, two = ring(*first), ring(*second)
    found = points_similarity(one, two, scale=400.0)

    assert 0 <= found <= 1
    assert points_similarity(one, one[::-1], scale=400.0) == pytest.approx(1)
    assert points_similarity(one, two[::-1], scale=400.0) == pytest.approx(found, abs=1e-12)
    assert points_similarity(two, one, scale=400.0) == pytest.approx(found, abs=1e-12)


def test_points_too_few_or_too_many_count_zero() -> None:
    three = ring((0, 0), (50, 0), (0, 50))

    assert points_similarity(three, three[:2], scale=100.0) == pytest.approx(2 / 3)
    assert points_similarity(three[:1], three, scale=100.0) == pytest.approx(1 / 3)
    assert points_similarity(three, ring(), scale=100.0) == 0


def test_a_single_point_is_measured_by_the_image_and_several_by_their_bounding_box() -> None:
    def found(truth: NDArray[np.float64], student: NDArray[np.float64]) -> float:
        first, second = (Geometry(set_of(Points(points), size=(100, 80))) for points in (truth, student))
        return float(point_set_similarity(first, second, HERE, HERE)[0])

    assert found(ring((5, 5)), ring((8, 9))) == pytest.approx(np.exp(-25 / (2 * 8000 * 0.18**2)))
    pair = ring((0, 0), (20, 10))
    assert found(pair, pair + np.array([3, 4])) == pytest.approx(np.exp(-25 / (2 * 200 * 0.18**2)))


@few
@given(st.lists(st.tuples(st.floats(-900, 900), st.floats(-900, 900)), min_size=4, max_size=4))
def test_lines_that_are_passed_over_are_not_alike(points: list[tuple[float, float]]) -> None:
    one, two = np.array(points[:2]), np.array(points[2:])
    apart = np.maximum(one.min(axis=0) - two.max(axis=0), two.min(axis=0) - one.max(axis=0))
    scale = np.array([300.0 * 200.0])
    if not may_be_near(np.array([np.hypot(*np.maximum(apart, 0))]), scale)[0]:
        assert line_similarity(resampled([one]), resampled([two]), scale=scale)[0] <= NEGLIGIBLE
