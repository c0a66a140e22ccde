"""Masks as stretches of columns, and polygons as masks."""

import numpy as np
import pytest

from assay.annotations.geometry.masks import common_pixels, rasterised, stretches
from assay.annotations.shapes.shapes import Mask, Polygon
from assay.io.annotations.masks import runs_of_pixels
from tests.annotations.shape_sets import square


def mask(pixels: list[list[int]], left: int = 0, top: int = 0, *, by_column: bool) -> Mask:
    table = np.array(pixels, bool)
    runs = runs_of_pixels((table.T if by_column else table).ravel())
    return Mask(left, top, table.shape[1], table.shape[0], runs, by_column)


L = [[1, 0, 0], [1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize("by_column", [True, False])
def test_area_and_extent_do_not_depend_on_how_runs_go(by_column: bool) -> None:
    drawn = stretches([mask(L, 10, 20, by_column=by_column), mask([[0, 0]], by_column=by_column)])
    assert drawn.area.tolist() == [4, 0]
    assert drawn.extent.tolist() == [[10, 20, 12, 23], [0, 0, 0, 0]]


def test_masks_share_the_pixels_both_have() -> None:
    first = stretches([mask(L, by_column=True), mask(L, 5, 0, by_column=True)])
    second = stretches([mask([[1, 1, 1]] * 2, by_column=False), mask([[1]], 1, 2, by_column=False)])
    pairs = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert common_pixels(first, second, *pairs).tolist() == [2, 1, 0, 0]
    assert common_pixels(first, stretches([]), NONE, NONE).tolist() == []


NONE = np.zeros(0, np.int64)


def test_a_polygon_covers_the_pixels_whose_centres_it_holds() -> None:
    drawn = rasterised(Polygon((square(1, 1, 3),), (square(2, 2, 1),)), width=5, height=6)
    table = np.repeat(np.arange(len(drawn.runs)) % 2, drawn.runs).reshape(5, 6).T
    assert table.tolist() == [
        [0, 0, 0, 0, 0],
        [0, 1, 1, 1, 0],
        [0, 1, 0, 1, 0],
        [0, 1, 1, 1, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
    ]


def test_what_lies_beyond_the_image_is_cut_off_and_nothing_has_no_pixels() -> None:
    assert stretches([rasterised(Polygon((square(-5, -5, 100),)), width=4, height=3)]).area.tolist() == [12]
    assert rasterised(Polygon(()), width=4, height=3).runs.tolist() == [12]
