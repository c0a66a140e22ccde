"""`AnnotationSet`: all annotations of one file, in columns; what one person or one model handed in.

A file may hold a million annotations, so they are not a million objects: what is compared for all of them (image,
label, kind, bounding box) lies in arrays, and the exact shape of one is made when it is asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.shapes import FAMILY_OF_KIND, Box, Shape, ShapeKind

Value: TypeAlias = str | float | bool | None
"""What an attribute may hold; an empty cell is None."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the set. Sizes are 0 when the file does not state them; `name` may hold folders."""

    name: str
    width: float = 0
    height: float = 0


def image_sizes(images: Sequence[Image]) -> NDArray[np.float64]:
    """(n, 2): width and height of each image, 0 where not stated."""
    return np.array([[image.width for image in images], [image.height for image in images]], np.float64).T


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Something in a file that could not be taken as it stands; nothing is dropped in silence."""

    where: str
    """The element: file, image, annotation id."""
    what: str
    count: int = 1
    lost: bool = False
    """True when the element could not be scored at all; False when it was repaired and scored."""


@dataclass(frozen=True, slots=True)
class AttributeDefinition:
    """How a file's own label definitions describe an attribute."""

    name: str
    input: str = ""
    """checkbox, radio, select, number, text; empty when the file does not say."""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelDefinition:
    """A label with its attributes, as the file defines it (CVAT's labels, COCO's categories)."""

    name: str
    attributes: tuple[AttributeDefinition, ...] = ()
    keypoints: tuple[str, ...] = ()
    bones: tuple[tuple[str, str], ...] = ()
    """Keypoints that are drawn joined by a line; nothing is scored by them."""


LEAST_AREA_SHARE = 0.01
"""Of its box; an object whose area is stated to be less is thinner than any that people draw."""


@dataclass(frozen=True, eq=False, slots=True)
class AnnotationSet:
    """Annotations in columns: entry i of every array is annotation i, in file order."""

    images: tuple[Image, ...]
    labels: tuple[str, ...]
    image: NDArray[np.int32]
    """Index into `images`."""
    label: NDArray[np.int32]
    """Index into `labels`."""
    kind: NDArray[np.uint8]
    bounds: NDArray[np.float64]
    """(n, 4): left, top, right, bottom of the shape; of a box before it is turned; zeros for a tag."""
    rotation: NDArray[np.float64]
    """Degrees, of boxes; 0 for the others."""
    shape_of: Callable[[int], Shape] = field(repr=False)
    """The exact shape of annotation i, for kinds other than box."""
    ids: Sequence[str]
    """As the file names them; positions from 1 when it does not."""
    attributes: Mapping[int, Mapping[str, Value]] = field(default_factory=dict)
    """Annotation -> attribute -> value; annotations without any are left out."""
    crowd: NDArray[np.bool_] | None = None
    """Regions that are not to be scored (COCO's iscrowd, ignore)."""
    area: NDArray[np.float64] | None = None
    """The object's area as the file states it (COCO), the scale of keypoint similarity; NaN when not stated."""
    confidence: NDArray[np.float64] | None = None
    track: NDArray[np.int64] | None = None
    """The track an annotation belongs to, -1 for none."""
    group: NDArray[np.int64] | None = None
    """Annotations drawn as one group (CVAT's group_id), 0 for none."""
    occluded: NDArray[np.bool_] | None = None
    """Marked as hidden behind something, a state of the tool in CVAT and no attribute of the label."""
    image_ids: Mapping[str, int] = field(default_factory=dict)
    """The file's own id of an image -> index into `images`: results that come without names refer to it."""
    label_ids: Mapping[str, int] = field(default_factory=dict)
    """The file's own id of a category -> index into `labels`."""
    definitions: tuple[LabelDefinition, ...] = ()
    problems: tuple[FileProblem, ...] = ()
    source: str = ""
    """The file, as messages name it."""
    format: str = ""
    """COCO, CVAT for images, ..."""

    def __len__(self) -> int:
        return len(self.image)

    def shape(self, index: int) -> Shape:
        """The exact shape of one annotation."""
        if self.kind[index] == ShapeKind.BOX:
            left, top, right, bottom = map(float, self.bounds[index])
            return Box(left, top, right, bottom, float(self.rotation[index]))
        return self.shape_of(index)

    def families(self) -> NDArray[np.uint8]:
        """The family of each annotation, as a place in `FAMILIES`."""
        return FAMILY_OF_KIND[self.kind]

    def counts(self) -> dict[str, int]:
        """How many annotations there are of each kind."""
        numbers = np.bincount(self.kind, minlength=len(ShapeKind))
        return {kind.word: int(numbers[kind]) for kind in ShapeKind if numbers[kind]}


def with_plausible_areas(annotations: AnnotationSet) -> AnnotationSet:
    """The set without stated areas that cannot be: less than a hundredth of the box, or more than the image.

    Keypoints are compared on the scale of that area: one that is far too small makes every point a miss. Without it
    the area of the box is taken. The problem is reported, with the first annotation that has it.
    """
    stated = annotations.area
    if stated is None or not (annotations.kind == ShapeKind.SKELETON).any():
        return annotations
    sides = np.maximum(annotations.bounds[:, 2:] - annotations.bounds[:, :2], 0)
    image = image_sizes(annotations.images).prod(axis=1)[annotations.image]
    with np.errstate(invalid="ignore"):
        odd = (stated < LEAST_AREA_SHARE * sides.prod(axis=1)) | ((image > 0) & (stated > 1.01 * image))
    odd &= (annotations.kind == ShapeKind.SKELETON) & (stated > 0)
    if not odd.any():
        return annotations
    first = int(np.flatnonzero(odd)[0])
    width, height = sides[first]
    what = f"states an area of {stated[first]:g} for a box of {width:g} x {height:g}; the area of the box is used"
    problem = FileProblem(f"annotation {annotations.ids[first]}", what, int(np.count_nonzero(odd)))
    return replace(annotations, area=np.where(odd, np.nan, stated), problems=(*annotations.problems, problem))
