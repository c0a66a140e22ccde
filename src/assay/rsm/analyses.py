"""FRONT DOOR `analyse_training`: features of training responses -> `TrainingAnalyses`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from assay.rsm import descriptives
from assay.rsm.descriptives import Descriptives, FeatureBoxes, Outliers, Percentiles, correlations, feature_boxes
from assay.rsm.functioning import GroupFunctioning, feature_functioning
from assay.rsm.types import Matrix, Scores, Texts

ALL_DATA = "All data"
MOST_FEATURES = 150
"""With more features boxes and differential functioning by group are left out, as in RSMTool's report."""


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
        partial = np.full((columns, columns), np.nan)
    else:
        covariance = np.atleast_2d(np.cov(values, rowvar=False))
        sd = np.sqrt(covariance.diagonal())
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = covariance / np.outer(sd, sd)
        eigenvalues = np.linalg.eigvalsh(scaled) if np.all(sd > 0) else np.zeros(1)
        if eigenvalues[0] > len(sd) * 1e-13 * eigenvalues[-1]:
            inverse = np.linalg.inv(scaled) / np.outer(sd, sd)
        else:
            inverse = np.linalg.pinv(covariance, hermitian=True)
        root = np.sqrt(np.where(np.ptp(values, axis=0) == 0, np.nan, np.maximum(inverse.diagonal(), 0)))
        with np.errstate(divide="ignore", invalid="ignore"):
            partial = -inverse / np.outer(root, root)
    np.fill_diagonal(partial, 1.0)
    return partial


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
    without_length = None
    if length is not None:
        each = (np.column_stack([column, target, length]) for column in values.T)
        without_length = np.array([partial_correlations(columns)[0, 1] for columns in each])
    partial = partial_correlations(np.column_stack([values, target]))[-1, :-1]
    return TargetCorrelations(len(target), correlations(values, target), partial, without_length)


@dataclass(frozen=True, eq=False, slots=True)
class Components:
    """The principal components of the features, the largest first."""

    loadings: Matrix
    """(features, components)."""
    eigenvalues: Scores
    """Variance along each component, over N - 1."""

    @property
    def share(self) -> Scores:
        """Share of the whole variance; NaN when nothing varies."""
        return self.eigenvalues / (self.eigenvalues.sum() or np.nan)


def principal_components(values: Matrix) -> Components:
    """As many components as there are features or responses, whichever are fewer.

    The sign of a component is arbitrary. As in the scikit-learn that RSMTool 12 uses, it is chosen so that the
    response that lies furthest along a component lies on its positive side.
    """
    centred = values - values.mean(axis=0)
    left, sizes, right = np.linalg.svd(centred, full_matrices=False)
    furthest = left[np.argmax(np.abs(left), axis=0), np.arange(left.shape[1])]
    signs = np.where(furthest < 0, -1.0, 1.0)
    return Components(right.T * signs, sizes**2 / max(len(values) - 1, 1))


@dataclass(frozen=True, eq=False, slots=True)
class TrainingAnalyses:
    """What the training responses tell about the features, apart from the model."""

    features: tuple[str, ...]
    descriptives: Descriptives
    percentiles: Percentiles
    outliers: Outliers
    with_length: bool
    original: Matrix
    """Correlations among features as they came, human score, and length if it is known; in this order."""
    processed: Matrix
    """The same of the prepared features."""
    with_score: GroupedCorrelations
    with_length_alone: GroupedCorrelations | None
    """Correlations with length."""
    components: Components
    boxes: Mapping[str, tuple[FeatureBoxes, ...]]
    """By subgroup column."""
    functioning: Mapping[str, GroupFunctioning]


def analyse_training(
    features: Sequence[str],
    original: Matrix,
    preprocessed: Matrix,
    human: Scores,
    *,
    length: Scores | None = None,
    groups: Mapping[str, Texts] | None = None,
    merge_all_data: bool = False,
    small_is_zero: bool = False,
) -> TrainingAnalyses:
    """Every analysis of the training responses.

    Descriptives, percentiles, outliers and boxes are of the features as they came; correlations with score and
    length, components and differential functioning of the prepared ones. Source: RSMTool 12, run_training_analyses.
    """
    groups, names = groups or {}, tuple(features)
    targets = human[:, None] if length is None else np.column_stack([human, length])
    drawn = groups if len(names) <= MOST_FEATURES else {}
    correlated = partial(grouped_correlations, preprocessed, groups=groups, merge_all_data=merge_all_data)
    return TrainingAnalyses(
        features=names,
        descriptives=descriptives.feature_descriptives(original, human, small_is_zero=small_is_zero),
        percentiles=descriptives.feature_percentiles(original),
        outliers=descriptives.feature_outliers(original),
        with_length=length is not None,
        original=correlation_matrix(np.column_stack([original, targets])),
        processed=correlation_matrix(np.column_stack([preprocessed, targets])),
        with_score=correlated(human, name="sc1", length=length),
        with_length_alone=None if length is None else correlated(length, name="length"),
        components=principal_components(preprocessed),
        boxes={column: feature_boxes(names, original, column, texts) for column, texts in drawn.items()},
        functioning={
            column: feature_functioning(names, preprocessed, human, column, texts) for column, texts in drawn.items()
        },
    )
