"""YOLO: one text file of rows per image, and names of classes beside them -> `AnnotationSet`.

A row is a class and numbers from 0 to 1, shares of the image's width and height: `class cx cy w h` for a box,
`class x y x y ...` for an outline, `class cx cy w h` and keypoints (x y or x y visibility) for a pose, four corners for
a turned box. Source: Ultralytics' documentation of data sets for detect, segment, pose and obb.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, LabelDefinition
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Box, Coordinates, Polygon, Shape, ShapeKind, Skeleton
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns, Prefer, ProblemTally, bounds_of
from assay.io.annotations.per_image_files import ImageFile, names_apart
from assay.io.annotations.shape_validation import (
    OnRepair,
    box_of_corners,
    box_of_edges,
    polygon_of,
    report_self_intersections,
)
from assay.io.annotations.yolo.dataset import YoloClasses, classes_of, part_of
from assay.io.annotations.yolo.images import YoloImages
from assay.io.annotations.yolo.rows import YoloRow, in_image, may_be_poses, pose_layouts, rows_of
from assay.io.archives.image_files import ImageFiles

FORMAT = "YOLO"
Files = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, eq=False, slots=True)
class Layout:
    """What rows are, and how numbers become pixels."""

    poses: Mapping[int, tuple[int, int]]
    joints: Mapping[int, tuple[str, ...]]
    turned_boxes: bool
    prefer: Prefer


def read_yolo(
    files: Iterable[tuple[str, bytes]],
    *,
    source: str,
    like: AnnotationSet | None = None,
    images: ImageFiles | None = None,
    prefer: Prefer = "shape",
) -> AnnotationSet:
    """All annotations of the files of a data set, given as path and content.

    Sizes of images come from `like`, the ground truth, or from the `images` themselves; names of classes from
    data.yaml, classes.txt, obj.names or notes.json among the files, or else from the ground truth.
    """
    parts: dict[str, list[tuple[str, bytes]]] = {}
    for path, content in files:
        parts.setdefault(part_of(path, content), []).append((path, content))
    columns = AnnotationColumns()
    for path, _ in parts.get("none", []):
        columns.problems.lost("a text file among the labels holds no rows of numbers", path)
    named = [file for part in ("yaml", "classes", "notes") for file in parts.get(part, [])]
    classes = _with_truth(classes_of(named, columns.problems), like, columns.problems, source)
    for number in sorted(classes.names):
        columns.label(classes.names[number])
    listed = [line for _, content in parts.get("list", []) for line in content.decode(errors="replace").splitlines()]
    rows = _rows(parts.get("labels", []), YoloImages.of(like, images, listed), columns, source)
    layout = _layout(rows, classes, like, columns, prefer)
    confidence = [_add(columns, row, classes, layout) for row in rows]
    return _finished(columns, classes, [c for c in confidence if c is not None], source)


def _with_truth(classes: YoloClasses, like: AnnotationSet | None, problems: ProblemTally, source: str) -> YoloClasses:
    """The classes, named after the ground truth's labels when the files do not name them."""
    names = classes.names
    if not names and like is not None and like.format == FORMAT:
        names = {int(number): like.labels[i] for number, i in like.label_ids.items()}
    elif not names and like is not None:
        names = dict(enumerate(like.labels))
        problems.repaired(
            "the classes have no names: class 0 is taken for the ground truth's first label, and so on. Add "
            "data.yaml, classes.txt or obj.names to be certain",
            source,
        )
    elif not names:
        problems.repaired(
            "the classes have no names, so labels are numbers: add data.yaml, classes.txt or obj.names", source
        )
    of_truth = {definition.name: definition.keypoints for definition in like.definitions} if like is not None else {}
    joints = {number: of_truth[name] for number, name in names.items() if of_truth.get(name)}
    return replace(classes, names=names, joints={**joints, **classes.joints})


def _rows(labels: Files, images: YoloImages, columns: AnnotationColumns, source: str) -> list[YoloRow]:
    if not labels:
        raise InputError(
            "it holds names of classes and no labels", source=source, remedy="Add a text file of rows for each image."
        )
    pictured = [images.image_of(path) for path, _ in labels]
    stated = [ImageFile(path, image.name) for (path, _), image in zip(labels, pictured, strict=True)]
    rows: list[YoloRow] = []
    for (path, content), image, name in zip(labels, pictured, names_apart(stated, columns.problems), strict=True):
        index = columns.add_image(replace(image, name=name))
        rows += rows_of(path, content, index, columns.problems)
    _check_sizes(rows, columns, source)
    return rows


def _check_sizes(rows: Sequence[YoloRow], columns: AnnotationColumns, source: str) -> None:
    unknown = [row for row in rows if not columns.images[row.image].width]
    if unknown and len(unknown) == len(rows):
        raise InputError(
            "it is in YOLO's format, whose numbers are shares of the image's size, and the size of no image is known",
            source=source,
            field="images",
            remedy="Hand in the images beside the labels, or name a ground truth that states sizes of images of the "
            f"same names (the first label file is {PurePosixPath(unknown[0].where.rsplit(',', 1)[0]).name}).",
        )
    if unknown:
        columns.problems.repaired(
            "the size of the image is not known: places are left as shares of it. Add the image",
            unknown[0].where,
            len(unknown),
        )


