"""`Rubric`: the rules by which a submission is scored; what the scoring plan calls its EvalSchema.

A rubric begins as a named, versioned profile and may then be edited. The profile `annotator-ai-1.0` follows the
scoring plan to the letter; `strict-1.0` closes the gaps through which that plan gives credit for wrong work.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf, isfinite
from typing import Any, Literal, TypeAlias, get_args

from assay.annotations.matching.text_similarity import normalised
from assay.errors import InputError

Comparator: TypeAlias = Literal["text", "exact", "boolean", "number"]
LabelMode: TypeAlias = Literal["ignore", "tiebreak", "prefer", "require"]
"""How labels steer matching: not at all; between equally good pairs; same label first; same label only."""
COMPARATORS: tuple[str, ...] = get_args(Comparator)
LABEL_MODES: tuple[str, ...] = get_args(LabelMode)


@dataclass(frozen=True, slots=True)
class AttributeRule:
    """An attribute that is scored, and how two values of it are compared."""

    name: str
    comparator: Comparator = "text"
    tolerance: float = 0.0
    """How far apart two numbers may lie and still be equal."""
    weight: float = 1.0
    """Its share in the attribute score, relative to the label's other attributes."""
    values: tuple[str, ...] = ()
    """The values it may take, for the reader; empty when they are free."""


@dataclass(frozen=True, slots=True)
class LabelRule:
    """A label with the attributes that are scored on its objects."""

    name: str
    attributes: tuple[AttributeRule, ...] = ()
    least: float | None = None
    """The similarity a pair of this label needs, when it differs from that of its kind of shape."""
    weight: float = 1.0
    """What an object of this label counts, relative to the others, in quality and completeness alike."""
    miss_cost: float = 1.0
    """What missing one costs, relative to missing another object."""
    extra_cost: float = 1.0
    """What an extra annotation of this label costs, relative to another extra."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much, in any unit: each group is divided by its sum.

    >>> Weights(localisation=2, label=1, attributes=1).of_match
    (0.5, 0.25, 0.25)
    """

    localisation: float = 50.0
    label: float = 25.0
    attributes: float = 25.0
    quality: float = 50.0
    completeness: float = 50.0

    @property
    def of_match(self) -> tuple[float, float, float]:
        """Shares of localisation, label and attributes in the score of a match."""
        total = self.localisation + self.label + self.attributes
        return self.localisation / total, self.label / total, self.attributes / total

    @property
    def of_overall(self) -> tuple[float, float]:
        """Shares of match quality and completeness in the overall score."""
        total = self.quality + self.completeness
        return self.quality / total, self.completeness / total


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least similarity of a pair, by family of shapes: overlap (IoU), or keypoint similarity for skeletons."""

    box: float = 0.5
    area: float = 0.5
    skeleton: float = 0.5
    line: float = 0.5
    points: float = 0.5
    cuboid: float = 0.5
    tag: float = 0.5


@dataclass(frozen=True, slots=True)
class Rubric:
    """All that scoring needs to know besides the annotations."""

    profile: str = "annotator-ai-1.0"
    """The named set of rules this rubric began as."""
    labels: tuple[LabelRule, ...] = ()
    only_labels: tuple[str, ...] = ()
    """The labels that count; all when none is named. Objects of others need not be found and are no extras."""
    match_key: str | None = None
    """The attribute that names an object within its image, such as "Annotation No"."""
    weights: Weights = field(default_factory=Weights)
    beta: float = 0.5
    """Below 1 extras cost more than misses."""
    miss_cost: float = 1.0
    """What a missed object costs, relative to what beta says; 0: nothing."""
    extra_cost: float = 1.0
    """What an extra annotation costs, relative to what beta says; 0: nothing."""
    duplicate_cost: float = 1.0
    """What a second annotation of a matched object costs, relative to another extra."""
    thresholds: Thresholds = field(default_factory=Thresholds)
    near_miss: float = 0.1
    """From this similarity up to the threshold a missed object is reported as a near miss."""
    label_mode: LabelMode = "tiebreak"
    across_families: bool = False
    """Whether a box may match a polygon of the same object."""
    key_anywhere: bool = True
    """Whether two annotations with one key match even where their places do not."""
    known_wrong_label: Literal["similarity", "zero"] = "similarity"
    """Credit for a wrong class label: by its spelling ("cat" for "car" is 67), or fixed."""
    known_wrong_credit: float = 0.0
    """The fixed credit for a wrong class label, 0 to 1, where `known_wrong_label` is "zero"."""
    label_credits: tuple[tuple[str, str, float], ...] = ()
    """Two classes and the credit, 0 to 1, for calling an object of one of them by the other's name."""
    full_overlap: float = 1.0
    """From this similarity on localization earns full credit; below, in proportion."""
    smallest: float = 0.0
    """Objects whose longer side has fewer pixels than this are not scored."""
    ignore_where: tuple[tuple[str, str], ...] = ()
    """Attribute and value: objects of the ground truth with such a value are not scored."""
    pass_mark: float | None = None
    """The score from which a submission passes; None when nothing is said about passing."""
    no_attributes: Literal["full", "renormalise"] = "full"
    """An object without attributes: full credit for them, or their weight goes to the other parts."""
    similarity_floor: float = 0.0
    """Likeness of two texts below this counts as 0."""
    separators_alike: bool = False
    """Whether "traffic_light", "traffic-light" and "traffic light" are one text."""
    missing_images: Literal["missed", "skip"] = "missed"
    """Objects on images that the submission does not list: missed, or not assigned to this student."""
    extra_images: Literal["extra", "ignore"] = "extra"
    """Annotations on images that the ground truth does not list."""
    count_empty_images: bool = False
    """Whether an image left empty, as it should be, counts as something found."""
    resized_images: Literal["error", "scale"] = "error"
    """Images whose size differs between the files: refuse, or scale the submission to the ground truth."""
    unsupported_attributes: Literal["skip", "wrong"] = "skip"
    """Attributes that the format of a submission cannot hold: not scored, or empty and so wrong."""
    box_files: Literal["boxes", "outlines"] = "boxes"
    """Boxes alone, where the ground truth has outlines alone: compared with their boxes, or with the outlines."""
    crowd_share: float = 0.5
    """An unmatched annotation with this share inside a crowd or ignore region is not an extra."""
    sigmas: Mapping[str, float] = field(default_factory=dict)
    """Keypoint -> spread, beside the defaults for COCO's names."""

    def __post_init__(self) -> None:
        mistakes = rubric_mistakes(self)
        if mistakes:
            raise InputError("The rules cannot be used. " + " ".join(mistakes), field="rules")

    def attributes_of(self, label: str) -> tuple[AttributeRule, ...]:
        """The attributes scored on objects of a label; none for a label without a rule."""
        name = normalised(label)
        return next((rule.attributes for rule in self.labels if normalised(rule.name) == name), ())

    def rule_of(self, label: str) -> LabelRule:
        """The rule of a label, however it is written; a plain one when there is none."""
        name = normalised(label)
        return next((rule for rule in self.labels if normalised(rule.name) == name), LabelRule(label))

    def departures(self) -> tuple[str, ...]:
        """The settings that differ from the profile, by name; labels and key belong to the task, not the profile."""
        base = profile(self.profile)
        own = {f.name for f in fields(self)} - {"profile", "labels", "match_key"}
        return tuple(f.name for f in fields(self) if f.name in own and getattr(self, f.name) != getattr(base, f.name))


