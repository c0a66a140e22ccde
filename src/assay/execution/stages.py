"""Where the time of a command goes: `read 1.2 s, measured 40.1 s on 2 workers, wrote 0.3 s`."""

import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from assay.execution.executor import Executor, SerialExecutor
from assay.execution.usage import measured, this_process

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(slots=True)
class Stage:
    """What one stage took: seconds on the clock, seconds of processor here and on workers, and rows that came out."""

    wall: float = 0.0
    cpu: float = 0.0
    rows: int = 0
    workers: set[str] = field(default_factory=set)
    peak: int = 0
    """Bytes on the worker that had most."""


class Stages:
    """The stages of a command. They nest: while an inner one runs, the clock of the outer one stands."""

    def __init__(self) -> None:
        self.found: dict[str, Stage] = {}
        self._open: list[Stage] = []
        self._began = self._last = (time.perf_counter(), time.process_time())

    @contextmanager
    def during(self, name: str) -> Iterator[None]:
        """Whatever runs inside counts for this stage."""
        self._charge()
        self._open.append(self.found.setdefault(name, Stage()))
        try:
            yield
        finally:
            self._charge()
            self._open.pop()

    def passing(self, name: str, items: Iterable[Item]) -> Iterator[Item]:
        """The same items; the time each takes to come counts for the stage."""
        left = iter(items)
        try:
            while True:
                with self.during(name):
                    try:
                        item = next(left)
                    except StopIteration:
                        return
                yield item
        finally:
            getattr(left, "close", lambda: None)()

    @property
    def wall(self) -> float:
        """Seconds since the command began its work."""
        return time.perf_counter() - self._began[0]

    def line(self) -> str:
        """The stages on one line, in the order in which they began."""
        return ", ".join(f"{name} {stage.wall:.1f} s{_by(stage)}" for name, stage in self.found.items())

    def _charge(self) -> None:
        now = (time.perf_counter(), time.process_time())
        if self._open:
            self._open[-1].wall += now[0] - self._last[0]
            self._open[-1].cpu += now[1] - self._last[1]
        self._last = now


class TimedExecutor:
    """An executor whose work counts for a stage, and what it is given for the stage `read`."""

    def __init__(self, executor: Executor, stages: Stages, doing: str) -> None:
        self.executor, self.stages, self.doing = executor, stages, doing

    def map_ordered(self, work: Callable[..., Result], items: Iterable[Item], *common: Any) -> Iterator[Result]:
        """As the executor does it."""
        taken = self.stages.passing("read", items)
        if isinstance(self.executor, SerialExecutor):  # the clock of the stage has it all
            stage = self.stages.found.setdefault(self.doing, Stage())
            for item in taken:
                with self.stages.during(self.doing):
                    outcome = work(item, *common)
                stage.rows += len(outcome) if isinstance(outcome, Sized) else 1
                yield outcome
            return
        done = self.executor.map_ordered(partial(measured, work), taken, *common)
        for result, spent in self.stages.passing(self.doing, done):
            stage = self.stages.found[self.doing]
            stage.rows += len(result) if isinstance(result, Sized) else 1
            stage.peak = max(stage.peak, spent.peak)
            if spent.worker != this_process():  # here the clock of the stage has it already
                stage.workers.add(spent.worker)
                stage.cpu += spent.cpu
            yield result


def _by(stage: Stage) -> str:
    return f" on {len(stage.workers)} worker{'s' if len(stage.workers) > 1 else ''}" if stage.workers else ""
