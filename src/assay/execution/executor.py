"""FRONT DOOR `open_executor`: who does the work: this process, the cores of this machine, or a cluster."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, Protocol, TypeVar

from assay.errors import Field, InputError, MissingExtra

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Items handed out per worker before results are fetched: enough to keep it busy, few enough to bound memory."""

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
"""One thread of matrix products and tables in each process: more would fight for the same cores."""


class Executor(Protocol):
    """Some that work at the same time. What they return does not depend on who they are or how many."""

    def map_ordered(self, work: Callable[..., Result], items: Iterable[Item], *common: Any) -> Iterator[Result]:
        """`work(item, *common)` of every item, in the order of the items.

        Items are taken only a little ahead of results, so that neither pile up. `common` travels to each worker once.
        `work` must be a function of a module, or a `partial` of one.
        """
        ...


class SerialExecutor:
    """An executor of one."""

    def map_ordered(self, work: Callable[..., Result], items: Iterable[Item], *common: Any) -> Iterator[Result]:
        """`work(item, *common)` of every item, when it is asked for."""
        for item in items:
            yield work(item, *common)


class ProcessExecutor:
    """An executor of processes that are started afresh for each piece of work, and end with it."""

    def __init__(self, count: int) -> None:
        self.count = count

    def map_ordered(self, work: Callable[..., Result], items: Iterable[Item], *common: Any) -> Iterator[Result]:
        """`work(item, *common)` of every item, in order. A single item is worked on here: a process costs more."""
        left = iter(items)
        first = list(islice(left, 2))
        if len(first) < 2:
            yield from (work(item, *common) for item in first)
            return
        for variable in ONE_THREAD:
            os.environ.setdefault(variable, "1")
        spawning = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.count, spawning, initializer=_begin, initargs=(work, common))
        try:
            feed = chain(first, left)
            waiting = deque(pool.submit(_carry_out, item) for item in islice(feed, AHEAD * self.count))
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(_carry_out, item) for item in islice(feed, 1))
        except BrokenProcessPool as broken:
            raise InputError(
                "a worker process ended before its work was done, most likely for lack of memory",
                field="workers",
                remedy=("Try fewer ", Field("workers"), "."),
            ) from broken
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


_mission: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
"""In a worker process: what it does with every item. Sent once, when the process starts."""


def _begin(work: Callable[..., Any], common: tuple[Any, ...]) -> None:
    global _mission  # noqa: PLW0603 - the one thing a worker process knows
    _mission = (work, common)
    # Ctrl-C reaches every process of the terminal; only the one that started the others should answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _carry_out(item: Any) -> Any:
    assert _mission is not None
    work, common = _mission
    return work(item, *common)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows do not say
        return os.cpu_count() or 1


@contextmanager
def open_executor(workers: int | None = None, cluster: str | None = None) -> Iterator[Executor]:
    """An executor for as long as it is needed.

    `workers`: processes on this machine, all cores without it. `cluster`: `tcp://host:port` of a Dask scheduler that
    runs already, or `local` for one that is started here, with that many workers.
    """
    if cluster is not None:
        try:
            from assay.execution.dask_executor import open_dask_executor  # noqa: PLC0415 - an extra, and slow to import
        except ImportError:
            raise MissingExtra("Work on a cluster", "cluster") from None
        with open_dask_executor(cluster, workers or cores()) as executor:
            yield executor
        return
    if workers is not None and workers < 1:
        raise InputError((Field("workers"), f" is a number of processes, at least 1, got {workers}."), field="workers")
    count = workers or cores()
    yield SerialExecutor() if count == 1 else ProcessExecutor(count)
