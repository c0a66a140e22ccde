"""The runs of letters and of words in a text, as numbered buckets: what word and character statistics are made of.

Runs are hashed by a polynomial of their letters, so that no list of them has to be kept and the same run has the same
bucket on every machine. Two runs in one bucket count as one; with half a million buckets few that matter do.

The words of a prompt, learned from its essays without any score, and how far an essay takes them up.

    keyness of a word = d1 log((d1 + .005) / (d0 + .005))

d1 is the share of the prompt's essays that have the word; d0 the share expected of any English text as long as the
median essay, 1 - exp(-f L), f from wordfreq. So a topic needs no other prompts to be set off against.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import exp, log, log1p
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.arrays import Floats
from assay.essays.text.text import frequency_index

Buckets = NDArray[np.int32]

CHARACTER_BITS = 19
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
SPACE = re.compile(r"\s+")
WORD = re.compile(r"@?[^\W_]+(?:['\u2019][^\W_]+)*|[.,!?;:\"]")
"""A word, a number, the mark of a name taken out, or a mark of punctuation."""
LEAST_ESSAYS = 3
"""Essays a word or pair must stand in to be kept: one of fewer says little of others, and may be a name."""


def character_runs(text: str, longest: int, *, bits: int = CHARACTER_BITS) -> Buckets:
    """The buckets of all runs of 1 to `longest` characters, each once, ascending; any white space is one blank."""
    letters = np.array([ord(c) for c in f" {SPACE.sub(' ', text).strip()} "], dtype=np.uint64)
    buckets = []
    hashes = np.zeros(len(letters), dtype=np.uint64)
    for length in range(1, min(longest, len(letters)) + 1):
        hashes = hashes[: len(letters) - length + 1] * MULTIPLIER + letters[length - 1 :] + np.uint64(1)
        # the highest bits after another round of mixing: the lowest bits of a polynomial repeat
        mixed = (hashes ^ (hashes >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        buckets.append((mixed >> np.uint64(64 - bits)).astype(np.int32))
    return np.unique(np.concatenate(buckets)) if buckets else np.empty(0, dtype=np.int32)


def word_runs(text: str) -> list[str]:
    """The words of a text and the pairs of neighbours, in lower case, as often as they occur.

    >>> word_runs("Dogs bark.")
    ['dogs', 'bark', '.', 'dogs bark', 'bark .']
    """
    words = [word.casefold().replace("\u2019", "'") for word in WORD.findall(text)]
    return [*words, *(f"{a} {b}" for a, b in pairwise(words))]


def run_matrix(rows: Sequence[Buckets], columns: int) -> Any:
    """A sparse matrix with a row per text: equal entries in its buckets, every row of length 1."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    sizes = np.array([len(row) for row in rows])
    values = np.repeat(1.0 / np.sqrt(np.maximum(sizes, 1)), sizes)
    pointers = np.concatenate(([0], np.cumsum(sizes)))
    places = np.concatenate([np.empty(0, dtype=np.int32), *rows])
    return csr_matrix((values, places, pointers), shape=(len(rows), columns))


@dataclass(frozen=True, eq=False, slots=True)
class WordStatistics:
    """The words and pairs of the training essays and how rare each is among them.

    Tf-idf: (1 + log count) (log((1 + N) / (1 + N_i)) + 1), of length 1.
    """

    runs: tuple[str, ...]
    rarity: Floats
    position: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", {run: place for place, run in enumerate(self.runs)})
        self.rarity.flags.writeable = False

    def vector(self, text: str) -> tuple[NDArray[np.int32], Floats]:
        """The places of the known words of a text, ascending, and their weights."""
        counts = Counter(place for run in word_runs(text) if (place := self.position.get(run)) is not None)
        places = np.array(sorted(counts), dtype=np.int32)
        occurrences = np.array([counts[place] for place in places.tolist()], dtype=np.float64)
        weights = (1 + np.log(occurrences)) * self.rarity[places]
        norm = float(np.sqrt(weights @ weights))
        return places, weights / norm if norm > 0 else weights

    def matrix(self, texts: Sequence[str]) -> Any:
        """A sparse matrix with a row per text."""
        from scipy.sparse import csr_matrix  # noqa: PLC0415

        rows = [self.vector(text) for text in texts]
        pointers = np.concatenate(([0], np.cumsum([len(places) for places, _ in rows])))
        places = np.concatenate([np.empty(0, dtype=np.int32), *(places for places, _ in rows)])
        values = np.concatenate([np.empty(0), *(weights for _, weights in rows)])
        return csr_matrix((values, places, pointers), shape=(len(texts), len(self.runs)))


def learn_words(texts: Sequence[str]) -> WordStatistics:
    """The statistics of the training essays."""
    spread = Counter(run for text in texts for run in set(word_runs(text)))
    runs = tuple(sorted(run for run, essays in spread.items() if essays >= LEAST_ESSAYS))
    return WordStatistics(runs, np.array([np.log((1 + len(texts)) / (1 + spread[run])) + 1 for run in runs]))


TOP = (30, 100, 300)
LEAST_OF_TOPIC = 2
"""Essays a word must stand in to be kept."""
FEW, MANY = 0.02, 0.15

