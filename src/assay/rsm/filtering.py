"""Which responses are used, which features vary enough, what the responses are, and the folds of a cross-validation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm import types
from assay.rsm.preprocess import SMALLEST_SD
from assay.rsm.types import FEW_ITEMS, FLAGGED, NO_FEATURE, REASONS, FeatureTable, Partition, Scores, Texts

Reasons = NDArray[np.int8]
Places = NDArray[np.int64]

SEED = 1234567890
SAMPLE_SHARE = 0.1


@dataclass(frozen=True, eq=False, slots=True)
class Filtered:
    """What is left of a table."""

    reasons: Reasons
    """Of every response read; -1 when it is used."""
    used: FeatureTable
    """The responses used, with the features that vary."""
    dropped: tuple[str, ...]
    """Features that do not vary."""
    lowest: float
    """The lowest human score among responses that are not flagged, whatever their features."""
    highest: float


def filtered(
    table: FeatureTable,
    *,
    exclude_zeros: bool,
    least_items: int = 0,
    drop_constant: bool = False,
    keep_missing: bool = False,
    what: str = "training",
) -> Filtered:
    """The responses of a table that can be used. InputError when none is left.

    With `drop_constant` features that do not vary are left out too; a feature is looked at on the responses that are
    left after those before it, as RSMTool does. With `keep_missing` a missing feature is no reason to leave out.
    """
    reasons = np.full(len(table), -1, dtype=np.int8)
    zeros = table.human == 0 if exclude_zeros else None
    checks = {FLAGGED: table.flagged, types.NO_HUMAN: ~np.isfinite(table.human), types.ZERO_HUMAN: zeros}
    for reason, holds in checks.items():
        if holds is not None:
            reasons[(reasons < 0) & holds] = REASONS.index(reason)
    if len(table) and (reasons == REASONS.index(FLAGGED)).all():
        problem = f"every {what} response has a flag that is not allowed"
        raise InputError(problem, field="flag_column", remedy="Check the flag columns.")
    _check_any_left(reasons, f"no {what} response has a human score that can be used")
    scores = table.human[reasons < 0]
    dropped = []
    for name, values in zip(table.names, table.matrix.T, strict=True):
        if not keep_missing:
            reasons[(reasons < 0) & ~np.isfinite(values)] = REASONS.index(NO_FEATURE)
        present = values[(reasons < 0) & np.isfinite(values)]
        # one value has no spread, but RSMTool keeps such a feature
        varies = len(present) == 1 or (len(present) > 1 and float(present.std(ddof=1)) > SMALLEST_SD)
        if drop_constant and not varies:
            dropped.append(name)
    no_numbers = [name for name in table.names if not np.isfinite(table.column(name)).any()]
    words = f". These columns hold no number at all: {', '.join(no_numbers)}. Name the features you mean in features."
    problem = f"every {what} response has a feature that is not a number"
    _check_any_left(reasons, problem + (words if no_numbers else ""))
    if least_items:
        if table.candidate is None:
            problem = "a least number of responses per candidate needs a candidate column"
            raise InputError(problem, field="candidate_column")
        _, places = np.unique(["" if c is None else str(c) for c in table.candidate], return_inverse=True)
        few = np.bincount(places, reasons < 0)[places] < least_items
        reasons[(reasons < 0) & few] = REASONS.index(FEW_ITEMS)
        _check_any_left(reasons, f"no candidate has {least_items} {what} responses")
    used = table.where(reasons < 0)
    used = used.with_features(tuple(name for name in table.names if name not in dropped)) if dropped else used
    return Filtered(reasons, used, tuple(dropped), float(scores.min()), float(scores.max()))


def _check_any_left(reasons: Reasons, message: str) -> None:
    if not (reasons < 0).any():
        raise InputError(message, remedy="Check the columns and the flags named in the configuration.")


def usable_length(partition: Partition) -> Scores | None:
    """The lengths of the responses used, or None when some are missing or all are alike.

    As in RSMTool, responses of candidates with too few have a say in this.
    """
    length = partition.read.length
    if length is None:
        return None
    looked_at = length[(partition.reasons < 0) | (partition.reasons == REASONS.index(FEW_ITEMS))]
    useless = np.isnan(looked_at).any() or len(looked_at) < 2 or np.ptp(looked_at) == 0
    return None if useless else partition.used.length


def drawn_folds(responses: int, folds: int, *, seed: int = SEED) -> tuple[Places, ...]:
    """So many folds of shuffled responses, the first ones larger by one where they do not divide evenly.

    The same as scikit-learn's KFold with shuffling, which RSMTool uses.
    """
    if not 2 <= folds <= responses:
        problem = f"{responses} responses cannot be divided into {folds} folds"
        raise InputError(problem, field="folds", remedy=f"Give 2 to {responses}.")
    shuffled = np.arange(responses, dtype=np.int64)
    np.random.RandomState(seed).shuffle(shuffled)  # the generator that RSMTool's folds come from
    return tuple(np.sort(fold) for fold in np.array_split(shuffled, folds))


def named_folds(ids: Sequence[str], fold_of: Mapping[str, str]) -> tuple[Places, ...]:
    """Folds as given: the id of each response -> the name of its fold; folds in the order of their names."""
    missing = [name for name in ids if name not in fold_of]
    if missing:
        shown = ", ".join(map(repr, missing[:3]))
        problem = f"the folds file says nothing of {len(missing)} responses: {shown}"
        raise InputError(problem, field="folds_file", remedy="Give each a fold.")
    groups = np.array([fold_of[name] for name in ids])
    names = np.unique(groups)
    if len(names) < 2:
        problem = "the folds file puts all responses into one fold"
        raise InputError(problem, field="folds_file", remedy="A cross-validation needs two or more.")
    return tuple(np.flatnonzero(groups == name).astype(np.int64) for name in names)


def sampled(responses: int, *, seed: int = SEED) -> Places:
    """The places of a tenth of the responses, drawn as pandas does it."""
    count = max(1, round(SAMPLE_SHARE * responses))
    drawn = np.random.RandomState(seed).choice(responses, size=count, replace=False)
    return np.asarray(drawn, dtype=np.int64)


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
