"""The two passes of matching sets that are aligned: by key, then the pairs with the largest total similarity."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.assignment import Candidates, assign
from assay.annotations.matching.text_similarity import as_text, common_names, label_similarities, normalised
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.arrays import FrozenArrays
from assay.annotations.shapes.attributes import (
    EMPTY,
    AttributeColumn,
    AttributeColumns,
    Comparisons,
    compare_attributes,
)
from assay.annotations.shapes.shapes import FAMILIES
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]
ROUNDING = 1e-12
"""A share of exactly one half must not fail by its last bit."""


@dataclass(frozen=True, eq=False, slots=True)
class KeyPairs:
    """Pairs by key, and the annotations whose key is not unique on their image and so pairs nothing."""

    truth: Places
    student: Places
    truth_twice: Places
    student_twice: Places


def pair_by_key(
    keys: tuple[AttributeColumn, AttributeColumn],
    images: tuple[NDArray[np.intp], NDArray[np.intp]],
    families: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    counted: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> KeyPairs:
    """Pairs whose keys are equal after trimming, filled, and unique on their image on both sides.

    Each argument holds the ground truth's column and the submission's; images are numbered alike on both sides.
    A box and a polygon with one key are no pair: the families must be equal.
    """
    numbers: dict[str, int] = {}
    codes = []
    for key in keys:
        own = [numbers.setdefault(as_text(value).strip(), len(numbers)) for value in key.values]
        codes.append(np.array([*own, EMPTY], dtype=np.int64)[key.codes])  # code -1 reads the last
    uses: list[tuple[Places, NDArray[np.int64]]] = []
    twice: list[Places] = []
    for side in (0, 1):
        filled = np.flatnonzero((codes[side] != EMPTY) & counted[side])
        use = images[side][filled].astype(np.int64) * max(len(numbers), 1) + codes[side][filled]
        _, number, count = np.unique(use, return_inverse=True, return_counts=True)
        once = count[number] == 1
        uses.append((filled[once], use[once]))
        twice.append(filled[~once])
    _, of_truth, of_student = np.intersect1d(uses[0][1], uses[1][1], assume_unique=True, return_indices=True)
    truth, student = uses[0][0][of_truth], uses[1][0][of_student]
    same = families[0][truth] == families[1][student]
    return KeyPairs(truth[same], student[same], twice[0], twice[1])


@dataclass(frozen=True, eq=False)
class AlignedSets:
    """Both sets, what may count of them, and all pairs that touch."""

    rubric: Rubric
    truth: AnnotationSet
    submission: AnnotationSet
    truth_attributes: AttributeColumns
    student_attributes: AttributeColumns
    known_labels: frozenset[str]
    student_image: Places
    """For each annotation of the submission, its image in the numbering of the ground truth."""
    truth_counts: NDArray[np.bool_]
    """Objects to be found: not crowd, and on a scored image."""
    student_counts: NDArray[np.bool_]
    candidates: Candidates
    crowd_share: Scores
    """Of each annotation of the submission, how much lies inside a crowd or ignore region, 0 to 1."""
    areas: tuple[Scores, Scores]
    """Area of every annotation of the ground truth and of the submission; 0 for shapes that cover none."""

    @cached_property
    def least(self) -> Scores:
        """The similarity each object asks of its partner: that of its label, else that of its family."""
        by_family = np.array([getattr(self.rubric.thresholds, name) for name in FAMILIES])
        least = by_family[self.truth.families()]
        own = {normalised(rule.name): rule.least for rule in self.rubric.labels if rule.least is not None}
        if own and self.truth.labels:
            of_label = np.array([own.get(normalised(label), np.nan) for label in self.truth.labels])[self.truth.label]
            least = np.where(np.isnan(of_label), least, of_label)
        return np.asarray(least)

    @cached_property
    def comparable(self) -> NDArray[np.bool_]:
        """For each candidate, whether its two kinds of shape may match."""
        if self.rubric.across_families:
            return np.ones(len(self.candidates), bool)
        return self.candidates.same_family

    @cached_property
    def near_enough(self) -> NDArray[np.bool_]:
        """For each candidate, whether it reaches the threshold (and more than nothing)."""
        similarity = self.candidates.similarity
        return (similarity >= self.least[self.candidates.truth] - ROUNDING) & (similarity > 0)

    @cached_property
    def fit(self) -> NDArray[np.bool_]:
        """For each candidate, whether it may become a match by its place."""
        return self.comparable & self.near_enough

    @cached_property
    def common_labels(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The label of every annotation of both sets, numbered alike."""
        alike = self.rubric.separators_alike
        _, places = common_names(self.truth.labels, self.submission.labels, separators_alike=alike)
        nothing = np.empty(0, np.int32)
        ours = places[0][self.truth.label] if places[0].size else nothing
        return ours, places[1][self.submission.label] if places[1].size else nothing

    @cached_property
    def same_label(self) -> NDArray[np.bool_]:
        """For each candidate, whether the labels are the same."""
        truth, student = self.common_labels
        return np.asarray(truth[self.candidates.truth] == student[self.candidates.student])

    @cached_property
    def intersection(self) -> Scores:
        """For each candidate, the area both shapes share: IoU = I / (A + B - I), so I = IoU (A + B) / (1 + IoU)."""
        similarity = self.candidates.similarity
        both = self.areas[0][self.candidates.truth] + self.areas[1][self.candidates.student]
        return np.asarray(similarity * both / (1 + similarity))

    def compare_labels(self, t: Places, s: Places) -> Scores:
        """Credit for the label of each pair."""
        labels = (self.truth.label[t], self.submission.label[s])
        return label_similarities(self.truth.labels, self.submission.labels, labels, self.rubric, self.known_labels)

    def compare_attributes(self, t: Places, s: Places) -> tuple[Scores, tuple[Comparisons, ...]]:
        """Each pair's attribute score, NaN where no attribute applies; and what it is made of."""
        columns = (self.truth_attributes, self.student_attributes)
        return compare_attributes(*columns, self.rubric, self.truth.labels, self.truth.label, (t, s))


