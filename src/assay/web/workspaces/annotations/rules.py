"""The rules of a workspace as a form, the form as rules, and what other rules would do to the scores."""

from collections.abc import Mapping
from dataclasses import fields, replace
from math import isfinite
from random import Random
from statistics import fmean
from time import monotonic
from typing import Any

import numpy as np

from assay.annotations.grading.review_subject import seen_digest
from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import CHOICES, COMPARATORS, AttributeRule, LabelRule, Rubric, Thresholds, Weights
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.attributes import AttributeColumns
from assay.annotations.shapes.shapes import FAMILY, ShapeKind
from assay.errors import InputError
from assay.store.item_listing import Change, ListQuery, ids_in_order, totals
from assay.store.items import find_item
from assay.store.overrides import reviewed
from assay.store.schema import Json
from assay.web.problems import FieldErrors
from assay.web.workspaces.annotations.scores import original_score, workspace_truth
from assay.web.workspaces.scoring import WorkspaceContext

WEIGHTS = (
    ("localisation", "Position", "How well the shapes overlap (IoU), or how near the keypoints are (OKS)."),
    ("label", "Label", "Whether the name is right."),
    ("attributes", "Attributes", "The mean over the attributes in use below."),
)
FAMILY_WORDS: Mapping[str, str] = {
    "box": "boxes",
    "area": "polygons and masks",
    "skeleton": "skeletons (keypoint similarity)",
    "line": "lines",
    "points": "points",
    "cuboid": "cuboids",
    "tag": "tags",
}
COMPARATOR_WORDS: Mapping[str, str] = {
    "text": "text similarity",
    "exact": "equal or not",
    "boolean": "true or false",
    "number": "as numbers",
}
CHOICE_WORDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "label_mode": (
        "Labels in matching",
        {
            "ignore": "play no part",
            "tiebreak": "decide between equally good pairs",
            "prefer": "same label first",
            "require": "same label only",
        },
    ),
    "known_wrong_label": (
        "Credit for a wrong class label",
        {"similarity": "the likeness of its letters", "zero": "nothing"},
    ),
    "no_attributes": (
        "An object without attributes",
        {"full": "gets full credit for them", "renormalise": "gives their weight to place and label"},
    ),
    "missing_images": (
        "Objects on images a student did not hand in",
        {"missed": "count as missed", "skip": "are left out"},
    ),
    "extra_images": (
        "Annotations on images not in the ground truth",
        {"extra": "count as extra", "ignore": "are left out"},
    ),
    "resized_images": ("Images of another size", {"error": "are refused", "scale": "are scaled to the ground truth"}),
    "unsupported_attributes": (
        "Attributes that a file format cannot hold, such as YOLO",
        {"skip": "are not scored", "wrong": "count as left empty"},
    ),
    "box_files": (
        "Boxes where the ground truth has outlines",
        {"boxes": "are compared with the boxes around them", "outlines": "count as the wrong tool"},
    ),
}
SWITCH_WORDS: Mapping[str, str] = {
    "across_families": "A box may match a polygon of the same object",
    "key_anywhere": "The same key matches even where shapes do not overlap",
    "separators_alike": "“traffic_light”, “traffic-light” and “traffic light” are the same",
    "count_empty_images": "Credit images correctly left empty",
}


def label_rows(rubric: Rubric, truth: AnnotationSet) -> list[Json]:
    """The labels of the rules, with what the ground truth holds of them."""
    only = {normalised(name) for name in rubric.only_labels}
    places = {normalised(name): place for place, name in enumerate(truth.labels)}
    rows = []
    for number, rule in enumerate(rubric.labels):
        own = truth.label == places.get(normalised(rule.name), -1)
        row = {"number": number, "name": rule.name, "objects": int(np.count_nonzero(own))}
        row["kinds"] = ", ".join(ShapeKind(int(k)).word for k in np.unique(truth.kind[own]))
        row["counts"] = not only or normalised(rule.name) in only
        rows.append({**row, "least": "" if rule.least is None else f"{rule.least:g}"})
    return rows


def attribute_rows(rubric: Rubric, inferred: Rubric) -> list[Json]:
    """Every attribute that is scored, and those the ground truth would have scored."""
    known = {normalised(rule.name): rule for rule in inferred.labels}
    rows = []
    for number, rule in enumerate(rubric.labels):
        for place, (attribute, used) in enumerate(offered_attributes(rule, known.get(normalised(rule.name)))):
            examples = ", ".join(attribute.values[:4]) + (", ..." if len(attribute.values) > 4 else "")
            row = {"label": number, "number": place, "label_name": rule.name, "name": attribute.name, "used": used}
            row |= {"examples": examples, "comparator": attribute.comparator}
            rows.append(row | {"tolerance": f"{attribute.tolerance:g}", "weight": f"{attribute.weight:g}"})
    return rows


def offered_attributes(rule: LabelRule, inferred: LabelRule | None) -> list[tuple[AttributeRule, bool]]:
    """Those in use, then those that were found but are not used."""
    used = {normalised(attribute.name) for attribute in rule.attributes}
    others = [a for a in (inferred.attributes if inferred else ()) if normalised(a.name) not in used]
    return [*((a, True) for a in rule.attributes), *((a, False) for a in others)]


def families_in(truth: AnnotationSet) -> list[str]:
    """The families of shapes that the ground truth has, in their usual order."""
    there = {FAMILY[ShapeKind(int(kind))] for kind in np.unique(truth.kind)}
    return [f.name for f in fields(Thresholds) if f.name in there]


def attribute_names(truth: AnnotationSet) -> list[str]:
    return sorted(AttributeColumns.of(truth).written.values())


