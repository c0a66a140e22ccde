"""The English phrasings of an instruction that are understood without a language model, and the edits they mean."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.changes import MATCH_PARTS, OVERALL_PARTS
from assay.annotations.rubric.known_names import KnownNames
from assay.annotations.rubric.rubric import Rubric
from assay.errors import InputError

RawEdit: TypeAlias = dict[str, str | float]
Found: TypeAlias = re.Match[str]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrasing and the edits it means; none when the words fit but the sense does not."""

    pattern: re.Pattern[str]
    edits: Callable[[Found, Rubric, KnownNames], Sequence[RawEdit]]


PART_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("iou", "overlap", "localisation", "localization", "location", "position"), "localisation"),
    **dict.fromkeys(("label", "labels", "class", "classes"), "label"),
    **dict.fromkeys(("attribute", "attributes"), "attributes"),
    **dict.fromkeys(("quality", "match quality"), "quality"),
    "completeness": "completeness",
}
FAMILY_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("box", "boxes", "bounding boxes"), "box"),
    **dict.fromkeys(("polygon", "polygons", "mask", "masks", "area", "areas"), "area"),
    **dict.fromkeys(("skeleton", "skeletons", "keypoints"), "skeleton"),
    **dict.fromkeys(("line", "lines", "polyline", "polylines"), "line"),
    **dict.fromkeys(("point", "points"), "points"),
    **dict.fromkeys(("cuboid", "cuboids"), "cuboid"),
    **dict.fromkeys(("everything", "all shapes", "all"), "all"),
}
OVERLAPPING = ("box", "area", "cuboid")
"""The shapes whose similarity is an overlap."""
FACTORS: Mapping[str, float] = {
    **dict.fromkeys(("twice", "double"), 2.0),
    **dict.fromkeys(("half", "halve"), 0.5),
    **dict.fromkeys(("three times", "thrice", "triple"), 3.0),
    "four times": 4.0,
}
COMPARATOR_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("number", "numbers", "numeric", "numerically"), "number"),
    **dict.fromkeys(("text", "free text", "letters", "spelling"), "text"),
    **dict.fromkeys(("boolean", "booleans", "true/false", "true or false", "yes/no"), "boolean"),
    **dict.fromkeys(("exact", "exactly", "literally", "equal or not"), "exact"),
}

_NUMBER = r"(?P<value>\d+(?:\.\d+)?|\.\d+)"
_PERCENT = r"(?P<percent> ?%| ?per ?cent)?"
_PART = rf"(?P<part>{'|'.join(sorted(PART_WORDS, key=len, reverse=True))})(?: (?:accuracy|score|weight|part))?"
_FACTOR = rf"(?P<factor>{'|'.join(FACTORS)}|\d+(?:\.\d+)? ?(?:x|times))"
_NAME = r"(?:the )?(?:attributes? )?(?P<name>.+?)(?: attributes?)?"
_LABEL = r" (?:for|of|on) (?:the )?(?:label |class )?(?P<label>.+)"
_IGNORE = r"ignore|skip|disregard|exclude|drop|leave out|omit|(?:do not|don't|never) (?:count|score|compare|grade|use)"
_INCLUDE = r"(?:also )?(?:include|count|score|compare|grade|check)"
_COUNT = r"(?:count|score|grade|check|consider|evaluate)"
_MISS = r"(?:misses|missed objects|missed|missing objects)"
_EXTRA = r"(?:extras|extra annotations|extra|extra boxes)"
_COST = r"(?:cost|costs|count|weigh|matter|are|hurt)"


def part_edit(word: str, edit: RawEdit, attribute_action: str) -> RawEdit:
    """The edit for a weight of the score, or else for an attribute of this name."""
    plain = re.sub(r"^(?:the )?(?:(?:weight|importance) of (?:the )?)?", "", word)
    plain = re.sub(r" (?:accuracy|score|weight|importance|part)$", "", plain)
    part = PART_WORDS.get(plain.lower())
    if part is not None:
        return {**edit, "part": part}
    name = re.sub(r"^(?:the )?attribute | attribute$", "", plain)
    return {**edit, "action": attribute_action, "attribute": unquoted(name)}


