"""How a study of essays speaks: names of systems and features, and which figures Table 6 shows."""

from collections.abc import Iterable, Mapping
from math import ceil, floor, isnan
from types import MappingProxyType

from assay.essays.study.corpus import ALL
from assay.essays.study.systems import ERATER, REPORTED, SystemComparison, SystemFigures

SYSTEM_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "specific": "Specific",
        "generic10": "Generic10",
        "generic12": "Generic12",
        "v1": "v.1.3",
        "human": "Two raters",
    }
)

FEATURE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "grammar": "Grammar",
        "usage": "Usage",
        "mechanics": "Mechanics",
        "style": "Style",
        "development": "Development",
        "element_length": "AEL",
        "type_token": "Type/token",
        "vocabulary": "Vocabulary",
        "word_length": "AWL",
        "max_cos": "Max. cos.",
        "cos_highest": "Cos. w/highest",
        "length": "Essay length",
    }
)
"""The features as the paper's tables call them."""


def in_a_sentence(feature: str) -> str:
    """The name of a feature within a sentence.

    >>> in_a_sentence("element_length"), in_a_sentence("length")
    ('AEL', 'essay length')
    """
    words = FEATURE_WORDS[feature]
    return words if words.isupper() else words.lower()


ABBREVIATIONS = (
    "AEL is the average length of discourse elements, AWL the average word length, max. cos. the score point whose "
    "essays use the most similar words, cos. w/highest the similarity to the essays of the highest score point."
)


def program_words(program: str) -> str:
    """A program as a heading.

    >>> program_words("all essays")
    'All essays'
    """
    return "All essays" if program == ALL else program


def axis_from(values: Iterable[float]) -> tuple[float, float]:
    """The stretch from the tenth below the lowest to the tenth above the highest value that is known.

    >>> axis_from([0.32, 0.44])
    (0.3, 0.5)
    """
    known = [value for value in values if not isnan(value)]
    if not known:
        return (0.0, 1.0)
    low, high = floor(10 * min(known) + 1e-9) / 10, ceil(10 * max(known) - 1e-9) / 10
    return (low, high) if low < high else (low, low + 0.1)


def reported_figures(systems: SystemComparison, program: str) -> list[SystemFigures]:
    """What Table 6 shows of a program: e-rater's kinds at two weights of length, v.1.3, and two human raters."""
    wanted = [(system, weight) for system in ERATER for weight in REPORTED] + [("v1", None), ("human", None)]
    found = [systems.of(system, program, weight) for system, weight in wanted]
    return [figures for figures in found if figures is not None]