TOPIC_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "topic_30": "Words of the topic used, among its thirty",
        "topic_100": "Words of the topic used, among its hundred",
        "topic_300": "Words of the topic used, among its three hundred",
        "topic_share": "Share of the essay's words that are of the topic",
        "specific_words": "Words of the topic that some writers use",
        "specific_density": "Words of the topic that some writers use, for the length of the essay",
        "unusual_words": "Words that few writers on the topic use",
        "like_all": "Likeness to all essays on the topic",
        "like_long": "Likeness to the long essays on the topic",
        "long_not_short": "More like the long essays on the topic than like the short ones",
    }
)


@dataclass(frozen=True, eq=False, slots=True)
class Topic:
    """Statistics of one prompt's words; entry i of every column is word i."""

    words: tuple[str, ...]
    essays_with: NDArray[np.int64]
    keyness: Floats
    essays: int
    quarters: tuple[float, float]
    """The number of words up to which an essay is short, and from which it is long."""
    sums: Floats
    """(3, words): sums of the essays' vectors: of all, of the long ones and of the short ones."""
    position: Mapping[str, int] = field(init=False, repr=False)
    rank: NDArray[np.int64] = field(init=False, repr=False)
    squares: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rank = np.empty(len(self.words), dtype=np.int64)
        rank[np.argsort(-self.keyness, kind="stable")] = np.arange(len(self.words))
        object.__setattr__(self, "position", {word: i for i, word in enumerate(self.words)})
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "squares", (self.sums**2).sum(axis=1))
        for column in (self.essays_with, self.keyness, self.sums, rank, self.squares):
            column.flags.writeable = False

    def vector(self, counts: Mapping[str, int]) -> tuple[NDArray[np.intp], Floats, Floats]:
        """The essay's known words, their counts, and their weights (1 + log count) log((N + 1) / N_i), of length 1."""
        known = [(i, count) for word, count in counts.items() if (i := self.position.get(word)) is not None]
        at = np.array([i for i, _ in known], dtype=np.intp)
        occurrences = np.array([count for _, count in known], dtype=np.float64)
        weights = (1 + np.log(occurrences)) * np.log((self.essays + 1) / self.essays_with[at])
        norm = float(np.sqrt(weights @ weights))
        return at, occurrences, weights / norm if norm > 0 else weights

    def parts(self, counts: Mapping[str, int]) -> NDArray[np.bool_]:
        """Which of the three sums an essay belongs to."""
        length = sum(counts.values())
        return np.array([True, length >= self.quarters[1], length <= self.quarters[0]])


def learn_topic(counts: Sequence[Mapping[str, int]]) -> Topic:
    """The topic of the essays whose words are counted; no scores are needed."""
    if len(counts) < LEAST_OF_TOPIC:
        raise InputError(f"the words of a topic are learned from at least {LEAST_OF_TOPIC} essays, got {len(counts)}")
    spread = Counter(word for essay in counts for word in essay)
    words = tuple(sorted(word for word, essays in spread.items() if essays >= LEAST_OF_TOPIC))
    with_word = np.array([spread[word] for word in words], dtype=np.int64)
    lengths = [sum(essay.values()) for essay in counts]
    low, median, high = np.percentile(lengths, [25, 50, 75]).tolist()
    index = frequency_index()
    frequencies = [10 ** (index[word] / 10 - 10) if word in index else 0.0 for word in words]
    expected = [1 - exp(-frequency * median) for frequency in frequencies]
    shares = (with_word / len(counts)).tolist()
    keyness = np.array([d1 * log((d1 + 0.005) / (d0 + 0.005)) for d1, d0 in zip(shares, expected, strict=True)])
    bare = Topic(words, with_word, keyness, len(counts), (low, high), np.zeros((3, len(words))))
    sums = np.zeros((3, len(words)))
    for essay in counts:
        at, _, weights = bare.vector(essay)
        sums[np.ix_(bare.parts(essay), at)] += weights
    return replace(bare, sums=sums)


def topic_measures(counts: Mapping[str, int], topic: Topic, *, among: bool) -> Floats:
    """The measures of `TOPIC_TITLES` for one essay; `among` when it is one of those the topic was learned from.

    Such an essay is compared with the others only, so that new essays are measured as the known ones were.
    """
    at, occurrences, weights = topic.vector(counts)
    own = 1 if among else 0
    others = topic.essays_with[at] - own
    share = others / max(1, topic.essays - own)
    rank = topic.rank[at]
    length = max(1, sum(counts.values()))
    # keyness > share: the word is e times as frequent here as elsewhere
    specific = int(((share >= FEW) & (share < MANY) & (topic.keyness[at] > share)).sum())
    # the essay's own vector is taken out of the sums it is in: s' = s - x, |s'|^2 = |s|^2 - 2 s.x + |x|^2
    inside = topic.parts(counts) if among else np.zeros(3, dtype=bool)
    dots = topic.sums[:, at] @ weights
    own_square = inside * float(weights @ weights)
    squares = topic.squares - 2 * dots * inside + own_square
    cosines = (dots - own_square) / np.sqrt(np.maximum(squares, 1e-12))
    return np.array(
        [
            *(float((rank < top).sum()) ** 0.5 for top in TOP),
            float(occurrences[rank < TOP[1]].sum()) / length,
            log1p(specific),
            specific / length**0.5,
            log1p(int(((share < FEW) & (others >= LEAST_OF_TOPIC)).sum())),
            float(cosines[0]),
            float(cosines[1]),
            float(cosines[1] - cosines[2]),
        ]
    )
