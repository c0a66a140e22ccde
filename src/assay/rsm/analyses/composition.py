"""How many responses, candidates and groups an experiment has, and which were left out."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.rsm.types import FLAGGED, REASONS, Partition, Texts


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


def data_composition(train: Partition, test: Partition) -> Composition:
    """The counts of an experiment."""
    one, other = train.used, test.used
    candidates = None if one.candidate is None or other.candidate is None else overlap(one.candidate, other.candidate)
    shared = {column: (one.groups[column], other.groups[column]) for column in one.groups if column in other.groups}
    by_group = {}
    for column, sides in shared.items():
        groups = sorted({str(text) for side in sides for text in side if text is not None})
        by_group[column] = {group: (int(np.sum(sides[0] == group)), int(np.sum(sides[1] == group))) for group in groups}
    overlaps = {column: overlap(*sides) for column, sides in shared.items()}
    responses = overlap(one.ids, other.ids)
    return Composition(responses, candidates, overlaps, by_group, left_out(train), left_out(test))


def overlap(one: Texts, other: Texts) -> Overlap:
    """Distinct values on either side; a missing one (None) is a value too.

    >>> overlap(np.array(["a", "b", "b"], dtype=object), np.array(["b", "c"], dtype=object))
    Overlap(training=2, evaluation=2, both=1, total=3)
    """
    first, second = set(one.tolist()), set(other.tolist())
    return Overlap(len(first), len(second), len(first & second), len(first | second))


def left_out(partition: Partition) -> LeftOut:
    """The responses left out of one partition, by what they lack."""
    out = partition.reasons > REASONS.index(FLAGGED)
    in_use = tuple(name for name in partition.used.names if name in partition.read.names)
    rows = partition.read.where(out).with_features(in_use)
    complete = ~np.isnan(rows.matrix).any(axis=1)
    kinds = (~np.isnan(rows.human) & (rows.human != 0), rows.human == 0, np.isnan(rows.human))
    first, second, third = ((np.sum(kind & complete), np.sum(kind & ~complete)) for kind in kinds)
    counts = ((int(first[i]), int(second[i]), int(third[i])) for i in (0, 1))
    return LeftOut(bool(out.any()), *counts)
