"""`Geometry`: the geometry of an annotation set, made once and only as far as it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.common_area import Outlines, box_areas, extents
from assay.annotations.geometry.keypoints import Samples, resampled
from assay.annotations.geometry.masks import mask_figures, mask_runs, rasterised
from assay.annotations.geometry.regions import REGIONS, polygon_of, region_outlines
from assay.annotations.shapes.annotation_set import AnnotationSet, image_sizes
from assay.annotations.shapes.arrays import Positions, read_only
from assay.annotations.shapes.columns import MaskRuns, ShapeColumns, SkeletonTable, skeleton_table
from assay.annotations.shapes.shapes import (
    FAMILY_OF_KIND,
    Coordinates,
    Mask,
    Points,
    Polyline,
    ShapeKind,
    Skeleton,
)


@dataclass(frozen=True, eq=False)
class Geometry:
    """The geometry of an annotation set, made when first asked for and then kept: the truth meets many students.

    Columns have one entry per annotation. The tables of one kind (skeletons, lines, ...) hold only their own;
    `place_among(kind)` says where in them an annotation stands.
    """

    annotations: AnnotationSet
    sigmas: Mapping[str, float] = field(default_factory=dict)
    """Of keypoints by name; they go before those of COCO."""
    _places: dict[ShapeKind, Positions] = field(default_factory=dict, repr=False)
    _pixels: dict[int, Mask] = field(default_factory=dict, repr=False)

    @cached_property
    def family(self) -> NDArray[np.uint8]:
        """The family of each annotation, as an index into FAMILIES."""
        return read_only(FAMILY_OF_KIND[self.annotations.kind])

    @cached_property
    def covers(self) -> NDArray[np.bool_]:
        """Whether each annotation is of a kind that covers part of the image."""
        return read_only(REGIONS[self.annotations.kind])

    @cached_property
    def upright(self) -> NDArray[np.bool_]:
        """Whether each annotation is a box that is not turned."""
        return read_only((self.annotations.kind == ShapeKind.BOX) & (self.annotations.rotation == 0))

    @cached_property
    def extent(self) -> NDArray[np.float64]:
        """Left, top, right, bottom of each annotation as it lies in the image, from its shape and not from the file.

        Files state bounding boxes rounded, or of the box before it is turned.
        """
        drawn = np.flatnonzero(self.covers & ~self.upright & (self.annotations.kind != ShapeKind.MASK))
        masks = np.flatnonzero(self.annotations.kind == ShapeKind.MASK)
        if not len(drawn) and not len(masks):
            return self.annotations.bounds
        extent = self.annotations.bounds.copy()
        drawn = drawn[self.outlines.count[drawn] > 0] if len(drawn) else drawn
        if len(drawn):
            extent[drawn] = extents(self.outlines, drawn)
        if len(masks):
            extent[masks] = self._mask_figures[1]
        return read_only(extent)

    @cached_property
    def area(self) -> NDArray[np.float64]:
        """Square pixels each annotation covers; 0 for lines, points, skeletons and tags."""
        kind = self.annotations.kind
        area = np.where(kind == ShapeKind.BOX, box_areas(self.annotations.bounds), 0.0)
        drawn = self.covers & (kind != ShapeKind.BOX) & (kind != ShapeKind.MASK)
        if drawn.any():
            area[drawn] = self.outlines.area[drawn]
        if (kind == ShapeKind.MASK).any():
            area[kind == ShapeKind.MASK] = self._mask_figures[0]
        return read_only(area)

    @cached_property
    def outlines(self) -> Outlines:
        """Edges of all annotations that have any; shape k is annotation k."""
        return region_outlines(self.annotations)

    @cached_property
    def masks(self) -> MaskRuns:
        """The masks among the annotations."""
        shapes = self.annotations.shape_of
        if isinstance(shapes, ShapeColumns) and len(shapes.masks) == np.count_nonzero(
            self.annotations.kind == ShapeKind.MASK
        ):
            return shapes.masks
        return mask_runs([self.pixels(i) for i in self._of(ShapeKind.MASK)])

    @cached_property
    def _mask_figures(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return mask_figures(self.masks)

    @cached_property
    def skeletons(self) -> SkeletonTable:
        """The skeletons among the annotations."""
        if isinstance(self.annotations.shape_of, ShapeColumns):
            return self.annotations.shape_of.skeletons
        shapes = (self.annotations.shape_of(i) for i in self._of(ShapeKind.SKELETON))
        return skeleton_table([shape for shape in shapes if isinstance(shape, Skeleton)])

    @cached_property
    def lines(self) -> Samples:
        """The polylines among the annotations, as points at equal steps."""
        shapes = (self.annotations.shape_of(i) for i in self._of(ShapeKind.POLYLINE))
        return read_only(resampled([shape.points for shape in shapes if isinstance(shape, Polyline)]))

    @cached_property
    def points(self) -> tuple[Coordinates, ...]:
        """The coordinates of the points among the annotations."""
        shapes = (self.annotations.shape_of(i) for i in self._of(ShapeKind.POINTS))
        return tuple(shape.points for shape in shapes if isinstance(shape, Points))

    @cached_property
    def image_area(self) -> NDArray[np.float64]:
        """Square pixels of the image each annotation lies on; NaN when the file does not state its size."""
        sizes = image_sizes(self.annotations.images).prod(axis=1)
        sizes = np.where(sizes > 0, sizes, np.nan)
        return read_only(sizes[self.annotations.image])

    @cached_property
    def object_area(self) -> NDArray[np.float64]:
        """The area of the object each annotation shows: as stated in the file, else of its bounding box."""
        bounds = box_areas(self.annotations.bounds)
        stated = self.annotations.area
        return read_only(bounds if stated is None else np.where(stated > 0, stated, bounds))

    def place_among(self, kind: ShapeKind) -> Positions:
        """For each annotation of a kind, its place among those of its kind."""
        if kind not in self._places:
            self._places[kind] = read_only(np.cumsum(self.annotations.kind == kind) - 1)
        return self._places[kind]

    def pixels(self, index: int) -> Mask:
        """A mask as it is, or any other region in pixels of its image."""
        if index not in self._pixels:
            shape = self.annotations.shape(index)
            if not isinstance(shape, Mask):
                image = self.annotations.images[self.annotations.image[index]]
                right, bottom = np.maximum(np.ceil(self.extent[index, 2:]), 1)
                width, height = int(image.width or right), int(image.height or bottom)
                shape = rasterised(polygon_of(shape), width=width, height=height)
            self._pixels[index] = shape
        return self._pixels[index]

    def _of(self, kind: ShapeKind) -> list[int]:
        return np.flatnonzero(self.annotations.kind == kind).tolist()
