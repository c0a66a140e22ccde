"""The compiled kernel, where it was built: reads and compares annotations without Python objects.

Its source is in `kernel/`, in C; `hatch_build.py` builds it with the package. Where there is no compiler the package
works without it, by numpy and shapely: the same results, more slowly. ASSAY_KERNEL=off does so on purpose.
"""

import os
from functools import cache
from importlib import import_module
from typing import Any, Literal, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

VARIABLE = "ASSAY_KERNEL"
Arrays: TypeAlias = tuple[NDArray[Any], ...]
"""Columns that belong together, as a function of the kernel takes them; their lengths are checked there."""
Whole: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Column: TypeAlias = memoryview
"""Memory of the kernel: an object of its own that offers its bytes as a memoryview does."""
ScanOutcome: TypeAlias = Literal["fine", "odd", "points", "all_points", "runs"]
"""Walked as far as the text goes; something out of the ordinary; or what there is too much of."""


class Scan(Protocol):
    """COCO's JSON, walked in pieces (kernel/scan.c)."""

    def feed(self, text: bytes | memoryview, /) -> ScanOutcome: ...
    def finish(self) -> ScanOutcome: ...
    def take(self, name: str, /) -> Column: ...


class Kernel(Protocol):
    """What the module offers. Results are written into the last arrays that are given."""

    def Scan(self, results: bool, most_points: int, most_all_points: int, most_runs: int) -> Scan: ...  # noqa: N802
    def runs_of_text(self, text: bytes, /) -> Column | None: ...
    def mask_figures(self, masks: Arrays, area: Floats, extent: Floats, /) -> None: ...
    def common_pixels(self, first: Arrays, second: Arrays, a: Whole, b: Whole, common: Floats, /) -> None: ...
    def outline_figures(self, drawn: Arrays, edges: Whole, area: Floats, extent: Floats, /) -> None: ...
    def winding(self, drawn: Arrays, area: Floats, counted: Floats, /) -> None: ...
    def common_areas(self, first: Arrays, second: Arrays, a: Whole, b: Whole, common: Floats, /) -> None: ...
    def self_crossing(self, points: Floats, ring: Whole, crossing: NDArray[np.uint8], tests: int, /) -> bool: ...
    def bounds(self, drawn: Arrays, bounds: Floats, /) -> None: ...
    def box_candidates(
        self,
        first: Floats,
        areas: Floats,
        group: Whole,
        second: Floats,
        other_areas: Floats,
        other_group: Whole,
        groups: int,
        least: float,
        most: int,
        tests: int,
        /,
    ) -> tuple[Column, Column, Column] | None: ...
    def plain_pairs(
        self, truth: NDArray[np.int32], student: NDArray[np.int32], gain: Floats, state: NDArray[np.uint8], /
    ) -> None: ...
    def keypoint_exponents(
        self,
        truth: Floats,
        labelled: NDArray[np.bool_],
        student: Floats,
        marked: NDArray[np.bool_],
        spread: Floats,
        t: Whole,
        s: Whole,
        scale: Floats,
        exponents: Floats,
        weights: Floats,
        counted: Whole,
        /,
    ) -> None: ...
    def near_skeletons(
        self,
        truth: Floats,
        labelled: NDArray[np.bool_],
        student: Floats,
        marked: NDArray[np.bool_],
        spread: Floats,
        scale: Floats,
        low: Whole,
        high: Whole,
        least: float,
        /,
    ) -> tuple[Column, Column]: ...
    def poses(
        self, points: Floats, visibility: NDArray[np.int8], labelled: NDArray[np.bool_], bounds: Floats, /
    ) -> None: ...
    def overlapping(
        self, first: Floats, group: Whole, second: Floats, others: Whole, groups: int, most: int, tests: int, /
    ) -> tuple[Column, Column] | None: ...


def kernel() -> Kernel | None:
    """The kernel; None where it was not built, or is not wanted."""
    return None if is_off() else _built()


def is_off() -> bool:
    """Whether the environment asks to go without."""
    return os.environ.get(VARIABLE, "").strip().casefold() in {"off", "0", "no", "false"}


@cache
def _built() -> Kernel | None:
    try:
        module = import_module("assay._kernel")
    except ImportError:
        return None
    lacking = [name for name in vars(Kernel) if not name.startswith("_") and not hasattr(module, name)]
    return None if lacking else cast(Kernel, module)  # one that was built from older sources lacks something
