"""What a person looked at when they decided, as a digest: a decision holds only while this stays the same.

A decision may be about one finding (`match:T:S`, `label:T:S`, `attribute:T:S:NAME`, `miss:T`, `extra:S`, and
`finding:` before any of these for "this error is right"), about an image (`image:NAME`: everything on it was looked at)
or about the submission (`score`). T and S are places in the ground truth and in the submission.
"""

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.shapes.annotation_set import AnnotationSet

FINDING, IMAGE, SUBMISSION = "finding:", "image:", "score"


def is_review(target: str) -> bool:
    """Whether a target is only looked at: a decision about it changes no score."""
    return target == SUBMISSION or target.startswith((FINDING, IMAGE))


def seen_digest(score: SubmissionScore, target: str) -> str:
    """The digest of what a decision about a target is about; "" when the score has no such thing.

    Of a finding it is the two objects themselves, so that other weights leave it as it is. Of an image or a submission
    it is what was matched, missed and extra, and which labels and attributes differ.
    """
    if target == SUBMISSION:
        return _digest(line for index in np.flatnonzero(score.in_scope) for line in _image(score, int(index)))
    if target.startswith(IMAGE):
        name = target.removeprefix(IMAGE)
        index = next((int(i) for i in np.flatnonzero(score.in_scope) if score.images[i].name == name), -1)
        return _digest(_image(score, index)) if index >= 0 else ""
    kind, *places = target.removeprefix(FINDING).split(":", 3)
    numbers = [int(place) for place in places[:2] if place.isascii() and place.isdigit() and len(place) < 12]
    match kind, numbers:
        case "miss", [truth] if truth in score.missed:
            return _digest(["missed", _object(score.truth, truth)])
        case "extra", [student] if student in score.extra:
            return _digest(["extra", _object(score.submission, student)])
        case (("match" | "label" | "attribute"), [truth, student, *_]) if _is_match(score, truth, student):
            return _digest([_object(score.truth, truth), _object(score.submission, student)])
    return ""


def reviewed_images(score: SubmissionScore, targets: Iterable[str]) -> tuple[int, int]:
    """How many of the scored images were looked at, and how many there are."""
    names = {target.removeprefix(IMAGE) for target in targets if target.startswith(IMAGE)}
    scored = [score.images[index].name for index in np.flatnonzero(score.in_scope)]
    return sum(name in names for name in scored), len(scored)


def _is_match(score: SubmissionScore, truth: int, student: int) -> bool:
    return bool(np.any((score.match_truth == truth) & (score.match_student == student)))


def _object(annotations: AnnotationSet, place: int) -> str:
    """An annotation as it was drawn: image, label, kind, bounds, attributes."""
    label, image = annotations.labels[annotations.label[place]], annotations.images[annotations.image[place]].name
    drawn = (*annotations.bounds[place].tolist(), float(annotations.rotation[place]))
    attributes = sorted((name, str(value)) for name, value in annotations.attributes.get(place, {}).items())
    return repr((image, label, int(annotations.kind[place]), drawn, attributes))


def _image(score: SubmissionScore, index: int) -> Iterator[str]:
    """Everything on an image that a person could see: pairs with what differs in them, misses, extras."""
    yield score.images[index].name
    on_truth, on_student = score.truth.image, score.student_image
    for row in np.flatnonzero(on_truth[score.match_truth] == index):
        truth, student = int(score.match_truth[row]), int(score.match_student[row])
        differs = [c.rule.name for c in score.comparisons if np.any(c.similarity[c.rows == row] < 1)]
        yield repr((_object(score.truth, truth), _object(score.submission, student), score.label[row] < 1, differs))
    yield from (f"missed {_object(score.truth, int(t))}" for t in score.missed if on_truth[t] == index)
    yield from (f"extra {_object(score.submission, int(s))}" for s in score.extra if on_student[s] == index)


def _digest(lines: Iterable[str]) -> str:
    total = hashlib.sha256()
    for line in lines:
        total.update(line.encode("utf-8", "surrogatepass") + b"\0")
    return total.hexdigest()
