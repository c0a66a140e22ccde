"""Work spread over a Dask cluster, with results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from typing import Any, TypeVar

import dask
from distributed import Client, KilledWorker, LocalCluster, get_worker

from assay import __version__
from assay.errors import Field, InputError, MissingExtra

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Items handed out per thread of the cluster before results are fetched: bounds what scheduler and client hold."""

MOST_LOST = 5
"""How often in a row every worker may be lost with all that was sent to them."""

LIGHT = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.memory.monitor-interval": "1s",
    # without Dask's MALLOC_TRIM_THRESHOLD_: giving memory back after every essay and taking it again costs a tenth
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1, "MKL_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1},
}
"""A cluster of our own looks at itself less often than Dask's do: that takes a tenth of the processors' time."""

PATIENCE = "20s"
"""How long a scheduler may take to answer."""


class DaskExecutor:
    """The workers of a scheduler, as many as there are at the moment: they may come and go."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def map_ordered(self, work: Callable[..., Result], items: Iterable[Item], *common: Any) -> Iterator[Result]:
        """`work(item, *common)` of every item, in order.

        A worker that is lost costs what it was working on and what it had not handed over: Dask gives that to another.
        When every worker that had `common` is lost it is sent anew, and what was handed out with it once more.
        """
        shared = self._sent(common)
        left = iter(items)
        waiting: deque[tuple[Any, Any]] = deque()
        lost_in_a_row = 0
        try:
            while True:
                waiting.extend((item, self._begun(work, item, shared)) for item in islice(left, self._room(waiting)))
                if not waiting:
                    return
                try:
                    result = waiting[0][1].result()
                except CancelledError:
                    lost_in_a_row += 1
                    if lost_in_a_row > MOST_LOST:
                        raise
                    shared = self._sent(common)
                    waiting = deque((item, self._begun(work, item, shared)) for item, _ in waiting)
                    continue
                lost_in_a_row = 0
                waiting.popleft()
                yield result
        except (KilledWorker, CancelledError) as lost:
            raise InputError(
                f"one piece of the work ended {getattr(lost, 'allowed_failures', MOST_LOST) + 1} workers, most likely "
                "for lack of memory",
                field="cluster",
                remedy="Give the workers more memory, or fewer threads each.",
            ) from None
        finally:
            self.client.cancel([*(future for _, future in waiting), *shared])

    def _sent(self, common: tuple[Any, ...]) -> list[Any]:
        """What all work shares, on every worker."""
        return list(self.client.scatter(list(common), broadcast=True, hash=False)) if common else []

    def _begun(self, work: Callable[..., Any], item: Any, shared: list[Any]) -> Any:
        # pure=False: an item is its own task, however alike two items are; earlier items first
        return self.client.submit(alone, work, item, *shared, pure=False)

    def _room(self, waiting: Sized) -> int:
        threads = int(sum(self.client.nthreads().values()))
        return max(AHEAD * max(threads, 1) - len(waiting), 0 if waiting else 1)


_busy = Lock()
"""In a worker: held by the one thread that works."""


def alone(work: Callable[..., Result], item: Any, *common: Any) -> Result:
    """`work(item, *common)`, with no other work in this process at the same time: parsers do not share theirs."""
    with _busy:
        try:
            return work(item, *common)
        except MissingExtra as missing:  # here, not where the command was given: that one may have it
            raise MissingExtra(missing.what, missing.extra, _own_address()) from missing


def _own_address() -> str:
    return f"the worker {get_worker().address}"


@contextmanager
def open_dask_executor(address: str, workers: int) -> Iterator[DaskExecutor]:
    """The crew of a scheduler at `tcp://host:port`, or of one started on this machine for `local`."""
    if address == "local":
        with dask.config.set(LIGHT), _local_cluster(workers) as cluster, Client(cluster) as client:  # type: ignore[no-untyped-call]
            yield DaskExecutor(client)
        return
    if "://" not in address:
        raise InputError(
            (Field("cluster"), f" is tcp://HOST:PORT of a Dask scheduler, or local, got {address!r}."), field="cluster"
        )
    try:
        client = Client(address, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as problem:
        raise InputError(
            f"no Dask scheduler answers at {address} ({problem})",
            field="cluster",
            remedy=("Start one with `dask scheduler`, or use ", Field("workers"), "."),
        ) from None
    with client:
        _check_alike(client)
        yield DaskExecutor(client)


def _local_cluster(workers: int) -> Any:
    return LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    )


def _check_alike(client: Any) -> None:
    """Results are the same bytes everywhere only if every worker runs the same Assay."""
    if not client.nthreads():
        client.wait_for_workers(1, timeout=PATIENCE)
    versions = client.run(_version)
    other = sorted({version for version in versions.values() if version != __version__})
    if other:
        where = sorted(worker for worker, version in versions.items() if version in other)
        raise InputError(
            f"workers run Assay {', '.join(map(str, other))} and this is {__version__}: {', '.join(where[:3])}",
            field="cluster",
            remedy="Install the same version on all.",
        )


def _version() -> str:
    return __version__
