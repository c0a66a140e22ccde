"""The parts of a submission's score: a match, a missed object, an extra annotation, an image, a class.

And what they are made of: precision, recall and F-beta of matched, missed and extra annotations, how a score is rounded
for display, and whether the tracks of a submission keep to one object each, which does not enter the score.
"""

from dataclasses import dataclass
from math import floor, nan
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.matching.assignment import best_pairs
from assay.annotations.shapes.annotation_set import Value
from assay.metrics.pairs import Scores


@dataclass(frozen=True, slots=True)
class AttributeComparison:
    """One attribute of a match: both values and how alike they are, 0 to 100."""

    name: str
    truth: Value
    student: Value
    similarity: float
    comparator: str
    weight: float


@dataclass(frozen=True, slots=True)
class Match:
    """An object that was found, with the score of its annotation and what that is made of."""

    number: int
    """Its place among the submission's matches."""
    image: str
    truth: int
    """Place in the ground truth."""
    student: int
    """Place in the submission."""
    truth_id: str
    student_id: str
    truth_label: str
    student_label: str
    localisation: float
    label: float
    attributes: float
    """NaN where no attribute applies."""
    score: float
    weights: tuple[float, float, float]
    """The shares of localisation, label and attributes in this score."""
    by_key: bool
    comparisons: tuple[AttributeComparison, ...]
    original_score: float
    """Before a person changed it; the same as `score` when nobody did."""


@dataclass(frozen=True, slots=True)
class Miss:
    """An object of the ground truth without a match, and why."""

    image: str
    truth: int
    truth_id: str
    label: str
    why: ErrorKind
    student_id: str
    """The annotation that explains it, empty when there is none."""
    similarity: float
    excused: bool


@dataclass(frozen=True, slots=True)
class Extra:
    """An annotation of the submission without a match, and why."""

    image: str
    student: int
    student_id: str
    label: str
    why: ErrorKind
    truth_id: str
    """The object that explains it, empty when there is none."""
    similarity: float
    accepted: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts and scores of a submission, an image or a class."""

    matched: int
    missed: int
    extra: int
    quality: float
    """Mean score of the matches; NaN when there are none (which counts as 0 in `score`)."""
    precision: float
    recall: float
    completeness: float
    score: float
    vacuous: bool
    """Nothing to find and nothing drawn: 100, and it says nothing about the student."""


@dataclass(frozen=True, slots=True)
class ImageScore:
    """One image of a submission."""

    index: int
    name: str
    tally: Tally
    listed: bool
    """Whether the submission lists the image at all."""


@dataclass(frozen=True, slots=True)
class ClassScore:
    """One label: objects of it that were matched or missed, and extra annotations that bear it."""

    label: str
    tally: Tally
    named: int
    """Matches that also bear the right label."""
    localisation: float


Amount = TypeVar("Amount", float, Scores)


def precision(matched: Amount, missed: Amount, extra: Amount) -> Amount:
    """Share of the drawn annotations that belong to an object.

    matched / (matched + extra); when nothing was drawn, 1 if nothing was expected either, else 0

    >>> round(precision(2, 1, 1), 3)
    0.667
    """
    return _share(matched, extra, missed)


def recall(matched: Amount, missed: Amount, extra: Amount) -> Amount:
    """Share of the objects that were found.

    matched / (matched + missed); when nothing was expected, 1 if nothing was drawn either, else 0
    """
    return _share(matched, missed, extra)


def f_beta(matched: Amount, missed: Amount, extra: Amount, *, beta: float) -> Amount:
    """Completeness: precision and recall in one figure; beta < 1 punishes extras more than misses.

    F = (1 + b^2) matched / ((1 + b^2) matched + b^2 missed + extra); 1 when there is nothing to find and nothing drawn

    The same as (1 + b^2) P R / (b^2 P + R). Each missed object takes b^2, each extra 1, of what is whole: the losses
    add up, which is how a score is explained. Source: the scoring plan, section 4.2; van Rijsbergen (1979).

    >>> round(f_beta(2, 1, 1, beta=0.5), 4)
    0.6667
    """
    credit = (1 + beta**2) * np.asarray(matched, dtype=float)
    total = credit + beta**2 * np.asarray(missed, dtype=float) + extra
    with np.errstate(invalid="ignore", divide="ignore"):
        score = np.where(total > 0, credit / total, 1.0)
    return cast(Amount, score if score.ndim else float(score))


def _share(counted: Amount, rest: Amount, other: Amount) -> Amount:
    part, whole = np.asarray(counted, dtype=float), np.asarray(counted, dtype=float) + rest
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(whole > 0, part / whole, np.where(np.asarray(other) > 0, 0.0, 1.0))
    return cast(Amount, share if share.ndim else float(share))


def rounded(score: float) -> int:
    """The score as it is shown: halves up, as the scoring plan's own program does; Python's `round` sends 0.5 to 0.

    >>> rounded(74.5), rounded(0.5)
    (75, 1)
    """
    return floor(score + 0.5)


@dataclass(frozen=True, slots=True)
class TrackIdentity:
    """How well the identity of objects is kept over frames."""

    truth_tracks: int
    student_tracks: int
    idf1: float
    """2 IDTP / (annotations of both sides on tracks), 0 to 1: each object's track is paired with one track at most."""
    switches: int
    """How often the matched track of an object changes from one frame to the next frame where it is matched."""


def track_identity(
    truth_track: NDArray[np.int64],
    student_track: NDArray[np.int64],
    overlapping: tuple[NDArray[np.intp], NDArray[np.intp]],
    matched: tuple[NDArray[np.intp], NDArray[np.intp]],
    frame_of: NDArray[np.int32],
) -> TrackIdentity:
    """IDF1 and identity switches.

    `overlapping` are all pairs that reach the threshold, `matched` those that were chosen; `frame_of` gives the frame
    of each ground-truth annotation. NaN when neither side has an annotation on a track.
    Sources: Ristani et al. (2016), Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking;
    Bernardin & Stiefelhagen (2008) for switches.
    """
    ours, theirs = truth_track[truth_track >= 0], student_track[student_track >= 0]
    names = np.unique(ours), np.unique(theirs)
    t, s = truth_track[overlapping[0]], student_track[overlapping[1]]
    both = (t >= 0) & (s >= 0)
    hits = 0  # annotations that agree when tracks are paired as well as can be
    if both.any():
        together = np.zeros((names[0].size, names[1].size))
        np.add.at(together, (np.searchsorted(names[0], t[both]), np.searchsorted(names[1], s[both])), 1)
        hits = sum(int(together[pair]) for pair in best_pairs(together))
    t, s, frame = truth_track[matched[0]], student_track[matched[1]], frame_of[matched[0]]
    both = (t >= 0) & (s >= 0)
    order = np.lexsort((frame[both], t[both]))
    t, s = t[both][order], s[both][order]
    switches = int(np.count_nonzero((t[1:] == t[:-1]) & (s[1:] != s[:-1])))
    total = ours.size + theirs.size
    return TrackIdentity(names[0].size, names[1].size, 2 * hits / total if total else nan, switches)
