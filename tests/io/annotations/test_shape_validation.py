"""Coordinates, boxes and polygons: what is refused and what is repaired."""

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import Image
from assay.annotations.shapes.shapes import Box, Ellipse, Polygon
from assay.errors import InputError
from assay.io.annotations import shape_validation
from assay.io.annotations.shape_validation import (
    FARTHEST,
    WHAT,
    box_about,
    box_of_corners,
    box_of_edges,
    checked_size,
    ellipse_of,
    listed_twice,
    number,
    place,
    places,
    point_list,
    polygon_of,
    report_self_intersections,
    self_intersections,
)
from assay.kernel import kernel
from tests.annotations.shape_sets import ring, set_of, square


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "x is missing"), ("a", "x is not a number"), ("nan", "not finite"), (str(FARTHEST * 2), "beyond")],
)
def test_what_is_no_coordinate_is_refused(text: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        place(text, "x")


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "missing or empty"), ("1,2;3", "pairs x,y"), ("1,b", "not a number"), ("1,inf", "not finite")],
)
def test_what_are_no_points_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        places(text)


def test_points_may_end_in_a_semicolon_and_cannot_be_changed() -> None:
    points = places("1,2;3,4;")
    assert points.tolist() == [[1, 2], [3, 4]]
    assert not points.flags.writeable


def test_a_triangle_keeps_its_three_points() -> None:
    repairs: list[str] = []
    assert len(polygon_of(ring((0, 0), (1, 1), (0, 0)), repairs.append).rings[0]) == 3
    assert not repairs
    assert len(polygon_of(np.concatenate([square(0, 0, 1), square(0, 0, 1)[:1]]), repairs.append).rings[0]) == 4
    assert len(repairs) == 1


def test_polygons_and_boxes_tell_their_repairs() -> None:
    repairs: list[str] = []
    with pytest.raises(InputError, match="fewer than three"):
        polygon_of(ring((0, 0), (1, 1)), repairs.append)
    assert box_of_edges(4, 1, 2, 1, repairs.append, 10) == Box(2, 1, 4, 1, 10)
    assert [repair.split(":")[0] for repair in repairs] == [
        "a box's right or lower edge lies before its left or upper edge",
        "a box has no area",
    ]


@pytest.mark.parametrize("turn", [0, 10, 45, 80, 90, 135, 200, 300])
def test_corners_give_back_the_box_they_were_made_of_whichever_comes_first(turn: float) -> None:
    angle = np.radians(turn)
    turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = (square(-20, -20, 40) * [1, 0.5]) @ turned + [100, 50]
    for start in range(4):
        box = box_of_corners(np.roll(corners, start, axis=0))
        assert box is not None
        middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        assert middle == pytest.approx((100, 50))
        sides = box.right - box.left, box.bottom - box.top
        assert sorted(sides) == pytest.approx([20, 40])
        assert min(box.rotation % 90, 90 - box.rotation % 90) == pytest.approx(min(turn % 90, 90 - turn % 90), abs=1e-6)


def test_corners_of_no_rectangle_are_no_box() -> None:
    assert box_of_corners(ring((0, 0), (40, 0), (60, 30), (0, 30))) is None
    assert box_of_corners(ring((0, 0), (40, 0), (40.5, 30), (0, 30))) is not None
    assert box_about(0, 0, 4, 2, -90) == Box(-1, -2, 1, 2, 0)


def test_outlines_that_cross_themselves_are_found() -> None:
    bow_tie = ring((0, 0), (10, 10), (10, 0), (0, 10))
    crossing = self_intersections(np.concatenate([square(0, 0, 4), bow_tie]), np.array([4, 4]))
    assert crossing is not None
    assert crossing.tolist() == [False, True]


def test_a_negative_size_is_refused() -> None:
    assert checked_size(0, 4) == (0, 4)
    with pytest.raises(InputError, match="the size 3 x -1 is negative"):
        checked_size(3, -1)


