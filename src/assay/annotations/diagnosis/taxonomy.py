"""What is wrong with each annotation, by one list of kinds.

Every missed object and every extra annotation gets exactly one kind, the first of these that explains it: wrong class
(when labels must agree), wrong tool, duplicate, merged, split, near miss, and else plainly missed or extra. Matches
may have several flaws. Related: TIDE (Bolya et al. 2020) sorts the errors of detectors; ours are those of people.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.error_kinds import ErrorKind, Findings
from assay.annotations.matching.assignment import assign
from assay.annotations.matching.pairing import AlignedSets, KeyPairs, Pairing
from assay.annotations.matching.text_similarity import normalised, text_similarity
from assay.annotations.shapes.attributes import EMPTY, Comparisons
from assay.annotations.shapes.shapes import AREAL
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]

INSIDE = 0.8
"""An object is inside an annotation, or the other way round, with this share of its area."""
PRECISE = 0.75
"""From this similarity a match is not called too large, too small or shifted (COCO's strict threshold)."""
TYPO = 0.5
"""A label that is no known class and at least this like the right one is misspelt."""


@dataclass(frozen=True, eq=False, slots=True)
class _Rows:
    """Findings of one kind."""

    kind: ErrorKind
    truth: Places
    student: Places
    similarity: Scores
    miss: NDArray[np.bool_]
    """Whether the row explains the missed object `truth`."""
    extra: NDArray[np.bool_]
    """Whether the row explains the extra annotation `student`."""
    attribute: str = ""


@dataclass(eq=False, slots=True)
class _Open:
    """What is not explained yet; shrinks while the kinds are gone through in order."""

    missed: NDArray[np.bool_]
    extra: NDArray[np.bool_]
    rows: list[_Rows] = field(default_factory=list)

    def explain(self, kind: ErrorKind, truth: Places, student: Places, similarity: Scores) -> None:
        """Give a kind to pairs; each missed object and each extra annotation takes the first row that names it."""
        miss = self.missed[truth] & _first_of(truth)
        extra = self.extra[student] & _first_of(student)
        keep = miss | extra
        self.missed[truth] = False
        self.extra[student] = False
        self.rows.append(_Rows(kind, truth[keep], student[keep], similarity[keep], miss[keep], extra[keep]))


def find_errors(
    scene: AlignedSets,
    pairing: Pairing,
    comparisons: tuple[Comparisons, ...],
    keyed: KeyPairs,
    missed: Places,
    extra: Places,
) -> Findings:
    """All errors of a submission."""
    still = _Open(np.zeros(len(scene.truth), bool), np.zeros(len(scene.submission), bool))
    still.missed[missed], still.extra[extra] = True, True
    if scene.rubric.label_mode == "require":
        _one_to_one(still, scene, scene.fit & ~scene.same_label, ErrorKind.WRONG_CLASS)
    if not scene.rubric.across_families:
        _one_to_one(still, scene, scene.near_enough & ~scene.candidates.same_family, ErrorKind.WRONG_TOOL)
    _duplicates(still, scene, pairing)
    _grouped(still, scene, ErrorKind.MERGED)
    _grouped(still, scene, ErrorKind.SPLIT)
    close = scene.comparable & ~scene.near_enough & (scene.candidates.similarity >= scene.rubric.near_miss)
    _one_to_one(still, scene, close, ErrorKind.NEAR_MISS)
    flaws = []
    for compared in comparisons:
        name, wrong = compared.rule.name, compared.rows[compared.similarity < 1]
        empty = scene.student_attributes.column(name).codes[pairing.student[wrong]] == EMPTY
        flaws.append(_flaws(ErrorKind.FORGOTTEN_ATTRIBUTE, pairing, wrong[empty], name))
        flaws.append(_flaws(ErrorKind.WRONG_ATTRIBUTE, pairing, wrong[~empty], name))
    rows = [
        *still.rows,
        _alone(ErrorKind.NOT_FOUND, np.flatnonzero(still.missed), of_truth=True, explains=True),
        _alone(ErrorKind.NOTHING_THERE, np.flatnonzero(still.extra), of_truth=False, explains=True),
        *_label_flaws(scene, pairing),
        *flaws,
        *_place_flaws(scene, pairing),
        _alone(ErrorKind.KEY_TWICE, keyed.truth_twice, of_truth=True, explains=False),
        _alone(ErrorKind.KEY_TWICE, keyed.student_twice, of_truth=False, explains=False),
    ]
    return _gathered(rows)


def _alone(kind: ErrorKind, places: Places, *, of_truth: bool, explains: bool) -> _Rows:
    """Objects, or else annotations, that are wrong by themselves."""
    none, no, yes = np.full(places.size, -1, np.intp), np.zeros(places.size, bool), np.full(places.size, explains)
    if of_truth:
        return _Rows(kind, places, none, np.zeros(places.size), yes, no)
    return _Rows(kind, none, places, np.zeros(places.size), no, yes)


def _first_of(places: Places) -> NDArray[np.bool_]:
    """Whether each entry is the first with its value."""
    first = np.zeros(places.size, bool)
    first[np.unique(places, return_index=True)[1]] = True
    return first


def _one_to_one(still: _Open, scene: AlignedSets, suits: NDArray[np.bool_], kind: ErrorKind) -> None:
    """Explain missed objects and extra annotations by each other, each used once."""
    candidates = scene.candidates
    suits = suits & still.missed[candidates.truth] & still.extra[candidates.student]
    chosen = assign(candidates, allowed=suits)
    still.explain(kind, *_pair_columns(scene, chosen))


def _pair_columns(scene: AlignedSets, rows: Places | NDArray[np.int64]) -> tuple[Places, Places, Scores]:
    pairs = scene.candidates
    return pairs.truth[rows].astype(np.intp), pairs.student[rows].astype(np.intp), pairs.similarity[rows]


def _duplicates(still: _Open, scene: AlignedSets, pairing: Pairing) -> None:
    """Extra annotations that reach the threshold with an object that has its match; the best such object is named.

    One that lies beside the match, as the second half of the object does beside the first, is no second one.
    """
    candidates = scene.candidates
    partner = np.full(len(scene.truth), EMPTY, dtype=np.intp)
    partner[pairing.truth] = pairing.student
    rows = np.flatnonzero(scene.fit & still.extra[candidates.student] & (partner[candidates.truth] != EMPTY))
    student = candidates.student[rows].astype(np.intp)
    # by their bounds, two annotations that cover areas have hardly any of it in common
    one, other = scene.submission.bounds[partner[candidates.truth[rows]]], scene.submission.bounds[student]
    common = np.maximum(np.minimum(one[:, 2:], other[:, 2:]) - np.maximum(one[:, :2], other[:, :2]), 0).prod(axis=1)
    smaller = np.minimum((one[:, 2:] - one[:, :2]).prod(axis=1), (other[:, 2:] - other[:, :2]).prod(axis=1))
    beside = np.isin(scene.submission.families()[student], AREAL) & (common < (1 - INSIDE) * smaller)
    rows = rows[~beside]
    rows = rows[np.argsort(-candidates.similarity[rows], kind="stable")]
    rows = rows[_first_of(candidates.student[rows].astype(np.intp))]
    still.explain(ErrorKind.DUPLICATE, *_pair_columns(scene, rows))


def _grouped(still: _Open, scene: AlignedSets, kind: ErrorKind) -> None:
    """Explain by annotations that hold two or more objects of one class (merged), or the other way round (split).

    The inner shapes lie inside (`INSIDE` of their area), fill at least half of the outer shape and are not stacked
    on each other (together no more than 1.25 of it); and none is by itself a good partner of the outer shape, as a
    person is of her box that also holds her child.
    """
    candidates, merged = scene.candidates, kind == ErrorKind.MERGED
    truth, student = candidates.truth.astype(np.int64), candidates.student.astype(np.int64)
    outer, inner = (student, truth) if merged else (truth, student)
    outer_area, inner_area = scene.areas[::-1] if merged else scene.areas
    label = scene.common_labels[0 if merged else 1][inner]
    areal = np.isin(scene.truth.families(), AREAL)[truth] & scene.comparable
    areal &= scene.truth_counts[truth] & scene.student_counts[student]
    within = scene.intersection >= INSIDE * np.maximum(inner_area[inner], 1e-300)
    rows = np.flatnonzero(areal & within & (inner_area[inner] > 0))
    rows = rows[np.bincount(outer[rows], minlength=1)[outer[rows]] > 1]
    if not rows.size:
        return
    _, group = np.unique(outer[rows] * (int(label.max(initial=0)) + 1) + label[rows], return_inverse=True)
    size = np.bincount(group)
    filled = np.bincount(group, scene.intersection[rows] / np.maximum(outer_area[outer[rows]], 1e-300))
    best = np.zeros(size.size)
    np.maximum.at(best, group, candidates.similarity[rows])
    rows = rows[((size >= 2) & (filled >= 0.5) & (filled <= 1.25) & (best < INSIDE))[group]]
    rows = rows[still.missed[truth[rows]] | still.extra[student[rows]]]
    still.explain(kind, *_pair_columns(scene, rows))


def _flaws(kind: ErrorKind, pairing: Pairing, rows: Places, attribute: str = "") -> _Rows:
    no = np.zeros(rows.size, bool)
    return _Rows(kind, pairing.truth[rows], pairing.student[rows], pairing.similarity[rows], no, no, attribute)


def _label_flaws(scene: AlignedSets, pairing: Pairing) -> list[_Rows]:
    truth, student = scene.common_labels
    rows = np.flatnonzero(truth[pairing.truth] != student[pairing.student])
    ours, theirs = scene.truth.label[pairing.truth[rows]], scene.submission.label[pairing.student[rows]]
    pairs = list(zip(ours.tolist(), theirs.tolist(), strict=True))
    misspelt: dict[tuple[int, int], bool] = {}
    for t, s in set(pairs):
        label, given = scene.truth.labels[t], scene.submission.labels[s]
        known = normalised(given, separators_alike=scene.rubric.separators_alike) in scene.known_labels
        misspelt[t, s] = not known and text_similarity(label, given) >= TYPO
    typo = np.array([misspelt[pair] for pair in pairs], bool)
    return [
        _flaws(ErrorKind.WRONG_CLASS, pairing, rows[~typo]),
        _flaws(ErrorKind.MISSPELT_LABEL, pairing, rows[typo]),
    ]


def _place_flaws(scene: AlignedSets, pairing: Pairing) -> list[_Rows]:
    """Matches that are less than precise: too large, too small or shifted, by their bounds; or nowhere near."""
    elsewhere = pairing.by_key & (pairing.similarity < scene.least[pairing.truth])
    areal = np.isin(scene.truth.families()[pairing.truth], AREAL)
    rough = np.flatnonzero(areal & ~elsewhere & (pairing.similarity < PRECISE))
    ours, theirs = scene.truth.bounds[pairing.truth[rough]], scene.submission.bounds[pairing.student[rough]]
    common = np.maximum(np.minimum(ours[:, 2:], theirs[:, 2:]) - np.maximum(ours[:, :2], theirs[:, :2]), 0).prod(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        covers = common / (ours[:, 2:] - ours[:, :2]).prod(axis=1) >= 0.9
        covered = common / (theirs[:, 2:] - theirs[:, :2]).prod(axis=1) >= 0.9
    return [
        _flaws(ErrorKind.KEY_ELSEWHERE, pairing, np.flatnonzero(elsewhere)),
        _flaws(ErrorKind.TOO_LARGE, pairing, rough[covers & ~covered]),
        _flaws(ErrorKind.TOO_SMALL, pairing, rough[covered & ~covers]),
        _flaws(ErrorKind.SHIFTED, pairing, rough[covers == covered]),
    ]


def _gathered(rows: list[_Rows]) -> Findings:
    names = tuple(dict.fromkeys(row.attribute for row in rows if row.attribute))
    number = {name: place for place, name in enumerate(names)} | {"": -1}
    truth = np.concatenate([row.truth for row in rows]).astype(np.int64)
    student = np.concatenate([row.student for row in rows]).astype(np.int64)
    return Findings(
        np.concatenate([np.full(row.truth.size, row.kind, np.uint8) for row in rows]),
        truth,
        student,
        np.concatenate([row.similarity for row in rows]),
        np.concatenate([np.full(row.truth.size, number[row.attribute], np.int16) for row in rows]),
        names,
        np.where(np.concatenate([row.miss for row in rows]), truth, -1),
        np.where(np.concatenate([row.extra for row in rows]), student, -1),
    )
