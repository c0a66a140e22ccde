"""How the twelve features are measured, each a number from one analysed essay. Source: Attali & Burstein (2005)."""

from heapq import nsmallest

from assay.essays.features.analysis import Analysis
from assay.essays.text.frequency import frequency_index
from assay.essays.text.spelling import spelled_words
from assay.essays.text.words import is_placeholder

RANK = 5
"""The paper takes the fifth lowest index, so that one odd word does not decide."""

# rates of errors in grammar, usage, mechanics and of remarks on style: findings of the category / words in the essay


def grammar(essay: Analysis) -> float:
    """Grammar errors per word."""
    return _rate(essay, "grammar")


def usage(essay: Analysis) -> float:
    """Usage errors per word."""
    return _rate(essay, "usage")


def mechanics(essay: Analysis) -> float:
    """Errors of spelling, capitals and punctuation per word."""
    return _rate(essay, "mechanics")


def style(essay: Analysis) -> float:
    """Remarks on style per word."""
    return _rate(essay, "style")


def _rate(essay: Analysis, category: str) -> float:
    """NaN without words."""
    if not essay.words:
        return float("nan")
    return sum(finding.category == category for finding in essay.findings) / len(essay.words)


# Organization and development are expectations over the labeller's probabilities, which follow the human score more
# closely than counts of its most probable labels; `assay.essays.discourse.organization` has the formulas.


def development(essay: Analysis) -> float:
    """Thesis, main points with support, and conclusion that are there, minus the eight there should be: -8 to 0."""
    return essay.discourse.expected_development if essay.words else float("nan")


def element_length(essay: Analysis) -> float:
    """Words per discourse element: *AEL*."""
    return essay.discourse.expected_average_element_length if essay.words else float("nan")


# lexical complexity: how varied, how rare and how long the words are


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


# prompt-specific vocabulary: the words of the essay against those of scored essays on the same prompt


def max_cos(essay: Analysis) -> float:
    """The score point whose essays use words most like those of this one: *max. cos.* NaN while none are known."""
    return essay.content.max_cos() if essay.content else float("nan")


def cos_highest(essay: Analysis) -> float:
    """Cosine with the essays of the highest score point: *cos. w/6* on a scale up to 6; NaN while none are known."""
    return essay.content.cos_highest() if essay.content else float("nan")


def word_count(essay: Analysis) -> float:
    """Words in the essay. Source: Attali & Burstein (2005), essay length."""
    return float(len(essay.words))
