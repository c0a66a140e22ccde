"""What is told of shapes in COCO files that are scored as they stand, and of parts of annotations that are not."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.annotations.shapes.columns import ShapeColumns
from assay.annotations.shapes.shapes import Mask, ShapeKind
from assay.io.annotations.coco.document import Annotation, WholeAnnotation, first_of
from assay.io.annotations.coco.keypoints import Poses
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.shape_validation import self_intersection_problem


def warn_of_flat_boxes(annotations: AnnotationSet, tally: ProblemTally) -> None:
    """Tell of boxes without area."""
    left, top, right, bottom = annotations.bounds.T
    flat = np.flatnonzero((annotations.kind == ShapeKind.BOX) & ((right <= left) | (bottom <= top)))
    if flat.size:
        image, number = annotations.images[int(annotations.image[flat[0]])].name, annotations.ids[int(flat[0])]
        tally.repaired("a box has no area", f"image {image!r}, annotation {number}", flat.size)


def warn_of_mask_sizes(annotations: AnnotationSet, tally: ProblemTally) -> None:
    """Tell of masks that are not of their image's size, as after resizing one of the two."""
    others = annotations.shape_of.others if isinstance(annotations.shape_of, ShapeColumns) else {}
    for i, mask in others.items():
        image = annotations.images[int(annotations.image[i])]
        if not isinstance(mask, Mask):
            continue
        if image.width and image.height and (mask.width, mask.height) != (image.width, image.height):
            tally.repaired(
                "a mask is not of its image's size: it is laid at the image's upper left corner",
                f"image {image.name!r}, annotation {annotations.ids[i]}",
            )


def warn_of_other_parts(
    annotations: Sequence[Annotation], poses: Poses, named: NDArray[np.int64], tally: ProblemTally
) -> None:
    """What annotations hold beside the shape that is scored; `named`: how many keypoints the label of each names."""
    posed = poses.owner.tolist()
    if not posed:
        return
    drawn = [i for i in posed if annotations[i].segmentation]
    tally.repaired(
        "an annotation has keypoints and an outline: the keypoints are scored", first_of(annotations, drawn), len(drawn)
    )
    boxed = [i for i, a in enumerate(annotations) if isinstance(a, WholeAnnotation) and bytes(a.face_box)]
    tally.lost("boxes of face and hands (COCO-WholeBody) are not scored", first_of(annotations, boxed), len(boxed))
    points = np.array([len(names) for names in poses.table.names])[poses.table.layout]
    unnamed = poses.owner[named[poses.owner] != points]
    tally.repaired(
        "a label does not name all its keypoints: others go by number", first_of(annotations, unnamed), len(unnamed)
    )


def self_intersections_of(annotations: AnnotationSet) -> list[FileProblem]:
    """The line that tells of outlines that cross themselves, if there are any."""
    shapes = annotations.shape_of
    if not isinstance(shapes, ShapeColumns) or shapes.crossing is None or not shapes.crossing.any():
        return []
    owners = np.unique(shapes.rings.owner[shapes.crossing])
    return [self_intersection_problem(annotations, int(owners[0]), len(owners))]
