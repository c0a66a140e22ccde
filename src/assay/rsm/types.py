"""What an experiment on feature tables is made of: `FeatureTable` in, `Experiment` out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError
from assay.scale import TRIM_TOLERANCE

Missing = Literal["drop", "mean", "median", "zero"]
"""What to do about a missing feature value: leave the response out, or fill in a value learned in training, or 0."""
Scores = NDArray[np.float64]
Matrix = NDArray[np.float64]
"""(responses, features)."""
Texts = NDArray[np.object_]
"""A text per response; None where there is none."""
FLAGGED = "flagged"
NO_HUMAN = "no human score"
ZERO_HUMAN = "human score 0"
NO_FEATURE = "a feature that is no number"
FEW_ITEMS = "too few responses of the candidate"
REASONS = (FLAGGED, NO_HUMAN, ZERO_HUMAN, NO_FEATURE, FEW_ITEMS)
"""Why a response is left out, in the order they are looked at: a response counts under the first that holds."""


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


@dataclass(frozen=True, eq=False, slots=True)
class FeatureTable:
    """Responses with their features and what else is known about them, a row each."""

    ids: Texts
    names: tuple[str, ...]
    """The features, in the order of the columns of `matrix`."""
    matrix: Matrix
    """(responses, features); NaN where a cell holds no number."""
    human: Scores
    """NaN where there is no human score."""
    second: Scores | None = None
    """Scores of a second rater; NaN where there is none."""
    length: Scores | None = None
    candidate: Texts | None = None
    """Who wrote the response."""
    groups: Mapping[str, Texts] = field(default_factory=dict)
    """Subgroup column -> the group of each response; None where it is not known at all."""
    flagged: NDArray[np.bool_] | None = None
    """Responses that a flag column rules out."""
    rows: NDArray[np.int64] | None = None
    """The place of each response in the table it was read from; None: they are all of that table, in order."""

    def __post_init__(self) -> None:
        if self.matrix.shape != (len(self.ids), len(self.names)):
            problem = f"expected {len(self.names)} features of {len(self.ids)} responses, got {self.matrix.shape}"
            raise InputError(problem, field="matrix")
        columns = (self.human, self.second, self.length, self.candidate, self.flagged, *self.groups.values())
        for array in (self.ids, self.matrix, *columns, self.rows):
            if array is not None:
                if len(array) != len(self.ids):
                    raise InputError(f"expected {len(self.ids)} values, one per response, got {len(array)}")
                array.flags.writeable = False

    @classmethod
    def of(
        cls,
        features: Mapping[str, ArrayLike],
        human: ArrayLike | None = None,
        *,
        ids: Sequence[object] | None = None,
        second: ArrayLike | None = None,
        length: ArrayLike | None = None,
        candidate: Sequence[object] | None = None,
        groups: Mapping[str, Sequence[object]] | None = None,
    ) -> "FeatureTable":
        """A table from columns at hand: feature -> its values, a number per response. Columns are copied.

        Without ids responses are numbered from 1; without human scores they can be scored, but not trained on.

        >>> table = FeatureTable.of({"grammar": [0.1, 0.4], "length": [210, 180]}, human=[3, 4])
        >>> table.names, table.ids.tolist(), table.matrix.tolist()
        (('grammar', 'length'), ['1', '2'], [[0.1, 210.0], [0.4, 180.0]])
        """
        columns = [_numbers(name, values) for name, values in features.items()]
        if not columns:
            raise InputError("a table of features needs at least one feature", field="features")
        count = len(columns[0])
        if any(len(column) != count for column in columns):
            lengths = ", ".join(f"{name} {len(column)}" for name, column in zip(features, columns, strict=True))
            problem = f"features must have a value for each response, but they have: {lengths}"
            raise InputError(problem, field="features")
        return cls(
            ids=_texts(range(1, count + 1) if ids is None else ids),
            names=tuple(features),
            matrix=np.column_stack(columns),
            human=np.full(count, np.nan) if human is None else _numbers("human", human),
            second=None if second is None else _numbers("second", second),
            length=None if length is None else _numbers("length", length),
            candidate=None if candidate is None else _texts(candidate),
            groups={name: _texts(values) for name, values in (groups or {}).items()},
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def places(self) -> NDArray[np.int64]:
        """The place of each response in the table it was read from."""
        return np.arange(len(self), dtype=np.int64) if self.rows is None else self.rows

    def where(self, keep: NDArray[np.bool_] | NDArray[np.int64]) -> "FeatureTable":
        """Some of the responses: those marked, or those at the places given."""
        optional = ("second", "length", "candidate", "flagged")
        columns: dict[str, Any] = {name: getattr(self, name) for name in optional if getattr(self, name) is not None}
        columns |= {"ids": self.ids, "matrix": self.matrix, "human": self.human, "rows": self.places}
        groups = {name: values[keep] for name, values in self.groups.items()}
        return replace(self, groups=groups, **{name: column[keep] for name, column in columns.items()})

    def column(self, name: str) -> Scores:
        return np.asarray(self.matrix[:, self.names.index(name)])

    def with_features(self, names: tuple[str, ...]) -> "FeatureTable":
        """The same responses with some of the features."""
        places = [self.names.index(name) for name in names]
        return replace(self, names=names, matrix=self.matrix[:, places])


def _numbers(name: str, values: ArrayLike) -> Scores:
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise InputError(f"{name} must hold numbers, NaN where there is none: {problem}", field=name) from problem
    if numbers.ndim != 1:
        raise InputError(f"{name} must hold one number per response, got an array of shape {numbers.shape}", field=name)
    return numbers


def _texts(values: Iterable[object]) -> Texts:
    return np.array([None if value is None else str(value) for value in values], dtype=object)


@dataclass(frozen=True, eq=False, slots=True)
class Partition:
    """The training or the evaluation responses: what was read, what is used, and how the used ones look to a model."""

    read: FeatureTable
    """Every response, left out or not; features as they came."""
    reasons: NDArray[np.int8]
    """For each response read the number of its reason in `REASONS`, -1 when it is used."""
    used: FeatureTable
    """The responses that are used, with the features in use as they came."""
    preprocessed: Matrix
    """(used responses, features in use) after truncation, transformation, standardisation and sign."""
    filled: int = 0
    """How many feature values were missing and filled in."""

    def left_out(self) -> dict[str, int]:
        """How many responses were left out why."""
        counts = np.bincount(self.reasons[self.reasons >= 0], minlength=len(REASONS))
        return {reason: int(count) for reason, count in zip(REASONS, counts, strict=True) if count}
