"""FRONT of the hybrid's measures: some 150 numbers about an essay, each with a title in plain words."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.analysis import Analysis
from assay.essays.features.features import FEATURES
from assay.essays.features.measures import errors as error_measures
from assay.essays.features.measures import grammar as grammar_measures
from assay.essays.features.measures import organization as organization_measures
from assay.essays.features.measures import punctuation as punctuation_measures
from assay.essays.features.measures import sentences as sentence_measures
from assay.essays.features.measures import size as size_measures
from assay.essays.features.measures import wording as wording_measures
from assay.essays.features.measures import words as word_measures
from assay.essays.models.hybrid import traits

VOCABULARY = "vocabulary"

GROUPS: Sequence[tuple[Callable[[Analysis], Mapping[str, float]], Mapping[str, str]]] = (
    (size_measures.size_measures, size_measures.TITLES),
    (sentence_measures.sentence_measures, sentence_measures.TITLES),
    (punctuation_measures.punctuation_measures, punctuation_measures.TITLES),
    (word_measures.word_measures, word_measures.TITLES),
    (error_measures.error_measures, error_measures.TITLES),
    (wording_measures.wording_measures, wording_measures.TITLES),
    (grammar_measures.grammar_measures, grammar_measures.TITLES),
    (organization_measures.organization_measures, organization_measures.TITLES),
    (traits.trait_measures, traits.TITLES),
    (lambda essay: {VOCABULARY: FEATURES[VOCABULARY].value(essay)}, {VOCABULARY: FEATURES[VOCABULARY].title}),
)
"""The function of each group and the titles of what it measures, in report order."""

FAMILIES = (
    "Length",
    "Sentences",
    "Punctuation",
    "Vocabulary",
    "Errors",
    "Wording",
    "Grammar",
    "Organization",
    "Language as a whole",
    "Vocabulary",
)
"""What the measures of each group are about, in the order of `GROUPS`."""

TITLES: Mapping[str, str] = MappingProxyType({name: title for _, titles in GROUPS for name, title in titles.items()})
NAMES: tuple[str, ...] = tuple(TITLES)


def measures_of(essay: Analysis) -> NDArray[np.float64]:
    """Every measure of an essay, in the order of `NAMES`; NaN where it is undefined."""
    found: dict[str, float] = {}
    for group, _ in GROUPS:
        found.update(group(essay))
    return np.array([found[name] for name in NAMES])


FAMILY: Mapping[str, str] = MappingProxyType(
    {name: family for (_, titles), family in zip(GROUPS, FAMILIES, strict=True) for name in titles}
)
"""Measure -> what it is about."""
