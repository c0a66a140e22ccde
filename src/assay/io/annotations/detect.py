"""The formats of annotation files: how each is recognised by its content and not its name, and its reader.

A new format is a row in FORMATS. One that is known but not read is a row in NOT_READ, so that people are told what
they have and what to do.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import InputError, shown
from assay.io.annotations.coco.reader import read_coco
from assay.io.annotations.columns import Prefer
from assay.io.annotations.cvat import read_cvat
from assay.io.annotations.datasets.datumaro import read_datumaro
from assay.io.annotations.datasets.kitti import read_kitti
from assay.io.annotations.datasets.mot import read_mot
from assay.io.annotations.datasets.open_images import read_open_images
from assay.io.annotations.datasets.panoptic import read_panoptic
from assay.io.annotations.datasets.supervisely import read_supervisely
from assay.io.annotations.datasets.text_rows import kind_of_rows
from assay.io.annotations.datasets.via import read_via
from assay.io.annotations.label_studio import read_label_studio
from assay.io.annotations.labelme import read_labelme
from assay.io.annotations.voc import read_pascal_voc
from assay.io.annotations.xml_elements import root_and_children
from assay.io.annotations.yolo import read_yolo
from assay.io.annotations.yolo_dataset import part_of
from assay.io.image_files import ImageFiles
from assay.io.json_text import as_utf8, keys_of_object, top_level

ELEMENTS_LOOKED_AT = 50
HEAD_OF_LIST = 4096
IMAGE_OF_LABELME = frozenset({"imagePath", "imageData", "imageHeight", "imageWidth"})
CVAT_TO_EXPORT = "In CVAT, export it as 'CVAT for images 1.1', 'CVAT for video 1.1' or 'COCO 1.0'."


@dataclass(frozen=True, slots=True)
class DetectedFile:
    """What a file shows at first sight; formats are recognised by it."""

    name: str
    """The path of the file, for formats that depend on where it lies."""
    content: bytes = field(repr=False)
    """What to read: without a byte order mark, and with null where Python wrote NaN into JSON."""
    syntax: str
    """json, xml or text."""
    is_list: bool = False
    keys: frozenset[str] = frozenset()
    """Keys of a JSON object, or of the first object of a JSON list."""
    inner: frozenset[str] = frozenset()
    """Keys of the first object that a JSON object holds."""
    root: str = ""
    """The root element of XML."""
    rows: str = ""
    """The data set whose rows a text holds."""


def detect(name: str, content: bytes) -> DetectedFile:
    """The first look at one file; InputError when it is empty, binary, or broken JSON or XML."""
    text = as_utf8(content)
    head = text.lstrip()[:1]
    if not head:
        raise InputError("the file is empty", source=name, remedy="Export it again.")
    if head in {b"{", b"["}:
        text, top = top_level(text, name)
        if isinstance(top, dict):
            return DetectedFile(name, text, "json", keys=_keys(top), inner=_inner_keys(top))
        return DetectedFile(name, text, "json", is_list=True, keys=keys_of_object(top[0]) if top else frozenset())
    if head == b"<":
        text = text.lstrip()  # a declaration must come first, but some tools write blanks
        root, *_ = islice(root_and_children(text, name), ELEMENTS_LOOKED_AT)  # it may break off soon
        return DetectedFile(name, text, "xml", root=root.tag)
    if b"\0" in text[:8192]:
        remedy = "Annotations come as JSON or XML, alone, in a folder or in a ZIP."
        raise InputError("it is not text", source=name, remedy=remedy)
    return DetectedFile(name, text, "text", rows=kind_of_rows(text))


def _keys(top: Mapping[str, msgspec.Raw]) -> frozenset[str]:
    """The keys of a document, and segments_info, by which the annotations of COCO panoptic differ from COCO's."""
    head = bytes(memoryview(top["annotations"])[:HEAD_OF_LIST]) if "annotations" in top else b""
    return frozenset(top) | ({"segments_info"} if b'"segments_info"' in head else frozenset())


