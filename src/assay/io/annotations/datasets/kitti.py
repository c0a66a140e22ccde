"""KITTI's object labels: one text file per image -> `AnnotationSet`.

Source: the readme of KITTI's object development kit: type, truncated (0 to 1), occluded (0 to 3), alpha, the 2-D box
(left, top, right, bottom), and the 3-D box in metres, which is not scored; results add a confidence. DontCare are
regions without labels.
"""

from collections.abc import Iterable
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
from assay.io.annotations.datasets.text_rows import KITTI_FIELDS, numbers_of

FORMAT = "KITTI"
NO_CARE = "DontCare"
NO_3D = "KITTI's 3-D boxes are not scored: the boxes in the image are"


def read_kitti(files: Iterable[tuple[str, bytes]], *, source: str) -> AnnotationSet:
    """All annotations of some label files, given as path and content; an empty file is an image without objects."""
    columns, crowd, confidence = AnnotationColumns(), list[bool](), list[float]()
    read = read_each(files, _rows, columns.problems)
    indices = columns.add_images([(path, Image(PurePosixPath(path).stem)) for path, _ in read])
    for (path, rows), image in zip(read, indices, strict=True):
        for place, words in rows:
            _add(columns, words, image, f"{path}, line {place}", crowd, confidence)
    finished = columns.finished(source=source, format=FORMAT)
    if any(crowd):
        finished = replace(finished, crowd=read_only(np.array(crowd, np.bool_)))
    if not np.isnan(confidence).all():
        finished = replace(finished, confidence=read_only(np.array(confidence)))
    return finished


def _rows(path: str, content: bytes) -> tuple[str, list[tuple[int, list[str]]]]:
    lines = content.decode(errors="replace").splitlines()
    rows = [(place, line.split()) for place, line in enumerate(lines, start=1) if line.strip()]
    if rows and all(len(words) not in KITTI_FIELDS for _, words in rows):
        raise InputError("it holds no rows of KITTI's 15 fields", source=path, remedy="Export it again.")
    return path, rows


def _add(
    columns: AnnotationColumns, words: list[str], image: int, where: str, crowd: list[bool], confidence: list[float]
) -> None:
    on_repair = partial(columns.problems.repaired, where=where)
    try:
        if len(words) not in KITTI_FIELDS:
            raise InputError(f"a row has {len(words)} fields and not 15")
        truncated, occluded, _, left, top, right, bottom, *more = numbers_of(words[1:])
        shape = valid.box_of_edges(left, top, right, bottom, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return
    if any(value not in (-1, -1000, -10) for value in more[:7]):
        on_repair(NO_3D)
    attributes: dict[str, Value] = {}
    if truncated >= 0:
        attributes["truncated"] = truncated
    if occluded >= 0:
        attributes["occluded"] = occluded
    ignored = words[0] == NO_CARE
    columns.add(shape, image=image, label=words[0], attributes={} if ignored else attributes)
    crowd.append(ignored)
    confidence.append(more[7] if len(more) > 7 else nan)
