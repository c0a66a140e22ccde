"""How far annotators agree with each other, without a ground truth; and what most of those who saw an image drew.

Annotations of several people that stand for one object are gathered; each person then gave the object a label or, if
the image was hers and she drew nothing there, the answer "not annotated". These answers are what alpha measures.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.annotations.grading.parts import f_beta
from assay.annotations.matching.pairing import KeyPairs, Pairing, pair_annotations
from assay.annotations.matching.prepared_truth import (
    PreparedTruth,
    align,
    crowd_of,
    prepare_truth,
    without_other_labels,
)
from assay.annotations.matching.text_similarity import as_text, common_names, normalised
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.arrays import FrozenArrays
from assay.annotations.shapes.attributes import AttributeColumns
from assay.annotations.shapes.images import ABSENT, ImageNames, pair_images
from assay.annotations.shapes.shapes import Shape, ShapeKind
from assay.errors import InputError
from assay.metrics.bins import leaving_out_each
from assay.metrics.intervals import BLOCKS, Estimate, Resampling
from assay.metrics.pairs import Scores
from assay.metrics.patterns import RatingPatterns
from assay.metrics.reliability import krippendorff_alpha_nominal, why_undefined

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class GatheredObjects(FrozenArrays):
    """Objects as several annotators drew them: at most one annotation of each annotator."""

    images: tuple[Image, ...]
    image: Places
    """For each object, its place in `images`."""
    members: Places
    """(objects, annotators): place of the annotation in its set, -1 where that annotator has none."""
    seen: NDArray[np.bool_]
    """(images, annotators): whether the annotator's file lists the image."""


@dataclass(frozen=True, eq=False, slots=True)
class Agreement(FrozenArrays):
    """Annotators against each other; matrices are (annotators, annotators), 0 to 100, NaN where undefined."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    same_objects: Scores
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


def measure_agreement(sets: Mapping[str, AnnotationSet], rubric: Rubric | None = None) -> Agreement:
    """The agreement of two or more annotators.

    Objects that nobody drew cannot be counted, so alpha knows no joint "not annotated": it is lower than for raters
    who judge given items. Source: Krippendorff (2019), Content Analysis, chapter 12, for alpha.
    """
    prepared = prepare_sets(sets, rubric)
    return agreement_of(sets, prepared, [pair_sets(pair, prepared) for pair in combinations(range(len(sets)), 2)])


def prepare_sets(sets: Mapping[str, AnnotationSet], rubric: Rubric | None = None) -> list[PreparedTruth]:
    """Every annotator's set, as the ground truth of the others."""
    if len(sets) < 2:
        raise InputError("Agreement needs the files of at least two annotators.", field="files")
    # an image that one of two annotators never had says nothing about either
    rules = replace(rubric or Rubric(), missing_images="skip", extra_images="ignore")
    return [prepare_truth(without_other_labels(own, rules), rules) for own in sets.values()]


@dataclass(frozen=True, eq=False, slots=True)
class PairedSets:
    """What two annotators both drew, and how many annotations each has on images that both have."""

    pairing: Pairing
    first: int
    second: int

    def __len__(self) -> int:
        return 1


def pair_sets(pair: tuple[int, int], prepared: Sequence[PreparedTruth]) -> PairedSets:
    """The annotations of two annotators, paired; what a worker does."""
    truth, other = (prepared[place] for place in pair)
    scene, _ = align(truth, other.annotations, truth.rubric)
    none = np.empty(0, np.intp)
    pairing = pair_annotations(scene, KeyPairs(none, none, none, none))
    return PairedSets(pairing, int(np.count_nonzero(scene.truth_counts)), int(np.count_nonzero(scene.student_counts)))


def agreement_of(
    sets: Mapping[str, AnnotationSet], prepared: Sequence[PreparedTruth], paired: Iterable[PairedSets]
) -> Agreement:
    """The agreement that the pairs of every two annotators come to, in the order of `combinations`."""
    pairings = dict(zip(combinations(range(len(sets)), 2), paired, strict=True))
    objects = gather_objects([p.annotations for p in prepared], {pair: p.pairing for pair, p in pairings.items()})
    alike = prepared[0].rubric.separators_alike
    labels, places = common_names(*(own.labels for own in sets.values()), separators_alike=alike)
    answers = np.full(objects.members.shape, np.nan)
    for column, one in enumerate(prepared):
        drawn = objects.members[:, column] != ABSENT
        answers[drawn, column] = places[column][one.annotations.label[objects.members[drawn, column]]]
        answers[~drawn & objects.seen[objects.image, column], column] = len(labels)
    matrices = _matrices(prepared, pairings, places)
    return Agreement(tuple(sets), labels, *matrices, _alpha(answers, objects.image), objects, answers)


