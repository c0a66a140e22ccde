"""The best one-to-one choice of one table, by hand and by scipy."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.matching.assignment import LARGEST_BY_HAND, Candidates, _two_by_two, assign, best_pairs
from assay.annotations.matching.candidates import find_candidates
from assay.annotations.shapes.shapes import Box, Tag
from tests.annotations.shape_sets import set_of
from tests.paths import SHARED


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (5, 3), (20, 20), (21, 20), (1, LARGEST_BY_HAND + 1)])
def test_the_total_is_the_largest_whoever_solves_it(shape: tuple[int, int]) -> None:
    table = np.random.default_rng(shape[0]).random(shape)

    pairs = best_pairs(table)

    assert sum(table[pair] for pair in pairs) == pytest.approx(table[linear_sum_assignment(table, maximize=True)].sum())
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == min(shape)


def test_what_gains_nothing_is_not_paired() -> None:
    assert best_pairs(np.array([[0.0, 0.0], [0.0, 0.5]])) == [(1, 1)]
    assert best_pairs(np.zeros((2, 3))) == []


@pytest.mark.parametrize("size", [3, 25])
def test_equal_rows_and_equal_columns_are_taken_in_their_order(size: int) -> None:
    assert best_pairs(np.ones((size, size))) == [(i, i) for i in range(size)]
    assert best_pairs(np.ones((size, size + 2))) == [(i, i) for i in range(size)]


few = settings(max_examples=50, deadline=None)
GOLDEN = SHARED / "golden/annotations/MiXaiLL76__faster_coco_eval"
TRUTH = GOLDEN / "tests__dataset__cocoapi__instances_val2014_100.json"
RESULTS = GOLDEN / "tests__dataset__cocoapi__instances_val2014_fakebbox100_results.json"
gains = st.floats(0, 1) | st.sampled_from([0.0, 0.25, 0.5, 1.0])
tables = st.integers(1, 7).flatmap(
    lambda width: st.lists(st.lists(gains, min_size=width, max_size=width), min_size=1, max_size=7)
)


def candidates_of(table: NDArray[np.float64]) -> Candidates:
    truth, student = np.nonzero(table)
    return Candidates(
        truth.astype(np.int32), student.astype(np.int32), table[truth, student], np.ones(len(truth), np.bool_)
    )


def largest_total(table: NDArray[np.float64]) -> float:
    return float(table[linear_sum_assignment(table, maximize=True)].sum())


def chosen(found: Candidates, **options: NDArray[np.bool_]) -> list[tuple[int, int]]:
    allowed = options.get("allowed", np.ones(len(found), np.bool_))
    picked = assign(found, allowed=allowed)
    return list(zip(found.truth[picked].tolist(), found.student[picked].tolist(), strict=True))


@few
@given(tables)
def test_the_total_is_that_of_the_plain_solution(rows: list[list[float]]) -> None:
    found = candidates_of(np.array(rows))

    picked = assign(found, allowed=np.ones(len(found), np.bool_))

    assert found.similarity[picked].sum() == pytest.approx(largest_total(np.array(rows)), abs=1e-9)
    assert len(set(found.truth[picked].tolist())) == len(set(found.student[picked].tolist())) == len(picked)
    assert found.truth[picked].tolist() == sorted(found.truth[picked].tolist())


@few
@given(tables)
def test_small_tables_solved_by_hand_have_the_total_of_scipy(rows: list[list[float]]) -> None:
    table = np.array(rows)

    pairs = best_pairs(table)

    assert sum(table[pair] for pair in pairs) == pytest.approx(largest_total(table), abs=1e-12)
    assert all(table[pair] > 0 for pair in pairs)


@pytest.mark.parametrize("shape", [(60, 80), (80, 60), (1, LARGEST_BY_HAND), (2, LARGEST_BY_HAND), (20, 15)])
def test_tables_on_both_sides_of_the_limit_are_solved_alike(shape: tuple[int, int]) -> None:
    table = np.random.default_rng(1).random(shape) + 0.5
    found = candidates_of(table)

    picked = assign(found, allowed=np.ones(len(found), np.bool_))

    assert found.similarity[picked].sum() == pytest.approx(largest_total(table), abs=1e-9)


def test_a_larger_total_goes_before_the_best_single_pair() -> None:
    assert chosen(candidates_of(np.array([[0.9, 0.8], [0.8, 0.0]]))) == [(0, 1), (1, 0)]


def test_pairs_that_are_not_allowed_are_not_chosen() -> None:
    found = candidates_of(np.array([[0.9, 0.8], [0.8, 0.7]]))

    assert chosen(found, allowed=np.array([False, True, True, True])) == [(0, 1), (1, 0)]
    assert chosen(found, allowed=np.array([True, False, False, False])) == [(0, 0)]
    assert chosen(found, allowed=np.zeros(4, np.bool_)) == []


def test_a_bonus_decides_between_equals_and_can_lift_a_pair() -> None:
    found = candidates_of(np.array([[0.5, 0.5]]))
    everything = np.ones(2, np.bool_)

    assert assign(found, allowed=everything).tolist() == [0]
    assert assign(found, allowed=everything, bonus=np.array([0.0, 1e-6])).tolist() == [1]
    assert assign(found, allowed=everything, bonus=np.array([-0.6, -0.7])).tolist() == []


@pytest.mark.parametrize(("truths", "students"), [(1, 1), (1, 4), (4, 1), (3, 3), (3, 5), (5, 3), (30, 25)])
def test_of_interchangeable_annotations_the_lowest_are_taken_in_order(truths: int, students: int) -> None:
    tags = Geometry(set_of(*[Tag()] * truths)), Geometry(set_of(*[Tag()] * students))

    pairs = chosen(find_candidates(*tags, np.zeros(1, np.int32)))

    assert pairs == [(i, i) for i in range(min(truths, students))]


def test_a_box_drawn_twice_is_matched_once_by_the_first() -> None:
    truth = Geometry(set_of(Box(0, 0, 10, 10), Box(8, 0, 18, 10)))
    student = Geometry(set_of(Box(9, 0, 19, 10), Box(0, 0, 10, 11), Box(0, 0, 10, 11)))

    assert chosen(find_candidates(truth, student, np.zeros(1, np.int32))) == [(0, 1), (1, 0)]


@few
@given(st.integers(0, 2**32 - 1))
def test_the_order_of_annotations_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.uniform(0, 30, (12, 2))
    boxes = [Box(x, y, x + 12, y + 12) for x, y in corners.tolist()]
    drawn = [Box(x, y, x + 12, y + 12) for x, y in (corners + rng.normal(0, 3, corners.shape)).tolist()]
    shuffle_t, shuffle_s = rng.permutation(12), rng.permutation(12)

    straight = chosen(find_candidates(Geometry(set_of(*boxes)), Geometry(set_of(*drawn)), np.zeros(1, np.int32)))
    shuffled = chosen(
        find_candidates(
            Geometry(set_of(*[boxes[i] for i in shuffle_t])),
            Geometry(set_of(*[drawn[i] for i in shuffle_s])),
            np.zeros(1, np.int32),
        )
    )

    assert sorted((int(shuffle_t[t]), int(shuffle_s[s])) for t, s in shuffled) == straight


def test_the_order_of_candidates_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    found = candidates_of(rng.random((9, 8)) * (rng.random((9, 8)) < 0.6))
    order = rng.permutation(len(found))
    mixed = Candidates(found.truth[order], found.student[order], found.similarity[order], found.same_family[order])

    assert chosen(mixed) == chosen(found)


def test_two_thousand_objects_on_one_image() -> None:
    rng = np.random.default_rng(2)
    corners = rng.uniform(0, 1000, (2000, 2))
    moved = corners + rng.normal(0, 4, corners.shape)
    truth, student = (
        Geometry(set_of(*[Box(x, y, x + 40, y + 40) for x, y in where.tolist()], size=(1040, 1040)))
        for where in (corners, moved)
    )

    found = find_candidates(truth, student, np.zeros(1, np.int32))
    picked = assign(found, allowed=np.ones(len(found), np.bool_))

    table = np.zeros((2000, 2000))
    table[found.truth, found.student] = found.similarity
    assert found.similarity[picked].sum() == pytest.approx(largest_total(table), abs=1e-6)


@pytest.mark.skipif(not TRUTH.exists(), reason="golden files are not at hand")
@pytest.mark.parametrize("least", [0.0, 0.5])
def test_real_boxes_match_with_the_total_of_one_table_per_image(least: float) -> None:
    source, results = json.loads(TRUTH.read_bytes()), json.loads(RESULTS.read_bytes())
    numbers = {image["id"]: i for i, image in enumerate(source["images"])}
    truth, student = (
        Geometry(
            set_of(
                *[Box(x, y, x + w, y + h) for x, y, w, h in (a["bbox"] for a in annotations)],
                images=[numbers[a["image_id"]] for a in annotations],
            )
        )
        for annotations in (source["annotations"], results)
    )
    images = np.arange(len(numbers), dtype=np.int32)

    found = find_candidates(truth, student, images)
    picked = assign(found, allowed=found.similarity >= least)

    total = 0.0
    for image in images:
        here = (truth.annotations.image[found.truth] == image) & (found.similarity >= least)
        table = np.zeros((len(truth.annotations), len(student.annotations)))
        table[found.truth[here], found.student[here]] = found.similarity[here]
        kept = table[table.any(axis=1)][:, table.any(axis=0)]
        total += largest_total(kept) if kept.size else 0.0
    assert len(picked) > 400
    assert found.similarity[picked].sum() == pytest.approx(total, abs=1e-9)


@few
@given(st.lists(st.tuples(gains, gains, gains, gains), min_size=1, max_size=12))
def test_groups_of_two_by_two_are_solved_at_once_as_one_by_one(groups: list[tuple[float, float, float, float]]) -> None:
    number, row = np.repeat(np.arange(len(groups)), 4), np.tile([0, 0, 1, 1], len(groups))
    column = np.tile([0, 1, 0, 1], len(groups))
    gain = np.array(groups).ravel()

    chosen_edges, solved = _two_by_two(number, row, column, gain, np.ones(len(groups), np.bool_))

    for k, group in enumerate(groups):
        straight, crossed = group[0] + group[3], group[1] + group[2]
        assert bool(solved[k]) == (abs(straight - crossed) > 1e-12 * (straight + crossed))
        here = chosen_edges[4 * k : 4 * k + 4].tolist()
        better = [True, False, False, True] if straight > crossed else [False, True, True, False]
        assert here == (better if solved[k] else [False] * 4)


def test_a_group_that_is_not_two_by_two_is_left_open() -> None:
    number, row, column = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0, 1, 0])
    chosen_edges, solved = _two_by_two(number, row, column, np.array([0.5, 0.6, 0.9]), np.array([True, False]))
    assert (chosen_edges.tolist(), solved.tolist()) == ([True, True, False], [True, False])


def test_of_equal_columns_the_first_is_taken_also_where_others_differ() -> None:
    table = np.array([[0.25, 0, 0], [0, 0, 0], [0.5, 0.5, 0.5]])
    assert best_pairs(table) == [(0, 0), (2, 1)]
    assert best_pairs(table.T) == [(0, 0), (1, 2)]
