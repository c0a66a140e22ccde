"""Rates of errors in grammar, usage, mechanics and of remarks on style. Source: Attali & Burstein (2005).

Rate = findings of the category / words in the essay. NaN without words.
"""

from assay.essays.features.analysis import Analysis


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
    if not essay.words:
        return float("nan")
    return sum(finding.category == category for finding in essay.findings) / len(essay.words)
