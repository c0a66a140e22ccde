"""Areas in common and IoU from them."""

import numpy as np
import pytest
import shapely

from assay.annotations.geometry import common_area as module
from assay.annotations.geometry.common_area import (
    Outlines,
    box_areas,
    box_iou,
    common_areas,
    common_box_areas,
    extents,
    highest_iou,
    intersection_over_union,
    outlines,
    own_areas,
)
from assay.annotations.shapes.columns import Rings
from assay.kernel import VARIABLE
from tests.annotations.shape_sets import ring, square

pytestmark = pytest.mark.usefixtures("with_and_without_kernel")
HOURGLASS = ring((0, 0), (10, 10), (10, 0), (0, 10))
TWICE_AROUND = np.concatenate([square(0, 0, 4), square(0, 0, 4)])


def edges_of(*rings: np.ndarray) -> Outlines:
    count = np.array([len(one) for one in rings])
    return outlines(Rings(np.concatenate(rings), count, np.arange(len(rings)), np.zeros(len(rings), bool)), len(rings))


def test_boxes_whose_ends_are_swapped_have_no_area() -> None:
    assert box_areas(np.array([[0.0, 0, 2, 3], [2, 0, 0, 3]])).tolist() == [6, 0]
    assert common_box_areas(np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 1, 5, 5]])).tolist() == [1]
    assert box_iou(np.array([[0.0, 0, 2, 2]]), np.array([[3.0, 0, 5, 2]])).tolist() == [0]


def test_iou_is_zero_without_area_and_never_leaves_zero_to_one() -> None:
    common, first, second = np.array([0.0, 1 + 1e-12, 2.0]), np.array([0.0, 1.0, 4.0]), np.array([0.0, 1.0, 4.0])
    assert intersection_over_union(common, first, second).tolist() == pytest.approx([0, 1, 1 / 3])
    assert intersection_over_union(common, first, second).max() <= 1


def test_no_iou_is_higher_than_areas_and_bounds_allow() -> None:
    assert highest_iou(np.array([100.0, 1.0]), np.array([4.0, 4.0]), np.array([8.0, 4.0])).tolist() == pytest.approx(
        [0.5, 1 / 7]
    )


def test_outlines_share_what_lies_in_both() -> None:
    first, second = edges_of(square(0, 0, 10), square(50, 0, 10)), edges_of(square(5, 5, 10), square(0, 0, 2))
    pairs = np.array([0, 0, 1]), np.array([0, 1, 0])
    assert common_areas(first, second, *pairs).tolist() == pytest.approx([25, 4, 0])


def test_a_part_wound_around_twice_counts_four_times_in_its_own_area() -> None:
    assert own_areas(edges_of(square(0, 0, 4)), np.array([0])).tolist() == pytest.approx([16])
    assert own_areas(edges_of(TWICE_AROUND), np.array([0])).tolist() == pytest.approx([64])


def test_nothing_shares_nothing() -> None:
    flat = edges_of(ring((1, 0), (1, 5), (1, 9)))  # upright edges alone
    assert common_areas(flat, edges_of(square(0, 0, 9)), np.array([0]), np.array([0])).tolist() == [0]
    assert own_areas(flat, np.array([0])).tolist() == [0]


def rings(*drawn: tuple[int, bool, np.ndarray]) -> Rings:
    return Rings(
        np.concatenate([points for *_, points in drawn]),
        np.array([len(points) for *_, points in drawn]),
        np.array([owner for owner, *_ in drawn]),
        np.array([hole for _, hole, _ in drawn]),
    )


def test_areas_are_those_of_rings_without_their_holes_whichever_way_they_run() -> None:
    drawn = outlines(
        rings((0, False, square(0, 0, 10)), (0, True, square(2, 2, 5)), (2, False, square(0, 0, 3)[::-1])), 3
    )
    assert drawn.area.tolist() == pytest.approx([75, 0, 9])
    assert drawn.count.tolist() == [4, 0, 2]


def test_edges_lie_in_order_of_their_left_ends() -> None:
    drawn = outlines(rings((0, False, ring((5, 0), (9, 4), (1, 6), (0, 3)))), 1)
    assert drawn.edges.left.tolist() == sorted(drawn.edges.left.tolist())
    assert (drawn.edges.left < drawn.edges.right).all()


def test_extents_are_those_of_the_corners() -> None:
    drawn = outlines(rings((0, False, ring((5, 1), (9, 4), (1, 6))), (1, False, square(20, 30, 2))), 2)
    assert extents(drawn, np.array([0, 1])).tolist() == pytest.approx(np.array([[1, 1, 9, 6], [20, 30, 22, 32]]))


def test_many_rings_in_portions_are_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    many = rings(*((i, False, square(i, 2 * i, 3)) for i in range(20)))
    whole_edges = outlines(many, 20).edges
    monkeypatch.setattr(module, "POINTS_AT_ONCE", 12)
    parts = outlines(many, 20)
    for name in ("start", "count", "left", "right", "y", "slope", "sign", "area"):
        assert getattr(parts.edges, name).tolist() == getattr(whole_edges, name).tolist()


def star(rng: np.random.Generator, corners: int) -> np.ndarray:
    """A ring that does not cross itself: corners in order about a centre."""
    turn, far = np.sort(rng.uniform(0, 2 * np.pi, corners)), rng.uniform(2, 9, corners)
    return np.asarray(rng.uniform(0, 12, 2) + far[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1))


