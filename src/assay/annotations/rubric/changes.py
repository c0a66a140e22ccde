"""`Edit`: one small change of a rubric; and what each kind of it does."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, TypeAlias

from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric, Thresholds, Weights
from assay.annotations.shapes.shapes import FAMILIES
from assay.errors import InputError


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Names as the ground truth writes them."""

    labels: tuple[str, ...]
    attributes: tuple[str, ...]

    @classmethod
    def of(cls, rubric: Rubric, further_attributes: Iterable[str] = ()) -> "KnownNames":
        """The names in a rubric, and attributes of the ground truth that it does not score."""
        scored = (attribute.name for rule in rubric.labels for attribute in rule.attributes)
        key = () if rubric.match_key is None else (rubric.match_key,)
        return cls(tuple(rule.name for rule in rubric.labels), _each_once([*scored, *key, *further_attributes]))

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


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    """The first spelling of each name."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(normalised(name), name)
    return tuple(first.values())


Value: TypeAlias = float | bool | str | None

MATCH_PARTS = ("localisation", "label", "attributes")
OVERALL_PARTS = ("quality", "completeness")


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
    value: Value = None
    source: str = field(default="", compare=False)
    """Who understood the instruction so."""


def whose(edit: Edit) -> str:
    return f"attribute {edit.attribute!r}" + (f" of {edit.label!r}" if edit.label else "")


def set_weights(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    return replace(rubric, weights=replace(rubric.weights, **{edit.part: number_in(edit) for edit in edits}))


def scale_weight(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    (edit,) = edits
    return replace(
        rubric, weights=replace(rubric.weights, **{edit.part: getattr(rubric.weights, edit.part) * number_in(edit)})
    )


def set_shares(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    """Shares in per cent of their group; the parts not named keep their proportion in what is left."""
    asked = {edit.part: number_in(edit) for edit in edits}
    weights = rubric.weights
    for group in (MATCH_PARTS, OVERALL_PARTS):
        named_here = {part: share for part, share in asked.items() if part in group}
        if named_here:
            weights = replace(weights, **_shared_out(weights, group, named_here))
    return replace(rubric, weights=weights)


def _shared_out(weights: Weights, group: Sequence[str], asked: Mapping[str, float]) -> dict[str, float]:
    others = {part: getattr(weights, part) for part in group if part not in asked}
    left, before = 100 - sum(asked.values()), sum(others.values())
    if left < -1e-9 or (left > 1e-9 and before == 0):
        raise InputError(f"The shares of {', '.join(group)} must make 100 % in all.", field="value")
    rest = {part: round(left * weight / before, 10) if before else 0.0 for part, weight in others.items()}
    return {**asked, **rest}


def set_threshold(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    (edit,) = edits
    if edit.label and edit.part:
        raise InputError("A threshold is set for a label or for a kind of shape, not for both.", field="part")
    if edit.label:
        labels = tuple(
            replace(rule, least=number_in(edit)) if rule.name == edit.label else rule for rule in rubric.labels
        )
        return replace(rubric, labels=labels)
    kinds = FAMILIES if edit.part in ("", "all") else (edit.part,)
    changes = dict.fromkeys((f.name for f in fields(Thresholds) if f.name in kinds), number_in(edit))
    return replace(rubric, thresholds=replace(rubric.thresholds, **changes))


def set_setting(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    (edit,) = edits
    changes: dict[str, Any] = {edit.part: edit.value}
    return replace(rubric, **changes)


def count_only(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    return replace(rubric, only_labels=tuple(dict.fromkeys(edit.label for edit in edits)))


def leave_out_label(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    """All labels but this one count, of those that did."""
    (edit,) = edits
    before = rubric.only_labels or tuple(rule.name for rule in rubric.labels)
    left = tuple(name for name in before if not _is(name, edit.label))
    if not left:
        raise InputError("No label would be left to count.", field="label")
    return rubric if len(left) == len(before) else replace(rubric, only_labels=left)


def count_all(rubric: Rubric, _: Sequence[Edit]) -> Rubric:
    return replace(rubric, only_labels=())


def set_match_key(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    return replace(rubric, match_key=edits[0].attribute or None)


def on_attributes(
    change: Callable[[AttributeRule, Edit], AttributeRule | None],
) -> Callable[[Rubric, Sequence[Edit]], Rubric]:
    """An action that changes the rule of an attribute, or drops it (None), on one label or on all that have it."""

    def applied(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
        (edit,) = edits
        if not any(_is(rule.name, edit.attribute) for label in _chosen(rubric, edit) for rule in label.attributes):
            raise InputError(f"{whose(edit)} is not scored.", field="attribute")
        labels = tuple(
            replace(label, attributes=tuple(_changed(label.attributes, edit, change)))
            if label in _chosen(rubric, edit)
            else label
            for label in rubric.labels
        )
        return replace(rubric, labels=labels)

    return applied


def _changed(
    rules: Iterable[AttributeRule], edit: Edit, change: Callable[[AttributeRule, Edit], AttributeRule | None]
) -> Iterator[AttributeRule]:
    for rule in rules:
        new = change(rule, edit) if _is(rule.name, edit.attribute) else rule
        if new is not None:
            yield new


def include_attribute(rubric: Rubric, edits: Sequence[Edit]) -> Rubric:
    """The attribute is scored on labels that lack it, compared as on another label, else as text."""
    (edit,) = edits
    others = (rule for label in rubric.labels for rule in label.attributes if _is(rule.name, edit.attribute))
    model = next(others, AttributeRule(edit.attribute))
    if rubric.match_key is not None and _is(rubric.match_key, edit.attribute):
        raise InputError(f"{edit.attribute!r} is the match key, which is not scored.", field="attribute")
    labels = tuple(
        replace(label, attributes=(*label.attributes, model))
        if label in _chosen(rubric, edit) and not any(_is(rule.name, edit.attribute) for rule in label.attributes)
        else label
        for label in rubric.labels
    )
    return replace(rubric, labels=labels)


def _chosen(rubric: Rubric, edit: Edit) -> tuple[LabelRule, ...]:
    return tuple(rule for rule in rubric.labels if not edit.label or rule.name == edit.label)


def _is(name: str, other: str) -> bool:
    return normalised(name) == normalised(other)


def number_in(edit: Edit) -> float:
    return float(edit.value or 0)


def tolerant(rule: AttributeRule, edit: Edit) -> AttributeRule:
    # only numbers have a tolerance: an attribute that gets one is compared as a number from now on
    return replace(rule, comparator="number", tolerance=number_in(edit))


def compared(rule: AttributeRule, edit: Edit) -> AttributeRule:
    changes: dict[str, Any] = {"comparator": edit.value}
    return replace(rule, **changes)
