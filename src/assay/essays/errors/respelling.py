"""Which word a writer most likely meant by a misspelled one."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from assay.essays.errors.lexicon import words
from assay.essays.text.frequency import frequency_index

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
LEAST_LIKELY = 0.0
"""Likelihood below which no word is proposed."""


def likeliest(word: str) -> str | None:
    """The most likely common word one letter away or, if there is none, of the same sound or nearly so; None if none.

    likelihood = frequency index - 15 x cost of the changes

    >>> likeliest("writting"), likeliest("wich"), likeliest("Bisness")
    ('writing', 'which', 'Business')
    """
    lower = STRETCHED.sub(r"\1", word.lower())
    for candidates in _rounds(lower):
        meant, likelihood = _best(lower, candidates)
        if likelihood > LEAST_LIKELY:
            return meant[0].upper() + meant[1:] if word[0].isupper() else meant
    return None


def likelihood(word: str, meant: str) -> float:
    """How likely one word is meant by another: its frequency index less what the changes cost."""
    return frequency_index().get(meant, 0.0) - PER_COST * cost(word, meant)


def _rounds(word: str) -> Iterator[Iterable[str]]:
    """Candidates, the nearest first; a later round is looked at only if an earlier one has nothing likely."""
    known = words("known_words.txt")
    yield [near for near in (word, *one_change(word)) if near in known]
    sound = _sound(word)
    yield _by_sound().get(sound, ())
    yield [meant for near in _near_sounds(sound) for meant in _by_sound().get(near, ())]


def _best(word: str, candidates: Iterable[str]) -> tuple[str, float]:
    """The likeliest candidate, and how likely. The commonest come first: most rare ones need no closer look."""
    index = frequency_index()
    best, highest = "", LEAST_LIKELY
    for meant in sorted(set(candidates), key=lambda meant: (-index.get(meant, 0.0), meant)):
        frequency = index.get(meant, 0.0)
        if meant != word and frequency - PER_COST * max(SLIGHT, abs(len(meant) - len(word)) * SLIGHT) <= highest:
            continue
        likely = frequency - PER_COST * cost(word, meant)
        if likely > highest:
            best, highest = meant, likely
    return best, highest


def one_change(word: str) -> Iterator[str]:
    """Every string that one letter more, less, different or swapped with the next makes of a word."""
    for k in range(len(word) + 1):
        head, tail = word[:k], word[k:]
        yield from [head + letter + tail for letter in LETTERS]
        if tail:
            yield head + tail[1:]
            yield from [head + letter + tail[1:] for letter in LETTERS]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]


ALIKE = str.maketrans({"c": "k", "q": "k", "x": "k", "z": "s", "v": "f", "j": "g"})
UNHEARD = str.maketrans(dict.fromkeys("aeiouyhw'"))
DOUBLED = re.compile(r"(.)\1+")
SOUNDS = "bdfgklmnprst"


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
    found: defaultdict[str, list[str]] = defaultdict(list)
    for word in words("known_words.txt"):
        if len(word) > 2:
            found[_sound(word)].append(word)
    return found


def _near_sounds(sound: str) -> Iterator[str]:
    """One consonant after the first more, less or different."""
    for k in range(1, len(sound) + 1):
        head, tail = sound[:k], sound[k:]
        yield from [head + letter + tail for letter in SOUNDS]
        if tail:
            yield head + tail[1:]
            yield from [head + letter + tail[1:] for letter in SOUNDS]


def cost(word: str, meant: str) -> float:
    """The least total cost of the changes that turn one word into the other.

    >>> cost("thier", "their"), cost("realy", "really"), cost("wich", "with")
    (1.0, 0.8, 1.6)
    """
    more = [_one_more(meant, j, letter) for j, letter in enumerate(meant)]
    above: list[float] = []
    row = [0.0]
    for extra in more:
        row.append(row[-1] + extra)
    for i, a in enumerate(word):
        less = _one_more(word, i, a)
        before, above, row = above, row, [row[0] + less]
        for j, b in enumerate(meant):
            best = above[j] + (0.0 if a == b else PLAIN if a in VOWELS and b in VOWELS else GREAT)
            best = min(best, above[j + 1] + less, row[j] + more[j])
            if i and j and a == meant[j - 1] and b == word[i - 1] and a != b:
                best = min(best, before[j - 1] + PLAIN)
            row.append(best)
    return row[-1] + (OTHER_START if word[:1] != meant[:1] else 0.0)


def _one_more(word: str, place: int, letter: str) -> float:
    doubled = place > 0 and word[place - 1] == letter
    return SLIGHT if doubled or letter in VOWELS else PLAIN
