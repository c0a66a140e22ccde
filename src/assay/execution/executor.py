"""FRONT DOOR `open_executor`: who does the work: this process, the cores of this machine, or a cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from assay.errors import Field, InputError, MissingExtra
from assay.execution.processes import ProcessExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")


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
