"""The shapes of a set as tables, so that many are compared without making one object for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import Positions, offsets, read_only, spread
from assay.annotations.shapes.shapes import Mask, Polygon, Shape, Skeleton


@dataclass(frozen=True, eq=False)
class Rings:
    """Closed rings, one after the other: ring r has the next `count[r]` points and is of shape `owner[r]`, in order."""

    points: NDArray[np.float64]
    count: Positions
    owner: Positions
    hole: NDArray[np.bool_]

    @cached_property
    def start(self) -> Positions:
        """Where each ring begins in the points."""
        return offsets(self.count)

    def polygon(self, owner: int) -> Polygon:
        """The rings and holes of one shape; neither when it has none."""
        first, past = np.searchsorted(self.owner, [owner, owner + 1]).tolist()
        rings = [
            self.points[start : start + count]
            for start, count in zip(self.start[first:past], self.count[first:past], strict=True)
        ]
        hole = self.hole[first:past].tolist()
        return Polygon(
            tuple(ring for ring, cut in zip(rings, hole, strict=True) if not cut),
            tuple(ring for ring, cut in zip(rings, hole, strict=True) if cut),
        )

    def chosen(self, which: Positions) -> "Rings":
        """Some of the rings, in the order given."""
        _, point = spread(self.start[which], self.count[which])
        return Rings(self.points[point], self.count[which], self.owner[which], self.hole[which])

    def where(self, flags: NDArray[np.bool_]) -> "Rings":
        """The rings whose flag is set, in their order."""
        points = self.points[np.repeat(flags, self.count)]
        return Rings(points, self.count[flags], self.owner[flags], self.hole[flags])


@dataclass(frozen=True, eq=False, slots=True)
class SkeletonTable:
    """Skeletons with the same points, stacked: layout l has points named `names[l]`, (skeletons, points, 2)."""

    names: tuple[tuple[str, ...], ...]
    points: tuple[NDArray[np.float64], ...]
    visibility: tuple[NDArray[np.int8], ...]
    layout: Positions
    """Of each skeleton."""
    row: Positions
    """Its place in the stack of its layout."""

    def skeleton(self, index: int) -> Skeleton:
        """One of them by itself."""
        layout, row = self.layout[index], self.row[index]
        return Skeleton(self.names[layout], self.points[layout][row], self.visibility[layout][row])


def skeleton_table(skeletons: Sequence[Skeleton]) -> SkeletonTable:
    """The skeletons stacked by their points."""
    members: dict[tuple[str, ...], list[int]] = {}
    for index, skeleton in enumerate(skeletons):
        members.setdefault(skeleton.names, []).append(index)
    layout, row = np.zeros(len(skeletons), np.int64), np.zeros(len(skeletons), np.int64)
    for number, indices in enumerate(members.values()):
        layout[indices], row[indices] = number, np.arange(len(indices))
    return SkeletonTable(
        names=tuple(members),
        points=tuple(np.stack([skeletons[i].points for i in indices]) for indices in members.values()),
        visibility=tuple(np.stack([skeletons[i].visibility for i in indices]) for indices in members.values()),
        layout=layout,
        row=row,
    )


@dataclass(frozen=True, eq=False)
class MaskRuns:
    """Masks, one after the other: mask k has the next `count[k]` runs, down the columns of its window.

    Background and object in turn, background first; a mask's runs add up to the pixels of its window.
    """

    runs: NDArray[np.uint32]
    count: Positions
    left: Positions
    top: Positions
    width: Positions
    height: Positions

    @cached_property
    def start(self) -> Positions:
        """Where each mask begins in the runs."""
        return offsets(self.count)

    def __len__(self) -> int:
        return len(self.count)

    def mask(self, index: int) -> Mask:
        """One of them by itself."""
        start, count = int(self.start[index]), int(self.count[index])
        left, top, width, height = (int(one[index]) for one in (self.left, self.top, self.width, self.height))
        runs = self.runs[start : start + count].astype(np.int64)
        return Mask(left, top, width, height, read_only(runs), by_column=True)

    def chosen(self, which: Positions) -> "MaskRuns":
        """Some of the masks, in the order given."""
        _, run = spread(self.start[which], self.count[which])
        windows = (self.left, self.top, self.width, self.height)
        return MaskRuns(self.runs[run], self.count[which], *(one[which] for one in windows))


def no_masks() -> MaskRuns:
    """The masks of a set that has none."""
    return MaskRuns(np.zeros(0, np.uint32), *(np.zeros(0, np.int64) for _ in range(5)))


@dataclass(frozen=True, eq=False, slots=True)
class ShapeColumns:
    """Polygons, skeletons and masks in tables, others one by one; called with an annotation, it gives its shape.

    It is the `shape_of` of sets whose reader has the shapes in columns already.
    """

    rings: Rings
    """The rings of all polygons; a ring's owner is its annotation."""
    crossing: NDArray[np.bool_] | None
    """For each ring, whether it crosses or touches itself; None when nobody has looked."""
    skeletons: SkeletonTable
    posed: Positions
    """The annotations that are skeletons, in order."""
    others: Mapping[int, Shape] = field(default_factory=dict)
    masks: MaskRuns = field(default_factory=no_masks)
    masked: Positions = field(default_factory=lambda: np.zeros(0, np.int64))
    """The annotations that are masks of the table, in order."""

    def __call__(self, annotation: int) -> Shape:
        if annotation in self.others:
            return self.others[annotation]
        place = int(np.searchsorted(self.masked, annotation))
        if place < len(self.masked) and self.masked[place] == annotation:
            return self.masks.mask(place)
        polygon = self.rings.polygon(annotation)
        if polygon.rings:
            return polygon
        return self.skeletons.skeleton(int(np.searchsorted(self.posed, annotation)))
