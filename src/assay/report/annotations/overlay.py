"""Overlays of annotations: a submission over the ground truth, hard objects, what annotators agree on."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.shapes import Mask, ShapeKind
from assay.io.image_files import ImageFiles
from assay.io.image_header import image_header
from assay.report.annotations.findings import ImageFinding
from assay.report.annotations.outlines import drawn_shape, drawn_window
from assay.report.document.overlay import Overlay, OverlayShape, Photo, Pin, Role
from assay.report.document.wording import counted

PhotoOf: TypeAlias = Callable[[str], Photo | None]
"""The image by its name, if there is one to show."""

Area: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

MOST_NAMED = 16
"""With more findings the pins bear numbers only."""
NOMINAL_WIDTH = 860.0
"""How wide pictures usually are, in px: pins are kept apart for that."""
MOST_DRAWN = 1000
"""Shapes on one picture; more would be a blot, and a file could hold millions."""
MOST_PINS = 200
"""Pins on one picture: each is kept clear of all before it."""
MOST_MASK_PIXELS = 64_000_000
"""Pixels of all masks on one picture; further masks are drawn as the boxes of their pixels."""
LARGEST_PHOTO = 3 << 20
"""Bytes of one image; a larger one is replaced by a plain canvas."""
ALL_PHOTOS = 16 << 20
"""Bytes of all images in one report."""


def photos(images: ImageFiles | None, *, together: int = ALL_PHOTOS) -> PhotoOf:
    """A finder of images for one report, of kinds that can be shown; it gives no more once the report is full."""
    left = together

    def photo_of(name: str) -> Photo | None:
        nonlocal left
        content = images.find(name) if images is not None and name else None
        header = image_header(content) if content is not None else None
        if content is None or header is None or len(content) > min(LARGEST_PHOTO, left):
            return None
        left -= len(content)
        return Photo(header.media, content)

    return photo_of


@dataclass(frozen=True, slots=True)
class MarkedShape:
    """An annotation that is drawn: which, as what, and the pin beside it."""

    annotations: AnnotationSet
    place: int
    role: Role
    title: str
    pin: str = ""
    more: str = ""


def submission_overlay(
    score: SubmissionScore, image: int, findings: tuple[ImageFinding, ...], photo_of: PhotoOf
) -> Overlay | None:
    """One image of a submission; None where there is nothing to draw on or with."""
    marked = [one for finding in findings for one in _marked(score, finding, named=len(findings) <= MOST_NAMED)]
    results = [finding.result for finding in findings]
    matched, objects = results.count("truth"), results.count("truth") + results.count("missed")
    says = f"{matched} of {counted(objects, 'object')} found, {results.count('extra')} extra."
    says += f" This image scores {score.image_score(image).tally.score:.0f} of 100."
    return overlay_of(score.images[image], marked, photo_of, says=says, what="findings")


def _marked(score: SubmissionScore, finding: ImageFinding, *, named: bool) -> Iterable[MarkedShape]:
    """The object and its annotation; the pin stands at one of them."""
    number, unmatched = str(finding.number), finding.result in ("missed", "extra")
    words = " ".join([finding.label] * named + [finding.result] * unmatched).strip()
    if finding.truth is not None:
        shown = "missed" if unmatched else f"score {finding.score:.1f}"
        title = f"{number} ground truth: {finding.label}, {shown}"
        yield MarkedShape(score.truth, finding.truth, finding.result, title, number, words)
    if finding.student is not None:
        role: Role = "extra" if unmatched else "submission"
        title = f"{number} {role}: {score.submission.labels[score.submission.label[finding.student]]}"
        pin = number if unmatched else ""
        yield MarkedShape(score.submission, finding.student, role, title, pin, words)


def overlay_of(
    image: Image,
    marked: Sequence[MarkedShape],
    photo_of: PhotoOf,
    *,
    says: str,
    what: str = "annotations",
    words: tuple[tuple[Role, str], ...] = (),
) -> Overlay | None:
    """Annotations over their image; None where none of them has a place and there is no image."""
    photo = photo_of(image.name)
    marked, left_out = marked[:MOST_DRAWN], len(marked) - MOST_DRAWN
    if left_out > 0:
        says += f" The picture shows the first {MOST_DRAWN:,} shapes; {left_out:,} more are not drawn."
    bones: dict[str, tuple[tuple[str, str], ...]] = {}  # by label, from whichever of the files says so
    for definition in (one for own in dict.fromkeys(m.annotations for m in marked) for one in own.definitions):
        if definition.bones:
            bones.setdefault(normalised(definition.name), definition.bones)
    shapes = []
    mask_pixels = 0
    for one in marked:
        label, shape = one.annotations.labels[one.annotations.label[one.place]], one.annotations.shape(one.place)
        mask_pixels += shape.width * shape.height if isinstance(shape, Mask) else 0
        if isinstance(shape, Mask) and mask_pixels > MOST_MASK_PIXELS:
            lines, dots = drawn_window(shape)
        else:
            lines, dots = drawn_shape(shape, bones.get(normalised(label), ()))
        shapes.append(OverlayShape(one.role, lines, dots, one.title))
    if photo is None and not any(shape.outlines or shape.dots for shape in shapes):
        return None
    width, height = float(image.width), float(image.height)
    if width <= 0 or height <= 0:  # not stated: what holds all shapes
        ends = [one.annotations.bounds[one.place][2:] for one in marked]
        width, height = (max(float(end), 100.0) for end in (np.max(ends, axis=0) * 1.05 if ends else (0.0, 0.0)))
    ground = "the image" if photo is not None else "a plain canvas of the image's size"
    shown = "; ".join(one.title for one in marked[:40]) + (" and more" if len(marked) > 40 else "")
    return Overlay(
        title=image.name or "image without a name",
        says=says,
        alt=f"{image.name}: {len(marked)} shapes over {ground}. {says} The {what}: {shown}.",
        width=width,
        height=height,
        shapes=tuple(shapes),
        pins=placed_pins(marked, width, height),
        photo=photo,
        words=words,
    )


def placed_pins(marked: Sequence[MarkedShape], width: float, height: float) -> tuple[Pin, ...]:
    """A pin at a corner of each of the first shapes: the first corner where it does not lie on an earlier pin."""
    pins: list[Pin] = []
    taken: list[Area] = []
    scale = NOMINAL_WIDTH / width
    for one in marked:
        if len(pins) == MOST_PINS:
            break
        if not one.pin or one.annotations.kind[one.place] == ShapeKind.TAG:
            continue
        long = 12.0 + 7.0 * len(one.pin) + (6.4 * (len(one.more) + 1) if one.more else 0)
        left, top, right, bottom = (float(edge) for edge in one.annotations.bounds[one.place])
        left, right = (min(max(x, 0.0), width) for x in (left, right))
        top, bottom = (min(max(y, 0.0), height) for y in (top, bottom))
        choices: list[tuple[float, int, Pin, Area]] = []
        for x, at_right in ((left, False), (right, True)):
            for y, below in ((top, False), (bottom, True)):
                pin = Pin(x / width, y / height, one.pin, one.more, left=at_right, below=below)
                begin = pin.x * (width * scale) - (long if at_right else 0)
                upper = pin.y * (height * scale) + (3 if below else -21)
                area = (begin, upper, begin + long, upper + 18)
                choices.append((_clash(area, taken, width * scale, height * scale), len(choices), pin, area))
        _, _, best, area = min(choices)
        pins.append(best)
        taken.append(area)
    return tuple(pins)


def _clash(box: Area, taken: Sequence[Area], width: float, height: float) -> float:
    """How much of a pin lies on others or beyond the picture."""
    over = sum(
        max(0.0, min(box[2], b[2]) - max(box[0], b[0])) * max(0.0, min(box[3], b[3]) - max(box[1], b[1])) for b in taken
    )
    beyond = max(0.0, -box[0]) + max(0.0, box[2] - width) + max(0.0, -box[1]) + max(0.0, box[3] - height)
    return over + 100 * beyond
