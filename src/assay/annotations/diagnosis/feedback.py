"""Systematic errors of a submission in plain sentences, each with its evidence.

Many checks are made; their p values are adjusted together (Holm), so that a student whose errors are mere chance hears
a false alarm in at most one submission of twenty. What is not supported is not said.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.evidence import FEWEST, Check, Evidence, HabitAdvice, images_with_most, mean_beyond
from assay.annotations.diagnosis.habit_checks import habit_checks
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.shapes.shapes import AREAL, ShapeKind
from assay.metrics.intervals import holm
from assay.metrics.pairs import Scores

EDGES = ("left", "top", "right", "bottom")
SIZE = "size"
MARGIN = 0.01
"""A mean offset of one hundredth of an object's side does not matter."""
FARTHEST = 0.5
"""Offsets are cut at half the object's side, so that one wild shape does not speak for all."""
ENOUGH_IMAGES = 8


def edge_offsets(score: SubmissionScore) -> tuple[NDArray[np.intp], Scores]:
    """Matches of upright shapes that enclose something; and, for each, how far its edges lie beyond the object's.

    (matches, 4): left, top, right, bottom, as a share of the object's width or height; negative falls short of it.
    """
    areal = np.isin(score.truth.families()[score.match_truth], AREAL)
    upright = (score.truth.rotation[score.match_truth] == 0) & (score.submission.rotation[score.match_student] == 0)
    ours = score.truth.bounds[score.match_truth]
    rows = np.flatnonzero(areal & upright & (ours[:, 2:] > ours[:, :2]).all(axis=1) & (score.localisation > 0))
    ours, theirs = ours[rows], score.submission.bounds[score.match_student[rows]]
    sides = np.tile(ours[:, 2:] - ours[:, :2], 2)
    outward = np.array([-1.0, -1.0, 1.0, 1.0])
    offsets = np.clip(outward * (theirs - ours) / sides, -FARTHEST, FARTHEST)
    return rows, _without_raggedness(score, rows, offsets)


def _without_raggedness(score: SubmissionScore, rows: NDArray[np.intp], offsets: Scores) -> Scores:
    """The offsets without what an unsteady outline adds to all four.

    The bounds of an outline are its outermost points, so that points set a little too far out and a little too far in
    make the bounds larger and the shape not. What the bounds grow more than the area, on average over all outlines, is
    taken off: sqrt(area / area of the object) - 1 is twice what each edge of a shape that is simply larger lies beyond.
    """
    t, s = score.match_truth[rows], score.match_student[rows]
    drawn = np.flatnonzero((score.truth.kind[t] != ShapeKind.BOX) & (score.submission.kind[s] != ShapeKind.BOX))
    if not drawn.size:
        return offsets
    ours, theirs = Geometry(score.truth).area[t[drawn]], Geometry(score.submission).area[s[drawn]]
    with np.errstate(invalid="ignore", divide="ignore"):
        grown = np.where(ours > 0, (np.sqrt(theirs / ours) - 1) / 2, np.nan)
    excess = offsets[drawn].mean(axis=1) - np.clip(grown, -FARTHEST, FARTHEST)
    excess = excess[~np.isnan(excess)]
    offsets[drawn] -= max(float(excess.mean()), 0.0) if excess.size else 0.0
    return offsets


def edge_checks(score: SubmissionScore) -> list[Check]:
    """One check for each edge, and one for the size as a whole."""
    rows, offsets = edge_offsets(score)
    if rows.size < FEWEST:
        return []
    image = score.truth.image[score.match_truth[rows]]
    columns = {**dict(zip(EDGES, offsets.T, strict=True)), SIZE: offsets.mean(axis=1)}
    return [_check(score, name, column, image) for name, column in columns.items()]


