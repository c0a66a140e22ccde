"""Where a student's shapes lie: a shift, a constant gap on some sides, shapes too large or too small, a scaled picture.

How far the four edges of every shape lie from those of its object is explained by each of a few habits, which have one
to four figures. The habit whose figures leave least unexplained, for as few of them, is the one that is named; the
figures are medians, so that a few wild shapes do not speak for all. Near misses take part: where a habit is strong they
are most of what shows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import log

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.corrections import with_bounds
from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.diagnosis.evidence import FEWEST, Check, Evidence, Places, images_with_most, mean_beyond
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import AREAL, ShapeKind
from assay.metrics.pairs import Scores

EDGES = ("left", "top", "right", "bottom")
PLACEMENT_KINDS = ("shift", "size", *(f"{name} edge" for name in EDGES), "edges", "picture scale")
OUTWARD = np.array([-1.0, -1.0, 1.0, 1.0])
SHARE_MARGIN = 0.01
"""A mean offset of one hundredth of an object's side does not matter."""
PIXEL_MARGIN = 0.5
"""Nor does half a pixel."""
FARTHEST = 1.0
"""Offsets are cut at the object's side, so that one wild shape does not speak for all."""
ENOUGH_IMAGES = 8
QUESTIONS = 14
"""Figures that are tried: four edges in pixels and in shares, a shift in two directions, two sizes, two scales."""
SPREADS = (0.0, 0.5, 1.0)
"""How chance errors may grow with the side of an object: not at all, with its root, in proportion."""


@dataclass(frozen=True, eq=False, slots=True)
class EdgeOffsets:
    """Upright shapes that enclose something, each with its object, and how far apart their edges lie."""

    truth: Places
    student: Places
    image: NDArray[np.int32]
    position: Scores
    """(n, 4): left, top, right, bottom of the object."""
    side: Scores
    """(n, 4): its width or height, for each edge."""
    offset: Scores
    """(n, 4): pixels to the right or down."""

    def __len__(self) -> int:
        return self.truth.size


def edge_offsets(score: SubmissionScore, drawn: AnnotationSet | None = None) -> EdgeOffsets:
    """Of all matches that lie on their objects, and of near misses; with the edges as `drawn` has them, if given."""
    own = score.submission if drawn is None else drawn
    near = score.findings.kind == ErrorKind.NEAR_MISS
    close = score.localisation > 0
    t = np.concatenate([score.match_truth[close], score.findings.truth[near]]).astype(np.intp)
    s = np.concatenate([score.match_student[close], score.findings.student[near]]).astype(np.intp)
    areal = np.isin(score.truth.families()[t], AREAL)
    upright = (score.truth.rotation[t] == 0) & (own.rotation[s] == 0)
    bounds = score.truth.bounds[t]
    rows = np.flatnonzero(areal & upright & (bounds[:, 2:] > bounds[:, :2]).all(axis=1))
    t, s = t[rows], s[rows]
    ours, theirs = score.truth.bounds[t], own.bounds[s]
    side = np.tile(ours[:, 2:] - ours[:, :2], 2)
    outward = np.clip(OUTWARD * (theirs - ours) / side, -FARTHEST, FARTHEST)
    outward = _without_raggedness(score.truth, own, t, s, outward)
    return EdgeOffsets(t, s, score.truth.image[t], ours, side, OUTWARD * outward * side)


def _without_raggedness(truth: AnnotationSet, own: AnnotationSet, t: Places, s: Places, outward: Scores) -> Scores:
    """The offsets without what an unsteady outline adds to all four.

    The bounds of an outline are its outermost points, so that points set a little too far out and a little too far in
    make the bounds larger and the shape not. What the bounds grow more than the area, on average over all outlines, is
    taken off: sqrt(area / area of the object) - 1 is twice what each edge of a shape that is simply larger lies beyond.
    """
    drawn = np.flatnonzero((truth.kind[t] != ShapeKind.BOX) & (own.kind[s] != ShapeKind.BOX))
    if not drawn.size:
        return outward
    ours, theirs = Geometry(truth).area[t[drawn]], Geometry(own).area[s[drawn]]
    with np.errstate(invalid="ignore", divide="ignore"):
        grown = np.where(ours > 0, (np.sqrt(theirs / ours) - 1) / 2, np.nan)
    excess = outward[drawn].mean(axis=1) - np.clip(grown, -FARTHEST, FARTHEST)
    excess = excess[~np.isnan(excess)]
    outward[drawn] -= max(float(excess.mean()), 0.0) if excess.size else 0.0
    return outward


