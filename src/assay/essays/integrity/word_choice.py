"""`WordChoice`: whether the words of a text were chosen to go together, by a trigram model of English and by reuse.

`order` is what the two words before tell of the next, in powers of ten: log10 p(word | two before) - log10 p(word),
averaged. Essays have about 0.7, the same words in random order about -0.6.

`association` compares two ways to come by a content word: chosen for its neighbors, or drawn at random. Each content
word falls in a cell by how common it is and how much its left and right neighbors make it expected; the table holds
log(share of the cell in essays / share of it where content words were replaced at random), and the mean over the
distinct places of a text is its evidence. Word pairs count once, so that a phrase used in every sentence counts little.
The table comes from the drafts of ArgRewrite V.2 (CC BY 4.0; training/word_association.py) alone.

`reuse` is the share of content words that stand in another sentence too, and of the ten most used in all: an essay is
about something, and says so again.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.essays.errors.runs import WordRuns, word_runs
from assay.essays.text.text import APOSTROPHES, Text, word_list

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]

GAINS = np.array([-0.3, 0.0, 0.5, 1.0, 2.0])
"""Between the cells of neighbors: how much more expected a word is beside its neighbor, in powers of ten."""
COMMON = np.array([-5.5, -5.0, -4.5, -4.0, -3.5])
"""Between the cells of words: log10 of how often a word occurs."""
NEIGHBOR_CELLS = 8
"""0 for a pair that is not stored, 1 to 6 by gain, 7 beside a word that the model does not have."""
WINDOW, STRIDE = 40, 10
"""Content words looked at together, to find nonsense in part of a text; and from one window to the next."""
STEM = 6
"""Letters by which words are taken for forms of one."""
MOST_USED = 10
ENDINGS = frozenset(["n't", "'s", "'re", "'ll", "'ve", "'m", "'d"])
"""Tokens of the parser that are part of the word before."""
LONGEST_SENTENCE = 45
"""Words of an average sentence, beyond which there are no sentences that words could be used again in."""


@dataclass(frozen=True, slots=True)
class WordChoice:
    """How the words of a text go together; NaN where there are too few to tell."""

    words: int
    """Words of the text that the trigram model has, with the one before."""
    order: float
    content: int
    """Content words of the text."""
    association: float
    rarity: float
    """Mean log10 of how often its content words occur."""
    weakest: float
    """The lowest mean evidence of a window of content words."""
    weakest_place: int
    """Where that begins, counted in content words that the trigram model has."""
    reuse: float


def word_choice(text: Text) -> WordChoice:
    """Measure a text."""
    runs, sentences = word_runs(), [words_of(text, sentence) for sentence in text.sentences()]
    numbers = numbered([words for words in sentences if words], runs)
    a, b, c, d = numbers[:-3], numbers[1:-2], numbers[2:-1], numbers[3:]
    start, end = runs.numbers["<s>"], runs.numbers["</s>"]
    word = (c < runs.size) & (c != start) & (c != end)
    inner = word & (b < runs.size) & (b != start)
    content = word & ~function_words()[c]
    before, pair, after = runs.pair(a, b), runs.pair(b, c), runs.pair(c, d)
    left = runs.log_p_between(before, pair, b, c) - runs.one[c]
    evidence = association_table()[cells_of(runs, numbers, left, pair, after)[content]]
    _, first = np.unique((b * runs.size + c)[content], return_index=True)
    weakest, place = _weakest(evidence)
    return WordChoice(
        words=int(inner.sum()),
        order=float(left[inner].mean()) if inner.any() else nan,
        content=len(evidence),
        association=float(evidence[first].mean()) if len(first) else nan,
        rarity=float(runs.one[c[content]].mean()) if len(first) else nan,
        weakest=weakest,
        weakest_place=place,
        reuse=reuse_of(sentences),
    )


def content_from(text: Text, place: int, count: int = 8) -> str:
    """Some content words of a text, from one of them on, as `WordChoice` counts them."""
    known, function = word_runs().numbers, word_list("function_words")
    every_word = (word for sentence in text.sentences() for word in words_of(text, sentence))
    return " ".join([form for form in every_word if form in known and form not in function][place : place + count])


def reuse_of(sentences: list[list[str]]) -> float:
    """The share of content words used in several sentences, plus that of the ten most used; NaN without sentences."""
    function = word_list("function_words")
    stems = [[word[:STEM] for word in words if len(word) > 2 and word not in function] for words in sentences]
    every = [stem for sentence in stems for stem in sentence]
    if not every or sum(map(len, sentences)) > LONGEST_SENTENCE * sum(map(bool, sentences)):
        return nan
    within = Counter(stem for sentence in stems for stem in set(sentence))
    again = sum(within[stem] > 1 for stem in every)
    most = sum(count for _, count in Counter(every).most_common(MOST_USED))
    return (again + most) / len(every)


def expected_reuse(content: int) -> float:
    """That of an average essay with so many content words."""
    return 0.878 + 0.058 * log(max(content, 1) / 150)


def words_of(text: Text, sentence: range) -> list[str]:
    """The words of a sentence in lower case, punctuation aside, as the trigram model has them."""
    words: list[str] = []
    for token in text.words[sentence.start : sentence.stop]:
        word = token.lower() if token.isascii() else token.lower().translate(APOSTROPHES)
        if words and word in ENDINGS:
            words[-1] += word
        elif word.isalnum() or any(c.isalnum() for c in word):
            words.append(word)
    return words


def numbered(sentences: list[list[str]], runs: WordRuns) -> Numbers:
    """All words by number in the trigram model, with marks of where sentences begin and end."""
    start, end = runs.numbers["<s>"], runs.numbers["</s>"]
    numbers = [start, start]
    for words in sentences:
        numbers += [runs.numbers.get(word, runs.size) for word in words]
        numbers += [end, start, start]
    return np.array(numbers, dtype=np.int64)


@cache
def function_words() -> NDArray[np.bool_]:
    """Whether each word of the trigram model, by number, is one that joins others."""
    runs = word_runs()
    table = np.zeros(runs.size + 1, dtype=np.bool_)
    table[[runs.numbers[word] for word in word_list("function_words") if word in runs.numbers]] = True
    return table


def cells_of(runs: WordRuns, numbers: Numbers, left: NDArray[Any], pair: Numbers, after: Numbers) -> Numbers:
    """The cell of the table that each word falls in."""
    b, c, d = numbers[1:-2], numbers[2:-1], numbers[3:]
    right = np.where(after >= 0, runs.two_p[after], runs.one_backoff[c] + runs.one[d]) - runs.one[d]
    by_left = np.where(pair >= 0, 1 + np.digitize(left, GAINS), 0)
    by_right = np.where(after >= 0, 1 + np.digitize(right, GAINS), 0)
    unknown = NEIGHBOR_CELLS - 1
    by_left, by_right = np.where(b == runs.size, unknown, by_left), np.where(d == runs.size, unknown, by_right)
    common = np.digitize(runs.one[c], COMMON)
    return np.asarray((common * NEIGHBOR_CELLS + by_left) * NEIGHBOR_CELLS + by_right, dtype=np.int64)


@cache
def association_table() -> Floats:
    """log(essays / words at random) of each cell."""
    lines = files("assay.essays.integrity").joinpath("association.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    table = np.array(rows, dtype=np.float64).ravel()
    table.flags.writeable = False
    return table


def _weakest(evidence: Floats) -> tuple[float, int]:
    """The lowest mean of a window, and where it begins; NaN where there is not a whole one."""
    if len(evidence) < WINDOW:
        return nan, 0
    sums = np.concatenate([[0.0], np.cumsum(evidence)])
    starts = np.arange(0, len(evidence) - WINDOW + 1, STRIDE)
    means = (sums[starts + WINDOW] - sums[starts]) / WINDOW
    lowest = int(means.argmin())
    return float(means[lowest]), int(starts[lowest])
