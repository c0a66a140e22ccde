"""Words of instructions -> a few concepts: "false positives", "superfluous boxes" and "one too many" are all EXTRA.

Every word must be known: a concept, the name of a class or an attribute, a number, or a word that carries no sense
here. One unknown word and the sentence is not understood, since it may turn the meaning around.
"""

import re
from dataclasses import dataclass

from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.concepts import ANY_OBJECT, CONCEPTS, FRACTIONS, NUMERALS, SILENT, TIMES
from assay.annotations.rubric.rewrites import REWRITES

RELATIVE, WHOSE = ("that", "which", "who"), "WHOSE"
CLASS, ATTRIBUTE, NUMBER, PERCENT, FACTOR, FRACTION = "CLASS", "ATTRIBUTE", "NUMBER", "PERCENT", "FACTOR", "FRACTION"


@dataclass(frozen=True, slots=True)
class Token:
    """A concept in a sentence; names and numbers carry what they stand for."""

    concept: str
    name: str = ""
    value: float = 0.0


_HOW = (
    "much|many|important|heavily|heavy|serious|seriously|bad|badly|severe|severely|strongly|strong|high|big|large|grave|"
    "hard|harshly|costly|expensive|valuable|relevant"
)
LIKEWISE = re.compile(rf"\bas (?:{_HOW})\b")
LIKEWISE_AS = re.compile(rf"\b(?:just )?as (?:{_HOW}) as\b")
NOT_AS_MUCH = re.compile(
    rf"\bnot\b(?P<what>[^,;]{{0,80}}?)\b(?:as|so|that|quite as|quite so) (?:{_HOW})\b(?P<than> as\b)?"
)


def _phrases() -> dict[tuple[str, ...], str]:
    """Words -> concept."""
    spoken: dict[tuple[str, ...], str] = {}
    for concept, listed in CONCEPTS.items():
        for phrase in listed.split("|"):
            ways = [phrase.replace("*o", word) for word in ANY_OBJECT.split("|")] if "*o" in phrase else [phrase]
            for way in ways:
                spoken.setdefault(tuple(way.split()), concept)
    return spoken