def rubric_mistakes(rubric: Rubric) -> list[str]:
    """Everything that is wrong with the values of a rubric, each with its remedy."""
    wrong = _number_mistakes(rubric)
    wrong += [
        f"{name} is {getattr(rubric, name)!r}: choose one of {', '.join(words)}."
        for name, words in CHOICES.items()
        if getattr(rubric, name) not in words
    ]
    if NEWEST.get(rubric.profile, rubric.profile) not in PROFILE_SETTINGS:
        wrong.append(f"There is no profile {rubric.profile!r}: choose one of {', '.join(PROFILE_SETTINGS)}.")
    wrong += [f"Label {name!r} is listed twice." for name in _twice(rule.name for rule in rubric.labels)]
    for rule in rubric.labels:
        where = f"of label {rule.name!r}"
        twice = _twice(attribute.name for attribute in rule.attributes)
        wrong += [f"Attribute {name!r} {where} is listed twice." for name in twice]
        for attribute in rule.attributes:
            if attribute.comparator not in COMPARATORS:
                choice = ", ".join(COMPARATORS)
                wrong.append(f"Attribute {attribute.name!r} {where}: the comparator is one of {choice}.")
            if not (0 <= attribute.tolerance < inf and 0 <= attribute.weight < 1e300):
                wrong.append(f"Attribute {attribute.name!r} {where}: tolerance and weight are 0 or more.")
        costs = {name: getattr(rule, name) for name in ("weight", "miss_cost", "extra_cost")}
        wrong += [f"{n} {where} is {cost}: give 0 or more." for n, cost in costs.items() if not 0 <= cost <= LARGEST]
    counted = [rule for rule in rubric.labels if not rubric.only_labels or rule.name in rubric.only_labels]
    if counted and all(rule.weight == 0 for rule in counted):
        wrong.append("The weights of all labels are 0: give one of them a weight.")
    ruled = {normalised(rule.name) for rule in rubric.labels}
    listed = ", ".join(rule.name for rule in rubric.labels)
    return wrong + [
        f"only_labels names {name!r}, which is not among the labels of the rules: {listed}."
        for name in rubric.only_labels
        if ruled and normalised(name) not in ruled
    ]


