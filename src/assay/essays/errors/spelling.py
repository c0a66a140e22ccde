"""Spelling: words that no list of English holds, each judged once and remembered, and the word most likely meant.

Not by Harper's speller: it takes 2 to 11 ms for each unknown word, a third of the time of all features.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from assay.essays.errors.lexicon import pairs, word_class, words
from assay.essays.errors.reading import Placed, is_foreign, silent_spans
from assay.essays.text.text import frequency_index, word_list
from assay.essays.text.text_cleanup import clean_text

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
PREFIX = re.compile(r"^(?:anti|bio|cyber|eco|geo|micro|multi|neuro|non|pseudo|semi|ultra)(?=\w{5})")
"""What anyone may put before another word: `nonalcoholic`, not `unmeaningful`."""
POSSESSIVE_S = re.compile(r"(?<=.)['’]s\Z", re.DOTALL)
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

_remembered: dict[str, Verdict | None] = {}
"""Unknown word -> what is wrong with it; None when it is right. Filled in any order, always with the same values."""


def misspellings(raw: str) -> Iterator[Placed]:
    """The misspelled words of a text; the type may also be a missing capital, apostrophe or blank.

    Placeholders, markup, addresses and words in other scripts are passed over. Names are right, and want their capital.
    """
    plain = clean_text(raw)
    known, names = words("known_words.txt"), Names(plain.text)
    unknown = [m for m in WORD.finditer(plain.text) if m.group().lower().replace("’", "'") not in known]
    silent = silent_spans(plain.text) if unknown else []
    for m in unknown:
        if not is_word(m, plain.text) or any(a < m.end() and m.start() < b for a, b in silent):
            continue
        word = m.group()
        if word not in _remembered:
            if len(_remembered) >= MOST_REMEMBERED:
                _remembered.clear()
            _remembered[word] = judged(word)
        verdict = _remembered[word]
        if verdict is None or (word in names and not verdict.slip):
            continue
        name = word[0].upper() + word[1:]
        if word[0].islower() and name in names.inner and not verdict.slip:
            verdict = Verdict("proper_capital", name, slip=False)
        first, last = int(plain.begins[m.start()]), int(plain.ends[m.end() - 1])
        yield Placed(verdict.kind, first, last, verdict.suggestion)


def is_word(m: re.Match[str], text: str) -> bool:
    """A word of two or more letters that is no part of a number, an address, a handle or a file name."""
    before, after = text[m.start() - 1 : m.start()], text[m.end() : m.end() + 1]
    if len(m.group()) < 2 or before in ("@", "#", "/", "\\", "_", "'", "’") or after in ("@", "_", "/"):
        return False
    if before.isdigit() or after.isdigit() or (before == "." and text[m.start() - 2 : m.start() - 1].isalnum()):
        return before == "." and m.group()[0].isupper()
    in_address = after == "." and text[m.end() + 1 : m.end() + 2].isalnum() and m.group().islower()
    return not in_address and not is_foreign(m.group())


def judged(word: str) -> Verdict | None:
    """What is wrong with a word that is not among the common ones; None when it is right after all."""
    lower = word.lower().replace("’", "'")
    capital = word[0].isupper()
    if is_right(word, lower):
        return None
    if len(word) > LONGEST_WORD:
        return Verdict("spelling", None, slip=False)
    for kind, table in TABLES.items():
        if (meant := pairs(table).get(lower)) is not None:
            return Verdict(kind, meant[0].upper() + meant[1:] if capital else meant, slip=True)
    if lower.endswith("s's") and is_false_possessive(lower, lower[:-2]):
        return Verdict("possessive", word[:-1], slip=True)
    if lower.endswith("s") and (lower[:-1] in OWNERS or (capital and lower[:-1] in word_list("spelled_names"))):
        return Verdict("possessive", f"{word[:-1]}'s", slip=True)
    meant, index = likeliest(word), frequency_index()
    # a word in lower case may be a name, as likely as the word that would be meant by a slip: `spain`
    slip = index.get(meant.lower(), 0.0) - PER_COST * cost(lower, meant.lower()) if meant else 0.0
    named = len(lower) >= FEWEST_LETTERS and lower in word_list("spelled_names")
    if word[0].islower() and (lower in PRONOUNS or (named and index.get(lower, 0.0) + NAME_BONUS >= slip)):
        return Verdict("proper_capital", lower[0].upper() + lower[1:], slip=False)
    long = len(word) >= 7 and word[1:].islower()
    common = meant is not None and meant.lower() in words("known_words.txt")
    return Verdict("spelling", meant, slip=long and common and cost(lower, str(meant).lower()) <= GREAT)


def is_right(word: str, lower: str) -> bool:
    """Whether some list of English has the word: a dictionary, names with their capital, words of today or of talk."""
    base = lower.removesuffix("'s")
    if base in words("misspelled.tsv") or base in pairs("contractions.tsv") or is_false_possessive(lower, base):
        return False
    if word[0].isupper() and base in word_list("spelled_names"):
        return True
    spelled, rare = word_list("spelled_words"), words("rare_words.txt")
    in_full = any(written in spelled or written in rare for written in (base, PREFIX.sub("", base)))
    listed = base in words("accepted_words.txt") or base in pairs("informal.tsv") or base in ENDINGS
    common = base != lower and base in words("known_words.txt")
    return listed or common or (in_full and len(base) >= FEWEST_LETTERS)


def is_false_possessive(lower: str, base: str) -> bool:
    """A verb, a possessive or a plural with 's: `know's`, `their's`, `students's`."""
    if base == lower:
        return False
    plural = base.endswith("s") and not base.endswith("ss") and base[:-1] in words("known_words.txt")
    return plural or lower in words("misspelled.tsv") or base in words("verbs_never_nouns.tsv")


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
        names = [name for pattern in (self.INNER, self.TITLED, self.FIRST) for name in pattern.findall(text)]
        self.inner = frozenset([*names, *(POSSESSIVE_S.sub("", name) for name in names)])

    def __contains__(self, word: str) -> bool:
        if word in self.inner or any(c.isupper() for c in word[1:]):
            return True
        name = POSSESSIVE_S.sub("", word)
        return name in self.inner or (name[0].isupper() and self.text.count(name) > 1 and name.lower() not in self.text)


STRETCHED = re.compile(r"(.)\1{2,}")
"""A letter three times or more, as in `soooo`."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOWELS = frozenset("aeiouy")
PER_COST = 15.0
"""How many points of the frequency index a change of one letter weighs: a rarer word must be that much nearer."""
SLIGHT, PLAIN, GREAT = 0.8, 1.0, 1.6
"""Costs: a vowel or a doubled letter more or less; another letter more or less, a vowel for a vowel, two letters
swapped; a letter for another."""
OTHER_START = 0.6
"""Cost of a different first letter: writers seldom miss that one."""
ALIKE = str.maketrans({"c": "k", "q": "k", "x": "k", "z": "s", "v": "f", "j": "g"})
UNHEARD = str.maketrans(dict.fromkeys("aeiouyhw'"))
DOUBLED = re.compile(r"(.)\1+")
SOUNDS = "bdfgklmnprst"


def likeliest(word: str) -> str | None:
    """The most likely common word one letter away or, if there is none, of the same sound or nearly so; None if none.

    likelihood = frequency index - 15 x cost of the changes, above 0

    >>> likeliest("writting"), likeliest("wich"), likeliest("Bisness")
    ('writing', 'which', 'Business')
    """
    lower, index = STRETCHED.sub(r"\1", word.lower()), frequency_index()
    for candidates in _rounds(lower):
        best, highest = "", 0.0
        # the commonest come first: most rare ones need no closer look
        for meant in sorted(set(candidates), key=lambda meant: (-index.get(meant, 0.0), meant)):
            frequency = index.get(meant, 0.0)
            if meant != lower and frequency - PER_COST * max(SLIGHT, abs(len(meant) - len(lower)) * SLIGHT) <= highest:
                continue
            likely = frequency - PER_COST * cost(lower, meant)
            if likely > highest:
                best, highest = meant, likely
        if best:
            return best[0].upper() + best[1:] if word[0].isupper() else best
    return None


def _rounds(word: str) -> Iterator[Iterable[str]]:
    """Candidates, the nearest first; a later round is looked at only if an earlier one has nothing likely."""
    known = words("known_words.txt")
    yield [near for near in (word, *_one_change(word, LETTERS, first=0, swap=True)) if near in known]
    sound, by_sound = _sound(word), _by_sound()
    yield by_sound.get(sound, ())
    yield [meant for near in _one_change(sound, SOUNDS, first=1, swap=False) for meant in by_sound.get(near, ())]


def _one_change(word: str, letters: str, *, first: int, swap: bool) -> Iterator[str]:
    """Every string that one letter more, less or different makes of a word from a place on, or two letters swapped."""
    for k in range(first, len(word) + 1):
        head, tail = word[:k], word[k:]
        yield from [head + letter + tail for letter in letters]
        if tail:
            yield head + tail[1:]
            yield from [head + letter + tail[1:] for letter in letters]
        if swap and len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]


def _sound(word: str) -> str:
    """A rough key of how a word sounds: its consonants, those that sound alike as one.

    >>> _sound("definetly") == _sound("definitely"), _sound("proffeser") == _sound("professor")
    (True, True)
    """
    spoken = word.replace("ph", "f").replace("ck", "k").replace("ght", "t").replace("ce", "s").replace("ci", "s")
    first = "a" if spoken[:1] in VOWELS else spoken[:1].translate(ALIKE)
    return first + DOUBLED.sub(r"\1", spoken[1:].translate(ALIKE).translate(UNHEARD))


@cache
def _by_sound() -> Mapping[str, list[str]]:
    """Sound -> common words."""
    table: defaultdict[str, list[str]] = defaultdict(list)
    for word in words("known_words.txt"):
        if len(word) > 2:
            table[_sound(word)].append(word)
    return table


def cost(word: str, meant: str) -> float:
    """The least total cost of the changes that turn one word into the other.

    >>> cost("thier", "their"), cost("realy", "really"), cost("wich", "with")
    (1.0, 0.8, 1.6)
    """
    less, more = (
        [SLIGHT if letter in VOWELS or spelled[at - 1 : at] == letter else PLAIN for at, letter in enumerate(spelled)]
        for spelled in (word, meant)
    )
    above: list[float] = []
    row = [0.0]
    for extra in more:
        row.append(row[-1] + extra)
    for i, a in enumerate(word):
        before, above, row = above, row, [row[0] + less[i]]
        for j, b in enumerate(meant):
            best = above[j] + (0.0 if a == b else PLAIN if a in VOWELS and b in VOWELS else GREAT)
            best = min(best, above[j + 1] + less[i], row[j] + more[j])
            if i and j and a == meant[j - 1] and b == word[i - 1] and a != b:
                best = min(best, before[j - 1] + PLAIN)
            row.append(best)
    return row[-1] + (OTHER_START if word[:1] != meant[:1] else 0.0)
