"""`ShapeColumns`: the shapes of a set as tables, so that many are compared without making one object for each."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.keypoints import SkeletonTable
from assay.annotations.geometry.outlines import Rings
from assay.annotations.shapes.ragged import Positions
from assay.annotations.shapes.shapes import Shape


@dataclass(frozen=True, eq=False, slots=True)
class ShapeColumns:
    """Polygons and skeletons in tables, other shapes one by one; called with an annotation, it gives its shape.

    It is the `shape_of` of sets whose reader has the shapes in columns already.
    """

    rings: Rings
    """The rings of all polygons; a ring's owner is its annotation."""
    crossing: NDArray[np.bool_] | None
    """For each ring, whether it crosses or touches itself; None when nobody has looked."""
    skeletons: SkeletonTable
    posed: Positions
    """The annotations that are skeletons, in order."""
    others: Mapping[int, Shape]

    def __call__(self, annotation: int) -> Shape:
        if annotation in self.others:
            return self.others[annotation]
        polygon = self.rings.polygon(annotation)
        if polygon.rings:
            return polygon
        return self.skeletons.skeleton(int(np.searchsorted(self.posed, annotation)))
