"""Correlations among features, and of each feature with the human score or length, others held constant."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.rsm.analyses.descriptives import correlations
from assay.rsm.types import Matrix, Scores, Texts

ALL_DATA = "All data"


@dataclass(frozen=True, eq=False, slots=True)
class TargetCorrelations:
    """How each feature goes with one target on some responses: a value per feature."""

    n: int
    marginal: Scores
    partial: Scores
    """With all other features held constant."""
    without_length: Scores | None
    """With length alone held constant; None when length is not known, or is the target."""


@dataclass(frozen=True, eq=False, slots=True)
class GroupedCorrelations:
    """The correlations with one target: of all responses, and within the groups of each subgroup column."""

    target: str
    """sc1 or length, as RSMTool's files call them."""
    everyone: TargetCorrelations
    groups: Mapping[str, Mapping[str, TargetCorrelations]]
    """Column -> group -> correlations, groups in code point order."""
    merged: bool = False
    """Whether a group called "All data" stands for all responses and its own once more, as in RSMTool."""


def correlation_matrix(values: Matrix) -> Matrix:
    """Pearson's r of each pair of columns; NaN in the row and column of one that does not vary."""
    if np.isnan(values).any() or len(values) < 2:
        return np.array([correlations(values, column) for column in values.T])
    centred = values - values.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    size[np.ptp(values, axis=0) == 0] = np.nan
    matrix: Matrix = np.clip(centred.T @ centred / np.outer(size, size), -1, 1)
    np.fill_diagonal(matrix, np.where(np.isnan(size), np.nan, 1.0))
    return matrix


def partial_correlations(values: Matrix) -> Matrix:
    """The correlation of each pair of columns with all other columns held constant.

    r_ij = -P_ij / sqrt(P_ii P_jj), P the inverse covariance matrix; 1 on the diagonal

    NaN when there are more columns than rows, and for a column that does not vary. Where columns depend on each
    other, P is the Moore-Penrose inverse, as in R's ppcor. Source: RSMTool 12, partial_correlations.
    RSMTool decides by the determinant whether columns depend on each other, and so by the unit of measurement; we
    decide by the eigenvalues of the correlation matrix. Where they do not depend, both inverses are the same.

    >>> values = np.array([[1, 1.2, 3], [2, 2.1, 1], [3, 3.6, 4], [4, 4.2, 1], [3, 2.9, 5], [2, 2.5, 9.0]])
    >>> partial_correlations(values).round(3)[0].tolist()
    [1.0, 0.975, -0.437]
    """
    rows, columns = values.shape
    if columns > rows or rows < 2:
        correlations = np.full((columns, columns), np.nan)
    else:
        inverse = _inverse(np.atleast_2d(np.cov(values, rowvar=False)))
        flat = np.ptp(values, axis=0) == 0
        root = np.sqrt(np.where(flat, np.nan, np.maximum(inverse.diagonal(), 0)))
        with np.errstate(divide="ignore", invalid="ignore"):
            correlations = -inverse / np.outer(root, root)
    np.fill_diagonal(correlations, 1.0)
    return correlations


def _inverse(covariance: Matrix) -> Matrix:
    sd = np.sqrt(covariance.diagonal())
    if np.all(sd > 0):
        scaled = covariance / np.outer(sd, sd)
        values = np.linalg.eigvalsh(scaled)
        if values[0] > len(sd) * 1e-13 * values[-1]:
            return np.asarray(np.linalg.inv(scaled) / np.outer(sd, sd))
    return np.asarray(np.linalg.pinv(covariance, hermitian=True))


def grouped_correlations(
    values: Matrix,
    target: Scores,
    groups: Mapping[str, Texts],
    *,
    name: str,
    length: Scores | None = None,
    merge_all_data: bool = False,
) -> GroupedCorrelations:
    """The correlations of each feature with the target, of all responses and within each group.

    A response whose group is not known (None) counts among all responses only. With `merge_all_data` a group called
    "All data" is merged with all responses, so that its own count twice: a defect of RSMTool.
    """
    everyone = np.arange(len(target))
    by_column: dict[str, dict[str, TargetCorrelations]] = {}
    for column, texts in groups.items():
        by_column[column] = {}
        for group in sorted({str(text) for text in texts if text is not None}):
            members = everyone[texts == group]
            if merge_all_data and group == ALL_DATA:
                members = np.concatenate([everyone, members])
            part = target_correlations(values[members], target[members], None if length is None else length[members])
            by_column[column][group] = part
    return GroupedCorrelations(name, target_correlations(values, target, length), by_column, merge_all_data)


def target_correlations(values: Matrix, target: Scores, length: Scores | None = None) -> TargetCorrelations:
    """The three correlations of each feature with the target."""
    partial = partial_correlations(np.column_stack([values, target]))[-1, :-1]
    return TargetCorrelations(
        n=len(target),
        marginal=correlations(values, target),
        partial=partial,
        without_length=None if length is None else _without(values, target, length),
    )


def _without(values: Matrix, target: Scores, other: Scores) -> Scores:
    return np.array([partial_correlations(np.column_stack([column, target, other]))[0, 1] for column in values.T])
