"""What is told of shapes in COCO files that are scored as they stand."""

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.columns import ShapeColumns
from assay.annotations.shapes.shapes import Mask, ShapeKind
from assay.io.annotations.problem_tally import ProblemTally


def flat_boxes(found: AnnotationSet, tally: ProblemTally) -> None:
    """Tell of boxes without area."""
    left, top, right, bottom = found.bounds.T
    flat = np.flatnonzero((found.kind == ShapeKind.BOX) & ((right <= left) | (bottom <= top)))
    if flat.size:
        image, number = found.images[int(found.image[flat[0]])].name, found.ids[int(flat[0])]
        tally.mended("a box has no area", f"image {image!r}, annotation {number}", flat.size)


def masks_of_other_size(found: AnnotationSet, tally: ProblemTally) -> None:
    """Tell of masks that are not of their image's size, as after resizing one of the two."""
    others = found.shape_of.others if isinstance(found.shape_of, ShapeColumns) else {}
    for i, mask in others.items():
        image = found.images[int(found.image[i])]
        if not isinstance(mask, Mask):
            continue
        if image.width and image.height and (mask.width, mask.height) != (image.width, image.height):
            tally.mended(
                "a mask is not of its image's size: it is laid at the image's upper left corner",
                f"image {image.name!r}, annotation {found.ids[i]}",
            )
