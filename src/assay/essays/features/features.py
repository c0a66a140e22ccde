"""The twelve features of e-rater v.2.0, by name and in the order of the paper. Source: Attali & Burstein (2005)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from math import isnan
from types import MappingProxyType
from typing import Literal

from assay.essays.features.analysis import Analysis
from assay.essays.text.text import is_placeholder
from assay.essays.text.vocabulary import frequency_index, word_list

RANK = 5
"""The paper takes the fifth lowest index, so that one odd word does not decide."""
NO_WORDS = "the essay has no words"
NO_ELEMENTS = "the essay has no discourse elements"
NO_SCORED = "no scored essays of this prompt to compare with"


@dataclass(frozen=True, slots=True)
class Feature:
    """One number about an essay: how it is called, which way is better, and why it may be undefined."""

    name: str
    title: str
    better: Literal["higher", "lower"]
    """Which values go with higher human scores, by Table 2 of the paper."""
    value: Callable[[Analysis], float]
    undefined: str
    """Why the value may be NaN, in words for a reader."""


def error_rate(essay: Analysis, category: str) -> float:
    """Errors of a category, or remarks on style, per word; NaN without words."""
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


def type_token_ratio(essay: Analysis) -> float:
    """Distinct words per word; capitals make no difference. NaN without words."""
    return len(essay.word_counts) / len(essay.words) if essay.words else float("nan")


def vocabulary_level(essay: Analysis) -> float:
    """The fifth lowest standardised frequency index among the words of the essay; lower means rarer words.

    Each distinct word counts once, without a possessive 's, and only if it is spelled right and no name: more than half
    of the rarest words in student essays would otherwise be misspellings, whose low frequency says nothing of
    vocabulary. NaN if fewer than five words remain. The paper does not say how it treats misspelled words.
    """
    index, spelled = frequency_index(), word_list("spelled_words")
    bases = {form.removesuffix("'s") for form in essay.word_counts}
    lowest = nsmallest(RANK, [index[base] for base in bases if base in spelled])
    return lowest[-1] if len(lowest) == RANK else float("nan")


def average_word_length(essay: Analysis) -> float:
    """Mean number of letters and digits of the words; names taken out (@PERSON1) are left aside. NaN without words."""
    lengths = [sum(c.isalnum() for c in word) for word in essay.words if not is_placeholder(word)]
    return sum(lengths) / len(lengths) if lengths else float("nan")


# prompt-specific vocabulary: the words of the essay against those of scored essays on the same prompt


def max_cos(essay: Analysis) -> float:
    """The score point whose essays use words most like those of this one: *max. cos.* NaN while none are known."""
    return essay.content.max_cos() if essay.content else float("nan")


def cos_highest(essay: Analysis) -> float:
    """Cosine with the essays of the highest score point: *cos. w/6* on a scale up to 6; NaN while none are known."""
    return essay.content.cos_highest() if essay.content else float("nan")


_ALL = (
    Feature("grammar", "Grammar errors per word", "lower", partial(error_rate, category="grammar"), NO_WORDS),
    Feature("usage", "Usage errors per word", "lower", partial(error_rate, category="usage"), NO_WORDS),
    Feature("mechanics", "Mechanics errors per word", "lower", partial(error_rate, category="mechanics"), NO_WORDS),
    Feature("style", "Remarks on style per word", "lower", partial(error_rate, category="style"), NO_WORDS),
    Feature("development", "Development", "higher", development, NO_WORDS),
    Feature("element_length", "Words per discourse element", "higher", element_length, NO_ELEMENTS),
    Feature("type_token", "Distinct words per word", "lower", type_token_ratio, NO_WORDS),
    Feature(
        "vocabulary",
        "Vocabulary level (frequency of the fifth rarest word)",
        "lower",
        vocabulary_level,
        "fewer than five words of known frequency",
    ),
    Feature("word_length", "Average word length", "higher", average_word_length, NO_WORDS),
    Feature("max_cos", "Score point of the most similar essays", "higher", max_cos, NO_SCORED),
    Feature("cos_highest", "Similarity to the best essays", "higher", cos_highest, NO_SCORED),
    Feature("length", "Words", "higher", lambda essay: float(len(essay.words)), NO_WORDS),
)

FEATURES: Mapping[str, Feature] = MappingProxyType({feature.name: feature for feature in _ALL})


def features_of(essay: Analysis) -> dict[str, float]:
    """Every feature of an essay by name; NaN where it is undefined."""
    return {name: feature.value(essay) for name, feature in FEATURES.items()}


def why_undefined(values: Mapping[str, float]) -> dict[str, str]:
    """The reason for every feature that is NaN."""
    return {name: FEATURES[name].undefined for name, value in values.items() if isnan(value)}
