"""Sixty further ways a trainer may ask for a rule, each with what the rules must then say.

Written and committed before the grammar was looked at for them: the phrasings measure the grammar, and may not be
adapted to it. The classes are those of a street scene (car, truck, bus, pedestrian, cyclist, traffic light), with the
attributes color, occluded and truncated.
"""

from collections.abc import Callable
from typing import TypeAlias

from assay.annotations.rubric.rubric import AttributeRule, Rubric

Check: TypeAlias = Callable[[Rubric], bool]


def attribute_rule(rubric: Rubric, name: str, label: str = "car") -> AttributeRule | None:
    """The rule of an attribute on a label, or nothing when it is not scored."""
    return next((rule for rule in rubric.attributes_of(label) if rule.name == name), None)


def scored_labels(rubric: Rubric) -> set[str]:
    """The labels that count."""
    names = rubric.only_labels or tuple(rule.name for rule in rubric.labels)
    return {name for name in names if rubric.rule_of(name).weight > 0}


def weighs(label: str, times: float) -> Check:
    """The label weighs so many times another."""
    return lambda rubric: rubric.rule_of(label).weight == times * rubric.rule_of("bus").weight


def no_attribute(name: str) -> Check:
    """The attribute is scored on no label."""
    return lambda rubric: all(not scored(rubric, name, rule.name) for rule in rubric.labels)


def scored(rubric: Rubric, name: str, label: str) -> bool:
    """Whether the attribute counts on the label."""
    rule = attribute_rule(rubric, name, label)
    return rule is not None and rule.weight > 0


def ratio(rubric: Rubric) -> float:
    """What a miss costs, as a multiple of an extra."""
    return rubric.miss_cost * rubric.beta**2 / rubric.extra_cost if rubric.extra_cost else float("inf")


def share(rubric: Rubric, part: str) -> float:
    """The share of a part in its group of weights."""
    of_match = dict(zip(("localisation", "label", "attributes"), rubric.weights.of_match, strict=True))
    return (of_match | dict(zip(("quality", "completeness"), rubric.weights.of_overall, strict=True)))[part]


def confusion(one: str, other: str, credit: float) -> Check:
    """Calling one class by the other's name earns this credit."""
    return lambda rubric: any({a, b} == {one, other} and c == credit for a, b, c in rubric.label_credits)


