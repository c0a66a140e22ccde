"""A terminal: options of commands that spread their work, `TerminalObserver` on stderr, and how figures are written."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.execution.observer import Observer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from assay.execution.stages import Stages, TimedExecutor
    from assay.metrics.intervals import Estimate
    from assay.workflows.evaluation.judge import Confirm, SendingPlan

Workers = Annotated[int | None, typer.Option("--workers", "-j", min=1, help="Processes; one per core without it.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", help="Work on a Dask cluster instead: tcp://HOST:PORT of its scheduler, or local."),
]
Partitions = Annotated[
    bool,
    typer.Option(
        "--partitions",
        help="Write a folder of Parquet parts, one for each part of the input; run again after a crash to go on.",
    ),
]
Profile = Annotated[bool, typer.Option("--profile", help="Say on stderr what each stage took: time, CPU, memory.")]
A_FEW_SECONDS = 5.0
"""Commands that took longer say where the time went."""


class TerminalObserver(Observer):
    """Shows bars on a terminal only, and nothing at all when asked to be quiet."""

    def __init__(self, *, quiet: bool) -> None:
        from assay.execution.stages import Stages

        self.quiet, self.stages = quiet, Stages()
        self._bars: list[Progress | None] = []

    def begin(self, title: str, total: int | None) -> None:
        """A bar with done, total, rate and time left."""
        bar = None if self.quiet or not sys.stderr.isatty() else _bar()
        if bar is not None:
            bar.add_task(title, total=total)
            bar.start()
        self._bars.append(bar)

    def advance(self, count: int) -> None:
        """Move the bar that began last."""
        if self._bars and (bar := self._bars[-1]) is not None:
            bar.update(bar.task_ids[0], advance=count)

    def end(self) -> None:
        """Take the bar away."""
        if self._bars and (bar := self._bars.pop()) is not None:
            bar.stop()

    def remark(self, text: str) -> None:
        """A line on stderr."""
        if not self.quiet:
            console(stderr=True).print(text, markup=False, soft_wrap=True)

    def assume(self, what: str, column: str, field: str) -> None:
        """A line on stderr, with the option that changes it."""
        self.remark(f"Using {column!r} for {what}; --{field.replace('_', '-')} to change.")

    def stage(self, name: str) -> AbstractContextManager[None]:
        """The clock of this stage runs."""
        return self.stages.during(name)


def _bar() -> "Progress":
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
    return Progress(*columns, console=console(stderr=True), transient=True)


def _table(stages: "Stages") -> object:
    from rich import box
    from rich.table import Table

    from assay.execution.stages import peak_memory

    table = Table(box=box.SIMPLE_HEAD)
    for head in ("stage", "wall, s", "CPU, s", "rows", "rows/s", "workers", "peak of a worker, MB"):
        table.add_column(head, justify="left" if head == "stage" else "right")
    for name, stage in stages.by_name.items():
        rate = f"{stage.rows / stage.wall:,.0f}" if stage.rows and stage.wall else ""
        rows = f"{stage.rows:,}" if stage.rows else ""
        peak = f"{stage.peak / 1e6:,.0f}" if stage.workers else ""
        workers = str(len(stage.workers) or "")
        table.add_row(name, f"{stage.wall:.2f}", f"{stage.cpu:.2f}", rows, rate, workers, peak)
    left = stages.wall - sum(stage.wall for stage in stages.by_name.values())
    table.add_row("the rest", f"{max(left, 0):.2f}", "", "", "", "", "")
    table.caption = f"peak memory of this process: {peak_memory() / 1e6:,.0f} MB"
    return table


@contextmanager
def timed_executor(
    workers: int | None, cluster: str | None, doing: str, *, profile: bool = False, quiet: bool = False
) -> Iterator[tuple["TimedExecutor", TerminalObserver]]:
    """An executor whose work counts as the stage `doing`, and who hears of it; at the end, where the time went.

    That is a table if asked for, and on a terminal a line if it took more than a few seconds.
    """
    from assay.execution.executor import open_executor
    from assay.execution.stages import TimedExecutor

    observer = TerminalObserver(quiet=quiet)
    with open_executor(workers, cluster) as executor:
        yield TimedExecutor(executor, observer.stages, doing), observer
    stages = observer.stages
    if profile:
        console(stderr=True).print(_table(stages))
    if profile or (not quiet and sys.stderr.isatty() and stages.wall > A_FEW_SECONDS):
        console(stderr=True).print(f"Time: {stages.line()}.", markup=False, soft_wrap=True)


def console(*, stderr: bool = False) -> "Console":
    """A console that drops color when piped, never writes wider than the terminal, and shows control characters."""
    from rich.console import Console
    from rich.segment import Segment

    from assay.execution.escaping import escaped

    class EscapingConsole(Console):
        def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
            """Segments as rich makes them: its own colors pass, what the text holds is shown."""
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else escaped(text), style, control)

        def on_broken_pipe(self) -> None:
            """What print would do; rich ends the program as if a gate had not been met."""
            raise BrokenPipeError

    stream = sys.stderr if stderr else sys.stdout
    return EscapingConsole(file=getattr(stream, "unescaped", stream), stderr=stderr, highlight=False, soft_wrap=False)


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


def in_two(estimate: "Estimate", decimals: int = 2, *, signed: bool = False) -> tuple[str, str]:
    """Value and interval, or n/a and why.

    >>> from assay.metrics.intervals import Estimate
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


def asking() -> "Confirm | None":
    """Ask the person at the terminal; None where there is none, and nothing is sent."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def confirm(plan: "SendingPlan") -> bool:
        return typer.confirm(f"{plan.words()}\nSend it?", default=False, err=True)

    return confirm
