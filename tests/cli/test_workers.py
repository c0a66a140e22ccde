"""Work spread over processes, with results in order."""

import os
from collections.abc import Iterator

import pytest

from assay.cli.workers import cores, in_order


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    assert list(in_order(abs, [-3, 1, -2, 5, -4], workers=workers)) == [3, 1, 2, 5, 4]


def test_one_item_is_worked_on_in_this_process() -> None:
    assert list(in_order(lambda _: os.getpid(), ["only"], workers=4)) == [os.getpid()]


def test_items_are_taken_only_a_little_ahead_of_results() -> None:
    taken = []

    def items() -> Iterator[int]:
        for i in range(1_000):
            taken.append(i)
            yield i

    results = in_order(abs, items(), workers=2)
    assert next(results) == 0
    assert len(taken) < 20
    results.close()  # type: ignore[attr-defined]


def test_an_error_in_a_worker_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_order((1).__truediv__, [1, 0, 2], workers=2))


def test_there_is_at_least_one_core() -> None:
    assert cores() >= 1