def test_polygons_that_cross_themselves_are_counted_and_the_first_is_named() -> None:
    bow_tie = Polygon((ring((0, 0), (10, 10), (10, 0), (0, 10)),))
    sound = set_of(Box(0, 0, 4, 4), Polygon((square(0, 0, 4),)), images=[0, 1])
    assert report_self_intersections(sound) is sound
    crossed = set_of(Box(0, 0, 4, 4), Polygon((square(0, 0, 4),)), bow_tie, bow_tie, images=[0, 0, 1, 0])
    (problem,) = report_self_intersections(crossed).problems
    assert (problem.where, problem.count, problem.what) == ("image '1.jpg', annotation 3", 2, WHAT)
    assert report_self_intersections(set_of(Box(0, 0, 1, 1))).problems == ()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "points is missing or empty"),
        (None, "points is missing or empty"),
        ([[1, 2, 3]], "something else than pairs"),
        ([[1]], "something else than pairs"),
        ([[1, "2"]], "something that is not a number"),
        ([[1, True]], "something that is not a number"),
    ],
)
def test_points_that_are_no_pairs_of_numbers_are_refused(value: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        point_list(value)


def test_an_outline_of_more_points_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    square = np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]])
    bow = square[[0, 2, 1, 3]]
    monkeypatch.setenv("ASSAY_LIMIT_CROSSING_POINTS", "3")
    assert self_intersections(square, np.array([4])) is not None
    with pytest.raises(InputError, match="ASSAY_LIMIT_CROSSING_POINTS"):
        self_intersections(bow, np.array([4]))
    monkeypatch.setenv("ASSAY_LIMIT_POLYGON_POINTS", "3")
    with pytest.raises(InputError, match="ASSAY_LIMIT_POLYGON_POINTS"):
        self_intersections(square, np.array([4]))


def shifted(width: float, height: float, *, along: float = 0.0, aside: float = 0.0) -> Box | None:
    """The box of a rectangle whose third corner is moved, along its diagonal or square to it."""
    x, y = np.array([width, height]) / np.hypot(width, height)
    third = (width + along * x - aside * y, height + along * y + aside * x)
    return box_of_corners(ring((0, 0), (width, 0), third, (0, height)))


@pytest.mark.parametrize(
    ("size", "near", "far"),
    [
        (
            (400, 300),
            {"aside": 19.0},
            {"aside": 21.0},
        ),  # diagonals of 500: 10 pixels may be lacking, 20 from the fourth
        ((400, 300), {"along": 9.5}, {"along": 10.5}),
        ((400, 300), {"along": -9.5}, {"along": -10.5}),
        ((8, 6), {"aside": 1.9}, {"aside": 2.1}),  # a pixel where the share is less
        ((8, 6), {"along": 0.9}, {"along": 1.1}),
    ],
)
def test_corners_may_lie_off_by_a_pixel_or_a_share_of_the_diagonal(
    size: tuple[float, float], near: dict[str, float], far: dict[str, float]
) -> None:
    assert shifted(*size, **near) is not None
    assert shifted(*size, **far) is None


def test_sides_of_a_skewed_rectangle_are_averages_of_two() -> None:
    box = box_of_corners(ring((0, 0), (40, 0), (40.5, 30), (0, 30)))
    assert box is not None
    half_width, half_height = 40.25 / 2, np.hypot(0.25, 30) / 2
    assert (box.left, box.right) == pytest.approx((20.125 - half_width, 20.125 + half_width))
    assert (box.top, box.bottom) == pytest.approx((15 - half_height, 15 + half_height))
    assert box.rotation == 0


@pytest.mark.parametrize(
    ("turn", "rotation", "swapped"),
    [(44, 44, False), (46, 316, True), (-44, 316, False), (-46, 44, True), (180, 0, False), (270, 0, True)],
)
def test_a_turn_becomes_the_smallest_that_does_it(turn: float, rotation: float, swapped: bool) -> None:
    width, height = (2, 4) if swapped else (4, 2)
    assert box_about(10, 20, 4, 2, turn) == Box(
        10 - width / 2, 20 - height / 2, 10 + width / 2, 20 + height / 2, rotation
    )


def test_coordinates_may_be_as_large_as_the_largest_image_and_no_larger() -> None:
    for value in (FARTHEST, -FARTHEST):
        assert number(value, "x") == value
        assert places(f"{value},0").tolist() == [[value, 0]]
        assert point_list([[0, value]]).tolist() == [[0, value]]
        with pytest.raises(InputError, match=r"^x is not finite or beyond 10000000"):
            number(value * 1.001, "x")
        with pytest.raises(InputError, match="points holds a number that is not finite or beyond 10000000"):
            places(f"0,{value * 1.001}")
    for wrong, said in ((None, "x is missing or null"), (True, "x is not a number"), ("1", "x is not a number")):
        with pytest.raises(InputError, match=said):
            number(wrong, "x")
    with pytest.raises(InputError, match="not finite"):
        point_list([[10**400, 1]])


