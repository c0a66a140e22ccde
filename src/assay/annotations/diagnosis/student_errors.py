"""The errors of a student as things that another student may have made too."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import as_text, normalised
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.attributes import EMPTY

KINDS = ("missed", "label", "attribute", "shape", "extra")
MISSED, LABEL, ATTRIBUTE, SHAPE, EXTRA = range(len(KINDS))
DECISIONS, SHAPES = (MISSED, LABEL, ATTRIBUTE), (SHAPE, EXTRA)


class Error(NamedTuple):
    """One error. Two students make the same one when all of it is equal."""

    kind: int
    """Place in KINDS."""
    place: int
    """The object, or for an extra its image."""
    outcome: str
    """The wrong label or value, or the coordinates to a hundredth of a pixel."""
    sort: str
    """The habit it would belong to: taking vans for cars, leaving the colour empty."""

    def in_words(self, truth: AnnotationSet) -> str:
        if self.kind == EXTRA:
            return f"the same extra shape at {self.outcome}"
        image = truth.images[truth.image[self.place]].name
        name = f"{truth.labels[truth.label[self.place]]} {truth.ids[self.place]} on {image}"
        return f"{name}: {KINDS[self.kind]} {self.outcome}".rstrip()


def errors_of(score: SubmissionScore) -> list[Error]:
    """All errors of a student, each once."""
    errors = [Error(MISSED, t, "", "") for t in score.missed.tolist()]
    errors += [*_label_errors(score), *_attribute_errors(score), *_shapes(score)]
    return list(dict.fromkeys(errors))


def _label_errors(score: SubmissionScore) -> Iterator[Error]:
    for row in np.flatnonzero(score.label < 1):
        t, s = int(score.match_truth[row]), int(score.match_student[row])
        given = normalised(score.submission.labels[score.submission.label[s]])
        yield Error(LABEL, t, given, f"{normalised(score.truth.labels[score.truth.label[t]])} > {given}")


def _attribute_errors(score: SubmissionScore) -> Iterator[Error]:
    for compared in score.comparisons:
        name = normalised(compared.rule.name)
        ours, theirs = score.truth_attributes.column(name), score.student_attributes.column(name)
        for row in compared.rows[compared.similarity < 1]:
            t, s = int(score.match_truth[row]), int(score.match_student[row])
            given = "" if theirs.codes[s] == EMPTY else normalised(as_text(theirs.value(s)))
            yield Error(ATTRIBUTE, t, f"{name} = {given}", f"{name}: {normalised(as_text(ours.value(t)))} > {given}")


def _shapes(score: SubmissionScore) -> Iterator[Error]:
    """Shapes by their bounds; those that repeat the ground truth's own coordinates are no error."""
    drawn, right = np.round(score.submission.bounds, 2), np.round(score.truth.bounds, 2)
    off = (drawn[score.match_student] != right[score.match_truth]).any(axis=1)
    for t, s in zip(score.match_truth[off].tolist(), score.match_student[off].tolist(), strict=True):
        yield Error(SHAPE, t, _coordinates(drawn[s].tolist()), "")
    for s in score.extra.tolist():
        yield Error(EXTRA, int(score.student_image[s]), _coordinates(drawn[s].tolist()), "")


def _coordinates(edges: list[float]) -> str:
    return ", ".join(f"{edge:.2f}" for edge in edges)


def habit_rates(score: SubmissionScore) -> dict[tuple[int, str], float]:
    """How often a student makes each sort of error, of the times she could: missing at all, this label for that."""
    objects = score.match_truth.size + score.missed.size
    rates = {(MISSED, ""): score.missed.size / objects if objects else 0.0}
    of_label = Counter(normalised(score.truth.labels[i]) for i in score.truth.label[score.match_truth].tolist())
    for sort, count in Counter(error.sort for error in _label_errors(score)).items():
        rates[LABEL, sort] = count / of_label[sort.split(" > ")[0]]
    of_value = _value_counts(score)
    for sort, count in Counter(error.sort for error in _attribute_errors(score)).items():
        rates[ATTRIBUTE, sort] = count / of_value[sort.rsplit(" > ", 1)[0]]
    return rates


def _value_counts(score: SubmissionScore) -> Counter[str]:
    """How often each value of each attribute was to be given."""
    errors: Counter[str] = Counter()
    for compared in score.comparisons:
        name = normalised(compared.rule.name)
        column = score.truth_attributes.column(name)
        codes, counts = np.unique(column.codes[score.match_truth[compared.rows]], return_counts=True)
        for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
            errors[f"{name}: {normalised(as_text(column.values[code]))}"] += count
    return errors
