"""How rare, how long and how varied the words are."""

from collections.abc import Sequence
from math import log, log1p
from types import MappingProxyType

import numpy as np

from assay.essays.features.analysis import Analysis
from assay.essays.features.content import content_words
from assay.essays.text.frequency import frequency_index
from assay.essays.text.spelling import spelled_words
from assay.essays.text.words import is_placeholder, word_form

WINDOW = 50
RARE = 45.0
"""A standardised frequency index below which a word is rare: fewer than three in a million words."""
UNCOMMON = 55.0

TITLES = MappingProxyType(
    {
        "rarity_5": "How rare the rarest words are (5th percentile of frequency)",
        "rarity_10": "How rare the rarer words are (10th percentile of frequency)",
        "rarity_25": "How rare a quarter of the words are (25th percentile of frequency)",
        "rarity_50": "How rare half of the words are (median frequency)",
        "mean_frequency": "How common the different words are on average",
        "token_frequency": "How common the words are on average, repeated ones counted",
        "rare_words": "Number of rare words",
        "rare_share": "Share of rare words among the different words",
        "uncommon_words": "Number of less common words",
        "uncommon_share": "Share of less common words",
        "word_length": "Letters per word",
        "word_length_sd": "Variation of word length",
        "long_words": "Share of words with more than six letters",
        "very_long_words": "Share of words with more than nine letters",
        "long_word_count": "Number of different words with more than six letters",
        "local_variety": "Different words among any fifty in a row",
        "herdan": "Variety of words for the length of the essay (Herdan)",
        "guiraud": "Variety of words for the length of the essay (Guiraud)",
        "once_share": "Share of words used only once",
        "repeated_content": "How often the most used content words come back",
    }
)


def word_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name; NaN without words."""
    forms = [word_form(word) for word in essay.words if not is_placeholder(word)]
    if not forms:
        return dict.fromkeys(TITLES, float("nan"))
    return {**_frequencies(forms), **_lengths(forms), **_variety(essay, forms)}


def _frequencies(forms: Sequence[str]) -> dict[str, float]:
    """From the standardised frequency index of the words that are spelled right."""
    index, spelled = frequency_index(), spelled_words()
    known = {form: index[form] for form in set(forms) if form in spelled and form in index}
    types = np.array(sorted(known.values()) or [np.nan])
    tokens = [known[form] for form in forms if form in known]
    rare, uncommon = int((types < RARE).sum()), int((types < UNCOMMON).sum())
    p5, p10, p25, p50 = np.percentile(types, [5, 10, 25, 50]).tolist()
    return {
        "rarity_5": p5,
        "rarity_10": p10,
        "rarity_25": p25,
        "rarity_50": p50,
        "mean_frequency": float(types.mean()),
        "token_frequency": float(np.mean(tokens)) if tokens else float("nan"),
        "rare_words": log1p(rare),
        "rare_share": rare / len(types),
        "uncommon_words": log1p(uncommon),
        "uncommon_share": uncommon / len(types),
    }


def _lengths(forms: Sequence[str]) -> dict[str, float]:
    lengths = np.array([len(form) for form in forms], dtype=float)
    return {
        "word_length": float(lengths.mean()),
        "word_length_sd": float(lengths.std()),
        "long_words": float((lengths > 6).mean()),
        "very_long_words": float((lengths > 9).mean()),
        "long_word_count": log1p(sum(len(form) > 6 for form in set(forms))),
    }


def _variety(essay: Analysis, forms: Sequence[str]) -> dict[str, float]:
    types, tokens = len(set(forms)), len(forms)
    content = sorted(content_words(essay.words).values(), reverse=True)
    return {
        "local_variety": moving_variety(forms, WINDOW),
        "herdan": log(types) / log(tokens) if tokens > 1 else float("nan"),
        "guiraud": types / tokens**0.5,
        "once_share": sum(count == 1 for count in essay.forms.values()) / max(1, len(essay.forms)),
        "repeated_content": sum(content[:5]) / max(1, sum(content)),
    }


def moving_variety(forms: Sequence[str], window: int) -> float:
    """The mean share of different words among `window` in a row (MATTR); of all words if there are fewer.

    >>> moving_variety(["a", "b", "a", "a"], 2)
    0.8333333333333334
    """
    size = min(window, len(forms))
    counts: dict[str, int] = {}
    total = 0
    for at, form in enumerate(forms):
        counts[form] = counts.get(form, 0) + 1
        if at >= size:
            left = forms[at - size]
            counts[left] -= 1
            if not counts[left]:
                del counts[left]
        if at >= size - 1:
            total += len(counts)
    return total / size / (len(forms) - size + 1)
