"""Whoever does the work, and however many they are, the results are the same and in order."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.execution.executor import Executor, ProcessExecutor, SerialExecutor, cores, open_executor
from tests.execution.scheduler import Cluster, cluster


def after_a_while(number: int, seconds: float, words: str) -> str:
    time.sleep(seconds)
    return f"{words} {number}"


def reciprocal(number: int) -> float:
    return 1 / number


timed_executor: list[float] = []
"""In a worker: what is being done."""


def with_others(seconds: float) -> int:
    """How much work was being done at the same time."""
    timed_executor.append(seconds)
    time.sleep(seconds)
    found = len(timed_executor)
    timed_executor.pop()
    return found


def process_id(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    with open_executor(workers) as executor:
        assert list(executor.map_ordered(abs, [-3, 1, -2, 5, -4])) == [3, 1, 2, 5, 4]


def test_a_single_item_is_worked_on_in_this_process() -> None:
    assert list(ProcessExecutor(4).map_ordered(process_id, [1])) == [os.getpid()]


def test_several_items_go_to_other_processes() -> None:
    assert os.getpid() not in set(ProcessExecutor(2).map_ordered(process_id, range(4)))


def test_items_are_taken_only_a_little_ahead_of_results() -> None:
    taken = []

    def items() -> Iterator[int]:
        for i in range(1_000):
            taken.append(i)
            yield i

    results = ProcessExecutor(2).map_ordered(abs, items())
    assert next(results) == 0
    assert len(taken) < 20
    results.close()  # type: ignore[attr-defined]


def test_what_is_common_reaches_every_piece_of_work() -> None:
    here = list(SerialExecutor().map_ordered(after_a_while, range(3), 0.0, "number"))
    assert (
        here
        == list(ProcessExecutor(2).map_ordered(after_a_while, range(3), 0.0, "number"))
        == [f"number {i}" for i in range(3)]
    )


def test_an_error_in_a_worker_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        list(ProcessExecutor(2).map_ordered(reciprocal, [1, 0, 2]))


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1


def test_no_workers_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1"), open_executor(0):
        pass


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
