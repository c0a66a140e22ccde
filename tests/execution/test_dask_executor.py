"""Work spread over real Dask schedulers and workers: in order, whoever is lost on the way."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assay import __version__
from assay.errors import InputError, MissingExtra
from assay.execution.dask_executor import AHEAD, DaskExecutor, _check_alike, alone
from assay.execution.executor import Executor, open_executor
from tests.execution.scheduler import Cluster, cluster
from tests.execution.test_executor import after_a_while, reciprocal

timed_executor: list[float] = []
"""In a worker: what is being done."""


def with_others(seconds: float) -> int:
    """How much work was being done at the same time."""
    timed_executor.append(seconds)
    time.sleep(seconds)
    found = len(timed_executor)
    timed_executor.pop()
    return found


def test_a_lost_worker_and_a_new_one_change_nothing(tmp_path: Path) -> None:
    with cluster(tmp_path, "first", "second") as found, open_executor(cluster=found.address) as executor:
        results = []
        for i, result in enumerate(executor.map_ordered(after_a_while, range(60), 0.05, "essay")):
            results.append(result)
            if i == 10:
                found.kill("first")
                found.add_worker("third")
    assert results == [f"essay {i}" for i in range(60)]


def test_when_all_workers_are_lost_what_is_common_is_sent_anew(tmp_path: Path) -> None:
    with cluster(tmp_path, "only") as found, open_executor(cluster=found.address) as executor:
        results = []
        for i, result in enumerate(executor.map_ordered(after_a_while, range(12), 0.05, "essay")):
            results.append(result)
            if i == 2:
                found.kill("only")
                found.add_worker("another")
    assert results == [f"essay {i}" for i in range(12)]


def test_threads_of_one_worker_take_turns(tmp_path: Path) -> None:
    with cluster(tmp_path) as found, open_crew_of_threads(found) as executor:
        assert list(executor.map_ordered(with_others, [0.05] * 6)) == [1] * 6


@contextmanager
def open_crew_of_threads(found: Cluster) -> Iterator[Executor]:
    found.add_worker("threaded", threads=3)
    with open_executor(cluster=found.address) as executor:
        yield executor


def test_a_cluster_raises_errors_of_its_workers_and_takes_items_only_a_little_ahead(tmp_path: Path) -> None:
    with cluster(tmp_path, "only") as found, open_executor(cluster=found.address) as executor:
        with pytest.raises(ZeroDivisionError):
            list(executor.map_ordered(reciprocal, [1, 0, 2]))
        assert list(executor.map_ordered(reciprocal, [1, 2])) == [1.0, 0.5]
        taken: list[int] = []
        results = executor.map_ordered(abs, (taken.append(i) or i for i in range(1_000)))  # type: ignore[func-returns-value]
        assert next(results) == 0
        assert len(taken) < 10, "items are taken only a little ahead of results"
        results.close()  # type: ignore[attr-defined]


def without_its_extra(_: int) -> None:
    raise MissingExtra("Reading essays", "essays")


def test_a_part_that_a_worker_lacks_is_named_with_the_worker(tmp_path: Path) -> None:
    lacks = pytest.raises(MissingExtra, match=r"not installed on the worker tcp://127")
    with cluster(tmp_path, "only") as found, open_executor(cluster=found.address) as executor, lacks as refused:
        list(executor.map_ordered(without_its_extra, [1]))
    assert (refused.value.extra, "pip install 'assay-scoring[essays]'" in str(refused.value)) == ("essays", True)


def test_a_local_cluster_is_started_and_ended() -> None:
    # in a process of its own: Dask leaves threads behind, and warns of open sockets when it is collected
    code = (
        "from assay.execution.executor import open_executor\n"
        "if __name__ == '__main__':\n"
        "    with open_executor(2, 'local') as crew:\n"
        "        print(list(crew.map_ordered(abs, range(-3, 3))))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[3, 2, 1, 0, 1, 2]"), done.stderr


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.execution.dask_executor.PATIENCE", "1s")
    with (
        pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        open_executor(cluster="tcp://127.0.0.1:9"),
    ):
        pass


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(InputError, match="tcp://HOST:PORT"), open_executor(cluster="somewhere"):
        pass


class Cores:
    """As much of a client as tells how many threads there are, and which version each worker runs."""

    def __init__(self, threads: dict[str, int], versions: dict[str, str] | None = None) -> None:
        self.threads, self.versions = threads, versions or {}
        self.waited = 0

    def nthreads(self) -> dict[str, int]:
        return self.threads

    def run(self, _: object) -> dict[str, str]:
        return self.versions

    def wait_for_workers(self, count: int, timeout: str) -> None:
        assert timeout
        self.waited += count


@pytest.mark.parametrize(
    ("threads", "waiting", "room"),
    [({"a": 2, "b": 1}, 0, 3 * AHEAD), ({"a": 2}, 5, 2 * AHEAD - 5), ({}, 0, AHEAD), ({"a": 1}, 9, 0)],
)
def test_a_few_items_for_each_thread_are_handed_out_ahead(threads: dict[str, int], waiting: int, room: int) -> None:
    assert DaskExecutor(Cores(threads))._room([None] * waiting) == room


def test_workers_of_another_version_are_refused_and_none_is_waited_for() -> None:
    alike = Cores({"w1": 1}, {"w1": __version__})
    _check_alike(alike)
    assert alike.waited == 0
    empty = Cores({}, {})
    _check_alike(empty)
    assert empty.waited == 1
    with pytest.raises(InputError, match=rf"workers run Assay 0.1 and this is {__version__}: w2. Install the same"):
        _check_alike(Cores({"w1": 1, "w2": 1}, {"w1": __version__, "w2": "0.1"}))


def test_work_is_done_with_what_is_common() -> None:
    assert alone(pow, 2, 5) == 32
