"""Work spread over the cores of this machine, with results in order."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from assay.errors import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Items handed out per worker before results are fetched: enough to keep it busy, few enough to bound memory."""


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows do not say
        return os.cpu_count() or 1


def in_order(work: Callable[[Item], Result], items: Iterable[Item], *, workers: int) -> Iterator[Result]:
    """`work` of every item, in the order of the items, whatever the number of workers.

    One item is worked on here, as is everything with one worker. More than one worker means processes that are started
    afresh, so that `work` must be a function of a module.
    """
    left = iter(items)
    first = list(islice(left, 2))
    if workers == 1 or len(first) < 2:
        yield from map(work, first)
        yield from map(work, left)
        return
    # one thread of matrix products in each process: more would fight for the same cores
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_leave_stopping_to_the_parent)
    try:
        yield from _fed(pool, work, first, left, most=AHEAD * workers)
    except BrokenProcessPool as broken:
        raise InputError(
            "a worker process ended before its work was done, most likely for lack of memory. Try fewer --workers."
        ) from broken
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_stopping_to_the_parent() -> None:
    """Ctrl-C reaches every process of the terminal; only the one that started the others should answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _fed(
    pool: ProcessPoolExecutor, work: Callable[[Item], Result], first: list[Item], left: Iterator[Item], *, most: int
) -> Iterator[Result]:
    waiting: deque[Future[Result]] = deque(pool.submit(work, item) for item in [*first, *islice(left, most - 2)])
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(pool.submit(work, item) for item in islice(left, 1))
