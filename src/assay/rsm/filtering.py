"""Which responses of a feature table are used, and which features vary enough to be."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm.types import (
    FEW_ITEMS,
    FLAGGED,
    NO_FEATURE,
    NO_HUMAN,
    REASONS,
    ZERO_HUMAN,
    FeatureTable,
    Partition,
    Scores,
)

SMALLEST_SD = 1e-7
"""A feature that spreads no more than this does not vary (RSMTool 12)."""

Reasons = NDArray[np.int8]


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


def reasons_to_leave_out(table: FeatureTable, *, exclude_zeros: bool) -> Reasons:
    """Why a response is left out, by its flags and its human score alone."""
    reasons = np.full(len(table), -1, dtype=np.int8)
    checks = {
        FLAGGED: table.flagged,
        NO_HUMAN: ~np.isfinite(table.human),
        ZERO_HUMAN: table.human == 0 if exclude_zeros else None,
    }
    for reason, holds in checks.items():
        if holds is not None:
            reasons[(reasons < 0) & holds] = REASONS.index(reason)
    return reasons


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
    reasons = reasons_to_leave_out(table, exclude_zeros=exclude_zeros)
    if len(table) and (reasons == REASONS.index(FLAGGED)).all():
        problem = f"every {what} response has a flag that is not allowed"
        raise InputError(problem, field="flag_column", remedy="Check the flag columns.")
    _check_some_left(reasons, f"no {what} response has a human score that can be used")
    scores = table.human[reasons < 0]
    dropped = _leave_out_missing(table, reasons, drop_constant=drop_constant, keep_missing=keep_missing)
    _check_some_left(reasons, f"every {what} response has a feature that is not a number{_no_numbers(table)}")
    if least_items:
        reasons[(reasons < 0) & _few(table, reasons < 0, least_items)] = REASONS.index(FEW_ITEMS)
        _check_some_left(reasons, f"no candidate has {least_items} {what} responses")
    names = tuple(name for name in table.names if name not in dropped)
    used = table.where(reasons < 0)
    used = used.with_features(names) if dropped else used
    return Filtered(reasons, used, dropped, float(scores.min()), float(scores.max()))


def _no_numbers(table: FeatureTable) -> str:
    """Features that are no features, in a sentence."""
    names = [name for name in table.names if not np.isfinite(table.column(name)).any()]
    if not names:
        return ""
    return f". These columns hold no number at all: {', '.join(names)}. Name the features you mean in features."


def _leave_out_missing(
    table: FeatureTable, reasons: Reasons, *, drop_constant: bool, keep_missing: bool
) -> tuple[str, ...]:
    """Mark responses with missing features in `reasons`; the features that do not vary."""
    dropped = []
    for number, name in enumerate(table.names):
        values = table.matrix[:, number]
        if not keep_missing:
            reasons[(reasons < 0) & ~np.isfinite(values)] = REASONS.index(NO_FEATURE)
        if drop_constant and not _varies(values[(reasons < 0) & np.isfinite(values)]):
            dropped.append(name)
    return tuple(dropped)


def _varies(values: Scores) -> bool:
    # one value has no spread, but RSMTool keeps such a feature
    return len(values) == 1 or (len(values) > 1 and float(values.std(ddof=1)) > SMALLEST_SD)


def _few(table: FeatureTable, usable: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """Responses of candidates with fewer usable responses than asked for."""
    if table.candidate is None:
        problem = "a least number of responses per candidate needs a candidate column"
        raise InputError(problem, field="candidate_column")
    names = np.array(["" if name is None else str(name) for name in table.candidate])
    _, places = np.unique(names, return_inverse=True)
    return np.asarray(np.bincount(places, usable)[places] < least)


def _check_some_left(reasons: Reasons, message: str) -> None:
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
    if np.isnan(looked_at).any() or len(looked_at) < 2 or np.ptp(looked_at) == 0:
        return None
    return partition.used.length
