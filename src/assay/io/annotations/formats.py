"""The formats of annotation files: how each is recognised by its content, and its reader.

A new format is a row in FORMATS. One that is known but not read is a row in NOT_READ, so that people are told what
they have and what to do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import InputError
from assay.io.annotations.coco.reader import Prefer, read_coco
from assay.io.annotations.cvat.reader import read_cvat
from assay.io.annotations.detect import Look
from assay.io.annotations.label_studio.reader import read_label_studio
from assay.io.annotations.labelme import read_labelme
from assay.io.annotations.voc import read_pascal_voc
from assay.io.annotations.yolo.dataset import part_of
from assay.io.annotations.yolo.reader import read_yolo
from assay.io.archives.archive import LIMITS, Limits
from assay.io.archives.image_files import ImageFiles


@dataclass(frozen=True, slots=True)
class FormatReading:
    """How annotations are to be read."""

    like: AnnotationSet | None = None
    """The ground truth, for files that name images and labels by its numbers."""
    prefer: Prefer = "shape"
    limits: Limits = LIMITS
    """How much a ZIP or folder may hold."""
    annotator: str = ""
    """Whose work is read of an export that holds several annotators'; the first's when none is chosen."""
    images: ImageFiles | None = None
    """The images, for files that do not state their sizes."""
    annotators_apart: bool = False
    """Whether several annotators of one export are several submissions."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of annotation file."""

    name: str
    recognises: Callable[[Look], bool]
    read: Callable[[Sequence[Look], str, FormatReading], AnnotationSet]
    """Given the files of one student, the name for messages, and how to read."""
    per_image: bool = False
    """One file per image: all files of a folder together are one submission."""


@dataclass(frozen=True, slots=True)
class NotRead:
    """Something people hand in that is not read, and what they can do."""

    recognises: Callable[[Look], bool]
    what: str


def _is_coco(look: Look) -> bool:
    pairs = ({"images", "annotations"}, {"images", "categories"}, {"annotations", "categories"})
    return look.syntax == "json" and not look.is_list and any(pair <= look.keys for pair in pairs)


def _is_results(look: Look) -> bool:
    return look.is_list and (not look.keys or {"image_id", "category_id"} <= look.keys)


def _is_cvat(look: Look) -> bool:
    return look.root == "annotations"


def _is_pascal_voc(look: Look) -> bool:
    return look.root == "annotation"


def _is_labelme(look: Look) -> bool:
    return "shapes" in look.keys and bool(look.keys & {"imagePath", "imageData", "imageHeight", "imageWidth"})


def _is_label_studio(look: Look) -> bool:
    whole = "data" in look.keys and bool(look.keys & {"annotations", "completions"})
    minimal = bool(look.keys & {"annotation_id", "annotator"}) and "lead_time" in look.keys
    return look.is_list and (whole or minimal)


def _is_label_studio_task(look: Look) -> bool:
    return not look.is_list and ({"data", "annotations"} <= look.keys or {"result", "task"} <= look.keys)


def _is_yolo(look: Look) -> bool:
    if look.syntax == "json":  # the notes.json that Label Studio puts beside YOLO's labels
        return not look.is_list and "categories" in look.keys and look.keys <= {"categories", "info"}
    return look.syntax == "text" and part_of(look.name, look.content) != "none"


def _coco(looks: Sequence[Look], source: str, reading: FormatReading) -> AnnotationSet:
    return read_coco(looks[0].content, source=source, like=reading.like, prefer=reading.prefer)


def _cvat(looks: Sequence[Look], source: str, _: FormatReading) -> AnnotationSet:
    return read_cvat(looks[0].content, source=source)


def _label_studio(looks: Sequence[Look], source: str, reading: FormatReading) -> AnnotationSet:
    return read_label_studio(_files(looks), source=source, like=reading.like, annotator=reading.annotator)


def _labelme(looks: Sequence[Look], source: str, _: FormatReading) -> AnnotationSet:
    return read_labelme(_files(looks), source=source)


def _pascal_voc(looks: Sequence[Look], source: str, reading: FormatReading) -> AnnotationSet:
    return read_pascal_voc(_files(looks), source=source, prefer=reading.prefer)


