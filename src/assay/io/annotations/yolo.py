"""YOLO: one text file of rows per image, and names of classes beside them -> `AnnotationSet`.

A row is a class and numbers from 0 to 1, shares of the image's width and height: `class cx cy w h` for a box,
`class x y x y ...` for an outline, `class cx cy w h` and keypoints (x y or x y visibility) for a pose, four corners for
a turned box. Source: Ultralytics' documentation of data sets for detect, segment, pose and obb.

No row says what it is. Four numbers after the class are a box (five: a box and its confidence). Poses are known by
kpt_shape of data.yaml, by the ground truth's keypoints, or by visibilities of 0, 1 and 2 in every row; all other long
rows are outlines. Where every row has four corners of a rectangle, they are turned boxes (Ultralytics' OBB).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, LabelDefinition
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Box, Coordinates, Polygon, Shape, ShapeKind, Skeleton
from assay.errors import InputError
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, Prefer, ProblemTally, bounds_of
from assay.io.annotations.shape_validation import OnRepair, box_of_corners
from assay.io.annotations.yolo_dataset import YoloClasses, YoloImages, classes_of, part_of
from assay.io.image_files import ImageFiles

FORMAT = "YOLO"
ROUNDING = 0.01
"""Coordinates may leave 0..1 by this much, as Ultralytics allows."""


@dataclass(frozen=True, eq=False, slots=True)
class YoloRow:
    """A class and numbers."""

    where: str
    image: int
    label: int
    numbers: tuple[float, ...]


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
    posed = like is not None and bool((like.kind == ShapeKind.SKELETON).any())
    joints = {len(names) for names in classes.joints.values()} if posed else set()
    poses = pose_layouts(rows, classes.keypoints, joints)
    if not poses and may_be_poses(rows):
        what = "rows are read as outlines, but could be boxes with keypoints: if so, state kpt_shape in data.yaml"
        columns.problems.repaired(what, rows[0].where)
    turned = not poses and _are_turned(rows, columns.images, like, columns.problems)
    layout = Layout(poses, classes.joints, turned, prefer)
    stated = [_add(columns, row, classes, layout) for row in rows]
    confidence = np.array([c for c in stated if c is not None], np.float64)
    definitions = [LabelDefinition(name, keypoints=classes.joints.get(n, ())) for n, name in classes.names.items()]
    result = columns.finished(source=source, format=FORMAT, definitions=definitions)
    places = {name: i for i, name in enumerate(result.labels)}
    result = replace(
        result,
        label_ids={str(number): places[name] for number, name in classes.names.items()},
        confidence=read_only(confidence) if confidence.size and not np.isnan(confidence).all() else None,
    )
    return valid.report_self_intersections(result)


def _with_truth(classes: YoloClasses, like: AnnotationSet | None, problems: ProblemTally, source: str) -> YoloClasses:
    """The classes, named after the ground truth's labels when the files do not name them."""
    names = classes.names
    if not names and like is not None and like.format == FORMAT:
        names = {int(number): like.labels[i] for number, i in like.label_ids.items()}
    elif not names and like is not None:
        names = dict(enumerate(like.labels))
        what = "the classes have no names: class 0 is taken for the ground truth's first label, and so on. Add "
        problems.repaired(f"{what}data.yaml, classes.txt or obj.names to be certain", source)
    elif not names:
        what = "the classes have no names, so labels are numbers: add data.yaml, classes.txt or obj.names"
        problems.repaired(what, source)
    of_truth = {definition.name: definition.keypoints for definition in like.definitions} if like is not None else {}
    joints = {number: of_truth[name] for number, name in names.items() if of_truth.get(name)}
    return replace(classes, names=names, joints={**joints, **classes.joints})


