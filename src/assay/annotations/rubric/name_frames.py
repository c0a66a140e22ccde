"""Frames about classes and attributes, and about what missing or adding an object costs."""

from collections.abc import Sequence
from itertools import pairwise

from assay.annotations.rubric.lexicon import ATTRIBUTE, CLASS
from assay.annotations.rubric.sentence import (
    AMOUNTS,
    COSTS,
    DEGREES,
    FAMILIES,
    FULL,
    HALF,
    SAYING,
    RawEdit,
    RuleSentence,
)


def wrong_class(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """Credit for a wrong class: "no credit for the wrong class", "give 30% for a wrong label"."""
    allowed = (
        "LABEL",
        "WRONG",
        *FAMILIES,
        *SAYING,
        "FULL",
        "FINE",
        "PARTIAL",
        *AMOUNTS,
        "LENIENT",
        "STRICT",
        "LESS",
        "MORE",
    )
    about = sentence.has("LABEL") and (sentence.has("WRONG") or sentence.has("LENIENT", "STRICT"))
    if not about or not sentence.only(*allowed) or sentence.contradictory:
        return None
    credit = _credit(sentence)
    return (
        None
        if credit is None
        else [
            {"action": "set", "part": "known_wrong_label", "value": "zero"},
            {"action": "set", "part": "known_wrong_credit", "value": credit},
        ]
    )


def _credit(sentence: RuleSentence) -> float | None:
    """What a confusion earns, 0 to 1."""
    costly, amount = sentence.has("PENALIZE"), sentence.amount()
    if sentence.amounts():
        if amount is None or sentence.denied or not 0 <= amount <= 1:
            return None
        return 1 - amount if costly else amount
    if sentence.has("LENIENT", "STRICT"):
        lenient = sentence.has("LENIENT") or sentence.has("LESS")
        return HALF if lenient != sentence.denied else 0.0
    if sentence.has("LESS", "MORE"):
        return HALF if costly and (sentence.has("LESS") != sentence.denied) else None
    if sentence.has("PARTIAL"):
        return None if sentence.denied else HALF
    if sentence.off or sentence.has("FULL", "FINE"):
        if sentence.has("FULL", "FINE"):
            return None if sentence.off or sentence.denied else FULL
        return FULL if costly or sentence.has("IGNORE") else 0.0
    return 0.0 if costly or (sentence.has("COUNT") and sentence.has("WRONG") and not sentence.denied) else None


def confusion(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """Two classes taken for each other: "treat bus and truck as the same class", "car for truck is half as bad"."""
    allowed = (
        CLASS,
        "MIX",
        "SAME",
        "ONE_CLASS",
        "LABEL",
        "THAN",
        "WRONG",
        *SAYING,
        "FULL",
        "FINE",
        "PARTIAL",
        *AMOUNTS,
        "LESS",
        "MORE",
    )
    if len(sentence.classes) != 2 or not sentence.has("MIX", "SAME", "ONE_CLASS") or not sentence.only(*allowed):
        return None
    if sentence.contradictory:
        return None
    first, second = sentence.classes
    if sentence.has("SAME", "ONE_CLASS"):
        clear = not sentence.denied and not sentence.amounts() and not sentence.has("IGNORE", "ZERO", "MIX")
        credit = FULL if clear and not sentence.has("PENALIZE") else None
    else:
        credit = _credit(sentence)
    return None if credit is None else [{"action": "credit_labels", "label": first, "other": second, "value": credit}]


def attribute(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """Single attributes: left out, weighed, compared otherwise; on all classes or on those that are named."""
    allowed = (
        ATTRIBUTE,
        CLASS,
        "ATTRIBUTES",
        "LABEL",
        *SAYING,
        *DEGREES,
        "CASE",
        "SPELLING",
        "EXACT",
        "SAME",
        "EMPTY",
        "FINE",
        "THAN",
    )
    if not sentence.attributes or not sentence.only(*allowed) or sentence.contradictory:
        return None
    if sentence.has("CASE", "EMPTY"):
        return _fact(sentence)
    if sentence.has("LABEL") and not sentence.classes:
        return None
    if sentence.has("SAME") and not sentence.has("EXACT"):
        return None
    scopes: list[RawEdit] = [{"label": name} for name in sentence.classes] or [{}]

    def each(action: str, **value: str | float) -> list[RawEdit]:
        return [{"action": action, "attribute": n, **scope, **value} for n in sentence.attributes for scope in scopes]

    if sentence.has("SPELLING"):
        if sentence.has("LENIENT", "STRICT") and not sentence.has("NOT", "IGNORE", "MORE", "LESS", *AMOUNTS):
            return each("compare_attribute", value="text" if sentence.has("LENIENT") else "exact")
        plain = sentence.has("FINE") or sentence.off or sentence.has("IGNORE")
        return each("compare_attribute", value="text") if plain and not sentence.has(*DEGREES) else None
    if sentence.has("EXACT"):
        return None if sentence.denied or sentence.has("IGNORE", *DEGREES) else each("compare_attribute", value="exact")
    if sentence.has("ONLY") and sentence.degree() is None:  # "only count half" speaks of how much
        return _only_attributes(sentence)
    if sentence.has("FINE"):
        return each("ignore_attribute") if sentence.has("WRONG") and not sentence.has(*DEGREES, "NOT") else None
    degree = sentence.degree()
    if sentence.off and degree is None and not sentence.amounts() and not sentence.has("MORE", "LESS"):
        return each("ignore_attribute")
    if sentence.denied or sentence.has("IGNORE", "ZERO", "REWARD", "CREDIT", "STRICT", "LENIENT"):
        return None
    if degree is not None:
        return each("scale_attribute", value=degree)
    return each("include_attribute") if sentence.has("COUNT") and not sentence.amounts() else None


def _only_attributes(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """The other attributes are left out; on all classes, for "only color of cars" may mean the cars.

    "Color counts only for cars" leaves it out on the other classes.
    """
    order = [token.concept for token in sentence.words.tokens if token.concept in (ATTRIBUTE, "ONLY", CLASS)]
    if sentence.classes and not sentence.has("NOT", "IGNORE", "ZERO", *DEGREES, "PENALIZE"):
        if order[0] != ATTRIBUTE or order.index("ONLY") > order.index(CLASS):
            return None
        return [
            {"action": "ignore_attribute", "attribute": rule.name, "label": label.name}
            for label in sentence.rubric.labels
            for rule in label.attributes
            if rule.name in sentence.attributes and label.name not in sentence.classes
        ]
    if sentence.classes or sentence.has("NOT", "IGNORE", "ZERO", *DEGREES, "PENALIZE"):
        return None
    rules = [rule.name for label in sentence.rubric.labels for rule in label.attributes]
    others = [name for name in dict.fromkeys(rules) if name not in sentence.attributes]
    return [{"action": "ignore_attribute", "attribute": name} for name in others] or None


def _fact(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """What the rules do anyway."""
    if sentence.has("CASE"):
        return [{"action": "keep", "part": "case"}] if sentence.off or sentence.has("IGNORE") else None
    wrong = sentence.has("WRONG", "PENALIZE", "ZERO") and not sentence.denied and not sentence.has("IGNORE", *AMOUNTS)
    return [{"action": "keep", "part": "empty_attribute"}] if wrong else None


def facts(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """What holds without a named attribute: case, crowds, what stands between the words of a name."""
    if sentence.has("SEPARATORS") and sentence.only("SEPARATORS", "SAME", "THAN", "FINE", *SAYING, "LABEL"):
        alike = sentence.has("SAME", "FINE") != sentence.off and not sentence.contradictory
        return [{"action": "set", "part": "separators_alike", "value": True}] if alike else None
    if sentence.has("CASE") and sentence.only("CASE", *SAYING, "LABEL", "ATTRIBUTES"):
        return _fact(sentence)
    if sentence.has("CROWD") and sentence.only("CROWD", *SAYING, "EXTRA") and not sentence.contradictory:
        return [{"action": "keep", "part": "crowd"}] if sentence.off else None
    return None


def same_class_only(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "A box with the wrong class must not match", "only match boxes of the same class"."""
    if not sentence.has("MATCH") or not sentence.has("LABEL", "SAME") or sentence.contradictory:
        return None
    if sentence.only("MATCH", "LABEL", "SAME", "PREFER", *FAMILIES) and sentence.has("SAME") and sentence.has("PREFER"):
        return [{"action": "set", "part": "label_mode", "value": "prefer"}]
    if sentence.only("MATCH", "LABEL", "NOT", "IGNORE", "COUNT", *FAMILIES) and sentence.has("NOT", "IGNORE"):
        return [{"action": "set", "part": "label_mode", "value": "ignore"}]
    if not sentence.only("MATCH", "LABEL", "WRONG", "SAME", "NOT", "ONLY", *FAMILIES):
        return None
    apart = sentence.has("WRONG") and sentence.denied and not sentence.has("ONLY", "SAME")
    alike = sentence.has("SAME") and sentence.has("ONLY") and not sentence.has("NOT", "WRONG")
    return [{"action": "set", "part": "label_mode", "value": "require"}] if apart or alike else None


def optional(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "It's okay to skip traffic lights": they need not be drawn, and count where they are."""
    if not sentence.classes or not sentence.has("FINE") or not sentence.only(CLASS, "FINE", "IGNORE"):
        return None
    return _each(sentence.classes, "cost_label", part="miss_cost", value=0.0) if sentence.has("IGNORE") else None


def where(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """Objects with a yes-or-no attribute: "ignore occluded objects"."""
    if len(sentence.attributes) != 1 or not sentence.has("OBJECTS", *FAMILIES):
        return None
    if (
        not sentence.only(ATTRIBUTE, "WHOSE", "OBJECTS", *FAMILIES, *SAYING)
        or sentence.contradictory
        or sentence.has("WRONG")
    ):
        return None
    tokens = [t for t in sentence.words.tokens if t.concept in (ATTRIBUTE, "OBJECTS", *FAMILIES)]
    # "the color of boxes" is about the color: the attribute must come right before the objects
    joined = sentence.has("WHOSE") or any(
        a.concept == ATTRIBUTE and b.concept != ATTRIBUTE for a, b in pairwise(tokens)
    )
    rules = [r for label in sentence.rubric.labels for r in label.attributes if r.name == sentence.attributes[0]]
    if not joined or not sentence.off or any(rule.comparator != "boolean" for rule in rules):
        return None
    return [{"action": "ignore_where", "attribute": sentence.attributes[0], "value": True}]


def classes(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """Whole classes: left out, alone, or weighed."""
    if sentence.classes and sentence.has("EXCEPT") and sentence.only(CLASS, "LABEL", "EXCEPT", *SAYING):
        return _except(sentence)
    allowed = (CLASS, "LABEL", *SAYING, *DEGREES, *FAMILIES)
    if not sentence.classes or not sentence.only(*allowed) or sentence.contradictory or sentence.has("WRONG"):
        return None
    if sentence.denied and sentence.only(CLASS, "NOT"):  # "we don't need cyclists", "no buses"
        return _each(sentence.classes, "leave_out_label")
    degree = sentence.degree()
    if sentence.has("ONLY") and degree is None and not sentence.amounts():
        return None if sentence.has("NOT", "IGNORE", "ZERO") else _each(sentence.classes, "count_only")
    if sentence.off and degree is None and not sentence.amounts():
        return None if sentence.has("PENALIZE") else _each(sentence.classes, "leave_out_label")
    if degree is None or sentence.has("NOT", "IGNORE", "ZERO", "PENALIZE", "STRICT", "LENIENT"):
        return None
    return _each(sentence.classes, "weigh_label", value=degree)


def _except(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Ignore everything but cars", "score everything except buses": the classes come after the word."""
    order = [token.concept for token in sentence.words.tokens if token.concept in (CLASS, "EXCEPT")]
    if order[0] != "EXCEPT" or sentence.contradictory or sentence.has("WRONG", "ONLY", "PENALIZE", "REWARD"):
        return None
    return _each(sentence.classes, "count_only" if sentence.off else "leave_out_label")


def _each(names: Sequence[str], action: str, **value: str | float) -> list[RawEdit]:
    return [{"action": action, "label": name, **value} for name in names]


def cost(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """What a miss, an extra or a duplicate costs: "do not penalise extra boxes", "missed cars count double"."""
    kinds = [name for name in COSTS if sentence.has(name)]
    if not kinds or not sentence.only(*kinds, CLASS, *FAMILIES, *SAYING, *DEGREES, "FINE") or sentence.contradictory:
        return None
    if (sentence.classes and "DUPLICATE" in kinds) or sentence.has("WRONG") or not _side_by_side(sentence, kinds):
        return None
    value = _cost(sentence)
    if value is None:
        return None
    if sentence.classes:
        return [
            {"action": "cost_label", "label": label, "part": COSTS[kind], "value": value}
            for label in sentence.classes
            for kind in kinds
        ]
    return [{"action": "set", "part": COSTS[kind], "value": value} for kind in kinds]


def _side_by_side(sentence: RuleSentence, kinds: Sequence[str]) -> bool:
    """Whether the kinds are a list: "misses and extras", not "misses cost three times, extras ..."."""
    places = [place for place, token in enumerate(sentence.words.tokens) if token.concept in kinds]
    between = sentence.words.tokens[places[0] : places[-1]]
    return all(token.concept in (*kinds, "AND", "OBJECTS", *FAMILIES) for token in between)


def _cost(sentence: RuleSentence) -> float | None:
    if sentence.denied and sentence.only("MISS", "NOT", "ONLY"):  # "just don't miss anything"
        return 1.0
    if sentence.has("FINE"):  # "extra boxes are fine"
        if sentence.denied:
            return None
        return None if sentence.has(*SAYING, *DEGREES) else 0.0
    if sentence.off and not sentence.amounts() and not sentence.has("MORE", "LESS", "STRICT", "LENIENT"):
        return 0.0
    if sentence.denied and not sentence.has("STRICT", "MORE"):
        return None
    if sentence.has("IGNORE", "ZERO", "REWARD", "CREDIT"):
        return None
    degree = sentence.degree()
    if degree is None and not sentence.amounts() and sentence.has("PENALIZE") and not sentence.denied:
        return 1.0
    return degree