@dataclass(frozen=True, eq=False, slots=True)
class Figure:
    """One figure of a habit: the edges it moves, and by how much each, in pixels for a figure of 1."""

    edges: tuple[int, ...]
    moves: Scores
    """(n, edges)."""
    margin: float
    """A figure of this size does not matter."""
    value: float = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class PlacementHabit:
    """A way in which shapes may lie off their objects."""

    kind: str
    unit: str
    """px, or share of the object's side, or of the position in the picture."""
    figures: tuple[Figure, ...]
    unexplained: float = 0.0
    """The smaller the better; counts the figures too."""


def placement_check(score: SubmissionScore, paired: SubmissionScore | None = None) -> list[Check]:
    """The habit that explains best where the shapes lie, with its evidence; nothing about a handful of shapes.

    `paired`: the score with the habit undone, which knows more of the pairs; the edges are those of the submission.
    """
    pairs = edge_offsets(paired or score, score.submission)
    if len(pairs) < FEWEST:
        return []
    scale = _noise_scale(pairs)
    best = min((_fitted(habit, pairs, scale) for habit in _habits(pairs)), key=lambda habit: habit.unexplained)
    best = _without_trifles(best)
    evidence = [_evidence(figure, pairs, scale) for figure in best.figures]
    strongest = min(range(len(evidence)), key=lambda i: evidence[i].p)
    figure, sure = best.figures[strongest], evidence[strongest]
    along = _along(figure, pairs, scale) * np.sign(figure.value)
    images = images_with_most(score, pairs.image, np.maximum(along, 0.0))
    p = min(1.0, QUESTIONS * sure.p)
    return [
        Check(
            kind=best.kind,
            evidence=replace(sure, p=p),
            sentence=_sentence(best, pairs, sure),
            images=images,
            undo=partial(_undone, score.submission, best),
            objects=pairs.truth,
            annotations=pairs.student,
            questions=QUESTIONS,
        )
    ]


def _habits(pairs: EdgeOffsets) -> Iterator[PlacementHabit]:
    n, ones = len(pairs), np.ones((len(pairs), 4))
    pixel = max(PIXEL_MARGIN, SHARE_MARGIN * float(np.median(pairs.side)))
    for axes in ((0,), (1,), (0, 1)):
        yield PlacementHabit("shift", "px", tuple(Figure((a, a + 2), ones[:, :2], pixel) for a in axes))
    for unit, reach, margin in (("px", ones, pixel), ("%", pairs.side, SHARE_MARGIN)):
        moves = OUTWARD * reach
        yield PlacementHabit("size", unit, (Figure((0, 1, 2, 3), moves, margin),))
        for size in (1, 2, 3, 4):
            for edges in combinations(range(4), size):
                kind = f"{EDGES[edges[0]]} edge" if size == 1 else "edges"
                yield PlacementHabit(kind, unit, tuple(Figure((e,), moves[:, [e]], margin) for e in edges))
    middle = pairs.position.reshape(n, 2, 2).mean(axis=1)
    far = pixel / np.maximum(np.median(middle, axis=0), 1.0)
    yield PlacementHabit("picture scale", "x", (Figure((0, 1, 2, 3), pairs.position, float(far.min())),))
    across = tuple(Figure((a, a + 2), pairs.position[:, [a, a + 2]], float(far[a])) for a in (0, 1))
    yield PlacementHabit("picture scale", "x", across)


