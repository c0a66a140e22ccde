"""Where the time of a command goes: `read 1.2 s, measured 40.1 s on 2 workers, wrote 0.3 s`."""

import os
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, TypeVar

from assay.execution.executor import Executor, SerialExecutor

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
        self.by_name: dict[str, Stage] = {}
        self._open: list[Stage] = []
        self._began = self._last = (time.perf_counter(), time.process_time())

    @contextmanager
    def during(self, name: str) -> Iterator[None]:
        """Whatever runs inside counts for this stage."""
        self._charge()
        self._open.append(self.by_name.setdefault(name, Stage()))
        try:
            yield
        finally:
            self._charge()
            self._open.pop()

    def timed(self, name: str, items: Iterable[Item]) -> Iterator[Item]:
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
        words = []
        for name, stage in self.by_name.items():
            count = len(stage.workers)
            by = f" on {count} worker{'s' if count > 1 else ''}" if count else ""
            words.append(f"{name} {stage.wall:.1f} s{by}")
        return ", ".join(words)

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
        taken = self.stages.timed("read", items)
        if isinstance(self.executor, SerialExecutor):  # the clock of the stage has it all
            stage = self.stages.by_name.setdefault(self.doing, Stage())
            for item in taken:
                with self.stages.during(self.doing):
                    outcome = work(item, *common)
                stage.rows += len(outcome) if isinstance(outcome, Sized) else 1
                yield outcome
            return
        done = self.executor.map_ordered(partial(measured, work), taken, *common)
        for result, spent in self.stages.timed(self.doing, done):
            stage = self.stages.by_name[self.doing]
            stage.rows += len(result) if isinstance(result, Sized) else 1
            stage.peak = max(stage.peak, spent.peak)
            if spent.worker != this_process():  # here the clock of the stage has it already
                stage.workers.add(spent.worker)
                stage.cpu += spent.cpu
            yield result


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """Seconds of processor, the most memory in bytes, and the process that took them."""

    worker: str
    cpu: float
    peak: int


def measured(work: Callable[..., Result], item: Any, *common: Any) -> tuple[Result, ResourceUsage]:
    """`work(item, *common)` and what it took. On a Dask worker of several threads all of them are counted each time."""
    before = time.process_time()
    result = work(item, *common)
    return result, ResourceUsage(this_process(), time.process_time() - before, peak_memory())


@cache
def this_process() -> str:
    """This process, told apart from all others of a cluster."""
    return f"{socket.gethostname()}:{os.getpid()}"


def peak_memory() -> int:
    """The most memory this process has had, in bytes; 0 where the system does not say."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
