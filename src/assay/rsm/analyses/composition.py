"""How many responses, candidates and groups an experiment has, and which were left out."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.rsm.types import FLAGGED, REASONS, FeatureTable, Partition, Texts


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many different values training and evaluation responses have, in common and altogether."""

    training: int
    evaluation: int
    both: int
    total: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Responses left out (for other reasons than a flag) by human score and features."""

    any: bool
    complete: tuple[int, int, int]
    """All features numbers: human score a number and not 0, 0, no number."""
    incomplete: tuple[int, int, int]
    """Some feature no number: likewise."""


@dataclass(frozen=True, slots=True)
class Composition:
    """What the training and evaluation responses are made of."""

    responses: Overlap
    candidates: Overlap | None
    groups: Mapping[str, Overlap]
    by_group: Mapping[str, Mapping[str, tuple[int, int]]]
    """Column -> group -> training and evaluation responses, groups in code point order."""
    train_left_out: LeftOut
    test_left_out: LeftOut
    train_flagged: int
    test_flagged: int


def data_composition(train: Partition, test: Partition) -> Composition:
    """The counts of an experiment."""
    one, other = train.used, test.used
    candidates = None if one.candidate is None or other.candidate is None else overlap(one.candidate, other.candidate)
    shared = [column for column in one.groups if column in other.groups]
    return Composition(
        responses=overlap(one.ids, other.ids),
        candidates=candidates,
        groups={column: overlap(one.groups[column], other.groups[column]) for column in shared},
        by_group={column: _by_group(one.groups[column], other.groups[column]) for column in shared},
        train_left_out=left_out(train),
        test_left_out=left_out(test),
        train_flagged=int(np.count_nonzero(train.reasons == REASONS.index(FLAGGED))),
        test_flagged=int(np.count_nonzero(test.reasons == REASONS.index(FLAGGED))),
    )


def overlap(one: Texts, other: Texts) -> Overlap:
    """Distinct values on either side; a missing one (None) is a value too.

    >>> overlap(np.array(["a", "b", "b"], dtype=object), np.array(["b", "c"], dtype=object))
    Overlap(training=2, evaluation=2, both=1, total=3)
    """
    first, second = set(one.tolist()), set(other.tolist())
    return Overlap(len(first), len(second), len(first & second), len(first | second))


def _by_group(one: Texts, other: Texts) -> dict[str, tuple[int, int]]:
    groups = sorted({str(text) for text in (*one, *other) if text is not None})
    return {group: (int(np.sum(one == group)), int(np.sum(other == group))) for group in groups}


def left_out(partition: Partition) -> LeftOut:
    """The responses left out of one partition, by what they lack."""
    out = partition.reasons > REASONS.index(FLAGGED)
    rows = partition.read.where(out).with_features(_in_use(partition))
    complete: NDArray[np.bool_] = np.asarray(~np.isnan(rows.matrix).any(axis=1))
    kinds = (~np.isnan(rows.human) & (rows.human != 0), rows.human == 0, np.isnan(rows.human))
    return LeftOut(bool(out.any()), _counts(kinds, complete), _counts(kinds, ~complete))


def _in_use(partition: Partition) -> tuple[str, ...]:
    read: FeatureTable = partition.read
    return tuple(name for name in partition.used.names if name in read.names)


def _counts(kinds: tuple[NDArray[np.bool_], ...], which: NDArray[np.bool_]) -> tuple[int, int, int]:
    first, second, third = (int(np.count_nonzero(kind & which)) for kind in kinds)
    return first, second, third
