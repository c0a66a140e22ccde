"""Spelling: words that no list of English holds, each judged once and remembered.

Not by Harper's speller: it takes 2 to 11 ms for each unknown word, a third of the time of all features.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.essays.errors.finding import Placed
from assay.essays.errors.lexicon import pairs, word_class, words
from assay.essays.errors.reading import foreign, silent_spans
from assay.essays.errors.respelling import GREAT, cost, likeliest, likelihood
from assay.essays.text.frequency import frequency_index
from assay.essays.text.spelling import spelled_names, spelled_words
from assay.essays.text.text_cleanup import readable

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
MOST_REMEMBERED = 100_000
"""Words; when full, the memory is emptied."""
FEWEST_LETTERS = 4
"""Shorter words of a dictionary (ans, pr) and shorter names (sam) are as often slips."""
NAME_BONUS = 2.0
"""Points of the frequency index by which a name in lower case is preferred to a slip: `spain`, not `oder`."""
LONGEST_WORD = 40
"""Letters; what is longer is no word."""
ENDINGS = ("n't", "th", "st", "nd", "rd")
"""What the writer put apart: 20 th."""
PREFIX = re.compile(r"(?:anti|bio|cyber|eco|geo|micro|multi|neuro|non|pseudo|semi|ultra)(?=\w{5})")
PRONOUNS = frozenset(["i'm", "i'll", "i'd", "i've"])

OWNERS = word_class("spelling owners")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with an unknown word, wherever it stands."""

    kind: str
    suggestion: str | None
    slip: bool
    """Whether it is so near to a common word that a capital does not make it a name: `Goverment`, not `Belgrano`."""


TABLES = {
    "spelling": "misspelled.tsv",
    "fused": "fused.tsv",
    "apostrophe": "contractions.tsv",
    "noun_number": "mass_plurals.txt",
}
"""Kind of error -> words written so, and what is meant."""

UNASKED = Verdict("", None, slip=False)
_remembered: dict[str, Verdict | None] = {}
"""Unknown word -> what is wrong with it; None when it is right. Filled in any order, always with the same values."""


def misspellings(raw: str) -> Iterator[Placed]:
    """The misspelled words of a text; the type may also be a missing capital, apostrophe or blank.

    Placeholders, markup, addresses, names and words in other scripts are passed over.
    """
    plain = readable(raw)
    known, names = words("known_words.txt"), Names(plain.text)
    unknown = [m for m in WORD.finditer(plain.text) if m.group().lower().replace("’", "'") not in known]
    silent = silent_spans(plain.text) if unknown else []
    doubtful = [
        m for m in unknown if readable_word(m, plain.text) and not any(a < m.end() and m.start() < b for a, b in silent)
    ]
    for m in doubtful:
        verdict = in_text(m.group(), judged(m.group()), names)
        if verdict is not None:
            first, last = int(plain.begins[m.start()]), int(plain.ends[m.end() - 1])
            yield Placed(verdict.kind, first, last, verdict.suggestion)


def in_text(word: str, verdict: Verdict | None, names: "Names") -> Verdict | None:
    """The verdict on a word among the others of its text: names are right, and want their capital."""
    if verdict is None or (word in names and not verdict.slip):
        return None
    if word[0].islower() and (name := word[0].upper() + word[1:]) in names.inner and not verdict.slip:
        return Verdict("proper_capital", name, slip=False)
    return verdict


def slip_of_the_pen(name: str, meant: str | None) -> bool:
    """Whether a long word with a capital is one slip away from a common word.

    >>> slip_of_the_pen("Goverment", "Government"), slip_of_the_pen("Belgrano", "Balloon")
    (True, False)
    """
    if len(name) < 7 or meant is None or not name[1:].islower():
        return False
    return meant.lower() in words("known_words.txt") and cost(name.lower(), meant.lower()) <= GREAT


def readable_word(m: re.Match[str], text: str) -> bool:
    """A word of two or more letters that is no part of a number, an address, a handle or a file name."""
    before, after = text[m.start() - 1 : m.start()], text[m.end() : m.end() + 1]
    if len(m.group()) < 2 or before in ("@", "#", "/", "\\", "_", "'", "’") or after in ("@", "_", "/"):
        return False
    if before.isdigit() or after.isdigit() or (before == "." and text[m.start() - 2 : m.start() - 1].isalnum()):
        return before == "." and m.group()[0].isupper()
    return not foreign(m.group()) and not (
        after == "." and text[m.end() + 1 : m.end() + 2].isalnum() and m.group().islower()
    )