def _check(score: SubmissionScore, name: str, offsets: Scores, image: NDArray[np.int32]) -> Check:
    # independent cases: the mean of each image where there are enough, since shapes on one image may err alike
    _, number, count = np.unique(image, return_inverse=True, return_counts=True)
    units = offsets if count.size < ENOUGH_IMAGES else np.asarray(np.bincount(number, offsets) / count)
    evidence = mean_beyond(units, MARGIN)
    images = images_with_most(score, image, np.maximum((1.0 if evidence.effect > 0 else -1.0) * offsets, 0.0))
    kind = name if name == SIZE else f"{name} edge"
    return Check(kind, evidence, _edge_sentence(name, evidence, offsets.size), images, offsets.size)


def _edge_sentence(name: str, evidence: Evidence, shapes: int) -> str:
    side = {SIZE: "size", "left": "width", "right": "width"}.get(name, "height")
    low, high = sorted((100 * abs(evidence.low), 100 * abs(evidence.high)))
    mean = f"by {100 * abs(evidence.effect):.1f} % of its {side} on average"
    figures = f"{mean} ({low:.1f} to {high:.1f}, {shapes} shapes)"
    if name == SIZE and evidence.effect > 0:
        return f"Your shapes are too loose: their edges lie beyond the object {figures}. Draw them closer."
    if name == SIZE:
        return f"Your shapes are too tight: their edges cut the object {figures}. Enclose it fully."
    if evidence.effect < 0:
        return f"There is a gap on the {name} side: your shapes fall short of the object {figures}. Enclose it fully."
    return f"On the {name} side your shapes reach beyond the object {figures}. Draw them closer."


def edge_advice(sure: Mapping[str, Check]) -> list[HabitAdvice]:
    """What to say about the edges that are surely off, in as few sentences as they need.

    `sure` maps the kind of check to it. All edges off alike are a matter of size; opposite edges off in opposite ways
    are a shift; others are named one by one.
    """
    edges = {name: sure[f"{name} edge"] for name in EDGES if f"{name} edge" in sure}
    signs = {np.sign(check.evidence.effect) for check in edges.values()}
    size = sure.get(SIZE)
    if size is not None and signs <= {np.sign(size.evidence.effect)} and len(edges) not in (1, 2):
        return [size.advice()]
    said = []
    for near, far, back, forth in (("left", "right", "left", "right"), ("top", "bottom", "up", "down")):
        if near in edges and far in edges and edges[near].evidence.effect * edges[far].evidence.effect < 0:
            # both edges moved the same way
            checks = (edges.pop(near), edges.pop(far))
            one, other = (100 * abs(check.evidence.effect) for check in checks)
            way = back if checks[0].evidence.effect > 0 else forth
            sentence = (
                f"Your shapes sit too far {'to the ' if way in ('left', 'right') else ''}{way}: both edges are off the "
                f"same way, by {one:.1f} and {other:.1f} % of the object's side on average ({checks[0].cases} shapes)."
            )
            stronger = max(checks, key=lambda check: check.evidence.p)
            said.append(HabitAdvice("shift", sentence, stronger.evidence, checks[0].images))
    said += [check.advice() for check in edges.values()]
    return said if said or size is None else [size.advice()]


LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Feedback:
    """What can be said to a student, strongest evidence first, and how many checks were made to find it."""

    advice: tuple[HabitAdvice, ...]
    checks: int
    level: float = LEVEL


def give_feedback(score: SubmissionScore) -> Feedback:
    """The systematic errors of a submission."""
    tried = [*edge_checks(score), *habit_checks(score)]
    adjusted = holm(np.array([check.evidence.p for check in tried]))
    sure = [
        replace(check, evidence=replace(check.evidence, p=float(p)))
        for check, p in zip(tried, adjusted, strict=True)
        if p < LEVEL
    ]
    of_edges = {SIZE, *(f"{name} edge" for name in EDGES)}
    said = edge_advice({check.kind: check for check in sure if check.kind in of_edges})
    said += [check.advice() for check in sure if check.kind not in of_edges]
    order = sorted(said, key=lambda advice: (advice.evidence.p, advice.kind, advice.sentence))
    return Feedback(tuple(order), len(tried))
