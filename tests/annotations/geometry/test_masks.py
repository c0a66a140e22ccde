"""Masks as runs and as stretches of columns, and polygons as masks; with the compiled kernel and without."""

import numpy as np
import pytest
from pycocotools import mask as coco_mask

from assay.annotations.geometry.masks import common_pixels, mask_figures, mask_runs, rasterised, stretches
from assay.annotations.shapes.shapes import Mask, Polygon
from assay.io.annotations.masks import runs_of_pixels
from tests.annotations.shape_sets import ring, square

pytestmark = pytest.mark.usefixtures("with_and_without_kernel")


def mask(pixels: list[list[int]], left: int = 0, top: int = 0, *, by_column: bool) -> Mask:
    table = np.array(pixels, bool)
    runs = runs_of_pixels((table.T if by_column else table).ravel())
    return Mask(left, top, table.shape[1], table.shape[0], runs, by_column)


L = [[1, 0, 0], [1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize("by_column", [True, False])
def test_area_and_extent_do_not_depend_on_how_runs_go(by_column: bool) -> None:
    area, extent = mask_figures(mask_runs([mask(L, 10, 20, by_column=by_column), mask([[0, 0]], by_column=by_column)]))
    assert area.tolist() == [4, 0]
    assert extent.tolist() == [[10, 20, 12, 23], [0, 0, 0, 0]]


def test_masks_share_the_pixels_both_have() -> None:
    first = mask_runs([mask(L, by_column=True), mask(L, 5, 0, by_column=True)])
    second = mask_runs([mask([[1, 1, 1]] * 2, by_column=False), mask([[1]], 1, 2, by_column=False)])
    pairs = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert common_pixels(first, second, *pairs).tolist() == [2, 1, 0, 0]
    assert common_pixels(first, mask_runs([]), NONE, NONE).tolist() == []


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
    whole = mask_runs([rasterised(Polygon((square(-5, -5, 100),)), width=4, height=3)])
    assert mask_figures(whole)[0].tolist() == [12]
    assert rasterised(Polygon(()), width=4, height=3).runs.tolist() == [12]


def pixels(drawn: Mask) -> np.ndarray:
    table = np.repeat(np.arange(len(drawn.runs)) % 2, drawn.runs).astype(bool)
    assert drawn.by_column
    return table.reshape(drawn.width, drawn.height).T


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_a_polygon_covers_the_pixels_that_pycocotools_gives_it() -> None:
    rng = np.random.default_rng(7)
    for corners in (3, 4, 5, 9) * 15:
        outline = rng.uniform(0, 20, (corners, 2)).round(int(rng.integers(0, 3)))
        by_coco = coco_mask.decode(coco_mask.frPyObjects([outline.ravel().tolist()], 17, 19))[:, :, 0]
        assert np.array_equal(pixels(rasterised(Polygon((outline,)), width=19, height=17)), by_coco.astype(bool))


def test_an_edge_gives_the_same_pixels_whichever_way_it_is_drawn() -> None:
    outline = ring((1.3, 2.1), (14.7, 5.2), (9.9, 13.8), (2.2, 11.4))
    there, back = (rasterised(Polygon((one,)), width=16, height=15).runs.tolist() for one in (outline, outline[::-1]))
    assert there == back


def test_rings_are_united_and_two_points_are_none() -> None:
    rings = (square(0, 0, 3), square(2, 0, 3), ring((0, 9), (9, 9)))
    assert pixels(rasterised(Polygon(rings), width=6, height=4)).sum() == 15
    holes = (square(1, 1, 1), square(20, 20, 5))
    assert pixels(rasterised(Polygon((square(0, 0, 3),), holes), width=6, height=4)).sum() == 8


def test_runs_without_length_are_passed_over() -> None:
    runs = mask_runs([Mask(2, 3, 2, 4, np.array([1, 0, 2, 3, 0, 1, 1]), by_column=True)])
    drawn = stretches(runs)
    assert list(zip(drawn.column, drawn.begin, drawn.end, strict=True)) == [(2, 6, 7), (3, 3, 5), (3, 5, 6)]
    assert (mask_figures(runs)[0].tolist(), mask_figures(runs)[1].tolist()) == ([4], [[2, 3, 4, 7]])
    assert stretches(mask_runs([Mask(0, 0, 2, 2, np.array([4]), by_column=False)])).count.tolist() == [0]


def test_common_pixels_are_those_of_the_unpacked_masks() -> None:
    rng = np.random.default_rng(3)
    tables = [rng.random((int(h), int(w))) < 0.6 for h, w in rng.integers(1, 7, (12, 2))]
    corners = rng.integers(-4, 5, (12, 2)).tolist()
    drawn = [
        mask(t.tolist(), *at, by_column=bool(i % 2)) for i, (t, at) in enumerate(zip(tables, corners, strict=True))
    ]
    where = []
    for table, (left, top) in zip(tables, corners, strict=True):
        board = np.zeros((20, 20), bool)
        board[top + 4 : top + 4 + table.shape[0], left + 4 : left + 4 + table.shape[1]] = table
        where.append(board)
    first, second = mask_runs(drawn[:5]), mask_runs(drawn[5:])
    a, b = (part.ravel() for part in np.meshgrid(np.arange(5), np.arange(7)))
    expected = [(where[i] & where[5 + j]).sum() for i, j in zip(a, b, strict=True)]
    assert common_pixels(first, second, a, b).tolist() == expected
    assert mask_figures(first)[0].tolist() == [board.sum() for board in where[:5]]


def test_masks_that_fill_the_same_window_are_told_apart() -> None:
    full, left = mask([[1] * 3] * 3, by_column=True), mask([[1, 0, 0]] * 3, by_column=True)
    first, second = mask_runs([full, left]), mask_runs([full, left, full])
    a, b = (part.ravel() for part in np.meshgrid(np.arange(2), np.arange(3)))
    assert common_pixels(first, second, a, b).tolist() == [9, 3, 3, 3, 9, 3]


def test_runs_of_a_polygon_begin_outside_and_fill_the_image() -> None:
    assert rasterised(Polygon((square(1, 1, 3),)), width=5, height=6).runs.tolist() == [7, 3, 3, 3, 3, 3, 8]
    assert rasterised(Polygon((square(3, 3, 9),)), width=5, height=5).runs.tolist() == [18, 2, 3, 2, 0]


def test_no_masks_have_no_stretches() -> None:
    none = stretches(mask_runs([]))
    assert [len(column) for column in (none.start, none.count, none.column, none.begin, none.end)] == [0] * 5


def test_a_corner_clicked_twice_changes_nothing() -> None:
    corners = [(1.3, 2.1), (14.7, 5.2), (9.9, 13.8), (2.2, 11.4)]
    once, twice = (
        rasterised(Polygon((ring(*points),)), width=16, height=15).runs.tolist()
        for points in (corners, [corners[0], *corners[:2], corners[1], *corners[2:]])
    )
    assert twice == once


def test_masks_have_the_figures_and_the_overlap_that_pycocotools_gives_them() -> None:
    rng = np.random.default_rng(11)
    tables = [np.asfortranarray(rng.random((31, 27)) < share, np.uint8) for share in rng.uniform(0, 1, 20)]
    coded = [coco_mask.encode(table) for table in tables]
    runs = mask_runs([mask(table.tolist(), by_column=True) for table in tables])
    area, extent = mask_figures(runs)
    assert area.tolist() == coco_mask.area(coded).tolist()
    assert np.column_stack([extent[:, :2], extent[:, 2:] - extent[:, :2]]).tolist() == coco_mask.toBbox(coded).tolist()
    a, b = (part.ravel() for part in np.meshgrid(np.arange(20), np.arange(20), indexing="ij"))
    common = common_pixels(runs, runs, a, b)
    iou = common / (area[a] + area[b] - common)
    assert iou.tolist() == coco_mask.iou(coded, coded, [0] * 20).ravel().tolist()


def test_a_mask_is_itself_again() -> None:
    drawn = mask(L, 10, 20, by_column=False)
    again = mask_runs([drawn, drawn]).chosen(np.array([1])).mask(0)
    assert (again.left, again.top, again.width, again.height, again.by_column) == (10, 20, 3, 3, True)
    assert again.runs.tolist() == [0, 3, 2, 1, 3]
