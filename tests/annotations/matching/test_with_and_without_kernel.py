"""Pairs, similarities and choices are the same with the compiled kernel and without, to the last digit."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.geometry.keypoints import COCO_SIGMAS, oks
from assay.annotations.matching import candidates as module
from assay.annotations.matching.assignment import Candidates, assign
from assay.annotations.matching.candidates import find_candidates, overlapping_pairs
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.columns import skeleton_table
from assay.annotations.shapes.shapes import Box, Mask, Polygon, Shape, Skeleton
from assay.errors import InputError
from assay.io.annotations.masks import runs_of_pixels
from assay.kernel import VARIABLE, kernel
from tests.annotations.shape_sets import set_of

pytestmark = pytest.mark.skipif(kernel() is None, reason="the compiled kernel was not built here")
NAMES = tuple(COCO_SIGMAS)
Result = TypeVar("Result")


def both(compute: Callable[[], Result], monkeypatch: pytest.MonkeyPatch) -> tuple[Result, Result]:
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "off")
        without = compute()
    return compute(), without


def shape(rng: np.random.Generator, kind: str) -> Shape:
    x, y, w, h = *rng.uniform(0, 40, 2).round(1), *rng.uniform(0, 30, 2).round(1)
    if kind == "box":
        return Box(x, y, x + w, y + h)
    if kind == "polygon":
        turn = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 20))))
        return Polygon((np.round([x, y] + w * np.stack([np.cos(turn), np.sin(turn)], 1), 2),))
    if kind == "mask":
        table = rng.random((int(h) + 1, int(w) + 1)) < 0.6
        return Mask(int(x), int(y), table.shape[1], table.shape[0], runs_of_pixels(table.T.ravel()), by_column=True)
    points = np.stack([x + w * rng.random(17), y + h * rng.random(17)], 1)
    return Skeleton(NAMES, points, rng.integers(0, 3, 17).astype(np.int8))


def drawn(rng: np.random.Generator, kinds: tuple[str, ...], n: int = 160) -> AnnotationSet:
    shapes = [shape(rng, kinds[int(k)]) for k in rng.integers(0, len(kinds), n)]
    return set_of(*shapes, images=rng.integers(0, 4, n).tolist())


@pytest.mark.parametrize(
    "kinds", [("box",), ("polygon",), ("mask",), ("skeleton",), ("box", "polygon", "mask", "skeleton")]
)
@pytest.mark.parametrize("least", [0.0, 0.3])
def test_candidates(kinds: tuple[str, ...], least: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(len(kinds[0]))
    truth, student = drawn(rng, kinds), drawn(rng, kinds)
    image_of = np.array([2, 0, -1, 1], np.int32)

    def found() -> Candidates:
        return find_candidates(Geometry(truth), Geometry(student), image_of, across_families=True, least=least)

    with_kernel, without = both(found, monkeypatch)
    assert len(without) or least
    assert with_kernel.truth.tolist() == without.truth.tolist()
    assert with_kernel.student.tolist() == without.student.tolist()
    assert with_kernel.similarity.tolist() == without.similarity.tolist()
    assert with_kernel.same_family.tolist() == without.same_family.tolist()
    chosen = both(lambda: assign(with_kernel, allowed=with_kernel.similarity > 0.1).tolist(), monkeypatch)
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("n", [3, 90, 2_000])
def test_rectangles_that_overlap(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(n)
    corner, size = rng.integers(0, 400, (2, n, 2)), rng.integers(0, 12, (2, n, 2))
    first, second = (np.concatenate([corner[k], corner[k] + size[k]], axis=1).astype(float) for k in (0, 1))
    groups = rng.integers(0, 2, (2, n))

    def found() -> list[tuple[int, int]]:
        a, b = overlapping_pairs(first, groups[0], second, groups[1])
        return sorted(zip(a.tolist(), b.tolist(), strict=True))

    with_kernel, without = both(found, monkeypatch)
    assert with_kernel == without


def test_choices_among_equals(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    pairs = np.unique(rng.integers(0, 60, (500, 2)), axis=0).astype(np.int32)
    gains = rng.integers(1, 6, len(pairs)) / 5
    found = Candidates(pairs[:, 0].copy(), pairs[:, 1].copy(), gains, np.ones(len(pairs), bool))
    with_kernel, without = both(lambda: assign(found, allowed=gains > 0.2).tolist(), monkeypatch)
    assert with_kernel == without


def test_keypoints_of_any_number_and_order(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(9)

    def skeletons() -> list[Skeleton]:
        some = []
        for _ in range(80):
            names = tuple(rng.permutation(NAMES)[: int(rng.integers(1, 18))].tolist())
            points = rng.normal(0, 10 ** rng.uniform(0, 4), (len(names), 2))
            some.append(Skeleton(names, points, rng.integers(0, 3, len(names)).astype(np.int8)))
        return some

    truth, student = skeleton_table(skeletons()), skeleton_table(skeletons())
    a, b, scale = rng.integers(0, 80, 900), rng.integers(0, 80, 900), rng.choice([0.0, 1.0, 900.0, 1e7], 900)
    with_kernel, without = both(lambda: oks(truth, student, a, b, scale=scale, sigmas={}), monkeypatch)
    np.testing.assert_array_equal(with_kernel, without)


@pytest.mark.usefixtures("with_and_without_kernel")
@pytest.mark.parametrize("kind", ["box", "polygon"])
def test_annotations_that_lie_in_heaps_are_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAIRS", 1_000)
    truth = drawn(np.random.default_rng(1), (kind,))
    with pytest.raises(InputError, match=r"more than 1,000 pairs .* overlap"):
        find_candidates(Geometry(truth), Geometry(truth), np.arange(4, dtype=np.int32))
