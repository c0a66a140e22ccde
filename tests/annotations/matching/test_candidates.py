"""Which pairs are worth a look, on which image, across which families."""

from collections.abc import Sequence

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pycocotools import mask as coco_mask

from assay.annotations.geometry.common_area import box_iou
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.geometry.masks import rasterised
from assay.annotations.matching import candidates as module
from assay.annotations.matching.assignment import Candidates
from assay.annotations.matching.candidates import (
    FEW,
    RECTANGLES_AT_ONCE,
    find_candidates,
    overlapping_pairs,
    region_similarity,
)
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Points, Polygon, Polyline, Shape, Skeleton, Tag
from tests.annotations.shape_sets import ring, set_of, square

few = settings(max_examples=50, deadline=None)
ONE_IMAGE = np.zeros(1, np.int32)


def pairs(found: Candidates) -> list[tuple[int, int]]:
    return list(zip(found.truth.tolist(), found.student.tolist(), strict=True))


def candidates(truth: list[Shape], student: list[Shape], *, across: bool = False, least: float = 0.0) -> Candidates:
    sets = Geometry(set_of(*truth)), Geometry(set_of(*student))
    return find_candidates(*sets, ONE_IMAGE, across_families=across, least=least)


def test_candidates_carry_their_iou_in_order_of_truth_then_student() -> None:
    rng = np.random.default_rng(3)
    corners = rng.uniform(0, 50, (30, 2))
    shapes: list[Shape] = [Box(x, y, x + 20, y + 20) for x, y in corners.tolist()]

    found = candidates(shapes, shapes[::-1])

    bounds = np.concatenate([corners, corners + 20], axis=1)
    assert pairs(found) == sorted(pairs(found))
    assert found.similarity == pytest.approx(box_iou(bounds[found.truth], bounds[::-1][found.student]))
    assert [str(column.dtype) for column in (found.truth, found.student)] == ["int32", "int32"]
    assert not found.similarity.flags.writeable


def test_images_are_compared_as_the_student_numbers_them() -> None:
    box = Box(0, 0, 10, 10)
    truth = Geometry(set_of(box, box, images=[0, 1]))
    student = Geometry(set_of(box, box, box, images=[0, 1, 2]))

    assert pairs(find_candidates(truth, student, np.array([1, -1, 0], np.int32))) == [(0, 2), (1, 0)]


def test_regions_of_different_families_meet_only_across_families() -> None:
    truth: list[Shape] = [Box(0, 0, 10, 10), Polygon((square(20, 20, 10),))]
    student: list[Shape] = [Polygon((square(0, 0, 10),)), Box(20, 20, 30, 30), Ellipse(25, 25, 5, 5)]

    assert pairs(candidates(truth, student)) == [(1, 2)]
    across = candidates(truth, student, across=True)
    assert pairs(across) == [(0, 0), (1, 1), (1, 2)]
    assert across.same_family.tolist() == [False, False, True]
    assert across.similarity.tolist() == pytest.approx([1, 1, np.pi / 4])


def test_polygons_masks_and_ellipses_are_one_family() -> None:
    mask = Mask(0, 0, 10, 10, np.array([0, 100]), by_column=True)
    polygon = Polygon((square(0, 0, 10),))
    found = candidates([mask, polygon], [polygon, Ellipse(5, 5, 5, 5), mask])

    assert pairs(found) == [(t, s) for t in (0, 1) for s in (0, 1, 2)]
    assert found.same_family.all()
    assert found.similarity[[0, 2, 3, 5]].tolist() == [1, 1, 1, 1]


def test_boxes_meet_turned_boxes_and_cuboids_meet_cuboids() -> None:
    corners = ring((0, 10), (0, 30), (20, 10), (20, 30), (10, 0), (10, 20), (30, 0), (30, 20))
    found = candidates([Box(0, 0, 10, 10), Cuboid(corners)], [Box(0, 0, 10, 10, 45), Cuboid(corners)])

    assert pairs(found) == [(0, 0), (1, 1)]
    assert found.similarity.tolist() == pytest.approx([1 / np.sqrt(2), 1])


def test_shapes_without_area_are_compared_within_their_family_on_one_image() -> None:
    shapes: list[Shape] = [
        Tag(),
        Points(ring((5, 5))),
        Polyline(ring((0, 0), (9, 9))),
        Skeleton(("nose",), ring((5, 5)), np.array([2], np.int8)),
    ]

    found = candidates(shapes, shapes[::-1], across=True)

    assert pairs(found) == [(0, 3), (1, 2), (2, 1), (3, 0)]
    assert found.similarity.tolist() == pytest.approx([1, 1, 1, 1])


