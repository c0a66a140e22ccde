"""Prompt-specific vocabulary: the words of the essay against those of scored essays on the same prompt.

Both are NaN while no scored essays of the prompt are known. Source: Attali & Burstein (2005).
"""

from assay.essays.features.analysis import Analysis


def max_cos(essay: Analysis) -> float:
    """The score point whose essays use words most like those of this one: *max. cos.*"""
    return essay.content.max_cos() if essay.content else float("nan")


def cos_highest(essay: Analysis) -> float:
    """The cosine with the essays of the highest score point: *cos. w/6* on a scale up to 6."""
    return essay.content.cos_highest() if essay.content else float("nan")
