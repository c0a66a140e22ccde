"""What commands say on a terminal: results on stdout, remarks on stderr."""

from math import isfinite
from typing import TYPE_CHECKING

from assay.metrics.intervals import Estimate

if TYPE_CHECKING:
    from rich.console import Console


def console(*, stderr: bool = False) -> "Console":
    """A console that drops colour when piped and never writes wider than the terminal."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def number(value: float, decimals: int = 2, *, signed: bool = False) -> str:
    """A figure as people read it: a true minus sign, at most two decimals, never a bare n/a.

    >>> number(-0.126), number(0.5, signed=True)
    ('−0.13', '+0.50')
    """
    if not isfinite(value):
        return "n/a"
    text = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    return text.replace("-", "−")


def probability(p: float) -> str:
    """A p value as people read it.

    >>> probability(0.00004), probability(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if p < 0.001 else number(p, 3)


def in_two(estimate: Estimate, decimals: int = 2, *, signed: bool = False) -> tuple[str, str]:
    """Value and interval, or n/a and why.

    >>> in_two(Estimate(0.741, 0.688, 0.79))
    ('0.74', '0.69 to 0.79')
    >>> in_two(Estimate(reason="only one response"))
    ('n/a:', 'only one response')
    """
    if not estimate.defined:
        return "n/a:", estimate.reason
    if not isfinite(estimate.low):
        return number(estimate.value, decimals, signed=signed), estimate.reason
    low, high = (number(end, decimals, signed=signed) for end in (estimate.low, estimate.high))
    return number(estimate.value, decimals, signed=signed), f"{low} to {high}"
