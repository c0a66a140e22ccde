"""Work spread over processes of this machine, with results in order."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, TypeVar

from assay.errors import Field, InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Items handed out per worker before results are fetched: enough to keep it busy, few enough to bound memory."""

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
"""One thread of matrix products and tables in each process: more would fight for the same cores."""


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
            yield from _fed(pool, first, left, most=AHEAD * self.count)
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


def _fed(pool: ProcessPoolExecutor, first: list[Any], left: Iterator[Any], *, most: int) -> Iterator[Any]:
    waiting: deque[Future[Any]] = deque(
        pool.submit(_carry_out, item) for item in [*first, *islice(left, most - len(first))]
    )
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(pool.submit(_carry_out, item) for item in islice(left, 1))
