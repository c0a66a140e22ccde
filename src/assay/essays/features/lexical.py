"""Lexical complexity: how varied, how rare and how long the words are. Source: Attali & Burstein (2005)."""

from heapq import nsmallest

from assay.essays.features.analysis import Analysis
from assay.essays.text.frequency import frequency_index
from assay.essays.text.spelling import spelled_words
from assay.essays.text.words import is_placeholder

RANK = 5
"""The paper takes the fifth lowest index, so that one odd word does not decide."""


def type_token_ratio(essay: Analysis) -> float:
    """Distinct words per word; capitals make no difference. NaN without words."""
    return len(essay.forms) / len(essay.words) if essay.words else float("nan")


def vocabulary_level(essay: Analysis) -> float:
    """The fifth lowest standardised frequency index among the words of the essay; lower means rarer words.

    Each distinct word counts once, without a possessive 's, and only if it is spelled right and no name: more than half
    of the rarest words in student essays would otherwise be misspellings, whose low frequency says nothing of
    vocabulary. NaN if fewer than five words remain. The paper does not say how it treats misspelled words.
    """
    index, spelled = frequency_index(), spelled_words()
    bases = {form.removesuffix("'s") for form in essay.forms}
    lowest = nsmallest(RANK, [index[base] for base in bases if base in spelled])
    return lowest[-1] if len(lowest) == RANK else float("nan")


def average_word_length(essay: Analysis) -> float:
    """Mean number of letters and digits of the words; names taken out (@PERSON1) are left aside. NaN without words."""
    lengths = [_letters(word) for word in essay.words if not is_placeholder(word)]
    return sum(lengths) / len(lengths) if lengths else float("nan")


def _letters(word: str) -> int:
    return len(word) if word.isalnum() else sum(c.isalnum() for c in word)
