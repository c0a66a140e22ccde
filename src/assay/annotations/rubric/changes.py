"""`Edit`: one small change of a rubric; `KnownNames`: what it may speak of; `ACTIONS`: all that it can do.

Edits are checked strictly, applied to a copy, each told in a sentence. Whoever proposes them, a person's words or a
language model, can only say what stands in `ACTIONS`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, TypeAlias

from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import CHOICES, COMPARATORS, AttributeRule, LabelRule, Rubric
from assay.annotations.shapes.shapes import FAMILIES
from assay.errors import InputError

Value: TypeAlias = float | bool | str | None
MATCH_PARTS = ("localisation", "label", "attributes")
OVERALL_PARTS = ("quality", "completeness")
NUMBERS = (
    *("beta", "near_miss", "similarity_floor", "crowd_share", "miss_cost", "extra_cost", "duplicate_cost"),
    *("known_wrong_credit", "full_overlap", "smallest", "pass_mark"),
)
KEPT_FACTS = {
    "case": "Upper and lower case are never compared",
    "empty_attribute": "An attribute left empty where the ground truth has a value earns nothing",
    "crowd": "Crowd regions are never scored",
}
"""What instructions ask for and every rubric does."""
SWITCHES = ("across_families", "key_anywhere", "separators_alike", "count_empty_images")


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The labels and attributes that an edit may speak of, as the ground truth writes them."""

    labels: tuple[str, ...]
    attributes: tuple[str, ...]

    @classmethod
    def of(cls, rubric: Rubric, further_attributes: Iterable[str] = ()) -> "KnownNames":
        """The names in a rubric, and attributes of the ground truth that it does not score, each as first spelt."""
        scored = (attribute.name for rule in rubric.labels for attribute in rule.attributes)
        key = () if rubric.match_key is None else (rubric.match_key,)
        first: dict[str, str] = {}
        for name in (*scored, *key, *further_attributes):
            first.setdefault(normalised(name), name)
        return cls(tuple(rule.name for rule in rubric.labels), tuple(first.values()))

    def label(self, name: str) -> str:
        """The label of this name as it is written; InputError with the nearest when there is none."""
        return named(name, self.labels, "label")

    def attribute(self, name: str) -> str:
        """The attribute of this name as it is written; InputError with the nearest when there is none."""
        return named(name, self.attributes, "attribute")