def test_every_pair_of_tags_on_an_image_is_a_candidate() -> None:
    tags = Geometry(set_of(Tag(), Tag(), Tag(), images=[0, 0, 1]))
    found = find_candidates(tags, tags, np.arange(2, dtype=np.int32))

    assert pairs(found) == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]
    assert found.similarity.tolist() == [1] * 5


def test_crowd_regions_are_no_partners() -> None:
    box = Box(0, 0, 10, 10)
    truth = Geometry(set_of(box, box, crowd=[True, False]))

    assert pairs(find_candidates(truth, Geometry(set_of(box)), ONE_IMAGE)) == [(1, 0)]


@few
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.1, 0.3, 0.7]))
def test_asking_for_a_least_similarity_leaves_out_the_rest_and_nothing_more(seed: int, least: float) -> None:
    rng = np.random.default_rng(seed)
    shapes: list[Shape] = [
        *(Polygon((rng.uniform(0, 30, (5, 2)),)) for _ in range(4)),
        *(Box(2, float(rng.uniform(3, 9)), 25, 20, turn) for turn in (0.0, 30.0)),
        *(Ellipse(*rng.uniform(5, 20, 4).tolist()) for _ in range(2)),
        Mask(2, 3, 8, 8, np.array([5, 50, 9]), by_column=False),
    ]
    everything = candidates(shapes, shapes[::-1], across=True)

    found = candidates(shapes, shapes[::-1], across=True, least=least)

    kept = everything.similarity >= least
    assert pairs(found) == [pair for pair, keep in zip(pairs(everything), kept, strict=True) if keep]
    assert found.similarity == pytest.approx(everything.similarity[kept])


def test_nothing_on_either_side_gives_no_candidates() -> None:
    some: list[Shape] = [Box(0, 0, 1, 1), Polygon((square(0, 0, 3),)), Tag()]

    assert [len(candidates([], some)), len(candidates(some, [])), len(candidates([], []))] == [0, 0, 0]


def test_crowd_regions_of_either_side_are_no_candidates() -> None:
    one, two = Box(0, 0, 10, 10), Box(20, 0, 30, 10)
    for ours, theirs in (([True, False], [False, False]), ([False, False], [True, False])):
        truth, student = Geometry(set_of(one, two, crowd=ours)), Geometry(set_of(one, two, crowd=theirs))
        found = find_candidates(truth, student, np.zeros(1, np.int32))
        assert (found.truth.tolist(), found.student.tolist()) == ([1], [1])


WIDTH, HEIGHT = 24, 18
places = st.integers(0, 60_000).map(lambda thousandths: thousandths / 1000)
corners = st.tuples(places, places)
outlines = st.lists(corners, min_size=3, max_size=12)
sides = st.just(0.0) | st.floats(0.01, 40)  # thinner ones cost pycocotools its digits
boxes = st.tuples(places, places, sides, sides)
pixels = st.lists(st.booleans(), min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT)
HOURGLASS = ring((0, 0), (10, 10), (10, 0), (0, 10))
STAR = ring((50, 0), (80, 90), (2, 35), (98, 35), (20, 90))


def iou(first: Shape, second: Shape, size: tuple[int, int] = (100, 80)) -> float:
    here = np.zeros(1, np.int64)
    return float(
        region_similarity(Geometry(set_of(first, size=size)), Geometry(set_of(second, size=size)), here, here)[0]
    )


def drawn(points: Sequence[tuple[float, float]]) -> Polygon:
    return Polygon((ring(*points),))


def retraces(polygon: Polygon) -> bool:
    """Whether a ring runs along itself: GEOS takes such a stretch once, the even-odd rule as often as it is drawn."""
    lines = [shapely.LinearRing(r) for r in (*polygon.rings, *polygon.holes)]
    return any(shapely.node(line).length < line.length * (1 - 1e-9) for line in lines)


def comparable(*polygons: Polygon) -> bool:
    """Whether GEOS can be the judge; a sliver of next to no area has no digits to compare."""
    return all(as_geos(polygon).area > 1e-3 and not retraces(polygon) for polygon in polygons)


