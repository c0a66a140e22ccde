"""What a misspelled word may have meant: candidates by edits, sound and a missing blank, ranked with the sentence."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np

from assay.essays.errors.lexicon import words
from assay.essays.errors.runs import word_runs
from assay.essays.text.text import frequency_index

STRETCHED = re.compile(r"(.)\1{2,}")
"""A letter three times or more, as in `soooo`."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOWELS = frozenset("aeiouy")
PER_COST = 15.0
"""How many points of the frequency index a change of one letter weighs: a rarer word must be that much nearer."""
SLIGHT, PLAIN, NEAR, GREAT = 0.8, 1.0, 1.4, 1.6
"""Costs: a vowel or a doubled letter more or less; another letter more or less, a vowel for a vowel, two letters
swapped; a letter for another."""
OTHER_START = 0.6
"""Cost of a different first letter: writers seldom miss that one."""
ALIKE = str.maketrans({"c": "k", "q": "k", "x": "k", "z": "s", "v": "f", "j": "g"})
UNHEARD = str.maketrans(dict.fromkeys("aeiouyhw'"))
DOUBLED = re.compile(r"(.)\1+")
SOUNDS = "bdfgklmnprst"


MOST_CANDIDATES = 12
MOST_WEIGHED, LAST_ROUND, ENOUGH = 20, 2, 2
"""Candidates of a round that are weighed; the round that is left out where there are enough from the ones before."""
MOST_CHANGED = 0.4
"""Cost for each letter above which a word is too far from what is written to be suggested."""
ROUND_COST = 0.25
"""What a later round costs in addition, in tens of the frequency index."""
PER_CONTEXT = 0.9
"""How much the sentence weighs against the frequency and nearness of a word."""
LEAST_SPLIT, SPLIT_COST = 3, 1.0
"""Letters of the parts of two words written as one; the cost of the missing blank."""
ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
KEYS = {letter: (row, column + 0.5 * row) for row, line in enumerate(ROWS) for column, letter in enumerate(line)}


def likeliest(word: str, before: Sequence[str] = (), after: Sequence[str] = ()) -> str | None:
    """The likeliest word meant; None if there is no candidate. `before` and `after` are up to two words around it.

    >>> likeliest("writting"), likeliest("wich"), likeliest("Bisness")
    ('writing', 'which', 'Business')
    """
    ranked = in_context(candidates(word), before, after)
    best = max(ranked, key=lambda pair: pair[1], default=("", 0.0))[0]
    if not best or (" " not in best and cost(STRETCHED.sub(r"\1", word.lower()), best) > MOST_CHANGED * len(word)):
        return None
    return best[0].upper() + best[1:] if word[0].isupper() else best


@lru_cache(maxsize=20_000)
def candidates(word: str) -> tuple[tuple[str, float], ...]:
    """Words that may be meant, the likeliest without a context first.

    log10 of the frequency - 1.5 x cost of the changes - 0.25 for every round after the first
    """
    lower, index = STRETCHED.sub(r"\1", word.lower()), frequency_index()
    scores: dict[str, float] = {}
    for number, round_words in enumerate(_rounds(lower)):
        if number == LAST_ROUND and len(scores) >= ENOUGH:
            break
        # the commonest come first: rare ones that differ in length need no closer look
        bound = {m: index.get(m, 0.0) - PER_COST * SLIGHT * max(1, abs(len(m) - len(lower))) for m in round_words}
        for meant in sorted(bound, key=lambda m: (-bound[m], m))[:MOST_WEIGHED]:
            if bound[meant] > 0 and meant not in scores:
                likely = (index.get(meant, 0.0) - PER_COST * cost(lower, meant)) / 10 - ROUND_COST * number
                if likely > 0:
                    scores[meant] = likely
    scores.update(_splits(lower))
    return tuple(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_CANDIDATES])


def _splits(word: str) -> Iterator[tuple[str, float]]:
    """Two common words without the blank between them: `lightyears`, `infact`."""
    model, index = word_runs(), frequency_index()
    for k in range(LEAST_SPLIT, len(word) - LEAST_SPLIT + 1):
        pair = word[:k], word[k:]
        if pair[0] in words("known_words.txt") and pair[1] in words("known_words.txt"):
            numbers = model.numbered(pair)
            stored = int(model.pair(numbers[:1], numbers[1:])[0])
            if stored >= 0:
                joint = index.get(pair[0], 0.0) / 10 + float(model.two_p[stored])
                yield " ".join(pair), joint - PER_COST * SPLIT_COST / 10


def in_context(
    known: Sequence[tuple[str, float]], before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[str, float]]:
    """The candidates with how likely each is in the sentence: log10, up to a constant."""
    if not known or not (before or after):
        yield from known
        return
    model = word_runs()
    left = [*["<s>"] * (2 - len(before)), *before[-2:]]
    right = [*after[:2], "</s>"][:2]
    parts = [meant.split() for meant, _ in known]
    rows = [model.numbered([*left, *part, *right]) for part in parts]
    flat = [np.concatenate([row[k : len(row) - 2 + k] for row in rows]) for k in range(3)]
    logs = np.split(model.log_p(*flat), np.cumsum([len(row) - 2 for row in rows])[:-1])
    for (meant, likely), part, row, run in zip(known, parts, rows, logs, strict=True):
        # what the frequency of the word says is in `likely`; a word that the model lacks is judged by what follows
        own = float(run[: len(part)].sum() - model.one[row[2 : 2 + len(part)]].sum())
        known_words = bool((row[2 : 2 + len(part)] < model.size).all())
        yield (
            meant,
            likely + PER_CONTEXT * ((own if known_words and len(part) == 1 else 0.0) + float(run[len(part) :].sum())),
        )


def _rounds(word: str) -> Iterator[Iterable[str]]:
    """Candidates, the nearest first: one change away, of the same sound, of nearly the same sound."""
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


@cache
def swapped_cost(a: str, b: str) -> float:
    """The cost of one letter for another: vowels and neighbours on the keyboard are more easily mistaken."""
    if a in VOWELS and b in VOWELS:
        return PLAIN
    if a not in KEYS or b not in KEYS:
        return GREAT
    return NEAR if abs(KEYS[a][0] - KEYS[b][0]) <= 1 and abs(KEYS[a][1] - KEYS[b][1]) <= 1 else GREAT


def cost(word: str, meant: str) -> float:
    """The least total cost of the changes that turn one word into the other.

    >>> cost("thier", "their"), cost("realy", "really"), cost("wich", "with")
    (1.0, 0.8, 1.6)
    """
    more = [SLIGHT if c in VOWELS or meant[at - 1 : at] == c else PLAIN for at, c in enumerate(meant)]
    less = [SLIGHT if word[at - 1 : at] == c else PLAIN for at, c in enumerate(word)]  # letters are left out more often
    above: list[float] = []
    row = [0.0]
    for extra in more:
        row.append(row[-1] + extra)
    for i, a in enumerate(word):
        before, above, row = above, row, [row[0] + less[i]]
        for j, b in enumerate(meant):
            best = above[j] + (0.0 if a == b else swapped_cost(a, b))
            best = min(best, above[j + 1] + less[i], row[j] + more[j])
            if i and j and a == meant[j - 1] and b == word[i - 1] and a != b:
                best = min(best, before[j - 1] + PLAIN)
            row.append(best)
    return row[-1] + (OTHER_START if word[:1] != meant[:1] else 0.0)
