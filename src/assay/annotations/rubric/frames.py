"""What a sentence of concepts asks for: frames such as EXTRA + NOT PENALIZE, tried in order.

A frame takes a sentence only if it can account for every concept in it; what no frame takes is not understood. An
instruction is thus refused rather than half followed.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt

from assay.annotations.rubric import name_frames, setting_frames
from assay.annotations.rubric.changes import MATCH_PARTS, OVERALL_PARTS
from assay.annotations.rubric.lexicon import ATTRIBUTE, CLASS, FACTOR, FRACTION, NUMBER, PERCENT, Token, Tokens
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.rubric.sentence import (
    ABOUT_RIGHT,
    AMOUNTS,
    COSTS,
    DEEDS,
    DEGREES,
    FAMILIES,
    PARTS,
    SAYING,
    SMALL_SIDE,
    STEP,
    RawEdit,
    RuleSentence,
)

Frame = Callable[[RuleSentence], Sequence[RawEdit] | None]


def _parts(sentence: RuleSentence) -> list[str]:
    """The parts of the score that are spoken of, in their order."""
    return list(dict.fromkeys(PARTS[t.concept] for t in sentence.words.tokens if t.concept in PARTS))


def compared(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """One thing against another: "misses are twice as bad as extras", "color matters more than size"."""
    tokens = sentence.words.tokens
    places = [place for place, token in enumerate(tokens) if token.concept == "THAN"]
    if not places or sentence.has("IGNORE", "ZERO") or (sentence.denied and not sentence.has("LESS")):
        return None
    allowed = (
        "THAN",
        "SAME",
        "NOT",
        *DEGREES,
        *DEEDS,
        "MIX",
        "WRONG",
        *PARTS,
        *COSTS,
        CLASS,
        ATTRIBUTE,
        "OTHER",
        "ONLY",
    )
    sides = [
        RuleSentence(Tokens(side, ()), sentence.rubric) for side in (tokens[: places[-1]], tokens[places[-1] + 1 :])
    ]
    factor = 1.0 if sentence.has("SAME") else sentence.degree()
    if factor is None and sentence.has("LIKEWISE") and not sentence.amounts():
        factor = 1.0  # "hurts as much as"
    if factor is None or not sentence.only(*allowed, *FAMILIES) or sentence.has("MIX"):
        return None
    if sentence.has("LESS", "LENIENT") and sentence.denied:
        factor = 0.5  # "not as important as"
    return _against(sides[0], sides[1], factor)


def _against(first: RuleSentence, second: RuleSentence, factor: float) -> Sequence[RawEdit] | None:
    costs = [[name for name in ("MISS", "EXTRA") if side.has(name)] for side in (first, second)]
    if costs in ([["MISS"], ["MISS"]], [["EXTRA"], ["EXTRA"]]) and first.classes and second.classes:
        part = COSTS[costs[0][0]]
        base = max(float(getattr(first.rubric.rule_of(name), part)) for name in second.classes)
        return [{"action": "cost_label", "label": n, "part": part, "value": factor * base} for n in first.classes]
    if costs in ([["MISS"], ["EXTRA"]], [["EXTRA"], ["MISS"]]) and not (first.classes or second.classes):
        ratio = factor if costs[0] == ["MISS"] else 1 / factor if factor else 0.0
        ratio = {2.0: 4.0, 0.5: 0.25}.get(ratio, ratio) if not (first.amounts() or second.amounts()) else ratio
        return [{"action": "set", "part": "beta", "value": sqrt(ratio)}, *_plain_costs(first.rubric)] if ratio else None
    if any(costs) or first.has("DUPLICATE") or second.has("DUPLICATE"):
        return None
    parts = [_parts(side) for side in (first, second)]
    if first.classes and not (first.attributes or second.attributes) and (second.classes or second.has("OTHER")):
        base = max((first.rubric.rule_of(name).weight for name in second.classes), default=1.0)
        others = [] if second.classes else [rule for rule in first.rubric.labels if rule.name not in first.classes]
        rest = [rule.name for rule in others if rule.weight != 1]
        weighed: list[RawEdit] = [{"action": "weigh_label", "label": name, "value": 1.0} for name in rest]
        weighed += [{"action": "weigh_label", "label": name, "value": factor * base} for name in first.classes]
        return weighed
    if first.classes or second.classes:
        return None
    if len(first.attributes) == len(second.attributes) == 1 and not any(parts):
        rules = [rule for label in first.rubric.labels for rule in label.attributes]
        other = next((rule.weight for rule in rules if rule.name == second.attributes[0]), 1.0)
        return [{"action": "weigh_attribute", "attribute": first.attributes[0], "value": factor * other}]
    if first.attributes and not second.attributes and not parts[0] and parts[1] in (["attributes"], []):
        if not second.has("OTHER"):
            return None
        return [{"action": "weigh_attribute", "attribute": name, "value": factor} for name in first.attributes]
    if len(parts[0]) == len(parts[1]) == 1 and not (first.attributes or second.attributes):
        return _parts_against(parts[0][0], parts[1][0], factor, first.rubric)
    return None


def _plain_costs(rubric: Rubric) -> list[RawEdit]:
    """Misses and extras cost what beta says again, where they did not."""
    changed = [part for part in ("miss_cost", "extra_cost") if getattr(rubric, part) != 1]
    return [{"action": "set", "part": part, "value": 1.0} for part in changed]


def _parts_against(first: str, second: str, factor: float, rubric: Rubric) -> Sequence[RawEdit] | None:
    """A weight as a multiple of another's; drawing well against finding everything is quality against completeness."""
    if (first in OVERALL_PARTS) != (second in OVERALL_PARTS):
        pairs = {first: first, second: second, "localisation": "quality"}
        first, second = pairs[first], pairs[second]
    if first == second or (first in OVERALL_PARTS) != (second in OVERALL_PARTS):
        return None
    value = factor * float(getattr(rubric.weights, second))
    return [{"action": "set_weight", "part": first, "value": value}]