LABEL_TIEBREAK, ATTRIBUTE_TIEBREAK = 1e-6, 1e-9
"""So small that they only decide between pairs of equal similarity: first by label, then by attributes."""


@dataclass(frozen=True, eq=False, slots=True)
class Pairing(FrozenArrays):
    """The matched pairs, in the order of the ground truth."""

    truth: Places
    student: Places
    similarity: Scores
    by_key: NDArray[np.bool_]


def pair_annotations(aligned: AlignedSets, keyed: KeyPairs) -> Pairing:
    """Pass 1 by key, pass 2 by similarity among what is left; never a pair below the threshold in pass 2."""
    candidates = aligned.candidates
    at_key = similarity_of(candidates, keyed.truth, keyed.student, len(aligned.submission))
    if not aligned.rubric.key_anywhere:
        near = at_key >= aligned.least[keyed.truth] - ROUNDING
        keyed = KeyPairs(keyed.truth[near], keyed.student[near], keyed.truth_twice, keyed.student_twice)
        at_key = at_key[near]
    free_truth, free_student = aligned.truth_counts.copy(), aligned.student_counts.copy()
    free_truth[keyed.truth] = False
    free_student[keyed.student] = False
    allowed = aligned.fit & free_truth[candidates.truth] & free_student[candidates.student]
    chosen = _second_pass(aligned, allowed)
    truth = np.concatenate([keyed.truth, candidates.truth[chosen]]).astype(np.intp)
    student = np.concatenate([keyed.student, candidates.student[chosen]]).astype(np.intp)
    similarity = np.concatenate([at_key, candidates.similarity[chosen]])
    by_key = np.arange(truth.size) < keyed.truth.size
    order = np.argsort(truth, kind="stable")
    return Pairing(truth[order], student[order], similarity[order], by_key[order])


def _second_pass(aligned: AlignedSets, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
    candidates, mode = aligned.candidates, aligned.rubric.label_mode
    if mode == "ignore":
        return assign(candidates, allowed=allowed)
    bonus = _tiebreaks(aligned, allowed)
    if mode == "tiebreak":
        return assign(candidates, allowed=allowed, bonus=bonus)
    same = aligned.same_label
    first = assign(candidates, allowed=allowed & same, bonus=bonus)
    if mode == "require":
        return first
    taken_truth = np.zeros(len(aligned.truth), bool)
    taken_student = np.zeros(len(aligned.submission), bool)
    taken_truth[candidates.truth[first]] = True
    taken_student[candidates.student[first]] = True
    left = allowed & ~taken_truth[candidates.truth] & ~taken_student[candidates.student]
    return np.concatenate([first, assign(candidates, allowed=left, bonus=bonus)])


def _tiebreaks(aligned: AlignedSets, allowed: NDArray[np.bool_]) -> Scores:
    """What label and attributes add to the similarity of each allowed candidate that has a rival.

    A rival is another candidate of the same object or annotation: the others need no tie-break.
    """
    rows = np.flatnonzero(allowed)
    t, s = aligned.candidates.truth[rows].astype(np.intp), aligned.candidates.student[rows].astype(np.intp)
    rivals = (np.bincount(t, minlength=1)[t] > 1) | (np.bincount(s, minlength=1)[s] > 1)
    rows, t, s = rows[rivals], t[rivals], s[rivals]
    bonus = np.zeros(len(aligned.candidates))
    bonus[rows] = LABEL_TIEBREAK * aligned.compare_labels(t, s)
    if any(rule.attributes for rule in aligned.rubric.labels):
        alike, _ = aligned.compare_attributes(t, s)
        bonus[rows] += ATTRIBUTE_TIEBREAK * np.nan_to_num(alike, nan=1.0)
    return bonus


def similarity_of(candidates: Candidates, truth: Places, student: Places, width: int) -> Scores:
    """The similarity of given pairs; 0 for those that are no candidates because they do not touch."""
    if not len(candidates) or not truth.size:
        return np.zeros(truth.size)
    codes, asked = (
        candidates.truth.astype(np.int64) * width + candidates.student,
        truth.astype(np.int64) * width + student,
    )
    order = np.argsort(codes, kind="stable")
    nearest = order[np.minimum(np.searchsorted(codes, asked, sorter=order), codes.size - 1)]
    return np.where(codes[nearest] == asked, candidates.similarity[nearest], 0.0)
