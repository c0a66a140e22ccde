"""What is usual: the features of essays with known scores, against which an essay is held."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import isnan, nan
from types import MappingProxyType

from assay.essays.data_files import data_file
from assay.essays.features.features import FEATURES

DECILES = (10, 20, 30, 40, 50, 60, 70, 80, 90)
PAPER_WEIGHTS: Mapping[str, float] = MappingProxyType(
    dict(zip(FEATURES, (0.05, 0.02, 0.07, 0.08, 0.21, 0.12, 0.04, 0.07, 0.08, 0.03, 0.03, 0.20), strict=True))
)
"""Relative weights of standardised features. Source: Attali & Burstein (2005), Table 9: means of ten programs, with
essay length set to 0.20."""


@dataclass(frozen=True, slots=True)
class Norm:
    """How a feature is spread over the essays of a reference."""

    mean: float
    sd: float
    deciles: tuple[float, ...] = ()

    def beaten(self, value: float, *, higher_is_better: bool) -> float:
        """About how many of 100 reference essays do worse, to the nearest tenth part; NaN without deciles.

        >>> Norm(5, 2, (1, 2, 3, 4, 5, 6, 7, 8, 9)).beaten(6.5, higher_is_better=True)
        65.0
        """
        if not self.deciles or isnan(value):
            return nan
        # the mean of both counts: many essays share a value such as no errors at all
        below = 5.0 * (bisect_left(self.deciles, value) + bisect_right(self.deciles, value)) + 5
        return below if higher_is_better else 100 - below


@dataclass(frozen=True, slots=True)
class FeatureNorms:
    """Norms and weights of features; what a trained model would bring in their place.

    `weights` are of features in units of their `sd`, so that weight / sd is what one unit of a feature counts for.
    """

    norms: Mapping[str, Norm]
    weights: Mapping[str, float]
    source: str

    def better_by(self, feature: str, change: float) -> float:
        """What a change of a feature for the better counts for; 0 where the feature has no norm or no spread."""
        norm = self.norms.get(feature)
        if norm is None or not norm.sd > 0 or isnan(change):
            return 0.0
        return self.weights.get(feature, 0.0) * max(change, 0.0) / norm.sd

    def beaten(self, feature: str, value: float) -> float:
        """About how many of 100 essays do worse; NaN where unknown."""
        norm = self.norms.get(feature)
        return norm.beaten(value, higher_is_better=FEATURES[feature].better == "higher") if norm else nan


@cache
def reference_norms() -> FeatureNorms:
    """Norms measured on the essays that the file names, and the weights of the paper."""
    place = data_file("norms.tsv")
    lines = place.read_text(encoding="utf-8").splitlines() if place else ["# Measured on no essays.", ""]
    measured_on = next(line.removeprefix("# Measured on ") for line in lines if line.startswith("# Measured on"))
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    numbers = {name: tuple(map(float, values)) for name, *values in rows}
    norms = {name: Norm(mean, sd, tuple(deciles)) for name, (mean, sd, *deciles) in numbers.items()}
    source = f"Typical essays: {measured_on} Weights: Attali & Burstein (2005), Table 9."
    return FeatureNorms(MappingProxyType(norms), PAPER_WEIGHTS, source)
