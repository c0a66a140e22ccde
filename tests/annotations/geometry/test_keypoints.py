"""Object keypoint similarity, against pycocotools."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pycocotools.cocoeval import COCOeval, Params

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.geometry.keypoints import (
    COCO_SIGMAS,
    DEFAULT_SIGMA,
    NEGLIGIBLE,
    SAMPLES,
    lengths,
    line_similarity,
    may_be_near,
    near_pairs,
    oks,
    point_key,
    point_similarity,
    points_similarity,
    resampled,
    sigmas_of,
)
from assay.annotations.matching.candidates import point_set_similarity, polyline_similarity, skeleton_similarity
from assay.annotations.shapes.columns import skeleton_table
from assay.annotations.shapes.shapes import Points, Polyline, Skeleton
from assay.kernel import kernel
from tests.annotations.shape_sets import ring, set_of

few = settings(max_examples=50, deadline=None)
NAMES = tuple(COCO_SIGMAS)
points17 = st.lists(st.tuples(st.floats(0, 200), st.floats(0, 200)), min_size=17, max_size=17)
seen17 = st.lists(st.integers(0, 2), min_size=17, max_size=17)
HERE = np.zeros(1, np.int64)


def skeleton(points: list[tuple[float, float]], seen: list[int], names: tuple[str, ...] = NAMES) -> Skeleton:
    return Skeleton(names, np.array(points, np.float64).reshape(-1, 2), np.array(seen, np.int8))


def similarity(truth: Skeleton, student: Skeleton, *, area: float = 900.0, **sigmas: float) -> float:
    tables = skeleton_table([truth]), skeleton_table([student])
    return float(oks(*tables, HERE, HERE, scale=np.array([area]), sigmas=sigmas)[0])


def by_pycocotools(truth: Skeleton, student: Skeleton, area: float) -> float:
    """COCOeval.computeOks for one object of the truth and one detection."""

    def flat(s: Skeleton) -> list[float]:
        return np.column_stack([s.points, s.visibility]).ravel().tolist()

    gt = {"keypoints": flat(truth), "bbox": [0, 0, 1, 1], "area": area}
    dt = {"keypoints": flat(student), "score": 1.0}
    state = SimpleNamespace(params=Params(iouType="keypoints"), _gts={(1, 1): [gt]}, _dts={(1, 1): [dt]})
    return float(COCOeval.computeOks(state, 1, 1)[0, 0])


@few
@given(points17, seen17, points17, st.floats(1, 40_000))
def test_oks_is_that_of_pycocotools(
    here: list[tuple[float, float]], seen: list[int], there: list[tuple[float, float]], area: float
) -> None:
    if any(seen):
        truth, student = skeleton(here, seen), skeleton(there, [2] * 17)
        assert similarity(truth, student, area=area) == pytest.approx(by_pycocotools(truth, student, area), abs=1e-9)


@few
@given(points17, seen17)
def test_the_same_skeleton_is_wholly_similar(points: list[tuple[float, float]], seen: list[int]) -> None:
    expected = 1.0 if any(seen) else np.nan
    assert similarity(skeleton(points, seen), skeleton(points, seen)) == pytest.approx(expected, nan_ok=True)


def test_points_meet_by_name_in_any_order_and_spelling() -> None:
    truth = skeleton([(0, 0), (50, 50)], [2, 2], ("left_eye", "nose"))
    student = skeleton([(50, 50), (0, 0)], [2, 1], ("Nose", "left eye"))

    assert similarity(truth, student) == 1


def test_a_name_used_twice_is_taken_in_order() -> None:
    twice = ("wheel", "wheel")

    assert similarity(skeleton([(0, 0), (90, 0)], [2, 2], twice), skeleton([(0, 0), (90, 0)], [2, 2], twice)) == 1


def test_a_point_the_student_left_out_counts_zero_and_one_too_many_does_not_count() -> None:
    truth = skeleton([(0, 0), (50, 50), (9, 9)], [2, 1, 0], ("a", "b", "c"))

    assert similarity(truth, skeleton([(0, 0)], [2], ("a",))) == 0.5
    assert similarity(truth, skeleton([(0, 0), (50, 50)], [2, 0], ("a", "b"))) == 0.5
    assert similarity(truth, skeleton([(0, 0), (50, 50), (70, 9)], [2, 2, 2], ("a", "b", "c"))) == 1
    assert similarity(truth, skeleton([], [], ())) == 0


def test_any_number_of_points_is_allowed() -> None:
    names = tuple(f"joint {i}" for i in range(20))
    points = [(float(i), 2.0 * i) for i in range(20)]

    assert similarity(skeleton(points, [2] * 20, names), skeleton(points, [2] * 20, names)) == 1


def test_sigmas_are_ours_before_those_of_coco_before_the_default() -> None:
    assert sigmas_of(["nose", "Left Eye", "tail"], {"Nose": 0.5}).tolist() == [0.5, 0.025, DEFAULT_SIGMA]
    truth, off = skeleton([(0, 0)], [2], ("tail",)), skeleton([(3, 4)], [2], ("tail",))
    assert similarity(truth, off, area=100) == pytest.approx(np.exp(-25 / (2 * 100 * 0.18**2)))
    assert similarity(truth, off, area=100, tail=0.25) == pytest.approx(np.exp(-25 / (2 * 100 * 0.5**2)))


def test_the_scale_is_the_area_stated_else_that_of_the_bounding_box() -> None:
    truth, student = skeleton([(0, 0), (10, 20)], [2, 2], ("a", "b")), skeleton([(3, 4), (10, 20)], [2, 2], ("a", "b"))

    def with_area(area: list[float] | None) -> float:
        return float(skeleton_similarity(Geometry(set_of(truth, area=area)), Geometry(set_of(student)), HERE, HERE)[0])

    assert with_area([50.0]) == pytest.approx((1 + np.exp(-25 / (2 * 50 * 0.18**2))) / 2)
    assert with_area(None) == with_area([np.nan]) == pytest.approx((1 + np.exp(-25 / (2 * 200 * 0.18**2))) / 2)


def test_a_truth_without_labelled_points_is_like_nothing() -> None:
    blank = skeleton([(0, 0)], [0], ("a",))

    assert np.isnan(similarity(blank, blank))
    assert skeleton_similarity(Geometry(set_of(blank)), Geometry(set_of(blank)), HERE, HERE).tolist() == [0]


def test_an_object_without_area_is_similar_only_to_itself() -> None:
    one = skeleton([(5, 5)], [2], ("a",))

    assert similarity(one, one, area=0) == 1
    assert similarity(one, skeleton([(6, 5)], [2], ("a",)), area=0) == 0


def test_points_in_one_line_or_alone_are_not_lost_for_a_pixel() -> None:
    upright, beside = (skeleton([(x, 10), (x, 60)], [2, 2], ("a", "b")) for x in (50, 51))
    one, near, far = (skeleton([(x, 10)], [2], ("a",)) for x in (50, 51, 500))

    def alike(truth: Skeleton, student: Skeleton) -> float:
        return float(skeleton_similarity(Geometry(set_of(truth)), Geometry(set_of(student)), HERE, HERE)[0])

    assert alike(upright, beside) == pytest.approx(np.exp(-1 / (2 * 50**2 * 0.18**2)))
    assert 0.9 < alike(one, near) < 1
    assert alike(one, far) < 0.01


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


def test_a_line_is_walked_in_64_equal_steps_from_end_to_end() -> None:
    (walked,) = resampled([ring((0, 0), (21, 0), (21, 42))])
    assert walked.shape == (SAMPLES, 2) == (64, 2)
    assert walked[[0, 21, 22, -1]].tolist() == pytest.approx(np.array([[0, 0], [21, 0], [21, 1], [21, 42]]))
    assert lengths(resampled([ring((0, 0), (30, 40)), ring((5, 5))])).tolist() == pytest.approx([50, 0])
    assert np.isnan(lengths(resampled([ring()]))[0])


def test_a_line_may_be_drawn_from_either_end_unless_it_is_said_to_have_a_direction() -> None:
    there = resampled([ring((0, 0), (50, 0))])
    assert line_similarity(there, there[:, ::-1], scale=IMAGE)[0] == pytest.approx(1)


def test_points_one_by_one_are_as_near_as_their_distance_says() -> None:
    near = point_similarity(ring((0, 0), (5, 5)), ring((3, 4), (5, 5)), scale=np.array([100.0, 100.0]))
    assert near.tolist() == pytest.approx([np.exp(-25 / (2 * 100 * 0.18**2)), 1])


def test_cocos_sigmas_are_those_of_its_17_points() -> None:
    # cocoapi, PythonAPI/pycocotools/cocoeval.py, Params.setKpParams
    assert len(COCO_SIGMAS) == 17
    own = Params(iouType="keypoints").kpt_oks_sigmas
    assert sorted(COCO_SIGMAS.values()) == pytest.approx(sorted(own))
    assert (COCO_SIGMAS["right_hip"], COCO_SIGMAS["left_eye"], DEFAULT_SIGMA) == (0.107, 0.025, 0.09)
    assert point_key(" Left-Eye ") == point_key("left eye") == "left_eye"


def test_many_pairs_of_several_layouts_are_each_compared_with_their_own() -> None:
    first = [skeleton([(i, 0), (0, i)], [2, 2], ("a", "b")) for i in range(3)]
    second = [skeleton([(0, 0)], [2], ("b",)), skeleton([(0, 2), (1, 0)], [2, 2], ("b", "a"))]
    tables = skeleton_table([*first, *second]), skeleton_table([*second, *first])
    a, b = (part.ravel() for part in np.meshgrid(np.arange(5), np.arange(5)))
    together = oks(*tables, a, b, scale=np.full(25, 90.0), sigmas={})
    alone = [similarity((*first, *second)[i], (*second, *first)[j], area=90.0) for i, j in zip(a, b, strict=True)]
    assert together.tolist() == pytest.approx(alone)


def test_a_point_left_out_earns_nothing_even_where_another_lies() -> None:
    truth = skeleton([(0, 0), (0, 0)], [2, 2], ("a", "b"))
    assert similarity(truth, skeleton([(0, 0)], [2], ("a",))) == 0.5
    assert similarity(truth, skeleton([(0, 0), (0, 0)], [2, 2], ("c", "b"))) == 0.5


def test_further_points_of_the_student_may_follow() -> None:
    truth = skeleton([(0, 0), (10, 0)], [2, 2], ("a", "b"))
    drawn = [skeleton([(x, 0), (10, 0), (5, 5)], [2, 2, 2], ("a", "b", "c")) for x in (0, 90)]
    tables = skeleton_table([truth]), skeleton_table(drawn)
    found = oks(*tables, np.zeros(2, np.int64), np.arange(2), scale=np.full(2, 90.0), sigmas={})
    assert found.tolist() == pytest.approx([1, 0.5], abs=1e-12)


def test_lines_are_passed_over_from_the_distance_where_a_billionth_is_left() -> None:
    gap = np.sqrt(2 * 10_000 * 0.02**2 * np.log(1e9))  # 12.9 pixels
    assert may_be_near(np.array([gap - 0.01, gap + 0.01]), np.full(2, 10_000.0)).tolist() == [True, False]


@pytest.mark.skipif(kernel() is None, reason="needs the compiled kernel")
@few
@given(seed=st.integers(0, 10_000), least=st.sampled_from([0.01, 0.1, 0.5]))
def test_the_pairs_that_are_looked_at_hold_every_pair_that_is_near(seed: int, least: float) -> None:
    rng = np.random.default_rng(seed)
    size, seen = (6, 17), rng.integers(0, 3, (6, 17))
    placed = rng.uniform(0, 100, (*size, 2))
    truth = skeleton_table([skeleton(p.tolist(), v.tolist()) for p, v in zip(placed, seen, strict=True)])
    moved = placed + rng.normal(0, 1, placed.shape) * rng.choice([0.5, 5, 50], 6)[:, None, None]
    marked = rng.integers(0, 3, size)
    student = skeleton_table([skeleton(p.tolist(), v.tolist()) for p, v in zip(moved, marked, strict=True)])
    a, b, scale = np.arange(6), rng.permutation(6), rng.uniform(0, 900, 6)
    ranges = np.array([0, 0, 0, 2, 2, 3]), np.array([6, 6, 6, 5, 5, 3])
    pairs = near_pairs(truth, student, a, b, ranges, scale=scale, sigmas={}, least=least)
    assert pairs is not None
    looked_at = {(i, int(b[j])) for i, j in zip(*(column.tolist() for column in pairs), strict=True)}
    for i in range(6):
        for j in range(ranges[0][i], ranges[1][i]):
            here, there = np.array([i]), np.array([b[j]])
            if oks(truth, student, here, there, scale=scale[here], sigmas={})[0] >= least:
                assert (i, int(b[j])) in looked_at


@pytest.mark.skipif(kernel() is None, reason="needs the compiled kernel")
def test_skeletons_that_are_far_apart_are_not_looked_at() -> None:
    near, far = ([(x + 3.0 * k, 7.0 * k) for k in range(17)] for x in (0.0, 900.0))
    tables = [skeleton_table([skeleton(points, [2] * 17) for points in (near, far)]) for _ in range(2)]
    both, ranges = np.arange(2), (np.zeros(2, np.int64), np.full(2, 2))
    pairs = near_pairs(tables[0], tables[1], both, both, ranges, scale=np.full(2, 900.0), sigmas={}, least=0.1)
    assert pairs is not None
    assert [column.tolist() for column in pairs] == [[0, 1], [0, 1]]


def test_all_pairs_are_looked_at_where_the_skeletons_differ_or_nothing_is_too_far() -> None:
    one, other = skeleton([(0.0, 0.0)], [2], ("nose",)), skeleton([(0.0, 0.0)], [2], ("tail",))
    mixed, alike = skeleton_table([one, other]), skeleton_table([one, one])
    both, ranges = np.arange(2), (np.zeros(2, np.int64), np.full(2, 2))
    assert near_pairs(mixed, alike, both, both, ranges, scale=np.ones(2), sigmas={}, least=0.1) is None
    assert near_pairs(alike, alike, both, both, ranges, scale=np.ones(2), sigmas={}, least=0.0) is None
