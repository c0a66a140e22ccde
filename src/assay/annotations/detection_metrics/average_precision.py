"""Average precision of annotations with confidences, as COCO computes it, and the curve of precision over recall.

Source: pycocotools' COCOeval (iouType "bbox", and "segm" for outlines and masks), areas "all", at most 100 detections
an image and class. Who overlaps whom is given: by bounding boxes, or by the shapes themselves. Outlines are compared
by their exact areas; pycocotools turns them into pixels first, so that only masks give its very digits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from assay.metrics.pairs import Scores

Flags = NDArray[np.bool_]
Codes = NDArray[np.int64]
Places = NDArray[np.intp]
THRESHOLDS = np.linspace(0.5, 0.95, 10)
RECALLS = np.linspace(0.0, 1.0, 101)
MOST_DETECTIONS = 100
"""An image and class; further ones, of lower confidence, are left out."""


@dataclass(frozen=True, slots=True)
class ClassPrecision:
    """One class."""

    label: str
    objects: int
    detections: int
    ap: float
    """Mean over the thresholds; NaN for a class without objects, which no mean counts."""
    ap50: float


@dataclass(frozen=True, slots=True)
class DetectionFigures:
    """Average precision, 0 to 1, over all classes that have objects."""

    ap: float
    """Mean over IoU 0.50 to 0.95."""
    ap50: float
    ap75: float
    ar100: float
    """Mean of the largest recall, over the thresholds and classes."""
    classes: tuple[ClassPrecision, ...]
    curve: tuple[float, ...]
    """Precision at the recalls 0, 0.01, ... 1, for IoU 0.5, mean over classes."""


@dataclass(frozen=True, eq=False, slots=True)
class Labeled:
    """Image and class of objects or detections, by number."""

    image: Codes
    label: Codes


@dataclass(frozen=True, eq=False, slots=True)
class Overlaps:
    """Pairs of an object and a detection of one image and class, and how far they overlap.

    IoU; with a crowd region, the share of the detection that lies inside.
    """

    truth: Places
    detection: Places
    overlap: Scores

    def where(self, which: Flags) -> "Overlaps":
        """Some of the pairs."""
        return Overlaps(self.truth[which], self.detection[which], self.overlap[which])


def average_precision(
    truth: Labeled,
    crowd: Flags,
    detections: Labeled,
    confidence: Scores,
    overlaps: Overlaps,
    labels: Sequence[str],
) -> DetectionFigures:
    """The figures of COCO's detection challenge.

    NaN when no class has an object. A detection without a confidence comes last.
    """
    score = np.nan_to_num(np.asarray(confidence, float), nan=-np.inf)
    order = np.lexsort((np.arange(score.size), -score, detections.image, detections.label))
    group = detections.label * (int(detections.image.max(initial=0)) + 1) + detections.image
    rank = _ranks(group[order])
    order, rank = order[rank < MOST_DETECTIONS], rank[rank < MOST_DETECTIONS]
    hits, ignored = _matched(crowd, overlaps, order, rank, detections.label.size)
    precision = np.full((len(labels), THRESHOLDS.size, RECALLS.size), nan)
    recall = np.full((len(labels), THRESHOLDS.size), nan)
    for code in range(len(labels)):
        count = int(((truth.label == code) & ~crowd).sum())
        if count:
            rows = order[detections.label[order] == code]
            rows = rows[np.argsort(-score[rows], kind="stable")]
            precision[code], recall[code] = _curves(hits[rows].T, ignored[rows].T, count)
    return _figures(precision, recall, truth, crowd, detections, labels)


def box_overlaps(
    truth: tuple[Labeled, Scores],
    crowd: Flags,
    detections: tuple[Labeled, Scores],
    pairs: tuple[Places, Places],
) -> Overlaps:
    """How far the bounding boxes (left, top, right, bottom) of pairs that touch overlap, within a class."""
    (ours, bounds), (theirs, others) = truth, detections
    t, d = pairs
    alike = ours.label[t] == theirs.label[d]
    t, d = t[alike], d[alike]
    one, two = bounds[t], others[d]
    sides = np.maximum(np.minimum(one[:, 2:], two[:, 2:]) - np.maximum(one[:, :2], two[:, :2]), 0.0)
    common = sides[:, 0] * sides[:, 1]
    area, own = (np.prod(box[:, 2:] - box[:, :2], axis=1) for box in (one, two))
    union = np.where(crowd[t], own, own + area - common)
    return Overlaps(t, d, np.divide(common, union, out=np.zeros_like(common), where=union > 0))


def _ranks(group: Codes) -> Places:
    """The place of each entry among the neighbours that share its group."""
    places = np.arange(group.size)
    first = np.concatenate([[True], group[1:] != group[:-1]])[: group.size]
    return np.asarray(places - np.maximum.accumulate(np.where(first, places, 0)))


def _matched(crowd: Flags, overlaps: Overlaps, order: Places, rank: Places, count: int) -> tuple[Flags, Flags]:
    """Which detections hit an object, and which are not counted, at each threshold: (detections, thresholds).

    A detection takes the object that it overlaps most among those still free; only if there is none, a crowd region,
    which any number of detections may take. Images and classes are independent, so the first detections of all of them
    choose at once, then the second ones, and so on.
    """
    least = np.minimum(THRESHOLDS, 1 - 1e-10)
    rank_of = np.full(count, -1)
    rank_of[order] = rank
    near = overlaps.where((overlaps.overlap >= least[0]) & (rank_of[overlaps.detection] >= 0))
    regions, pairs = near.where(crowd[near.truth]), near.where(~crowd[near.truth])
    inside = np.zeros(count)
    np.maximum.at(inside, regions.detection, regions.overlap)
    # of equal overlaps the last object is taken, as COCOeval goes through them
    by = np.lexsort((pairs.truth, pairs.overlap, pairs.detection, rank_of[pairs.detection]))
    t, d, overlap = pairs.truth[by], pairs.detection[by], pairs.overlap[by]
    hits, free = np.zeros((count, least.size), bool), np.ones((crowd.size, least.size), bool)
    bounds = np.searchsorted(rank_of[d], np.arange(MOST_DETECTIONS + 1))
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        if begin == end:
            continue
        own, rows = d[begin:end], np.arange(begin, end)
        usable = free[t[begin:end]] & (overlap[begin:end, None] >= least)
        starts = np.flatnonzero(np.concatenate([[True], own[1:] != own[:-1]]))
        best = np.maximum.reduceat(np.where(usable, rows[:, None], -1), starts)  # (detections, thresholds)
        chosen, level = np.nonzero(best >= 0)
        hits[own[starts[chosen]], level] = True
        free[t[best[chosen, level]], level] = False
    return hits, ~hits & (inside[:, None] >= least)


def _figures(
    precision: Scores,
    recall: Scores,
    truth: Labeled,
    crowd: Flags,
    detections: Labeled,
    labels: Sequence[str],
) -> DetectionFigures:
    counted = ~np.isnan(recall[:, 0]) if recall.size else np.zeros(0, bool)
    of_class = tuple(
        ClassPrecision(
            label,
            int(((truth.label == code) & ~crowd).sum()),
            int((detections.label == code).sum()),
            float(precision[code].mean()),
            float(precision[code, 0].mean()),
        )
        for code, label in enumerate(labels)
    )
    if not counted.any():
        return DetectionFigures(nan, nan, nan, nan, of_class, ())
    counted_classes = precision[counted]
    at = (counted_classes.mean(), counted_classes[:, 0].mean(), counted_classes[:, 5].mean(), recall[counted].mean())
    ap, ap50, ap75, ar100 = map(float, at)
    return DetectionFigures(ap, ap50, ap75, ar100, of_class, tuple(counted_classes[:, 0].mean(axis=0).tolist()))


def _curves(hits: Flags, ignored: Flags, objects: int) -> tuple[Scores, Scores]:
    """Precision at each recall and the largest recall, for each threshold."""
    precision, recall = np.zeros((THRESHOLDS.size, RECALLS.size)), np.zeros(THRESHOLDS.size)
    for row in range(THRESHOLDS.size):
        counted = ~ignored[row]
        right = np.cumsum(hits[row] & counted, dtype=float)
        wrong = np.cumsum(~hits[row] & counted, dtype=float)
        if not right.size:
            continue
        reached, exact = right / objects, right / (right + wrong + np.spacing(1))
        recall[row] = reached[-1]
        exact = np.maximum.accumulate(exact[::-1])[::-1]
        places = np.searchsorted(reached, RECALLS, side="left")
        there = places < exact.size
        precision[row, there] = exact[places[there]]
    return precision, recall
