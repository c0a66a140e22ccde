"""Thirty ways to ask for a rule that were written after the grammar had learned from the sixty of `unseen_phrasings`.

They measure it once more, and are not adapted to it.
"""

from assay.annotations.rubric.rubric import Rubric
from tests.annotations.rubric.further_phrasings import Check, attribute_rule

FRESH: list[tuple[str, Check]] = [
    ("I don't care if they draw boxes that aren't needed", lambda r: r.extra_cost == 0),
    ("An overlooked traffic light is worth double the deduction", lambda r: _miss(r, "traffic light") == 2),
    ("Finding everything matters more than drawing neatly", lambda r: r.weights.completeness > r.weights.quality),
    ("Give position 80 percent and the label 20 percent", lambda r: r.weights.of_match == (0.8, 0.2, 0.0)),
    ("The class name should make up a third of each match", lambda r: abs(r.weights.of_match[1] - 1 / 3) < 1e-9),
    ("Cyclists and pedestrians are worth twice as much as everything else", lambda r: _weights(r) == (2, 2, 1)),
    ("Please leave trucks out of the scoring", lambda r: "truck" not in r.only_labels and len(r.only_labels) == 5),
    ("Grade nothing except the cars", lambda r: r.only_labels == ("car",)),
    ("Boxes need to overlap by two thirds", lambda r: abs(r.thresholds.box - 2 / 3) < 1e-9),
    ("Set the IoU threshold for pedestrians to 0.4", lambda r: r.rule_of("pedestrian").least == 0.4),
    ("80% overlap counts as a perfect fit", lambda r: r.full_overlap == 0.8),
    ("Be more forgiving about where the boxes are", lambda r: r.thresholds.box < 0.5),
    ("Confusing a bus with a truck should only cost half the points", lambda r: _credit(r, "bus", "truck") == 0.5),
    ("Bus and truck can be used interchangeably", lambda r: _credit(r, "bus", "truck") == 1),
    ("A box with the wrong label gets zero for the label", lambda r: r.known_wrong_label == "zero"),
    ("Don't bother checking whether something is truncated", lambda r: attribute_rule(r, "truncated") is None),
    ("The color has to be exactly the same", lambda r: _comparator(r, "color") == "exact"),
    ("Occlusion matters most among the attributes", lambda r: _weight(r, "occluded") > 1),
    ("Color should count three times as much as occluded", lambda r: _weight(r, "color") == 3),
    ("Do not grade the color of buses", lambda r: attribute_rule(r, "color", "bus") is None),
    ("Things less than 15 pixels wide can be skipped", lambda r: r.smallest == 15),
    ("Ignore objects which are truncated", lambda r: ("truncated", "true") in r.ignore_where),
    ("Students don't lose points for photos they never got", lambda r: r.missing_images == "skip"),
    ("Annotations on images we don't have in the ground truth don't matter", lambda r: r.extra_images == "ignore"),
    ("Pictures with nothing in them should count when left blank", lambda r: r.count_empty_images),
    ("Drawing the same object twice is not a problem", lambda r: r.duplicate_cost == 0),
    ("75 or more is a pass", lambda r: r.pass_mark == 75),
    ("Students who score under 50 have failed", lambda r: r.pass_mark == 50),
    ("Quality 40, completeness 60", lambda r: r.weights.of_overall == (0.4, 0.6)),
    ("Polygons may be matched against masks and boxes alike", lambda r: r.across_families),
]


def _miss(rubric: Rubric, label: str) -> float:
    return rubric.rule_of(label).miss_cost


def _weights(rubric: Rubric) -> tuple[float, ...]:
    return tuple(rubric.rule_of(name).weight for name in ("cyclist", "pedestrian", "car"))


def _credit(rubric: Rubric, first: str, second: str) -> float | None:
    return next((credit for a, b, credit in rubric.label_credits if {a, b} == {first, second}), None)


def _comparator(rubric: Rubric, name: str) -> str:
    rule = attribute_rule(rubric, name)
    return rule.comparator if rule else ""


def _weight(rubric: Rubric, name: str) -> float:
    rule = attribute_rule(rubric, name)
    return rule.weight if rule else 0.0
