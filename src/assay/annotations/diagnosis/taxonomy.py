"""What is wrong with each annotation, by one list of kinds.

Every missed object and every extra annotation gets exactly one kind, the first of these that explains it: wrong class
(when labels must agree), wrong tool, duplicate, merged, split, near miss, and else plainly missed or extra. Matches
may have several flaws. Related: TIDE (Bolya et al. 2020) sorts the errors of detectors; ours are those of people.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.error_kinds import ErrorKind, Findings
from assay.annotations.matching.aligned_sets import AlignedSets, families_of
from assay.annotations.matching.keys import KeyPairs
from assay.annotations.matching.matching import assign
from assay.annotations.matching.pairing import Pairing
from assay.annotations.matching.text_similarity import normalised, text_similarity
from assay.annotations.rubric.rubric import FAMILIES
from assay.annotations.shapes.attributes import EMPTY, Comparisons
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]

INSIDE = 0.8
"""An object is inside an annotation, or the other way round, with this share of its area."""
PRECISE = 0.75
"""From this similarity a match is not called too large, too small or shifted (COCO's strict threshold)."""
TYPO = 0.5
"""A label that is no known class and at least this like the right one is misspelt."""
AREAL = [FAMILIES.index(name) for name in ("box", "area", "cuboid")]
"""Families whose similarity is an overlap of areas."""


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
    still = _Open(_mask(missed, len(scene.truth)), _mask(extra, len(scene.submission)))
    if scene.rubric.label_mode == "require":
        _one_to_one(still, scene, scene.fit & ~scene.same_label, ErrorKind.WRONG_CLASS)
    if not scene.rubric.across_families:
        _one_to_one(still, scene, scene.near_enough & ~scene.candidates.same_family, ErrorKind.WRONG_TOOL)
    _duplicates(still, scene, pairing)
    _merged(still, scene)
    _split(still, scene)
    close = scene.comparable & ~scene.near_enough & (scene.candidates.similarity >= scene.rubric.near_miss)
    _one_to_one(still, scene, close, ErrorKind.NEAR_MISS)
    rows = [*still.rows, *_unexplained(still), *_label_flaws(scene, pairing)]
    rows += [*_attribute_flaws(scene, pairing, comparisons), *_place_flaws(scene, pairing), *_key_flaws(keyed)]
    return _gathered(rows)


def _mask(places: Places, size: int) -> NDArray[np.bool_]:
    mask = np.zeros(size, bool)
    mask[places] = True
    return mask


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
    rows = rows[~_beside(scene, partner[candidates.truth[rows]], candidates.student[rows].astype(np.intp))]
    rows = rows[np.argsort(-candidates.similarity[rows], kind="stable")]
    rows = rows[_first_of(candidates.student[rows].astype(np.intp))]
    still.explain(ErrorKind.DUPLICATE, *_pair_columns(scene, rows))


def _beside(scene: AlignedSets, first: Places, second: Places) -> NDArray[np.bool_]:
    """Whether two annotations of the submission that cover areas have hardly any of it in common, by their bounds."""
    one, other = scene.submission.bounds[first], scene.submission.bounds[second]
    common = np.maximum(np.minimum(one[:, 2:], other[:, 2:]) - np.maximum(one[:, :2], other[:, :2]), 0).prod(axis=1)
    smaller = np.minimum((one[:, 2:] - one[:, :2]).prod(axis=1), (other[:, 2:] - other[:, :2]).prod(axis=1))
    return np.asarray(np.isin(families_of(scene.submission)[second], AREAL) & (common < (1 - INSIDE) * smaller))


def _merged(still: _Open, scene: AlignedSets) -> None:
    """Annotations that hold two or more objects of one class, and the missed ones among these objects."""
    truth, student = scene.candidates.truth.astype(np.int64), scene.candidates.student.astype(np.int64)
    rows = _groups(
        scene, outer=student, inner=truth, inner_label=scene.common_labels[0][truth], areas=scene.areas[::-1]
    )
    rows = rows[still.missed[truth[rows]] | still.extra[student[rows]]]
    still.explain(ErrorKind.MERGED, *_pair_columns(scene, rows))


def _split(still: _Open, scene: AlignedSets) -> None:
    """Objects that hold two or more annotations of one class, and the extra ones among these annotations."""
    truth, student = scene.candidates.truth.astype(np.int64), scene.candidates.student.astype(np.int64)
    rows = _groups(scene, outer=truth, inner=student, inner_label=scene.common_labels[1][student], areas=scene.areas)
    rows = rows[still.missed[truth[rows]] | still.extra[student[rows]]]
    still.explain(ErrorKind.SPLIT, *_pair_columns(scene, rows))


def _groups(
    scene: AlignedSets,
    *,
    outer: NDArray[np.int64],
    inner: NDArray[np.int64],
    inner_label: NDArray[np.int32],
    areas: tuple[Scores, Scores],
) -> Places:
    """Candidates that belong to an outer shape with two or more inner shapes of one class.

    The inner shapes lie inside (`INSIDE` of their area), fill at least half of the outer shape and are not stacked
    on each other (together no more than 1.25 of it); and none is by itself a good partner of the outer shape, as a
    person is of her box that also holds her child.
    """
    counted = scene.truth_counts[scene.candidates.truth] & scene.student_counts[scene.candidates.student]
    areal = np.isin(families_of(scene.truth), AREAL)[scene.candidates.truth] & scene.comparable & counted
    within = scene.intersection >= INSIDE * np.maximum(areas[1][inner], 1e-300)
    rows = np.flatnonzero(areal & within & (areas[1][inner] > 0))
    rows = rows[np.bincount(outer[rows], minlength=1)[outer[rows]] > 1]
    if not rows.size:
        return rows
    width = int(inner_label.max(initial=0)) + 1
    _, group = np.unique(outer[rows] * width + inner_label[rows], return_inverse=True)
    size = np.bincount(group)
    filled = np.bincount(group, scene.intersection[rows] / np.maximum(areas[0][outer[rows]], 1e-300))
    best = np.zeros(size.size)
    np.maximum.at(best, group, scene.candidates.similarity[rows])
    good = (size >= 2) & (filled >= 0.5) & (filled <= 1.25) & (best < INSIDE)
    return rows[good[group]]


def _unexplained(still: _Open) -> list[_Rows]:
    missed, extra = np.flatnonzero(still.missed), np.flatnonzero(still.extra)
    return [
        _Rows(ErrorKind.NOT_FOUND, missed, _none(missed), _zeros(missed), _yes(missed), ~_yes(missed)),
        _Rows(ErrorKind.NOTHING_THERE, _none(extra), extra, _zeros(extra), ~_yes(extra), _yes(extra)),
    ]


def _none(places: Places) -> Places:
    return np.full(places.size, -1, dtype=np.intp)


def _zeros(places: Places) -> Scores:
    return np.zeros(places.size)


def _yes(places: Places) -> NDArray[np.bool_]:
    return np.ones(places.size, bool)


def _flaws(kind: ErrorKind, pairing: Pairing, rows: Places, attribute: str = "") -> _Rows:
    no = np.zeros(rows.size, bool)
    return _Rows(kind, pairing.truth[rows], pairing.student[rows], pairing.similarity[rows], no, no, attribute)


def _label_flaws(scene: AlignedSets, pairing: Pairing) -> list[_Rows]:
    truth, student = scene.common_labels
    rows = np.flatnonzero(truth[pairing.truth] != student[pairing.student])
    seen: dict[tuple[int, int], bool] = {}
    typo = np.zeros(rows.size, bool)
    for place, row in enumerate(rows):
        pair = int(scene.truth.label[pairing.truth[row]]), int(scene.submission.label[pairing.student[row]])
        if pair not in seen:
            seen[pair] = _is_typo(scene, scene.truth.labels[pair[0]], scene.submission.labels[pair[1]])
        typo[place] = seen[pair]
    return [
        _flaws(ErrorKind.WRONG_CLASS, pairing, rows[~typo]),
        _flaws(ErrorKind.MISSPELT_LABEL, pairing, rows[typo]),
    ]


def _is_typo(scene: AlignedSets, truth: str, student: str) -> bool:
    known = normalised(student, separators_alike=scene.rubric.separators_alike) in scene.known_labels
    return not known and text_similarity(truth, student) >= TYPO


def _attribute_flaws(scene: AlignedSets, pairing: Pairing, comparisons: tuple[Comparisons, ...]) -> list[_Rows]:
    pairs = []
    for compared in comparisons:
        wrong = compared.rows[compared.similarity < 1]
        codes = scene.student_attributes.column(compared.rule.name).codes[pairing.student[wrong]]
        name = compared.rule.name
        pairs.append(_flaws(ErrorKind.FORGOTTEN_ATTRIBUTE, pairing, wrong[codes == EMPTY], name))
        pairs.append(_flaws(ErrorKind.WRONG_ATTRIBUTE, pairing, wrong[codes != EMPTY], name))
    return pairs


def _place_flaws(scene: AlignedSets, pairing: Pairing) -> list[_Rows]:
    """Matches that are less than precise: too large, too small or shifted, by their bounds; or nowhere near."""
    elsewhere = pairing.by_key & (pairing.similarity < scene.least[pairing.truth])
    areal = np.isin(families_of(scene.truth)[pairing.truth], AREAL)
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


def _key_flaws(keyed: KeyPairs) -> list[_Rows]:
    truth, student = keyed.truth_twice, keyed.student_twice
    return [
        _Rows(ErrorKind.KEY_TWICE, truth, _none(truth), _zeros(truth), ~_yes(truth), ~_yes(truth)),
        _Rows(ErrorKind.KEY_TWICE, _none(student), student, _zeros(student), ~_yes(student), ~_yes(student)),
    ]


def _gathered(rows: list[_Rows]) -> Findings:
    names = tuple(dict.fromkeys(row.attribute for row in rows if row.attribute))
    number = {name: place for place, name in enumerate(names)} | {"": -1}
    truth, student = _joined([row.truth for row in rows]), _joined([row.student for row in rows])
    miss = np.concatenate([row.miss for row in rows])
    extra = np.concatenate([row.extra for row in rows])
    return Findings(
        np.concatenate([np.full(row.truth.size, row.kind, np.uint8) for row in rows]),
        truth,
        student,
        np.concatenate([row.similarity for row in rows]),
        np.concatenate([np.full(row.truth.size, number[row.attribute], np.int16) for row in rows]),
        names,
        np.where(miss, truth, -1),
        np.where(extra, student, -1),
    )


def _joined(columns: list[Places]) -> NDArray[np.int64]:
    return np.concatenate(columns).astype(np.int64)
