"""COCO files as they should be, walked once by the compiled kernel into columns: the common case, and the fastest.

Anything out of the ordinary (text for a number, an id stated for some annotations only, a mask whose runs do not add
up) is no matter for this reader: it gives None, and the reader for all of COCO takes over. Where both read, they read
the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.columns import MaskRuns, Rings
from assay.errors import MissingExtra
from assay.execution.limits import over, value_of
from assay.io.annotations.coco.document import CocoCategory, CocoImage
from assay.io.json_text import BROKEN, Stream
from assay.kernel import Kernel, Scan

try:
    import msgspec
except ImportError as absent:
    raise MissingExtra("Reading COCO", "annotations") from absent

PIECE = 1 << 18
"""Bytes: within the processor's cache."""
HAS_ID, HAS_BOX, HAS_AREA, HAS_SCORE, IS_CROWD, IS_IGNORED, HAS_OUTLINE = (1 << k for k in range(7))
LIMIT_OF = {"points": "polygon_points", "all_points": "outline_points", "runs": "mask_runs"}
Number = TypeVar("Number", bound=np.generic)


class Around(msgspec.Struct):
    """What a dataset holds beside its annotations."""

    images: list[CocoImage]
    categories: list[CocoCategory]


class Named(msgspec.Struct, gc=False):
    """An annotation as far as messages name it."""

    id: int | None


@dataclass(frozen=True, eq=False, slots=True)
class ScannedAnnotations(Sequence[Named]):
    """The annotations of a file in columns, in their order; as a sequence, what messages name them by."""

    ids: NDArray[np.int64] | None
    image_id: NDArray[np.int64]
    category_id: NDArray[np.int64]
    flags: NDArray[np.uint8]
    box: NDArray[np.float64]
    """Left, top, width, height; NaN where there is none."""
    area: NDArray[np.float64] | None
    score: NDArray[np.float64] | None
    rings: Rings
    keypoint_owner: NDArray[np.int64]
    keypoint_count: NDArray[np.int64]
    points: NDArray[np.float64]
    """(points, 2)"""
    visibility: NDArray[np.int8]
    """0, 1 or 2, and -1 where the file has less than 0, which stands for 0."""
    mask_owner: NDArray[np.int64]
    masks: MaskRuns
    mask_bounds: NDArray[np.float64]
    attributes: Mapping[int, dict[str, Any]]

    def __len__(self) -> int:
        return len(self.flags)

    @overload
    def __getitem__(self, index: int) -> Named: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Named]: ...
    def __getitem__(self, index: int | slice) -> Named | Sequence[Named]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        return Named(None if self.ids is None else int(self.ids[index]))

    def has(self, flag: int) -> NDArray[np.bool_]:
        """Which annotations have it."""
        return np.asarray((self.flags & flag) != 0)


def scan_dataset(
    compiled: Kernel, stream: Stream, source: str
) -> tuple[ScannedAnnotations, list[CocoImage], list[CocoCategory]] | None:
    """The annotations, images and categories of a dataset; None when anything in it is out of the ordinary.

    InputError for more points or runs than the limits allow.
    """
    scan = _walked(compiled, stream, source, results=False)
    if scan is None:
        return None
    text = bytes(memoryview(scan.take("around")))
    if any(text.count(name) != 1 for name in (b'"images"', b'"categories"')):  # perhaps stated twice
        return None
    try:
        around = msgspec.json.decode(b"{" + text + b"}", type=Around)
    except BROKEN:
        return None
    annotations = _columns(scan)
    return None if annotations is None else (annotations, around.images, around.categories)


def scan_results(compiled: Kernel, stream: Stream, source: str) -> ScannedAnnotations | None:
    """The annotations of a list of results; None and InputError as above."""
    scan = _walked(compiled, stream, source, results=True)
    return None if scan is None else _columns(scan)


def _walked(compiled: Kernel, stream: Stream, source: str, *, results: bool) -> Scan | None:
    limits = [value_of(LIMIT_OF[name]) for name in ("points", "all_points", "runs")]
    scan = compiled.Scan(results, *limits)
    outcome, piece = "fine", memoryview(bytearray(PIECE))
    while outcome == "fine" and (size := stream.readinto(piece)):
        outcome = scan.feed(piece[:size])
    if outcome == "fine":
        outcome = scan.finish()
    if outcome in LIMIT_OF:
        raise over(LIMIT_OF[outcome], None, source)
    return scan if outcome == "fine" else None


def _columns(scan: Scan) -> ScannedAnnotations | None:
    def column(name: str, of: type[Number]) -> NDArray[Number]:
        return np.frombuffer(scan.take(name), of)

    flags = column("flags", np.uint8)
    stated = flags & HAS_ID
    if not len(flags) or (stated.any() and not stated.all()):
        return None
    ids = column("id", np.int64)
    numbers, of_rings, of_points = (column(name, np.int64) for name in ("ring_numbers", "rings", "keypoint_count"))
    area, score = (column(name, np.float64) for name in ("area", "score"))
    owner = np.repeat(np.arange(len(flags)), of_rings) if len(numbers) else np.zeros(0, np.int64)
    rings = Rings(column("numbers", np.float64).reshape(-1, 2), numbers // 2, owner, np.zeros(len(owner), np.bool_))
    posed = np.flatnonzero(of_points)
    size, figures = column("mask_size", np.int64).reshape(-1, 2), column("mask_figures", np.float64).reshape(-1, 5)
    nowhere = np.zeros(len(size), np.int64)
    runs, count = column("runs", np.uint32), column("mask_runs", np.int64)
    try:
        attributes = _attributes(scan)
    except BROKEN:
        return None
    return ScannedAnnotations(
        ids=ids if stated.any() else None,
        image_id=column("image", np.int64),
        category_id=column("category", np.int64),
        flags=flags,
        box=column("box", np.float64).reshape(-1, 4),
        area=area if len(area) else None,
        score=score if len(score) else None,
        rings=rings,
        keypoint_owner=posed,
        keypoint_count=of_points[posed],
        points=column("points", np.float64).reshape(-1, 2),
        visibility=column("visibility", np.int8),
        mask_owner=column("mask_owner", np.int64),
        masks=MaskRuns(
            runs, count, nowhere, nowhere, np.ascontiguousarray(size[:, 1]), np.ascontiguousarray(size[:, 0])
        ),
        mask_bounds=figures[:, 1:],
        attributes=attributes,
    )


def _attributes(scan: Scan) -> dict[int, dict[str, Any]]:
    """The attributes of the annotations that have any."""
    text = bytes(memoryview(scan.take("attribute_text")))
    ends = np.frombuffer(scan.take("attribute_end"), np.int64).tolist()
    owners = np.frombuffer(scan.take("attribute_owner"), np.int64).tolist()
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    return {owner: decode(text[start:end]) for owner, start, end in zip(owners, [0, *ends], ends, strict=False)}
