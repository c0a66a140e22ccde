"""MOTChallenge: a text file of boxes on tracks for each sequence -> `AnnotationSet`.

Source: motchallenge.net's instructions: frame, id, left, top, width, height, confidence; the ground truth (gt.txt)
says by 0 instead of a confidence that a row is not to be scored, and adds class and visibility; results add x, y, z,
which are -1. Frames count from 1 and are images named 000001.jpg.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import nan
from pathlib import PurePosixPath

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.arrays import read_only
from assay.errors import InputError
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, read_each
from assay.io.annotations.datasets.text_rows import numbers_of

FORMAT = "MOT"
CLASSES = {
    **{1: "pedestrian", 2: "person on vehicle", 3: "car", 4: "bicycle", 5: "motorbike", 6: "non motorized vehicle"},
    **{7: "static person", 8: "distractor", 9: "occluder", 10: "occluder on the ground", 11: "occluder full"},
    **{12: "reflection", 13: "crowd"},
}
"""The classes of MOT16 to MOT20 by their number."""
WHOLE = 1 << 31
Rows = list[tuple[int, list[str]]]


def read_mot(files: Iterable[tuple[str, bytes]], *, source: str) -> AnnotationSet:
    """All boxes of some sequences, given as path and content; of several, an image is named after its sequence."""
    columns, crowd, confidence, tracks = AnnotationColumns(), list[bool](), list[float](), dict[tuple[int, int], int]()
    read = read_each(files, _rows, columns.problems)
    several, places = len(read) > 1, dict[str, int]()
    for sequence, (path, rows) in enumerate(read):
        before = f"{sequence_of(path)}/" if several else ""
        is_truth = not any(len(cells) == 10 for _, cells in rows)
        for place, cells in rows:
            where = f"{path}, line {place}"
            try:
                if len(cells) < 7:
                    raise InputError(f"a row has {len(cells)} fields and not 7 or more")
                values = numbers_of(cells)
                frame, track = (_whole(value) for value in values[:2])
            except InputError as problem:
                columns.problems.lost(str(problem), where)
                continue
            name = f"{before}{frame:06d}.jpg"
            if name not in places:
                places[name] = columns.add_image(Image(name))
            number = tracks.setdefault((sequence, track), len(tracks)) if track >= 0 else -1
            _add(columns, values, places[name], number, is_truth, where)
            crowd.append(is_truth and len(values) > 7 and values[6] == 0)
            confidence.append(nan if is_truth else values[6])
    finished = columns.finished(source=source, format=FORMAT)
    if any(crowd):
        finished = replace(finished, crowd=read_only(np.array(crowd, np.bool_)))
    usable = np.array(confidence)
    if usable.size and (usable >= 0).any():
        finished = replace(finished, confidence=read_only(usable))
    return finished


def sequence_of(path: str) -> str:
    """The sequence of a file: its own name, or that of the folder above gt/ or det/ when a tool named it.

    >>> sequence_of("train/MOT17-02/gt/gt.txt"), sequence_of("results/MOT17-02.txt")
    ('MOT17-02', 'MOT17-02')
    """
    at = PurePosixPath(path)
    if at.stem.lower() not in {"gt", "det", "gt_train_half", "gt_val_half"}:
        return at.stem
    folders = [part for part in at.parent.parts if part.lower() not in {"gt", "det"}]
    return folders[-1] if folders else at.stem


def _rows(path: str, content: bytes) -> tuple[str, Rows]:
    lines = content.decode(errors="replace").splitlines()
    rows = [
        (place, [cell.strip() for cell in line.split(",")]) for place, line in enumerate(lines, start=1) if line.strip()
    ]
    if rows and all(len(cells) < 6 for _, cells in rows):
        raise InputError("it holds no rows of MOT's fields", source=path, remedy="Export it again.")
    return path, rows


def _whole(value: float) -> int:
    if value != int(value) or not -1 <= value < WHOLE:
        raise InputError(f"frame and id are whole numbers, not {value:g}")
    return int(value)


def _add(
    columns: AnnotationColumns, values: Sequence[float], image: int, track: int, is_truth: bool, where: str
) -> None:
    on_repair = partial(columns.problems.repaired, where=where)
    left, top, width, height = values[2:6]
    shape = valid.box_of_edges(left, top, left + width, top + height, on_repair)
    number = int(values[7]) if is_truth and len(values) > 7 else 1
    attributes: dict[str, Value] = {"visibility": values[8]} if is_truth and len(values) > 8 else {}
    label = CLASSES.get(number, f"class {number}") if number > 0 else CLASSES[1]
    columns.add(shape, image=image, label=label, attributes=attributes, track=track)
