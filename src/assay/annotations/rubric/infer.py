"""A rubric proposed from the ground truth: its labels, their attributes, how these are compared, and a key.

Deterministic and offline. The file's own label definitions (CVAT) say how an attribute is compared; where there are
none, the values that occur do.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.text_similarity import as_text, normalised, number_of, truth_value
from assay.annotations.rubric.rubric import AttributeRule, Comparator, LabelRule, Rubric, profile
from assay.annotations.shapes.annotation_set import AnnotationSet, AttributeDefinition
from assay.annotations.shapes.attributes import EMPTY, AttributeColumns

BY_INPUT: Mapping[str, Comparator] = {
    "checkbox": "boolean",
    "radio": "exact",
    "select": "exact",
    "number": "number",
    "text": "text",
}
"""CVAT's input type -> comparator: what is chosen from a list is right or wrong, what is typed may have typos."""

BOOKKEEPING = frozenset(
    {"track_id", "keyframe", "z_order", "group", "group_id", "rotation", "outside", "score", "source", "id", "label_id"}
)
"""Attributes that tools write for themselves."""

KEY_WORDS = frozenset({"id", "no", "nr", "num", "number", "key", "index", "idx", "uid", "uuid", "guid", "serial", "#"})
"""Words in the name of an attribute that is meant to identify an object."""

MOST_VALUES, LONGEST_VALUE, REPEATED = 20, 30, 3
"""A closed list of values: at most so many, each so short, each met so often on average."""


def suggest_rubric(truth: AnnotationSet, profile_name: str = "annotator-ai-1.0") -> Rubric:
    """The rules that the ground truth suggests, on the base of a profile."""
    columns = AttributeColumns.of(truth)
    scored = np.ones(len(truth), bool) if truth.crowd is None else ~truth.crowd
    key = suggest_key(truth, columns, scored)
    labels = tuple(_label_rules(truth, columns, scored, key))
    return replace(profile(profile_name), labels=labels, match_key=key)


def _label_rules(
    truth: AnnotationSet, columns: AttributeColumns, scored: NDArray[np.bool_], key: str | None
) -> Iterable[LabelRule]:
    """Labels in alphabetical order, so that the order of the file does not matter."""
    defined = {normalised(d.name): d for d in truth.definitions}
    rows = np.flatnonzero(scored)
    rows = rows[np.argsort(truth.label[rows], kind="stable")]
    present, start = np.unique(truth.label[rows], return_index=True)
    rows_of: dict[str, NDArray[np.intp]] = {}  # normalised label -> its annotations
    for label, own in zip(present, np.split(rows, start[1:]), strict=False):
        name = normalised(truth.labels[label])
        rows_of[name] = np.concatenate([rows_of[name], own]) if name in rows_of else own
    spelling: dict[str, str] = {}
    for written in sorted(truth.labels):
        spelling.setdefault(normalised(written), written)
    spelling |= {name: definition.name for name, definition in defined.items()}
    for name in sorted({*rows_of, *defined}):
        definitions = defined[name].attributes if name in defined else ()
        rows = rows_of.get(name, np.empty(0, np.intp))
        yield LabelRule(spelling[name], tuple(_attribute_rules(columns, rows, definitions, normalised(key or ""))))


def _attribute_rules(
    columns: AttributeColumns, rows: NDArray[np.intp], definitions: Sequence[AttributeDefinition], key: str
) -> Iterable[AttributeRule]:
    """Defined attributes in the order of their definition, then observed ones by name."""
    names = {normalised(d.name): d for d in definitions}
    observed = sorted(
        name for name, column in columns.columns.items() if name not in names and (column.codes[rows] != EMPTY).any()
    )
    skipped = {key, *(normalised(word) for word in BOOKKEEPING)}
    for name in (name for name in (*names, *observed) if name not in skipped):
        column, definition = columns.column(name), names.get(name)
        codes, counts = np.unique(column.codes[rows], return_counts=True)
        values: Counter[str] = Counter()  # each value as text, with how often it occurs
        for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
            if code != EMPTY:
                values[as_text(column.values[code])] += count
        comparator = BY_INPUT.get(definition.input if definition else "") or observed_comparator(values)
        closed = definition.values if definition else tuple(sorted(values))
        written = definition.name if definition else columns.written[name]
        yield AttributeRule(written, comparator, values=closed if comparator == "exact" else ())


def observed_comparator(values: Mapping[str, int]) -> Comparator:
    """How values should be compared, from those that occur.

    All true or false: boolean; all numbers: number; few short values, each repeated: exact; else text.

    >>> observed_comparator({"true": 2, "no": 1}), observed_comparator({"12": 1, "7.5": 3})
    ('boolean', 'number')
    """
    if values and all(truth_value(value) is not None for value in values):
        return "boolean"
    if values and all(number_of(value) is not None for value in values):
        return "number"
    few = 0 < len(values) <= MOST_VALUES and sum(values.values()) >= REPEATED * len(values)
    return "exact" if few and all(len(value) <= LONGEST_VALUE for value in values) else "text"


def suggest_key(truth: AnnotationSet, columns: AttributeColumns, scored: NDArray[np.bool_]) -> str | None:
    """The attribute that identifies an object within its image; None unless one does so beyond doubt.

    It is named like an identifier, filled on every object, and never the same for two objects of one image, on at
    least one image with several objects. "unique" alone would take the colour of the only car on each image.
    """
    rows = np.flatnonzero(scored)
    images, counts = np.unique(truth.image[rows], return_counts=True)
    if not images.size or counts.max() < 2:
        return None
    for name in sorted(name for name in columns.columns if _named_like_key(columns.written[name])):
        column, numbers = columns.columns[name], dict[str, int]()
        codes = column.codes[rows]
        texts = np.array(
            [numbers.setdefault(as_text(value).strip(), len(numbers)) for value in column.values], np.int64
        )
        use = truth.image[rows].astype(np.int64) * len(column.values) + texts[codes]
        if not (codes == EMPTY).any() and np.unique(use).size == rows.size:
            return columns.written[name]
    return None


def _named_like_key(name: str) -> bool:
    """Whether a name has a word for an identifier: "Annotation No", "object_id", "plateNumber" is not asked for.

    >>> _named_like_key("Annotation No"), _named_like_key("object_id"), _named_like_key("colour")
    (True, True, False)
    """
    words = normalised(name, separators_alike=True).replace(".", " ").split()
    return bool(KEY_WORDS & set(words)) and normalised(name) not in BOOKKEEPING - {"id"}
