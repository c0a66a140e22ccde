"""COCO's JSON as typed records: what tools really write in it, and what to make of the rest."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, MissingExtra
from assay.io.json_text import BROKEN, keys_of_object

if TYPE_CHECKING:
    from assay.io.annotations.columns import ProblemTally

try:
    import msgspec
except ImportError as absent:
    raise MissingExtra("Reading COCO", "annotations") from absent

Id: TypeAlias = int | float | str
Flag: TypeAlias = int | bool | None
FORMAT, RESULTS = "COCO", "COCO results"
FLAGS = ("iscrowd", "is_crowd", "ignore", "isbbox")
POSITION = re.compile(r"\[\d+\]")
RAW = msgspec.Raw(b"")
Listed = TypeVar("Listed")
OTHER_OUTLINES: tuple[tuple[Any, str], ...] = (
    (list[float], "an outline is a single flat list: it was taken as one ring"),
    (list[list[tuple[float, float]]], "an outline is made of points [x, y]: they were taken as its rings"),
)
"""How else outlines are written, and what is told of it."""


class Rle(msgspec.Struct, gc=False):
    """A mask as run lengths: numbers, or COCO's compressed text."""

    size: tuple[int, int]
    counts: str | list[int]


Segmentation: TypeAlias = list[list[float]] | Rle | None


class CocoImage(msgspec.Struct, gc=False):
    id: Id
    file_name: str | None = None
    coco_url: str | None = None
    width: float | None = None
    height: float | None = None


class CocoCategory(msgspec.Struct):
    id: Id
    name: str | int | float
    keypoints: list[str] | None = None
    skeleton: Any = None
    """Pairs of positions among the keypoints, from 1; only drawn, so what is odd there is passed over."""


Outline = TypeVar("Outline", bound=Segmentation | msgspec.Raw)


class CocoAnnotation(msgspec.Struct, Generic[Outline], gc=False):
    """An annotation, its outline read or still as text: reading it takes most of the time, and boxes go without."""

    image_id: Id
    category_id: Id
    id: Id | None = None
    bbox: list[float] | None = None
    segmentation: Outline = None  # type: ignore[assignment]  # Raw | None would never be Raw
    area: float | None = None
    iscrowd: Flag = 0
    is_crowd: Flag = 0
    ignore: Flag = 0
    keypoints: list[float] | None = None
    score: float | None = None
    attributes: dict[str, Any] | None = None


class WholeAnnotation(CocoAnnotation[Outline], Generic[Outline], gc=False):
    """With the further keypoints of COCO-WholeBody; those who want boxes go without, since each field takes time."""

    foot_kpts: list[float] | None = None
    face_kpts: list[float] | None = None
    lefthand_kpts: list[float] | None = None
    righthand_kpts: list[float] | None = None
    face_box: msgspec.Raw = RAW
    isbbox: Flag = 0
    """COCO Annotator writes a box as an outline, too, and says so."""
    metadata: Any = None
    """Its attributes."""


class Identified(Protocol):
    """An annotation as far as messages name it."""

    @property
    def id(self) -> Id | None: ...


Annotation: TypeAlias = CocoAnnotation[Any]
Boxes: TypeAlias = list[CocoAnnotation[msgspec.Raw]]
Outlines: TypeAlias = list[WholeAnnotation[Segmentation]]


class CocoFile(msgspec.Struct, Generic[Listed]):
    """A file as it stands, each part of which may be missing."""

    images: list[CocoImage] | None = None
    categories: list[CocoCategory] | None = None
    annotations: Listed = None  # type: ignore[assignment]


class CocoDocument(msgspec.Struct):
    images: list[CocoImage]
    categories: list[CocoCategory]
    annotations: list[Annotation]


DOCUMENT: dict[bool, Any] = {True: CocoFile[Outlines], False: CocoFile[Boxes]}
"""By whether outlines are read."""
LIST: dict[bool, Any] = {True: Outlines, False: Boxes}


def plain_document(content: bytes, *, outlines: bool) -> CocoDocument | None:
    """A file that is plainly COCO: at least two of its three lists are there, and all is as it should be. Else None."""
    try:
        whole = msgspec.json.decode(content, type=DOCUMENT[outlines]) if content.startswith(b"{") else CocoFile()
    except BROKEN:
        return None
    if _perhaps_repeated(content):
        return None
    if (whole.images, whole.categories, whole.annotations).count(None) > 1:
        return None
    return CocoDocument(whole.images or [], whole.categories or [], whole.annotations or [])


