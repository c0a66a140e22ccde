"""FRONT DOOR `open_executor`: who does the work: this process, the cores of this machine, or a cluster."""

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import resource_tracker
from threading import Thread, current_thread, main_thread
from typing import Any, Protocol, TypeVar

from assay.errors import AssayError, Cancelled, Field, InputError, Message, MissingExtra, install_command

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Items handed out per worker before results are fetched: enough to keep it busy, few enough to bound memory."""

HEARTBEAT = 0.25
"""Seconds after which one that waits for a result looks whether it should stop."""
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
        self._pools: list[ProcessPoolExecutor] = []

    def stop(self) -> None:
        """End the processes that are still at work: nobody waits for them any more."""
        while self._pools:
            pool = self._pools.pop()
            for process in list((pool._processes or {}).values()):
                process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)

    def map_ordered(self, work: Callable[..., Result], items: Iterable[Item], *common: Any) -> Iterator[Result]:
        """`work(item, *common)` of every item, in order. A single item is worked on here: a process costs more."""
        left = iter(items)
        first = list(islice(left, 2))
        if len(first) < 2:
            yield from (work(item, *common) for item in first)
            return
        for variable in ONE_THREAD:
            os.environ.setdefault(variable, "1")
        resource_tracker.ensure_running()  # it would unblock the signals that are blocked below
        spawning = multiprocessing.get_context("spawn")
        mission = pickle.dumps((work, common))
        pool = ProcessPoolExecutor(self.count, spawning, initializer=_begin, initargs=(mission,))
        self._pools.append(pool)
        try:
            feed = chain(first, left)
            waiting = deque(_submitted(pool, item) for item in islice(feed, AHEAD * self.count))
            while waiting:
                while not wait(list(waiting)[:1], timeout=HEARTBEAT).done:
                    pass  # a signal that another thread was given is dealt with between two waits
                yield waiting.popleft().result()
                waiting.extend(_submitted(pool, item) for item in islice(feed, 1))
        except BrokenProcessPool:
            processes = list((pool._processes or {}).values())
            self.stop()
            raise _ended_early([process.exitcode or 0 for process in processes]) from None
        except BaseException:  # whoever asked for the work stopped it: what is in hand need not be finished
            self.stop()
            raise
        pool.shutdown(wait=True)
        self._pools.remove(pool)


def _submitted(pool: ProcessPoolExecutor, item: Any) -> "Future[Any]":
    """Hand an item out; a process that this starts never hears Ctrl-C, only the one that started it does."""
    if current_thread() is not main_thread() or not hasattr(signal, "pthread_sigmask"):
        return pool.submit(_carry_out, item)
    received: list[int] = []  # a signal waits: a process that is half-started would complain
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(n) is not None}
    for number in before:
        signal.signal(number, lambda number, _frame: received.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_carry_out, item)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
        for late in received:
            signal.raise_signal(late)


def _ended_early(codes: Sequence[int]) -> InputError:
    """Why worker processes ended, by the exit code of the first; the others were ended after it."""
    code = next((code for code in codes if code not in (0, -signal.SIGTERM)), 0)
    if code > 0:
        problem = f"a worker process could not begin, and ended with exit code {code}"
        remedy: Message = ("What it said is above. With ", Field("workers"), " set to 1 no other process is needed.")
    else:
        by = f" by {signal.Signals(-code).name}" if code else ""
        cause = ", most likely for lack of memory" if code in (0, -signal.SIGKILL, -signal.SIGABRT) else ""
        problem = f"a worker process was ended{by} before its work was done{cause}"
        remedy = ("Try fewer ", Field("workers"), ".")
    return InputError(problem, field="workers", remedy=remedy)


_mission: tuple[Callable[..., Any], tuple[Any, ...]] | Exception | None = None
"""In a worker process: what it does with every item, or why it cannot. Sent once, when the process starts."""


def _begin(mission: bytes) -> None:
    global _mission  # noqa: PLW0603 - the one thing a worker process knows
    # Ctrl-C reaches every process of the terminal; only the one that started the others should answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        _mission = pickle.loads(mission)
    except AssayError as error:
        _mission = error
    except ImportError as error:  # a part is not installed, or is broken: the same for every item
        remedy = f"Install it, or install Assay again: {install_command('all')}"
        _mission = InputError(f"a worker process cannot begin: {error}", field="workers", remedy=remedy)
    except MemoryError:
        remedies = ("Try fewer ", Field("workers"), ".")
        _mission = InputError("a worker process has too little memory to begin", field="workers", remedy=remedies)
    signal.signal(signal.SIGTERM, _stop)  # until now there was nothing to clean up


def _stop(*_: object) -> None:
    """End the work in hand, with what it began to write, and begin no other."""
    global _mission  # noqa: PLW0603
    _mission = Cancelled("a worker process was ended")
    raise SystemExit(128 + signal.SIGTERM)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _carry_out(item: Any) -> Any:
    if not isinstance(_mission, tuple):
        raise _mission or Cancelled("a worker process was ended")
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
    if count == 1:
        yield SerialExecutor()
        return
    processes = ProcessExecutor(count)
    try:
        yield processes
    finally:  # an error elsewhere may keep a generator, and with it its processes, alive
        processes.stop()
