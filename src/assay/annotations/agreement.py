"""How far annotators agree with each other, without a ground truth.

Annotations of several people that stand for one object are gathered; each person then gave the object a label or, if
the image was hers and she drew nothing there, the answer "not annotated". These answers are what alpha measures.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.annotations.grading.completeness import f_beta
from assay.annotations.matching.alignment import align
from assay.annotations.matching.counted_labels import without_other_labels
from assay.annotations.matching.keys import KeyPairs
from assay.annotations.matching.labels import common_names
from assay.annotations.matching.pairing import Pairing, pair_annotations
from assay.annotations.matching.prepared_truth import PreparedTruth, crowd_of, prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.arrays import freeze_arrays
from assay.annotations.shapes.images import ABSENT, ImageNames, pair_images
from assay.errors import InputError
from assay.metrics.bins import leaving_out_each
from assay.metrics.intervals import BLOCKS, Estimate, Resampling
from assay.metrics.pairs import Scores
from assay.metrics.patterns import RatingPatterns
from assay.metrics.reliability import krippendorff_alpha_nominal, why_undefined

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class GatheredObjects:
    """Objects as several annotators drew them: at most one annotation of each annotator."""

    images: tuple[Image, ...]
    image: Places
    """For each object, its place in `images`."""
    members: Places
    """(objects, annotators): place of the annotation in its set, -1 where that annotator has none."""
    seen: NDArray[np.bool_]
    """(images, annotators): whether the annotator's file lists the image."""

    def __post_init__(self) -> None:
        freeze_arrays(self)


@dataclass(frozen=True, eq=False, slots=True)
class Agreement:
    """Annotators against each other; matrices are (annotators, annotators), 0 to 100, NaN where undefined."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    found: Scores
    """Completeness of one against the other, misses and extras counting alike (F1)."""
    localisation: Scores
    """Mean similarity of what both found."""
    label: Scores
    """Share of what both found that bears the same label."""
    alpha: Estimate
    """Krippendorff's alpha (nominal) of the labels, "not annotated" being one of them; interval over images."""
    objects: GatheredObjects
    answers: Scores
    """(objects, annotators): number of the label, len(labels) for "not annotated", NaN when the image was not seen."""

    def __post_init__(self) -> None:
        freeze_arrays(self)


def measure_agreement(sets: Mapping[str, AnnotationSet], rubric: Rubric | None = None) -> Agreement:
    """The agreement of two or more annotators.

    Objects that nobody drew cannot be counted, so alpha knows no joint "not annotated": it is lower than for raters
    who judge given items. Source: Krippendorff (2019), Content Analysis, chapter 12, for alpha.
    """
    if len(sets) < 2:
        raise InputError("Agreement needs the files of at least two annotators.", field="files")
    # an image that one of two annotators never had says nothing about either
    rules = replace(rubric or Rubric(), missing_images="skip", extra_images="ignore")
    prepared = [prepare_truth(without_other_labels(own, rules), rules) for own in sets.values()]
    pairings = {
        (i, j): _paired(prepared[i], prepared[j].annotations, rules) for i, j in combinations(range(len(sets)), 2)
    }
    objects = gather_objects([p.annotations for p in prepared], {pair: p for pair, (p, _) in pairings.items()})
    labels, places = common_names(*(own.labels for own in sets.values()), separators_alike=rules.separators_alike)
    answers = _answers(objects, [p.annotations for p in prepared], places, len(labels))
    matrices = _matrices(prepared, pairings, places)
    return Agreement(tuple(sets), labels, *matrices, _alpha(answers, objects.image), objects, answers)


@dataclass(frozen=True, slots=True)
class _Counts:
    """Annotations on images both annotators have."""

    first: int
    second: int


def _paired(truth: PreparedTruth, other: AnnotationSet, rubric: Rubric) -> tuple[Pairing, _Counts]:
    scene, _ = align(truth, other, rubric)
    none = np.empty(0, np.intp)
    pairing = pair_annotations(scene, KeyPairs(none, none, none, none))
    counts = _Counts(int(np.count_nonzero(scene.truth_counts)), int(np.count_nonzero(scene.student_counts)))
    return pairing, counts


