"""Small changes of a rubric in a closed vocabulary: checked strictly, applied to a copy, each told in a sentence.

Whoever proposes them, a person's words or a language model, can only say what stands in `ACTIONS`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import isfinite
from typing import Any

from assay.annotations.rubric.changes import (
    MATCH_PARTS,
    OVERALL_PARTS,
    Edit,
    Value,
    compared,
    count_all,
    count_only,
    include_attribute,
    leave_out_label,
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
from assay.annotations.rubric.known_names import KnownNames, named
from assay.annotations.rubric.rubric import CHOICES, COMPARATORS, FAMILIES, Rubric
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
    """A kind of edit: which fields it needs, which it may have, and what it does."""

    needs: tuple[str, ...]
    may: tuple[str, ...]
    values: tuple[str, ...] | Callable[[str], tuple[str, ...]] | None
    """The words `value` may be; None when it is a number."""
    parts: tuple[str, ...]
    change: Callable[[Rubric, Sequence[Edit]], Rubric]
    """Applies a run of edits of this action."""
    sentence: Callable[[Edit], str]


# ---- checking ------------------------------------------------------------------------------------------------------


def read_edit(raw: object, known: KnownNames, source: str = "") -> Edit:
    """The edit that loose fields describe; InputError when they are not exactly one of the vocabulary."""
    if not isinstance(raw, Mapping) or not all(isinstance(key, str) for key in raw):
        raise InputError("An edit is an object with named fields.")
    stated = {key: value for key, value in raw.items() if value is not None and value != ""}
    action = named(_name(stated.pop("action", ""), "action"), tuple(ACTIONS), "action")
    rule = ACTIONS[action]
    surplus = sorted(set(stated) - {*rule.needs, *rule.may})
    missing = [name for name in rule.needs if name not in stated]
    if surplus or missing:
        wrong = [f"{name[:LONGEST]!r} does not belong" for name in surplus] + [f"{name} is missing" for name in missing]
        raise InputError(f"{action}: {', '.join(wrong[:5])}.")
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
        raise InputError(f"The {what} is not a name of at most {LONGEST} letters.")
    return value.strip()


def _value(value: object, action: str, part: str) -> Value:
    words = ACTIONS[action].values
    choice = words(part) if callable(words) else words
    if choice is None:
        return _number(value, action)
    if choice == ("true", "false"):
        if not isinstance(value, bool):
            raise InputError(f"{part} is true or false.")
        return value
    if not choice:
        return _number(value, action)
    return named(_name(value, "value"), choice, "value")


def _number(value: object, action: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise InputError(f"{action}: the value is not a number of a usable size.")
    if not isfinite(value) or value < 0:
        raise InputError(f"{action}: {value} is not possible: give 0 or more.")
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
        refused = tuple(Refusal(told(edit), str(problem), edit.source) for edit in step)
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


ACTIONS: Mapping[str, Action] = {
    "set_weight": Action(
        ("part", "value"), (), None, PARTS, set_weights, lambda e: f"weight of {e.part}: {_shown(e.value)}"
    ),
    "scale_weight": Action(
        ("part", "value"), (), None, PARTS, scale_weight, lambda e: f"weight of {e.part}: times {_shown(e.value)}"
    ),
    "set_share": Action(
        ("part", "value"), (), None, PARTS, set_shares, lambda e: f"share of {e.part}: {_shown(e.value)} %"
    ),
    "ignore_attribute": Action(
        ("attribute",), ("label",), None, (), on_attributes(lambda *_: None), lambda e: f"{whose(e)}: not scored"
    ),
    "include_attribute": Action(
        ("attribute",), ("label",), None, (), include_attribute, lambda e: f"{whose(e)}: scored"
    ),
    "weigh_attribute": Action(
        ("attribute", "value"),
        ("label",),
        None,
        (),
        on_attributes(lambda rule, e: replace(rule, weight=number_in(e))),
        lambda e: f"{whose(e)}: weight {_shown(e.value)}",
    ),
    "scale_attribute": Action(
        ("attribute", "value"),
        ("label",),
        None,
        (),
        on_attributes(lambda rule, e: replace(rule, weight=rule.weight * number_in(e))),
        lambda e: f"{whose(e)}: weight times {_shown(e.value)}",
    ),
    "compare_attribute": Action(
        ("attribute", "value"),
        ("label",),
        COMPARATORS,
        (),
        on_attributes(compared),
        lambda e: f"{whose(e)}: compared as {e.value}",
    ),
    "set_tolerance": Action(
        ("attribute", "value"),
        ("label",),
        None,
        (),
        on_attributes(tolerant),
        lambda e: f"{whose(e)}: compared as number, within {_shown(e.value)}",
    ),
    "set_threshold": Action(
        ("value",),
        ("part", "label"),
        None,
        ("all", *FAMILIES),
        set_threshold,
        lambda e: f"least similarity of a pair{_where(e)}: {_shown(e.value)}",
    ),
    "count_only": Action(("label",), (), None, (), count_only, lambda e: f"only these labels count: {e.label!r}"),
    "leave_out_label": Action(("label",), (), None, (), leave_out_label, lambda e: f"label {e.label!r}: not counted"),
    "count_all_labels": Action((), (), None, (), count_all, lambda _: "all labels count"),
    "set_key": Action(("attribute",), (), None, (), set_match_key, lambda e: f"match key: {e.attribute!r}"),
    "drop_key": Action((), (), None, (), set_match_key, lambda _: "match key: none"),
    "set": Action(
        ("part", "value"), (), _words_of_setting, SETTINGS, set_setting, lambda e: f"{e.part}: {_shown(e.value)}"
    ),
}
"""Everything an edit can do."""


def told(edit: Edit) -> str:
    """The edit in words."""
    return ACTIONS[edit.action].sentence(edit)
