"""Gates: conditions on figures that a scoring engine must meet before it goes on, for continuous integration."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite

from assay.errors import InputError
from assay.metrics.intervals import Estimate

_GATE = re.compile(
    r"\s*(abs\()?\s*([^<>=()\s][^<>]*?)\s*(\))?\s*(>=|<=|==|=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
)

COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    ">=": lambda value, limit: value >= limit,
    "<=": lambda value, limit: value <= limit,
    ">": lambda value, limit: value > limit,
    "<": lambda value, limit: value < limit,
    "=": lambda value, limit: value == limit,
    "==": lambda value, limit: value == limit,
}


@dataclass(frozen=True, slots=True)
class Gate:
    """A figure, how to compare it, and with what."""

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
    match = _GATE.fullmatch(text)
    if match is None or bool(match[1]) != bool(match[3]):
        remedy = "Write it as 'qwk>=0.7' or 'abs(smd)<=0.15'."
        raise InputError(f"cannot read the gate {text!r}", field="gate", remedy=remedy)
    return Gate(text, match[2], bool(match[1]), match[4], float(match[5]))


def check_gate(gate: Gate, figures: Mapping[str, Estimate], *, whole_interval: bool = False) -> GateResult:
    """Whether the figure meets the gate; with `whole_interval`, whether all of its interval does.

    An undefined figure, or one without an interval where that is asked for, does not pass.
    """
    estimate = figures.get(gate.figure)
    if estimate is None:
        near = get_close_matches(gate.figure, figures, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"Figures are: {', '.join(sorted(figures))}."
        raise InputError(
            f"the gate {gate.text!r} names a figure this evaluation does not have", field="gate", remedy=hint
        )
    if not estimate.defined:
        return GateResult(gate.text, False, estimate, f"{gate.figure} is n/a: {estimate.reason}")
    ends = [estimate.low, estimate.high] if whole_interval else [estimate.value]
    if not all(isfinite(end) for end in ends):
        return GateResult(gate.text, False, estimate, f"{gate.figure} has no interval: {estimate.reason}")
    if gate.absolute:
        nearest = [0.0] if min(ends) < 0 < max(ends) else []
        ends = [abs(end) for end in ends] + nearest
    passed = all(COMPARE[gate.operator](end, gate.limit) for end in ends)
    shown = f"{estimate.value:.4g} ({estimate.low:.4g} to {estimate.high:.4g})"
    return GateResult(gate.text, passed, estimate, f"{gate.figure} is {shown}")
