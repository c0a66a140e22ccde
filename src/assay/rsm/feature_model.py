"""`FeatureModel`: a trained model with all that is needed to score a response from its raw features."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.rsm.learners.fitted import FittedModel
from assay.rsm.postprocess import Postprocessing
from assay.rsm.preprocess import FeatureParameters, Preparation, prepared
from assay.rsm.types import FeatureTable, Matrix, Scores


@dataclass(frozen=True, eq=False, slots=True)
class FeatureModel:
    """How features are prepared, the model, and what becomes of its raw scores."""

    parameters: tuple[FeatureParameters, ...]
    preparation: Preparation
    model: FittedModel
    postprocessing: Postprocessing
    trained_on: Mapping[str, str | int | float] = field(default_factory=dict)
    """What the model was trained on: name of the table, its digest, responses, the date."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.feature for parameter in self.parameters)

    def prepared(self, table: FeatureTable) -> Matrix:
        """The features of the model, prepared; NaN or infinite where a response has no value."""
        columns = [table.names.index(name) for name in self.names]
        return prepared(table.matrix[:, columns], self.parameters, self.preparation, strict=False)

    def raw(self, matrix: Matrix) -> Scores:
        """Raw scores from prepared features, columns in the order of `names`."""
        return self.model.predict(matrix[:, self.model.columns_of(self.names)])

    def forms(self, matrix: Matrix) -> Mapping[str, Scores]:
        """The six forms of the score."""
        return self.postprocessing.forms(self.raw(matrix))


@dataclass(frozen=True, eq=False, slots=True)
class Predicted:
    """Responses scored by a model."""

    table: FeatureTable
    """The responses that could be scored, in the order of the input."""
    preprocessed: Matrix
    forms: Mapping[str, Scores]
    left_out: NDArray[np.int64]
    """Places in the input of responses without a usable feature value, by the first such feature."""
    filled: int = 0
    """How many feature values were missing and filled in."""
