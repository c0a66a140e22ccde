"""Box plots of features by group, as figures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.rsm.analyses.descriptives import FAR_IN_SDS
from assay.rsm.types import Matrix, Scores, Texts

MOST_OUTLIERS = 40
"""More points beyond the whiskers are not drawn one by one; the most distant stay."""


@dataclass(frozen=True, slots=True)
class BoxFigures:
    """The values of one feature in one group.

    The box reaches from the first to the third quartile, the whiskers to the last value within 1.5 box lengths of
    it; values beyond are outliers. Source: Tukey (1977), Exploratory Data Analysis.
    """

    group: str
    n: int
    low: float
    first: float
    median: float
    third: float
    high: float
    outliers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FeatureBoxes:
    """One feature: all responses first, then the groups of a column."""

    feature: str
    column: str
    boxes: tuple[BoxFigures, ...]
    truncated_below: float
    """Four standard deviations below the mean of all responses: where values are truncated."""
    truncated_above: float


def feature_boxes(names: Sequence[str], values: Matrix, column: str, texts: Texts) -> tuple[FeatureBoxes, ...]:
    """A set of boxes per feature. RSMTool takes mean and sd from the responses counted twice; we count them once."""
    groups = sorted({str(text) for text in texts if text is not None})
    members = {group: np.flatnonzero(texts == group) for group in groups}
    of_features = []
    for i, name in enumerate(names):
        feature = values[:, i]
        boxes = (box("All data", feature), *(box(group, feature[rows]) for group, rows in members.items()))
        present = feature[~np.isnan(feature)]
        reach = FAR_IN_SDS * float(present.std(ddof=1)) if len(present) > 1 else np.nan
        mean = float(present.mean())
        of_features.append(FeatureBoxes(name, column, boxes, mean - reach, mean + reach))
    return tuple(of_features)


def box(group: str, values: Scores) -> BoxFigures:
    """The box of some values, missing ones left aside; NaN where there is none.

    >>> found = box("A", np.array([1.0, 2.0, 3.0, 4.0, 20.0]))
    >>> found.median, found.high, found.outliers
    (3.0, 4.0, (20.0,))
    """
    values = values[~np.isnan(values)]
    if not len(values):
        return BoxFigures(group, 0, np.nan, np.nan, np.nan, np.nan, np.nan, ())
    first, median, third = (float(q) for q in np.percentile(values, [25, 50, 75]))
    reach = 1.5 * (third - first)
    within = values[(values >= first - reach) & (values <= third + reach)]
    beyond = values[(values < first - reach) | (values > third + reach)]
    furthest = beyond[np.argsort(-np.abs(beyond - median), kind="stable")][:MOST_OUTLIERS]
    outliers = tuple(float(value) for value in np.sort(furthest))
    return BoxFigures(group, len(values), float(within.min()), first, median, third, float(within.max()), outliers)
