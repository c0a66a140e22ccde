"""Whoever does the work, and however many they are, the results are the same and in order."""

import os
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.execution.executor import ProcessExecutor, SerialExecutor, cores, open_executor


def after_a_while(number: int, seconds: float, words: str) -> str:
    time.sleep(seconds)
    return f"{words} {number}"


def reciprocal(number: int) -> float:
    return 1 / number


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


class NeedsWhatIsMissing:
    """Work that arrives in a worker which lacks a library that it needs."""

    def __reduce__(self) -> tuple[object, ...]:
        return import_module, ("a_library_that_is_missing",)

    def __call__(self, number: int) -> int:
        return number


def test_a_worker_that_lacks_a_library_names_it() -> None:
    with pytest.raises(InputError, match="No module named 'a_library_that_is_missing'") as said:
        list(ProcessExecutor(2).map_ordered(NeedsWhatIsMissing(), [1, 2, 3]))
    assert "memory" not in str(said.value)


def killed(number: int) -> int:
    os.kill(os.getpid(), number)
    return number


def test_a_worker_that_was_killed_is_said_to_lack_memory() -> None:
    with pytest.raises(InputError, match=r"ended by SIGKILL before its work was done, most likely for lack of memory"):
        list(ProcessExecutor(2).map_ordered(killed, [9, 9]))


def test_processes_end_with_the_executor_even_if_a_generator_lives_on() -> None:
    with open_executor(2) as executor:
        results = executor.map_ordered(process_id, range(100))
        first = next(results)
    assert not Path(f"/proc/{first}").exists()
    del results


def test_an_error_in_a_worker_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        list(ProcessExecutor(2).map_ordered(reciprocal, [1, 0, 2]))


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1


def test_no_workers_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1"), open_executor(0):
        pass
