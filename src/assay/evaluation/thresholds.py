"""Published rules of thumb, each with its source: which figures deserve a flag."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal

from assay.metrics.intervals import Estimate

Verdict = Literal["met", "met, not certain", "not met, not certain", "not met"]

WILLIAMSON = "Williamson, Xi & Breyer (2012), A framework for evaluation and use of automated scoring"
RSMTOOL = "RSMTool 12 report, highlighted values"


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where a figure should lie, and who says so."""

    least: float
    most: float
    source: str

    def describe(self) -> str:
        if self.least == -self.most:
            return f"within ±{self.most:g}"
        return f"at most {self.most:g}" if self.least == -inf else f"at least {self.least:g}"

    def verdict(self, estimate: Estimate) -> Verdict | None:
        """Met or not; certain only if the whole interval says the same. None for an undefined figure."""
        if not estimate.defined:
            return None
        met = self.least <= estimate.value <= self.most
        if not (isfinite(estimate.low) and isfinite(estimate.high)):
            return "met, not certain" if met else "not met, not certain"
        inside = self.least <= estimate.low and estimate.high <= self.most
        outside = estimate.high < self.least or estimate.low > self.most
        if met:
            return "met" if inside else "met, not certain"
        return "not met" if outside else "not met, not certain"


THRESHOLDS: Mapping[str, Threshold] = {
    "qwk": Threshold(0.7, inf, WILLIAMSON),
    "r": Threshold(0.7, inf, WILLIAMSON),
    "smd": Threshold(-0.15, 0.15, WILLIAMSON),
    "degradation_qwk": Threshold(-0.1, inf, WILLIAMSON),
    "degradation_r": Threshold(-0.1, inf, WILLIAMSON),
    "largest_dsm": Threshold(-0.1, 0.1, f"{WILLIAMSON}, for SMD within subgroups; DSM since RSMTool 7"),
    "exact_agreement": Threshold(50, inf, RSMTOOL),
    "adjacent_agreement": Threshold(95, inf, RSMTOOL),
    "disattenuated_r": Threshold(0.9, inf, RSMTOOL),
}
"""By the name of the headline figure."""

DISTRIBUTION_LIMIT = 5.0
"""A score point given more than so many percentage points more or less often than by people is flagged (RSMTool 12)."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A figure held against its threshold."""

    name: str
    estimate: Estimate
    threshold: Threshold
    verdict: Verdict | None


def judged(figures: Mapping[str, Estimate]) -> tuple[Judgement, ...]:
    """Every figure that has a published threshold."""
    return tuple(
        Judgement(name, figures[name], threshold, threshold.verdict(figures[name]))
        for name, threshold in THRESHOLDS.items()
        if name in figures
    )