def _number_mistakes(rubric: Rubric) -> list[str]:
    values = {f.name: getattr(rubric.weights, f.name) for f in fields(rubric.weights)}
    wrong = [f"Weight {name} is {value}: give 0 or more." for name, value in values.items() if not 0 <= value < 1e300]
    for group in (("localisation", "label", "attributes"), ("quality", "completeness")):
        if all(values[name] == 0 for name in group):
            wrong.append(f"The weights {', '.join(group)} are all 0: give one of them a weight.")
    shares = {name: getattr(rubric, name) for name in SHARES}
    shares |= {f"label_credits of {a!r} and {b!r}": credit for a, b, credit in rubric.label_credits}
    shares |= {f"thresholds.{f.name}": getattr(rubric.thresholds, f.name) for f in fields(rubric.thresholds)}
    shares |= {f"least of label {rule.name!r}": rule.least for rule in rubric.labels if rule.least is not None}
    wrong += [f"{name} is {value}: give a share from 0 to 1." for name, value in shares.items() if not 0 <= value <= 1]
    if not (isfinite(rubric.beta) and rubric.beta > 0):
        wrong.append(f"beta is {rubric.beta}: give a number above 0, such as 0.5.")
    if rubric.full_overlap <= 0:
        wrong.append("full_overlap is 0: give a share above 0, such as 0.9.")
    if rubric.pass_mark is not None and not 0 <= rubric.pass_mark <= 100:
        wrong.append(f"pass_mark is {rubric.pass_mark}: give a score from 0 to 100.")
    costs = {name: getattr(rubric, name) for name in ("miss_cost", "extra_cost", "duplicate_cost", "smallest")}
    wrong += [f"{name} is {value}: give 0 or more." for name, value in costs.items() if not 0 <= value <= LARGEST]
    wrong += [
        f"The sigma of {name!r} is {s}: give a number above 0." for name, s in rubric.sigmas.items() if not 0 < s < inf
    ]
    return wrong


SHARES = ("near_miss", "similarity_floor", "crowd_share", "known_wrong_credit", "full_overlap")
LARGEST = 1e6
CHOICES: Mapping[str, tuple[str, ...]] = {
    "label_mode": LABEL_MODES,
    "known_wrong_label": ("similarity", "zero"),
    "no_attributes": ("full", "renormalise"),
    "missing_images": ("missed", "skip"),
    "extra_images": ("extra", "ignore"),
    "resized_images": ("error", "scale"),
    "unsupported_attributes": ("skip", "wrong"),
    "box_files": ("boxes", "outlines"),
}
"""Settings that are one of a few words."""


def _twice(names: Iterable[str]) -> list[str]:
    """Names that occur more than once, however they are written."""
    return sorted(name for name, count in Counter(map(normalised, names)).items() if count > 1)


PROFILE_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "annotator-ai-1.0": {},
    "strict-1.0": {
        "known_wrong_label": "zero",
        "no_attributes": "renormalise",
        "key_anywhere": False,
        "similarity_floor": 0.5,
    },
}
"""Profile -> what it changes in the scoring plan. A published profile is never edited, only followed by the next."""
NEWEST: Mapping[str, str] = {"annotator-ai": "annotator-ai-1.0", "strict": "strict-1.0"}


def profile(name: str) -> Rubric:
    """The rules of a profile, without labels; a name without its version means the newest.

    >>> profile("strict").known_wrong_label
    'zero'
    """
    known = NEWEST.get(name, name)
    if known not in PROFILE_SETTINGS:
        choices = ", ".join(PROFILE_SETTINGS)
        raise InputError(f"There is no profile {name!r}", field="profile", remedy=f"Choose one of {choices}.")
    return replace(Rubric(), profile=known, **PROFILE_SETTINGS[known])


PROFILES: Mapping[str, Rubric] = {name: profile(name) for name in PROFILE_SETTINGS}
"""All profiles by name."""