def plain_results(content: bytes, *, outlines: bool) -> list[Annotation] | None:
    """A list in which every row has an image and a category: plainly results of COCO. Else None."""
    results: list[Annotation] | None = None
    with suppress(*BROKEN):
        results = msgspec.json.decode(content, type=LIST[outlines]) if content.startswith(b"[") else None
    return results


def read_document(content: bytes, source: str, *, outlines: bool, tally: "ProblemTally") -> CocoDocument:
    """Images, categories and annotations of a COCO file; annotations that are malformed are left out and counted."""
    if suspects := _perhaps_repeated(content):
        last: list[str] = []  # the keys of the object read last, which is the whole file
        json.loads(content, object_pairs_hook=lambda pairs: last.__setitem__(slice(None), [key for key, _ in pairs]))
        for name in suspects:
            tally.lost(f"{name} is stated more than once: the last list is read", "file", max(last.count(name) - 1, 0))
    try:
        whole: CocoFile[Any] = msgspec.json.decode(content, type=DOCUMENT[outlines])
        annotations = whole.annotations or []
    except msgspec.ValidationError:
        try:  # without images and categories, nothing in the file has a place or a name
            whole = msgspec.json.decode(content, type=CocoFile[msgspec.Raw], strict=False)  # "800" is a width
        except msgspec.ValidationError as problem:
            remedy = "Correct it there, or export the file again."
            raise InputError(wording(problem), source=source, remedy=remedy) from None
        annotations = _one_by_one(whole.annotations, source, outlines=outlines, tally=tally)
    return CocoDocument(whole.images or [], whole.categories or [], annotations)


def _perhaps_repeated(content: bytes) -> list[str]:
    """The lists whose name occurs more than once, as a key or a text; JSON readers take the last of equal keys."""
    return [name for name in ("images", "categories", "annotations") if content.count(f'"{name}"'.encode()) > 1]


def read_results(content: bytes, source: str, *, outlines: bool, tally: "ProblemTally") -> list[Annotation]:
    """The annotations of a bare list of results."""
    try:
        results: list[Annotation] = msgspec.json.decode(content, type=LIST[outlines])
        return results
    except msgspec.ValidationError:
        return _one_by_one(msgspec.Raw(content), source, outlines=outlines, tally=tally)


def _one_by_one(
    annotations: msgspec.Raw | None, source: str, *, outlines: bool, tally: "ProblemTally"
) -> list[Annotation]:
    try:
        items = msgspec.json.decode(annotations or b"null", type=list[msgspec.Raw] | None) or []
    except msgspec.ValidationError:
        remedy = "Give a COCO file or a list of COCO results."
        raise InputError("annotations is not a list", source=source, remedy=remedy) from None
    if items and "segments_info" in keys_of_object(items[0]):
        problem = "it is COCO panoptic: its segments are in PNG files, which are not read"
        raise InputError(problem, source=source, remedy="Give the COCO instances file of the same images.")
    kind: Any = WholeAnnotation[msgspec.Raw] if outlines else CocoAnnotation[msgspec.Raw]
    decoder = msgspec.json.Decoder(kind, strict=False)
    annotations_read = []
    for number, item in enumerate(items, start=1):
        where = f"annotation {number} of the list"
        try:
            annotation = _annotation(item, decoder, where, tally)
        except msgspec.ValidationError as error:
            tally.lost(f"an annotation cannot be read: {_alike(error)}", where)
            continue
        if outlines:
            annotation.segmentation = outline_of(annotation, where, tally)
        annotations_read.append(annotation)
    return annotations_read


def _annotation(item: msgspec.Raw, decoder: msgspec.json.Decoder[Any], where: str, tally: "ProblemTally") -> Annotation:
    """The annotation; odd attributes do not cost it its shape."""
    try:
        annotation: Annotation = decoder.decode(item)
        return annotation
    except msgspec.ValidationError as problem:
        path, refused = path_and_reason(problem)[0], problem
    fields = msgspec.json.decode(item, type=dict[str, msgspec.Raw])
    if path in FLAGS and bytes(fields[path])[:1] == b"[":  # [0], as programs write it that keep arrays in columns
        with suppress(msgspec.ValidationError):
            (flag,) = msgspec.json.decode(fields[path], type=tuple[int | bool], strict=False)
            return _annotation(msgspec.Raw(msgspec.json.encode(fields | {path: flag})), decoder, where, tally)
    if not path.startswith("attributes"):
        raise refused
    attributes = _named_values(msgspec.json.decode(fields.pop("attributes")))
    annotation = decoder.decode(msgspec.json.encode(fields))
    if attributes is None:
        tally.repaired("attributes are neither names with values nor a list of them: they were left aside", where)
    annotation.attributes = attributes
    return annotation