def _inner_keys(top: Mapping[str, msgspec.Raw]) -> frozenset[str]:
    first = next(iter(top.values()), None)
    is_object = first is not None and bytes(memoryview(first)[:1]) == b"{"
    return keys_of_object(first) if is_object and first is not None else frozenset()


@dataclass(frozen=True, slots=True)
class FormatReading:
    """How annotations are to be read."""

    like: AnnotationSet | None = None
    """The ground truth, for files that name images and labels by its numbers."""
    prefer: Prefer = "shape"
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
    recognises: Callable[[DetectedFile], bool]
    read: Callable[[Sequence[tuple[str, bytes]], str, FormatReading], AnnotationSet]
    """Given name and content of a student's files, the name for messages, and how to read."""
    per_image: bool = False
    """One file per image: all files of a folder together are one submission."""


def defines_classes(file: DetectedFile) -> bool:
    """Whether it is the meta.json of Supervisely, which belongs to every file of its project."""
    return {"classes", "tags"} <= file.keys and not file.keys & {"objects", "annotations", "shapes"}


def _is_coco(file: DetectedFile) -> bool:
    pairs = ({"images", "annotations"}, {"images", "categories"}, {"annotations", "categories"})
    return file.syntax == "json" and not file.is_list and any(pair <= file.keys for pair in pairs)


def _is_label_studio(file: DetectedFile) -> bool:
    whole = "data" in file.keys and bool(file.keys & {"annotations", "completions"})
    minimal = bool(file.keys & {"annotation_id", "annotator"}) and "lead_time" in file.keys
    return file.is_list and (whole or minimal)


def _is_yolo(file: DetectedFile) -> bool:
    if file.syntax == "json":  # the notes.json that Label Studio puts beside YOLO's labels
        return not file.is_list and "categories" in file.keys and file.keys <= {"categories", "info"}
    return file.syntax == "text" and part_of(file.name, file.content) != "none"


def _coco(files: Sequence[tuple[str, bytes]], source: str, reading: FormatReading) -> AnnotationSet:
    return read_coco(files[0][1], source=source, like=reading.like, prefer=reading.prefer)


def _label_studio(files: Sequence[tuple[str, bytes]], source: str, reading: FormatReading) -> AnnotationSet:
    return read_label_studio(files, source=source, like=reading.like, annotator=reading.annotator)


KITTI = Format(
    "KITTI",
    lambda file: file.rows == "KITTI",
    lambda files, source, _: read_kitti(files, source=source),
    per_image=True,
)
MOT = Format(
    "MOT", lambda file: file.rows == "MOT", lambda files, source, _: read_mot(files, source=source), per_image=True
)
OPEN_IMAGES = Format(
    "Open Images",
    lambda file: file.rows == "Open Images",
    lambda files, source, how: read_open_images(files, source=source, like=how.like, images=how.images),
    per_image=True,
)
VIA = Format(
    "VGG VIA",
    lambda file: (
        bool(file.keys & {"_via_img_metadata", "_via_settings"})
        or {"filename", "regions"} <= file.inner
        or file.rows == "VGG VIA"
    ),
    lambda files, source, _: read_via(files[0][1], source=source),
)
ROW_FORMATS = {form.name: form for form in (KITTI, MOT, OPEN_IMAGES, VIA)}
"""Formats that are rows of text, by the name under which `row_members` lists their files."""
YOLO = Format(
    "YOLO",
    _is_yolo,
    lambda files, source, how: read_yolo(files, source=source, like=how.like, images=how.images, prefer=how.prefer),
    per_image=True,
)

