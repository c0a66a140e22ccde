"""Is something wrong more often than by chance: classes and attributes, certain objects missed, kinds of error?

`Check`: one thing that may be systematically wrong, with its evidence; `HabitAdvice`: one that is, in a sentence.
"""

from dataclasses import replace

import numpy as np

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.diagnosis.evidence import (
    FEWEST,
    USUAL_SLIPS,
    Check,
    Mask,
    Places,
    images_with_most,
    per_cent,
    share_above,
    share_larger,
)
from assay.annotations.grading.class_scores import confusion
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import common_names, normalised
from assay.annotations.shapes.annotation_set import image_sizes
from assay.annotations.shapes.attributes import EMPTY, Comparisons


def habit_checks(score: SubmissionScore) -> list[Check]:
    """All checks of labels and attributes, of missed objects, extra annotations and kinds of error.

    Images on which the student drew nothing are told apart: whoever skips an image misses all that is on it, which
    says nothing about small objects or certain classes.
    """
    named = [*_confusions(score), *_attributes(score)]
    return [*named, *_skipped(score), *_missed(score), *_extra_labels(score), *_frequent_kinds(score)]


def _worked_on(score: SubmissionScore) -> Mask:
    """Images with at least one annotation of the student."""
    return np.bincount(score.student_image, minlength=len(score.images)) > 0


def _skipped(score: SubmissionScore) -> list[Check]:
    expected = np.bincount(score.truth.image[_objects(score)], minlength=len(score.images)) > 0
    if np.count_nonzero(expected) < FEWEST:
        return []
    skipped = np.flatnonzero(expected & ~_worked_on(score))
    evidence = share_above(skipped.size, int(np.count_nonzero(expected)), USUAL_SLIPS)
    drew = f"You drew nothing on {skipped.size} of {evidence.n} images that have objects ({per_cent(evidence)})."
    images = tuple(score.images[i].name for i in skipped[:5])
    return [Check("skipped images", evidence, f"{drew} Open every image.", images)]


def _objects(score: SubmissionScore) -> Places:
    return np.concatenate([score.match_truth, score.missed[score.missed_counts]])


def _missed(score: SubmissionScore) -> list[Check]:
    """Small objects, objects at the border, and each class, against the rest."""
    objects = _objects(score)
    objects = objects[_worked_on(score)[score.truth.image[objects]]]
    missed = np.isin(objects, score.missed)
    if objects.size < 2 * FEWEST:
        return []
    bounds = score.truth.bounds[objects]
    area = np.maximum(bounds[:, 2:] - bounds[:, :2], 0).prod(axis=1)
    small = area <= np.quantile(area, 1 / 3)
    sizes = image_sizes(score.images)[score.truth.image[objects]]
    # objects that touch the edge of their image, where its size is known
    touches = (bounds[:, :2] <= 1).any(axis=1) | (bounds[:, 2:] >= sizes - 1).any(axis=1)
    border = np.asarray(touches & (sizes > 0).all(axis=1))
    checks = [
        _compared(score, objects, missed, small, "small object", "small objects", "larger ones"),
        _compared(score, objects, missed, border, "border object", "objects at the edge of the image", "others"),
    ]
    label = score.truth.label[objects]
    for place in np.flatnonzero(np.bincount(label, minlength=1) >= FEWEST):
        name = f"objects of class {score.truth.labels[place]!r}"
        checks.append(_compared(score, objects, missed, label == place, "missed class", name, "others"))
    return [check for check in checks if check is not None]


def _compared(
    score: SubmissionScore, objects: Places, missed: Mask, chosen: Mask, kind: str, name: str, others: str
) -> Check | None:
    """Whether the chosen objects are missed more often than the rest; None when either group is too small."""
    n, m, a, b = (int(np.count_nonzero(which)) for which in (chosen, ~chosen, missed & chosen, missed & ~chosen))
    if min(n, m) < FEWEST:
        return None
    evidence = share_larger((a, n), (b, m))
    sentence = (
        f"You missed {a} of {n} {name} ({100 * a / n:.0f} %) but {b} of {m} {others} ({100 * b / m:.0f} %): "
        f"{100 * evidence.effect:.0f} points more ({100 * evidence.low:.0f} to {100 * evidence.high:.0f})."
    )
    return Check(kind, evidence, sentence, images_with_most(score, score.truth.image[objects[missed & chosen]]))


