"""Edits as a person or a model gives them: read, applied together or refused, and told in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import isfinite
from typing import Any

from assay.annotations.rubric.changes import ACTIONS, KEPT_FACTS, LARGEST, LONGEST, Edit, KnownNames, Value, named
from assay.annotations.rubric.rubric import Rubric
from assay.errors import InputError

TOGETHER = ("set_weight", "set_share", "count_only")
"""Actions of which neighbours are applied as one."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something asked for that is not done, and why."""

    asked: str
    why: str
    source: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Edited:
    """A rubric after edits: those that changed it, those that could not be applied, those it followed already."""

    rubric: Rubric
    applied: tuple[Edit, ...] = ()
    refused: tuple[Refusal, ...] = ()
    already: tuple[Edit, ...] = ()


def read_edit(raw: object, known: KnownNames, source: str = "") -> Edit:
    """The edit that loose fields describe; InputError when they are not exactly one of the vocabulary."""
    if not isinstance(raw, Mapping) or not all(isinstance(key, str) for key in raw):
        raise InputError("An edit is an object with named fields.", field="edit")
    stated = {key: value for key, value in raw.items() if value is not None and value != ""}
    action = named(_name(stated.pop("action", ""), "action"), tuple(ACTIONS), "action")
    rule = ACTIONS[action]
    surplus = sorted(set(stated) - {*rule.needs, *rule.may})
    missing = [name for name in rule.needs if name not in stated]
    if surplus or missing:
        wrong = [f"{name[:LONGEST]!r} does not belong" for name in surplus] + [f"{name} is missing" for name in missing]
        raise InputError(f"{action}: {', '.join(wrong[:5])}.", field=(surplus or missing)[0][:LONGEST])
    read = {
        "part": lambda text: named(_name(text, "part"), rule.parts, "part"),
        "attribute": lambda text: known.attribute(_name(text, "attribute")),
        "label": lambda text: known.label(_name(text, "label")),
        "other": lambda text: known.label(_name(text, "other")),
    }
    fields: dict[str, Any] = {name: read[name](stated[name]) for name in read if name in stated}
    if "value" in stated:
        fields["value"] = _value(stated["value"], action, str(fields.get("part", "")))
    return Edit(action, source=source, **fields)


def _name(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
        raise InputError(f"The {what} is not a name of at most {LONGEST} letters.", field=what)
    return value.strip()


def _value(value: object, action: str, part: str) -> Value:
    words = ACTIONS[action].values
    choice = words(part) if callable(words) else words
    if choice == ("true", "false"):
        if not isinstance(value, bool):
            raise InputError(f"{part} is true or false.", field="value")
        return value
    if choice:
        return named(_name(value, "value"), choice, "value")
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise InputError(f"{action}: the value is not a number of a usable size.", field="value")
    if not isfinite(value) or value < 0:
        raise InputError(f"{action}: {value} is not possible: give 0 or more.", field="value")
    return float(value)


def apply_edits(rubric: Rubric, edits: Iterable[Edit]) -> Edited:
    """The rubric after the edits, in their order; the given one stays as it is.

    Neighbouring weights are set as one: 0/0/100 after 50/50/0 is possible, though 0/0/0 on the way is not. What the
    rubric refuses is reported with its reason.
    """
    result = Edited(rubric)
    for action, run in groupby(edits, key=lambda edit: edit.action):
        listed = tuple(run)
        for step in [listed] if action in TOGETHER else [(edit,) for edit in listed]:
            try:
                changed = ACTIONS[action].change(result.rubric, step)
            except InputError as problem:
                refused = tuple(Refusal(edit_words(edit), str(problem), edit.source) for edit in step)
                result = replace(result, refused=result.refused + refused)
                continue
            if changed == result.rubric:
                result = replace(result, already=result.already + step)
            else:
                result = replace(result, rubric=changed, applied=result.applied + step)
    return result


def edit_words(edit: Edit) -> str:
    """The edit in words."""
    if edit.action == "keep":
        return KEPT_FACTS[edit.part]
    value = f"{edit.value:g}" if isinstance(edit.value, float) else str(edit.value)
    kind = f" for {edit.part}" if edit.part not in ("", "all") else ""
    return ACTIONS[edit.action].sentence.format(
        part=edit.part,
        attribute=edit.attribute,
        label=edit.label,
        other=edit.other,
        value=value.lower() if isinstance(edit.value, bool) else value,
        whose=edit.whose,
        where=f" for label {edit.label!r}" if edit.label else kind,
    )
