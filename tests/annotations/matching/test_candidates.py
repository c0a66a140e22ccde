"""Which pairs are worth a look, on which image, across which families."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.annotations.geometry.common_area import box_iou
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.matching.candidates import Candidates, find_candidates
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