def _extra_labels(score: SubmissionScore) -> list[Check]:
    """For each label the student used, whether it is drawn in vain more often than the others."""
    drawn = np.concatenate([score.match_student, score.extra[score.extra_counts]])
    label, vain = score.submission.label[drawn], np.arange(drawn.size) >= score.match_student.size
    checks = []
    for place in np.flatnonzero(np.bincount(label, minlength=1) >= FEWEST):
        own = label == place
        n, m, a, b = (int(np.count_nonzero(which)) for which in (own, ~own, vain & own, vain & ~own))
        if m >= FEWEST:
            sentence = (
                f"{a} of your {n} annotations labelled {score.submission.labels[place]!r} are not in the ground truth "
                f"({100 * a / n:.0f} %), against {b} of {m} others ({100 * b / m:.0f} %). Draw it only where it is."
            )
            images = images_with_most(score, score.student_image[drawn[own & vain]])
            checks.append(Check("extra class", share_larger((a, n), (b, m)), sentence, images))
    return checks


KIND_SENTENCES = {
    ErrorKind.DUPLICATE: "are second ones of an object ({interval}). Draw each object once.",
    ErrorKind.WRONG_TOOL: "are drawn with the wrong tool ({interval}). Use the shape that is asked for.",
    ErrorKind.NEAR_MISS: "are too far off to count ({interval}). Zoom in before you draw.",
    ErrorKind.MERGED: "stand for objects that were drawn together ({interval}). Draw each object by itself.",
    ErrorKind.SPLIT: "are parts of one object ({interval}). Draw an object as one.",
}
"""What is said of a kind of error that is more frequent than slips, after "3 of your 90 annotations"."""
FORGOTTEN = (
    "You left the attribute {name!r} empty on {count} of {n} objects that have it ({interval}). "
    "Fill it in on every object."
)
MISTAKEN = (
    "The attribute {name!r} differs from the ground truth on {count} of {n} objects where you filled it "
    "in ({interval}). Look again at what its values mean."
)


def _frequent_kinds(score: SubmissionScore) -> list[Check]:
    """Kinds of error that are more frequent than slips."""
    n = score.match_student.size + score.extra.size
    checks = []
    for kind, sentence in KIND_SENTENCES.items() if n >= FEWEST else ():
        student = score.findings.student[score.findings.kind == kind]
        count = min(student.size, n)
        evidence = share_above(count, n, USUAL_SLIPS)
        text = f"{count} of your {n} annotations {sentence.format(interval=per_cent(evidence))}"
        images = images_with_most(score, score.student_image[student[student >= 0]])
        checks.append(Check(kind.word, evidence, text, images))
    return checks


def _confusions(score: SubmissionScore) -> list[Check]:
    """For each class, whether its objects receive one certain other label too often.

    The other label is the most frequent one, so its p value is multiplied by the number of labels it was chosen from.
    """
    table = confusion(score)
    n = len(table.labels)
    counts = table.counts[:n, :n].copy()
    given = counts.sum(axis=1)
    np.fill_diagonal(counts, 0)
    alike = score.rubric.separators_alike
    _, (ours, theirs) = common_names(score.truth.labels, score.submission.labels, separators_alike=alike)
    checks = []
    for label in np.flatnonzero(given >= FEWEST):
        other = int(np.argmax(counts[label]))
        share = share_above(int(counts[label, other]), int(given[label]), USUAL_SLIPS)
        evidence = replace(share, p=min(1.0, share.p * max(n - 1, 1)))
        sentence = (
            f"You labelled {counts[label, other]} of {given[label]} objects of class {table.labels[label]!r} as "
            f"{table.labels[other]!r} ({per_cent(evidence)}). Look again at how the two differ."
        )
        confused = ours[score.truth.label[score.match_truth]] == label
        confused &= theirs[score.submission.label[score.match_student]] == other
        images = images_with_most(score, score.truth.image[score.match_truth[confused]])
        checks.append(Check("confusion", evidence, sentence, images))
    return checks


def _attributes(score: SubmissionScore) -> list[Check]:
    """For each attribute, whatever the label, whether it is left empty, or wrong where filled, too often."""
    by_name: dict[str, list[Comparisons]] = {}
    for compared in score.comparisons:
        by_name.setdefault(normalised(compared.rule.name), []).append(compared)
    checks = []
    for compared_alike in by_name.values():
        name = compared_alike[0].rule.name
        rows = np.concatenate([compared.rows for compared in compared_alike])
        similarity = np.concatenate([compared.similarity for compared in compared_alike])
        empty = score.student_attributes.column(name).codes[score.match_student[rows]] == EMPTY
        questions = (
            ("forgotten attribute", rows, rows[empty], FORGOTTEN),
            ("wrong attribute", rows[~empty], rows[~empty][similarity[~empty] < 1], MISTAKEN),
        )
        for kind, asked, wrong, sentence in questions:
            if asked.size >= FEWEST:
                evidence = share_above(wrong.size, asked.size, USUAL_SLIPS)
                text = sentence.format(name=name, count=wrong.size, n=asked.size, interval=per_cent(evidence))
                images = images_with_most(score, score.truth.image[score.match_truth[wrong]])
                checks.append(Check(kind, evidence, text, images))
    return checks
