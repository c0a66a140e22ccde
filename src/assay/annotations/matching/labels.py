"""How alike the labels of many pairs are: each distinct pair of labels is compared once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.text_similarity import normalised, text_similarity
from assay.annotations.rubric.rubric import Rubric
from assay.metrics.pairs import Scores

LabelPlaces = NDArray[np.int32]
LARGEST_TABLE = 4_000_000


def known_labels(rubric: Rubric, truth_labels: Sequence[str]) -> frozenset[str]:
    """The normalised names of all classes of the task: those of the rules and those of the ground truth."""
    names = (*(rule.name for rule in rubric.labels), *truth_labels)
    return frozenset(normalised(name, separators_alike=rubric.separators_alike) for name in names)


def label_counts(labels: Sequence[str], rubric: Rubric) -> NDArray[np.bool_]:
    """For each label, whether the rules count it: all do when they name none."""
    counted = {normalised(name, separators_alike=rubric.separators_alike) for name in rubric.only_labels}
    named = [normalised(label, separators_alike=rubric.separators_alike) for label in labels]
    return np.array([not counted or name in counted for name in named], bool)


def label_similarity(truth: str, student: str, rubric: Rubric, known: frozenset[str]) -> float:
    """Credit for the student's label, 0 to 1: its likeness in letters, so that a typo costs little.

    With `known_wrong_label = "zero"` a label that is the name of another class earns nothing: it is no typo.
    """
    a = normalised(truth, separators_alike=rubric.separators_alike)
    b = normalised(student, separators_alike=rubric.separators_alike)
    if a != b and rubric.known_wrong_label == "zero" and b in known:
        return 0.0
    return text_similarity(a, b, floor=rubric.similarity_floor)


def label_similarities(
    truth_labels: Sequence[str],
    student_labels: Sequence[str],
    pairs: tuple[LabelPlaces, LabelPlaces],
    rubric: Rubric,
    known: frozenset[str],
) -> Scores:
    """Credit for the label of each pair; `pairs` hold places in the two lists of labels."""
    width = max(len(student_labels), 1)
    codes = pairs[0].astype(np.int64) * width + pairs[1]
    distinct, place = _distinct(codes, len(truth_labels) * width)
    credit = [
        label_similarity(truth_labels[code // width], student_labels[code % width], rubric, known)
        for code in distinct.tolist()
    ]
    return np.array(credit, dtype=float)[place]


def _distinct(codes: NDArray[np.int64], cells: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct codes, and the place of each code among them; by a table while that is small, else by sorting."""
    if cells > LARGEST_TABLE:
        return np.unique(codes, return_inverse=True)
    table = np.zeros(cells, dtype=np.int64)
    table[codes] = 1
    distinct = np.flatnonzero(table)
    table[distinct] = np.arange(distinct.size)
    return distinct, table[codes]


def common_names(
    *label_lists: Sequence[str], separators_alike: bool = False
) -> tuple[tuple[str, ...], list[LabelPlaces]]:
    """One list of labels for several sets, spelt as the first set that has them; and each set's places in it."""
    places: dict[str, int] = {}
    names: list[str] = []
    columns = []
    for labels in label_lists:
        own = []
        for label in labels:
            key = normalised(label, separators_alike=separators_alike)
            if key not in places:
                places[key] = len(names)
                names.append(label)
            own.append(places[key])
        columns.append(np.array(own, dtype=np.int32))
    return tuple(names), columns
