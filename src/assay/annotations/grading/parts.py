"""The parts of a submission's score: a match, a missed object, an extra annotation, an image, a class."""

from dataclasses import dataclass

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.shapes.annotation_set import Value


@dataclass(frozen=True, slots=True)
class AttributeComparison:
    """One attribute of a match: both values and how alike they are, 0 to 100."""

    name: str
    truth: Value
    student: Value
    similarity: float
    comparator: str
    weight: float


@dataclass(frozen=True, slots=True)
class Match:
    """An object that was found, with the score of its annotation and what that is made of."""

    number: int
    """Its place among the submission's matches."""
    image: str
    truth: int
    """Place in the ground truth."""
    student: int
    """Place in the submission."""
    truth_id: str
    student_id: str
    truth_label: str
    student_label: str
    localisation: float
    label: float
    attributes: float
    """NaN where no attribute applies."""
    score: float
    weights: tuple[float, float, float]
    """The shares of localisation, label and attributes in this score."""
    by_key: bool
    comparisons: tuple[AttributeComparison, ...]
    original_score: float
    """Before a person changed it; the same as `score` when nobody did."""


@dataclass(frozen=True, slots=True)
class Miss:
    """An object of the ground truth without a match, and why."""

    image: str
    truth: int
    truth_id: str
    label: str
    why: ErrorKind
    student_id: str
    """The annotation that explains it, empty when there is none."""
    similarity: float
    excused: bool


@dataclass(frozen=True, slots=True)
class Extra:
    """An annotation of the submission without a match, and why."""

    image: str
    student: int
    student_id: str
    label: str
    why: ErrorKind
    truth_id: str
    """The object that explains it, empty when there is none."""
    similarity: float
    accepted: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts and scores of a submission, an image or a class."""

    matched: int
    missed: int
    extra: int
    quality: float
    """Mean score of the matches; NaN when there are none (which counts as 0 in `score`)."""
    precision: float
    recall: float
    completeness: float
    score: float
    vacuous: bool
    """Nothing to find and nothing drawn: 100, and it says nothing about the student."""


@dataclass(frozen=True, slots=True)
class ImageScore:
    """One image of a submission."""

    index: int
    name: str
    tally: Tally
    listed: bool
    """Whether the submission lists the image at all."""


@dataclass(frozen=True, slots=True)
class ClassScore:
    """One label: objects of it that were matched or missed, and extra annotations that bear it."""

    label: str
    tally: Tally
    named: int
    """Matches that also bear the right label."""
    localisation: float
