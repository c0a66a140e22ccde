"""How alike labels and attribute values are written; those of many pairs, where each distinct pair is compared once."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.errors import MissingExtra

try:
    from rapidfuzz.distance import Levenshtein
except ImportError as absent:
    raise MissingExtra("Comparing labels and attributes", "annotations") from absent

if TYPE_CHECKING:
    from assay.annotations.rubric.rubric import Rubric
    from assay.annotations.shapes.annotation_set import Value

TRUE = frozenset({"true", "1", "yes", "y", "on", "t"})
FALSE = frozenset({"false", "0", "no", "n", "off", "f"})


def as_text(value: "Value") -> str:
    """A value as people write it: true, 3, 2.5; nothing for an empty one.

    >>> as_text(True), as_text(3.0), as_text(None)
    ('true', '3', '')
    """
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 1 << 1000:
        return hex(value)  # beyond what a float holds
    return f"{value:.15g}" if isfinite(value) else ""


@lru_cache(maxsize=65_536)
def normalised(text: str, *, separators_alike: bool = False) -> str:
    """The text without differences that do not matter: NFKC, case, outer and repeated white space.

    The scoring plan gives "persn" for "Person" 83 = 5/6, which only a comparison blind to case does.

    >>> normalised("  Traffic   LIGHT ")
    'traffic light'
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if separators_alike:
        folded = folded.replace("_", " ").replace("-", " ")
    return " ".join(folded.split())


def text_similarity(first: str, second: str, *, floor: float = 0.0, separators_alike: bool = False) -> float:
    """Share of letters that need no change to turn one text into the other; below `floor` 0.

    (longest - Levenshtein distance) / longest, of the normalised texts; 1 when both are empty

    Source: the scoring plan, sections 3.2 and 5.

    >>> round(text_similarity("Person", "persn"), 4)
    0.8333
    """
    a, b = (normalised(text, separators_alike=separators_alike) for text in (first, second))
    if a == b:
        return 1.0
    longest = max(len(a), len(b))
    alike = (longest - Levenshtein.distance(a, b)) / longest
    return alike if alike >= floor else 0.0


def same_text(first: str, second: str, *, separators_alike: bool = False) -> float:
    """1 when the normalised texts are equal, else 0."""
    a, b = (normalised(text, separators_alike=separators_alike) for text in (first, second))
    return float(a == b)


def truth_value(text: str) -> bool | None:
    """What a boolean value means, in any of its common spellings; None when it is none of them.

    >>> truth_value("Yes"), truth_value("0"), truth_value("maybe")
    (True, False, None)
    """
    word = normalised(text)
    return True if word in TRUE else False if word in FALSE else None


def same_boolean(first: str, second: str) -> float:
    """1 when both mean the same, else 0. "true" for "false" is wrong, though two letters in five are right."""
    a, b = truth_value(first), truth_value(second)
    return float(a == b) if a is not None and b is not None else same_text(first, second)


def number_of(text: str) -> float | None:
    """The number a text shows; None when it shows none."""
    try:
        number = float(text.strip())
    except ValueError:
        return None
    return number if isfinite(number) else None


def same_number(first: str, second: str, *, tolerance: float = 0.0) -> float:
    """1 when the numbers lie no further apart than `tolerance`, else 0.

    >>> same_number("1.0", "1"), same_number("5", "5.4", tolerance=0.5)
    (1.0, 1.0)
    """
    a, b = number_of(first), number_of(second)
    if a is None or b is None:
        return same_text(first, second)
    return float(abs(a - b) <= tolerance + 1e-12 * max(abs(a), abs(b)))


def value_similarity(
    truth: "Value",
    student: "Value",
    comparator: str,
    *,
    tolerance: float = 0.0,
    floor: float = 0.0,
    separators_alike: bool = False,
) -> float:
    """Likeness of two filled values, 0 to 1, by the attribute's comparator."""
    a, b = as_text(truth), as_text(student)
    ways: Mapping[str, Callable[[], float]] = {
        "text": lambda: text_similarity(a, b, floor=floor, separators_alike=separators_alike),
        "exact": lambda: same_text(a, b, separators_alike=separators_alike),
        "boolean": lambda: same_boolean(a, b),
        "number": lambda: same_number(a, b, tolerance=tolerance),
    }
    return ways[comparator]()


LabelPlaces = NDArray[np.int32]
LARGEST_TABLE = 4_000_000


def known_labels(rubric: "Rubric", truth_labels: Sequence[str]) -> frozenset[str]:
    """The normalised names of all classes of the task: those of the rules and those of the ground truth."""
    names = (*(rule.name for rule in rubric.labels), *truth_labels)
    return frozenset(normalised(name, separators_alike=rubric.separators_alike) for name in names)


def label_counts(labels: Sequence[str], rubric: "Rubric") -> NDArray[np.bool_]:
    """For each label, whether the rules count it: all do when they name none."""
    counted = {normalised(name, separators_alike=rubric.separators_alike) for name in rubric.only_labels}
    named = [normalised(label, separators_alike=rubric.separators_alike) for label in labels]
    return np.array([not counted or name in counted for name in named], bool)


def label_similarity(truth: str, student: str, rubric: "Rubric", known: frozenset[str]) -> float:
    """Credit for the student's label, 0 to 1: its likeness in letters, so that a typo costs little.

    With `known_wrong_label = "zero"` a label that is the name of another class earns a fixed credit, by default none:
    it is no typo. Classes listed in `label_credits` have a credit of their own.
    """
    a = normalised(truth, separators_alike=rubric.separators_alike)
    b = normalised(student, separators_alike=rubric.separators_alike)
    if a != b and rubric.label_credits:
        for first, second, credit in rubric.label_credits:
            if {a, b} == {normalised(name, separators_alike=rubric.separators_alike) for name in (first, second)}:
                return credit
    if a != b and rubric.known_wrong_label == "zero" and b in known:
        return rubric.known_wrong_credit
    return text_similarity(a, b, floor=rubric.similarity_floor)


def label_similarities(
    truth_labels: Sequence[str],
    student_labels: Sequence[str],
    pairs: tuple[LabelPlaces, LabelPlaces],
    rubric: "Rubric",
    known: frozenset[str],
) -> NDArray[np.float64]:
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
