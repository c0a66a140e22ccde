"""FRONT DOOR `open_crew`: who does the work: this process, the cores of this machine, or a cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from assay.errors import InputError, MissingExtra
from assay.execution.processes import Processes
from assay.execution.serial import Here

Item = TypeVar("Item")
Result = TypeVar("Result")


class Crew(Protocol):
    """Some that work at the same time. What they return does not depend on who they are or how many."""

    def in_order(self, work: Callable[..., Result], items: Iterable[Item], *common: Any) -> Iterator[Result]:
        """`work(item, *common)` of every item, in the order of the items.

        Items are taken only a little ahead of results, so that neither pile up. `common` travels to each worker once.
        `work` must be a function of a module, or a `partial` of one.
        """
        ...


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows do not say
        return os.cpu_count() or 1


@contextmanager
def open_crew(workers: int | None = None, cluster: str | None = None) -> Iterator[Crew]:
    """A crew for as long as it is needed.

    `workers`: processes on this machine, all cores without it. `cluster`: `tcp://host:port` of a Dask scheduler that
    runs already, or `local` for one that is started here, with that many workers.
    """
    if cluster is not None:
        try:
            from assay.execution.dask_executor import dask_crew  # noqa: PLC0415 - an extra, and slow to import
        except ImportError:
            raise MissingExtra("--cluster", "cluster") from None
        with dask_crew(cluster, workers or cores()) as crew:
            yield crew
        return
    if workers is not None and workers < 1:
        raise InputError(f"--workers is a number of processes, at least 1, got {workers}.")
    count = workers or cores()
    yield Here() if count == 1 else Processes(count)
