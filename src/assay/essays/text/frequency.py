"""How common an English word is, as a standardised frequency index."""

from collections.abc import Mapping
from functools import cache
from math import log10

from assay.errors import MissingExtra


@cache
def frequency_index() -> Mapping[str, float]:
    """Word in lower case -> standardised frequency index, for each of some 320,000 words.

    SFI = 10 (log10(occurrences per million words) + 4) = 10 (Zipf + 1)

    90 is one word in ten, 40 one in a million. Source: Carroll, Davies & Richman (1971), as in Breland, Jones &
    Jenkins (1994); frequencies from wordfreq (Speer 2022), so our index is on Breland's scale but not from his texts.
    """
    try:
        from wordfreq import get_frequency_dict  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("Vocabulary level", "essays") from missing
    shares = get_frequency_dict("en", wordlist="large")
    # wordfreq keeps frequencies to a tenth of our index
    return {word: round(10 * (log10(share) + 10), 1) for word, share in shares.items()}


@cache
def most_common_words(language: str) -> frozenset[str]:
    """The 200 most common words of a language of wordfreq, by its code."""
    from wordfreq import get_frequency_dict  # noqa: PLC0415

    shares = get_frequency_dict(language, wordlist="small")
    return frozenset(sorted(shares, key=lambda word: -shares[word])[:200])
