"""COCO panoptic: segments of things and stuff, drawn into PNG files -> `AnnotationSet`.

Source: cocodataset's panopticapi: an annotation names an image, a PNG, and segments_info with id, category_id, bbox,
area and iscrowd; the pixels of a segment have the color red + 256 green + 65536 blue = id. Without the PNG, which may
lie beside the file or among the images given, the boxes of the segments are scored.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Mask, Shape
from assay.errors import InputError
from assay.execution.limits import value_of
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, Prefer, plain_name
from assay.io.annotations.datasets.json_values import document_of, numbers_in, objects_in, size_in, text_in
from assay.io.annotations.masks import runs_of_pixels
from assay.io.annotations.shape_validation import OnRepair
from assay.io.image_files import ImageFiles
from assay.io.image_header import BROKEN, open_image

FORMAT = "COCO panoptic"
NO_PIXELS = "the outlines of segments are in PNG files that were not handed in: their boxes are scored"


def read_panoptic(
    content: bytes, *, source: str, images: ImageFiles | None = None, prefer: Prefer = "shape"
) -> AnnotationSet:
    """All segments of a panoptic file; `images` holds the PNG files, if anyone does."""
    document = document_of(content, source, FORMAT)
    names = {text_in(one, "id"): text_in(one, "name") for one in objects_in(document.get("categories"))}
    columns, places, crowd = AnnotationColumns(), dict[str, int](), list[bool]()
    for one in objects_in(document.get("images")):
        name = plain_name(text_in(one, "file_name")) or text_in(one, "id")
        try:
            places[text_in(one, "id")] = columns.add_image(Image(name, *size_in(one)))
        except InputError as problem:
            raise InputError(f"image {name!r}: {problem}", source=source, remedy=valid.CORRECT_SIZE) from None
    for label in names.values():
        columns.label(label)
    for annotation in objects_in(document.get("annotations")):
        image = places.get(text_in(annotation, "image_id"))
        file = plain_name(text_in(annotation, "file_name"))
        if image is None:
            columns.problems.lost("an annotation names an image that the file does not list", f"segments of {file!r}")
            continue
        pixels = _pixels(file, images, columns) if prefer == "shape" else None
        for segment in objects_in(annotation.get("segments_info")):
            _add(columns, segment, image, names, pixels, f"{file}, segment {text_in(segment, 'id')}", crowd)
    finished = columns.finished(source=source, format=FORMAT, image_ids=places)
    return replace(finished, crowd=read_only(np.array(crowd, np.bool_))) if any(crowd) else finished


def _pixels(file: str, images: ImageFiles | None, columns: AnnotationColumns) -> NDArray[np.int64] | None:
    """(height, width): the segment of each pixel; None without its PNG."""
    png = images.find(file) if images is not None and file else None
    try:
        return segment_ids(png) if png is not None else None
    except InputError as problem:
        columns.problems.repaired(f"a PNG of segments cannot be read: {problem}; boxes are scored", file)
        return None


def segment_ids(png: bytes) -> NDArray[np.int64]:
    """(height, width): the id of the segment each pixel belongs to, 0 for none."""
    try:
        image = open_image(png)
        if image is None or image.format != "PNG":
            raise InputError("it is no PNG")
        width, height = image.size
        if not 0 < width * height <= value_of("image_pixels"):
            raise InputError(f"the PNG states a size of {width} x {height} pixels")
        colors = np.asarray(image.convert("RGB"), np.int64)
    except BROKEN:
        raise InputError("the PNG is damaged") from None
    return np.asarray(colors[:, :, 0] + 256 * colors[:, :, 1] + 65536 * colors[:, :, 2])


def _add(
    columns: AnnotationColumns,
    segment: Mapping[str, Any],
    image: int,
    names: Mapping[str, str],
    pixels: NDArray[np.int64] | None,
    where: str,
    crowd: list[bool],
) -> None:
    on_repair = partial(columns.problems.repaired, where=where)
    try:
        shape = _shape(segment, pixels, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return
    label = names.get(text_in(segment, "category_id"), "")
    if not label:
        on_repair("a segment's category is not among the categories of the file")
    columns.add(shape, image=image, label=label, name=text_in(segment, "id"))
    crowd.append(segment.get("iscrowd") in (1, True))


def _shape(segment: Mapping[str, Any], pixels: NDArray[np.int64] | None, on_repair: OnRepair) -> Shape:
    number = segment.get("id")
    if pixels is None or not isinstance(number, int) or isinstance(number, bool):
        on_repair(NO_PIXELS)
        x, y, width, height = numbers_in(segment.get("bbox"), "bbox", 4)
        return valid.box_of_edges(x, y, x + width, y + height, on_repair)
    rows, across = np.nonzero(pixels == number)
    if not rows.size:
        raise InputError("a segment has no pixel in its PNG")
    top, bottom, left, right = int(rows.min()), int(rows.max()) + 1, int(across.min()), int(across.max()) + 1
    drawn = (pixels[top:bottom, left:right] == number).ravel()
    return Mask(left, top, right - left, bottom - top, runs_of_pixels(drawn), by_column=False)