def _matrices(
    prepared: list[PreparedTruth],
    pairings: Mapping[tuple[int, int], tuple[Pairing, _Counts]],
    places: list[NDArray[np.int32]],
) -> tuple[Scores, Scores, Scores]:
    n = len(prepared)
    found, place, label = (np.full((n, n), np.nan) for _ in range(3))
    for matrix in (found, place, label):
        np.fill_diagonal(matrix, 100.0)
    for (i, j), (pairing, counts) in pairings.items():
        both = pairing.truth.size
        if counts.first + counts.second:
            found[i, j] = found[j, i] = 100 * f_beta(both, counts.first - both, counts.second - both, beta=1.0)
        if both:
            ours = places[i][prepared[i].annotations.label[pairing.truth]]
            theirs = places[j][prepared[j].annotations.label[pairing.student]]
            place[i, j] = place[j, i] = 100 * float(pairing.similarity.mean())
            label[i, j] = label[j, i] = 100 * float((ours == theirs).mean())
    return found, place, label


def gather_objects(sets: list[AnnotationSet], pairings: Mapping[tuple[int, int], Pairing]) -> GatheredObjects:
    """Annotations of one object, from the pairs of every two annotators.

    Pairs are joined from the most to the least similar; a pair that would give an object two annotations of one
    annotator is left out.
    """
    images, numbers = _all_images(sets)
    seen = np.zeros((len(images), len(sets)), bool)
    for column, number in enumerate(numbers):
        seen[number, column] = True
    offset = np.cumsum([0, *(len(own) for own in sets)])
    group = list(range(int(offset[-1])))
    groups: dict[int, dict[int, int]] = {}
    for column, own in enumerate(sets):
        groups |= {int(offset[column]) + i: {column: i} for i in np.flatnonzero(~crowd_of(own)).tolist()}
    for first, second in _strongest_first(pairings, offset):
        a, b = group[first], group[second]
        if a != b and not groups[a].keys() & groups[b].keys():
            for column, index in groups[b].items():
                group[int(offset[column]) + index] = a
            groups[a] |= groups.pop(b)
    members = np.full((len(groups), len(sets)), ABSENT, dtype=np.intp)
    image = np.zeros(len(groups), dtype=np.intp)
    for row, own_members in enumerate(groups.values()):
        for column, index in own_members.items():
            members[row, column] = index
            image[row] = numbers[column][sets[column].image[index]]
    order = np.lexsort((*members.T[::-1], image))
    return GatheredObjects(images, image[order], members[order], seen)


def _strongest_first(pairings: Mapping[tuple[int, int], Pairing], offset: NDArray[np.int64]) -> list[tuple[int, int]]:
    edges = [
        (-similarity, int(offset[i]) + t, int(offset[j]) + s)
        for (i, j), pairing in pairings.items()
        for t, s, similarity in zip(
            pairing.truth.tolist(), pairing.student.tolist(), pairing.similarity.tolist(), strict=True
        )
    ]
    return [(first, second) for _, first, second in sorted(edges)]


def _all_images(sets: list[AnnotationSet]) -> tuple[tuple[Image, ...], list[Places]]:
    """The images of all sets, and each set's places in them."""
    images: list[Image] = []
    numbers = []
    for own in sets:
        place = pair_images(ImageNames.of(images), ImageNames.of(own.images)) if images else None
        number = np.full(len(own.images), ABSENT, dtype=np.intp) if place is None else place
        for index in np.flatnonzero(number == ABSENT):
            number[index] = len(images)
            images.append(own.images[index])
        numbers.append(number)
    return tuple(images), numbers


def _answers(
    objects: GatheredObjects, sets: list[AnnotationSet], places: list[NDArray[np.int32]], nothing: int
) -> Scores:
    answers = np.full(objects.members.shape, np.nan)
    for column, own in enumerate(sets):
        drawn = objects.members[:, column] != ABSENT
        answers[drawn, column] = places[column][own.label[objects.members[drawn, column]]]
        answers[~drawn & objects.seen[objects.image, column], column] = nothing
    return answers


def _alpha(answers: Scores, image: Places) -> Estimate:
    """Alpha with its interval over images."""
    if not len(answers):
        return Estimate(reason="nobody annotated anything")
    _, number = np.unique(image, return_inverse=True)
    blocks = int(min(number.max() + 1, BLOCKS))
    tally = RatingPatterns.of(answers, blocks=(number % BLOCKS).astype(np.int64), n_blocks=blocks)
    value = float(np.asarray(krippendorff_alpha_nominal(tally.merged())))
    replicates = np.asarray(krippendorff_alpha_nominal(tally.combined(leaving_out_each)))
    occupied = tally.count.sum(axis=-1)
    reason = why_undefined(tally.merged(), item="image")
    estimate = Resampling.jackknife(item="image").estimate(value, replicates, occupied, reason=reason)
    return Estimate(estimate.value, max(estimate.low, -1.0), min(estimate.high, 1.0), estimate.reason)