def _noise_scale(pairs: EdgeOffsets) -> Scores:
    """(n, 4): how large chance errors are, up to a factor: by the way they grow with objects that fits best."""
    left_over = [
        pairs.offset - np.median(pairs.offset, axis=0),
        pairs.offset - pairs.side * np.median(pairs.offset / pairs.side, axis=0),
    ]

    def misfit(spread: float) -> float:
        scale = pairs.side**spread
        rest = min(log(max(float(np.abs(own / scale).mean()), 1e-12)) for own in left_over)
        return rest + float(np.log(scale).mean())

    return np.asarray(pairs.side ** min(SPREADS, key=misfit))


def _fitted(habit: PlacementHabit, pairs: EdgeOffsets, scale: Scores) -> PlacementHabit:
    """The habit with its figures, each the one that leaves the smallest absolute errors.

    What is left unexplained is Laplace's log-likelihood, doubled, with Schwarz's (1978) price of a figure (BIC).
    """
    left = pairs.offset.copy()
    figures = []
    for figure in habit.figures:
        edges = list(figure.edges)
        size = np.abs(figure.moves) > 1e-9
        ratio = pairs.offset[:, edges][size] / figure.moves[size]
        value = _weighted_median(ratio, np.abs(figure.moves / scale[:, edges])[size])
        figures.append(replace(figure, value=value))
        left[:, edges] -= value * figure.moves
    spread = max(float(np.abs(left / scale).mean()), 1e-9)
    unexplained = 2 * left.size * log(spread) + len(figures) * log(left.size)
    return replace(habit, figures=tuple(figures), unexplained=unexplained)


def _without_trifles(habit: PlacementHabit) -> PlacementHabit:
    """The habit without the figures that do not matter, if any does."""
    figures = tuple(figure for figure in habit.figures if abs(figure.value) > figure.margin)
    if not figures or len(figures) == len(habit.figures):
        return habit
    one = habit.kind == "edges" and len(figures) == 1
    return replace(habit, kind=f"{EDGES[figures[0].edges[0]]} edge" if one else habit.kind, figures=figures)


def _weighted_median(values: Scores, weights: Scores) -> float:
    if not values.size:
        return 0.0
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(total, total[-1] / 2)]])


def _along(figure: Figure, pairs: EdgeOffsets, scale: Scores) -> Scores:
    """For each shape, the figure it shows by itself."""
    edges = list(figure.edges)
    weight = figure.moves / scale[:, edges] ** 2
    size = (weight * figure.moves).sum(axis=1)
    own = (weight * pairs.offset[:, edges]).sum(axis=1)
    return np.asarray(np.divide(own, size, out=np.zeros(len(pairs)), where=size > 1e-12))


def _evidence(figure: Figure, pairs: EdgeOffsets, scale: Scores) -> Evidence:
    """Whether the figure is larger than what would not matter; independent cases are images, where there are enough."""
    own = _along(figure, pairs, scale)
    spread = 5 * max(float(np.median(np.abs(own - figure.value))), 1e-9)
    own = np.clip(own, figure.value - spread, figure.value + spread)
    weight = np.abs(figure.moves / scale[:, list(figure.edges)]).sum(axis=1)
    _, number, count = np.unique(pairs.image, return_inverse=True, return_counts=True)
    if count.size >= ENOUGH_IMAGES:
        total = np.maximum(np.bincount(number, weight), 1e-12)
        own = np.asarray(np.bincount(number, own * weight) / total)
    return mean_beyond(own, figure.margin)


