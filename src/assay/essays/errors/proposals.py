"""Small changes that would make a sentence more expected: another form, another small word, one more or one fewer.

A change is proposed where the trigram model of `runs` finds the words around it likelier by more than a factor of two.
Whether it is worth a remark is for `weighing` to say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assay.essays.errors.lexicon import BOUNDARIES, plural, rows, singular, verb_forms, word_set
from assay.essays.errors.reading import ARTICLES, PREPOSITIONS, RuleContext, WordChange
from assay.essays.errors.runs import Numbers, word_runs

INSERTED = (*PREPOSITIONS, *ARTICLES, "is", "are", "be", "that", "it", "have", "and", "was", "they")
DROPPED = frozenset([*PREPOSITIONS, *ARTICLES]) | word_set(
    "is are be have that it more very been do being will so and can they"
)
CLITIC = word_set("n't 's 're 've 'll 'm 'd")
LEAST_GAIN, UNSURPRISING = 0.3, -5.5
"""log10: the least gain; what three words together need to be so likely that they need no look."""
NOTHING = -1
OUTSIDE = -2
"""Stands where a sentence has ended."""


@dataclass(frozen=True, eq=False, slots=True)
class _Row:
    """The words of a text as the model sees them, sentence after sentence, with boundaries between."""

    numbers: Numbers
    words: list[str]
    first: list[int]
    last: list[int]
    stops: list[int]


@cache
def alternatives() -> dict[str, frozenset[str]]:
    """Word -> words that are written for it or it for them, by table."""
    table: dict[str, set[str]] = {}
    for (line,) in rows("alternatives.txt"):
        for word in line.split():
            table.setdefault(word, set()).update(line.split())
    return {word: frozenset(others) - {word} for word, others in table.items()}


@lru_cache(maxsize=20_000)
def changes(word: str) -> tuple[tuple[str, int], ...]:
    """What may be written for a word: the kind of change and the number of the other word."""
    table, numbers = verb_forms(), word_runs().numbers
    others = dict.fromkeys(alternatives().get(word, ()), "alternative")
    for base, _ in sorted(table.readings.get(word, ())):
        for form in (form for spellings in table.bases[base] for form in spellings):
            others.setdefault(form, "verb")
    for noun in (plural(word), singular(word)):
        if noun:
            others.setdefault(noun, "noun")
    for kind, small in (("preposition", PREPOSITIONS), ("article", ARTICLES)):
        if word in small:
            others.update(dict.fromkeys(small, kind))
    return tuple((kind, numbers[other]) for other, kind in sorted(others.items()) if other != word and other in numbers)


def _laid_out(r: RuleContext) -> _Row:
    model = word_runs()
    start, end = (model.numbers[boundary] for boundary in BOUNDARIES)
    numbers: list[int] = []
    row = _Row(np.empty(0, np.int64), [], [], [], [])

    def add(number: int, word: str, token: int, *, stop: bool = False) -> None:
        numbers.append(number)
        for column, value in ((row.first, token), (row.last, token), (row.stops, int(stop))):
            column.append(value)
        row.words.append(word)

    for begin, finish in pairwise(r.bounds):
        add(start, "", NOTHING)
        add(start, "", NOTHING)
        stop = False
        for i in range(begin, finish):
            word = r.lower[i]
            if word in CLITIC and row.first[-1] >= 0 and r.ends[i - 1] == r.starts[i]:
                row.words[-1] += word
                numbers[-1], row.last[-1] = model.numbers.get(row.words[-1], model.size), i
            elif word[0].isalnum() or word[-1].isalnum():
                add(model.numbers.get(word, model.size), word, i, stop=stop)
                stop = False
            else:
                stop = True
        add(end, "", NOTHING, stop=stop)
        add(OUTSIDE, "", NOTHING)
        add(OUTSIDE, "", NOTHING)
    return _Row(np.array(numbers, dtype=np.int64), row.words, row.first, row.last, row.stops)


def _asked(row: _Row, base: NDArray[np.float64], stored: NDArray[np.bool_]) -> Iterator[tuple[str, int, int]]:
    """Kind, place and number of the other word of every change that is worth looking at."""
    model = word_runs()
    numbers, inserted = row.numbers.tolist(), [model.numbers[word] for word in INSERTED]
    for i in range(2, len(numbers) - 3):
        if row.first[i] < 0 or numbers[i] == model.size:
            continue
        if base[i] + base[i + 1] + base[i + 2] < UNSURPRISING:
            yield from ((kind, i, other) for kind, other in changes(row.words[i]))
        if row.words[i] in DROPPED and not (stored[i] and stored[i + 1]):
            yield "drop", i, NOTHING
        joined = row.first[i - 1] >= 0 and not row.stops[i] and numbers[i - 1] != model.size
        if joined and not stored[i]:
            yield from (("insert", i, other) for other in inserted)


def _logs(before: Numbers, after: Numbers, b: Numbers, c: Numbers) -> NDArray[np.float64]:
    """log10 of the probability of c after b, by the places of pairs; 0 outside of a sentence and for its start."""
    model = word_runs()
    counted = (c >= 0) & (c != model.numbers[BOUNDARIES[0]])
    return np.where(counted, model.log_p_between(before, after, _known(b), _known(c)), 0.0)


def _pairs(a: Numbers, b: Numbers) -> Numbers:
    return word_runs().pair(_known(a), _known(b))


def _known(numbers: Numbers) -> Numbers:
    return np.where(numbers < 0, word_runs().size, numbers)


def proposals(r: RuleContext) -> list[WordChange]:
    """For every place the change that gains most, if it gains enough; an insertion beside a change is another place."""
    row = _laid_out(r)
    n = row.numbers
    if len(n) < 7:
        return []
    # at each place the pair that ends there
    pair = np.concatenate(([-1], _pairs(n[:-1], n[1:])))
    base, stored = np.zeros(len(n)), pair >= 0
    base[2:] = _logs(pair[1:-1], pair[2:], n[1:-1], n[2:])
    asked = list(_asked(row, base, stored))
    if not asked:
        return []
    kinds = np.array([kind for kind, _, _ in asked])
    at, other = (np.array([entry[k] for entry in asked], dtype=np.int64) for k in (1, 2))
    inserts, drops = kinds == "insert", kinds == "drop"
    left, written, right, right2 = (n[at + k] for k in (-1, 0, 1, 2))
    # a word that is dropped is followed by what came after it
    word = np.where(drops, right, other)
    following, beyond = np.where(inserts, written, np.where(drops, right2, right)), np.where(inserts, right, right2)
    into, out_of = _pairs(left, word), _pairs(word, following)
    last = np.where(drops, 0.0, _logs(out_of, np.where(inserts, pair[at + 1], pair[at + 2]), following, beyond))
    as_changed = _logs(pair[at - 1], into, left, word) + _logs(into, out_of, word, following) + last
    as_written = base[at] + base[at + 1] + np.where(inserts, 0.0, base[at + 2])
    gain = as_changed - as_written
    pairs = np.where(inserts, 2 * stored[at], stored[at].astype(int) + stored[at + 1])
    better_pairs = np.where(drops, 2 * (into >= 0), (into >= 0).astype(int) + (out_of >= 0))
    best: dict[tuple[bool, int], int] = {}
    for k in np.flatnonzero(gain > LEAST_GAIN).tolist():
        place = bool(inserts[k]), int(at[k])
        if place not in best or gain[k] > gain[best[place]]:
            best[place] = k
    return [
        _proposal(row, asked[k], float(gain[k]), float(as_written[k]), int(pairs[k]), int(better_pairs[k]))
        for k in sorted(best.values())
    ]


def _proposal(
    row: _Row, asked: tuple[str, int, int], gain: float, before: float, pairs: int, better_pairs: int
) -> WordChange:
    kind, i, other = asked
    model, inserts = word_runs(), kind == "insert"
    better = names()[other] if other >= 0 else ""
    if inserts:
        kind = f"insert {'article' if better in ARTICLES else 'preposition' if better in PREPOSITIONS else 'word'}"
    around = row.numbers[i - 2 : i + 2 + (not inserts)]
    return WordChange(
        kind=kind,
        first=row.first[i - 1] if inserts else row.first[i],
        last=row.first[i] if inserts else row.last[i],
        word=row.words[i],
        better=better,
        gain=gain,
        before=before,
        pairs=pairs,
        better_pairs=better_pairs,
        unknown=int((around == model.size).sum()),
        stops=row.stops[i] + (0 if inserts else row.stops[i + 1]),
        rarity=float(model.one[row.numbers[i]]),
        better_rarity=float(model.one[other]) if other >= 0 else -3.0,
    )


@cache
def names() -> Sequence[str]:
    """The words of the model by number."""
    return tuple(word_runs().numbers)
