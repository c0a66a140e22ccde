"""Whether a system's errors depend on the group a student belongs to, or on the human score.

Source: Loukina, Madnani & Zechner (2019), The many dimensions of algorithmic fairness in educational
applications, and RSMTool 12, whose figures these are. An error is the system score minus the human score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.metrics.error_tally import ErrorTally
from assay.metrics.least_squares import MOST_COEFFICIENTS, CellTable, fit_additive, nested_p


@dataclass(frozen=True, slots=True)
class Coefficient:
    """How far a group's mean (squared) error lies from the base group's; for the intercept, from 0."""

    name: str
    estimate: float
    p: float
    """Two-sided, from Student's t."""
    low: float
    """Lower end of the 95 % interval."""
    high: float


@dataclass(frozen=True, slots=True)
class FairnessModel:
    """What the group says about the error."""

    r2: float
    """Adjusted R2; in the conditional model, what the group adds to it."""
    p: float
    """From the F test of the group."""
    coefficients: tuple[Coefficient, ...]
    reason: str
    """Why R2 and p have no value; empty when they have."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """RSMTool's three fairness analyses of one grouping."""

    base_group: str
    overall_accuracy: FairnessModel
    overall_difference: FairnessModel
    conditional_difference: FairnessModel


def fairness(tally: ErrorTally, groups: Sequence[str]) -> Fairness:
    """How much of the error the group explains: in size, in sign, and in sign at the same human score.

    overall accuracy:        (M - H)^2 ~ group
    overall difference:       M - H    ~ group
    conditional difference:   M - H    ~ group + C(H), against M - H ~ C(H)

    R2 is adjusted R2, in the third the difference of both; p is that of the F test. The base group is the
    largest, the base human score the most frequent; groups are listed by size. Ties go by the alphabet, for
    scores to the lower one. Only the proportions of response weights matter; "largest" and degrees of freedom
    count responses.

    R2 and p are NaN, with a reason, for fewer than two groups, when all errors are equal, when no residual
    degrees of freedom are left, and (conditional only) when no two groups share a human score. RSMTool gives
    R2 = 0 beside a NaN p for one group and for groups without a common score, and rounding noise for equal
    errors. Where only some groups share no score with the others, the pseudo-inverse settles the conditional
    coefficients, as in RSMTool: R2 and p stand, the coefficients of those groups mean nothing.
    More than 2000 groups and human scores together are not fitted.
    """
    if tally.n.ndim != 2 or tally.n.shape[0] != len(groups):
        problem = f"Expected one tally of {len(groups)} groups, got one of shape {tally.n.shape}"
        remedy = "Name every group, and pick one system score with tally[i]."
        raise InputError(problem, field="tally", remedy=remedy)
    by_group, by_level = tally.n.sum(axis=1), tally.n.sum(axis=0)
    group_order = sorted(np.flatnonzero(by_group).tolist(), key=lambda g: (-by_group[g], groups[g]))
    level_order = sorted(np.flatnonzero(by_level).tolist(), key=lambda k: (-by_level[k], tally.levels[k]))
    names = [groups[g] for g in group_order]
    if not names:
        none = FairnessModel(nan, nan, (), "no responses")
        return Fairness("", none, none, none)
    errors, squares = _tables(tally, np.ix_(group_order, level_order))
    return Fairness(
        base_group=names[0],
        overall_accuracy=_model(squares.pooled(1), names, "all squared errors are equal"),
        overall_difference=_model(errors.pooled(1), names, "all errors are equal"),
        conditional_difference=_model(errors, names, "the human score alone explains all errors"),
    )


def _model(table: CellTable, names: Sequence[str], all_explained: str) -> FairnessModel:
    """The model with groups as rows, judged against the same model without them."""
    if table.coefficients > MOST_COEFFICIENTS:
        return FairnessModel(nan, nan, (), f"more than {MOST_COEFFICIENTS} groups and human scores together")
    with_groups, without = fit_additive(table), fit_additive(table.pooled(0))
    labels = [f"Intercept ({names[0]})", *names[1:]]
    columns = (c[: len(names)].tolist() for c in (with_groups.estimates, *with_groups.t_tests()))
    coefficients = tuple(map(Coefficient, labels, *columns))
    reasons = {
        "only one group": len(names) < 2,
        "too few responses for so many groups and human scores": with_groups.residual_df < 1,
        all_explained: without.residual_ss == 0,
        "no two groups share a human score": with_groups.rank == without.rank,
    }
    if reason := next((why for why, holds in reasons.items() if holds), ""):
        return FairnessModel(nan, nan, coefficients, reason)
    # a model of the intercept alone has an adjusted R2 of 0, so overall models need no case of their own
    r2 = with_groups.adjusted_r2 - without.adjusted_r2
    return FairnessModel(r2, nested_p(without, with_groups), coefficients, "")


def _tables(tally: ErrorTally, order: tuple[NDArray[np.intp], ...]) -> tuple[CellTable, CellTable]:
    """The errors and the squared errors as tables, groups and human scores in the given order."""
    n, weight = float(tally.n.sum()), tally.weight[order]
    error, square = tally.mean_error[order], tally.mean_square[order]
    # What the subtraction of two scores may lose, with room to spare: differences below are not differences.
    blur = 1e-12 * (np.abs(tally.levels).max() + np.abs(error).max())
    blur_square = 2 * blur * np.sqrt(square.max())
    return (
        CellTable(n, weight, error, float(tally.ss_error.sum()), float(weight.sum() * blur**2)),
        CellTable(n, weight, square, float(tally.ss_square.sum()), float(weight.sum() * blur_square**2)),
    )
