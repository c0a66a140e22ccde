"""What scoring a submission gives: `SubmissionScore`, and the parts of it, made when they are asked for.

All scores and shares are in points of 100. A large submission is held in columns; `matches()`, `misses()`, `extras()`
and `images()` turn them into objects, one image at a time if wished.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np
from numpy.typing import NDArray

from assay.annotations.detection_metrics.figures import Benchmarks
from assay.annotations.diagnosis.error_kinds import ErrorKind, Findings
from assay.annotations.grading import parts as score_parts
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, Image
from assay.annotations.shapes.arrays import FrozenArrays
from assay.annotations.shapes.attributes import AttributeColumns, Comparisons
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class SubmissionScore(FrozenArrays):
    """A submission scored against the ground truth, in columns: entry i of the match columns is match i."""

    rubric: Rubric
    truth: AnnotationSet
    submission: AnnotationSet
    truth_attributes: AttributeColumns
    student_attributes: AttributeColumns
    images: tuple[Image, ...]
    """Those of the ground truth, then those that only the submission has."""
    listed: NDArray[np.bool_]
    """For each image, whether the submission lists it."""
    in_scope: NDArray[np.bool_]
    """For each image, whether it is scored."""
    student_image: Places
    """For each annotation of the submission, its place in `images`."""
    match_truth: Places
    match_student: Places
    localisation: Scores
    """0 to 1, as are `label` and `attributes`."""
    label: Scores
    attributes: Scores
    """NaN where no attribute applies."""
    by_key: NDArray[np.bool_]
    comparisons: tuple[Comparisons, ...]
    missed: Places
    """Places in the ground truth."""
    extra: Places
    """Places in the submission."""
    findings: Findings
    not_scored: dict[str, int]
    """Annotations left out, by reason; with matched, missed and extra they add up to all."""
    notes: tuple[FileProblem, ...] = ()
    tracks: score_parts.TrackIdentity | None = None
    benchmarks: Benchmarks = Benchmarks()  # noqa: RUF009 - frozen
    """What benchmarks would say of it; no part of the score."""
    match_override: Scores | None = None
    """The score a person gave a match, 0 to 100; NaN where nobody did."""
    excused: NDArray[np.bool_] | None = None
    """For each of `missed`, whether a person excused it."""
    accepted: NDArray[np.bool_] | None = None
    """For each of `extra`, whether a person accepted it."""
    original: "SubmissionScore | None" = None
    """The score before people changed it."""

    # ---- scores of matches -----------------------------------------------------------------------------------

    @cached_property
    def match_weights(self) -> Scores:
        """(matches, 3): the shares of localisation, label and attributes in each match; see `Rubric.no_attributes`."""
        shares = self.rubric.weights
        weights = np.tile(np.array(shares.of_match), (self.attributes.size, 1))
        if self.rubric.no_attributes == "renormalise":
            rest = shares.localisation + shares.label
            # with all weight on attributes there is nothing to renormalise: localisation stands in for them
            two = (shares.localisation / rest, shares.label / rest) if rest else (1.0, 0.0)
            weights[np.isnan(self.attributes)] = (*two, 0.0)
        return weights

    @cached_property
    def system_match_scores(self) -> Scores:
        """The score of each match by the rules alone, 0 to 100."""
        parts = np.column_stack([self.localisation, self.label, np.nan_to_num(self.attributes, nan=1.0)])
        return np.asarray(100 * (self.match_weights * parts).sum(axis=1))

    @cached_property
    def match_scores(self) -> Scores:
        """The score of each match, 0 to 100, as people left it."""
        if self.match_override is None:
            return self.system_match_scores
        return np.where(np.isnan(self.match_override), self.system_match_scores, self.match_override)

    # ---- totals ----------------------------------------------------------------------------------------------

    @cached_property
    def missed_counts(self) -> NDArray[np.bool_]:
        """For each of `missed`, whether it counts."""
        return np.ones(self.missed.size, bool) if self.excused is None else ~self.excused

    @cached_property
    def extra_counts(self) -> NDArray[np.bool_]:
        """For each of `extra`, whether it counts."""
        return np.ones(self.extra.size, bool) if self.accepted is None else ~self.accepted

    @cached_property
    def near_misses(self) -> tuple[int, int]:
        """How many of the missed objects that count are near misses, and how many of the extra annotations.

        They were drawn, and are to be drawn better: neither were they overlooked, nor should they be left out.
        """
        missed, extra = self._near
        return int(np.count_nonzero(missed & self.missed_counts)), int(np.count_nonzero(extra & self.extra_counts))

    @cached_property
    def near_miss_costs(self) -> tuple[float, float]:
        """What the missed objects and the extra annotations that are near misses cost."""
        missed, extra = self._near
        return float(self.missed_costs[missed].sum()), float(self.extra_costs[extra].sum())

    @cached_property
    def _near(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which of `missed` and of `extra` are near misses."""
        near = self.findings.kind == ErrorKind.NEAR_MISS
        rows = self.findings.miss_rows[near], self.findings.extra_rows[near]
        return np.isin(self.missed, rows[0]), np.isin(self.extra, rows[1])

    @cached_property
    def match_counts_as(self) -> Scores:
        """For each match, what its object weighs by its label; 1 unless the rules say otherwise."""
        return _by_label(self.truth, self.match_truth, {rule.name: rule.weight for rule in self.rubric.labels})

    @cached_property
    def missed_costs(self) -> Scores:
        """For each of `missed`, what it costs relative to what beta says; 0 when it was excused."""
        own = {rule.name: rule.weight * rule.miss_cost * self.rubric.miss_cost for rule in self.rubric.labels}
        return self.missed_counts * _by_label(self.truth, self.missed, own, self.rubric.miss_cost)

    @cached_property
    def extra_costs(self) -> Scores:
        """For each of `extra`, what it costs relative to what beta says; 0 when it was accepted."""
        own = {rule.name: rule.weight * rule.extra_cost * self.rubric.extra_cost for rule in self.rubric.labels}
        costs = self.extra_counts * _by_label(self.submission, self.extra, own, self.rubric.extra_cost)
        if self.rubric.duplicate_cost != 1:
            twice = self.findings.extra_rows[self.findings.kind == ErrorKind.DUPLICATE]
            costs[np.isin(self.extra, twice)] *= self.rubric.duplicate_cost
        return costs

    @cached_property
    def image_sums(self) -> Scores:
        """(8, images): sum of match scores, matches, missed, extra, images rightly left empty (when they count).

        The first four by what the rules let each object weigh or cost; then matches, missed and extra as plain counts.
        """
        n = len(self.images)
        of_match = self.truth.image[self.match_truth]
        missed, extra = self.truth.image[self.missed], self.student_image[self.extra]
        by_image = ((of_match, self.match_counts_as), (missed, self.missed_costs), (extra, self.extra_costs))
        weighed = [np.bincount(image, weights, n) for image, weights in by_image]
        listed = (of_match, missed[self.missed_counts], extra[self.extra_counts])
        counts = [np.bincount(image, minlength=n) for image in listed]
        points = np.bincount(of_match, self.match_counts_as * self.match_scores, n)
        sums = np.array([points, *weighed, np.zeros(n), *counts])
        if self.rubric.count_empty_images:
            empty = (np.bincount(self.truth.image, minlength=n) + np.bincount(self.student_image, minlength=n)) == 0
            sums[4] = self.in_scope & self.listed & empty & (np.arange(n) < len(self.truth.images))
        return sums

    @cached_property
    def tally(self) -> score_parts.Tally:
        """The whole submission."""
        return self.tally_of(self.image_sums.sum(axis=1))

    def tally_of(self, sums: Scores) -> score_parts.Tally:
        """Counts and scores from the sums of `image_sums`."""
        points, matched, missed, extra, empty, *counts = (float(x) for x in sums)
        q, c = self.rubric.weights.of_overall
        right = matched + empty
        vacuous = sum(counts) == 0
        quality = points / matched if matched else nan
        completeness = 100 * score_parts.f_beta(right, missed, extra, beta=self.rubric.beta)
        counted_quality = quality if matched else 100.0 if vacuous else 0.0
        plain = counts[0] + empty, *counts[1:]
        precision, recall = (100 * f(*plain) for f in (score_parts.precision, score_parts.recall))
        whole = q * counted_quality + c * completeness
        matches, misses, extras = map(int, counts)
        return score_parts.Tally(matches, misses, extras, quality, precision, recall, completeness, whole, vacuous)

    @property
    def overall(self) -> float:
        """The grade, 0 to 100, unrounded."""
        return self.tally.score

    @property
    def rounded(self) -> int:
        """The grade as it is shown, halves up."""
        return score_parts.rounded(self.tally.score)

    # ---- parts on demand -------------------------------------------------------------------------------------

    def match(self, number: int) -> score_parts.Match:
        """One match."""
        t, s = int(self.match_truth[number]), int(self.match_student[number])
        localisation, label, attributes = self.match_weights[number]
        return score_parts.Match(
            number=number,
            image=self.images[self.truth.image[t]].name,
            truth=t,
            student=s,
            truth_id=self.truth.ids[t],
            student_id=self.submission.ids[s],
            truth_label=self.truth.labels[self.truth.label[t]],
            student_label=self.submission.labels[self.submission.label[s]],
            localisation=100 * float(self.localisation[number]),
            label=100 * float(self.label[number]),
            attributes=100 * float(self.attributes[number]),
            score=float(self.match_scores[number]),
            weights=(float(localisation), float(label), float(attributes)),
            by_key=bool(self.by_key[number]),
            comparisons=tuple(self._comparisons(number, t, s)),
            original_score=float((self.original or self).match_scores[number]),
        )

    def _comparisons(self, number: int, t: int, s: int) -> Iterator[score_parts.AttributeComparison]:
        for compared in self._comparisons_by_label.get(int(self.truth.label[t]), ()):
            place = int(np.searchsorted(compared.rows, number))
            if place < compared.rows.size and compared.rows[place] == number:
                rule, alike = compared.rule, 100 * float(compared.similarity[place])
                ours = self.truth_attributes.column(rule.name).value(t)
                theirs = self.student_attributes.column(rule.name).value(s)
                yield score_parts.AttributeComparison(rule.name, ours, theirs, alike, rule.comparator, rule.weight)

    @cached_property
    def _comparisons_by_label(self) -> dict[int, list[Comparisons]]:
        labels = dict.fromkeys(compared.label for compared in self.comparisons)
        return {label: [compared for compared in self.comparisons if compared.label == label] for label in labels}

    def matches(self, image: int | None = None) -> Iterator[score_parts.Match]:
        """All matches, or those of one image."""
        of_image = self.truth.image[self.match_truth]
        yield from (self.match(int(i)) for i in _places(of_image, image))

    def misses(self, image: int | None = None) -> Iterator[score_parts.Miss]:
        """All missed objects, or those of one image."""
        for i in _places(self.truth.image[self.missed], image):
            t = int(self.missed[i])
            why = self.findings.of_miss[t]
            yield score_parts.Miss(
                image=self.images[self.truth.image[t]].name,
                truth=t,
                truth_id=self.truth.ids[t],
                label=self.truth.labels[self.truth.label[t]],
                why=why.kind,
                student_id="" if why.student is None else self.submission.ids[why.student],
                similarity=why.similarity,
                excused=not self.missed_counts[i],
            )

    def extras(self, image: int | None = None) -> Iterator[score_parts.Extra]:
        """All extra annotations, or those of one image."""
        for i in _places(self.student_image[self.extra], image):
            s = int(self.extra[i])
            why = self.findings.of_extra[s]
            yield score_parts.Extra(
                image=self.images[self.student_image[s]].name,
                student=s,
                student_id=self.submission.ids[s],
                label=self.submission.labels[self.submission.label[s]],
                why=why.kind,
                truth_id="" if why.truth is None else self.truth.ids[why.truth],
                similarity=why.similarity,
                accepted=not self.extra_counts[i],
            )

    def image_score(self, index: int) -> score_parts.ImageScore:
        """One image."""
        tally = self.tally_of(self.image_sums[:, index])
        return score_parts.ImageScore(index, self.images[index].name, tally, bool(self.listed[index]))

    def image_scores(self) -> Iterator[score_parts.ImageScore]:
        """All images that are scored."""
        yield from (self.image_score(int(i)) for i in np.flatnonzero(self.in_scope))

    def errors(self) -> dict[ErrorKind, int]:
        """How often each kind of error occurs, most frequent first."""
        return self.findings.counts()


def _by_label(annotations: AnnotationSet, places: Places, own: Mapping[str, float], otherwise: float = 1.0) -> Scores:
    """For each annotation, what the rules say of its label."""
    if not annotations.labels:
        return np.full(places.size, otherwise)
    named = {normalised(name): value for name, value in own.items()}
    of_label = np.array([named.get(normalised(label), otherwise) for label in annotations.labels])
    return np.asarray(of_label[annotations.label[places]])


def _places(of_image: NDArray[np.int32] | Places, image: int | None) -> Places:
    return np.arange(of_image.size) if image is None else np.flatnonzero(of_image == image)
