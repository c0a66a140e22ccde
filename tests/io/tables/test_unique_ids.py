"""Repeated ids are found whether hashes stay in memory or go to files."""

import errno
import os

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.io.tables import unique_ids
from assay.io.tables.unique_ids import Duplicates, find_duplicates


def duplicates(ids: list[str], *, in_memory: int, rows: int = 7) -> Duplicates | None:
    column = pl.Series(ids, dtype=pl.String)
    batches = [column.slice(i, rows) for i in range(0, len(ids), rows)]
    return find_duplicates(lambda: batches, first_row=2, in_memory=in_memory)


@pytest.mark.parametrize("in_memory", [0, 10, 10_000])
def test_different_ids_have_no_duplicates(in_memory: int) -> None:
    assert duplicates([str(i) for i in range(1000)], in_memory=in_memory) is None


@pytest.mark.parametrize("in_memory", [0, 10, 10_000])
def test_an_id_repeated_far_away_is_found(in_memory: int) -> None:
    found = duplicates([*map(str, range(1000)), "3"], in_memory=in_memory)
    assert found == Duplicates(rows=1, examples={"3": [5, 1002]})


@pytest.mark.parametrize("in_memory", [0, 10_000])
def test_one_id_for_all_rows_shows_its_first_rows(in_memory: int) -> None:
    assert duplicates(["x"] * 100, in_memory=in_memory) == Duplicates(rows=99, examples={"x": [2, 3, 4]})


def test_at_most_three_ids_are_shown() -> None:
    found = duplicates([*"abcdefgh" * 2], in_memory=0)
    assert found is not None
    assert found.rows == 8
    assert len(found.examples) == 3


def test_no_rows_have_no_duplicates() -> None:
    assert duplicates([], in_memory=10) is None


def test_equal_hashes_of_different_ids_are_no_duplicates(monkeypatch: pytest.MonkeyPatch) -> None:
    by_length = lambda ids: ids.str.len_bytes().cast(pl.UInt64).to_numpy()  # noqa: E731
    monkeypatch.setattr(unique_ids, "_hashes", by_length)
    assert duplicates(["a", "b", "c", "dd"], in_memory=10) is None
    assert duplicates(["a", "b", "c", "b"], in_memory=10) == Duplicates(rows=3, examples={"b": [3, 5]})


@given(st.lists(st.text("ab0", max_size=3), max_size=60), st.sampled_from([0, 20, 1000]))
def test_there_are_duplicates_exactly_when_a_set_is_smaller(ids: list[str], in_memory: int) -> None:
    found = duplicates(ids, in_memory=in_memory)
    assert (0 if found is None else found.rows) == len(ids) - len(set(ids))
    for name, rows in ({} if found is None else found.examples).items():
        assert all(ids[row - 2] == name for row in rows)


@pytest.mark.parametrize("in_memory", [0, 10_000])
def test_rows_are_counted_from_the_first_over_all_batches(in_memory: int) -> None:
    ids = [*"abcdefghij", "j", "a", "j", "a", "b", "z"]
    assert duplicates(ids, in_memory=in_memory, rows=3) == Duplicates(
        rows=5, examples={"a": [2, 13, 15], "b": [3, 16], "j": [11, 12, 14]}
    )


def test_an_id_is_looked_for_in_all_rows_until_three_are_found() -> None:
    found = duplicates([*"aabbccdd"], in_memory=10, rows=2)
    assert found == Duplicates(rows=4, examples={"a": [2, 3], "b": [4, 5], "c": [6, 7]})
    assert duplicates([*"abab"], in_memory=3, rows=4) == Duplicates(rows=2, examples={"a": [2, 4], "b": [3, 5]})


def test_a_temporary_folder_that_cannot_be_removed_fails_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(os, "rmdir", busy)
    assert duplicates([*map(str, range(100)), "3"], in_memory=10) == Duplicates(rows=1, examples={"3": [5, 102]})
