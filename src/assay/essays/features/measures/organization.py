"""What the sentences do: how many elements of each kind the labeller expects, and how many words they take."""

from math import log1p
from types import MappingProxyType

import numpy as np

from assay.essays.discourse.labels import LABELS
from assay.essays.discourse.organization import element_starts
from assay.essays.features.analysis import Analysis

TITLES = MappingProxyType(
    {
        **{f"elements_{label.replace(' ', '_')}": f"Elements of {label}" for label in LABELS},
        **{f"words_{label.replace(' ', '_')}": f"Share of words in {label}" for label in LABELS},
        "development": "Development (thesis, main points, support, conclusion)",
        "element_length": "Words per discourse element",
        "label_changes": "Different kinds of elements",
    }
)


def organization_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name, as expectations over the labeller's probabilities; NaN without sentences."""
    discourse = essay.discourse
    if not len(discourse.labels) or not discourse.words.sum():
        return dict.fromkeys(TITLES, float("nan"))
    names = [label.replace(" ", "_") for label in LABELS]
    counts = element_starts(discourse.one_paragraph.single, discourse.one_paragraph.pair).sum(axis=0)
    shares = discourse.words @ discourse.posteriors / discourse.words.sum()
    present = 1 - np.prod(1 - discourse.posteriors, axis=0)
    return {
        **{f"elements_{name}": log1p(count) for name, count in zip(names, counts.tolist(), strict=True)},
        **{f"words_{name}": share for name, share in zip(names, shares.tolist(), strict=True)},
        "development": discourse.expected_development,
        "element_length": float(np.log(max(1.0, discourse.expected_average_element_length))),
        "label_changes": float(present.sum()),
    }
