"""Essay length."""

from assay.essays.features.analysis import Analysis


def word_count(essay: Analysis) -> float:
    """Words in the essay. Source: Attali & Burstein (2005), essay length."""
    return float(len(essay.words))
