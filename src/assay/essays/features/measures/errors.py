"""How often each type of error was found, and how many sentences are free of errors."""

from bisect import bisect_right
from collections import Counter
from math import log, log1p
from types import MappingProxyType

from assay.essays.errors.catalogue import CATALOGUE, CATEGORIES
from assay.essays.features.analysis import Analysis

TITLES = MappingProxyType(
    {
        **{f"{category}_rate": f"{category.capitalize()} findings per word" for category in CATEGORIES},
        **{f"error_{name}": f"{kind.title} per 100 words" for name, kind in CATALOGUE.items()},
        "clean_sentences": "Share of sentences without an error",
        "error_kinds": "Different types of error",
        "misspelled_types": "Different misspelled words",
        "lower_case_i": "i written small",
    }
)


def error_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name.

    Of a category log((findings + 1/2) / words), of a type log(1 + findings per 100 words).
    """
    words = max(1, len(essay.words))
    types = Counter(finding.type for finding in essay.findings)
    categories = Counter(finding.category for finding in essay.findings)
    misspelled = {finding.words.casefold() for finding in essay.findings if finding.type == "spelling"}
    return {
        **{f"{category}_rate": log((categories[category] + 0.5) / words) for category in CATEGORIES},
        **{f"error_{name}": log1p(100 * types[name] / words) for name in CATALOGUE},
        "clean_sentences": _clean_share(essay),
        "error_kinds": float(sum(CATALOGUE[name].category != "style" for name in types)),
        "misspelled_types": log1p(len(misspelled)),
        "lower_case_i": log1p(100 * sum(word == "i" for word in essay.text.words) / words),
    }


def _clean_share(essay: Analysis) -> float:
    """NaN without sentences; remarks on style are no errors."""
    sentences = essay.text.sentence_count
    if not sentences:
        return float("nan")
    begins = essay.text.starts[essay.text.sentence_starts[:-1]].tolist()
    marked = {bisect_right(begins, f.start) for f in essay.findings if f.category != "style"}
    return 1 - len(marked) / sentences