def as_geos(polygon: Polygon) -> shapely.Geometry:
    """By the even-odd rule; stray lines of what make_valid returns have no area."""
    rings = shapely.union_all([shapely.make_valid(shapely.Polygon(r)) for r in polygon.rings])
    return shapely.difference(rings, shapely.union_all([shapely.make_valid(shapely.Polygon(r)) for r in polygon.holes]))


def geos_iou(first: shapely.Geometry, second: shapely.Geometry) -> float:
    common = shapely.intersection(first, second).area
    union = first.area + second.area - common
    return float(common / union) if union else 0.0


def mask_of(table: NDArray[np.bool_], *, by_column: bool, left: int = 0, top: int = 0) -> Mask:
    flat = (table.T if by_column else table).ravel().astype(np.int8)
    edges = np.flatnonzero(np.diff(flat, prepend=0))
    runs = np.diff(np.concatenate([[0], edges, [flat.size]]))
    return Mask(left, top, table.shape[1], table.shape[0], runs, by_column)


@few
@given(boxes, boxes)
def test_boxes_overlap_as_in_pycocotools(first: tuple[float, ...], second: tuple[float, ...]) -> None:
    expected = coco_mask.iou(np.array([first]), np.array([second]), [False])[0, 0]

    found = box_iou(*(np.array([[x, y, x + w, y + h]]) for x, y, w, h in (first, second)))[0]

    # pycocotools says NaN of two boxes without area; we say that they share nothing
    assert found == pytest.approx(np.nan_to_num(expected), abs=1e-6)


@few
@given(boxes, boxes, st.floats(-360, 360), st.floats(-360, 360))
def test_turned_boxes_overlap_as_their_corners_say(
    first: tuple[float, ...], second: tuple[float, ...], turn_1: float, turn_2: float
) -> None:
    shapes = [Box(x, y, x + w + 0.1, y + h + 0.1, t) for (x, y, w, h), t in ((first, turn_1), (second, turn_2))]
    # shapely turns anticlockwise where y points up: clockwise where it points down
    geos = [shapely.affinity.rotate(shapely.box(b.left, b.top, b.right, b.bottom), b.rotation) for b in shapes]

    assert iou(shapes[0], shapes[1]) == pytest.approx(geos_iou(*geos), abs=1e-9)


def test_equally_turned_boxes_are_not_compared_as_if_upright() -> None:
    # 100 x 10 boxes 20 px apart across, both stood on end: CVAT's shortcut says 0
    assert iou(Box(0, 0, 100, 10, 90), Box(0, 20, 100, 30, 90)) == pytest.approx(80 / 120)


