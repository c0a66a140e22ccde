"""English words: how common each is, and lists of those that are spelled right or say nothing of the content.

`spelled_words.txt` holds words that are right in lower case, `spelled_names.txt` those that are right with a capital
only, in lower case there: names, days, abbreviations. They are the words of the American, British, Australian and
Canadian Hunspell dictionaries of SCOWL (2020) that also have a frequency in wordfreq. Membership in wordfreq alone
would not do: "thier" and "benifit" are in it. A list rather than a checker, because looking up a word takes less than
a microsecond and a checker up to 9 ms for a word it does not know. `function_words.txt` holds words that tell nothing
of what an essay is about: articles, pronouns, prepositions, auxiliaries.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import log10

from assay.errors import MissingExtra


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list shipped with the package, by the name of its file without `.txt`."""
    lines = files("assay.essays.text").joinpath("lexicons", f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


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
