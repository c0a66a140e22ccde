"""Organisation and development, from the discourse elements. Source: Attali & Burstein (2005).

Both are expectations over the labeller's probabilities, which follow the human score more closely than counts of its
most probable labels; `assay.essays.discourse.organization` has the formulas.
"""

from assay.essays.features.analysis import Analysis


def development(essay: Analysis) -> float:
    """Thesis, main points with support, and conclusion that are there, minus the eight there should be: -8 to 0."""
    return essay.discourse.expected_development if essay.words else float("nan")


def element_length(essay: Analysis) -> float:
    """Words per discourse element: *AEL*."""
    return essay.discourse.expected_average_element_length if essay.words else float("nan")
