"""Six traits of language as raters of learner essays see them, foretold from the characters of a text.

The weights come from ELLIPSE (training/train_traits.py; NOTICE.txt): its raters judged cohesion, syntax, vocabulary,
phraseology, grammar and conventions from 1 to 5. What they foretell is no score: it tells a model how the language of
an essay looks to people who were asked about language, whatever the prompt.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import numpy as np

from assay.essays.features.analysis import Analysis
from assay.essays.models.arrays import Floats
from assay.essays.models.hybrid.ngrams import character_runs

TRAITS = ("cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions")
TITLES: Mapping[str, str] = MappingProxyType(
    {f"trait_{trait}": f"{trait.capitalize()}, as raters of learner essays see it" for trait in TRAITS}
)
BITS = 15
LONGEST_RUN = 5


def trait_measures(essay: Analysis) -> dict[str, float]:
    """Each trait on its scale of 1 to 5, as far as characters tell; NaN without words."""
    if not essay.words:
        return dict.fromkeys(TITLES, float("nan"))
    weights, intercepts = _weights()
    runs = character_runs(essay.text.raw, LONGEST_RUN, bits=BITS)
    values = intercepts + weights[:, runs].sum(axis=1) / np.sqrt(len(runs))
    return dict(zip(TITLES, values.tolist(), strict=True))


@cache
def _weights() -> tuple[Floats, Floats]:
    """(traits, buckets) and (traits,)."""
    with files("assay.essays.models.hybrid").joinpath("traits.npz").open("rb") as file, np.load(file) as stored:
        return stored["counts"] * stored["steps"][:, None], stored["intercepts"]
