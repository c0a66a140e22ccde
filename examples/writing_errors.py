"""Errors put into correct sentences, as many as a writer of some skill would make: something for features to find."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

LEVELS = np.arange(1.0, 7.0)
# at the levels 1, 2 ... 6 of accuracy
WORD_ERRORS = (0.13, 0.085, 0.05, 0.026, 0.011, 0.004)
RUN_ONS = (0.4, 0.26, 0.14, 0.06, 0.02, 0.0)
FRAGMENTS = (0.14, 0.1, 0.06, 0.03, 0.01, 0.0)
SMALL_START = (0.3, 0.14, 0.05, 0.015, 0.0, 0.0)
NO_STOP = (0.3, 0.15, 0.06, 0.02, 0.0, 0.0)

MISSPELLED: Mapping[str, str] = {
    "because": "becuase",
    "their": "thier",
    "friend": "freind",
    "friends": "freinds",
    "really": "realy",
    "believe": "beleive",
    "people": "poeple",
    "important": "importent",
    "should": "shoud",
    "school": "scool",
    "teachers": "techers",
    "teacher": "techer",
    "different": "diffrent",
    "clothes": "cloths",
    "every": "evry",
    "everyone": "evryone",
    "family": "familly",
    "money": "mony",
    "opinion": "opinon",
    "reason": "reson",
    "another": "anouther",
    "always": "allways",
    "nobody": "noboddy",
    "library": "libary",
    "uniform": "unifrom",
    "homework": "homwork",
    "traffic": "trafic",
    "quiet": "quite",
    "which": "wich",
    "enough": "enouf",
    "many": "meny",
    "students": "studends",
    "learn": "lern",
    "better": "beter",
    "little": "litle",
    "community": "comunity",
    "knowledge": "knowlege",
    "considerably": "considerbly",
    "immediately": "immediatly",
    "responsibility": "responsability",
    "concentration": "consentration",
}
CONFUSED: Mapping[str, str] = {
    "their": "there",
    "to": "too",
    "than": "then",
    "then": "than",
    "your": "you're",
    "there": "their",
    "its": "it's",
    "whose": "who's",
    "a": "an",
    "better": "more better",
    "many": "much",
    "few": "less",
    "who": "which",
    "any": "no",
    "themselves": "theirselves",
    "everyone": "every one",
}
DISAGREEING: Mapping[str, str] = {
    "is": "are",
    "are": "is",
    "has": "have",
    "have": "has",
    "makes": "make",
    "was": "were",
    "were": "was",
    "helps": "help",
    "costs": "cost",
    "takes": "take",
    "needs": "need",
    "need": "needs",
    "says": "say",
    "does": "do",
    "want": "wants",
}


def with_errors(sentences: Sequence[str], accuracy: float, rng: np.random.Generator) -> str:
    """The sentences as one paragraph, with the errors of a writer whose accuracy is on the scale of 1 to 6."""
    level = float(np.clip(accuracy, 1, 6))

    def chance(at_levels: Sequence[float]) -> bool:
        return bool(rng.random() < np.interp(level, LEVELS, at_levels))

    written = ""
    for number, sentence in enumerate(sentences):
        said = _contracted(sentence, level, rng)
        said = _with_word_errors(said, float(np.interp(level, LEVELS, WORD_ERRORS)), rng)
        if chance(FRAGMENTS) and not said.startswith(("Because", "So ", "But ", "For ")):
            said = f"Because {said[0].lower()}{said[1:]}"
        if number and chance(RUN_ONS):
            written = written.rstrip(".") + str(rng.choice((",", ",", " and", ""))) + f" {said[0].lower()}{said[1:]}"
            continue
        if chance(SMALL_START):
            said = said[0].lower() + said[1:]
        if chance(NO_STOP) and number == len(sentences) - 1:
            said = said.rstrip(".")
        written = f"{written} {said}".lstrip()
    return written


def _contracted(sentence: str, level: float, rng: np.random.Generator) -> str:
    """Weak writers write as they speak: don't and can't, half of the time without the apostrophe."""
    if rng.random() > np.interp(level, LEVELS, (0.7, 0.6, 0.45, 0.25, 0.1, 0.0)):
        return sentence
    mark = "" if rng.random() < np.interp(level, LEVELS, (0.8, 0.6, 0.4, 0.2, 0.1, 0.0)) else "'"
    return sentence.replace("do not ", f"don{mark}t ").replace("can not ", f"can{mark}t ")


def _with_word_errors(sentence: str, rate: float, rng: np.random.Generator) -> str:
    return " ".join(changed for word in sentence.split(" ") if (changed := _word(word, rate, rng)))


def _word(word: str, rate: float, rng: np.random.Generator) -> str:
    """The word, or what an error makes of it; nothing if it is left out."""
    if rng.random() >= rate or not (core := re.fullmatch(r"([A-Za-z]+)([.,;:?]*)", word)):
        return word
    changes = [change for change in WORD_CHANGES if change(core[1], rng) != core[1]]
    if not changes:
        return word
    changed = changes[rng.integers(len(changes))](core[1], rng)
    return f"{changed}{core[2]}" if changed else core[2] and word


def _mistyped(word: str, rng: np.random.Generator) -> str:
    """Two letters inside a long word change places, or one of a double letter is lost."""
    if len(word) < 6 or not word.islower():
        return word
    if double := re.search(r"([a-z])\1", word):
        return word[: double.start()] + word[double.start() + 1 :]
    at = int(rng.integers(2, len(word) - 2))
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


WORD_CHANGES: tuple[Callable[[str, np.random.Generator], str], ...] = (
    lambda word, _: MISSPELLED.get(word, word),
    _mistyped,
    lambda word, _: CONFUSED.get(word, word),
    lambda word, _: DISAGREEING.get(word, word),
    lambda word, _: "i" if word == "I" else word,
    lambda word, _: "" if word in ("a", "the", "to", "of") else word,
    lambda word, _: f"{word} {word}" if word in ("the", "and", "to", "is") else word,
)
"""Each takes a word and gives what the error makes of it: the word itself where it does not apply, "" if it is lost."""