def test_common_areas_are_those_of_geos(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    mine, yours = ([star(rng, corners) for corners in (3, 4, 7, 12, 30) * 2] for _ in range(2))
    a, b = (part.ravel() for part in np.meshgrid(np.arange(10), np.arange(10)))
    by_geos = [
        shapely.intersection(*(shapely.make_valid(shapely.Polygon(one)) for one in (mine[i], yours[j]))).area
        for i, j in zip(a, b, strict=True)
        if shapely.Polygon(mine[i]).is_valid and shapely.Polygon(yours[j]).is_valid
    ]
    assert len(by_geos) == 100
    first, second = edges_of(*mine), edges_of(*yours)
    assert common_areas(first, second, a, b).tolist() == pytest.approx(by_geos, rel=1e-9, abs=1e-9)
    monkeypatch.setattr(module, "EDGES_AT_ONCE", 50)
    assert common_areas(first, second, a, b).tolist() == pytest.approx(by_geos, rel=1e-9, abs=1e-9)
    assert own_areas(first, np.array([7, 2])) == pytest.approx(first.area[[7, 2]])


def test_shapes_that_share_edges_and_corners_share_their_area() -> None:
    first = edges_of(square(0, 0, 10), square(0, 0, 10))
    second = edges_of(square(0, 0, 10), square(10, 0, 10), square(0, 5, 10)[::-1])
    pairs = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 2])
    assert common_areas(first, second, *pairs).tolist() == pytest.approx([100, 0, 50, 50])


def test_left_ends_lie_in_order_even_where_rounding_hides_it() -> None:
    far, near = ring((0, 0), (1e12, 1), (1e12, 0)), ring((1e-5, 0), (5, 1), (0, 2))
    drawn = edges_of(*[far] * 5000, near)
    for shape in (0, 5000):
        left = drawn.edges.left[drawn.edges.start[shape] :][: drawn.count[shape]]
        assert left.tolist() == sorted(left.tolist())


def test_an_edge_as_good_as_upright_has_no_slope() -> None:
    drawn = edges_of(ring((0, 0), (4, 0), (4 + 1e-13, 4), (0, 4)))
    assert drawn.count.tolist() == [2]
    assert drawn.edges.slope.tolist() == pytest.approx([0, 0])
    assert edges_of(ring((0, 0), (4, 0), (4 + 1e-3, 4), (0, 4))).count.tolist() == [3]


def test_empty_rings_and_no_rings_have_no_edges() -> None:
    assert outlines(rings((0, False, np.empty((0, 2))), (1, False, square(0, 0, 2))), 2).area.tolist() == [0, 4]
    none = Rings(np.empty((0, 2)), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool))
    assert (outlines(none, 0).area.tolist(), outlines(none, 3).count.tolist()) == ([], [0, 0, 0])


def test_an_empty_ring_between_others_leaves_them_as_they_are() -> None:
    drawn = outlines(rings((0, False, square(0, 0, 3)), (1, False, np.empty((0, 2))), (2, False, square(0, 0, 2))), 3)
    assert drawn.area.tolist() == pytest.approx([9, 0, 4])
    assert extents(drawn, np.array([0, 2])).tolist() == [[0, 0, 3, 3], [0, 0, 2, 2]]


@pytest.mark.parametrize(
    ("other", "area"),
    [
        ((5, 5, 7, 7), 0),
        ((0, 5, 2, 7), 0),
        ((5, 0, 7, 2), 0),
        ((0, 0, 2, 0.5), 1),
        ((0, 0, 0.5, 2), 1),
        ((-1, -1, 1.5, 1), 1.5),
    ],
)
def test_boxes_have_in_common_what_both_cover(other: tuple[float, ...], area: float) -> None:
    one, two = np.array([[0.0, 0, 2, 2]]), np.array([other])
    assert common_box_areas(one, two).tolist() == common_box_areas(two, one).tolist() == [area]


def test_small_boxes_and_those_with_swapped_ends() -> None:
    assert box_areas(np.array([[0, 0, 0.5, 0.5], [0, 3, 2, 0], [2, 3, 0, 0]])).tolist() == [0.25, 0, 0]
    assert intersection_over_union(np.array([-1e-9]), np.array([1.0]), np.array([1.0])).tolist() == [0]


def test_shapes_smaller_than_a_pixel_keep_their_own_edges() -> None:
    drawn = edges_of(square(0.25, 0, 0.25), square(0, 0, 0.25), square(0.125, 0, 0.25))
    assert drawn.edges.left.tolist() == [0.25, 0.25, 0, 0, 0.125, 0.125]
    pairs = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 2])
    assert common_areas(drawn, drawn, *pairs).tolist() == pytest.approx([0, 1 / 32, 1 / 32, 1 / 16])


@pytest.mark.parametrize("digits", [0, 2, 12])
def test_the_kernel_gives_the_same_digits_as_numpy(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(digits)
    several = [rng.integers(1, 4) for _ in range(60)]
    drawn = [
        (k, bool(i == 2), star(rng, int(rng.integers(3, 60))).round(digits))
        for k in range(60)
        for i in range(several[k])
    ]
    pairs = rng.integers(0, 60, 900), rng.integers(0, 60, 900)

    def figures() -> list[list[float]]:
        shapes = outlines(rings(*drawn), 60)
        common, own = common_areas(shapes, shapes, *pairs), own_areas(shapes, np.arange(60))
        return [
            shapes.count.tolist(),
            shapes.area.tolist(),
            shapes.extent.ravel().tolist(),
            common.tolist(),
            own.tolist(),
        ]

    first = figures()
    monkeypatch.setenv(VARIABLE, "off")
    assert figures() == first