def _undone(own: AnnotationSet, habit: PlacementHabit) -> AnnotationSet:
    """The submission with its shapes where they would lie without the habit.

    Shapes that enclose nothing, or are turned, have no edges: only a shift or a scale is undone on them.
    """
    bounds = own.bounds.copy()
    if habit.kind == "picture scale":
        for figure in habit.figures:
            bounds[:, list(figure.edges)] /= 1 + figure.value
        return with_bounds(own, bounds)
    size = np.tile(bounds[:, 2:] - bounds[:, :2], 2)
    if habit.kind == "shift":
        for figure in habit.figures:
            bounds[:, list(figure.edges)] -= figure.value
        return with_bounds(own, bounds)
    outward = np.zeros(4)
    for figure in habit.figures:
        outward[list(figure.edges)] = figure.value
    if habit.unit == "%":  # of the object's side, which is what is left when both ends are taken off
        size /= np.maximum(1 + np.tile(outward[:2] + outward[2:], 2), 0.1)
        back = outward * size
    else:
        back = np.minimum(outward, 0.45 * size)  # never through each other
    upright = np.isin(own.families(), AREAL) & (own.rotation == 0)
    bounds[upright] -= (OUTWARD * back)[upright]
    return with_bounds(own, bounds)


# ---- in words --------------------------------------------------------------------------------------------------------


def _sentence(habit: PlacementHabit, pairs: EdgeOffsets, evidence: Evidence) -> str:
    shown = f"{len(pairs)} shapes"
    if habit.kind == "shift":
        return f"Your shapes sit about {_ways(habit)} ({shown}). Place them on the object."
    if habit.kind == "picture scale":
        return _scale_words(habit, pairs, shown)
    low, high = sorted((abs(evidence.low), abs(evidence.high)))
    if habit.unit == "%":
        low, high = 100 * low, 100 * high
    span = f"({low:.1f} to {high:.1f}, {shown})"
    if habit.kind == "size":
        by = _amount(abs(habit.figures[0].value), habit.unit, "its size")
        if habit.figures[0].value > 0:
            return f"Your shapes are too loose: every edge lies about {by} outside the object {span}. Draw them closer."
        return f"Your shapes are too tight: every edge cuts off about {by} of the object {span}. Enclose it fully."
    short = [(EDGES[f.edges[0]], -f.value) for f in habit.figures if f.value < 0]
    beyond = [(EDGES[f.edges[0]], f.value) for f in habit.figures if f.value >= 0]
    parts, advice = [], []
    if short:
        parts.append(f"stop short of the object by about {_sides(short, habit.unit)}")
        advice.append("Enclose it fully.")
    if beyond:
        parts.append(f"reach past the object by about {_sides(beyond, habit.unit)}")
        advice.append("Draw them closer.")
    tail = span if len(habit.figures) == 1 else f"({shown})"
    return f"Your shapes {' and '.join(parts)} {tail}. {' '.join(advice)}"


def _amount(value: float, unit: str, of: str) -> str:
    """A length as it is said.

    >>> _amount(4.96, "px", "its width"), _amount(0.083, "%", "its width")
    ('5.0 px', '8.3 % of its width')
    """
    return f"{value:.1f} px" if unit == "px" else f"{100 * value:.1f} % of {of}"


def _sides(sides: list[tuple[str, float]], unit: str) -> str:
    of = {"left": "its width", "right": "its width"}
    said = [
        f"{_amount(value, unit, of.get(name, 'its height'))} {'on the ' if name in of else 'at the '}{name}"
        for name, value in sides
    ]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _ways(habit: PlacementHabit) -> str:
    words = {(0, True): "to the right", (0, False): "to the left", (1, True): "down", (1, False): "up"}
    parts = [
        f"{abs(figure.value):.1f} px too far {words[figure.edges[0], figure.value > 0]}" for figure in habit.figures
    ]
    return " and ".join(parts)


def _scale_words(habit: PlacementHabit, pairs: EdgeOffsets, shown: str) -> str:
    largest = max(habit.figures, key=lambda figure: abs(figure.value))
    far = abs(largest.value) * float(pairs.position[:, list(largest.edges)].max())
    more = "large" if largest.value > 0 else "small"
    return (
        f"Your coordinates are about {100 * abs(largest.value):.1f} % too {more}: shapes near the top left are in "
        f"place and those far from it are off, by up to {far:.0f} px ({shown}). The picture you drew on was "
        f"scaled: draw on the original."
    )