@few
@given(outlines, outlines)
def test_polygons_overlap_as_in_geos_even_when_they_cross_themselves(
    first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    one, two = drawn(first), drawn(second)

    if comparable(one, two):
        assert iou(one, two) == pytest.approx(geos_iou(as_geos(one), as_geos(two)), abs=1e-9)
        assert iou(two, one) == pytest.approx(iou(one, two), abs=1e-12)


@few
@given(st.lists(outlines, min_size=1, max_size=3), outlines, outlines)
def test_parts_are_united_and_holes_cut_out(
    parts: list[list[tuple[float, float]]], hole: list[tuple[float, float]], other: list[tuple[float, float]]
) -> None:
    one, two = Polygon(tuple(ring(*part) for part in parts), (ring(*hole),)), drawn(other)

    if comparable(one, two):
        assert iou(one, two) == pytest.approx(geos_iou(as_geos(one), as_geos(two)), abs=1e-9)


@few
@given(outlines)
def test_a_polygon_overlaps_itself_wholly(points: list[tuple[float, float]]) -> None:
    if comparable(drawn(points)):
        assert iou(drawn(points), drawn(points)) == pytest.approx(1, abs=1e-9)


def test_known_outlines_that_cross_themselves() -> None:
    assert iou(Polygon((HOURGLASS,)), Polygon((square(0, 0, 10),))) == pytest.approx(0.5)
    star = shapely.make_valid(shapely.Polygon(STAR))  # its middle is wound around twice: outside
    assert iou(Polygon((STAR,)), Polygon((square(0, 0, 100),))) == pytest.approx(star.area / 10_000, abs=1e-12)


def test_overlapping_parts_count_once() -> None:
    cross = Polygon((ring((0, 4), (12, 4), (12, 8), (0, 8)), ring((4, 0), (8, 0), (8, 12), (4, 12))))

    assert iou(cross, Polygon((square(0, 0, 12),))) == pytest.approx((48 + 48 - 16) / 144)


def test_far_from_the_origin_no_digits_are_lost() -> None:
    near = iou(Polygon((HOURGLASS,)), Polygon((square(1, 0, 10),)))

    assert iou(Polygon((HOURGLASS + 1e6,)), Polygon((square(1e6 + 1, 1e6, 10),))) == pytest.approx(near, abs=1e-8)


@pytest.mark.parametrize(
    "nothing",
    [
        Box(5, 5, 5, 20),
        Box(5, 5, 5, 20, 30),
        Polygon((ring((1, 1), (9, 9)),)),
        Polygon((ring((1, 1)),)),
        Polygon((ring((1, 1), (5, 5), (9, 9)),)),
        Polygon((ring((3, 3), (3, 3), (3, 3), (3, 3)),)),
        Polygon(()),
        Ellipse(5, 5, 0, 4),
        Mask(2, 2, 4, 4, np.array([16]), by_column=True),
        Cuboid(ring(*[(float(i), float(i)) for i in range(8)])),
    ],
)
def test_a_shape_without_area_overlaps_nothing(nothing: Shape) -> None:
    assert iou(nothing, Polygon((square(0, 0, 40),))) == 0
    assert iou(nothing, nothing) == 0


def test_shapes_apart_overlap_nothing() -> None:
    assert iou(Ellipse(10, 10, 5, 5), Polygon((square(40, 40, 5),))) == 0
    assert iou(Polygon((square(0, 0, 5),)), Polygon((square(5, 0, 5),))) == 0


def test_an_ellipse_covers_its_area_to_a_ten_thousandth() -> None:
    inside = iou(Ellipse(50, 40, 30, 20, 0), Box(0, 0, 100, 80))
    assert inside == pytest.approx(np.pi * 600 / 8000, rel=1e-12)
    # two unit circles one radius apart: 2 pi / 3 - sqrt(3) / 2
    lens = 2 * np.pi / 3 - np.sqrt(3) / 2
    assert iou(Ellipse(0, 0, 1, 1), Ellipse(1, 0, 1, 1)) == pytest.approx(lens / (2 * np.pi - lens), abs=1e-4)


def test_an_ellipse_is_turned_clockwise() -> None:
    falling = Polygon((ring((40, 38), (60, 58), (58, 60), (38, 40)),))  # from top left to bottom right
    assert iou(Ellipse(49, 49, 14, 2, 45), falling) > 0.5 > iou(Ellipse(49, 49, 14, 2, -45), falling)


def test_cuboids_overlap_by_the_hull_of_their_corners() -> None:
    front, back = [(0, 10), (0, 30), (20, 10), (20, 30)], [(10, 0), (10, 20), (30, 0), (30, 20)]
    cuboid = Cuboid(ring(*front, *back))
    moved = Cuboid(cuboid.corners + np.array([3, 0]))
    hulls = [shapely.convex_hull(shapely.multipoints(c.corners)) for c in (cuboid, moved)]

    assert iou(cuboid, moved) == pytest.approx(geos_iou(*hulls), abs=1e-12)
    assert iou(cuboid, cuboid) == pytest.approx(1, abs=1e-12)


@few
@given(pixels, pixels, st.booleans(), st.booleans())
def test_masks_overlap_as_in_pycocotools_whichever_way_their_runs_go(
    first: list[bool], second: list[bool], by_column_1: bool, by_column_2: bool
) -> None:
    tables = [np.array(p).reshape(HEIGHT, WIDTH) for p in (first, second)]
    coded = [coco_mask.encode(np.asfortranarray(table.astype(np.uint8))) for table in tables]
    expected = coco_mask.iou([coded[0]], [coded[1]], [False])[0, 0]

    found = iou(mask_of(tables[0], by_column=by_column_1), mask_of(tables[1], by_column=by_column_2))

    assert found == pytest.approx(np.nan_to_num(expected), abs=1e-12)


def test_masks_in_windows_lie_where_their_windows_lie() -> None:
    full = np.ones((4, 6), np.bool_)

    assert iou(mask_of(full, by_column=False, left=10, top=3), mask_of(full, by_column=True, left=12, top=3)) == 0.5
    assert iou(mask_of(full, by_column=False, left=10, top=3), mask_of(full, by_column=True, left=10, top=7)) == 0


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # of pycocotools' decode
@few
@given(st.lists(st.tuples(st.floats(-5, 30), st.floats(-5, 25)), min_size=3, max_size=9))
def test_polygons_become_the_pixels_pycocotools_gives_them(points: list[tuple[float, float]]) -> None:
    flat = [value for point in points for value in point]
    expected = coco_mask.decode(coco_mask.frPyObjects([flat], HEIGHT, WIDTH))[:, :, 0]

    mask = rasterised(drawn(points), width=WIDTH, height=HEIGHT)

    inside = np.repeat(np.arange(len(mask.runs)) % 2, mask.runs).reshape(WIDTH, HEIGHT).T
    assert np.array_equal(inside, expected)


@few
@given(outlines, outlines, pixels)
def test_a_polygon_of_several_parts_meets_a_mask_as_in_pycocotools(
    part_1: list[tuple[float, float]], part_2: list[tuple[float, float]], table: list[bool]
) -> None:
    parts = [[v for point in part for v in point] for part in (part_1, part_2)]
    coded = coco_mask.merge(coco_mask.frPyObjects(parts, HEIGHT, WIDTH))
    grid = np.array(table).reshape(HEIGHT, WIDTH)
    expected = coco_mask.iou([coded], [coco_mask.encode(np.asfortranarray(grid.astype(np.uint8)))], [False])[0, 0]

    found = iou(Polygon((ring(*part_1), ring(*part_2))), mask_of(grid, by_column=False), size=(WIDTH, HEIGHT))

    assert found == pytest.approx(np.nan_to_num(expected), abs=1e-12)


def test_a_box_meets_the_mask_of_its_pixels() -> None:
    grid = np.zeros((20, 30), np.bool_)
    grid[5:15, 10:20] = True

    assert iou(Box(10, 5, 20, 15), mask_of(grid, by_column=False)) == 1
    assert iou(Polygon((square(10, 5, 10),), (square(12, 7, 5),)), mask_of(grid, by_column=True)) == 0.75


def test_a_mask_on_an_image_of_unknown_size_meets_a_polygon() -> None:
    assert iou(mask_of(np.ones((10, 10), np.bool_), by_column=True), Polygon((square(0, 0, 10),)), size=(0, 0)) == 1


edges = st.integers(0, 12).map(float)
rectangles = st.lists(st.tuples(edges, edges, edges, edges, st.integers(0, 3)), max_size=14)


@few
@given(rectangles, rectangles)
def test_touching_rectangles_are_all_found_and_no_others(
    first: list[tuple[float, float, float, float, int]], second: list[tuple[float, float, float, float, int]]
) -> None:
    a, b = (np.array([(min(x, u), min(y, v), max(x, u), max(y, v)) for x, y, u, v, _ in r]) for r in (first, second))
    group_a, group_b = (np.array([g for *_, g in r], np.int64) for r in (first, second))
    expected = {
        (i, j)
        for i in range(len(a))
        for j in range(len(b))
        if group_a[i] == group_b[j] and all(a[i, k] < b[j, k + 2] and b[j, k] < a[i, k + 2] for k in (0, 1))
    }

    i, j = overlapping_pairs(a.reshape(-1, 4), group_a, b.reshape(-1, 4), group_b)

    assert sorted(zip(i.tolist(), j.tolist(), strict=True)) == sorted(expected)


def test_rectangles_that_touch_by_less_than_a_rounded_sum_can_tell_are_found_on_their_image_only() -> None:
    far = 1e7
    box = np.array([[0.0, 0, 1, 1], [far, 0, far + 1, 1]])
    sliver = np.array([[np.nextafter(1.0, 0), 0, 2, 1]])
    group = np.array([40_000, 40_001], np.int64)

    first, second = overlapping_pairs(box, group, sliver, group[:1])

    assert (first.tolist(), second.tolist()) == ([0], [0])


def test_many_rectangles_in_one_group_are_joined_by_a_sweep() -> None:
    n = 10 * FEW
    left = np.arange(n, dtype=np.float64) * 3
    one = np.stack([left, np.zeros(n), left + 2, np.ones(n)], axis=1)
    group = np.zeros(n, np.int64)

    first, second = overlapping_pairs(one, group, one + np.array([1, 0, 1, 0]), group)

    assert (first.tolist(), second.tolist()) == (list(range(n)), list(range(n)))


def test_rectangles_that_are_too_many_at_once_and_in_no_order_are_all_joined() -> None:
    n = RECTANGLES_AT_ONCE + 7
    boxes = np.tile([0.0, 0, 1, 1], (n, 1))
    group = np.random.default_rng(0).permutation(n)

    first, second = overlapping_pairs(boxes, group, boxes, np.arange(n))

    assert sorted(first.tolist()) == list(range(n))
    assert (group[first] == second).all()


def test_families_are_kept_apart_unless_it_is_asked_otherwise() -> None:
    ours, theirs = Geometry(set_of(Box(0, 0, 10, 10))), Geometry(set_of(Polygon((square(0, 0, 10),))))
    assert pairs(find_candidates(ours, theirs, ONE_IMAGE)) == []


def test_rectangles_that_begin_together_are_paired_once_however_many_there_are() -> None:
    many = 3 * FEW  # so that they are swept
    bounds = np.array([[0.0, i, 10, i + 0.5] for i in range(many)])
    group = np.zeros(many, np.int64)
    a, b = overlapping_pairs(bounds, group, bounds, group)
    assert sorted(zip(a.tolist(), b.tolist(), strict=True)) == [(i, i) for i in range(many)]


@pytest.mark.parametrize("at_once", [RECTANGLES_AT_ONCE, 20])
def test_a_sweep_finds_the_pairs_that_looking_at_all_of_them_finds(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RECTANGLES_AT_ONCE", at_once)
    rng = np.random.default_rng(6)
    corner = [rng.uniform(0, 120, (n, 2)).round() + np.array([0, 500]) for n in (100, 80)]
    corner[0][0, 0] = 0  # the lowest x
    one, two = (np.concatenate([at, at + rng.integers(0, 25, at.shape)], axis=1) for at in corner)
    group_1, group_2 = np.repeat([0, 2, 5], [60, 35, 5]), np.repeat([0, 2, 4], [45, 30, 5])
    order = rng.permutation(80)
    assert (np.bincount(group_1)[:3] @ np.bincount(group_2)[:3]) > FEW * 180
    first, second = overlapping_pairs(one, group_1, two[order], group_2[order])
    expected = [
        (i, j)
        for i in range(100)
        for j in range(80)
        if group_1[i] == group_2[j] and (one[i, :2] < two[j, 2:]).all() and (two[j, :2] < one[i, 2:]).all()
    ]
    assert sorted(zip(first.tolist(), order[second].tolist(), strict=True)) == expected


def alike(truth: Shape, student: Shape, size: tuple[int, int] = (100, 80), near: Sequence[Shape] = ()) -> float:
    """The similarity of the only pair; `near` are further shapes of the truth."""
    sets = Geometry(set_of(truth, *near, size=size)), Geometry(set_of(student, size=size))
    found = find_candidates(*sets, ONE_IMAGE)
    return float(found.similarity[0])


def by_distance(squared: float, scale: float, sigma: float) -> float:
    return float(np.exp(-squared / (2 * scale * (2 * sigma) ** 2)))


def body(*points: tuple[float, float]) -> Skeleton:
    return Skeleton(tuple(f"p{i}" for i in range(len(points))), ring(*points), np.full(len(points), 2, np.int8))


@pytest.mark.parametrize(
    ("points", "size", "scale"),
    [
        ([(10, 10), (30, 50)], (100, 80), 20 * 40),
        ([(10, 10), (30, 10)], (100, 80), 20**2),  # in one line: the square of its longer side
        ([(10, 10), (10, 40)], (100, 80), 30**2),
        ([(10, 10)], (100, 80), 8000),  # a single point: the image
        ([(10, 12)], (0, 0), 10 * 12),  # else how far the truth reaches
    ],
)
def test_skeletons_are_measured_by_their_size(
    points: list[tuple[float, float]], size: tuple[int, int], scale: float
) -> None:
    moved = [(points[0][0] + 3, points[0][1] + 1), *points[1:]]
    expected = (by_distance(10, scale, 0.09) + len(points) - 1) / len(points)
    assert alike(body(*points), body(*moved), size) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("size", "scale"), [((100, 80), 8000), ((0, 0), 50**2)])
def test_lines_are_measured_by_the_image_or_their_length(size: tuple[int, int], scale: float) -> None:
    line, moved = Polyline(ring((10, 10), (60, 10))), Polyline(ring((60, 12), (10, 12)))
    assert alike(line, moved, size) == pytest.approx(by_distance(4, scale, 0.01), abs=1e-12)


@pytest.mark.parametrize("moved", [(0, 40), (0, -40), (65, 0), (-65, 0), (60, 30), (-60, -30)])
def test_lines_far_apart_have_nothing_in_common(moved: tuple[float, float]) -> None:
    line = ring((100, 100), (150, 100), (150, 120))
    assert len(candidates([Polyline(line)], [Polyline(line + moved)])) == 0
    assert pairs(candidates([Polyline(line)], [Polyline(line + np.array(moved) / 20)])) == [(0, 0)]


@pytest.mark.parametrize(
    ("points", "size", "scale"),
    [
        ([(10, 10), (30, 50)], (100, 80), 20 * 40),
        ([(10, 10)], (100, 80), 8000),
        ([(30, 10), (30, 20)], (100, 80), 8000),  # in one line: no area either
        ([(30, 40)], (0, 0), 30 * 40),
    ],
)
def test_points_are_measured_by_their_box_or_the_image_or_how_far_the_truth_reaches(
    points: list[tuple[float, float]], size: tuple[int, int], scale: float
) -> None:
    moved = [(points[0][0] + 1, points[0][1] + 2), *points[1:]]
    expected = (by_distance(5, scale, 0.09) + len(points) - 1) / len(points)
    assert alike(Points(ring(*points)), Points(ring(*moved)), size) == pytest.approx(expected, abs=1e-12)


def test_how_far_the_truth_reaches_is_that_of_all_its_annotations() -> None:
    point, moved = Points(ring((30, 40))), Points(ring((31, 42)))
    assert alike(point, moved, (0, 0), near=[Box(0, 0, 50, 20)]) == pytest.approx(
        by_distance(5, 50 * 40, 0.09), abs=1e-12
    )


def test_single_points_and_several_are_told_apart_in_one_set() -> None:
    several, single = Points(ring((10, 10), (30, 50))), Points(ring((60, 60)))
    found = candidates([several, single], [single, several])
    assert pairs(found) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert found.similarity[[1, 2]].tolist() == [1, 1]
    far = by_distance(30**2 + 10**2, 800, 0.09)
    assert found.similarity[0] == pytest.approx(far / 2, abs=1e-12)
    assert found.similarity[3] == pytest.approx(by_distance(30**2 + 10**2, 8000, 0.09) / 2, abs=1e-12)


@pytest.mark.parametrize("name", ["BOXES_AT_ONCE", "LINES_AT_ONCE"])
def test_many_pairs_are_compared_a_part_at_a_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, name, 3)
    places = [(float(i), 2.0 * i) for i in range(5)]
    boxes: list[Shape] = [Box(x, y, x + 20, y + 10) for x, y in places]
    lines: list[Shape] = [Polyline(ring((x, y), (x + 20, y))) for x, y in places]
    for shapes in (boxes, lines):
        found = candidates(shapes, shapes[::-1])
        single = [candidates([shapes[t]], [shapes[::-1][s]]).similarity[0] for t, s in pairs(found)]
        assert len(found) == 25
        assert found.similarity.tolist() == pytest.approx(single, abs=1e-12)