def ratio(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Completeness is more important than quality: 70 to 30": the parts, then their weights in the same order."""
    parts, amounts = _parts(sentence), sentence.amounts()
    if (
        len(parts) < 2
        or len(amounts) != len(parts)
        or not sentence.only(*PARTS, *AMOUNTS, *DEEDS, "MORE", "LESS", "THAN")
    ):
        return None
    order = [token.concept in PARTS for token in sentence.words.tokens if token.concept in (*PARTS, *AMOUNTS)]
    values = [token.value for token in amounts]
    grouped = any(set(parts) <= set(group) for group in (MATCH_PARTS, OVERALL_PARTS))
    if order != sorted(order, reverse=True) or not grouped or any(t.concept in (FACTOR, FRACTION) for t in amounts):
        return None
    if sentence.has("MORE") == sentence.has("LESS") == sentence.has("THAN"):  # all or none of them
        return None if sentence.has("THAN") else _weighed(parts, values)
    return _weighed(parts, values) if (values[0] > values[1]) == sentence.has("MORE") else None


def _weighed(parts: Sequence[str], values: Sequence[float]) -> list[RawEdit]:
    return [{"action": "set_weight", "part": part, "value": value} for part, value in zip(parts, values, strict=True)]


def most(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Position matters most", "pedestrians are the most important class"."""
    if not sentence.only("MOST", "LEAST", *DEEDS, *PARTS, CLASS, ATTRIBUTE, "THAN") or sentence.denied:
        return None
    if sentence.has("MOST") == sentence.has("LEAST"):
        return None
    up, parts = sentence.has("MOST"), _parts(sentence)
    if len(sentence.classes) == 1 and not sentence.attributes and parts in ([], ["label"]):
        own = sentence.classes[0]
        others = [rule.weight for rule in sentence.rubric.labels if rule.name != own] or [1.0]
        return [{"action": "weigh_label", "label": own, "value": 2 * max(others) if up else min(others) / 2}]
    if sentence.classes:
        return None
    if len(sentence.attributes) == 1 and parts in ([], ["attributes"]):
        rules = {r.name: r.weight for label in sentence.rubric.labels for r in label.attributes}
        others = [w for name, w in rules.items() if name != sentence.attributes[0]] or [1.0]
        value = 2 * max(others) if up else min(others) / 2
        return [{"action": "weigh_attribute", "attribute": sentence.attributes[0], "value": value}]
    if len(parts) != 1 or sentence.attributes:
        return None
    group = MATCH_PARTS if parts[0] in MATCH_PARTS else OVERALL_PARTS
    others = [float(getattr(sentence.rubric.weights, part)) for part in group if part != parts[0]]
    return [{"action": "set_weight", "part": parts[0], "value": 2 * max(others) if up else min(others) / 2}]


def even(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Split the score evenly between class and position", "misses and extras are equally bad"."""
    if not sentence.only("SAME", "SPLIT", *DEEDS, *PARTS, "MISS", "EXTRA", CLASS, ATTRIBUTE) or not sentence.has(
        "SAME", "SPLIT"
    ):
        return None
    parts, said = _parts(sentence), {name for name in ("MISS", "EXTRA") if sentence.has(name)}
    if said == {"MISS", "EXTRA"} and not parts and not sentence.classes:
        return [{"action": "set", "part": "beta", "value": 1.0}, *_plain_costs(sentence.rubric)]
    if said:
        return None
    if parts and not sentence.classes and not sentence.attributes and len(parts) > 1:
        for group in (MATCH_PARTS, OVERALL_PARTS):
            if set(parts) <= set(group):
                mean = sum(float(getattr(sentence.rubric.weights, part)) for part in parts) / len(parts)
                return [{"action": "set_weight", "part": part, "value": mean} for part in parts]
        return None
    is_count = sentence.has("COUNT")
    if is_count and len(sentence.classes) > 1 and not parts and not sentence.attributes:
        return [{"action": "weigh_label", "label": name, "value": 1.0} for name in sentence.classes]
    if is_count and parts == ["label"] and not sentence.classes and not sentence.attributes:
        return [{"action": "weigh_label", "label": rule.name, "value": 1.0} for rule in sentence.rubric.labels]
    return None


def overlap(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """How far shapes must agree: a minimum, what is perfect, stricter, more lenient."""
    allowed = (
        "OVERLAP",
        "POSITION",
        "OFFSET",
        *FAMILIES,
        CLASS,
        "NOT",
        *DEGREES,
        "FULL",
        "FINE",
        *DEEDS,
        "ONLY",
        "IGNORE",
        "THAN",
        "ZERO",
        "MATCH",
        "PIXELS",
    )
    if (
        not sentence.has("OVERLAP", "POSITION", "OFFSET", *FAMILIES)
        or not sentence.only(*allowed)
        or sentence.contradictory
    ):
        return None
    values = [token.value for token in sentence.amounts() if token.concept != FACTOR]
    if sentence.has("OFFSET"):
        fine = (sentence.has("FULL", "FINE") and not sentence.denied) or sentence.off
        return [{"action": "set", "part": "full_overlap", "value": ABOUT_RIGHT}] if fine and not values else None
    if sentence.has("PIXELS"):
        return None
    if len(values) == len(sentence.amounts()) == 1 and sentence.has("OVERLAP"):
        value = values[0] / 100 if values[0] > 1 else values[0]
        if not 0 < value <= 1 or sentence.has("NOT", "IGNORE", "ZERO"):
            return None
        over = sentence.has("MORE") and sentence.has("THAN")  # "more than 0.9 is perfect"
        if sentence.has("FULL", "CREDIT"):
            return [{"action": "set", "part": "full_overlap", "value": value}] if sentence.has("FULL") else None
        raised, up = value > sentence.rubric.thresholds.box, sentence.has("MORE", "STRICT") and not over
        odd = sentence.has("PENALIZE") or (up and not raised) or (sentence.has("LESS", "LENIENT") and raised)
        return None if odd else _thresholds(sentence, value)
    if sentence.amounts() or sentence.has("FULL", "IGNORE", "ZERO", "PENALIZE", "REWARD", "CREDIT", "ONLY", "THAN"):
        return None
    strict, lenient = sentence.has("STRICT"), sentence.has("LENIENT")
    if strict == lenient:
        return None
    if sentence.has("FINE") and (strict or sentence.denied):
        return None
    down = lenient != (sentence.has("LESS") or sentence.denied)
    present = sentence.rubric.thresholds.box
    value = max(round(present - STEP, 2), 0.1) if down else min(round(present + STEP, 2), 0.95)
    return _thresholds(sentence, value)


def too_little_overlap(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Overlaps below 0.45 do not count as a match"."""
    below = sentence.has("SMALL") or (sentence.has("LESS") and sentence.has("THAN"))
    allowed = ("OVERLAP", "SMALL", "LESS", "THAN", "NOT", "IGNORE", "COUNT", "MATCH", "FINE", "WRONG", CLASS, *FAMILIES)
    if (
        not below
        or not sentence.has("OVERLAP")
        or not sentence.only(*allowed, NUMBER, PERCENT)
        or sentence.contradictory
    ):
        return None
    amounts = sentence.amounts()
    if len(amounts) != 1 or not sentence.has("NOT", "IGNORE"):
        return None
    value = amounts[0].value / 100 if amounts[0].value > 1 else amounts[0].value
    return _thresholds(sentence, value) if 0 < value < 1 else None


def _thresholds(sentence: RuleSentence, value: float) -> list[RawEdit]:
    if sentence.classes:
        return [{"action": "set_threshold", "label": name, "value": value} for name in sentence.classes]
    kinds = [FAMILIES[name] for name in FAMILIES if sentence.has(name)]
    return [{"action": "set_threshold", "part": kind, "value": value} for kind in kinds or ("box", "area", "cuboid")]


def small(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Ignore objects smaller than 20 pixels", "don't score tiny objects"."""
    if not sentence.has("SMALL") or not sentence.only("SMALL", *FAMILIES, *SAYING, NUMBER, "PIXELS", "THAN"):
        return None
    if sentence.contradictory or not sentence.off or sentence.has("WRONG", "ONLY"):
        return None
    values = [token.value for token in sentence.amounts()]
    if len(values) > 1 or (sentence.has("PIXELS", "THAN") and not values):
        return None
    return [{"action": "set", "part": "smallest", "value": values[0] if values else SMALL_SIDE}]


def weights(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """The parts of the score: a share for each, more or less of one, one alone or none of it."""
    parts = _parts(sentence)
    if not parts or not sentence.only(*PARTS, *SAYING, *DEGREES, "THAN", "SPLIT") or sentence.has("WRONG"):
        return None
    amounts = sentence.amounts()
    if sentence.contradictory or sentence.has("STRICT", "LENIENT", "THAN"):
        return None
    if sentence.has("NOT", "IGNORE") and not amounts and _denied_part(sentence) is not None:
        affirmed, refused = _denied_part(sentence) or ([], [])
        rest = [part for group in (MATCH_PARTS, OVERALL_PARTS) if set(affirmed) <= set(group) for part in group]
        dropped = [part for part in rest if part not in affirmed] if sentence.has("ONLY") else refused
        return [{"action": "set_weight", "part": part, "value": 0.0} for part in dropped] or None
    if len(amounts) == 1 < len(parts) and amounts[0].concept == PERCENT and not sentence.has("MORE", "LESS"):
        fits = amounts[0].value * len(parts) <= 1 and not sentence.has("NOT", "IGNORE", "ZERO", "PENALIZE")
        share = 100 * amounts[0].value  # "position and label should each count 50%"
        return [{"action": "set_share", "part": part, "value": share} for part in parts] if fits else None
    if amounts and len(amounts) == len(parts) and all(token.concept != FACTOR for token in amounts):
        return _shares(sentence, parts, amounts)
    if sentence.has("ONLY") and not amounts and not sentence.has("NOT", "IGNORE", "ZERO", "MORE", "LESS"):
        groups = [group for group in (MATCH_PARTS, OVERALL_PARTS) if set(parts) <= set(group)]
        rest = [part for group in groups for part in group if part not in parts]
        return [{"action": "set_weight", "part": part, "value": 0.0} for part in rest] or None
    degree = sentence.degree()
    bare = sentence.denied and sentence.concepts <= {"NOT", "AND", *PARTS}  # "no attributes", not "I don't need"
    if (sentence.off or bare) and degree is None and not amounts:
        return [{"action": "set_weight", "part": part, "value": 0.0} for part in parts]
    if degree is None or sentence.has("NOT", "IGNORE", "ZERO", "PENALIZE", "CREDIT", "REWARD"):
        return None
    return [{"action": "scale_weight", "part": part, "value": degree} for part in parts]


def _denied_part(sentence: RuleSentence) -> tuple[list[str], list[str]] | None:
    """The parts before and after the denial of a contrast, "count the labels, not the position"; None without one."""
    tokens = sentence.words.tokens
    denial = next(place for place, token in enumerate(tokens) if token.concept in ("NOT", "IGNORE"))
    before, after = (RuleSentence(Tokens(side, ()), sentence.rubric) for side in (tokens[:denial], tokens[denial:]))
    sides = _parts(before), _parts(after)
    if not all(sides) or not before.has("ONLY", *DEEDS) or after.has("ONLY", *DEEDS):
        return None
    return sides


def _shares(sentence: RuleSentence, parts: Sequence[str], amounts: Sequence[Token]) -> Sequence[RawEdit] | None:
    order = [t.concept in PARTS for t in sentence.words.tokens if t.concept in PARTS or t.concept in AMOUNTS]
    alternate = all(a != b for a, b in pairwise(order))
    if not alternate or sentence.has("NOT", "IGNORE", "ZERO", "MORE", "LESS", "PENALIZE"):
        return None
    shares = [token.value * (1 if token.concept == NUMBER else 100) for token in amounts]
    if len(parts) == 1 and amounts[0].concept == FRACTION and not sentence.has("SHARE"):
        return [{"action": "scale_weight", "part": parts[0], "value": amounts[0].value}]
    if any(token.concept == NUMBER and token.value <= 1 for token in amounts):
        return None
    action = "set_weight" if all(token.concept == NUMBER for token in amounts) else "set_share"
    return [{"action": action, "part": part, "value": share} for part, share in zip(parts, shares, strict=True)]


def images(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """Empty images, images that only one side has."""
    kinds = [name for name in ("EMPTY_IMAGE", "MISSING_IMAGE", "EXTRA_IMAGE") if sentence.has(name)]
    if (
        len(kinds) != 1
        or not sentence.only(*kinds, *SAYING, "MISS", *(["EMPTY"] if kinds == ["EMPTY_IMAGE"] else []))
        or sentence.contradictory
        or sentence.has("WRONG", "ONLY")
    ):
        return None
    if kinds == ["EMPTY_IMAGE"]:
        if sentence.has("PENALIZE", "MISS"):
            return None
        return [{"action": "set", "part": "count_empty_images", "value": not sentence.off}]
    part, skip, keep = {
        "MISSING_IMAGE": ("missing_images", "skip", "missed"),
        "EXTRA_IMAGE": ("extra_images", "ignore", "extra"),
    }[kinds[0]]
    return [{"action": "set", "part": part, "value": skip if sentence.off else keep}]


def pass_mark(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "You need seventy points to pass"."""
    if not sentence.has("PASS") or not sentence.only("PASS", NUMBER, PERCENT, FRACTION, *DEEDS, "MOST", "OVERLAP"):
        return None
    amounts = sentence.amounts()
    if len(amounts) != 1 or sentence.has("OVERLAP", "MOST", "PENALIZE"):
        return None
    return [
        {
            "action": "set",
            "part": "pass_mark",
            "value": amounts[0].value * (1 if amounts[0].concept == NUMBER else 100),
        }
    ]


def fail_mark(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Anyone below 60 fails", "nobody passes with less than 65 points"."""
    below = sentence.has("SMALL") or (sentence.has("LESS") and sentence.has("THAN"))
    if (
        not sentence.has("FAIL")
        or not below
        or not sentence.only(*("FAIL", "PASS", "NOT", "SMALL", "LESS", "THAN", "CREDIT", "COUNT", "REWARD"), *AMOUNTS)
    ):
        return None
    amounts = sentence.amounts()
    if len(amounts) != 1 or amounts[0].concept not in (NUMBER, PERCENT) or sentence.has("FAIL") == sentence.denied:
        return None
    scale = 100 if amounts[0].concept == PERCENT else 1
    return [{"action": "set", "part": "pass_mark", "value": amounts[0].value * scale}]


def families(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "A box may match a polygon"."""
    instead = sentence.has("FINE") and sentence.has("MIX") and sentence.has("BOX") and sentence.has("AREA")
    if instead and sentence.only("BOX", "AREA", "FINE", "MIX", "COUNT", "NOT"):
        return [{"action": "set", "part": "across_families", "value": not sentence.denied}]
    if (
        sentence.only("BOX", "AREA", "ACROSS", "NOT", "SAME", "MATCH", *DEEDS)
        and sentence.has("ACROSS")
        and sentence.has("BOX")
        and sentence.has("AREA")
    ):
        return [{"action": "set", "part": "across_families", "value": not sentence.denied}]
    return None


FRAMES: tuple[Frame, ...] = (
    *(
        pass_mark,
        fail_mark,
        images,
        families,
        *setting_frames.FRAMES,
        name_frames.facts,
        name_frames.same_class_only,
        name_frames.optional,
    ),
    *(ratio, compared, most, even, name_frames.wrong_class),
    *(
        name_frames.confusion,
        name_frames.where,
        name_frames.attribute,
        name_frames.cost,
        small,
        too_little_overlap,
        overlap,
    ),
    *(name_frames.classes, weights),
)
"""In the order they are tried: the first that accounts for every concept is taken."""


def edits_of(words: Tokens, rubric: Rubric) -> Sequence[RawEdit]:
    """The edits a sentence asks for; none when no frame fits or a word is unknown."""
    if words.unknown or not words.tokens:
        return ()
    sentence = RuleSentence(words, rubric)
    return next((edits for frame in FRAMES if (edits := frame(sentence))), ())