FURTHER: tuple[tuple[str, Check], ...] = (
    # extra and missed objects
    ("over-labeling is fine, just don't miss anything", lambda r: r.extra_cost == 0),
    ("nobody should be marked down for annotating more than the reference has", lambda r: r.extra_cost == 0),
    ("please halve the deduction for false positives", lambda r: r.extra_cost == 0.5),
    ("every missed object should hurt as much as a false alarm", lambda r: abs(ratio(r) - 1) < 1e-9),
    ("misses and extras should cost the same", lambda r: abs(ratio(r) - 1) < 1e-9),
    ("treat a missed object as three times worse than an extra one", lambda r: abs(ratio(r) - 3) < 1e-9),
    ("I want recall to matter more than precision", lambda r: ratio(r) > 1),
    ("precision is more important to us than recall", lambda r: ratio(r) < 1),
    ("it's okay if they skip traffic lights", lambda r: r.rule_of("traffic light").miss_cost == 0),
    ("forgetting a cyclist should cost double", lambda r: r.rule_of("cyclist").miss_cost == 2),
    ("additional pedestrians shouldn't be punished", lambda r: r.rule_of("pedestrian").extra_cost == 0),
    ("drawing the same object twice should not be penalized", lambda r: r.duplicate_cost == 0),
    ("double boxes on one object count three times as an error", lambda r: r.duplicate_cost == 3),
    # attributes
    ("color is irrelevant for this course", no_attribute("color")),
    ("disregard truncated and occluded", lambda r: no_attribute("truncated")(r) and no_attribute("occluded")(r)),
    (
        "we only grade the color, no other attributes",
        lambda r: scored(r, "color", "car") and not scored(r, "occluded", "car"),
    ),
    ("drop the occluded flag from grading", no_attribute("occluded")),
    (
        "color is twice as important as the other attributes",
        lambda r: (a := attribute_rule(r, "color")) is not None and a.weight == 2,
    ),
    ("color should only count half", lambda r: (a := attribute_rule(r, "color")) is not None and a.weight == 0.5),
    (
        "for pedestrians the color doesn't matter",
        lambda r: not scored(r, "color", "pedestrian") and scored(r, "color", "car"),
    ),
    (
        "typos in color are not a big deal",
        lambda r: (a := attribute_rule(r, "color")) is not None and a.comparator == "text",
    ),
    ("color has to match exactly", lambda r: (a := attribute_rule(r, "color")) is not None and a.comparator == "exact"),
    ("skip all the attributes, I just want boxes and labels", lambda r: share(r, "attributes") == 0),
    ("attributes are worth 10%", lambda r: abs(share(r, "attributes") - 0.1) < 1e-9),
    (
        "students who use a format without attributes should lose those points",
        lambda r: r.unsupported_attributes == "wrong",
    ),
    # classes
    ("only cars, trucks and buses are graded", lambda r: scored_labels(r) == {"car", "truck", "bus"}),
    ("take traffic lights out of the evaluation", lambda r: "traffic light" not in scored_labels(r)),
    ("we haven't taught cyclists yet, so ignore them", lambda r: "cyclist" not in scored_labels(r)),
    ("grade pedestrians and cyclists only", lambda r: scored_labels(r) == {"pedestrian", "cyclist"}),
    ("pedestrians should be weighted five times", weighs("pedestrian", 5)),
    ("a truck is worth half a car", weighs("truck", 0.5)),
    ("trucks count 1.5 times", weighs("truck", 1.5)),
    ("count cyclists and pedestrians double", lambda r: weighs("cyclist", 2)(r) and weighs("pedestrian", 2)(r)),
    ("confusing bus with truck should cost nothing", confusion("bus", "truck", 1.0)),
    ("give 50% when someone mistakes a truck for a bus", confusion("truck", "bus", 0.5)),
    ("bus and truck are interchangeable", confusion("bus", "truck", 1.0)),
    ("wrong class means zero for the label", lambda r: r.known_wrong_label == "zero" and r.known_wrong_credit == 0),
    ("half marks for a wrong label", lambda r: r.known_wrong_label == "zero" and r.known_wrong_credit == 0.5),
    ("a box with the wrong class must not match at all", lambda r: r.label_mode == "require"),
    ("underscores and spaces in class names are the same thing", lambda r: r.separators_alike),
    # position
    ("minimum IoU 0.6 please", lambda r: r.thresholds.box == 0.6),
    ("a box only counts if it covers at least three quarters of the object", lambda r: r.thresholds.box == 0.75),
    ("use 0.75 as the overlap cutoff for polygons", lambda r: r.thresholds.area == 0.75 and r.thresholds.box == 0.5),
    ("lower the matching threshold to 40 percent", lambda r: r.thresholds.box == 0.4),
    ("traffic lights are small, so 30% overlap is enough for them", lambda r: r.rule_of("traffic light").least == 0.3),
    ("for cyclists demand an IoU of 0.65", lambda r: r.rule_of("cyclist").least == 0.65),
    ("an overlap of 85% or better earns full marks", lambda r: r.full_overlap == 0.85),
    ("I don't need pixel-perfect boxes", lambda r: r.full_overlap < 1 or r.thresholds.box < 0.5),
    ("anything under 15 px can be ignored", lambda r: r.smallest == 15),
    ("leave out objects that are less than 25 pixels wide", lambda r: r.smallest == 25),
    # weights between the parts
    (
        "label 50, position 30, attributes 20",
        lambda r: abs(share(r, "label") - 0.5) < 1e-9 and abs(share(r, "attributes") - 0.2) < 1e-9,
    ),
    ("the class should make up 40% of each object's score", lambda r: abs(share(r, "label") - 0.4) < 1e-9),
    ("quality 70, completeness 30", lambda r: abs(share(r, "quality") - 0.7) < 1e-9),
    ("completeness is all that matters", lambda r: share(r, "completeness") == 1),
    ("weigh completeness twice as much as quality", lambda r: abs(share(r, "completeness") - 2 / 3) < 1e-9),
    # images, passing, regions
    ("images they didn't get to shouldn't count against them", lambda r: r.missing_images == "skip"),
    ("reward students for leaving empty images empty", lambda r: r.count_empty_images),
    ("pass at 65 points", lambda r: r.pass_mark == 65),
    ("anyone below 60 fails", lambda r: r.pass_mark == 60),
    ("truncated objects don't need to be found", lambda r: any(a == "truncated" for a, _ in r.ignore_where)),
)
