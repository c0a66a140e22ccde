"""Frames about single settings: near misses, resized images, attributes that a format cannot hold, the match key."""

from collections.abc import Sequence

from assay.annotations.rubric.lexicon import ATTRIBUTE, FACTOR
from assay.annotations.rubric.sentence import AMOUNTS, FAMILIES, RawEdit, RuleSentence


def near_miss(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "An overlap over 20% is a near miss"."""
    allowed = ("NEAR_MISS", "OVERLAP", "COUNT", "SMALL", "THAN", "MORE", "FINE", *AMOUNTS)
    if not sentence.has("NEAR_MISS") or not sentence.only(*allowed):
        return None
    amounts = sentence.amounts()
    if len(amounts) != 1 or amounts[0].concept == FACTOR:
        return None
    value = amounts[0].value / 100 if amounts[0].value > 1 else amounts[0].value
    return [{"action": "set", "part": "near_miss", "value": value}] if 0 < value < 1 else None


def resized(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Scale work on resized images", "resized images are not allowed"."""
    if not sentence.has("RESIZED") or not sentence.only("RESIZED", "RESCALE", "FINE", "NOT", "COUNT", "OBJECTS"):
        return None
    if not sentence.has("RESCALE", "FINE"):
        return None
    return [{"action": "set", "part": "resized_images", "value": "error" if sentence.denied else "scale"}]


def format_attributes(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Don't charge YOLO students for attributes"."""
    allowed = ("FORMAT", "ATTRIBUTES", "PENALIZE", "COUNT", "NOT", "IGNORE", "WRONG", "MISS", "EMPTY", "CREDIT")
    if not sentence.has("FORMAT") or not sentence.has("ATTRIBUTES") or not sentence.only(*allowed):
        return None
    if sentence.contradictory or not (sentence.off or sentence.has("PENALIZE", "WRONG", "COUNT")):
        return None
    return [{"action": "set", "part": "unsupported_attributes", "value": "skip" if sentence.off else "wrong"}]


def key(sentence: RuleSentence) -> Sequence[RawEdit] | None:
    """ "Use 'number' to tell which box belongs to which"."""
    allowed = (ATTRIBUTE, "ATTRIBUTES", "IDENTIFY", "MATCH", "COUNT", *FAMILIES)
    if len(sentence.attributes) != 1 or not sentence.has("IDENTIFY") or not sentence.only(*allowed):
        return None
    return [{"action": "set_key", "attribute": sentence.attributes[0]}]


FRAMES = (near_miss, resized, format_attributes, key)