def unquoted(name: str) -> str:
    return name.strip().strip("\"'`“”‘’").strip()


def _ignored(found: Found, _: Rubric, known: KnownNames) -> list[RawEdit]:
    name = unquoted(found["name"])
    label = found.groupdict().get("label")
    kind, _space, rest = name.partition(" ")
    if kind.lower() in ("class", "classes", "label", "labels") and rest and not _is_attribute(name, known):
        return [{"action": "leave_out_label", "label": _label_in(rest, known)}]
    if not label and not _is_attribute(name, known) and name.lower() not in PART_WORDS and _is_label(name, known):
        return [{"action": "leave_out_label", "label": _label_in(name, known)}]
    if name.lower() in PART_WORDS and not label and not _is_attribute(name, known):
        return [{"action": "set_weight", "part": PART_WORDS[name.lower()], "value": 0.0}]
    return [{"action": "ignore_attribute", "attribute": name, "label": unquoted(label or "")}]


def _is_attribute(name: str, known: KnownNames) -> bool:
    try:
        return bool(known.attribute(name))
    except InputError:
        return False


def _included(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    label = unquoted(found.groupdict().get("label") or "")
    return [{"action": "include_attribute", "attribute": unquoted(found["name"]), "label": label}]


def _only(found: Found, _: Rubric, known: KnownNames) -> list[RawEdit]:
    """The labels that an instruction lists; one that is itself a list, "cup and saucer", is taken as it stands."""
    listed = re.sub(r"^(?:the )?(?:class(?:es)?|labels?|objects?(?: of class)?) ", "", found["only"], flags=re.I)
    names = [listed] if _is_label(listed, known) else re.split(r" ?, ?(?:and |or )?| and | or | ?& ?", listed)
    return [{"action": "count_only", "label": _label_in(name, known)} for name in names]


def _is_label(name: str, known: KnownNames) -> bool:
    try:
        return bool(known.label(_label_in(name, known)))
    except InputError:
        return False


def _label_in(words: str, known: KnownNames) -> str:
    """The name that words stand for: as it is, without "class" or "the", or in the singular."""
    name = unquoted(re.sub(r"^(?:the )?(?:(?:class|label) )?", "", words.strip(), flags=re.IGNORECASE))
    ways = (name, name.removesuffix("s"), name.removesuffix("es"))
    spelled = {normalised(label, separators_alike=True) for label in known.labels}
    return next((way for way in ways if normalised(way, separators_alike=True) in spelled), name)


def _scaled(found: Found, rubric: Rubric, _: KnownNames) -> list[RawEdit]:
    factor = _factor(found["factor"])
    edit = part_edit(found["what"], {"action": "scale_weight", "value": factor}, "scale_attribute")
    than = (found.groupdict().get("than") or "").lower()
    if than in ("", "now", "before", "it is now"):
        return [edit]
    other = part_edit(than, {}, "")
    if "part" not in edit or "part" not in other:
        raise InputError("Only weights of the score can be set against each other: overlap, label, attributes, ...")
    return [{**edit, "action": "set_weight", "value": factor * float(getattr(rubric.weights, str(other["part"])))}]


def _factor(word: str) -> float:
    return FACTORS[word.lower()] if word.lower() in FACTORS else float(re.sub(r" ?(?:x|times)$", "", word.lower()))


def _three_weights(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    numbers = zip(MATCH_PARTS, found.group("a", "b", "c"), strict=True)
    return [{"action": "set_weight", "part": part, "value": float(number)} for part, number in numbers]


def _two_weights(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    numbers = zip(OVERALL_PARTS, found.group("a", "b"), strict=True)
    return [{"action": "set_weight", "part": part, "value": float(number)} for part, number in numbers]


def _one_weight(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    action = "set_share" if found["percent"] else "set_weight"
    return [{"action": action, "part": PART_WORDS[found["part"].lower()], "value": float(found["value"])}]


def _threshold(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    value = float(found["value"])
    said = found.groupdict()
    if not (said.get("bound") or said.get("least") or (value <= 1 and not found["percent"])):
        return []  # "overlap 60 %" is a weight
    edit: RawEdit = {"action": "set_threshold", "value": value / 100 if found["percent"] or value > 1 else value}
    where = unquoted(said.get("where") or "")
    if where.lower() in FAMILY_WORDS:
        return [{**edit, "part": FAMILY_WORDS[where.lower()]}]
    if where:
        return [{**edit, "label": re.sub(r"^(?:label|class) ", "", where, flags=re.IGNORECASE)}]
    kinds = OVERLAPPING if found["what"].lower().startswith(("iou", "overlap")) else ("all",)
    return [{**edit, "part": kind} for kind in kinds]


def _compared(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    word = COMPARATOR_WORDS[found["word"].lower()]
    return [{"action": "compare_attribute", "attribute": unquoted(found["name"]), "value": word}]


def _tolerance(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    return [{"action": "set_tolerance", "attribute": unquoted(found["name"]), "value": float(found["value"])}]


def _key(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    return [{"action": "set_key", "attribute": unquoted(found["name"])}]


def _beta(found: Found, _: Rubric, __: KnownNames) -> list[RawEdit]:
    return [{"action": "set", "part": "beta", "value": float(found["value"])}]


def _says(setting: str, value: str | float) -> Callable[[Found, Rubric, KnownNames], list[RawEdit]]:
    return lambda *_: [{"action": "set", "part": setting, "value": value}]


_WORDS = "|".join(COMPARATOR_WORDS)
_WHAT = r"(?P<what>iou threshold|iou|overlap threshold|overlap|similarity|threshold)"
_BOUND = r"(?P<bound> ?(?:at least|>=|≥|above|over|from|minimum|min))?"
_WHERE = r"(?: (?:for|on|of) (?:the )?(?P<where>.+))?"
_SEP = r" ?[/:–-] ?"

_TABLE: tuple[tuple[str, Callable[[Found, Rubric, KnownNames], Sequence[RawEdit]]], ...] = (
    # how labels steer matching; before "ignore" and "only", which would take the same words
    (r"(?:labels?|class(?:es)?) must (?:match|be the same|be equal)", _says("label_mode", "require")),
    (
        r"(?:only )?(?:match|pair|require)(?: only)?(?: annotations| objects)?(?: with| of)?"
        r"(?: the)? same (?:label|class)",
        _says("label_mode", "require"),
    ),
    (r"prefer (?:the )?same (?:label|class)(?: (?:when|in) matching)?", _says("label_mode", "prefer")),
    (
        r"(?:ignore|disregard) (?:the )?(?:labels?|class(?:es)?) (?:when|in|while|for) matching",
        _says("label_mode", "ignore"),
    ),
    (
        r"(?:no (?:credit|points) for (?:a |the )?wrong (?:class|label)(?:es|s)?"
        r"|(?:a |the )?wrong (?:class|label)(?:es|s)? (?:earns?|gets?|scores?|is worth) (?:nothing|no credit|zero|0))",
        _says("known_wrong_label", "zero"),
    ),
    # F-beta
    (rf"(?:(?:set|use|make) )?(?:the )?beta(?: to| of| is)?(?: ?[=:])? ?{_NUMBER}", _beta),
    (r"(?:use )?(?:the )?f-?(?P<value>0?\.\d+|\d(?:\.\d+)?)(?:[- ]score)?", _beta),
    (
        rf"(?:{_MISS} and {_EXTRA}|{_EXTRA} and {_MISS}) (?:should )?{_COST} (?:the same|equally|alike|equal)",
        _says("beta", 1.0),
    ),
    (rf"{_MISS} (?:should )?{_COST} more(?: than {_EXTRA})?", _says("beta", 2.0)),
    (rf"{_EXTRA} (?:should )?{_COST} more(?: than {_MISS})?", _says("beta", 0.5)),
    # the key
    (
        r"(?:use |match (?:by|with) )?no (?:match(?:ing)? )?key"
        r"|(?:do not|don't|never) (?:use|match by) (?:a|the|any) key|(?:ignore|remove|drop) the (?:match(?:ing)? )?key",
        lambda *_: [{"action": "drop_key"}],
    ),
    (rf"(?:match|pair)(?: objects| annotations| them)? (?:by|on|using|with|via) (?:the )?(?:key )?{_NAME}", _key),
    (rf"use {_NAME} as (?:the |a )?(?:match(?:ing)? )?key", _key),
    (rf"(?:the )?(?:match(?:ing)? )?key(?: is|:| ?=) {_NAME}", _key),
    # thresholds, then weights
    (
        rf"(?:(?:require|need|use|set) )?(?:an? |the )?(?P<least>(?:min|minimum|minimal|least|required) )?{_WHAT}"
        rf"(?: of| to| is| must be| should be)?(?: ?[=:])?{_BOUND} ?{_NUMBER}{_PERCENT}{_WHERE}",
        _threshold,
    ),
    (rf"(?:(?:require|need) )?(?P<bound>at least|a minimum of|>=|≥) ?{_NUMBER}{_PERCENT} {_WHAT}{_WHERE}", _threshold),
    (
        rf"(?:(?:set|use|make|the) )*(?:weights?)?(?: to| of| are| is)?(?: ?[=:])? ?"
        rf"(?P<a>\d+(?:\.\d+)?){_SEP}(?P<b>\d+(?:\.\d+)?){_SEP}(?P<c>\d+(?:\.\d+)?)",
        _three_weights,
    ),
    (
        rf"(?:overall|quality(?: and | to |/)completeness)(?: to| is| are)?:? "
        rf"(?P<a>\d+(?:\.\d+)?){_SEP}(?P<b>\d+(?:\.\d+)?)",
        _two_weights,
    ),
    (
        rf"(?:(?:make|let|set|weigh|count) )?(?:the )?(?:weight of (?:the )?)?{_PART}"
        rf"(?: (?:counts?|is|are|be|to|at|should count|should be|worth|weighs?))*(?: ?[=:])? {_NUMBER}{_PERCENT}",
        _one_weight,
    ),
    (
        rf"(?:(?:make|count|weigh|let|score) )?(?P<what>.+?)"
        rf"(?: (?:be|is|are|counts?|should be|should count|weighs?|to be))?"
        rf" {_FACTOR}(?: (?:as|more))?(?: (?:important|much|heavily|strongly))?(?: as (?:the )?(?P<than>.+))?",
        _scaled,
    ),
    (r"(?P<factor>double|triple|halve) (?P<what>.+)", _scaled),
    # how attributes are compared
    (rf"(?:allow )?(?:a |the )?tolerance (?:of |= ?)?{_NUMBER} (?:for|on|in|of) {_NAME}", _tolerance),
    (
        rf"(?:allow )?{_NAME} (?:may|can|to) (?:differ|deviate|be off|vary) by (?:up to |at most )?{_NUMBER}",
        _tolerance,
    ),
    (rf"{_NAME} (?:(?:is )?within|tolerance(?: of)?|±|\+/-) ?{_NUMBER}", _tolerance),
    (
        rf"(?:(?:compare|treat|take|score) )?{_NAME} (?:as|by|is|must be|should be) (?:an? )?"
        rf"(?P<word>{_WORDS})(?: only)?",
        _compared,
    ),
    (rf"compare {_NAME} (?P<word>{_WORDS})", _compared),
    # what counts
    (rf"(?:only|just) {_COUNT} (?P<only>.+)", _only),
    (rf"{_COUNT} (?:only|just|nothing but) (?P<only>.+)", _only),
    (rf"{_COUNT} (?:all|every) (?:class(?:es)?|labels?)(?: again)?", lambda *_: [{"action": "count_all_labels"}]),
    (rf"(?P<verb>{_IGNORE}) {_NAME}", _ignored),
    (rf"(?P<verb>{_IGNORE}) {_NAME}{_LABEL}", _ignored),
    (
        rf"{_NAME} (?:(?:does not|doesn't|do not|don't|should not) (?:matter|count)"
        rf"|(?:is|are) (?:not important|irrelevant))",
        _ignored,
    ),
    (rf"(?P<verb>{_INCLUDE}) {_NAME}(?: too| as well| again)?", _included),
    (rf"(?P<verb>{_INCLUDE}) {_NAME}{_LABEL}", _included),
)

PHRASES: tuple[Phrase, ...] = tuple(Phrase(re.compile(pattern, re.IGNORECASE), edits) for pattern, edits in _TABLE)
"""In the order they are tried: the first whose words and names fit is taken."""
