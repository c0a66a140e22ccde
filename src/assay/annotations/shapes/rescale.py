"""Annotations drawn on a resized image, brought to the size of the original."""

from dataclasses import replace
from functools import partial

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import (
    Box,
    Coordinates,
    Cuboid,
    Ellipse,
    Mask,
    Points,
    Polygon,
    Polyline,
    Shape,
    ShapeKind,
    Skeleton,
)
from assay.errors import InputError
from assay.metrics.pairs import Scores


def rescaled(annotations: AnnotationSet, factors: Scores) -> AnnotationSet:
    """The annotations with x and y stretched by their image's factors, (images, 2).

    Masks, and turned shapes on images stretched unevenly, cannot be stretched exactly and are refused.
    """
    own = factors[annotations.image]  # (n, 2)
    changed = (own != 1).any(axis=1)
    turned = annotations.rotation % 90 != 0
    impossible = changed & ((annotations.kind == ShapeKind.MASK) | (turned & (own[:, 0] != own[:, 1])))
    if impossible.any():
        index = int(np.flatnonzero(impossible)[0])
        raise InputError(
            f"{annotations.images[annotations.image[index]].name}: annotation {annotations.ids[index]} is a mask or a "
            f"turned shape on a resized image and cannot be scaled",
            source=annotations.source,
            remedy="Draw it on the original image.",
        )
    area = None if annotations.area is None else annotations.area * own.prod(axis=1)
    bounds = annotations.bounds * np.tile(own, (1, 2))
    # a partial, since a score is sent to workers and kept on a disk, which a function made here could not be
    return replace(annotations, bounds=bounds, shape_of=partial(_stretched_shape, annotations, own), area=area)


def _stretched_shape(annotations: AnnotationSet, factors: Scores, index: int) -> Shape:
    return stretched(annotations.shape_of(index), factors[index])


def stretched(shape: Shape, factor: Scores) -> Shape:
    """A shape stretched by (x, y)."""

    def points(coordinates: Coordinates) -> Coordinates:
        return coordinates * factor

    x, y = float(factor[0]), float(factor[1])
    match shape:
        case Box(left, top, right, bottom, rotation):
            return Box(left * x, top * y, right * x, bottom * y, rotation)
        case Polygon(rings, holes):
            return Polygon(tuple(map(points, rings)), tuple(map(points, holes)))
        case Polyline() | Points() | Skeleton():
            return replace(shape, points=points(shape.points))
        case Cuboid(corners):
            return Cuboid(points(corners))
        case Ellipse():
            return _ellipse(shape, x, y)
        case Mask() if x != 1 or y != 1:
            raise InputError("A mask on a resized image cannot be scaled", remedy="Draw it on the original image.")
    return shape


def _ellipse(shape: Ellipse, x: float, y: float) -> Ellipse:
    if shape.rotation % 180 and x != y:
        raise InputError(
            "A turned ellipse on an unevenly resized image cannot be scaled", remedy="Draw it on the original image."
        )
    return Ellipse(shape.x * x, shape.y * y, shape.radius_x * x, shape.radius_y * y, shape.rotation)
