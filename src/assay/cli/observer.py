"""`TerminalObserver`: what a workflow says, on stderr: a progress bar, remarks, and at the end where the time went."""

import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from assay.cli.terminal import console
from assay.execution.observer import Observer
from assay.execution.stages import Stages
from assay.execution.usage import peak_memory

if TYPE_CHECKING:
    from rich.progress import Progress

A_FEW_SECONDS = 5.0
"""Commands that took longer say where the time went."""


class TerminalObserver(Observer):
    """Shows bars on a terminal only, and nothing at all when asked to be quiet."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.stages = Stages()
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

    def stage(self, name: str) -> AbstractContextManager[None]:
        """The clock of this stage runs."""
        return self.stages.during(name)

    def tell_stages(self, *, profile: bool) -> None:
        """Where the time went: a table if asked for, on a terminal a line if it took more than a few seconds."""
        screen = console(stderr=True)
        if profile:
            screen.print(_table(self.stages))
        if profile or (not self.quiet and screen.is_terminal and self.stages.wall > A_FEW_SECONDS):
            screen.print(f"Time: {self.stages.line()}.", markup=False, soft_wrap=True)


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


def _table(stages: Stages) -> object:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for head in ("stage", "wall, s", "CPU, s", "rows", "rows/s", "workers", "peak of a worker, MB"):
        table.add_column(head, justify="left" if head == "stage" else "right")
    for name, stage in stages.found.items():
        rate = f"{stage.rows / stage.wall:,.0f}" if stage.rows and stage.wall else ""
        rows = f"{stage.rows:,}" if stage.rows else ""
        peak = f"{stage.peak / 1e6:,.0f}" if stage.workers else ""
        workers = str(len(stage.workers) or "")
        table.add_row(name, f"{stage.wall:.2f}", f"{stage.cpu:.2f}", rows, rate, workers, peak)
    left = stages.wall - sum(stage.wall for stage in stages.found.values())
    table.add_row("the rest", f"{max(left, 0):.2f}", "", "", "", "", "")
    table.caption = f"peak memory of this process: {peak_memory() / 1e6:,.0f} MB"
    return table
