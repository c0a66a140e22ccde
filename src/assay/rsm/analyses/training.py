"""FRONT DOOR `analyse_training`: features of training responses -> `TrainingAnalyses`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.rsm.analyses.boxes import FeatureBoxes, feature_boxes
from assay.rsm.analyses.correlations import GroupedCorrelations, correlation_matrix, grouped_correlations
from assay.rsm.analyses.descriptives import (
    Descriptives,
    Outliers,
    Percentiles,
    feature_descriptives,
    feature_outliers,
    feature_percentiles,
)
from assay.rsm.analyses.functioning import GroupFunctioning, feature_functioning
from assay.rsm.types import Matrix, Scores, Texts


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
        whole = self.eigenvalues.sum()
        return self.eigenvalues / (whole if whole > 0 else np.nan)


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


MOST_FEATURES = 150
"""With more features boxes and differential functioning by group are left out, as in RSMTool's report."""


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
    groups = groups or {}
    names = tuple(features)
    targets = human[:, None] if length is None else np.column_stack([human, length])
    few = len(names) <= MOST_FEATURES
    return TrainingAnalyses(
        features=names,
        descriptives=feature_descriptives(original, human, small_is_zero=small_is_zero),
        percentiles=feature_percentiles(original),
        outliers=feature_outliers(original),
        with_length=length is not None,
        original=correlation_matrix(np.column_stack([original, targets])),
        processed=correlation_matrix(np.column_stack([preprocessed, targets])),
        with_score=grouped_correlations(
            preprocessed, human, groups, name="sc1", length=length, merge_all_data=merge_all_data
        ),
        with_length_alone=None
        if length is None
        else grouped_correlations(preprocessed, length, groups, name="length", merge_all_data=merge_all_data),
        components=principal_components(preprocessed),
        boxes={column: feature_boxes(names, original, column, texts) for column, texts in groups.items() if few},
        functioning={
            column: feature_functioning(names, preprocessed, human, column, texts)
            for column, texts in groups.items()
            if few
        },
    )