def _matrices(
    prepared: Sequence[PreparedTruth],
    pairings: Mapping[tuple[int, int], PairedSets],
    places: list[NDArray[np.int32]],
) -> tuple[Scores, Scores, Scores]:
    n = len(prepared)
    objects, place, label = (np.where(np.eye(n, dtype=bool), 100.0, np.nan) for _ in range(3))
    for (i, j), pair in pairings.items():
        pairing, both = pair.pairing, pair.pairing.truth.size
        if pair.first + pair.second:
            objects[i, j] = objects[j, i] = 100 * f_beta(both, pair.first - both, pair.second - both, beta=1.0)
        if both:
            ours = places[i][prepared[i].annotations.label[pairing.truth]]
            theirs = places[j][prepared[j].annotations.label[pairing.student]]
            place[i, j] = place[j, i] = 100 * float(pairing.similarity.mean())
            label[i, j] = label[j, i] = 100 * float((ours == theirs).mean())
    return objects, place, label


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
    edges = [
        (-similarity, int(offset[i]) + t, int(offset[j]) + s)
        for (i, j), p in pairings.items()
        for t, s, similarity in zip(p.truth.tolist(), p.student.tolist(), p.similarity.tolist(), strict=True)
    ]
    for _, first, second in sorted(edges):
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


def _all_images(sets: list[AnnotationSet]) -> tuple[tuple[Image, ...], list[Places]]:
    """The images of all sets, and each set's places in them."""
    images: list[Image] = []
    numbers = []
    for own in sets:
        place = pair_images(ImageNames(tuple(images)), ImageNames(own.images)) if images else None
        number = np.full(len(own.images), ABSENT, dtype=np.intp) if place is None else place
        for index in np.flatnonzero(number == ABSENT):
            number[index] = len(images)
            images.append(own.images[index])
        numbers.append(number)
    return tuple(images), numbers


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


def build_consensus(sets: Mapping[str, AnnotationSet], agreement: Agreement, quorum: float = 0.5) -> AnnotationSet:
    """Objects that more than `quorum` of the annotators who saw the image drew.

    The label and each attribute are those of the majority. Upright boxes get the median of each edge; other shapes are
    those of the annotator whose bounds lie nearest to that median, since a mean of polygons is not one. Ties go to the
    annotator named first. `confidence` holds the share of annotators who drew the object.
    """
    if not 0 <= quorum < 1:
        remedy = "Give a share from 0 to below 1, such as 0.5 for a majority."
        raise InputError(f"The quorum is {quorum}", field="quorum", remedy=remedy)
    own, objects = list(sets.values()), agreement.objects
    columns = [AttributeColumns.of(one) for one in own]
    drawn = objects.members != ABSENT
    share, seen = drawn.sum(axis=1), objects.seen[objects.image].sum(axis=1)
    rows = np.flatnonzero(share > quorum * seen).tolist()
    members = [[(int(c), int(objects.members[row, c])) for c in np.flatnonzero(drawn[row])] for row in rows]
    shapes = [_model(own, one) for one in members]
    models = [model for model, _ in shapes]
    answers = [agreement.answers[row, drawn[row]].astype(int).tolist() for row in rows]
    attributes = {index: _voted_attributes(columns, one) for index, one in enumerate(members)}

    def shape_of(index: int) -> Shape:
        column, place = models[index]
        return own[column].shape(place)

    return AnnotationSet(
        images=objects.images,
        labels=agreement.labels,
        image=objects.image[rows].astype(np.int32),
        label=np.array([_most_frequent(one) for one in answers], dtype=np.int32),
        kind=np.array([own[c].kind[i] for c, i in models], dtype=np.uint8),
        bounds=np.array([bounds for _, bounds in shapes], dtype=float).reshape(len(rows), 4),
        rotation=np.array([own[c].rotation[i] for c, i in models], dtype=float),
        shape_of=shape_of,
        ids=[str(number) for number in range(1, len(rows) + 1)],
        attributes={index: voted for index, voted in attributes.items() if voted},
        confidence=share[rows] / seen[rows],
        definitions=next((one.definitions for one in own if one.definitions), ()),
        source=f"consensus of {', '.join(agreement.names)}",
    )


def _model(sets: Sequence[AnnotationSet], members: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], Scores]:
    """The annotator and the annotation whose shape stands for an object; and its bounds."""
    kind = _most_frequent([int(sets[c].kind[i]) for c, i in members])
    alike = [(c, i) for c, i in members if sets[c].kind[i] == kind]
    bounds = np.array([sets[c].bounds[i] for c, i in alike])
    middle = np.median(bounds, axis=0)
    nearest = int(np.argmin(np.abs(bounds - middle).sum(axis=1)))
    upright = kind == ShapeKind.BOX and all(sets[c].rotation[i] == 0 for c, i in alike)
    return alike[nearest], middle if upright else bounds[nearest]


def _most_frequent(values: Sequence[int]) -> int:
    """The most frequent value; the earliest of those that tie."""
    return Counter(values).most_common(1)[0][0]


def _voted_attributes(columns: Sequence[AttributeColumns], members: Sequence[tuple[int, int]]) -> dict[str, Value]:
    """Each attribute's most frequent value, "empty" being one."""
    names = dict.fromkeys(name for c, _ in members for name in columns[c].columns)
    voted: dict[str, Value] = {}
    for name in names:
        values = [columns[c].column(name).value(i) for c, i in members]
        texts = [normalised(as_text(value)) for value in values]
        winner = Counter(texts).most_common(1)[0][0]
        if winner:
            written = next(columns[c].written[name] for c, _ in members if name in columns[c].written)
            voted[written] = values[texts.index(winner)]
    return voted