def test_a_least_similarity_is_reached_by_what_equals_it() -> None:
    for half in (Box(0, 0, 10, 5), Polygon((ring((0, 0), (10, 0), (10, 5), (0, 5)),))):
        assert len(candidates([Box(0, 0, 10, 10)], [half], across=True, least=0.5)) == 1
        assert len(candidates([Box(0, 0, 10, 10)], [half], across=True, least=0.51)) == 0


@pytest.mark.parametrize(("second", "scale"), [((10.5, 11.0), 0.5), ((10.5, 10.0), 0.25)])
def test_skeletons_smaller_than_a_pixel_have_their_own_size_too(second: tuple[float, float], scale: float) -> None:
    expected = (by_distance(0.01, scale, 0.09) + 1) / 2
    assert alike(body((10, 10), second), body((10.1, 10), second)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("shape", [Box(0, 0, 10, 10), Polygon((square(0, 0, 10),)), Tag()])
def test_every_image_has_its_pairs_whether_crowds_are_marked_or_not(shape: Shape) -> None:
    for crowd in (None, [False] * 3):
        drawn = Geometry(set_of(shape, shape, shape, images=[0, 1, 9], crowd=crowd))
        assert pairs(find_candidates(drawn, drawn, np.arange(10, dtype=np.int32))) == [(0, 0), (1, 1), (2, 2)]
