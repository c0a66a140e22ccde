"""Is something wrong more often than by chance: tools, classes and attributes, objects missed, annotations in vain?

Each check says what it is about, with its evidence, and how the submission would be without it. The order of the
functions in `CHECKS` is that of causes: what comes first explains what comes later, never the other way round.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from assay.annotations.diagnosis.corrections import with_labels, with_objects, with_tools, with_values, without
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
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.annotations.matching.text_similarity import as_text, common_names, normalised
from assay.annotations.shapes.annotation_set import AnnotationSet, image_sizes
from assay.annotations.shapes.attributes import EMPTY, Comparisons

NOTHING: Places = np.empty(0, np.intp)
PLAINLY_MISSED = (ErrorKind.NOT_FOUND,)
"""A near miss was found, one of several drawn together was seen: neither was overlooked."""


def _shown_by(score: SubmissionScore, kind: ErrorKind) -> tuple[Places, Places]:
    """Objects and annotations of the errors of one kind."""
    rows = score.findings.kind == kind
    truth, student = score.findings.truth[rows], score.findings.student[rows]
    return np.unique(truth[truth >= 0]).astype(np.intp), np.unique(student[student >= 0]).astype(np.intp)


# ---- tools and repetitions -------------------------------------------------------------------------------------------

KIND_SENTENCES = {
    ErrorKind.DUPLICATE: "repeat an object you had already drawn ({interval}). Draw each object once.",
    ErrorKind.WRONG_TOOL: "are drawn with the wrong tool ({interval}). {remedy}",
    ErrorKind.NEAR_MISS: "are on an object but too far off to count ({interval}). Zoom in before you draw.",
    ErrorKind.MERGED: "enclose several objects at once ({interval}). Draw each object by itself.",
    ErrorKind.SPLIT: "are parts of one object ({interval}). Draw an object as one shape.",
}
"""What is said of a kind of error that is more frequent than slips, after "3 of your 90 annotations"."""


def _frequent(kind: ErrorKind, score: SubmissionScore, truth: PreparedTruth) -> list[Check]:
    """A kind of error that may be more frequent than slips."""
    n = score.match_student.size + score.extra.size
    if n < FEWEST:
        return []
    objects, students = _shown_by(score, kind)
    count = min(students.size, n)
    evidence = share_above(count, n, USUAL_SLIPS)
    remedy = _tool_words(score, objects) if kind == ErrorKind.WRONG_TOOL else ""
    said = KIND_SENTENCES[kind].format(interval=per_cent(evidence), remedy=remedy)
    text = f"{count} of your {n} annotations {said}"
    images = images_with_most(score, score.student_image[students])
    undo = partial(_without_kind, kind, score, truth, objects, students)
    return [Check(kind.word, evidence, text, images, undo, objects, students)]


def _tool_words(score: SubmissionScore, objects: Places) -> str:
    """The tool that the ground truth has for most of these objects."""
    kinds = np.bincount(score.truth.kind[objects], minlength=1)
    words = {0: "boxes", 1: "polygons", 2: "masks", 3: "lines", 4: "points", 5: "skeletons", 6: "ellipses"}
    return f"Use {words.get(int(np.argmax(kinds)), 'the shape that is asked for')} for these objects."


def _without_kind(
    kind: ErrorKind, score: SubmissionScore, truth: PreparedTruth, objects: Places, students: Places
) -> AnnotationSet:
    own = score.submission
    if kind == ErrorKind.DUPLICATE:
        return without(own, students)
    rows = score.findings.kind == kind
    pairs = score.findings.truth[rows].astype(np.intp), score.findings.student[rows].astype(np.intp)
    if kind == ErrorKind.WRONG_TOOL:
        return with_tools(own, score.truth, pairs[1], pairs[0])
    missed = objects[np.isin(objects, score.missed)]
    extra = students[np.isin(students, score.extra)]
    return with_objects(without(own, extra), truth, missed)


# ---- classes and attributes ------------------------------------------------------------------------------------------


def _confusions(score: SubmissionScore, _: PreparedTruth) -> list[Check]:
    """For each class, whether its objects receive one certain other label too often.

    The other label is the most frequent one, so its p value is multiplied by the number of labels it was chosen from.
    """
    alike = score.rubric.separators_alike
    names, (ours, theirs) = common_names(score.truth.labels, score.submission.labels, separators_alike=alike)
    rows = score.findings.kind == ErrorKind.WRONG_CLASS  # with labels that must agree these are no matches
    rows &= score.findings.miss_rows >= 0
    t = np.concatenate([score.match_truth, score.findings.truth[rows]]).astype(np.intp)
    s = np.concatenate([score.match_student, score.findings.student[rows]]).astype(np.intp)
    if not t.size:
        return []
    right, given = ours[score.truth.label[t]], theirs[score.submission.label[s]]
    n = len(names)
    counts = np.bincount(right.astype(np.int64) * n + given, minlength=n * n).reshape(n, n)
    total = counts.sum(axis=1)
    np.fill_diagonal(counts, 0)
    checks = []
    for label in np.flatnonzero(total >= FEWEST):
        other = int(np.argmax(counts[label]))
        share = share_above(int(counts[label, other]), int(total[label]), USUAL_SLIPS)
        evidence = replace(share, p=min(1.0, share.p * max(n - 1, 1)))
        advice = "Look again at how the two differ." if other in ours else "Check how it is spelled."
        sentence = (
            f"You labeled {counts[label, other]} of {total[label]} objects of class {names[label]!r} as "
            f"{names[other]!r} ({per_cent(evidence)}). {advice}"
        )
        confused = np.flatnonzero((right == label) & (given == other))
        images = images_with_most(score, score.truth.image[t[confused]])
        written = tuple(score.truth.labels[i] for i in score.truth.label[t[confused]].tolist())
        undo = partial(with_labels, score.submission, s[confused], written)
        checks.append(Check("confusion", evidence, sentence, images, undo, t[confused], s[confused]))
    return checks


FORGOTTEN = "You left {name!r} empty on {count} of {n} objects that have it ({interval}). Fill it in on every object."
CONSTANT = (
    "You set {name!r} to {value!r} on {all} of {filled} objects; on {count} of them it is something else. Look at each "
    "object before you set it."
)
MISTAKEN = (
    "{name!r} differs from the ground truth on {count} of {n} objects where you filled it in ({interval}). Look again "
    "at what its values mean."
)
CONSTANT_SHARE = 0.95
"""An attribute with one value on so many objects was hardly looked at."""


def _attributes(score: SubmissionScore, _: PreparedTruth) -> list[Check]:
    """For each attribute, whatever the label: left empty too often, always at one value, wrong where filled."""
    by_name: dict[str, list[Comparisons]] = {}
    for compared in score.comparisons:
        by_name.setdefault(normalised(compared.rule.name), []).append(compared)
    checks = []
    for compared_alike in by_name.values():
        name = compared_alike[0].rule.name
        rows = np.concatenate([compared.rows for compared in compared_alike])
        similarity = np.concatenate([compared.similarity for compared in compared_alike])
        column = score.student_attributes.column(name)
        codes = column.codes[score.match_student[rows]]
        empty = codes == EMPTY
        filled, wrong = rows[~empty], rows[~empty][similarity[~empty] < 1]
        asked = [("forgotten attribute", rows, rows[empty], FORGOTTEN)]
        constant = _constant_value(codes[~empty])
        if constant is not None and wrong.size:
            given = np.count_nonzero(codes == constant)
            said = {"value": as_text(column.values[constant]), "all": given, "filled": filled.size}
            others = rows[codes == constant][similarity[codes == constant] < 1]
            text = CONSTANT.format(name=name, count=others.size, **said)
            asked.append(("constant attribute", filled, others, text.replace("{", "{{").replace("}", "}}")))
        else:
            asked.append(("wrong attribute", filled, wrong, MISTAKEN))
        for kind, of, bad, sentence in asked:
            if of.size >= FEWEST:
                checks.append(_attribute_check(score, name, kind, of.size, bad, sentence))
    return checks


def _constant_value(codes: Places) -> int | None:
    """The value that nearly all annotations have, if there is one."""
    if not codes.size:
        return None
    counts = np.bincount(codes)
    return int(np.argmax(counts)) if counts.max() >= CONSTANT_SHARE * codes.size else None


def _attribute_check(score: SubmissionScore, name: str, kind: str, asked: int, wrong: Places, sentence: str) -> Check:
    evidence = share_above(wrong.size, asked, USUAL_SLIPS)
    text = sentence.format(name=name, count=wrong.size, n=asked, interval=per_cent(evidence))
    t, s = score.match_truth[wrong], score.match_student[wrong]
    column = score.truth_attributes.column(name)
    undo = partial(with_values, score.submission, name, s, [column.value(int(i)) for i in t])
    return Check(kind, evidence, text, images_with_most(score, score.truth.image[t]), undo, t, s)


# ---- objects that were overlooked ------------------------------------------------------------------------------------


def _worked_on(score: SubmissionScore) -> Mask:
    """Images with at least one annotation of the student."""
    return np.bincount(score.student_image, minlength=len(score.images)) > 0


def _skipped(score: SubmissionScore, truth: PreparedTruth) -> list[Check]:
    objects = _objects(score)
    expected = np.bincount(score.truth.image[objects], minlength=len(score.images)) > 0
    if np.count_nonzero(expected) < FEWEST:
        return []
    skipped = np.flatnonzero(expected & ~_worked_on(score))
    evidence = share_above(skipped.size, int(np.count_nonzero(expected)), USUAL_SLIPS)
    drew = f"You drew nothing on {skipped.size} of {evidence.n} images that have objects ({per_cent(evidence)})."
    images = tuple(score.images[i].name for i in skipped[:5])
    missed = objects[np.isin(score.truth.image[objects], skipped)]
    undo = partial(with_objects, score.submission, truth, missed)
    return [Check("skipped images", evidence, f"{drew} Open every image.", images, undo, missed, NOTHING)]


def _objects(score: SubmissionScore) -> Places:
    return np.concatenate([score.match_truth, score.missed[score.missed_counts]])


SMALL_SHARES = (1 / 5, 1 / 3)
"""The smallest fifth or third of the objects."""
BANDS = (1 / 5, 1 / 3)
"""A strip along one side of the image, as a share of it."""
SIDES = ("left", "top", "right", "bottom")


def _missed(score: SubmissionScore, truth: PreparedTruth) -> list[Check]:
    """Small objects, those near one side or at the border, and each class, against the rest.

    Images on which the student drew nothing are told apart: whoever skips an image misses all that is on it, which
    says nothing about small objects or certain classes.
    """
    objects = _objects(score)
    objects = objects[_worked_on(score)[score.truth.image[objects]]]
    rows = np.isin(score.findings.kind, PLAINLY_MISSED)
    missed = np.isin(objects, score.findings.truth[rows]) & np.isin(objects, score.missed)
    if objects.size < 2 * FEWEST:
        return []
    groups = [*_sizes(score, objects), *_regions(score, objects)]
    label = score.truth.label[objects]
    for place in np.flatnonzero(np.bincount(label, minlength=1) >= FEWEST):
        name = f"objects of class {score.truth.labels[place]!r}"
        groups.append((label == place, "missed class", name, "others"))
    checks = []
    for chosen, kind, name, others in groups:
        n, m, a, b = (int(np.count_nonzero(which)) for which in (chosen, ~chosen, missed & chosen, missed & ~chosen))
        if min(n, m) >= FEWEST:
            sentence = (
                f"You missed {a} of {n} {name} ({100 * a / n:.0f} %) but {b} of {m} {others} ({100 * b / m:.0f} %). "
                f"{_LOOK[kind]}"
            )
            own = objects[missed & chosen]
            images = images_with_most(score, score.truth.image[own])
            undo = partial(with_objects, score.submission, truth, own)
            checks.append(Check(kind, share_larger((a, n), (b, m)), sentence, images, undo, own, NOTHING))
    return checks


_LOOK = {
    "small object": "Zoom in and go through each image once more.",
    "border object": "Follow the edge of each image once more.",
    "region": "Go through that part of each image once more.",
    "missed class": "Go through the images once more for these alone.",
}
Group = tuple[Mask, str, str, str]
"""Which objects, the kind of check, what they are called, and what the others are."""


def _sizes(score: SubmissionScore, objects: Places) -> list[Group]:
    bounds = score.truth.bounds[objects]
    area = np.maximum(bounds[:, 2:] - bounds[:, :2], 0).prod(axis=1)
    groups = []
    for share in SMALL_SHARES:
        largest = float(np.quantile(area, share))
        name = f"objects smaller than about {np.sqrt(largest):.0f} x {np.sqrt(largest):.0f} px"
        groups.append((area <= largest, "small object", name, "larger ones"))
    return groups


def _regions(score: SubmissionScore, objects: Places) -> list[Group]:
    """Objects that touch the edge of their image, and those near one side, where its size is known."""
    bounds = score.truth.bounds[objects]
    sizes = image_sizes(score.images)[score.truth.image[objects]]
    known = (sizes > 0).all(axis=1)
    touches = (bounds[:, :2] <= 1).any(axis=1) | (bounds[:, 2:] >= sizes - 1).any(axis=1)
    groups: list[Group] = [(np.asarray(touches & known), "border object", "objects at the edge of the image", "others")]
    middle = (bounds[:, :2] + bounds[:, 2:]) / 2 / np.where(sizes > 0, sizes, 1)
    for number, side in enumerate(SIDES):
        along = middle[:, number % 2]
        for band, word in zip(BANDS, ("fifth", "third"), strict=True):
            near = along < band if number < 2 else along > 1 - band
            groups.append((near & known, "region", f"objects in the {side} {word} of the image", "others"))
    return groups


# ---- annotations in vain ---------------------------------------------------------------------------------------------


def _extra_labels(score: SubmissionScore, _: PreparedTruth) -> list[Check]:
    """For each label the student used, whether it is drawn where nothing is more often than the others.

    Only what lies on no object counts: a near miss is to be drawn better, not to be left out.
    """
    rows = score.findings.kind == ErrorKind.NOTHING_THERE
    extra = score.extra[score.extra_counts]
    extra = extra[np.isin(extra, score.findings.student[rows])]
    drawn = np.concatenate([score.match_student, extra])
    label, vain = score.submission.label[drawn], np.arange(drawn.size) >= score.match_student.size
    checks = []
    for place in np.flatnonzero(np.bincount(label, minlength=1) >= FEWEST):
        own = label == place
        n, m, a, b = (int(np.count_nonzero(which)) for which in (own, ~own, vain & own, vain & ~own))
        if m >= FEWEST:
            sentence = (
                f"{a} of your {n} annotations labeled {score.submission.labels[place]!r} lie where the ground truth "
                f"has no object ({100 * a / n:.0f} %), against {b} of {m} others ({100 * b / m:.0f} %). Draw it only "
                f"where it is."
            )
            students = drawn[own & vain]
            images = images_with_most(score, score.student_image[students])
            undo = partial(without, score.submission, students)
            checks.append(Check("extra class", share_larger((a, n), (b, m)), sentence, images, undo, NOTHING, students))
    return checks


CHECKS: Sequence[Callable[[SubmissionScore, PreparedTruth], list[Check]]] = (
    partial(_frequent, ErrorKind.WRONG_TOOL),
    partial(_frequent, ErrorKind.DUPLICATE),
    _skipped,
    _confusions,
    _attributes,
    partial(_frequent, ErrorKind.MERGED),
    partial(_frequent, ErrorKind.SPLIT),
    _missed,
    _extra_labels,
    partial(_frequent, ErrorKind.NEAR_MISS),
)
"""What is asked of a submission, causes before what they cause."""
BEFORE_PLACEMENT = 1
"""So many of them come before the question where shapes lie, which explains all that follows."""
