"""How long sentences are, how much they vary, and how they open."""

from itertools import pairwise
from types import MappingProxyType

import numpy as np

from assay.essays.features.analysis import Analysis

TITLES = MappingProxyType(
    {
        "sentence_length": "Words per sentence",
        "sentence_length_sd": "Variation of sentence length",
        "longest_sentence": "Words in the longest sentence",
        "short_sentence_share": "Share of sentences with fewer than eight words",
        "long_sentence_share": "Share of sentences with more than thirty words",
        "sentence_openings": "Variety of the words that open sentences",
        "reading_grade": "Reading grade (Flesch and Kincaid)",
    }
)
VOWELS = frozenset("aeiouy")


def sentence_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name; NaN without sentences that have words."""
    lengths = essay.discourse.words[essay.discourse.words > 0].astype(float)
    if not len(lengths):
        return dict.fromkeys(TITLES, float("nan"))
    openings = [essay.text.words[sentence[0]].casefold() for sentence in essay.text.sentences() if len(sentence)]
    syllables = sum(map(syllable_count, essay.words)) / max(1, len(essay.words))
    return {
        "sentence_length": float(np.log(lengths.mean())),
        "sentence_length_sd": float(np.log1p(lengths.std())),
        "longest_sentence": float(np.log(lengths.max())),
        "short_sentence_share": float((lengths < 8).mean()),
        "long_sentence_share": float((lengths > 30).mean()),
        "sentence_openings": len(set(openings)) / len(openings) ** 0.5,
        "reading_grade": float(np.clip(0.39 * lengths.mean() + 11.8 * syllables - 15.59, 0.0, 30.0)),
    }


def syllable_count(word: str) -> int:
    """Runs of vowels, without a silent e at the end; at least one.

    >>> [syllable_count(word) for word in ("house", "reading", "rhythm", "create")]
    [1, 2, 1, 1]
    """
    letters = word.casefold().removesuffix("e")
    runs = sum(a in VOWELS and b not in VOWELS for a, b in pairwise(letters + " "))
    return max(1, runs)
