"""Thirty ways to ask for a rule, written when the grammar was finished and measured once."""

from assay.annotations.rubric.rubric import Rubric
from tests.annotations.rubric.further_phrasings import Check, attribute_rule

FINAL: list[tuple[str, Check]] = [
    ("You can draw as many extra boxes as you like", lambda r: r.extra_cost == 0),
    ("Missing a pedestrian is unforgivable, make it five times as costly", lambda r: _misses(r) == 5),
    ("Reduce the cost of false positives to a third", lambda r: abs(r.extra_cost - 1 / 3) < 1e-9),
    ("It's worse to overlook something than to draw too much", lambda r: r.beta**2 * r.miss_cost > r.extra_cost),
    ("Double boxes shouldn't be penalized", lambda r: r.duplicate_cost == 0),
    ("Completeness should decide 75% of the result", lambda r: r.weights.of_overall == (0.25, 0.75)),
    ("Weigh the label half as much as now", lambda r: r.weights.label == 12.5),
    ("Position and label should each count 50%", lambda r: r.weights.of_match == (0.5, 0.5, 0.0)),
    ("No attributes please", lambda r: r.weights.attributes == 0),
    ("The label is the thing I care about most", lambda r: r.weights.label > 50),
    ("Overlaps below 0.45 don't count as a match", lambda r: r.thresholds.box == 0.45),
    ("For masks, demand 80% overlap", lambda r: r.thresholds.area == 0.8),
    ("Pedestrians are hard to outline, 0.35 overlap is enough for them", lambda r: _least(r, "pedestrian") == 0.35),
    ("Don't be so strict about the position", lambda r: r.thresholds.box < 0.5),
    ("Treat anything from 0.8 IoU as perfect", lambda r: r.full_overlap == 0.8),
    ("Half credit for calling a pedestrian a cyclist", lambda r: ("pedestrian", "cyclist", 0.5) in r.label_credits),
    ("Wrong labels should get nothing", lambda r: r.known_wrong_label == "zero" and r.known_wrong_credit == 0),
    ("A car may only be matched with a car", lambda r: r.label_mode == "require"),
    ("Whether labels use spaces or underscores is irrelevant", lambda r: r.separators_alike),
    ("Score cars, trucks and buses only", lambda r: set(r.only_labels) == {"car", "truck", "bus"}),
    ("We don't need cyclists this time", lambda r: "cyclist" not in r.only_labels and bool(r.only_labels)),
    ("Give trucks double weight", lambda r: r.rule_of("truck").weight == 2),
    ("Boxes smaller than 16x16 pixels shouldn't count", lambda r: r.smallest == 16),
    ("Do not score objects that are occluded", lambda r: ("occluded", "true") in r.ignore_where),
    ("We do not care whether truncated is right", lambda r: attribute_rule(r, "truncated") is None),
    ("The color may contain typos", lambda r: getattr(attribute_rule(r, "color"), "comparator", "") == "text"),
    ("Images that a student skipped should be left out", lambda r: r.missing_images == "skip"),
    ("Correctly empty images earn points", lambda r: r.count_empty_images),
    ("To pass, students need a score of at least 75", lambda r: r.pass_mark == 75),
    ("Fail everyone under 40", lambda r: r.pass_mark == 40),
]


def _misses(rubric: Rubric) -> float:
    return rubric.rule_of("pedestrian").miss_cost


def _least(rubric: Rubric, label: str) -> float | None:
    return rubric.rule_of(label).least
