"""Data sets as rows of text: what kind a file is by its first rows, and numbers in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from assay.errors import InputError
from assay.io.annotations.shape_validation import FARTHEST
from assay.io.archive import Member
from assay.io.json_text import as_utf8

Rows = Literal["KITTI", "MOT", "Open Images", "VGG VIA", "Open Images masks", ""]
KITTI_FIELDS = (15, 16)
"""Type, truncated, occluded, alpha, the box, 3-D size, place and turn; results add a score."""
MOT_FIELDS = range(7, 11)
"""Frame, id, the box, confidence; the ground truth adds class and visibility, results add x, y, z."""
LOOKED_AT = 4096


def kind_of_rows(text: bytes) -> Rows:
    """What rows of text are, by the first that is not empty; blank when they are none of these.

    >>> kind_of_rows(b"Car 0.00 0 -1.57 599.4 156.4 629.7 189.2 2.8 1.6 3.9 1.5 1.5 69.4 -1.5")
    'KITTI'
    >>> kind_of_rows(b"1,1,912,484,97,109,0,7,1")
    'MOT'
    """
    lines = [line.strip() for line in text[:LOOKED_AT].splitlines() if line.strip()]
    first = lines[0].decode(errors="replace") if lines else ""
    words = first.split()
    if len(words) in KITTI_FIELDS and not _is_number(words[0]) and all(map(_is_number, words[1:])):
        return "KITTI"
    cells = [cell.strip().lstrip("#").lower() for cell in first.split(",")]
    if len(cells) in MOT_FIELDS and all(map(_is_number, cells)):
        return "MOT"
    if {"imageid", "labelname", "xmin", "xmax", "ymin", "ymax"} <= set(cells):
        return "Open Images"
    if {"maskpath", "imageid", "labelname"} <= set(cells):
        return "Open Images masks"
    return "VGG VIA" if {"filename", "region_shape_attributes"} <= set(cells) else ""


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def numbers_of(cells: list[str]) -> list[float]:
    """Cells as numbers; InputError for one that is none or beyond every image."""
    values = []
    for cell in cells:
        try:
            value = float(cell)
        except ValueError:
            raise InputError(f"{cell[:40]!r} is not a number") from None
        if not abs(value) <= FARTHEST:  # NaN compares as False
            raise InputError(f"{cell[:40]!r} is not finite or beyond {FARTHEST:.0f}")
        values.append(value)
    return values


@dataclass(frozen=True, slots=True)
class RowFile:
    """A text of rows among files that were handed in."""

    member: Member
    format: str
    of_one_image: bool = False
    of_owner: bool = False
    """Part of everything that was handed in: gt.txt of a sequence, or names of classes."""


ENDINGS = frozenset({".txt", ".csv"})
NAMED_BY_TOOL = frozenset({"gt", "det"})


def row_members(members: Sequence[Member]) -> list[RowFile]:
    """The texts of KITTI, MOT, Open Images and VIA, with what belongs to them: empty labels, names of classes."""
    texts = {m: as_utf8(m.read()) for m in members if PurePosixPath(m.name).suffix.lower() in ENDINGS}
    kinds = {m: kind_of_rows(text) for m, text in texts.items()}
    labels = {PurePosixPath(m.name).parent for m, kind in kinds.items() if kind == "KITTI"}
    boxes = [m for m, kind in kinds.items() if kind == "Open Images"]
    named = [m for m in texts if "class-descriptions" in PurePosixPath(m.name).name.lower() and not kinds[m]]
    whole = len(boxes) == 1 and bool(named)
    rows: list[RowFile] = []
    for m, kind in kinds.items():
        path = PurePosixPath(m.name)
        if kind == "KITTI" or (path.parent in labels and not texts[m].strip() and path.suffix.lower() == ".txt"):
            rows.append(RowFile(m, "KITTI", of_one_image=True))
        elif kind == "MOT":
            rows.append(RowFile(m, kind, of_owner=path.stem.lower() in NAMED_BY_TOOL))
        elif kind == "Open Images" or (whole and m in named):
            rows.append(RowFile(m, "Open Images", of_owner=whole))
        elif kind == "VGG VIA":
            rows.append(RowFile(m, kind))
    return rows
