"""`ExperimentPlan`: what an experiment on a feature table is to do, settled before the first response is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.scale import TRIM_TOLERANCE

Missing = Literal["drop", "mean", "median", "zero"]
"""What to do about a missing feature value: leave the response out, or fill in a value learned in training, or 0."""


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """How the user wants one feature to be prepared."""

    feature: str
    transform: str = "raw"
    sign: float = 1.0
    low: float | None = None
    """Values below are raised to it; None: four standard deviations below the mean."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """The choices that bear on the figures. Names and defaults follow RSMTool's configuration."""

    model: str = "LinearRegression"
    features: tuple[FeatureSpec, ...] | None = None
    """The features asked for by name; None: every feature of the table that varies."""
    select_transformations: bool = False
    signs: Mapping[str, float] = field(default_factory=dict)
    """Expected sign of features whose transformation is chosen; 1 where nothing is said."""
    standardize_features: bool = True
    truncate_outliers: bool = True
    exclude_zero_scores: bool = True
    min_items_per_candidate: int = 0
    missing: Missing = "drop"
    trim_min: float | None = None
    """None: the lowest human score in training."""
    trim_max: float | None = None
    trim_tolerance: float = TRIM_TOLERANCE
    use_scaled_predictions: bool = False
    predict_expected_scores: bool = False
    objective: str | None = None
    """What grid search makes best; None: least mean squared error, or for classifiers the most exact hits."""
    fixed_parameters: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the scikit-learn estimator that grid search leaves alone."""
    grid_search_jobs: int = 1
    rater_error_variance: float | None = None
    compat: bool = False
    """Reproduce RSMTool's defects that change numbers."""