def _yolo(looks: Sequence[Look], source: str, reading: FormatReading) -> AnnotationSet:
    return read_yolo(_files(looks), source=source, like=reading.like, images=reading.images, prefer=reading.prefer)


def _files(looks: Sequence[Look]) -> list[tuple[str, bytes]]:
    return [(look.name, look.content) for look in looks]


YOLO = Format("YOLO", _is_yolo, _yolo, per_image=True)

FORMATS: tuple[Format, ...] = (
    Format("COCO", _is_coco, _coco),
    Format("COCO results", _is_results, _coco),
    Format("CVAT", _is_cvat, _cvat),
    Format("Pascal VOC", _is_pascal_voc, _pascal_voc, per_image=True),
    Format("LabelMe", _is_labelme, _labelme, per_image=True),
    Format("Label Studio", _is_label_studio, _label_studio),
    Format("Label Studio tasks", _is_label_studio_task, _label_studio, per_image=True),
    YOLO,
)

ENDINGS = frozenset({".json", ".xml"})
"""Files of a folder or ZIP that may be annotations; others (images, notes) are passed over."""

CVAT_TO_EXPORT = "In CVAT, export it as 'CVAT for images 1.1', 'CVAT for video 1.1' or 'COCO 1.0'."

NOT_READ: tuple[NotRead, ...] = (
    NotRead(
        # frames and labels are numbers whose names are in other files of the server: nothing to compare by
        lambda look: (
            look.syntax == "json"
            and (bool({"shapes", "tracks", "tags"} <= look.keys) or (bool(look.keys) and look.keys <= {"job", "task"}))
        ),
        f"is CVAT's own JSON, which names neither images nor labels, only their numbers. {CVAT_TO_EXPORT}",
    ),
    NotRead(
        lambda look: {"count", "next", "previous", "results"} <= look.keys,
        f"is a page of CVAT's API (labels, jobs, tasks, quality reports) and holds no annotations. {CVAT_TO_EXPORT}",
    ),
    NotRead(
        lambda look: look.is_list and "data" in look.keys and not look.keys & {"annotations", "completions"},
        "is a list of Label Studio tasks without annotations: images still to be labelled. Export the results.",
    ),
    NotRead(
        lambda look: look.is_list and "segments_info" in look.keys,
        "holds COCO panoptic results; their segments are in PNG files, which are not read. Give COCO instances.",
    ),
    NotRead(
        lambda look: {"items", "categories"} <= look.keys and "images" not in look.keys,
        "is Datumaro's own JSON, which is not read. Export it as COCO or CVAT.",
    ),
    NotRead(
        lambda look: bool(look.keys & {"_via_img_metadata", "_via_settings"}),
        "is a project of the VGG Image Annotator, which is not read. Export it as COCO.",
    ),
    NotRead(
        lambda look: look.keys >= {"type", "features"},
        "is GeoJSON, which is not read. Export it as COCO.",
    ),
    NotRead(lambda look: look.root in {"html", "HTML"}, "is a web page, not annotations. Was it saved by mistake?"),
)


def format_of(look: Look) -> Format:
    """The format of a file; InputError that says what it is instead, as far as that can be told."""
    if found := next((form for form in FORMATS if form.recognises(look)), None):
        return found
    if known := next((other for other in NOT_READ if other.recognises(look)), None):
        raise InputError(f"{look.name} {known.what}")
    names = ", ".join(form.name for form in FORMATS)
    raise InputError(f"{look.name} is no annotation file that is known: {_seen(look)}. Formats that are read: {names}.")


def _seen(look: Look) -> str:
    keys = ", ".join(sorted(key[:40] for key in look.keys)[:8])
    match look.syntax:
        case "xml":
            return f"it is XML with the root <{look.root[:40]}>"
        case "json" if look.keys:
            return f"it is JSON {'whose items have' if look.is_list else 'with'} the keys {keys}"
        case "json":
            return "it is JSON without the lists of COCO"
    return "it is text, but neither JSON nor XML"
