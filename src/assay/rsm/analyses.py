"""FRONT DOOR `analyse_training`: features of training responses -> `TrainingAnalyses`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import stdtrit

from assay.metrics.least_squares import CellTable, fit_additive
from assay.rsm import descriptives
from assay.rsm.descriptives import Descriptives, FeatureBoxes, Outliers, Percentiles, correlations, feature_boxes
from assay.rsm.types import Matrix, Scores, Texts

ALL_DATA = "All data"
FEW = 2
"""Fewer responses have no interval."""
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


@dataclass(frozen=True, slots=True)
class MeanAtScore:
    """The mean of a feature among responses of one group with one human score; NaN ends without an interval."""

    score: float
    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Functioning:
    """One feature in one group.

    `difference` says how much higher the feature is in the group than among the others at the same human scores, in
    units of the prepared feature (standard deviations when features are standardised).
    """

    feature: str
    group: str
    n: int
    difference: float
    low: float
    high: float
    p: float
    means: tuple[MeanAtScore, ...]


@dataclass(frozen=True, slots=True)
class GroupFunctioning:
    """The features in the groups of one column."""

    column: str
    groups: tuple[str, ...]
    everyone: tuple[Functioning, ...]
    """Per feature all responses together; their difference is undefined."""
    parts: tuple[Functioning, ...]
    """Per feature each group."""


def feature_functioning(
    names: Sequence[str], values: Matrix, human: Scores, column: str, texts: Texts
) -> GroupFunctioning:
    """How each feature goes with the human score within each group of a column.

    The difference d of a group is the coefficient of its dummy in feature ~ 1 + score point + group, by least
    squares, with its t interval: score points are dummies, so nothing is assumed about the shape of the line.
    NaN when no other response shares a score with the group. RSMTool draws the means alone, with bootstrapped
    intervals; ours are t intervals, and d is our addition. Compare Penfield (2016), Fairness in test scoring.
    """
    groups = tuple(sorted({str(text) for text in texts if text is not None}))
    number = {group: i for i, group in enumerate(groups)}
    codes = np.array([number.get(text, len(groups)) for text in texts])  # the last stands for no known group
    levels, places = np.unique(human, return_inverse=True)
    shape = (len(levels), len(groups) + 1)
    cell = places * shape[1] + codes
    everyone, parts = [], []
    for name, feature in zip(names, values.T, strict=True):
        centre = float(feature.mean())
        centred = feature - centre
        # how many responses each score (rows) has in each group (columns), and their sum and squares
        cells = [
            np.bincount(cell, weights, minlength=shape[0] * shape[1]).astype(float).reshape(shape)
            for weights in (None, centred, centred**2)
        ]
        rounding = len(feature) * (np.finfo(float).eps * max(float(np.abs(feature).max()), 1e-300)) ** 2
        every = np.ones(shape[1], dtype=bool)
        whole = _Column(centre, *(part[:, every].sum(axis=1) for part in cells))
        everyone.append(Functioning(name, "", len(human), np.nan, np.nan, np.nan, np.nan, whole.means(levels)))
        for group, place in number.items():
            own, others = (
                _Column(centre, *(part[:, chosen].sum(axis=1) for part in cells))
                for chosen in (np.arange(shape[1]) == place, np.arange(shape[1]) != place)
            )
            figures = _difference(own, others, rounding)
            parts.append(Functioning(name, group, int(own.n.sum()), *figures, own.means(levels)))
    return GroupFunctioning(column, groups, tuple(everyone), tuple(parts))


@dataclass(frozen=True, eq=False, slots=True)
class _Column:
    """Some responses at each human score: how many, sum and squares of a centred feature."""

    centre: float
    n: Scores
    total: Scores
    squares: Scores

    @property
    def mean(self) -> Scores:
        return np.divide(self.total, self.n, out=np.zeros_like(self.total), where=self.n > 0)

    @property
    def within(self) -> Scores:
        """Squares about the mean at each score."""
        return np.maximum(self.squares - self.n * self.mean**2, 0)

    def means(self, levels: Scores) -> tuple[MeanAtScore, ...]:
        means_at = []
        for level, n, mean, ss in zip(levels, self.n, (self.mean + self.centre).tolist(), self.within, strict=True):
            if n:
                reach = float(stdtrit(n - 1, 0.975) * np.sqrt(ss / (n - 1) / n)) if n >= FEW else np.nan
                means_at.append(MeanAtScore(float(level), int(n), mean, mean - reach, mean + reach))
        return tuple(means_at)


def _difference(own: _Column, others: _Column, rounding: float) -> tuple[float, float, float, float]:
    """A group against the others at equal scores, its interval and p; NaN when they share no score."""
    if not ((own.n > 0) & (others.n > 0)).any():
        return np.nan, np.nan, np.nan, np.nan
    weight, mean = (np.column_stack(pair) for pair in ((others.n, own.n), (others.mean, own.mean)))
    within = float(own.within.sum() + others.within.sum())
    fit = fit_additive(CellTable(float(weight.sum()), weight, mean, within, rounding))
    p, low, high = fit.t_tests()
    return float(fit.estimates[-1]), float(low[-1]), float(high[-1]), float(p[-1])


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
