"""Conflicts that CVAT's quality control names beside missed and extra: groups, line direction, covered shapes.

Source: CVAT's documentation of automated QA and its comparison report, with its thresholds: a group must share half of
its members, a line that is more alike when reversed by more than 0.1 is drawn the other way, a shape of which less than
5% shows is covered. None of them enters the score.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.shapes import Coordinates
from assay.metrics.pairs import Scores

GROUP_SHARE, DIRECTION_GAIN, VISIBLE_SHARE = 0.5, 0.1, 0.05
MOST_COVERING = 64
"""More boxes over one box than this are not cut out one by one; by then it is counted as it stands."""
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Conflicts:
    """How many there are of each, and where: places of annotations of the submission."""

    groups: tuple[int, ...] = ()
    direction: tuple[int, ...] = ()
    covered: tuple[int, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many annotations each kind of conflict is about."""
        return {"groups": len(self.groups), "direction": len(self.direction), "covered": len(self.covered)}


def group_conflicts(
    truth_group: NDArray[np.int64],
    student_group: NDArray[np.int64],
    images: tuple[NDArray[np.int64], NDArray[np.int64]],
    matched: tuple[Places, Places],
) -> list[int]:
    """Matched annotations of the submission that are not grouped as in the ground truth.

    A group is the annotations of one image with one number; 0 is an annotation by itself. An annotation's group should
    be the one that shares most members with its object's group, and at least half of the larger one.
    """
    ours, theirs = _groups(truth_group, images[0]), _groups(student_group, images[1])
    partner = dict(zip(matched[0].tolist(), matched[1].tolist(), strict=True))
    conflicts = []
    for t, s in partner.items():
        own, other = ours[t], theirs[s]
        if len(own) == len(other) == 1:
            continue
        both = sum(partner.get(member) in other for member in own)
        if both / max(len(own), len(other)) < GROUP_SHARE:
            conflicts.append(s)
    return sorted(conflicts)


def _groups(number: NDArray[np.int64], image: NDArray[np.int64]) -> Mapping[int, frozenset[int]]:
    """Annotation -> all of its group, itself included."""
    members: dict[tuple[int, int], list[int]] = {}
    keys = [(int(i), int(g)) if g else (-1 - place, 0) for place, (i, g) in enumerate(zip(image, number, strict=True))]
    for place, key in enumerate(keys):
        members.setdefault(key, []).append(place)
    whole = {key: frozenset(listed) for key, listed in members.items()}
    return {place: whole[key] for place, key in enumerate(keys)}


def is_reversed(truth: Coordinates, student: Coordinates, scale: float) -> bool:
    """Whether a line fits clearly better when it is read from its other end.

    Both are walked at the same shares of their lengths; nearness is exp(-d^2 / (2 scale^2)), as that of points.
    """
    steps = np.linspace(0.0, 1.0, 21)
    ours, theirs = _walked(truth, steps), _walked(student, steps)
    forth, back = (float(_nearness(ours, line, scale).mean()) for line in (theirs, theirs[::-1]))
    return back - forth > DIRECTION_GAIN


def _nearness(first: Coordinates, second: Coordinates, scale: float) -> Scores:
    squared = ((first - second) ** 2).sum(axis=1)
    return np.asarray(np.exp(-squared / (2 * max(scale, 1e-9) ** 2)))


def _walked(line: Coordinates, steps: Scores) -> Coordinates:
    """Points at shares of a line's length."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = steps * lengths[-1]
    return np.column_stack([np.interp(at, lengths, line[:, axis]) for axis in (0, 1)])


def covered_boxes(bounds: Scores, image: NDArray[np.int64]) -> list[int]:
    """Upright boxes of which less than 5% shows under those drawn later on the same image."""
    covered = []
    for one in np.unique(image):
        rows = np.flatnonzero(image == one)
        for place, row in enumerate(rows.tolist()):
            later = bounds[rows[place + 1 :]]
            if later.size and _visible(bounds[row], later) < VISIBLE_SHARE:
                covered.append(row)
    return sorted(covered)


def _visible(box: Scores, others: Scores) -> float:
    """The share of a box that none of the others covers; 1 for a box without area."""
    area = float((box[2] - box[0]) * (box[3] - box[1]))
    corners = np.concatenate([np.maximum(others[:, :2], box[:2]), np.minimum(others[:, 2:], box[2:])], axis=1)
    inside = corners[(corners[:, 2] > corners[:, 0]) & (corners[:, 3] > corners[:, 1])]
    if area <= 0 or not inside.size or len(inside) > MOST_COVERING:
        return 1.0
    edges = [np.unique(np.concatenate([inside[:, a], inside[:, b]])) for a, b in ((0, 2), (1, 3))]
    filled = np.zeros((edges[0].size - 1, edges[1].size - 1), bool)
    for left, top, right, bottom in inside:
        x, y = (
            np.searchsorted(e, (low, high)) for e, low, high in zip(edges, (left, top), (right, bottom), strict=True)
        )
        filled[x[0] : x[1], y[0] : y[1]] = True
    return 1.0 - float((filled * np.diff(edges[0])[:, None] * np.diff(edges[1])[None, :]).sum()) / area
