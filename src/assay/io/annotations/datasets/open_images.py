"""Open Images: a CSV of boxes in shares of the image -> `AnnotationSet`.

Source: the description of Open Images V7's boxes: ImageID, LabelName (a machine id such as /m/01g317), Confidence,
XMin, XMax, YMin, YMax from 0 to 1, and flags, of which IsGroupOf marks a group, which is not scored. Class names come
from class-descriptions-boxable.csv beside it. Sizes come from the ground truth or the images; without them images are
one unit wide and high, which leaves overlaps as they are.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from math import nan

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.arrays import read_only
from assay.errors import InputError
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.datasets.text_rows import kind_of_rows, numbers_of
from assay.io.annotations.yolo_dataset import YoloImages
from assay.io.image_files import ImageFiles

FORMAT = "Open Images"
FLAGS = {"isoccluded": "occluded", "istruncated": "truncated", "isdepiction": "depiction", "isinside": "inside"}
EDGES = ("xmin", "ymin", "xmax", "ymax")


def read_open_images(
    files: Iterable[tuple[str, bytes]],
    *,
    source: str,
    like: AnnotationSet | None = None,
    images: ImageFiles | None = None,
) -> AnnotationSet:
    """All boxes of some CSV files, given as path and content; one of two columns names the classes."""
    boxes, names = list[tuple[str, bytes]](), dict[str, str]()
    for path, content in files:
        if kind_of_rows(content) == FORMAT:
            boxes.append((path, content))
        else:
            names |= {row[0]: row[1] for row in _table(content, path) if len(row) == 2}
    columns, crowd, confidence = AnnotationColumns(), list[bool](), list[float]()
    known, places = YoloImages.of(like, images, ()), dict[str, int]()
    for path, content in boxes:
        head, *rows = _table(content, path)
        heads = [cell.strip().lower() for cell in head]
        for place, row in enumerate(rows, start=2):
            cells = dict(zip(heads, row, strict=False))
            identity = cells.get("imageid", "").strip()
            if not identity:
                columns.problems.lost("a row names no image", f"{path}, line {place}")
                continue
            if identity not in places:
                places[identity] = columns.add_image(_image(known, identity))
            if _add(columns, cells, places[identity], names, f"{path}, line {place}"):
                crowd.append(cells.get("isgroupof", "").strip() == "1")
                confidence.append(_confidence(cells))
    finished = columns.finished(source=source, format=FORMAT)
    if any(crowd):
        finished = replace(finished, crowd=read_only(np.array(crowd, np.bool_)))
    if any(0 <= value < 1 for value in confidence):  # people's boxes all have 1
        finished = replace(finished, confidence=read_only(np.array(confidence)))
    return finished


def _table(content: bytes, path: str) -> list[list[str]]:
    try:
        text = content.decode("utf-8-sig", errors="replace")
        rows = [row for row in csv.reader(StringIO(text, newline=""), strict=True) if row]
    except csv.Error as problem:
        raise InputError(f"it is no CSV: {problem}", source=path, remedy="Export it again.") from None
    return rows or [[]]


def _image(known: YoloImages, identity: str) -> Image:
    image = known.image_of(identity + ".txt")
    return image if image.width and image.height else replace(image, width=1.0, height=1.0)


def _confidence(cells: Mapping[str, str]) -> float:
    try:
        return numbers_of([cells.get("confidence", "") or cells.get("score", "") or "nan"])[0]
    except InputError:
        return nan


def _add(
    columns: AnnotationColumns, cells: Mapping[str, str], image: int, names: Mapping[str, str], where: str
) -> bool:
    """Whether the row is a box that can be scored."""
    on_repair = partial(columns.problems.repaired, where=where)
    try:
        edges: Sequence[float] = numbers_of([cells.get(name, "") for name in EDGES])
        if min(edges) < -0.01 or max(edges) > 1.01:
            raise InputError("a box lies outside its image: its edges are shares from 0 to 1")
        width, height = columns.images[image].width, columns.images[image].height
        left, top, right, bottom = edges
        shape = valid.box_of_edges(left * width, top * height, right * width, bottom * height, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return False
    flags = {name: cells.get(column, "").strip() for column, name in FLAGS.items()}
    attributes: dict[str, Value] = {name: flag == "1" for name, flag in flags.items() if flag in ("0", "1")}
    identity = cells.get("labelname", "").strip()
    columns.add(shape, image=image, label=names.get(identity, identity), attributes=attributes)
    return True
