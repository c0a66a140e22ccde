"""Sixty more ways a trainer may ask for a rule, each with what the rules must then say.

Written and committed before the grammar was looked at for them: the phrasings measure the grammar, and may not be
adapted to it. Classes and attributes are those of `further_phrasings`.
"""

from assay.annotations.rubric.rubric import Rubric
from tests.annotations.rubric.further_phrasings import Check, attribute_rule

UNSEEN: list[tuple[str, Check]] = [
    # what counts how much
    ("Position should be worth 70% of each match", lambda r: abs(r.weights.of_match[0] - 0.7) < 1e-9),
    ("I want labels to count for half of a match", lambda r: abs(r.weights.of_match[1] - 0.5) < 1e-9),
    ("Attributes shouldn't matter at all", lambda r: r.weights.attributes == 0),
    ("Leave the attributes out of the grade", lambda r: r.weights.attributes == 0),
    ("Completeness is more important to me than quality: 70 to 30", lambda r: r.weights.of_overall == (0.3, 0.7)),
    ("Split the score evenly between quality and completeness", lambda r: r.weights.of_overall == (0.5, 0.5)),
    ("Base the grade on completeness alone", lambda r: r.weights.of_overall == (0.0, 1.0)),
    ("Getting the class right matters twice as much as it does now", lambda r: r.weights.label == 50),
    ("weights: position 60, label 30, attributes 10", lambda r: r.weights.of_match == (0.6, 0.3, 0.1)),
    ("Only look at whether the labels are right, not where the boxes are", lambda r: r.weights.of_match[1] == 1.0),
    # extras, misses, duplicates
    ("Students shouldn't lose points for drawing too much", lambda r: r.extra_cost == 0),
    ("No penalty for additional annotations", lambda r: r.extra_cost == 0),
    ("Go easy on extra boxes, they should cost half as much", lambda r: r.extra_cost == 0.5),
    (
        "A missed object is three times as bad as an extra one",
        lambda r: round(r.miss_cost * r.beta**2 / r.extra_cost, 9) == 3,
    ),
    ("Missing something is worse than adding something", lambda r: r.miss_cost * r.beta**2 > r.extra_cost),
    ("Treat misses and extras the same", lambda r: r.miss_cost * r.beta**2 == r.extra_cost),
    ("Don't take off points for objects they overlooked", lambda r: r.miss_cost == 0),
    ("If someone boxes the same car twice, don't punish it", lambda r: r.duplicate_cost == 0),
    ("Double the penalty for duplicates", lambda r: r.duplicate_cost == 2),
    ("Forgetting a pedestrian should hurt twice as much", lambda r: r.rule_of("pedestrian").miss_cost == 2),
    # overlap
    ("A box is fine as soon as it overlaps by 40 percent", lambda r: r.thresholds.box == 0.4),
    ("Be stricter about overlap: at least 0.75", lambda r: r.thresholds.box == 0.75),
    ("require an IoU of 0.6 for polygons", lambda r: r.thresholds.area == 0.6),
    ("For traffic lights an IoU of 0.3 will do", lambda r: r.rule_of("traffic light").least == 0.3),
    ("Anything overlapping 90% or better gets full marks for position", lambda r: r.full_overlap == 0.9),
    ("Skeletons have to reach an OKS of 0.7", lambda r: r.thresholds.skeleton == 0.7),
    ("Lower the bar for masks to 0.35", lambda r: r.thresholds.area == 0.35),
    ("An overlap over 20% but under the threshold is a near miss", lambda r: r.near_miss == 0.2),
    # labels
    ("If they mix up car and truck, give them half the points", lambda r: ("car", "truck", 0.5) in _credits(r)),
    ("No points when the class is wrong", lambda r: r.known_wrong_label == "zero" and r.known_wrong_credit == 0),
    ("A wrong class still earns 20 percent", lambda r: r.known_wrong_label == "zero" and r.known_wrong_credit == 0.2),
    ("Match boxes only if they have the same class", lambda r: r.label_mode == "require"),
    ("Don't look at the label when pairing up boxes", lambda r: r.label_mode == "ignore"),
    ("Underscores and spaces in labels mean the same thing", lambda r: r.separators_alike),
    ("Pair annotations of the same class first", lambda r: r.label_mode == "prefer"),
    # which objects
    ("We only care about cars and pedestrians here", lambda r: set(r.only_labels) == {"car", "pedestrian"}),
    ("Buses aren't part of this exercise", lambda r: "bus" not in r.only_labels and len(r.only_labels) == 5),
    ("Skip everything smaller than 12 pixels", lambda r: r.smallest == 12),
    ("Tiny objects under 20 px don't have to be annotated", lambda r: r.smallest == 20),
    ("Cars that are occluded don't need to be graded", lambda r: ("occluded", "true") in _ignored(r)),
    ("Pedestrians should weigh three times as much as the rest", lambda r: r.rule_of("pedestrian").weight == 3),
    ("Trucks count half", lambda r: r.rule_of("truck").weight == 0.5),
    # attributes
    ("Forget about the color", lambda r: attribute_rule(r, "color") is None),
    ("Nobody has to fill in truncated", lambda r: attribute_rule(r, "truncated") is None),
    ("Color is only relevant for cars", lambda r: bool(attribute_rule(r, "color")) and _lacks(r, "truck", "color")),
    ("Occluded is twice as important as the other attributes", lambda r: _weight(r, "occluded") == 2),
    ("Colors have to be spelled exactly right", lambda r: _comparator(r, "color") == "exact"),
    ("Be lenient with typos in color", lambda r: _comparator(r, "color") == "text"),
    # images
    ("If an image is missing from their file, don't hold it against them", lambda r: r.missing_images == "skip"),
    ("Images nobody handed in count as missed", lambda r: r.missing_images == "missed"),
    ("Ignore any pictures that aren't in the ground truth", lambda r: r.extra_images == "ignore"),
    ("Reward leaving an empty image empty", lambda r: r.count_empty_images),
    ("Some students worked on resized images; scale their work", lambda r: r.resized_images == "scale"),
    # kinds of shape, keys, passing
    ("It's fine to use a box where we used a polygon", lambda r: r.across_families),
    ("Use the attribute 'number' to tell which box belongs to which", lambda r: r.match_key == "number"),
    ("You need 70 points to pass", lambda r: r.pass_mark == 70),
    ("Everything below 55 is a fail", lambda r: r.pass_mark == 55),
    ("Set the pass mark to 80", lambda r: r.pass_mark == 80),
    ("Use the strict profile", lambda r: r.profile == "strict-1.0"),
    (
        "Charge YOLO users for attributes even though their files have none",
        lambda r: r.unsupported_attributes == "wrong",
    ),
]


def _credits(rubric: Rubric) -> set[tuple[str, str, float]]:
    pairs = rubric.label_credits
    return set(pairs) | {(b, a, credit) for a, b, credit in pairs}


def _ignored(rubric: Rubric) -> set[tuple[str, str]]:
    return {(name, value.casefold()) for name, value in rubric.ignore_where}


def _lacks(rubric: Rubric, label: str, name: str) -> bool:
    return attribute_rule(rubric, name, label) is None


def _weight(rubric: Rubric, name: str) -> float:
    rule = attribute_rule(rubric, name)
    return rule.weight if rule else 0.0


def _comparator(rubric: Rubric, name: str) -> str:
    rule = attribute_rule(rubric, name)
    return rule.comparator if rule else ""