ENDINGS = (
    ("ably", ("able",)),
    ("ly", ("", "le")),
    ("sion", ("ded", "sed", "de")),
    ("tion", ("ted", "te", "t")),
    ("ation", ("ed", "e", "")),
    ("ing", ("", "e", "ed")),
    ("ed", ("", "e", "ing")),
    ("ness", ("",)),
    ("es", ("", "e")),
    ("s", ("",)),
    ("er", ("", "e")),
)
"""Endings of words, and what may stand in their place."""
PHRASES = _phrases()
LONGEST = max(map(len, PHRASES))
_WORD = re.compile(r"\d+(?:[.,]\d+)?|\.\d+|>=|[<>=:/&,]|[^\W\d_]+(?:['’][^\W\d_]+)*|\S")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sentence as concepts, and the words nobody knows."""

    tokens: tuple[Token, ...]
    unknown: tuple[str, ...]

    def concepts(self) -> frozenset[str]:
        return frozenset(token.concept for token in self.tokens)

    def named(self, concept: str) -> list[str]:
        """The names under a concept, each once."""
        return list(dict.fromkeys(token.name for token in self.tokens if token.concept == concept))


def tokenize(text: str, known: KnownNames) -> Tokens:
    """The concepts of a sentence, longest phrases first, names before words.

    >>> known = KnownNames(("car",), ("color",))
    >>> [token.concept for token in tokenize("don't penalise superfluous boxes", known).tokens]
    ['NOT', 'PENALIZE', 'EXTRA']
    """
    plain = " ".join(text.casefold().split()).rstrip(".!?")
    for pattern, replacement in REWRITES:
        plain = pattern.sub(replacement, plain)
    # "does not count as much as" is less than, and no denial
    plain = NOT_AS_MUCH.sub(lambda m: f"{m['what']} less{' than' if m['than'] else ''}", plain)
    plain = LIKEWISE_AS.sub("likewise as", plain)
    words = _WORD.findall(LIKEWISE.sub("", plain).replace("_", " "))
    names = _names(known)
    tokens: list[Token] = []
    unknown: list[str] = []
    place = 0
    while place < len(words):
        token, length = _next(words, place, names)
        if token is not None:
            tokens += [Token(WHOSE), token] if _describes(token, words, place, length, names) else [token]
        elif length == 0:
            if words[place] not in SILENT:
                unknown.append(words[place])
            length = 1
        place += length
    return Tokens(tuple(tokens), tuple(unknown))


def _describes(token: Token, words: list[str], place: int, length: int, names: dict[tuple[str, ...], Token]) -> bool:
    """Whether an attribute tells which objects are meant: "cars that are occluded", "occluded cars"."""
    if token.concept != ATTRIBUTE:
        return False
    before, after = words[max(place - 2, 0) : place], tuple(words[place + length : place + length + 3])
    told_after = len(before) == 2 and before[0] in RELATIVE and before[1] in ("is", "are", "was", "were")
    described = any(names.get(after[:size], token).concept == CLASS for size in range(1, len(after) + 1))
    return told_after or described


def _names(known: KnownNames) -> dict[tuple[str, ...], Token]:
    """The words of each class and attribute, in the singular and in the plural."""
    names: dict[tuple[str, ...], Token] = {}
    for concept, listed in ((CLASS, known.labels), (ATTRIBUTE, known.attributes)):
        for name in listed:
            words = _WORD.findall(normalised(name, separators_alike=True).replace("colour", "color"))
            for ending in _forms(words[-1]) if words else ():
                names.setdefault((*words[:-1], ending), Token(concept, name))
    return names


def _forms(word: str) -> tuple[str, ...]:
    """A noun in the singular and in the plural.

    >>> _forms("bus"), _forms("lorry")
    (('bus', 'buss', 'buses'), ('lorry', 'lorrys', 'lorries', 'lorryes'))
    """
    irregular = {"person": ("people", "persons"), "man": ("men",), "woman": ("women",), "child": ("children",)}
    plural = (f"{word[:-1]}ies",) if word.endswith("y") else ()
    single = (word[:-1],) if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3 else ()
    return (word, f"{word}s", *plural, f"{word}es", *single, *irregular.get(word, ()))


def _next(words: list[str], place: int, names: dict[tuple[str, ...], Token]) -> tuple[Token | None, int]:
    """The concept that begins here and how many words it takes; none of no words when nobody knows the word."""
    for length in range(min(LONGEST, len(words) - place), 0, -1):
        phrase = tuple(words[place : place + length])
        if phrase in names:
            return names[phrase], length
        number = _number(phrase)
        if number is not None:
            return number, length
        if phrase in PHRASES:
            return Token(PHRASES[phrase]), length
    return _by_form(words[place], names), 1 if _by_form(words[place], names) else 0


def _by_form(word: str, names: dict[tuple[str, ...], Token]) -> Token | None:
    """What a word stands for that nobody listed in this form: "interchangeably", "occlusion" for "occluded"."""
    if word in SILENT or len(word) < 5:
        return None
    for ending, others in ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 4:
            continue
        for other in others:
            if (stem + other,) in names or (stem + other,) in PHRASES:
                return names.get((stem + other,)) or Token(PHRASES[(stem + other,)])
    return None


def _number(words: tuple[str, ...]) -> Token | None:
    """A number, a share or a factor: "0.7", "sixty five", "60 percent", "a third", "three times", "times 3"."""
    phrase = " ".join(words)
    if phrase in FRACTIONS:
        return Token(FRACTION, value=FRACTIONS[phrase])
    if phrase in TIMES:
        return Token(FACTOR, value=TIMES[phrase])
    *first, last = words
    if last in ("times", "fold") and (value := _figure(first)) is not None:
        return Token(FACTOR, value=value)
    if (
        words[0] in ("times", "by")
        and len(words) > 1
        and words[0] == "times"
        and (value := _figure(words[1:])) is not None
    ):
        return Token(FACTOR, value=value)
    if (
        phrase.endswith(("percent", "per cent"))
        and (value := _figure(phrase.replace("per cent", "percent").split()[:-1])) is not None
    ):
        return Token(PERCENT, value=value / 100)
    if words == ("one",):  # "ones", "no one", "one too many": far oftener no number
        return None
    figure = _figure(words)
    return None if figure is None else Token(NUMBER, value=figure)


def _figure(words: tuple[str, ...] | list[str]) -> float | None:
    """Digits or numerals as a number."""
    if len(words) == 1 and re.fullmatch(r"\d+(?:[.,]\d+)?|\.\d+", words[0]):
        return float(words[0].replace(",", "."))
    values = [NUMERALS.get(word) for word in words]
    if not values or len(values) > 2 or None in values:
        return None
    tens, *ones = (value for value in values if value is not None)
    if not ones:
        return tens
    return tens + ones[0] if tens >= 20 and ones[0] < 10 else None