def judged(word: str) -> Verdict | None:
    """What is wrong with a word that is not among the common ones; None when it is right after all."""
    found = _remembered.get(word, UNASKED)
    if found is UNASKED:
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        found = _remembered[word] = _judged(word)
    return found


def _judged(word: str) -> Verdict | None:
    lower = word.lower().replace("’", "'")
    if is_right(word, lower):
        return None
    if len(word) > LONGEST_WORD:
        return Verdict("spelling", None, slip=False)
    for kind, table in TABLES.items():
        if (meant := pairs(table).get(lower)) is not None:
            return Verdict(kind, like(word, meant), slip=True)
    if lower.endswith("s's") and is_false_possessive(lower, lower[:-2]):
        return Verdict("possessive", word[:-1], slip=True)
    if lower.endswith("s") and (lower[:-1] in OWNERS or (word[0].isupper() and lower[:-1] in spelled_names())):
        return Verdict("possessive", f"{word[:-1]}'s", slip=True)
    meant = likeliest(word)
    if word[0].islower() and is_name(lower, meant):
        return Verdict("proper_capital", lower[0].upper() + lower[1:], slip=False)
    return Verdict("spelling", meant, slip_of_the_pen(word, meant))


def is_right(word: str, lower: str) -> bool:
    """Whether some list of English has the word: a dictionary, names with their capital, words of today or of talk."""
    base = lower.removesuffix("'s")
    if base in words("misspelled.tsv") or base in pairs("contractions.tsv") or is_false_possessive(lower, base):
        return False
    if word[0].isupper() and base in spelled_names():
        return True
    in_full = len(base) >= FEWEST_LETTERS and (in_dictionary(base) or in_dictionary(without_prefix(base)))
    listed = base in words("accepted_words.txt") or base in pairs("informal.tsv") or base in ENDINGS
    return in_full or listed or (base != lower and base in words("known_words.txt"))


def is_false_possessive(lower: str, base: str) -> bool:
    """A verb, a possessive or a plural with 's: `know's`, `their's`, `students's`."""
    if base == lower:
        return False
    plural = base.endswith("s") and not base.endswith("ss") and base[:-1] in words("known_words.txt")
    return plural or lower in words("misspelled.tsv") or base in words("verbs_never_nouns.tsv")


def in_dictionary(base: str) -> bool:
    return base in spelled_words() or base in words("rare_words.txt")


def without_prefix(base: str) -> str:
    """The rest of a word that begins with a prefix anyone may put before another word; else nothing.

    >>> without_prefix("nonalcoholic"), without_prefix("unmeaningful")
    ('alcoholic', '')
    """
    found = PREFIX.match(base)
    return base[found.end() :] if found else ""


def is_name(lower: str, meant: str | None) -> bool:
    """Whether a word in lower case is a name, as likely as the word that would be meant by a slip: `spain`."""
    if lower in PRONOUNS:
        return True
    if len(lower) < FEWEST_LETTERS or lower not in spelled_names():
        return False
    slip = likelihood(lower, meant.lower()) if meant else 0.0
    return frequency_index().get(lower, 0.0) + NAME_BONUS >= slip


def like(word: str, meant: str) -> str:
    """What was meant, with a capital where the word has one."""
    return meant[0].upper() + meant[1:] if word[0].isupper() else meant


class Names:
    """Which unknown words of a text are names.

    Those written with a capital within a sentence or before another capital, with capitals inside, or twice with a
    capital and never without.
    """

    INNER = re.compile(r"(?:[\w,;:)'’-] |\(|[a-z]-)([A-Z][\w'’]*)")
    TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof)\. ([A-Z][\w'’]*)")
    FIRST = re.compile(r"\b([A-Z][\w'’]+) (?=[A-Z][a-z])")

    def __init__(self, text: str) -> None:
        self.text = text
        self.inner = frozenset(
            form
            for pattern in (self.INNER, self.TITLED, self.FIRST)
            for name in pattern.findall(text)
            for form in (name, _without_s(name))
        )

    def __contains__(self, word: str) -> bool:
        if word in self.inner or any(c.isupper() for c in word[1:]):
            return True
        name = _without_s(word)
        return name in self.inner or (name[0].isupper() and self.text.count(name) > 1 and name.lower() not in self.text)


def _without_s(name: str) -> str:
    return name[:-2] if name.endswith(("'s", "’s")) and len(name) > 2 else name