def _rows(
    labels: Sequence[tuple[str, bytes]], images: YoloImages, columns: AnnotationColumns, source: str
) -> list[YoloRow]:
    if not labels:
        remedy = "Add a text file of rows for each image."
        raise InputError("it holds names of classes and no labels", source=source, remedy=remedy)
    rows: list[YoloRow] = []
    indices = columns.add_images([(path, images.image_of(path)) for path, _ in labels])
    for (path, content), index in zip(labels, indices, strict=True):
        rows += rows_of(path, content, index, columns.problems)
    unknown = [row for row in rows if not columns.images[row.image].width]
    if unknown and len(unknown) == len(rows):
        what = "it is in YOLO's format, whose numbers are shares of the image's size"
        remedy = (
            "Hand in the images beside the labels, or name a ground truth that states sizes of images of the "
            f"same names (the first label file is {PurePosixPath(unknown[0].where.rsplit(',', 1)[0]).name})."
        )
        raise InputError(f"{what}, and the size of no image is known", source=source, field="images", remedy=remedy)
    if unknown:
        what = "the size of the image is not known: places are left as shares of it. Add the image"
        columns.problems.repaired(what, unknown[0].where, len(unknown))
    return rows


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

    on_repair = partial(columns.problems.repaired, where=row.where)
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
    shape: Box | Polygon = turned or valid.polygon_of(points, on_repair)
    return (Box(*bounds_of(shape)) if layout.prefer == "box" and not turned else shape), confidence


def _box(numbers: Sequence[float], image: Image, on_repair: OnRepair) -> Box:
    x, y, width, height = in_image(np.array(numbers)) * ([image.width or 1, image.height or 1] * 2)
    if width < 0 or height < 0:
        raise InputError("a box has a negative width or height")
    left, top, right, bottom = map(float, (x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    return valid.box_of_edges(left, top, right, bottom, on_repair)


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
    return read_only(np.asarray(numbers, np.float64).reshape(-1, 2) * [image.width or 1, image.height or 1])


def rows_of(path: str, content: bytes, image: int, problems: ProblemTally) -> list[YoloRow]:
    """The rows of a label file; those that cannot be one become problems."""
    rows = []
    for line, text in enumerate(content.decode("utf-8", errors="replace").splitlines(), start=1):
        if not (words := text.split()):
            continue
        where = f"{path}, line {line}"
        try:
            first, *numbers = map(float, words)
        except ValueError:
            problems.lost("a row holds something that is not a number", where)
            continue
        if not np.isfinite([first, *numbers]).all():
            problems.lost("a row holds a number that is not finite", where)
        elif first != int(first) or not 0 <= first < 1e6:
            problems.lost("a row does not begin with the number of a class", where)
        elif len(numbers) < 4:
            problems.lost(f"a row has {len(numbers)} numbers after its class; a box has 4", where)
        else:
            rows.append(YoloRow(where, image, int(first), tuple(numbers)))
    return rows


def pose_layouts(
    rows: Iterable[YoloRow], stated: tuple[int, int] | None, joints: Iterable[int]
) -> Mapping[int, tuple[int, int]]:
    """How many numbers a row has -> keypoints and numbers for each: as stated, as the truth's, or as they look."""
    if stated:
        return {4 + stated[0] * stated[1]: stated}
    of_truth = {4 + count * dims: (count, dims) for count in joints if count for dims in (2, 3)}
    long = [row.numbers for row in rows if len(row.numbers) > 5]
    lengths = {len(numbers) for numbers in long}
    if of_truth or len(lengths) != 1 or (length := lengths.pop()) % 3 != 1:
        return of_truth
    count = (length - 4) // 3
    visibility = {number for numbers in long for number in numbers[6::3]}
    # an outline that runs along the border has a 0 or 1 here and there, but hardly six of them in these very places
    certain = length % 2 == 1 or count * len(long) >= 6
    return {length: (count, 3)} if certain and visibility <= {0.0, 1.0, 2.0} else {}


def may_be_poses(rows: Sequence[YoloRow]) -> bool:
    """Whether long rows could be boxes with keypoints that state no visibility.

    They all have as many numbers, and their points all lie in the box that the first four would be.
    """
    long = [row.numbers for row in rows if len(row.numbers) > 8]
    if len(long) < 2 or len({len(numbers) for numbers in long}) > 1 or len(long[0]) % 2:
        return False
    table = np.array(long)
    corners, sides = table[:, None, :2], table[:, None, 2:4]
    points = table[:, 4:].reshape(len(long), -1, 2)
    absent = (points == 0).all(axis=2, keepdims=True)
    return bool((absent | (np.abs(points - corners) <= sides / 2 + ROUNDING)).all())


def in_image(numbers: Coordinates) -> Coordinates:
    """The same numbers; InputError when one of them is no share of the image."""
    if ((numbers < -ROUNDING) | (numbers > 1 + ROUNDING)).any():
        raise InputError("a number is not between 0 and 1: YOLO's numbers are shares of the image's width and height")
    return numbers
