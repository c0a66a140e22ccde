"""The two passes of matching: by key, then the pairs with the largest total similarity."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.aligned_sets import AlignedSets
from assay.annotations.matching.candidates import Candidates
from assay.annotations.matching.keys import KeyPairs
from assay.annotations.matching.labels import label_similarities
from assay.annotations.matching.matching import assign
from assay.annotations.shapes.arrays import freeze_arrays
from assay.annotations.shapes.attributes import compare_attributes
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]

LABEL_TIEBREAK, ATTRIBUTE_TIEBREAK = 1e-6, 1e-9
"""So small that they only decide between pairs of equal similarity: first by label, then by attributes."""


@dataclass(frozen=True, eq=False, slots=True)
class Pairing:
    """The matched pairs, in the order of the ground truth."""

    truth: Places
    student: Places
    similarity: Scores
    by_key: NDArray[np.bool_]

    def __post_init__(self) -> None:
        freeze_arrays(self)


def pair_annotations(aligned: AlignedSets, keyed: KeyPairs) -> Pairing:
    """Pass 1 by key, pass 2 by similarity among what is left; never a pair below the threshold in pass 2."""
    candidates = aligned.candidates
    at_key = similarity_of(candidates, keyed.truth, keyed.student, len(aligned.submission))
    if not aligned.rubric.key_anywhere:
        near = at_key >= aligned.least[keyed.truth]
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
    """The chosen candidates."""
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
    """What label and attributes add to the similarity of each allowed candidate that has a rival."""
    rows = _contested(aligned, np.flatnonzero(allowed))
    t, s = aligned.candidates.truth[rows].astype(np.intp), aligned.candidates.student[rows].astype(np.intp)
    label = label_similarities(
        aligned.truth.labels,
        aligned.submission.labels,
        (aligned.truth.label[t], aligned.submission.label[s]),
        aligned.rubric,
        aligned.known_labels,
    )
    bonus = np.zeros(len(aligned.candidates))
    bonus[rows] = LABEL_TIEBREAK * label
    if any(rule.attributes for rule in aligned.rubric.labels):
        alike, _ = compare_attributes(
            aligned.truth_attributes,
            aligned.student_attributes,
            aligned.rubric,
            aligned.truth.labels,
            aligned.truth.label,
            (t, s),
        )
        bonus[rows] += ATTRIBUTE_TIEBREAK * np.nan_to_num(alike, nan=1.0)
    return bonus


def _contested(aligned: AlignedSets, rows: Places) -> Places:
    """The candidates whose object or annotation occurs in another one too: the others need no tie-break."""
    t, s = aligned.candidates.truth[rows], aligned.candidates.student[rows]
    rivals = (np.bincount(t, minlength=1)[t] > 1) | (np.bincount(s, minlength=1)[s] > 1)
    return rows[rivals]


def similarity_of(candidates: Candidates, truth: Places, student: Places, width: int) -> Scores:
    """The similarity of given pairs; 0 for those that are no candidates because they do not touch."""
    if not len(candidates) or not truth.size:
        return np.zeros(truth.size)
    codes = candidates.truth.astype(np.int64) * width + candidates.student
    order = np.argsort(codes, kind="stable")
    asked = truth.astype(np.int64) * width + student
    place = np.minimum(np.searchsorted(codes, asked, sorter=order), codes.size - 1)
    nearest = order[place]
    return np.where(codes[nearest] == asked, candidates.similarity[nearest], 0.0)