def _layout(
    rows: Sequence[YoloRow],
    classes: YoloClasses,
    like: AnnotationSet | None,
    columns: AnnotationColumns,
    prefer: Prefer,
) -> Layout:
    posed = like is not None and bool((like.kind == ShapeKind.SKELETON).any())
    joints = {len(names) for names in classes.joints.values()} if posed else set()
    poses = pose_layouts(rows, classes.keypoints, joints)
    if not poses and may_be_poses(rows):
        columns.problems.repaired(
            "rows are read as outlines, but could be boxes with keypoints: if so, state kpt_shape in data.yaml",
            rows[0].where,
        )
    return Layout(
        poses, classes.joints, not poses and _are_turned(rows, columns.images, like, columns.problems), prefer
    )


def _are_turned(
    rows: Sequence[YoloRow], images: Sequence[Image], like: AnnotationSet | None, problems: ProblemTally
) -> bool:
    """Whether all rows are corners of rectangles, and the ground truth, if there is one, has boxes."""
    if not rows or any(len(row.numbers) != 8 for row in rows):
        return False
    if like is not None and not (like.kind == ShapeKind.BOX).any():
        return False
    if any(box_of_corners(_pixels(row.numbers, images[row.image])) is None for row in rows):
        return False
    problems.repaired("every row has the four corners of a rectangle: they are read as turned boxes", rows[0].where)
    return True


def _add(columns: AnnotationColumns, row: YoloRow, classes: YoloClasses, layout: Layout) -> float | None:
    """One annotation more, and its confidence, NaN when it states none; None when the row cannot be read."""

    def on_repair(what: str) -> None:
        columns.problems.repaired(what, row.where)

    try:
        shape, confidence = _shape(row, columns.images[row.image], layout, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), row.where)
        return None
    if classes.names and row.label not in classes.names:
        on_repair("an annotation's class has no name: its label is the number")
    columns.add(shape, image=row.image, label=classes.names.get(row.label, f"class {row.label}"))
    return confidence


def _shape(row: YoloRow, image: Image, layout: Layout, on_repair: OnRepair) -> tuple[Shape, float]:
    numbers, count = row.numbers, len(row.numbers)
    confidence = float("nan")
    if (count == 5 or count - 1 in layout.poses or (count % 2 and not layout.poses)) and count not in layout.poses:
        numbers, confidence = numbers[:-1], numbers[-1]
        if not 0 <= confidence <= 1:
            raise InputError(f"a row has {count} numbers after its class, which fits no shape")
    if len(numbers) == 4:
        return _box(numbers, image, on_repair), confidence
    if len(numbers) in layout.poses:
        return _pose(row, numbers, image, layout, on_repair), confidence
    if layout.poses or len(numbers) < 6 or len(numbers) % 2:
        raise InputError(f"a row has {count} numbers after its class, which fits no shape")
    points = _pixels(in_image(np.array(numbers)), image)
    turned = box_of_corners(points) if layout.turned_boxes else None
    shape: Box | Polygon = turned or polygon_of(points, on_repair)
    return (Box(*bounds_of(shape)) if layout.prefer == "box" and not turned else shape), confidence


def _box(numbers: Sequence[float], image: Image, on_repair: OnRepair) -> Box:
    x, y, width, height = in_image(np.array(numbers)) * ([image.width or 1, image.height or 1] * 2)
    if width < 0 or height < 0:
        raise InputError("a box has a negative width or height")
    edges = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    left, top, right, bottom = map(float, edges)
    return box_of_edges(left, top, right, bottom, on_repair)


def _pose(row: YoloRow, numbers: Sequence[float], image: Image, layout: Layout, on_repair: OnRepair) -> Shape:
    box = _box(numbers[:4], image, on_repair)
    if layout.prefer == "box":
        return box
    count, dims = layout.poses[len(numbers)]
    places = np.array(numbers[4:]).reshape(count, dims)
    points, visibility = places[:, :2].copy(), _visibility(places, on_repair)
    points[visibility == 0] = 0.0
    names = layout.joints.get(row.label, ())[:count]
    names = (*names, *(str(k + 1) for k in range(len(names), count)))
    on_repair("a row has a box and keypoints: the keypoints are scored")
    return Skeleton(names, _pixels(in_image(points.ravel()), image), read_only(visibility))


def _visibility(places: Coordinates, on_repair: OnRepair) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """0 absent, 1 hidden, 2 visible. Without a third number, a point that is at 0, 0 or negative is absent."""
    if places.shape[1] == 2:
        absent = (places < 0).any(axis=1) | (places == 0).all(axis=1)
        return np.where(absent, 0, 2).astype(np.int8)
    stated = places[:, 2]
    if ((stated < 0) | (stated > 2)).any():
        raise InputError("the visibility of a keypoint is not 0, 1 or 2")
    if (stated % 1).any():
        on_repair("the visibility of a keypoint is a probability: from 0.5 on it is visible")
        stated = np.where(stated >= 0.5, 2, 0)
    return stated.astype(np.int8)


def _pixels(numbers: Sequence[float] | Coordinates, image: Image) -> Coordinates:
    points = np.asarray(numbers, np.float64).reshape(-1, 2) * [image.width or 1, image.height or 1]
    return read_only(points)


def _finished(
    columns: AnnotationColumns, classes: YoloClasses, confidence: Sequence[float], source: str
) -> AnnotationSet:
    definitions = [LabelDefinition(name, keypoints=classes.joints.get(n, ())) for n, name in classes.names.items()]
    result = columns.finished(source=source, format=FORMAT, definitions=definitions)
    stated = np.array(confidence, np.float64)
    places = {name: i for i, name in enumerate(result.labels)}
    result = replace(
        result,
        label_ids={str(number): places[name] for number, name in classes.names.items()},
        confidence=read_only(stated) if stated.size and not np.isnan(stated).all() else None,
    )
    return report_self_intersections(result)
