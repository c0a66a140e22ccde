"""Do two students share more unusual errors than chance explains? A question to ask, never a verdict.

For every error of one student (an object missed, a certain wrong label or value, a shape drawn in exactly the same
wrong place), how likely is it that the other makes the same one? The likelihood is taken from all further students
and from the other student's own habits, and is never below what so few students can show. The number of shared errors
is then compared with its expectation (Poisson), in both directions and apart for what was decided (missed, label,
attribute) and for where shapes lie, and all pairs are judged together (Holm).
With fewer than three further students nobody can tell hard objects from copied ones: only equal shapes count then.
Related: the K-index for copied test answers, Holland (1996).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import as_text, normalised
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.attributes import EMPTY
from assay.metrics.intervals import holm
from assay.metrics.pairs import Scores

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
    of_value: Counter[str] = Counter()  # how often each value of each attribute was to be given
    for compared in score.comparisons:
        name = normalised(compared.rule.name)
        column = score.truth_attributes.column(name)
        codes, counts = np.unique(column.codes[score.match_truth[compared.rows]], return_counts=True)
        for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
            of_value[f"{name}: {normalised(as_text(column.values[code]))}"] += count
    for sort, count in Counter(error.sort for error in _attribute_errors(score)).items():
        rates[ATTRIBUTE, sort] = count / of_value[sort.rsplit(" > ", 1)[0]]
    return rates


LEVEL = 0.01
FEWEST = 5
"""Fewer shared errors than this are not put before anybody."""
ENOUGH_OTHERS = 3
MOST_EXAMPLES = 5
"""Of the errors of a pair, those that the fewest others make."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SharedErrors:
    """Two students and the errors they have in common."""

    first: str
    second: str
    shared: int
    expected: float
    """How many shared errors chance explains."""
    p: float
    """Adjusted for all pairs."""
    examples: tuple[str, ...]

    @property
    def question(self) -> str:
        return (
            f"{self.first} and {self.second} share {self.shared} errors where chance explains about "
            f"{self.expected:.1f}. Did they work together, or from the same draft?"
        )


def shared_errors(scores: Mapping[str, SubmissionScore], truth: AnnotationSet) -> tuple[SharedErrors, ...]:
    """Pairs of students to ask, strongest evidence first."""
    errors = _Errors.of(scores.values())
    names = list(scores)
    # the errors of a pair are looked up again for the few pairs that are asked: those of all would not fit in memory
    adjusted = holm(np.array([errors.compared(a, b)[2] for a, b in combinations(range(len(names)), 2)]))
    asked = []
    for (a, b), p in zip(combinations(range(len(names)), 2), adjusted, strict=True):
        shared, expected, _ = errors.compared(a, b) if p < LEVEL else (np.empty(0, np.int64), 0.0, 1.0)
        if shared.size >= FEWEST:
            rarest = shared[np.lexsort((shared, errors.count[shared]))[:MOST_EXAMPLES]]
            examples = tuple(errors.distinct[number].in_words(truth) for number in rarest.tolist())
            asked.append(SharedErrors(names[a], names[b], shared.size, expected, float(p), examples))
    return tuple(sorted(asked, key=lambda pair: (pair.p, -pair.shared, pair.first, pair.second)))


@dataclass(frozen=True, eq=False, slots=True)
class _Errors:
    """The errors of all students, each distinct one with a number."""

    distinct: tuple[Error, ...]
    kind: Numbers
    """For each distinct error, its kind."""
    count: Numbers
    """For each distinct error, how many students make it."""
    errors: tuple[Numbers, ...]
    """For each student, the numbers of her errors, ascending."""
    usable: tuple[tuple[Numbers, ...], ...]
    """The same apart, what was decided and where shapes lie; of few students only the shapes."""
    sort: Numbers
    """For each distinct error, the number of its kind and sort."""
    habit: tuple[Scores, ...]
    """For each student and sort, how often she makes errors of that sort anyway."""
    totals: Scores
    """(students, kinds): how many errors each makes."""
    totals_of_all: Scores
    """(kinds): how many errors all make."""

    @classmethod
    def of(cls, scores: Iterable[SubmissionScore]) -> "_Errors":
        number: dict[Error, int] = {}
        made_by: list[Numbers] = []
        rates: list[Mapping[tuple[int, str], float]] = []
        for score in scores:
            missed = [Error(MISSED, t, "", "") for t in score.missed.tolist()]
            every = dict.fromkeys([*missed, *_label_errors(score), *_attribute_errors(score), *_shapes(score)])
            own = [number.setdefault(error, len(number)) for error in every]
            made_by.append(np.sort(np.array(own, dtype=np.int64)))
            rates.append(habit_rates(score))
        errors = tuple(made_by)
        sorts: dict[tuple[int, str], int] = {}
        sort = np.array([sorts.setdefault((e.kind, e.sort), len(sorts)) for e in number], dtype=np.int64)
        kind = np.array([error.kind for error in number], dtype=np.int64)
        count = np.bincount(np.concatenate(errors), minlength=len(number)) if errors else np.empty(0, np.int64)
        totals = np.array([np.bincount(kind[rows], minlength=len(KINDS)) for rows in errors], dtype=float)
        habit = tuple(np.array([own.get(one, 0.0) for one in sorts]) for own in rates)
        groups = (DECISIONS, SHAPES) if len(errors) - 2 >= ENOUGH_OTHERS else (SHAPES,)
        usable = tuple(tuple(rows[np.isin(kind[rows], group)] for rows in errors) for group in groups)
        return cls(tuple(number), kind, count, errors, usable, sort, habit, totals, totals.sum(axis=0))

    def compared(self, a: int, b: int) -> tuple[Numbers, float, float]:
        """Shared errors, how many are expected, and the larger of the two p values; of what tells more.

        What was decided and where shapes lie are two questions, and the p value is doubled for asking both: who draws
        the answers of another anew shares none of the many small errors of place, which would hide the others.
        """
        asked = [self._compared(a, b, errors) for errors in self.usable]
        shared, expected, p = min(asked, key=lambda one: one[2])
        return shared, expected, min(1.0, len(asked) * p)

    def _compared(self, a: int, b: int, usable: tuple[Numbers, ...]) -> tuple[Numbers, float, float]:
        mine, yours = usable[a], usable[b]
        shared, in_mine, in_yours = np.intersect1d(mine, yours, assume_unique=True, return_indices=True)
        if not shared.size:
            return shared, 0.0, 1.0
        ways = (self._expected(mine, in_mine, b, (a, b)), self._expected(yours, in_yours, a, (a, b)))
        p, expected = max((float(gammainc(shared.size, expected)), expected) for expected in ways)
        return shared, expected, p

    def _expected(self, errors: Numbers, shared: Numbers, copier: int, pair: tuple[int, int]) -> float:
        """How many of these errors, of which the other makes those at `shared`, she would make without seeing them."""
        others = len(self.errors) - 2
        by_others = self.count[errors] - 1
        by_others[shared] -= 1
        rate = (by_others + 0.5) / (others + 1)
        by_kind = self.totals_of_all - self.totals[pair[0]] - self.totals[pair[1]]
        usual = by_kind / others if others else np.zeros(len(KINDS))
        severity = np.maximum(np.divide(self.totals[copier], usual, out=np.ones(len(KINDS)), where=usual > 0), 1.0)
        likely = np.minimum(1.0, rate * severity[self.kind[errors]])
        return float(np.maximum(likely, self.habit[copier][self.sort[errors]]).sum())
