"""Attribute values in columns, and how alike those of many pairs are: each distinct pair of values is compared once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.text_similarity import normalised, value_similarity
from assay.annotations.rubric.rubric import AttributeRule, Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, Value
from assay.annotations.shapes.arrays import FrozenArrays
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]
EMPTY = -1
FORMAT_ATTRIBUTES: Mapping[str, frozenset[str]] = {
    "YOLO": frozenset(),
    "Pascal VOC": frozenset({"difficult", "truncated", "occluded", "pose"}),
}
"""Formats that cannot hold every attribute -> those that they can; tools may write others into Pascal VOC."""


@dataclass(frozen=True, eq=False, slots=True)
class AttributeColumn(FrozenArrays):
    """The values of one attribute: annotation i holds `values[codes[i]]`, or nothing where the code is -1."""

    codes: NDArray[np.int32]
    values: Sequence[Value]

    def value(self, index: int) -> Value:
        code = int(self.codes[index])
        return None if code == EMPTY else self.values[code]


@dataclass(frozen=True, eq=False, slots=True)
class AttributeColumns:
    """All attributes of a set, by normalised name."""

    columns: dict[str, AttributeColumn]
    size: int
    written: dict[str, str]
    """Normalised name -> the name as the file has it first."""
    occlusion: AttributeColumn | None = None
    """CVAT keeps as a flag what its COCO export writes as an attribute: a rule about it must find it in both."""
    format: str = ""
    """Of the file."""

    @classmethod
    def of(cls, annotations: AnnotationSet) -> "AttributeColumns":
        size = len(annotations)
        coded: dict[str, tuple[NDArray[np.int32], dict[object, int], list[Value]]] = {}
        names: dict[str, str] = {}
        written: dict[str, str] = {}
        for index, attributes in annotations.attributes.items():
            for name, value in attributes.items():
                blank = isinstance(value, str) and not value.strip()
                if blank or value is None or (isinstance(value, float) and isnan(value)):
                    continue
                key = names.get(name)
                if key is None:
                    key = names[name] = normalised(name)
                    written.setdefault(key, name)
                    coded.setdefault(key, (np.full(size, EMPTY, np.int32), {}, []))
                codes, known, values = coded[key]
                # True and 1 are one key of a dict, but not one value
                mark: object = value if isinstance(value, str) else (type(value), value)
                code = known.get(mark)
                if code is None:
                    code = known[mark] = len(values)
                    values.append(value)
                codes[index] = code
        columns = {key: AttributeColumn(codes, values) for key, (codes, _, values) in coded.items()}
        flags = annotations.occluded
        if flags is None and annotations.format.startswith("CVAT"):
            # CVAT's files always state the flag; none set means that nothing is occluded
            flags = np.zeros(size, np.bool_)
        occlusion = None if flags is None else AttributeColumn(flags.astype(np.int32), (False, True))
        return cls(columns, size, written, occlusion, annotations.format)

    def can_hold(self, name: str) -> bool:
        """Whether the format of the file has a place for an attribute."""
        known = FORMAT_ATTRIBUTES.get(self.format)
        key = normalised(name)
        return known is None or key in known or key in self.columns

    def column(self, name: str) -> AttributeColumn:
        """The column of an attribute, however its name is written; empty when no annotation has it."""
        key = normalised(name)
        known = self.columns.get(key, self.occlusion if key == "occluded" else None)
        return known or AttributeColumn(np.full(self.size, EMPTY, np.int32), ())


def compare_values(
    truth: AttributeColumn, student: AttributeColumn, rule: AttributeRule, rubric: Rubric, pairs: tuple[Places, Places]
) -> Scores:
    """Likeness of the values of each pair, 0 to 1.

    NaN, not applicable, where the ground truth has no value; 0 where the ground truth has one and the student none.
    """
    of_truth, of_student = truth.codes[pairs[0]], student.codes[pairs[1]]
    alike = np.where(of_truth == EMPTY, np.nan, 0.0)
    filled = np.flatnonzero((of_truth != EMPTY) & (of_student != EMPTY))
    if filled.size:
        width = len(student.values)
        distinct, place = np.unique(of_truth[filled].astype(np.int64) * width + of_student[filled], return_inverse=True)
        values = ((truth.values[pair // width], student.values[pair % width]) for pair in distinct)
        how, floor, alike_written = rule.comparator, rubric.similarity_floor, rubric.separators_alike
        compared = [
            value_similarity(a, b, how, tolerance=rule.tolerance, floor=floor, separators_alike=alike_written)
            for a, b in values
        ]
        alike[filled] = np.array(compared)[place]
    return alike


@dataclass(frozen=True, eq=False, slots=True)
class Comparisons(FrozenArrays):
    """One attribute of one label, compared on all pairs of that label: `similarity[k]` belongs to pair `rows[k]`."""

    label: int
    """Place of the label among those of the ground truth."""
    rule: AttributeRule
    rows: Places
    similarity: Scores


def compare_attributes(
    truth: AttributeColumns,
    student: AttributeColumns,
    rubric: Rubric,
    truth_labels: Sequence[str],
    labels: NDArray[np.int32],
    pairs: tuple[Places, Places],
) -> tuple[Scores, tuple[Comparisons, ...]]:
    """Each pair's attribute score, 0 to 1, NaN where no attribute applies; and what it is made of.

    The weighted mean over the attributes that the rubric lists for the label of the ground truth; the match key
    is not scored, nor is what the format of the submission cannot hold, unless the rules say so. `labels` holds the
    label of every ground-truth annotation.
    """
    of_pair = labels[pairs[0]]
    total, weight = np.zeros(of_pair.size), np.zeros(of_pair.size)
    key = normalised(rubric.match_key or "")
    comparisons: list[Comparisons] = []
    ruled = {normalised(rule.name): rule.attributes for rule in rubric.labels if rule.attributes}
    for index, label in enumerate(truth_labels):
        rules = [rule for rule in ruled.get(normalised(label), ()) if normalised(rule.name) != key]
        if rubric.unsupported_attributes == "skip":
            rules = [rule for rule in rules if student.can_hold(rule.name)]
        rows = np.flatnonzero(of_pair == index) if rules else np.empty(0, np.intp)
        if not rows.size:
            continue
        for rule in rules:
            chosen = (pairs[0][rows], pairs[1][rows])
            alike = compare_values(truth.column(rule.name), student.column(rule.name), rule, rubric, chosen)
            applies = ~np.isnan(alike)
            comparisons.append(Comparisons(index, rule, rows[applies], alike[applies]))
            total[rows[applies]] += rule.weight * alike[applies]
            weight[rows[applies]] += rule.weight
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(weight > 0, total / weight, np.nan), tuple(comparisons)
