"""Small changes of a rubric in a closed vocabulary: checked strictly, applied to a copy, each told in a sentence.

Whoever proposes them, a person's words or a language model, can only say what stands in `ACTIONS`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import isfinite
from typing import Any, TypeAlias

from assay.annotations.rubric.changes import (
    MATCH_PARTS,
    OVERALL_PARTS,
    Edit,
    KnownNames,
    Value,
    compared,
    count_all,
    count_only,
    include_attribute,
    leave_out_label,
    named,
    number_in,
    on_attributes,
    scale_weight,
    set_match_key,
    set_setting,
    set_shares,
    set_threshold,
    set_weights,
    tolerant,
    whose,
)
from assay.annotations.rubric.rubric import CHOICES, COMPARATORS, Rubric
from assay.annotations.shapes.shapes import FAMILIES
from assay.errors import InputError

PARTS = (*MATCH_PARTS, *OVERALL_PARTS)
NUMBERS = ("beta", "near_miss", "similarity_floor", "crowd_share")
SWITCHES = ("across_families", "key_anywhere", "separators_alike", "count_empty_images")
SETTINGS = (*NUMBERS, *CHOICES, *SWITCHES)
TOGETHER = ("set_weight", "set_share", "count_only")
"""Actions of which neighbours are applied as one."""
LARGEST, LONGEST = 1e6, 200
"""Numbers and names beyond these are no rules that anyone means."""


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


@dataclass(frozen=True, slots=True)
class Action:
    """A kind of edit: what it does, in words and in code, and which fields it needs or may have."""

    sentence: str
    change: Callable[[Rubric, Sequence[Edit]], Rubric]
    """Applies a run of edits of this action."""
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    values: tuple[str, ...] | Callable[[str], tuple[str, ...]] | None = None
    """The words `value` may be; None when it is a number."""


Fields: TypeAlias = Any
"""What several actions have in common: keyword arguments of `Action`."""


# ---- checking ------------------------------------------------------------------------------------------------------


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
    }
    taken: dict[str, Any] = {name: read[name](stated[name]) for name in read if name in stated}
    if "value" in stated:
        taken["value"] = _value(stated["value"], action, str(taken.get("part", "")))
    return Edit(action, source=source, **taken)


def _name(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
        raise InputError(f"The {what} is not a name of at most {LONGEST} letters.", field=what)
    return value.strip()


def _value(value: object, action: str, part: str) -> Value:
    words = ACTIONS[action].values
    choice = words(part) if callable(words) else words
    if choice is None:
        return _number(value, action)
    if choice == ("true", "false"):
        if not isinstance(value, bool):
            raise InputError(f"{part} is true or false.", field="value")
        return value
    if not choice:
        return _number(value, action)
    return named(_name(value, "value"), choice, "value")


def _number(value: object, action: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise InputError(f"{action}: the value is not a number of a usable size.", field="value")
    if not isfinite(value) or value < 0:
        raise InputError(f"{action}: {value} is not possible: give 0 or more.", field="value")
    return float(value)


def _words_of_setting(setting: str) -> tuple[str, ...]:
    """The words a setting may be; none for a number."""
    return CHOICES.get(setting, ("true", "false") if setting in SWITCHES else ())


# ---- applying ------------------------------------------------------------------------------------------------------


def apply_edits(rubric: Rubric, edits: Iterable[Edit]) -> Edited:
    """The rubric after the edits, in their order; the given one stays as it is.

    Neighbouring weights are set as one: 0/0/100 after 50/50/0 is possible, though 0/0/0 on the way is not. What the
    rubric refuses is reported with its reason.
    """
    result = Edited(rubric)
    for action, run in groupby(edits, key=lambda edit: edit.action):
        listed = tuple(run)
        for step in [listed] if action in TOGETHER else [(edit,) for edit in listed]:
            result = _after(result, step)
    return result


def _after(result: Edited, step: tuple[Edit, ...]) -> Edited:
    try:
        changed = ACTIONS[step[0].action].change(result.rubric, step)
    except InputError as problem:
        refused = tuple(Refusal(edit_words(edit), str(problem), edit.source) for edit in step)
        return replace(result, refused=result.refused + refused)
    if changed == result.rubric:
        return replace(result, already=result.already + step)
    return replace(result, rubric=changed, applied=result.applied + step)


# ---- the vocabulary ------------------------------------------------------------------------------------------------


def _where(edit: Edit) -> str:
    if edit.label:
        return f" for label {edit.label!r}"
    return f" for {edit.part}" if edit.part not in ("", "all") else ""


def _shown(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else str(value)


WEIGHT: Fields = {"needs": ("part", "value"), "parts": PARTS}
ATTRIBUTE: Fields = {"needs": ("attribute",), "may": ("label",)}
ATTRIBUTE_VALUE: Fields = {"needs": ("attribute", "value"), "may": ("label",)}
SIMILARITY: Fields = {"needs": ("value",), "may": ("part", "label"), "parts": ("all", *FAMILIES)}
LABEL: Fields = {"needs": ("label",)}
SETTING: Fields = {"needs": ("part", "value"), "parts": SETTINGS, "values": _words_of_setting}

ACTIONS: Mapping[str, Action] = {
    "set_weight": Action("weight of {part}: {value}", set_weights, **WEIGHT),
    "scale_weight": Action("weight of {part}: times {value}", scale_weight, **WEIGHT),
    "set_share": Action("share of {part}: {value} %", set_shares, **WEIGHT),
    "ignore_attribute": Action("{whose}: not scored", on_attributes(lambda *_: None), **ATTRIBUTE),
    "include_attribute": Action("{whose}: scored", include_attribute, **ATTRIBUTE),
    "weigh_attribute": Action(
        "{whose}: weight {value}",
        on_attributes(lambda rule, edit: replace(rule, weight=number_in(edit))),
        **ATTRIBUTE_VALUE,
    ),
    "scale_attribute": Action(
        "{whose}: weight times {value}",
        on_attributes(lambda rule, edit: replace(rule, weight=rule.weight * number_in(edit))),
        **ATTRIBUTE_VALUE,
    ),
    "compare_attribute": Action(
        "{whose}: compared as {value}", on_attributes(compared), **ATTRIBUTE_VALUE, values=COMPARATORS
    ),
    "set_tolerance": Action("{whose}: compared as number, within {value}", on_attributes(tolerant), **ATTRIBUTE_VALUE),
    "set_threshold": Action("least similarity of a pair{where}: {value}", set_threshold, **SIMILARITY),
    "count_only": Action("only these labels count: {label!r}", count_only, **LABEL),
    "leave_out_label": Action("label {label!r}: not counted", leave_out_label, **LABEL),
    "count_all_labels": Action("all labels count", count_all),
    "set_key": Action("match key: {attribute!r}", set_match_key, needs=("attribute",)),
    "drop_key": Action("match key: none", set_match_key),
    "set": Action("{part}: {value}", set_setting, **SETTING),
}
"""Everything an edit can do."""


def edit_words(edit: Edit) -> str:
    """The edit in words."""
    return ACTIONS[edit.action].sentence.format(
        part=edit.part,
        attribute=edit.attribute,
        label=edit.label,
        value=_shown(edit.value),
        whose=whose(edit),
        where=_where(edit),
    )
