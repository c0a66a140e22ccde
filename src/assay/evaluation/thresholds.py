"""What a figure should reach: published rules of thumb, each with its source, and the gates a user sets."""

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf, isfinite
from typing import Literal, get_args

from assay.errors import InputError
from assay.metrics.intervals import Estimate

Verdict = Literal["met", "met, uncertain", "not met, uncertain", "not met"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""From the best to the worst."""

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
        known = isfinite(estimate.low) and isfinite(estimate.high)
        if self.least <= estimate.value <= self.most:
            inside = self.least <= estimate.low and estimate.high <= self.most
            return "met" if known and inside else "met, uncertain"
        outside = estimate.high < self.least or estimate.low > self.most
        return "not met" if known and outside else "not met, uncertain"


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
"""A score point given more than so many percentage points more or less often than by raters is flagged (RSMTool 12)."""


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


_GATE = re.compile(
    r"\s*(abs\()?\s*([^<>=()\s][^<>]*?)\s*(\))?\s*(>=|<=|==|=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
)

LONGEST_GATE = 200
"""Letters; the time a text takes that is no gate grows with the square of its length, and more."""
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "==": operator.eq,
}


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition that an engine must meet before it goes on: a figure, how to compare it, and with what."""

    text: str
    figure: str
    absolute: bool
    operator: str
    limit: float


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether a gate was passed, and the figure that decided."""

    gate: str
    passed: bool
    estimate: Estimate
    why: str


def parse_gate(text: str) -> Gate:
    """A gate as a user writes it.

    >>> parse_gate("abs(smd) <= 0.15")
    Gate(text='abs(smd) <= 0.15', figure='smd', absolute=True, operator='<=', limit=0.15)
    """
    match = _GATE.fullmatch(text) if len(text) <= LONGEST_GATE else None
    if match is None or bool(match[1]) != bool(match[3]):
        remedy = "Write it as 'qwk>=0.7' or 'abs(smd)<=0.15'."
        raise InputError(f"cannot read the gate {text[:LONGEST_GATE]!r}", field="gate", remedy=remedy)
    return Gate(text, match[2], bool(match[1]), match[4], float(match[5]))


def require_figure(gate: Gate, figures: Collection[str]) -> None:
    """InputError where the gate names a figure that is not among these."""
    if gate.figure in figures:
        return
    near = get_close_matches(gate.figure, figures, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"Figures are: {', '.join(sorted(figures))}."
    raise InputError(f"the gate {gate.text!r} names a figure this evaluation does not have", field="gate", remedy=hint)


def check_gate(gate: Gate, figures: Mapping[str, Estimate], *, whole_interval: bool = False) -> GateResult:
    """Whether the figure meets the gate; with `whole_interval`, whether all of its interval does.

    An undefined figure, or one without an interval where that is asked for, does not pass.
    """
    require_figure(gate, figures)
    estimate = figures[gate.figure]
    if not estimate.defined:
        return GateResult(gate.text, False, estimate, f"{gate.figure} is n/a: {estimate.reason}")
    ends = [estimate.low, estimate.high] if whole_interval else [estimate.value]
    if not all(isfinite(end) for end in ends):
        return GateResult(gate.text, False, estimate, f"{gate.figure} has no interval: {estimate.reason}")
    if gate.absolute:
        ends = [*map(abs, ends), *([0.0] if min(ends) < 0 < max(ends) else [])]
    passed = all(_COMPARE[gate.operator](end, gate.limit) for end in ends)
    shown = f"{estimate.value:.4g} ({estimate.low:.4g} to {estimate.high:.4g})"
    return GateResult(gate.text, passed, estimate, f"{gate.figure} is {shown}")
