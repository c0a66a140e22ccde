"""What commands say on a terminal: results on stdout, progress and remarks on stderr."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, TypeVar

from assay.metrics.intervals import Estimate

if TYPE_CHECKING:
    from rich.console import Console

Item = TypeVar("Item")


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


@contextmanager
def progress(title: str, total: int | None, *, quiet: bool) -> Iterator["Counter"]:
    """A bar on stderr with done, total, rate and time left; silent when piped or asked to be quiet."""
    if quiet or not sys.stderr.isatty():
        yield Counter(None, None)
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} a second" if task.speed else "")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        yield Counter(bar, bar.add_task(title, total=total))


class Counter:
    """Counts what passes on a progress bar."""

    def __init__(self, bar: object, task: object) -> None:
        self._bar, self._task = bar, task

    def counting(self, items: Iterable[Item]) -> Iterator[Item]:
        """The same items, each counted by its length."""
        for item in items:
            yield item
            if self._bar is not None:
                self._bar.update(self._task, advance=len(item))  # type: ignore[attr-defined, arg-type]
