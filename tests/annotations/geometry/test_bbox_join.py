"""Which rectangles overlap which, against all pairs one by one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.annotations.geometry.bbox_join import FEW, RECTANGLES_AT_ONCE, overlapping_pairs

few = settings(max_examples=50, deadline=None)
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
