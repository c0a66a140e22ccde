"""Is a class taken for another, or an attribute left empty or wrong, more often than by chance slips?"""

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.check import FEWEST, USUAL_SLIPS, Check, images_with_most, per_cent
from assay.annotations.diagnosis.evidence import Evidence, share_above
from assay.annotations.grading.class_scores import confusion
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.labels import common_names
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.shapes.attributes import EMPTY
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]


def naming_checks(score: SubmissionScore) -> list[Check]:
    """All checks of labels and attributes."""
    return [*_confusions(score), *_attributes(score)]


def _confusions(score: SubmissionScore) -> list[Check]:
    """For each class, whether its objects receive one certain other label too often.

    The other label is the most frequent one, so its p value is multiplied by the number of labels it was chosen from.
    """
    table = confusion(score)
    n = len(table.labels)
    counts = table.counts[:n, :n].copy()
    given = counts.sum(axis=1)
    np.fill_diagonal(counts, 0)
    checks = []
    for label in np.flatnonzero(given >= FEWEST):
        other = int(np.argmax(counts[label]))
        share = share_above(int(counts[label, other]), int(given[label]), USUAL_SLIPS)
        evidence = Evidence(share.n, share.effect, share.low, share.high, min(1.0, share.p * max(n - 1, 1)))
        right, wrong = table.labels[label], table.labels[other]
        sentence = (
            f"You labelled {counts[label, other]} of {given[label]} objects of class {right!r} as {wrong!r} "
            f"({per_cent(evidence)}). Look again at how the two differ."
        )
        checks.append(Check("confusion", evidence, sentence, _confused_images(score, int(label), other)))
    return checks


def _confused_images(score: SubmissionScore, right: int, wrong: int) -> tuple[str, ...]:
    alike = score.rubric.separators_alike
    _, (ours, theirs) = common_names(score.truth.labels, score.submission.labels, separators_alike=alike)
    rows = (ours[score.truth.label[score.match_truth]] == right) & (
        theirs[score.submission.label[score.match_student]] == wrong
    )
    return images_with_most(score, score.truth.image[score.match_truth[rows]])


def _attributes(score: SubmissionScore) -> list[Check]:
    """For each attribute, whether it is left empty, or wrong where filled, too often."""
    checks = []
    for name, (rows, similarity) in _by_attribute(score).items():
        codes = score.student_attributes.column(name).codes[score.match_student[rows]]
        empty = codes == EMPTY
        filled = rows[~empty]
        wrong = similarity[~empty] < 1
        if rows.size >= FEWEST:
            checks.append(_forgotten(score, name, rows, rows[empty]))
        if filled.size >= FEWEST:
            checks.append(_mistaken(score, name, filled, filled[wrong]))
    return checks


def _by_attribute(score: SubmissionScore) -> dict[str, tuple[Places, Scores]]:
    """Attribute, whatever the label -> its matches and their similarity."""
    gathered: dict[str, list[tuple[Places, Scores]]] = {}
    names: dict[str, str] = {}
    for compared in score.comparisons:
        name = names.setdefault(normalised(compared.rule.name), compared.rule.name)
        gathered.setdefault(name, []).append((compared.rows, compared.similarity))
    return {
        name: (np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]))
        for name, parts in gathered.items()
    }


def _forgotten(score: SubmissionScore, name: str, rows: Places, empty: Places) -> Check:
    evidence = share_above(empty.size, rows.size, USUAL_SLIPS)
    sentence = (
        f"You left the attribute {name!r} empty on {empty.size} of {rows.size} objects that have it "
        f"({per_cent(evidence)}). Fill it in on every object."
    )
    return Check("forgotten attribute", evidence, sentence, _images(score, empty))


def _mistaken(score: SubmissionScore, name: str, rows: Places, wrong: Places) -> Check:
    evidence = share_above(wrong.size, rows.size, USUAL_SLIPS)
    sentence = (
        f"The attribute {name!r} differs from the ground truth on {wrong.size} of {rows.size} objects where you filled "
        f"it in ({per_cent(evidence)}). Look again at what its values mean."
    )
    return Check("wrong attribute", evidence, sentence, _images(score, wrong))


def _images(score: SubmissionScore, rows: Places) -> tuple[str, ...]:
    return images_with_most(score, score.truth.image[score.match_truth[rows]])
