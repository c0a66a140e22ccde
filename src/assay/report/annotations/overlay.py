"""Overlays of annotations: a submission over the ground truth, hard objects, what annotators agree on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.shapes import ShapeKind
from assay.io.image_files import ImageFiles, image_header
from assay.report.annotations.findings import ImageFinding, counts
from assay.report.annotations.outlines import drawn_shape
from assay.report.document.overlay import Overlay, OverlayShape, Photo, Pin, Role
from assay.report.document.phrases import be, counted

PhotoOf: TypeAlias = Callable[[str], Photo | None]
"""The image by its name, if there is one to show."""

MOST_NAMED = 16
"""With more findings the pins bear numbers only."""
NOMINAL_WIDTH = 860.0
"""How wide pictures usually are, in px: pins are kept apart for that."""
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
    matched, missed, extra = counts(findings)
    says = f"{matched} of {counted(matched + missed, 'object')} found, {extra} extra."
    scored = score.image_score(image).tally.score
    return overlay_of(
        score.images[image], marked, photo_of, says=f"{says} This image scores {scored:.0f} of 100.", what="findings"
    )


def _marked(score: SubmissionScore, finding: ImageFinding, *, named: bool) -> Iterable[MarkedShape]:
    """The object and its annotation; the pin stands at one of them."""
    label = finding.label if named else ""
    word = {"missed": f"{label} missed".strip(), "extra": f"{label} extra".strip()}.get(finding.result, label)
    if finding.truth is not None:
        role: Role = "missed" if finding.result == "missed" else "truth"
        shown = "missed" if role == "missed" else f"score {finding.score:.1f}"
        title = f"{finding.number} ground truth: {finding.label}, {shown}"
        yield MarkedShape(score.truth, finding.truth, role, title, str(finding.number), word)
    if finding.student is not None:
        role = "extra" if finding.result == "extra" else "submission"
        drawn = score.submission.labels[score.submission.label[finding.student]]
        pin = str(finding.number) if role == "extra" else ""
        title = f"{finding.number} {'extra' if role == 'extra' else 'submission'}: {drawn}"
        yield MarkedShape(score.submission, finding.student, role, title, pin, word)


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
    width, height = _size(image, marked)
    bones = _bones([one.annotations for one in marked])
    shapes = tuple(_shape(one, bones) for one in marked)
    if photo is None and not any(shape.outlines or shape.dots for shape in shapes):
        return None
    ground = "the image" if photo is not None else "a plain canvas of the image's size"
    shown = "; ".join(one.title for one in marked[:40]) + (" and more" if len(marked) > 40 else "")
    alt = f"{image.name}: {len(marked)} shapes over {ground}. {says} The {what}: {shown}."
    return Overlay(
        title=image.name or "image without a name",
        says=says,
        alt=alt,
        width=width,
        height=height,
        shapes=shapes,
        pins=placed_pins(marked, width, height),
        photo=photo,
        words=words,
    )


def _bones(sets: Sequence[AnnotationSet]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Label -> the joints that are connected, from whichever of the files says so."""
    defined = (definition for one in dict.fromkeys(sets) for definition in one.definitions if definition.bones)
    bones: dict[str, tuple[tuple[str, str], ...]] = {}
    for definition in defined:
        bones.setdefault(normalised(definition.name), definition.bones)
    return bones


def _shape(one: MarkedShape, bones: Mapping[str, tuple[tuple[str, str], ...]]) -> OverlayShape:
    label = one.annotations.labels[one.annotations.label[one.place]]
    outlines, dots = drawn_shape(one.annotations.shape(one.place), bones.get(normalised(label), ()))
    return OverlayShape(one.role, outlines, dots, one.title)


def _size(image: Image, marked: Sequence[MarkedShape]) -> tuple[float, float]:
    """The size the file states, or else what holds all shapes."""
    if image.width > 0 and image.height > 0:
        return float(image.width), float(image.height)
    ends = [one.annotations.bounds[one.place][2:] for one in marked]
    width, height = np.max(ends, axis=0) * 1.05 if ends else (0.0, 0.0)
    return float(max(width, 100.0)), float(max(height, 100.0))


def placed_pins(marked: Sequence[MarkedShape], width: float, height: float) -> tuple[Pin, ...]:
    """A pin at a corner of each shape that has one: the first corner where it does not lie on an earlier pin."""
    pins: list[Pin] = []
    taken: list[tuple[float, float, float, float]] = []
    scale = NOMINAL_WIDTH / width
    for one in marked:
        if not one.pin or one.annotations.kind[one.place] == ShapeKind.TAG:
            continue
        long = 12.0 + 7.0 * len(one.pin) + (6.4 * (len(one.more) + 1) if one.more else 0)
        left, top, right, bottom = (float(edge) for edge in one.annotations.bounds[one.place])
        left, right = (min(max(x, 0.0), width) for x in (left, right))
        top, bottom = (min(max(y, 0.0), height) for y in (top, bottom))
        corners = (
            Pin(left / width, top / height, one.pin, one.more),
            Pin(left / width, bottom / height, one.pin, one.more, below=True),
            Pin(right / width, top / height, one.pin, one.more, left=True),
            Pin(right / width, bottom / height, one.pin, one.more, left=True, below=True),
        )
        boxes = [_area(pin, long, width * scale, height * scale) for pin in corners]
        best = min(range(4), key=lambda i: (_clash(boxes[i], taken, width * scale, height * scale), i))
        pins.append(corners[best])
        taken.append(boxes[best])
    return tuple(pins)


def _area(pin: Pin, long: float, width: float, height: float) -> tuple[float, float, float, float]:
    x, y = pin.x * width - (long if pin.left else 0), pin.y * height + (3 if pin.below else -21)
    return x, y, x + long, y + 18


def _clash(
    box: tuple[float, float, float, float],
    taken: Sequence[tuple[float, float, float, float]],
    width: float,
    height: float,
) -> float:
    """How much of a pin lies on others or beyond the picture."""
    over = sum(
        max(0.0, min(box[2], b[2]) - max(box[0], b[0])) * max(0.0, min(box[3], b[3]) - max(box[1], b[1])) for b in taken
    )
    beyond = max(0.0, -box[0]) + max(0.0, box[2] - width) + max(0.0, -box[1]) + max(0.0, box[3] - height)
    return over + 100 * beyond


def objects_words(matched: int, objects: int, extra: int, *, you: bool) -> str:
    """What happened, in one sentence.

    >>> objects_words(2, 3, 1, you=True)
    'You found 2 of 3 objects and drew 1 that is not in the ground truth.'
    """
    who = "You" if you else "The students"
    if not objects and not extra:
        return f"There was nothing to find, and {who[0].lower() + who[1:]} drew nothing."
    bones = f"{who} found {matched:,} of {counted(objects, 'object')}"
    if not extra:
        return f"{bones} and drew nothing that is not in the ground truth."
    return f"{bones} and drew {extra:,} that {be(extra)} not in the ground truth."
