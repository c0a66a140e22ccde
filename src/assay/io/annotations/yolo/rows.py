"""The rows of YOLO's label files, and what they are: boxes, turned boxes, outlines or poses.

No row says what it is. Four numbers after the class are a box (five: a box and its confidence). Poses are known by
kpt_shape of data.yaml, by the ground truth's keypoints, or by visibilities of 0, 1 and 2 in every row; all other long
rows are outlines. Where every row has four corners of a rectangle, they are turned boxes (Ultralytics' OBB).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.annotations.shapes.shapes import Coordinates
from assay.errors import InputError
from assay.io.annotations.columns import ProblemTally

ROUNDING = 0.01
"""Coordinates may leave 0..1 by this much, as Ultralytics allows."""


@dataclass(frozen=True, eq=False, slots=True)
class YoloRow:
    """A class and numbers."""

    where: str
    image: int
    label: int
    numbers: tuple[float, ...]


def rows_of(path: str, content: bytes, image: int, problems: ProblemTally) -> list[YoloRow]:
    """The rows of a label file; those that cannot be one become problems."""
    rows = []
    for line, text in enumerate(content.decode("utf-8", errors="replace").splitlines(), start=1):
        if words := text.split():
            where = f"{path}, line {line}"
            try:
                rows.append(_row(words, where, image))
            except InputError as problem:
                problems.lost(str(problem), where)
    return rows


def _row(words: Sequence[str], where: str, image: int) -> YoloRow:
    try:
        first, *numbers = map(float, words)
    except ValueError:
        raise InputError("a row holds something that is not a number") from None
    if not np.isfinite([first, *numbers]).all():
        raise InputError("a row holds a number that is not finite")
    if first != int(first) or not 0 <= first < 1e6:
        raise InputError("a row does not begin with the number of a class")
    if len(numbers) < 4:
        raise InputError(f"a row has {len(numbers)} numbers after its class; a box has 4")
    return YoloRow(where, image, int(first), tuple(numbers))


def pose_layouts(
    rows: Iterable[YoloRow], stated: tuple[int, int] | None, joints: Iterable[int]
) -> Mapping[int, tuple[int, int]]:
    """How many numbers a row has -> keypoints and numbers for each: as stated, as the truth's, or as they look."""
    if stated:
        return {4 + stated[0] * stated[1]: stated}
    of_truth = {4 + count * dims: (count, dims) for count in joints if count for dims in (2, 3)}
    return of_truth or _looks_like_poses([row for row in rows if len(row.numbers) > 5])


def _looks_like_poses(rows: Sequence[YoloRow]) -> Mapping[int, tuple[int, int]]:
    lengths = {len(row.numbers) for row in rows}
    if len(lengths) != 1 or (length := lengths.pop()) % 3 != 1:
        return {}
    count = (length - 4) // 3
    visibility = {number for row in rows for number in row.numbers[6::3]}
    # an outline that runs along the border has a 0 or 1 here and there, but hardly six of them in these very places
    certain = length % 2 == 1 or count * len(rows) >= 6
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