FORMATS: tuple[Format, ...] = (
    Format(
        "COCO panoptic",
        lambda file: not file.is_list and "segments_info" in file.keys,
        lambda files, source, how: read_panoptic(files[0][1], source=source, images=how.images, prefer=how.prefer),
    ),
    Format(
        "Datumaro",
        lambda file: {"items", "categories"} <= file.keys and "images" not in file.keys,
        lambda files, source, _: read_datumaro(files[0][1], source=source),
    ),
    VIA,
    Format("COCO", _is_coco, _coco),
    Format(
        "COCO results", lambda file: file.is_list and (not file.keys or {"image_id", "category_id"} <= file.keys), _coco
    ),
    Format(
        "CVAT",
        lambda file: file.root == "annotations",
        lambda files, source, _: read_cvat(files[0][1], source=source),
    ),
    Format(
        "Pascal VOC",
        lambda file: file.root == "annotation",
        lambda files, source, reading: read_pascal_voc(files, source=source, prefer=reading.prefer),
        per_image=True,
    ),
    Format(
        "LabelMe",
        lambda file: "shapes" in file.keys and bool(file.keys & IMAGE_OF_LABELME),
        lambda files, source, _: read_labelme(files, source=source),
        per_image=True,
    ),
    Format("Label Studio", _is_label_studio, _label_studio),
    Format(
        "Label Studio tasks",
        lambda file: not file.is_list and ({"data", "annotations"} <= file.keys or {"result", "task"} <= file.keys),
        _label_studio,
        per_image=True,
    ),
    Format(
        "Supervisely",
        lambda file: {"objects", "size"} <= file.keys or defines_classes(file),
        lambda files, source, _: read_supervisely(files, source=source),
        per_image=True,
    ),
    *(KITTI, MOT, OPEN_IMAGES, YOLO),
)


NOT_READ: tuple[tuple[Callable[[DetectedFile], bool], str, str], ...] = (
    (
        # frames and labels are numbers whose names are in other files of the server: nothing to compare by
        lambda file: (
            file.syntax == "json"
            and (bool({"shapes", "tracks", "tags"} <= file.keys) or (bool(file.keys) and file.keys <= {"job", "task"}))
        ),
        "is CVAT's own JSON, which names neither images nor labels, only their numbers",
        CVAT_TO_EXPORT,
    ),
    (
        lambda file: {"count", "next", "previous", "results"} <= file.keys,
        "is a page of CVAT's API (labels, jobs, tasks, quality reports) and holds no annotations",
        CVAT_TO_EXPORT,
    ),
    (
        lambda file: file.is_list and "data" in file.keys and not file.keys & {"annotations", "completions"},
        "is a list of Label Studio tasks without annotations: images still to be labelled",
        "Export the results.",
    ),
    (
        lambda file: file.is_list and "segments_info" in file.keys,
        "holds COCO panoptic results; their segments are in PNG files, which are not read",
        "Give COCO instances.",
    ),
    (
        lambda file: {"project", "config", "metadata", "view"} <= file.keys,
        "is a project of VIA 3, which is not read",
        "Export it as COCO.",
    ),
    (
        lambda file: file.rows == "Open Images masks",
        "lists masks of Open Images, whose PNG files are not read",
        "Give the CSV of boxes.",
    ),
    (
        lambda file: {"frames", "figures"} <= file.keys or {"key", "figures", "objects"} <= file.keys,
        "is a video or a point cloud of Supervisely; only its images are read",
        "Export images.",
    ),
    (lambda file: file.keys >= {"type", "features"}, "is GeoJSON, which is not read", "Export it as COCO."),
    (lambda file: file.root in {"html", "HTML"}, "is a web page, not annotations", "Was it saved by mistake?"),
)
"""Recognised, but not read: what it is, and what people can do."""


def format_of(file: DetectedFile) -> Format:
    """The format of a file; InputError that says what it is instead, as far as that can be told."""
    if form := next((form for form in FORMATS if form.recognises(file)), None):
        return form
    for recognises, what, remedy in NOT_READ:
        if recognises(file):
            raise InputError(f"it {what}", source=file.name, remedy=remedy)
    keys = ", ".join(sorted(map(shown, file.keys))[:8])
    of_keys = f"it is JSON {'whose items have' if file.is_list else 'with'} the keys {keys}"
    seen = {
        "text": "it is text, but neither JSON nor XML",
        "xml": f"it is XML with the root <{shown(file.root)}>",
        "json": of_keys if file.keys else "it is JSON without the lists of COCO",
    }
    problem = f"it is no annotation file that is known: {seen[file.syntax]}"
    remedy = f"Formats that are read: {', '.join(form.name for form in FORMATS)}."
    raise InputError(problem, source=file.name, remedy=remedy)