def read_form(form: Mapping[str, str], rubric: Rubric, inferred: Rubric, truth: AnnotationSet) -> Rubric:
    """The rules a form asks for; FieldErrors by field when it cannot be."""
    reader = _Form(form)
    limits = {n: reader.number(f"t_{n}", getattr(rubric.thresholds, n), high=1) for n in families_in(truth)}
    changes: dict[str, Any] = {
        "weights": reader.weights(rubric),
        "thresholds": replace(rubric.thresholds, **limits),
        "beta": reader.number("beta", rubric.beta, low=0.01, high=100),
        "near_miss": reader.number("near_miss", rubric.near_miss, high=1),
        "match_key": form.get("match_key") or None,
        "labels": reader.labels(rubric, inferred),
        "only_labels": reader.only_labels(rubric),
        **{name: form.get(name, getattr(rubric, name)) for name in CHOICES},
        **{name: form.get(name) == "on" for name in SWITCH_WORDS},
    }
    if reader.errors:
        raise FieldErrors(reader.errors)
    try:
        return replace(rubric, **changes)
    except InputError as problem:
        raise FieldErrors.of(problem, otherwise="text") from None


class _Form:
    """Reads the fields of a form and gathers what is wrong with them."""

    def __init__(self, form: Mapping[str, str]) -> None:
        self.form = form
        self.errors: dict[str, str] = {}

    def number(self, name: str, present: float, low: float = 0.0, high: float = 1e6) -> float:
        """A number within bounds; an empty field leaves what is."""
        text = self.form.get(name, "").strip().replace(",", ".")
        if not text:
            return present
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not (isfinite(value) and low <= value <= high):
            self.errors[name] = f"Give a number from {low:g} to {high:g}."
            return present
        return value

    def weights(self, rubric: Rubric) -> Weights:
        of_match = {name: self.number(f"w_{name}", getattr(rubric.weights, name)) for name, _, _ in WEIGHTS}
        quality = self.number("w_quality", 100 * rubric.weights.of_overall[0], high=100)
        if sum(of_match.values()) <= 0:
            self.errors["w_localisation"] = "The three weights are all 0: give one of them a weight."
        return replace(rubric.weights, **of_match, quality=quality, completeness=100 - quality)

    def only_labels(self, rubric: Rubric) -> tuple[str, ...]:
        """The labels that count; none named when all do."""
        chosen = [rule.name for n, rule in enumerate(rubric.labels) if self.form.get(f"c_{n}") == "on"]
        if rubric.labels and not chosen:
            self.errors["labels"] = "No label is left to count: choose at least one."
        return () if len(chosen) == len(rubric.labels) else tuple(chosen)

    def labels(self, rubric: Rubric, inferred: Rubric) -> tuple[LabelRule, ...]:
        known = {normalised(one.name): one for one in inferred.labels}
        rules = []
        for place, rule in enumerate(rubric.labels):
            own = self.form.get(f"l_{place}", "").strip()
            least = self.number(f"l_{place}", 0.5, high=1) if own else None
            attributes = [
                self._attribute(f"{place}_{at}", attribute)
                for at, (attribute, _) in enumerate(offered_attributes(rule, known.get(normalised(rule.name))))
                if self.form.get(f"u_{place}_{at}") == "on"
            ]
            rules.append(replace(rule, attributes=tuple(attributes), least=least))
        return tuple(rules)

    def _attribute(self, key: str, rule: AttributeRule) -> AttributeRule:
        tolerance, weight = self.number(f"e_{key}", rule.tolerance), self.number(f"a_{key}", rule.weight)
        comparator: Any = self.form.get(f"k_{key}", rule.comparator)
        comparator = comparator if comparator in COMPARATORS else rule.comparator
        return replace(rule, tolerance=tolerance, weight=weight, comparator=comparator)


MOST = 200
SECONDS = 1.0
"""A page may wait this long; the rest of a large class is not tried."""
SHOWN = 8
SEEN = 0.05
"""A score changes where one decimal shows it."""


def preview(context: WorkspaceContext, rubric: Rubric) -> Json | None:
    """Score submissions by these rules, keep nothing, and say what changes; None when none has a score."""
    engine, began = context.workspace.engine, monotonic()
    with context.site.database.reading() as connection:
        scored = totals(connection, context.workspace.id, engine).scored
        ids = ids_in_order(connection, context.workspace.id, engine, ListQuery())
        ids = Random(0).sample(ids, min(MOST, len(ids)))  # of all scores alike, and the same ones each time
        items = [item for id_ in ids if (item := find_item(connection, context.workspace.id, id_)) is not None]
        decided = reviewed(connection, context.workspace.id, engine)
    prepared = prepare_truth(workspace_truth(context.site, context.workspace.id), rubric)
    tried: list[Change] = []
    decisions = staying = 0
    for item in items:
        if tried and monotonic() - began > SECONDS:
            break
        try:
            original = original_score(context.site, context.workspace, item)
            graded = grade_submission(prepared, original.submission)
            tried.append(Change(item.id, item.name, original.overall, graded.overall))
            own = decided.get(item.id, [])
            decisions += len(own)
            staying += sum(decision.seen == seen_digest(graded, decision.target) for decision in own)
        except InputError:  # it has no score either way
            continue
    if not tried:
        return None
    different = sorted((c for c in tried if abs(c.now - c.was) >= SEEN), key=lambda c: -abs(c.now - c.was))
    effect = {"was": fmean(c.was for c in tried), "now": fmean(c.now for c in tried), "largest": different[:SHOWN]}
    effect |= {"decisions": decisions, "staying": staying}
    return {**effect, "changes": len(different), "tried": len(tried), "scored": scored, "seconds": monotonic() - began}
