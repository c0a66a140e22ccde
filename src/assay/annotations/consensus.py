"""One set of annotations out of several people's: what most of those who saw an image drew."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.agreement import Agreement
from assay.annotations.matching.text_similarity import as_text, normalised
from assay.annotations.shapes.annotation_set import AnnotationSet, Value
from assay.annotations.shapes.attributes import AttributeColumns
from assay.annotations.shapes.images import ABSENT
from assay.annotations.shapes.shapes import Shape, ShapeKind
from assay.errors import InputError
from assay.metrics.pairs import Scores


@dataclass(frozen=True, eq=False, slots=True)
class _Vote:
    """One object of the consensus."""

    image: int
    label: int
    model: tuple[int, int]
    """The annotator and the annotation whose shape stands for it."""
    bounds: Scores
    share: float
    """Of the annotators who saw the image, how many drew it."""
    attributes: dict[str, Value]


def build_consensus(sets: Mapping[str, AnnotationSet], agreement: Agreement, quorum: float = 0.5) -> AnnotationSet:
    """Objects that more than `quorum` of the annotators who saw the image drew.

    The label and each attribute are those of the majority. Upright boxes get the median of each edge; other shapes are
    those of the annotator whose bounds lie nearest to that median, since a mean of polygons is not one. Ties go to the
    annotator named first. `confidence` holds the share of annotators who drew the object.
    """
    if not 0 <= quorum < 1:
        remedy = "Give a share from 0 to below 1, such as 0.5 for a majority."
        raise InputError(f"The quorum is {quorum}", field="quorum", remedy=remedy)
    own = list(sets.values())
    columns = [AttributeColumns.of(one) for one in own]
    objects = agreement.objects
    votes = []
    for row in range(len(objects.members)):
        drawn = np.flatnonzero(objects.members[row] != ABSENT)
        seen = np.count_nonzero(objects.seen[objects.image[row]])
        if drawn.size > quorum * seen:
            votes.append(_vote(agreement, own, columns, row, drawn, drawn.size / seen))
    return _as_set(agreement, own, votes)


def _vote(
    agreement: Agreement,
    sets: Sequence[AnnotationSet],
    columns: Sequence[AttributeColumns],
    row: int,
    drawn: NDArray[np.intp],
    share: float,
) -> _Vote:
    members = [(int(c), int(agreement.objects.members[row, c])) for c in drawn]
    kind = _most_frequent([int(sets[c].kind[i]) for c, i in members])
    alike = [(c, i) for c, i in members if sets[c].kind[i] == kind]
    bounds = np.array([sets[c].bounds[i] for c, i in alike])
    middle = np.median(bounds, axis=0)
    nearest = int(np.argmin(np.abs(bounds - middle).sum(axis=1)))
    upright = kind == ShapeKind.BOX and all(sets[c].rotation[i] == 0 for c, i in alike)
    label = _most_frequent([int(agreement.answers[row, c]) for c, _ in members])
    attributes = _voted_attributes(columns, members)
    return _Vote(
        int(agreement.objects.image[row]),
        label,
        alike[nearest],
        middle if upright else bounds[nearest],
        share,
        attributes,
    )


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


def _as_set(agreement: Agreement, sets: Sequence[AnnotationSet], votes: Sequence[_Vote]) -> AnnotationSet:
    def shape_of(index: int) -> Shape:
        column, place = votes[index].model
        return sets[column].shape(place)

    models = [vote.model for vote in votes]
    definitions = next((one.definitions for one in sets if one.definitions), ())
    return AnnotationSet(
        images=agreement.objects.images,
        labels=agreement.labels,
        image=np.array([vote.image for vote in votes], dtype=np.int32),
        label=np.array([vote.label for vote in votes], dtype=np.int32),
        kind=np.array([sets[c].kind[i] for c, i in models], dtype=np.uint8),
        bounds=np.array([vote.bounds for vote in votes], dtype=float).reshape(len(votes), 4),
        rotation=np.array([sets[c].rotation[i] for c, i in models], dtype=float),
        shape_of=shape_of,
        ids=[str(number) for number in range(1, len(votes) + 1)],
        attributes={index: vote.attributes for index, vote in enumerate(votes) if vote.attributes},
        confidence=np.array([vote.share for vote in votes], dtype=float),
        definitions=definitions,
        source=f"consensus of {', '.join(agreement.names)}",
    )