def named(name: str, names: Sequence[str], kind: str) -> str:
    """The one of `names` that differs only in case, spaces, hyphens or underscores.

    A near miss is not taken for the name: that would change grades on a guess. It is suggested.

    >>> named("annotation no", ("Annotation_No", "color"), "attribute")
    'Annotation_No'
    """
    spelling = normalised(name, separators_alike=True)
    same = [known for known in names if normalised(known, separators_alike=True) == spelling]
    if same:
        return name if name in same else same[0]
    spelled = {normalised(known, separators_alike=True): known for known in names}
    near = [repr(spelled[match]) for match in get_close_matches(spelling, spelled, n=2, cutoff=0.6)]
    listed = ", ".join(repr(known) for known in names[:8]) + (", ..." if len(names) > 8 else "")
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are: {listed}." if names else "There are none."
    raise InputError(f"There is no {kind} {name!r}", field=kind, remedy=hint)


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of the rules."""

    action: str
    """A key of `ACTIONS`."""
    part: str = ""
    """The weight, the kind of shape or the setting."""
    attribute: str = ""
    label: str = ""
    """Empty: all labels."""
    other: str = ""
    """A second label, where two are spoken of."""
    value: Value = None
    source: str = field(default="", compare=False)
    """Who understood the instruction so."""

    @property
    def number(self) -> float:
        return float(self.value or 0)

    @property
    def whose(self) -> str:
        return f"attribute {self.attribute!r}" + (f" of {self.label!r}" if self.label else "")


Change: TypeAlias = Callable[[Rubric, Sequence[Edit]], Rubric]


@dataclass(frozen=True, slots=True)
class Action:
    """A kind of edit: what it does, in words and in code, and which fields it needs or may have."""

    sentence: str
    change: Change
    """Applies a run of edits of this action: of one, unless neighbours are applied together."""
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    values: tuple[str, ...] | Callable[[str], tuple[str, ...]] | None = None
    """The words `value` may be; None when it is a number."""


def _is(name: str, other: str) -> bool:
    return normalised(name) == normalised(other)


def _set_weights(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    return replace(rubric, weights=replace(rubric.weights, **{edit.part: edit.number for edit in edits}))


def _scale_weight(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    scaled = {edit.part: getattr(rubric.weights, edit.part) * edit.number for edit in edits}
    return replace(rubric, weights=replace(rubric.weights, **scaled))


def _set_shares(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    """Shares in per cent of their group; the parts not named keep their proportion in what is left."""
    weights = rubric.weights
    for group in (MATCH_PARTS, OVERALL_PARTS):
        asked = {edit.part: edit.number for edit in edits if edit.part in group}
        others = {part: getattr(weights, part) for part in group if part not in asked}
        left, before = 100 - sum(asked.values()), sum(others.values())
        if asked and (left < -1e-9 or (left > 1e-9 and before == 0)):
            raise InputError(f"The shares of {', '.join(group)} must make 100 % in all.", field="value")
        rest = {part: round(left * weight / before, 10) if before else 0.0 for part, weight in others.items()}
        weights = replace(weights, **asked, **rest) if asked else weights
    return replace(rubric, weights=weights)


def _set_threshold(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    (edit,) = edits
    if edit.label and edit.part:
        raise InputError("A threshold is set for a label or for a kind of shape, not for both.", field="part")
    if edit.label:
        own = (replace(rule, least=edit.number) if rule.name == edit.label else rule for rule in rubric.labels)
        return replace(rubric, labels=tuple(own))
    kinds = FAMILIES if edit.part in ("", "all") else (edit.part,)
    return replace(rubric, thresholds=replace(rubric.thresholds, **dict.fromkeys(kinds, edit.number)))


def _leave_out_label(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    """All labels but this one count, of those that did."""
    before = rubric.only_labels or tuple(rule.name for rule in rubric.labels)
    left = tuple(name for name in before if not _is(name, edits[0].label))
    if not left:
        raise InputError("No label would be left to count.", field="label")
    return rubric if len(left) == len(before) else replace(rubric, only_labels=left)


def _on_label(rubric: Rubric, edit: Edit, **changes: Any) -> Rubric:
    own = (replace(rule, **changes) if rule.name == edit.label else rule for rule in rubric.labels)
    return replace(rubric, labels=tuple(own))


def _credit_labels(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    """Credit for confusing two classes, instead of what was said of them before."""
    (edit,) = edits
    if edit.label == edit.other:
        raise InputError("Name two classes.", field="other")
    pair = {edit.label, edit.other}
    rest = tuple(row for row in rubric.label_credits if {row[0], row[1]} != pair)
    return replace(rubric, label_credits=(*rest, (edit.label, edit.other, edit.number)))


def _ignore_where(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    row = (edits[0].attribute, str(edits[0].value).lower())
    return rubric if row in rubric.ignore_where else replace(rubric, ignore_where=(*rubric.ignore_where, row))


def _set_setting(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    changes: dict[str, Any] = {edits[0].part: edits[0].value}
    return replace(rubric, **changes)


def _on_attributes(change: Callable[[AttributeRule, Edit], AttributeRule | None]) -> Change:
    """An action that changes the rule of an attribute, or drops it (None), on one label or on all that have it."""

    def changed(label: LabelRule, edit: Edit) -> LabelRule:
        rules = (change(rule, edit) if _is(rule.name, edit.attribute) else rule for rule in label.attributes)
        return replace(label, attributes=tuple(rule for rule in rules if rule is not None))

    def applied(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
        (edit,) = edits
        chosen = [label for label in rubric.labels if not edit.label or label.name == edit.label]
        if not any(_is(rule.name, edit.attribute) for label in chosen for rule in label.attributes):
            raise InputError(f"{edit.whose} is not scored.", field="attribute")
        labels = (changed(label, edit) if label in chosen else label for label in rubric.labels)
        return replace(rubric, labels=tuple(labels))

    return applied


def _include_attribute(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    """The attribute is scored on labels that lack it, compared as on another label, else as text."""
    (edit,) = edits
    if rubric.match_key is not None and _is(rubric.match_key, edit.attribute):
        raise InputError(f"{edit.attribute!r} is the match key, which is not scored.", field="attribute")
    others = (rule for label in rubric.labels for rule in label.attributes if _is(rule.name, edit.attribute))
    model = next(others, AttributeRule(edit.attribute))
    labels = []
    for label in rubric.labels:
        lacks = not any(_is(rule.name, edit.attribute) for rule in label.attributes)
        chosen = lacks and (not edit.label or label.name == edit.label)
        labels.append(replace(label, attributes=(*label.attributes, model)) if chosen else label)
    return replace(rubric, labels=tuple(labels))


def _compared(rule: AttributeRule, edit: Edit) -> AttributeRule:
    changes: dict[str, Any] = {"comparator": edit.value}
    return replace(rule, **changes)


Fields: TypeAlias = Any
"""What several actions have in common: keyword arguments of `Action`."""
WEIGHT: Fields = {"needs": ("part", "value"), "parts": (*MATCH_PARTS, *OVERALL_PARTS)}
ATTRIBUTE: Fields = {"needs": ("attribute",), "may": ("label",)}
ATTRIBUTE_VALUE: Fields = {"needs": ("attribute", "value"), "may": ("label",)}
SIMILARITY: Fields = {"needs": ("value",), "may": ("part", "label"), "parts": ("all", *FAMILIES)}
LABEL: Fields = {"needs": ("label",)}
SETTING: Fields = {
    **{"needs": ("part", "value"), "parts": (*NUMBERS, *CHOICES, *SWITCHES)},
    # the words a setting may be; none for a number
    "values": lambda setting: CHOICES.get(setting, ("true", "false") if setting in SWITCHES else ()),
}
_WEIGH = _on_attributes(lambda rule, edit: replace(rule, weight=edit.number))
_SCALE = _on_attributes(lambda rule, edit: replace(rule, weight=rule.weight * edit.number))


# only numbers have a tolerance: an attribute that gets one is compared as a number from now on
_TOLERATE = _on_attributes(lambda rule, edit: replace(rule, comparator="number", tolerance=edit.number))
ACTIONS: Mapping[str, Action] = {
    "set_weight": Action("weight of {part}: {value}", _set_weights, **WEIGHT),
    "scale_weight": Action("weight of {part}: times {value}", _scale_weight, **WEIGHT),
    "set_share": Action("share of {part}: {value} %", _set_shares, **WEIGHT),
    "ignore_attribute": Action("{whose}: not scored", _on_attributes(lambda *_: None), **ATTRIBUTE),
    "include_attribute": Action("{whose}: scored", _include_attribute, **ATTRIBUTE),
    "weigh_attribute": Action("{whose}: weight {value}", _WEIGH, **ATTRIBUTE_VALUE),
    "scale_attribute": Action("{whose}: weight times {value}", _SCALE, **ATTRIBUTE_VALUE),
    "compare_attribute": Action(
        "{whose}: compared as {value}", _on_attributes(_compared), **ATTRIBUTE_VALUE, values=COMPARATORS
    ),
    "set_tolerance": Action("{whose}: compared as number, within {value}", _TOLERATE, **ATTRIBUTE_VALUE),
    "set_threshold": Action("least similarity of a pair{where}: {value}", _set_threshold, **SIMILARITY),
    "count_only": Action(
        "only these labels count: {label!r}",
        lambda rubric, edits: replace(rubric, only_labels=tuple(dict.fromkeys(edit.label for edit in edits))),
        **LABEL,
    ),
    "leave_out_label": Action("label {label!r}: not counted", _leave_out_label, **LABEL),
    "count_all_labels": Action("all labels count", lambda rubric, _: replace(rubric, only_labels=())),
    "set_key": Action(
        "match key: {attribute!r}",
        lambda rubric, edits: replace(rubric, match_key=edits[0].attribute or None),
        needs=("attribute",),
    ),
    "drop_key": Action("match key: none", lambda rubric, _: replace(rubric, match_key=None)),
    "set": Action("{part}: {value}", _set_setting, **SETTING),
    "weigh_label": Action(
        "label {label!r}: weight {value}",
        lambda rubric, edits: _on_label(rubric, edits[0], weight=edits[0].number),
        needs=("label", "value"),
    ),
    "cost_label": Action(
        "label {label!r}: {part} {value}",
        lambda rubric, edits: _on_label(rubric, edits[0], **{edits[0].part: edits[0].number}),
        needs=("label", "part", "value"),
        parts=("miss_cost", "extra_cost"),
    ),
    "credit_labels": Action(
        "{label!r} for {other!r}, or the other way round: credit {value}",
        _credit_labels,
        needs=("label", "other", "value"),
    ),
    "ignore_where": Action(
        "objects whose {attribute!r} is {value}: not scored",
        _ignore_where,
        needs=("attribute", "value"),
        values=("true", "false"),
    ),
    "keep": Action("{part}", lambda rubric, _: rubric, needs=("part",), parts=tuple(KEPT_FACTS)),
}
"""Everything an edit can do."""
LARGEST, LONGEST = 1e6, 200
"""Numbers and names beyond these are no rules that anyone means."""