@pytest.mark.parametrize(
    ("edges", "box", "repairs"),
    [
        ((0, 0, 4, 2), Box(0, 0, 4, 2), 0),
        ((4, 0, 0, 2), Box(0, 0, 4, 2), 1),
        ((0, 2, 4, 0), Box(0, 0, 4, 2), 1),
        ((0, 0, 0, 2), Box(0, 0, 0, 2), 1),
        ((0, 2, 4, 2), Box(0, 2, 4, 2), 1),
    ],
)
def test_edges_are_put_in_order_and_flat_boxes_told(
    edges: tuple[float, float, float, float], box: Box, repairs: int
) -> None:
    told: list[str] = []
    assert box_of_edges(*edges, told.append) == box
    assert len(told) == repairs


def test_radii_of_an_ellipse_are_not_negative() -> None:
    told: list[str] = []
    assert ellipse_of(1, 2, 3, 4, told.append) == Ellipse(1, 2, 3, 4, 0)
    assert told == []
    for radii in ((0, 4), (3, 0)):
        assert ellipse_of(1, 2, *radii, told.append, 5) == Ellipse(1, 2, *radii, 5)
    assert told == ["an ellipse has no area"] * 2
    for radii in ((-1, 4), (3, -1)):
        with pytest.raises(InputError, match="negative radius"):
            ellipse_of(1, 2, *radii, told.append)


def test_sizes_and_images_that_cannot_be_are_named() -> None:
    with pytest.raises(InputError, match="the size -3 x 1 is negative"):
        checked_size(-3, 1)
    assert checked_size(4, 0) == (4, 0)
    twice = listed_twice(Image("a", 1, 2), Image("a", 3, 4), "s")
    assert twice.problem == "image 'a' is listed twice, as 1 x 2 and as 3 x 4 pixels"
    assert (twice.source, twice.remedy) == ("s", "Give each image a name of its own.")


def rings_of_all_sorts(seed: int, count: int = 400) -> list[np.ndarray]:
    """Rings on small grids, which touch themselves in every way; stars, which do not; long ones; points repeated."""
    rng = np.random.default_rng(seed)
    rings = []
    for k in range(count):
        n = int(rng.integers(3, 12)) if k % 20 else int(rng.integers(60, 400))
        if k % 5 == 0:
            rings.append(rng.integers(0, 4, (n, 2)).astype(float))
        elif k % 5 == 1:
            rings.append(rng.integers(0, 7, (n, 2)) * 0.1)
        elif k % 5 == 2:
            turn = np.sort(rng.uniform(0, 2 * np.pi, n))
            rings.append((np.stack([np.cos(turn), np.sin(turn)], 1) * rng.uniform(20, 99, (n, 1))).round(k % 4))
        elif k % 5 == 3:
            along = np.arange(n) * 0.1
            rings.append(np.stack([along, 0.3 * along + rng.integers(0, 2, n) * 0.1], 1))
        else:
            rings.append(np.repeat(rng.integers(0, 5, (n, 2)), rng.integers(1, 3, n), axis=0) / 3)
    return rings


@pytest.mark.parametrize("seed", range(5))
def test_rings_cross_themselves_with_the_kernel_as_geos_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rings = rings_of_all_sorts(seed)
    points, lengths = np.concatenate(rings), np.array([len(one) for one in rings])
    with_kernel = self_intersections(points, lengths)
    monkeypatch.setenv("ASSAY_KERNEL", "off")
    by_geos = self_intersections(points, lengths)
    assert with_kernel is not None
    assert by_geos is not None
    assert 20 < by_geos.sum() < len(rings) - 20
    assert with_kernel.tolist() == by_geos.tolist()


@pytest.mark.usefixtures("with_and_without_kernel")
@pytest.mark.parametrize("turn", [0, 30, 45, 90])
def test_a_long_zigzag_is_no_crossing(turn: float) -> None:
    n, angle = 2_000, np.radians(turn)
    there = np.stack([np.arange(n), np.arange(n) % 2 * 1000.0], 1)
    zigzag = np.concatenate([there, [[n, 2000.0], [-1, 2000.0]]])
    turned = zigzag @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    crossing = self_intersections(turned, np.array([len(turned)]))
    assert crossing is not None
    assert crossing.tolist() == [False]


@pytest.mark.skipif(kernel() is None, reason="the compiled kernel was not built here")
def test_outlines_that_would_take_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape_validation, "TESTS", 100)
    monkeypatch.setattr(shape_validation, "TESTS_OF_A_POINT", 0)
    turn = np.linspace(0, 2 * np.pi, 500, endpoint=False)
    with pytest.raises(InputError, match="500 points that run to and fro"):
        self_intersections(np.stack([np.cos(turn), np.sin(turn)], 1), np.array([500]))
