"""Ids that occur twice, found in little memory whatever the number of rows."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
PARTITION_BITS = 6
IN_MEMORY = 5_000_000
MOST_SUSPECTS = 10_000


@dataclass(frozen=True)
class Duplicates:
    """How many rows repeat the id of an earlier one, and the first few such ids with their rows."""

    rows: int
    examples: dict[str, list[int]]


def find_duplicates(
    batches: Callable[[], Iterable[pl.Series]], *, first_row: int, in_memory: int = IN_MEMORY
) -> Duplicates | None:
    """The duplicates among ids that come as batches of text in file order; None when all differ.

    >>> find_duplicates(lambda: [pl.Series(["a", "b", "a"])], first_row=2)
    Duplicates(rows=1, examples={'a': [2, 4]})
    """
    suspects: list[Hashes] = [np.empty(0, np.uint64)]
    rows = 0
    with tempfile.TemporaryDirectory(prefix="assay-ids-", ignore_cleanup_errors=True) as folder:
        for part in _partitions((_hashes(ids) for ids in batches()), Path(folder), in_memory):
            ordered = np.sort(part)
            again = ordered[1:][ordered[1:] == ordered[:-1]]
            rows += again.size
            suspects.append(np.unique(again)[:MOST_SUSPECTS])
    repeated = np.concatenate(suspects)[:MOST_SUSPECTS]
    examples = _verified(batches(), repeated, first_row=first_row) if repeated.size else {}
    return Duplicates(rows, examples) if examples else None


def _hashes(ids: pl.Series) -> Hashes:
    return ids.hash().to_numpy()


def _partitions(hashes: Iterable[Hashes], folder: Path, in_memory: int) -> Iterator[Hashes]:
    """All hashes, in parts such that equal ones are in the same part."""
    in_hand: list[Hashes] = []
    arriving = iter(hashes)
    for batch in arriving:
        in_hand.append(batch)
        if sum(part.size for part in in_hand) > in_memory:
            break
    else:
        if in_hand:
            yield np.concatenate(in_hand)
        return
    paths = [folder / f"{i}.bin" for i in range(1 << PARTITION_BITS)]
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("wb")) for path in paths]
        for batch in chain((in_hand.pop() for _ in range(len(in_hand))), arriving):
            leading = (batch >> np.uint64(64 - PARTITION_BITS)).astype(np.uint8)
            ordered = batch[np.argsort(leading, kind="stable")]
            sizes = np.bincount(leading, minlength=1 << PARTITION_BITS)
            for file, part in zip(files, np.split(ordered, np.cumsum(sizes)[:-1]), strict=True):
                part.tofile(file)
    for path in paths:
        yield np.fromfile(path, np.uint64)
        path.unlink()


def _verified(batches: Iterable[pl.Series], suspects: Hashes, *, first_row: int) -> dict[str, list[int]]:
    """Up to three ids that truly repeat, each with its first rows."""
    rows: dict[str, list[int]] = {}
    start = first_row
    for ids in batches:
        for i in np.flatnonzero(np.isin(_hashes(ids), suspects)).tolist():
            at = rows.setdefault(ids[i], [])
            at += [start + i] * (len(at) < 3)
        start += ids.len()
        repeated = [name for name, at in rows.items() if len(at) > 1]
        if len(repeated) >= min(3, suspects.size):
            break
    return dict([(name, at) for name, at in rows.items() if len(at) > 1][:3])
