"""Edges of rings: areas, extents and order."""

import numpy as np
import pytest

from assay.annotations.geometry import outlines as module
from assay.annotations.geometry.outlines import extents, outlines
from assay.annotations.shapes.columns import Rings
from tests.annotations.shape_sets import ring, square


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
    assert drawn.left.tolist() == sorted(drawn.left.tolist())
    assert (drawn.left < drawn.right).all()


def test_extents_are_those_of_the_corners() -> None:
    drawn = outlines(rings((0, False, ring((5, 1), (9, 4), (1, 6))), (1, False, square(20, 30, 2))), 2)
    assert extents(drawn, np.array([0, 1])).tolist() == pytest.approx(np.array([[1, 1, 9, 6], [20, 30, 22, 32]]))


def test_many_rings_in_portions_are_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    many = rings(*((i, False, square(i, 2 * i, 3)) for i in range(20)))
    whole = outlines(many, 20)
    monkeypatch.setattr(module, "POINTS_AT_ONCE", 12)
    parts = outlines(many, 20)
    for name in ("start", "count", "left", "right", "y", "slope", "sign", "area"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()
