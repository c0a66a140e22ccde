"""What is told of a COCO file whose shapes are in columns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, image_sizes
from assay.annotations.shapes.columns import ShapeColumns
from assay.annotations.shapes.shapes import ShapeKind
from assay.io.annotations.coco.document import Annotation, Identified, WholeAnnotation, note_each
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.shape_validation import self_intersection_problem

if TYPE_CHECKING:
    from assay.io.annotations.coco.shapes import Poses


def warn_of_flat_boxes(annotations: AnnotationSet, tally: ProblemTally) -> None:
    """Tell of boxes without area."""
    left, top, right, bottom = annotations.bounds.T
    flat = np.flatnonzero((annotations.kind == ShapeKind.BOX) & ((right <= left) | (bottom <= top)))
    if flat.size:
        image, number = annotations.images[int(annotations.image[flat[0]])].name, annotations.ids[int(flat[0])]
        tally.repaired("a box has no area", f"image {image!r}, annotation {number}", flat.size)


def warn_of_mask_sizes(annotations: AnnotationSet, tally: ProblemTally) -> None:
    """Tell of masks that are not of their image's size, as after resizing one of the two."""
    shapes = annotations.shape_of
    if not isinstance(shapes, ShapeColumns) or not len(shapes.masks):
        return
    sizes = image_sizes(annotations.images)[annotations.image[shapes.masked]]
    own = np.stack([shapes.masks.width, shapes.masks.height], axis=1)
    others = shapes.masked[(sizes > 0).all(axis=1) & (own != sizes).any(axis=1)]
    if others.size:
        image, number = annotations.images[int(annotations.image[others[0]])].name, annotations.ids[int(others[0])]
        what = "a mask is not of its image's size: it is laid at the image's upper left corner"
        tally.repaired(what, f"image {image!r}, annotation {number}", others.size)


def self_intersections_of(annotations: AnnotationSet) -> list[FileProblem]:
    """The line that tells of outlines that cross themselves, if there are any."""
    shapes = annotations.shape_of
    if not isinstance(shapes, ShapeColumns) or shapes.crossing is None or not shapes.crossing.any():
        return []
    owners = np.unique(shapes.rings.owner[shapes.crossing])
    return [self_intersection_problem(annotations, int(owners[0]), len(owners))]


def warn_of_other_parts(
    annotations: Sequence[Annotation], poses: "Poses", named: NDArray[np.int64], tally: ProblemTally
) -> None:
    """What annotations hold beside the shape that is scored; `named`: how many keypoints the label of each names."""
    posed = poses.owner.tolist()
    if not posed:
        return
    warn_of_outlines(annotations, [i for i in posed if annotations[i].segmentation], tally)
    boxed = [i for i, a in enumerate(annotations) if isinstance(a, WholeAnnotation) and bytes(a.face_box)]
    note_each(tally.lost, "boxes of face and hands (COCO-WholeBody) are not scored", annotations, boxed)
    warn_of_unnamed_points(annotations, poses, named, tally)


def warn_of_outlines(
    annotations: Sequence[Identified], drawn: Sequence[int] | NDArray[np.int64], tally: ProblemTally
) -> None:
    """Tell of outlines that annotations with keypoints have too."""
    what = "an annotation has keypoints and an outline: the keypoints are scored"
    note_each(tally.repaired, what, annotations, drawn)


def warn_of_unnamed_points(
    annotations: Sequence[Identified], poses: "Poses", named: NDArray[np.int64], tally: ProblemTally
) -> None:
    """Tell of keypoints that have no name of their own."""
    points = np.array([len(names) for names in poses.table.names], np.int64)[poses.table.layout]
    unnamed = poses.owner[named[poses.owner] != points]
    note_each(tally.repaired, "a label does not name all its keypoints: others go by number", annotations, unnamed)
