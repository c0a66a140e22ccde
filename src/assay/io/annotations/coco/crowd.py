"""Which annotations of a COCO file are crowd or ignore regions, and which are only marked as such by their tool."""

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.io.annotations.coco.document import Annotation, Rle


def crowd_regions(annotations: Sequence[Annotation]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each annotation is a region that is not to be scored; and whether it is a mask of CVAT instead.

    CVAT and Datumaro set iscrowd on everything they write as run lengths, so that a task painted with the brush would
    hold no object at all. Such a mask is known by CVAT's own attribute `occluded`, which COCO's files do not have.
    Source: convert_instance in Datumaro's COCO exporter.
    """
    stated = np.array([bool(a.iscrowd or a.is_crowd or a.ignore) for a in annotations], np.bool_)
    painted = np.zeros(len(annotations), np.bool_)
    for i in np.flatnonzero(stated).tolist():
        painted[i] = _is_painted(annotations[i])
    return stated & ~painted, painted


def _is_painted(annotation: Annotation) -> bool:
    attributes, outline = annotation.attributes, annotation.segmentation
    if annotation.ignore or not attributes or not isinstance(attributes.get("occluded"), bool):
        return False
    return isinstance(outline, Rle) or (isinstance(outline, msgspec.Raw) and bytes(outline).lstrip()[:1] == b"{")
