"""The figures that Attali & Burstein (2005) print, and the words a study says its own with beside them."""

from collections.abc import Iterable, Mapping
from math import ceil, floor, isnan
from types import MappingProxyType
from typing import Any

from assay.essays.study.corpus import ALL
from assay.essays.study.systems import ERATER, REPORTED, SystemComparison, SystemFigures
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow, Series
from assay.report.document.values import PLAIN, Column, Number

SYSTEM_WORDS: Mapping[str, str] = MappingProxyType(
    {"specific": "Specific", "generic10": "Generic10", "generic12": "Generic12", "v1": "v.1.3", "human": "Two raters"}
)

FEATURES: Mapping[str, tuple[str, float | None, float, tuple[float, ...]]] = {
    "grammar": ("Grammar", 0.06, 0.07, (-0.22, -0.16, -0.13, -0.15, -0.23, -0.18, -0.21, -0.28, -0.28, -0.38)),
    "usage": ("Usage", 0.03, 0.16, (-0.11, -0.16, -0.16, -0.19, -0.24, -0.23, -0.26, -0.15, -0.12, -0.14)),
    "mechanics": ("Mechanics", 0.09, 0.36, (-0.38, -0.34, -0.35, -0.22, -0.39, -0.28, -0.41, -0.37, -0.40, -0.46)),
    "style": ("Style", 0.10, 0.43, (-0.49, -0.56, -0.58, -0.52, -0.51, -0.57, -0.54, -0.40, -0.44, -0.54)),
    "development": ("Development", 0.26, 0.48, (0.58, 0.67, 0.64, 0.65, 0.65, 0.60, 0.67, 0.51, 0.56, 0.59)),
    "element_length": ("AEL", 0.14, 0.32, (0.12, 0.18, 0.25, 0.17, 0.09, 0.25, 0.19, 0.08, 0.12, 0.14)),
    "type_token": ("Type/token", 0.05, 0.38, (-0.37, -0.49, -0.43, -0.49, -0.45, -0.42, -0.47, -0.44, -0.34, -0.28)),
    "vocabulary": ("Vocabulary", 0.08, 0.24, (-0.49, -0.51, -0.50, -0.58, -0.44, -0.44, -0.49, -0.36, -0.48, -0.42)),
    "word_length": ("AWL", 0.10, 0.47, (0.24, 0.10, 0.37, 0.08, 0.31, 0.28, 0.38, 0.19, 0.14, 0.23)),
    "max_cos": ("Max. cos.", 0.04, 0.11, (0.15, 0.07, 0.15, 0.09, 0.20, 0.24, 0.40, 0.42, 0.32, 0.41)),
    "cos_highest": ("Cos. w/highest", 0.04, 0.25, (0.43, 0.40, 0.37, 0.32, 0.32, 0.32, 0.43, 0.31, 0.34, 0.58)),
    "length": ("Essay length", None, 0.56, (0.74, 0.82, 0.79, 0.81, 0.79, 0.74, 0.83, 0.71, 0.79, 0.82)),
}
"""Feature -> its name in the paper's tables; weight (Table 4, the average of ten programs); reliability (Table 9); and
correlations (Table 2: Criterion grades 6 to 12, GMAT argument, GMAT issue, TOEFL)."""
FEATURE_WORDS = {name: words for name, (words, _, _, _) in FEATURES.items()}
WEIGHTS = {name: weight for name, (_, weight, _, _) in FEATURES.items() if weight is not None}
FEATURE_RELIABILITY = {name: reliability for name, (_, _, reliability, _) in FEATURES.items()}
CORRELATIONS = {name: correlations for name, (_, _, _, correlations) in FEATURES.items()}
ABBREVIATIONS = (
    "AEL is the average length of discourse elements, AWL the average word length, max. cos. the score point whose "
    "essays use the most similar words, cos. w/highest the similarity to the essays of the highest score point."
)

AGREEMENT: Mapping[tuple[str, float | None], tuple[str, str]] = MappingProxyType(
    {
        ("specific", 0.2): ("0.38,\u00a00.44", "0.52,\u00a00.57"),
        ("specific", 0.3): ("0.38,\u00a00.44", "0.52,\u00a00.57"),
        ("generic10", 0.2): ("0.35,\u00a00.42", "0.50,\u00a00.56"),
        ("generic10", 0.3): ("0.35,\u00a00.42", "0.50,\u00a00.56"),
        ("generic12", 0.2): ("0.38,\u00a00.46", "0.52,\u00a00.58"),
        ("generic12", 0.3): ("0.39,\u00a00.44", "0.52,\u00a00.57"),
        ("v1", None): ("0.36,\u00a00.40", "0.51,\u00a00.54"),
    }
)
"""Table 6: kappa and exact agreement for GMAT argument and GMAT issue prompts."""

RETEST: Mapping[str, float] = MappingProxyType({"erater": 0.60, "single_human": 0.50, "average_human": 0.58})
"""Table 7, overall."""
CORRECTED = 0.93
"""Table 8: the correlation of automated and human scores, corrected for unreliability."""


def in_a_sentence(feature: str) -> str:
    """The name of a feature within a sentence.

    >>> in_a_sentence("element_length"), in_a_sentence("length")
    ('AEL', 'essay length')
    """
    words = FEATURE_WORDS[feature]
    return words if words.isupper() else words.lower()


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
    shown = [(system, weight) for system in ERATER for weight in REPORTED] + [("v1", None), ("human", None)]
    figures = (systems.of(system, program, weight) for system, weight in shown)
    return [own for own in figures if own is not None]


def figures(*titles: str, number: Number = PLAIN, undefined: str = "") -> tuple[Column, ...]:
    """Columns of numbers that are all written alike."""
    return tuple(Column(title, "number", number, undefined=undefined) for title in titles)


def beside_paper(
    name: str, title: str, *, values: Mapping[str, tuple[Estimate, float]], paper: str = "the paper", **chart: Any
) -> IntervalPlot:
    """A chart of features: what each is in this corpus, and in the paper; `chart` is what else a plot has."""
    rows = tuple(IntervalRow(FEATURE_WORDS[n], (own, Estimate(theirs))) for n, (own, theirs) in values.items())
    series = (Series("this corpus"), Series(paper, "neutral"))
    return IntervalPlot(name=name, title=title, rows=rows, series=series, row_title="Feature", **chart)
