"""Thirty further ways to ask for a rule, written after `fresh_phrasings` had been learned from; not adapted to."""

from assay.annotations.rubric.rubric import Rubric
from tests.annotations.rubric.further_phrasings import Check, attribute_rule

LATER: list[tuple[str, Check]] = [
    ("Surplus annotations are not to be punished", lambda r: r.extra_cost == 0),
    ("Make false alarms twice as expensive", lambda r: r.extra_cost == 2),
    ("Whoever overlooks a cyclist should lose three times the points", lambda r: _miss(r, "cyclist") == 3),
    ("Missed objects should hurt more than unnecessary ones", lambda r: r.beta**2 * r.miss_cost > r.extra_cost),
    ("Drawing an object twice costs only half", lambda r: r.duplicate_cost == 0.5),
    ("Half of the grade should come from completeness", lambda r: r.weights.of_overall == (0.5, 0.5)),
    ("Localization is 60 percent, classes are 40 percent", lambda r: r.weights.of_match == (0.6, 0.4, 0.0)),
    ("Precise boxes are the most important thing", lambda r: r.weights.of_match[0] >= 0.5),
    ("The attributes should weigh less", lambda r: r.weights.attributes < 25),
    ("Labels and attributes should be equally important", lambda r: r.weights.label == r.weights.attributes),
    ("Accept a box when it covers at least 60% of the object", lambda r: r.thresholds.box == 0.6),
    ("Cars must overlap by 80 percent", lambda r: r.rule_of("car").least == 0.8),
    ("Raise the minimum overlap for polygons to 0.65", lambda r: r.thresholds.area == 0.65),
    ("Being a few pixels off is okay", lambda r: r.full_overlap < 1),
    ("From an IoU of 0.95 on the position is perfect", lambda r: r.full_overlap == 0.95),
    (
        "Mixing up cyclists and pedestrians is not so bad, give 70%",
        lambda r: _credit(r, "cyclist", "pedestrian") == 0.7,
    ),
    ("Wrong classes get no points whatsoever", lambda r: r.known_wrong_label == "zero" and r.known_wrong_credit == 0),
    ("Only boxes with the same label may be paired", lambda r: r.label_mode == "require"),
    ("Disregard the label when you match boxes", lambda r: r.label_mode == "ignore"),
    ("traffic-light and traffic light should be treated as the same", lambda r: r.separators_alike),
    ("This week we only look at pedestrians", lambda r: r.only_labels == ("pedestrian",)),
    ("We haven't covered buses yet so leave them out", lambda r: "bus" not in r.only_labels and bool(r.only_labels)),
    ("Objects under ten pixels are too small to count", lambda r: r.smallest == 10),
    ("Truncated objects should be ignored", lambda r: ("truncated", "true") in r.ignore_where),
    ("The color of traffic lights is irrelevant", lambda r: attribute_rule(r, "color", "traffic light") is None),
    ("Truncated counts only half as much as the other attributes", lambda r: _weight(r, "truncated") == 0.5),
    ("Small typos in the color are fine", lambda r: _comparator(r, "color") == "text"),
    ("Images a student has not annotated should not be counted", lambda r: r.missing_images == "skip"),
    ("The passing grade is sixty", lambda r: r.pass_mark == 60),
    ("Nobody passes with less than 65 points", lambda r: r.pass_mark == 65),
]


def _miss(rubric: Rubric, label: str) -> float:
    return rubric.rule_of(label).miss_cost


def _credit(rubric: Rubric, first: str, second: str) -> float | None:
    return next((credit for a, b, credit in rubric.label_credits if {a, b} == {first, second}), None)


def _comparator(rubric: Rubric, name: str) -> str:
    rule = attribute_rule(rubric, name)
    return rule.comparator if rule else ""


def _weight(rubric: Rubric, name: str) -> float:
    rule = attribute_rule(rubric, name)
    return rule.weight if rule else 0.0
