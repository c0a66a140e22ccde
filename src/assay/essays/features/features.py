"""The features of e-rater v.2.0, by name and in the order of the paper. Source: Attali & Burstein (2005), Table 2."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan
from types import MappingProxyType
from typing import Literal

from assay.essays.features.analysis import Analysis
from assay.essays.features.paper_measures import (
    average_word_length,
    cos_highest,
    development,
    element_length,
    grammar,
    max_cos,
    mechanics,
    style,
    type_token_ratio,
    usage,
    vocabulary_level,
    word_count,
)

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


_ALL = (
    Feature("grammar", "Grammar errors per word", "lower", grammar, NO_WORDS),
    Feature("usage", "Usage errors per word", "lower", usage, NO_WORDS),
    Feature("mechanics", "Mechanics errors per word", "lower", mechanics, NO_WORDS),
    Feature("style", "Remarks on style per word", "lower", style, NO_WORDS),
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
    Feature("length", "Words", "higher", word_count, NO_WORDS),
)

FEATURES: Mapping[str, Feature] = MappingProxyType({feature.name: feature for feature in _ALL})


def features_of(essay: Analysis) -> dict[str, float]:
    """Every feature of an essay by name; NaN where it is undefined."""
    return {name: feature.value(essay) for name, feature in FEATURES.items()}


def why_undefined(values: Mapping[str, float]) -> dict[str, str]:
    """The reason for every feature that is NaN."""
    return {name: FEATURES[name].undefined for name, value in values.items() if isnan(value)}
