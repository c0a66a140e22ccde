"""What plain English says about rules: phrases as patterns, and the edits they mean."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.changes import MATCH_PARTS, OVERALL_PARTS, KnownNames
from assay.annotations.rubric.rubric import Rubric
from assay.errors import InputError

RawEdit: TypeAlias = dict[str, str | float]
Match: TypeAlias = re.Match[str]
Meaning: TypeAlias = Callable[[Match, Rubric, KnownNames], Sequence[RawEdit]]
"""The edits that a match means; none when the words fit but the sense does not."""


def _words(**groups: str) -> dict[str, str]:
    """Word -> what it stands for, from lists of words parted by bars."""
    return {word: meaning for meaning, words in groups.items() for word in words.split("|")}


PART_WORDS = _words(
    localisation="iou|overlap|localisation|localization|location|position",
    label="label|labels|class|classes",
    attributes="attribute|attributes",
    quality="quality|match quality",
    completeness="completeness",
)
FAMILY_WORDS = _words(
    box="box|boxes|bounding boxes",
    area="polygon|polygons|mask|masks|area|areas",
    skeleton="skeleton|skeletons|keypoints",
    line="line|lines|polyline|polylines",
    points="point|points",
    cuboid="cuboid|cuboids",
    all="everything|all shapes|all",
)
COMPARATOR_WORDS = _words(
    number="number|numbers|numeric|numerically",
    text="text|free text|letters|spelling",
    boolean="boolean|booleans|true/false|true or false|yes/no",
    exact="exact|exactly|literally|equal or not",
)
FACTORS: Mapping[str, float] = {
    **{"twice": 2.0, "double": 2.0, "half": 0.5, "halve": 0.5, "four times": 4.0},
    **dict.fromkeys(("three times", "thrice", "triple"), 3.0),
}
OVERLAPPING = ("box", "area", "cuboid")
"""The shapes whose similarity is an overlap."""
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


def _is_known(lookup: Callable[[str], str], name: str) -> bool:
    try:
        return bool(lookup(name))
    except InputError:
        return False


def _ignored(match: Match, _: Rubric, known: KnownNames) -> list[RawEdit]:
    name, label = unquoted(match["name"]), match.groupdict().get("label")
    kind, _space, rest = name.partition(" ")
    if not _is_known(known.attribute, name):
        if kind.lower() in ("class", "classes", "label", "labels") and rest:
            return [{"action": "leave_out_label", "label": _label_in(rest, known)}]
        if not label and name.lower() in PART_WORDS:
            return [{"action": "set_weight", "part": PART_WORDS[name.lower()], "value": 0.0}]
        if not label and _is_known(known.label, _label_in(name, known)):
            return [{"action": "leave_out_label", "label": _label_in(name, known)}]
    return [{"action": "ignore_attribute", "attribute": name, "label": unquoted(label or "")}]


def _only(match: Match, _: Rubric, known: KnownNames) -> list[RawEdit]:
    """The labels that an instruction lists; one that is itself a list, "cup and saucer", is taken as it stands."""
    listed = re.sub(r"^(?:the )?(?:class(?:es)?|labels?|objects?(?: of class)?) ", "", match["only"], flags=re.I)
    whole = _is_known(known.label, _label_in(listed, known))
    names = [listed] if whole else re.split(r" ?, ?(?:and |or )?| and | or | ?& ?", listed)
    return [{"action": "count_only", "label": _label_in(name, known)} for name in names]


def _label_in(words: str, known: KnownNames) -> str:
    """The name that words stand for: as it is, without "class" or "the", or in the singular."""
    name = unquoted(re.sub(r"^(?:the )?(?:(?:class|label) )?", "", words.strip(), flags=re.IGNORECASE))
    ways = (name, name.removesuffix("s"), name.removesuffix("es"))
    spelled = {normalised(label, separators_alike=True) for label in known.labels}
    return next((way for way in ways if normalised(way, separators_alike=True) in spelled), name)


def _scaled(match: Match, rubric: Rubric, _: KnownNames) -> list[RawEdit]:
    word = match["factor"].lower()
    factor = FACTORS[word] if word in FACTORS else float(re.sub(r" ?(?:x|times)$", "", word))
    edit = part_edit(match["what"], {"action": "scale_weight", "value": factor}, "scale_attribute")
    than = (match.groupdict().get("than") or "").lower()
    if than in ("", "now", "before", "it is now"):
        return [edit]
    other = part_edit(than, {}, "")
    if "part" not in edit or "part" not in other:
        problem = "Only weights of the score can be set against each other: overlap, label, attributes, ..."
        raise InputError(problem, field="part")
    return [{**edit, "action": "set_weight", "value": factor * float(getattr(rubric.weights, str(other["part"])))}]


def _weights(match: Match, _: Rubric, __: KnownNames) -> list[RawEdit]:
    """A number for each of the parts, in the groups a, b and c, or a and b."""
    numbers = [float(number) for number in match.group("a", "b", *(["c"] if "c" in match.groupdict() else []))]
    parts = MATCH_PARTS if len(numbers) == 3 else OVERALL_PARTS
    return [{"action": "set_weight", "part": part, "value": n} for part, n in zip(parts, numbers, strict=True)]


def _one_weight(match: Match, _: Rubric, __: KnownNames) -> list[RawEdit]:
    action = "set_share" if match["percent"] else "set_weight"
    return [{"action": action, "part": PART_WORDS[match["part"].lower()], "value": float(match["value"])}]


def _threshold(match: Match, _: Rubric, __: KnownNames) -> list[RawEdit]:
    value = float(match["value"])
    groups = match.groupdict()
    if not (groups.get("bound") or groups.get("least") or (value <= 1 and not match["percent"])):
        return []  # "overlap 60 %" is a weight
    edit: RawEdit = {"action": "set_threshold", "value": value / 100 if match["percent"] or value > 1 else value}
    where = unquoted(groups.get("where") or "")
    if where.lower() in FAMILY_WORDS:
        return [{**edit, "part": FAMILY_WORDS[where.lower()]}]
    if where:
        return [{**edit, "label": re.sub(r"^(?:label|class) ", "", where, flags=re.IGNORECASE)}]
    kinds = OVERLAPPING if match["what"].lower().startswith(("iou", "overlap")) else ("all",)
    return [{**edit, "part": kind} for kind in kinds]


def _means(action: str, **fields: str | float) -> Meaning:
    """One edit: `{group}` stands for what the pattern found under this name, anything else for itself."""

    def field(value: str | float, match: Match) -> str | float:
        if not isinstance(value, str) or not value.startswith("{"):
            return value
        text = unquoted(match.groupdict().get(value[1:-1]) or "")
        if value == "{word}":
            return COMPARATOR_WORDS[text.lower()]
        return float(text) if value == "{value}" else text

    return lambda match, *_: [{"action": action, **{name: field(value, match) for name, value in fields.items()}}]


_WHAT = r"(?P<what>iou threshold|iou|overlap threshold|overlap|similarity|threshold)"
_BOUND = r"(?P<bound> ?(?:at least|>=|≥|above|over|from|minimum|min))?"
_WHERE = r"(?: (?:for|on|of) (?:the )?(?P<where>.+))?"
_A_AND_B = r"(?P<a>\d+(?:\.\d+)?) ?[/:–-] ?(?P<b>\d+(?:\.\d+)?)"
_AND_SO_ON = rf"{_A_AND_B} ?[/:–-] ?(?P<c>\d+(?:\.\d+)?)"
_WORD = rf"(?P<word>{'|'.join(COMPARATOR_WORDS)})"
_CLASS, _CLASSES, _KEY = r"(?:label|class)", r"(?:labels?|class(?:es)?)", r"(?:match(?:ing)? )?key"
LABEL_MODE = partial(_means, "set", part="label_mode")
_TABLE: tuple[tuple[Meaning, *tuple[str, ...]], ...] = (
    # how labels steer matching; before "ignore" and "only", which would take the same words
    (
        LABEL_MODE(value="require"),
        rf"{_CLASSES} must (?:match|be the same|be equal)",
        rf"(?:only )?(?:match|pair|require)(?: only)?(?: annotations| objects)?(?: with| of)?(?: the)? same {_CLASS}",
    ),
    (LABEL_MODE(value="prefer"), rf"prefer (?:the )?same {_CLASS}(?: (?:when|in) matching)?"),
    (LABEL_MODE(value="ignore"), rf"(?:ignore|disregard) (?:the )?{_CLASSES} (?:when|in|while|for) matching"),
    (
        _means("set", part="known_wrong_label", value="zero"),
        rf"no (?:credit|points) for (?:a |the )?wrong {_CLASS}(?:es|s)?",
        rf"(?:a |the )?wrong {_CLASS}(?:es|s)? (?:earns?|gets?|scores?|is worth) (?:nothing|no credit|zero|0)",
    ),
    # F-beta
    (
        _means("set", part="beta", value="{value}"),
        rf"(?:(?:set|use|make) )?(?:the )?beta(?: to| of| is)?(?: ?[=:])? ?{_NUMBER}",
        r"(?:use )?(?:the )?f-?(?P<value>0?\.\d+|\d(?:\.\d+)?)(?:[- ]score)?",
    ),
    (
        _means("set", part="beta", value=1.0),
        rf"(?:{_MISS} and {_EXTRA}|{_EXTRA} and {_MISS}) (?:should )?{_COST} (?:the same|equally|alike|equal)",
    ),
    (_means("set", part="beta", value=2.0), rf"{_MISS} (?:should )?{_COST} more(?: than {_EXTRA})?"),
    (_means("set", part="beta", value=0.5), rf"{_EXTRA} (?:should )?{_COST} more(?: than {_MISS})?"),
    # the key
    (
        _means("drop_key"),
        rf"(?:use |match (?:by|with) )?no {_KEY}",
        r"(?:do not|don't|never) (?:use|match by) (?:a|the|any) key",
        rf"(?:ignore|remove|drop) the {_KEY}",
    ),
    (
        _means("set_key", attribute="{name}"),
        rf"(?:match|pair)(?: objects| annotations| them)? (?:by|on|using|with|via) (?:the )?(?:key )?{_NAME}",
        rf"use {_NAME} as (?:the |a )?{_KEY}",
        rf"(?:the )?{_KEY}(?: is|:| ?=) {_NAME}",
    ),
    # thresholds, then weights
    (
        _threshold,
        rf"(?:(?:require|need|use|set) )?(?:an? |the )?(?P<least>(?:min|minimum|minimal|least|required) )?{_WHAT}"
        rf"(?: of| to| is| must be| should be)?(?: ?[=:])?{_BOUND} ?{_NUMBER}{_PERCENT}{_WHERE}",
        rf"(?:(?:require|need) )?(?P<bound>at least|a minimum of|>=|≥) ?{_NUMBER}{_PERCENT} {_WHAT}{_WHERE}",
    ),
    (
        _weights,
        rf"(?:(?:set|use|make|the) )*(?:weights?)?(?: to| of| are| is)?(?: ?[=:])? ?{_AND_SO_ON}",
        rf"(?:overall|quality(?: and | to |/)completeness)(?: to| is| are)?:? {_A_AND_B}",
    ),
    (
        _one_weight,
        rf"(?:(?:make|let|set|weigh|count) )?(?:the )?(?:weight of (?:the )?)?{_PART}"
        rf"(?: (?:counts?|is|are|be|to|at|should count|should be|worth|weighs?))*(?: ?[=:])? {_NUMBER}{_PERCENT}",
    ),
    (
        _scaled,
        rf"(?:(?:make|count|weigh|let|score) )?(?P<what>.+?)"
        rf"(?: (?:be|is|are|counts?|should be|should count|weighs?|to be))?"
        rf" {_FACTOR}(?: (?:as|more))?(?: (?:important|much|heavily|strongly))?(?: as (?:the )?(?P<than>.+))?",
        r"(?P<factor>double|triple|halve) (?P<what>.+)",
    ),
    # how attributes are compared
    (
        _means("set_tolerance", attribute="{name}", value="{value}"),
        rf"(?:allow )?(?:a |the )?tolerance (?:of |= ?)?{_NUMBER} (?:for|on|in|of) {_NAME}",
        rf"(?:allow )?{_NAME} (?:may|can|to) (?:differ|deviate|be off|vary) by (?:up to |at most )?{_NUMBER}",
        rf"{_NAME} (?:(?:is )?within|tolerance(?: of)?|±|\+/-) ?{_NUMBER}",
    ),
    (
        _means("compare_attribute", attribute="{name}", value="{word}"),
        rf"(?:(?:compare|treat|take|score) )?{_NAME} (?:as|by|is|must be|should be) (?:an? )?{_WORD}(?: only)?",
        rf"compare {_NAME} {_WORD}",
    ),
    # what counts
    (_only, rf"(?:only|just) {_COUNT} (?P<only>.+)", rf"{_COUNT} (?:only|just|nothing but) (?P<only>.+)"),
    (_means("count_all_labels"), rf"{_COUNT} (?:all|every) {_CLASSES}(?: again)?"),
    (
        _ignored,
        rf"(?P<verb>{_IGNORE}) {_NAME}",
        rf"(?P<verb>{_IGNORE}) {_NAME}{_LABEL}",
        rf"{_NAME} (?:(?:does not|doesn't|do not|don't|should not) (?:matter|count)"
        rf"|(?:is|are) (?:not important|irrelevant))",
    ),
    (
        _means("include_attribute", attribute="{name}", label="{label}"),
        rf"(?P<verb>{_INCLUDE}) {_NAME}(?: too| as well| again)?",
        rf"(?P<verb>{_INCLUDE}) {_NAME}{_LABEL}",
    ),
)
PHRASES = tuple((re.compile(pattern, re.IGNORECASE), meaning) for meaning, *patterns in _TABLE for pattern in patterns)
"""In the order they are tried: the first whose words and names fit is taken."""