def _named_values(stated: Any) -> dict[str, Any] | None:
    """Attributes that are a list of {"name": ..., "value": ...}, as some tools write them; None when they are not.

    >>> _named_values([{"name": "colour", "value": "red"}])
    {'colour': 'red'}
    """
    if not isinstance(stated, list) or not all(isinstance(one, dict) for one in stated):
        return None
    named = [(one.get("name", one.get("key")), one.get("value")) for one in stated]
    return dict(named) if all(isinstance(name, str) for name, _ in named) else None


def outline_of(annotation: Annotation, where: str, tally: "ProblemTally") -> Segmentation:
    """The outline of an annotation that may have been read without it; None when there is none that can be used."""
    raw = annotation.segmentation
    if not isinstance(raw, msgspec.Raw):
        outline: Segmentation = raw
        return outline
    try:
        outline = msgspec.json.decode(raw, type=Segmentation, strict=False)
        return outline
    except msgspec.ValidationError as problem:
        what = _alike(problem)
    for kind, note in OTHER_OUTLINES:
        try:
            stated = msgspec.json.decode(raw, type=kind, strict=False)
        except msgspec.ValidationError:
            continue
        tally.repaired(note, where)
        return [stated] if kind == list[float] else [[x for point in ring for x in point] for ring in stated]
    tally.repaired(f"an outline cannot be read, so the box is scored: {what}", where)
    return None


def has_run_lengths(annotation: Annotation) -> bool:
    """Whether the outline, read or not, is a mask."""
    outline = annotation.segmentation
    return isinstance(outline, Rle) or (isinstance(outline, msgspec.Raw) and bytes(outline).lstrip()[:1] == b"{")


def _alike(problem: msgspec.ValidationError) -> str:
    """The wording without positions in lists, so that equal troubles are counted together."""
    return POSITION.sub("[...]", wording(problem))


def path_and_reason(problem: msgspec.ValidationError) -> tuple[str, str]:
    """Where in a value something is wrong, and what: msgspec keeps both in its message and nowhere else.

    >>> path_and_reason(msgspec.ValidationError("Expected `int`, got `str` - at `$.images[...].id`"))
    ('images[...].id', 'Expected `int`, got `str`')
    """
    reason, _, path = str(problem).partition(" - at ")
    return path.strip("`").removeprefix("$").removeprefix("."), reason


def wording(problem: msgspec.ValidationError) -> str:
    """What msgspec found, in words of the file.

    >>> wording(msgspec.ValidationError("Expected `float`, got `null` - at `$.bbox[...]`"))
    'bbox[...] is null or NaN and not float'
    """
    path, what = path_and_reason(problem)
    place = path or "it"
    if what.startswith("Expected ") and ", got " in what:
        expected, _, got = what.removeprefix("Expected ").partition(", got ")
        if expected == "`float`":  # NaN, which JSON does not have, was made null
            got = got.replace("`null`", "null or NaN")
        return f"{place} is {got.strip('`')} and not {expected.strip('`').replace(' | ', ' or ')}"
    if what.startswith("Object missing required field"):
        return f"{place if place != 'it' else 'an element'} has no {what.rsplit(' ', 1)[-1].strip('`')}"
    return f"{place}: {what}"


def id_text(stated: Id) -> str:
    """An id as messages and results name it: 7 for 7.0."""
    return f"{stated:.0f}" if isinstance(stated, float) and stated.is_integer() else str(stated)


def first_of(annotations: Sequence[Identified], which: Sequence[int] | NDArray[Any]) -> str:
    """The first of some annotations (by index, or a flag for each), as a message names it; blank when there is none."""
    places = np.asarray(which)
    places = np.flatnonzero(places) if places.dtype == np.bool_ else places
    if not places.size:
        return ""
    first = annotations[int(places[0])]
    return f"annotation {id_text(first.id) if first.id is not None else int(places[0]) + 1}"


def note_each(
    note: Callable[[str, str, int], None],
    what: str,
    annotations: Sequence[Identified],
    which: Sequence[int] | NDArray[Any],
) -> None:
    """Count a trouble of some annotations, given as for `first_of`."""
    places = np.asarray(which)
    count = np.count_nonzero(places) if places.dtype == np.bool_ else places.size
    note(what, first_of(annotations, which), int(count))
