"""The compiled kernel is there or not, and refuses arrays that do not belong together."""

import sys
from types import ModuleType

import numpy as np
import pytest

from assay.kernel import VARIABLE, Kernel, _built, is_off, kernel


@pytest.mark.parametrize(("given", "off"), [("off", True), ("OFF", True), ("0", True), ("", False), ("on", False)])
def test_a_variable_turns_it_off(given: str, off: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, given)
    assert is_off() is off
    assert not off or kernel() is None


@pytest.fixture
def compiled() -> Kernel:
    there = kernel()
    return there if there is not None else pytest.skip("the compiled kernel was not built here")


def whole(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


MASK = (np.array([1, 2, 1], np.uint32), whole(0), whole(3), whole(0), whole(0), whole(2))
DRAWN = (np.array([[0.0, 0], [2, 0], [2, 2]]), whole(0, 3), whole(0, 1), np.zeros(1, np.bool_))


def changed(columns: tuple[np.ndarray, ...], place: int, column: np.ndarray) -> tuple[np.ndarray, ...]:
    return (*columns[:place], column, *columns[place + 1 :])


@pytest.mark.parametrize(
    ("place", "column"),
    [(1, whole(1)), (1, whole(-1)), (2, whole(4)), (5, whole(0)), (3, whole()), (4, whole(1 << 60))],
)
def test_a_mask_outside_of_its_runs_is_refused(place: int, column: np.ndarray, compiled: Kernel) -> None:
    with pytest.raises(ValueError, match="mask"):
        compiled.mask_figures(changed(MASK, place, column), np.zeros(1), np.zeros(4))


@pytest.mark.parametrize(("place", "column"), [(1, whole(0, 4)), (1, whole()), (2, whole(0, 2)), (1, whole(3, 0))])
def test_a_ring_outside_of_its_points_is_refused(place: int, column: np.ndarray, compiled: Kernel) -> None:
    with pytest.raises(ValueError, match="rings"):
        compiled.outline_figures(changed(DRAWN, place, column), whole(0), np.zeros(1), np.zeros(4))


def test_pairs_of_what_is_not_there_are_refused(compiled: Kernel) -> None:
    for wrong in (whole(1), whole(-1)):
        with pytest.raises(IndexError):
            compiled.common_pixels(MASK, MASK, whole(0), wrong, np.zeros(1))
        with pytest.raises(IndexError):
            compiled.common_areas(DRAWN, DRAWN, wrong, whole(0), np.zeros(1))


def test_results_have_the_length_of_what_was_asked(compiled: Kernel) -> None:
    with pytest.raises(ValueError, match="length"):
        compiled.common_pixels(MASK, MASK, whole(0), whole(0), np.zeros(2))
    with pytest.raises(ValueError, match="length"):
        compiled.outline_figures(DRAWN, whole(0), np.zeros(1), np.zeros(3))
    with pytest.raises(ValueError, match="groups"):
        compiled.overlapping(np.zeros((1, 4)), whole(1), np.zeros((1, 4)), whole(0), 1, 9, 9)


def test_arrays_of_another_kind_are_refused(compiled: Kernel) -> None:
    with pytest.raises(TypeError, match="another size"):
        compiled.mask_figures(changed(MASK, 0, np.array([1, 2, 1])), np.zeros(1), np.zeros(4))
    with pytest.raises((ValueError, BufferError)):
        compiled.self_crossing(np.zeros((8, 4))[:, ::2], whole(0, 8), np.zeros(1, np.uint8), 9)
    frozen = np.zeros(1)
    frozen.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        compiled.mask_figures(MASK, frozen, np.zeros(4))


def test_a_scan_has_no_other_columns(compiled: Kernel) -> None:
    scan = compiled.Scan(False, 1, 1, 1)
    with pytest.raises(KeyError):
        scan.take("colour")
    assert len(memoryview(scan.take("id"))) == 0


def test_ranges_of_skeletons_that_are_not_there_are_refused(compiled: Kernel) -> None:
    pose = np.zeros((1, 1, 2)), np.ones((1, 1), np.bool_)
    for low, high in ((0, 2), (-1, 1), (1, 0)):
        with pytest.raises(IndexError):
            compiled.near_skeletons(*pose, *pose, np.ones(1), np.ones(1), whole(low), whole(high), 0.1)
    with pytest.raises(ValueError, match="length"):
        compiled.near_skeletons(*pose, *pose, np.ones(1), np.ones(2), whole(0), whole(1), 0.1)


def test_a_kernel_built_from_older_sources_is_left_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setitem(sys.modules, "assay._kernel", ModuleType("assay._kernel"))
    _built.cache_clear()
    try:
        assert kernel() is None
    finally:
        _built.cache_clear()
