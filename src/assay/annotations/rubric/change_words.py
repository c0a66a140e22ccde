"""What a change of the rules means, said in sentences: what holds from now on, and what held before."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from assay.annotations.rubric.changes import KEPT_FACTS, Edit
from assay.annotations.rubric.rubric import CHOICES as RUBRIC_CHOICES
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric

ODD = 0.4321
"""A number that no rule has, to be different from."""
SHAPES = {
    **{"box": "Boxes", "area": "Polygons and masks", "skeleton": "Skeletons", "line": "Lines", "points": "Points"},
    **{"cuboid": "Cuboids", "tag": "Tags"},
}
COMPARED = {
    "text": "by text similarity, so that typos cost little",
    "exact": "exactly: right or wrong",
    "boolean": "as true or false",
    "number": "as numbers",
}
CHOICES: Mapping[str, Mapping[str, str]] = {
    "label_mode": {
        "ignore": "Labels play no part in matching",
        "tiebreak": "Labels decide only between pairs that overlap equally",
        "prefer": "Pairs with the same label are matched first",
        "require": "Only annotations with the same label can match",
    },
    "no_attributes": {
        "full": "An object without attributes gets full credit for them",
        "renormalise": "An object without attributes is scored by position and label alone",
    },
    "missing_images": {
        "missed": "Objects on images a student did not hand in count as missed",
        "skip": "Images a student did not hand in are left out",
    },
    "extra_images": {
        "extra": "Annotations on images without ground truth count as extra",
        "ignore": "Images without ground truth are left out",
    },
    "resized_images": {
        "error": "Images of another size than in the ground truth are refused",
        "scale": "Images of another size are scaled to the ground truth",
    },
    "unsupported_attributes": {
        "skip": "Attributes that a file format cannot hold are not scored",
        "wrong": "Attributes that a file format cannot hold count as left empty",
    },
    "box_files": {
        "boxes": "Boxes against outlines are compared with the boxes around them",
        "outlines": "Boxes against outlines count as the wrong tool",
    },
}
SWITCHES: Mapping[str, tuple[str, str]] = {
    "across_families": ("A box may match a polygon", "A box cannot match a polygon"),
    "key_anywhere": ("The same key matches wherever it is drawn", "The same key matches only where shapes overlap"),
    "separators_alike": (
        "Spaces, hyphens and underscores in names are the same",
        "Spaces, hyphens and underscores in names differ",
    ),
    "count_empty_images": (
        "An image correctly left empty earns credit",
        "An image correctly left empty earns nothing",
    ),
}


def change_words(before: Rubric, after: Rubric) -> tuple[str, ...]:
    """A sentence for each thing that changes.

    >>> change_words(Rubric(), Rubric(beta=1.0))
    ('A missed object costs as much as an extra one (before: a quarter as much).',)
    """
    said = [
        *_weights(before, after),
        *_thresholds(before, after),
        *_costs(before, after),
        *_labels(before, after),
        *_attributes(before, after),
        *_settings(before, after),
    ]
    return tuple(f"{now} (before: {was})." if was else f"{now}." for now, was in said)


Said = Iterator[tuple[str, str]]
"""What holds now, and what held before where that adds something."""


def _weights(before: Rubric, after: Rubric) -> Said:
    def of_match(rubric: Rubric) -> str:
        return "position {:.3g}%, label {:.3g}%, attributes {:.3g}%".format(*(100 * s for s in rubric.weights.of_match))

    def of_overall(rubric: Rubric) -> str:
        return "quality {:.3g}%, completeness {:.3g}%".format(*(100 * s for s in rubric.weights.of_overall))

    for what, words in (("A match counts", of_match), ("The score is made of", of_overall)):
        was, now = words(before), words(after)
        if was != now:
            yield f"{what}: {now}", was


def _thresholds(before: Rubric, after: Rubric) -> Said:
    for field in fields(after.thresholds):
        was, now = (float(getattr(rubric.thresholds, field.name)) for rubric in (before, after))
        if was != now:
            yield f"{SHAPES[field.name]} need a minimum overlap of {now:g} to match", f"{was:g}"
    if before.full_overlap != after.full_overlap:
        full = "Position earns full credit from an overlap of"
        yield f"{full} {after.full_overlap:g}", f"{before.full_overlap:g}"
    if before.smallest != after.smallest:
        small = f"Objects smaller than {after.smallest:g} pixels are not scored" if after.smallest else ""
        yield small or "Objects of any size are scored", f"{before.smallest:g} pixels" if before.smallest else ""
    if before.near_miss != after.near_miss:
        yield f"A near miss starts at an overlap of {after.near_miss:g}", f"{before.near_miss:g}"


def _costs(before: Rubric, after: Rubric) -> Said:
    for part, what in (("miss_cost", "Missed objects cost"), ("extra_cost", "Extra annotations cost")):
        was, now = (float(getattr(rubric, part)) for rubric in (before, after))
        if was != now:
            yield f"{what} {times(now)} usual" if now else f"{what} nothing", _factor(was)
    ratio, ratio_before = _ratio(after), _ratio(before)
    if ratio and ratio != ratio_before:
        earlier = times(ratio_before).removesuffix(" as") if ratio_before else ""
        yield f"A missed object costs {times(ratio)} an extra one", earlier
    if before.duplicate_cost != after.duplicate_cost:
        yield f"A duplicate costs {times(after.duplicate_cost)} another extra", _factor(before.duplicate_cost)


def _ratio(rubric: Rubric) -> float:
    """What a missed object costs, in extras; 0 when one of them costs nothing."""
    return rubric.beta**2 * rubric.miss_cost / rubric.extra_cost if rubric.extra_cost else 0.0


def _factor(value: float) -> str:
    return "" if value == 1 else times(value).removesuffix(" as") if value else "nothing"


def times(factor: float) -> str:
    """A factor in words, for "costs ... another".

    >>> times(2), times(0.5), times(1), times(0)
    ('twice as much as', 'half as much as', 'as much as', 'nothing, unlike')
    """
    named = {0.0: "nothing, unlike", 1.0: "as much as", 2.0: "twice as much as", 0.5: "half as much as"}
    named |= {0.25: "a quarter as much as", 3.0: "three times as much as"}
    near = next((words for value, words in named.items() if abs(value - factor) < 1e-9), "")
    return near or f"{factor:.3g} times as much as"


def _labels(before: Rubric, after: Rubric) -> Said:
    if before.only_labels != after.only_labels:
        every = [rule.name for rule in after.labels]
        out = [name for name in every if name not in after.only_labels] if after.only_labels else []
        only = f"Only {_listed(after.only_labels)} {'is' if len(after.only_labels) == 1 else 'are'} scored"
        few = f"{_listed(out)} {'is' if len(out) == 1 else 'are'} not scored"
        was = f"only {_listed(before.only_labels)}" if before.only_labels else ""
        yield "All classes are scored" if not after.only_labels else few if len(out) < len(every) / 2 else only, was
    was_of = {rule.name: rule for rule in before.labels}
    for rule in after.labels:
        yield from _label(was_of.get(rule.name, LabelRule(rule.name)), rule)
    wrong, wrong_before = (_wrong_class(rubric) for rubric in (after, before))
    if wrong != wrong_before:
        yield f"A wrong class earns {wrong}", wrong_before
    had = {(first, second): credit for first, second, credit in before.label_credits}
    for first, second, credit in after.label_credits:
        if had.get((first, second)) != credit:
            yield f"Confusing {first!r} and {second!r} earns {100 * credit:g}% of the label's points", ""


def _wrong_class(rubric: Rubric) -> str:
    if rubric.known_wrong_label == "similarity":
        return "the similarity of its letters"
    return f"{100 * rubric.known_wrong_credit:g}% credit" if rubric.known_wrong_credit else "no credit"


def _label(was: LabelRule, now: LabelRule) -> Said:
    if was.weight != now.weight:
        earlier = f"{was.weight:g} times" if was.weight != 1 else ""
        yield f"{now.name!r} counts {times(now.weight)} another class", earlier
    for part, what in (("miss_cost", "Missing"), ("extra_cost", "An extra")):
        if getattr(was, part) != getattr(now, part):
            cost = float(getattr(now, part))
            yield f"{what} {now.name!r} costs {times(cost)} any other class", ""
    if was.least != now.least:
        usual = "as for its shape" if was.least is None else f"{was.least:g}"
        need = "as much overlap as its shape" if now.least is None else f"a minimum overlap of {now.least:g}"
        yield f"{now.name!r} needs {need} to match", usual


def _attributes(before: Rubric, after: Rubric) -> Said:
    """Each change of an attribute once, with the classes it is about unless it is about all that have it."""
    was = {(rule.name, a.name): a for rule in before.labels for a in rule.attributes}
    now = {(rule.name, a.name): a for rule in after.labels for a in rule.attributes}
    about: dict[tuple[str, str], list[str]] = {}
    for label, name in dict.fromkeys((*was, *now)):
        for sentence in _attribute(was.get((label, name)), now.get((label, name))):
            about.setdefault((name, sentence), []).append(label)
    for (name, sentence), labels in about.items():
        every = [label for label, other in dict.fromkeys((*was, *now)) if other == name]
        of = "" if len(labels) == len(every) else f" of {_listed(labels)}"
        yield f"{name!r}{of} {sentence}", ""


def _attribute(was: AttributeRule | None, now: AttributeRule | None) -> Iterator[str]:
    if now is None:
        yield "is not scored"
        return
    if was is None:
        yield f"is scored, compared {COMPARED[now.comparator]}"
        return
    if was.weight != now.weight:
        yield f"counts {times(now.weight)} another attribute"
    if was.comparator != now.comparator or was.tolerance != now.tolerance:
        within = f", within {now.tolerance:g}" if now.tolerance else ""
        yield f"is compared {COMPARED[now.comparator]}{within}"


def _settings(before: Rubric, after: Rubric) -> Said:
    for name, words in CHOICES.items():
        if getattr(before, name) != getattr(after, name):
            yield words[getattr(after, name)], ""
    for name, (on, off) in SWITCHES.items():
        if getattr(before, name) != getattr(after, name):
            yield on if getattr(after, name) else off, ""
    numbers: Mapping[str, Callable[[float], str]] = {
        "similarity_floor": lambda value: f"Texts less similar than {100 * value:g}% earn nothing",
        "crowd_share": lambda value: f"An annotation is no extra if {100 * value:g}% of it lies in a crowd region",
    }
    for name, say in numbers.items():
        if getattr(before, name) != getattr(after, name):
            yield say(float(getattr(after, name))), f"{100 * float(getattr(before, name)):g}%"
    if before.match_key != after.match_key:
        key = f"Annotations with the same {after.match_key!r} are matched first" if after.match_key else ""
        yield key or "No attribute is used as a key for matching", before.match_key or "no key"
    for name, value in after.ignore_where:
        if (name, value) not in before.ignore_where:
            yield f"Objects whose {name!r} is {value} are not scored", ""
    if before.pass_mark != after.pass_mark and after.pass_mark is not None:
        yield (
            f"A submission passes with {after.pass_mark:g} points",
            f"{before.pass_mark or 0:g}" if before.pass_mark else "",
        )


def _listed(names: Iterable[str]) -> str:
    """Names in quotes, as in a sentence.

    >>> _listed(["car", "bus", "van"])
    "'car', 'bus' and 'van'"
    """
    *first, last = [repr(name) for name in names] or ["no class"]
    return f"{', '.join(first)} and {last}" if first else last


def already_words(rubric: Rubric, edit: Edit) -> str:
    """What a rubric does already, in the words of a change to it."""
    if edit.action == "keep":
        return f"{KEPT_FACTS[edit.part]}."
    other = _otherwise(rubric, edit)
    said = change_words(other, rubric) if other is not None else ()
    return said[0].split(" (before:")[0].rstrip(".") + "." if said else "The rules say so."


def _otherwise(rubric: Rubric, edit: Edit) -> Rubric | None:
    """The rubric with the opposite of what an edit asks for; None where there is no such thing."""
    if edit.action == "set":
        now = getattr(rubric, edit.part)
        swapped: Any = (not now) if isinstance(now, bool) else ODD
        if edit.part in RUBRIC_CHOICES:
            swapped = next(word for word in RUBRIC_CHOICES[edit.part] if word != now)
        return replace(rubric, **{edit.part: swapped})
    if edit.action in ("set_weight", "scale_weight", "set_share"):
        return replace(rubric, weights=replace(rubric.weights, **{edit.part: getattr(rubric.weights, edit.part) + ODD}))
    if edit.action == "set_threshold" and not edit.label:
        kinds = [field.name for field in fields(rubric.thresholds)] if edit.part in ("", "all") else [edit.part]
        return replace(rubric, thresholds=replace(rubric.thresholds, **dict.fromkeys(kinds, ODD)))
    if edit.action in ("count_only", "leave_out_label") and rubric.only_labels:
        return replace(rubric, only_labels=())
    if edit.action == "count_all_labels" and rubric.labels:
        return replace(rubric, only_labels=(rubric.labels[0].name,))
    if edit.action == "include_attribute":
        return replace(rubric, labels=tuple(_without(rule, edit.attribute) for rule in rubric.labels))
    changed = {
        "set_threshold": {"least": ODD},
        "weigh_label": {"weight": ODD},
        "cost_label": {edit.part: ODD},
    }.get(edit.action)
    if changed is None:
        return None
    return replace(
        rubric,
        labels=tuple(replace(r, **changed) if r.name == edit.label else r for r in rubric.labels),  # type: ignore[arg-type]
    )


def _without(rule: LabelRule, attribute: str) -> LabelRule:
    return replace(rule, attributes=tuple(a for a in rule.attributes if a.name != attribute))
