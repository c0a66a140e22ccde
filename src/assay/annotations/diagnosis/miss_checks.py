"""Are certain objects missed, or certain labels drawn in vain, more often than others? Is a kind of error frequent?"""

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.check import FEWEST, USUAL_SLIPS, Check, images_with_most, per_cent
from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.diagnosis.evidence import share_above, share_larger
from assay.annotations.grading.result import SubmissionScore

Mask = NDArray[np.bool_]
Places = NDArray[np.intp]


def miss_checks(score: SubmissionScore) -> list[Check]:
    """All checks of missed objects, extra annotations and kinds of error.

    Images on which the student drew nothing are told apart: whoever skips an image misses all that is on it, which
    says nothing about small objects or certain classes.
    """
    return [*_skipped(score), *_missed(score), *_extra_labels(score), *_frequent_kinds(score)]


def _worked_on(score: SubmissionScore) -> Mask:
    """Images with at least one annotation of the student."""
    return np.bincount(score.student_image, minlength=len(score.images)) > 0


def _skipped(score: SubmissionScore) -> list[Check]:
    expected = np.bincount(score.truth.image[_objects(score)], minlength=len(score.images)) > 0
    if np.count_nonzero(expected) < FEWEST:
        return []
    skipped = np.flatnonzero(expected & ~_worked_on(score))
    evidence = share_above(skipped.size, int(np.count_nonzero(expected)), USUAL_SLIPS)
    sentence = (
        f"You drew nothing on {skipped.size} of {evidence.n} images that have objects ({per_cent(evidence)}). "
        f"Open every image."
    )
    return [Check("skipped images", evidence, sentence, tuple(score.images[i].name for i in skipped[:5]))]


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
    checks = [_compared(score, objects, missed, small, "small object", "small objects", "larger ones")]
    border = _at_border(score, objects)
    checks.append(
        _compared(score, objects, missed, border, "border object", "objects at the edge of the image", "others")
    )
    label = score.truth.label[objects]
    for place in np.flatnonzero(np.bincount(label, minlength=1) >= FEWEST):
        name = f"objects of class {score.truth.labels[place]!r}"
        checks.append(_compared(score, objects, missed, label == place, "missed class", name, "others"))
    return [check for check in checks if check is not None]


def _at_border(score: SubmissionScore, objects: Places) -> Mask:
    """Objects that touch the edge of their image, where its size is known."""
    sizes = np.array([(image.width, image.height) for image in score.images])[score.truth.image[objects]]
    bounds = score.truth.bounds[objects]
    touches = (bounds[:, :2] <= 1).any(axis=1) | (bounds[:, 2:] >= sizes - 1).any(axis=1)
    return np.asarray(touches & (sizes > 0).all(axis=1))


def _compared(
    score: SubmissionScore, objects: Places, missed: Mask, chosen: Mask, kind: str, name: str, others: str
) -> Check | None:
    """Whether the chosen objects are missed more often than the rest; None when either group is too small."""
    n, m = int(np.count_nonzero(chosen)), int(np.count_nonzero(~chosen))
    if min(n, m) < FEWEST:
        return None
    a, b = int(np.count_nonzero(missed & chosen)), int(np.count_nonzero(missed & ~chosen))
    evidence = share_larger((a, n), (b, m))
    sentence = (
        f"You missed {a} of {n} {name} ({100 * a / n:.0f} %) but {b} of {m} {others} ({100 * b / m:.0f} %): "
        f"{100 * evidence.effect:.0f} points more ({100 * evidence.low:.0f} to {100 * evidence.high:.0f})."
    )
    return Check(kind, evidence, sentence, images_with_most(score, score.truth.image[objects[missed & chosen]]))


def _extra_labels(score: SubmissionScore) -> list[Check]:
    """For each label the student used, whether it is drawn in vain more often than the others."""
    extra = score.extra[score.extra_counts]
    drawn = np.concatenate([score.match_student, extra])
    label, vain = score.submission.label[drawn], np.arange(drawn.size) >= score.match_student.size
    checks = []
    for place in np.flatnonzero(np.bincount(label, minlength=1) >= FEWEST):
        own = label == place
        n, m = int(np.count_nonzero(own)), int(np.count_nonzero(~own))
        if m < FEWEST:
            continue
        a, b = int(np.count_nonzero(vain & own)), int(np.count_nonzero(vain & ~own))
        evidence = share_larger((a, n), (b, m))
        sentence = (
            f"{a} of your {n} annotations labelled {score.submission.labels[place]!r} are not in the ground truth "
            f"({100 * a / n:.0f} %), against {b} of {m} others ({100 * b / m:.0f} %). Draw it only where it is."
        )
        checks.append(
            Check("extra class", evidence, sentence, images_with_most(score, score.student_image[drawn[own & vain]]))
        )
    return checks


KIND_SENTENCES = {
    ErrorKind.DUPLICATE: "are second ones of an object ({interval}). Draw each object once.",
    ErrorKind.WRONG_TOOL: "are drawn with the wrong tool ({interval}). Use the shape that is asked for.",
    ErrorKind.NEAR_MISS: "are too far off to count ({interval}). Zoom in before you draw.",
    ErrorKind.MERGED: "stand for objects that were drawn together ({interval}). Draw each object by itself.",
    ErrorKind.SPLIT: "are parts of one object ({interval}). Draw an object as one.",
}
"""What is said of a kind of error that is more frequent than slips, after "3 of your 90 annotations"."""


def _frequent_kinds(score: SubmissionScore) -> list[Check]:
    """Kinds of error that are more frequent than slips."""
    n = score.match_student.size + score.extra.size
    if n < FEWEST:
        return []
    return [_kind_check(score, kind, n, sentence) for kind, sentence in KIND_SENTENCES.items()]


def _kind_check(score: SubmissionScore, kind: ErrorKind, n: int, sentence: str) -> Check:
    rows = np.flatnonzero(score.findings.kind == kind)
    image = _image_of(score, rows)
    count = min(rows.size, n)
    evidence = share_above(count, n, USUAL_SLIPS)
    text = f"{count} of your {n} annotations {sentence.format(interval=per_cent(evidence))}"
    return Check(kind.word, evidence, text, images_with_most(score, image))


def _image_of(score: SubmissionScore, rows: Places) -> Places:
    student = score.findings.student[rows]
    return score.student_image[student[student >= 0]]
