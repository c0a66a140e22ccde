"""Responses scored by the model of an experiment: a table of features in, `ScoredResponses` out."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.execution.executor import Executor
from assay.io.models.feature_model import find_feature_model
from assay.io.rsm.configuration.configs import RsmPredictConfig
from assay.io.rsm.read import CANDIDATE, HUMAN, ID, SECOND, ResponseFile, Roles, named_columns, response_file
from assay.io.rsm.rows import chosen_columns, feature_frame, scored
from assay.io.rsm.table import printed_booleans, read_rsm_table
from assay.rsm.feature_model import FeatureModel, Predicted, predict
from assay.rsm.types import Matrix, Scores

ROWS_AT_ONCE = 20_000
"""Responses handed out together. Fixed, whatever the number of workers, so that results do not depend on it."""


@dataclass(frozen=True, eq=False, slots=True)
class ScoredResponses:
    """The scores of a table of responses, or of a part of it."""

    scores: pl.DataFrame
    """Ids, the six forms of the score, and what was asked for of the input."""
    features: pl.DataFrame
    """The features as the model saw them."""
    excluded: pl.DataFrame
    """Responses that could not be scored."""

    def __len__(self) -> int:
        return self.scores.height + self.excluded.height


def score_responses(
    config: RsmPredictConfig,
    model: FeatureModel,
    span: tuple[int, int] | None = None,
    *,
    raw: Callable[[FeatureModel, Matrix], Scores] = FeatureModel.raw,
) -> ScoredResponses:
    """The scores of all responses by a model that was read before, or of so many from a first one: none, perhaps.

    `raw` works out the raw scores of prepared features: here, or spread over many.
    """
    table = read_rsm_table(config.input_features_file, span)
    scored_by_people = config.human_score_column != HUMAN or HUMAN in table.frame.columns
    roles = Roles(
        config.id_column,
        config.human_score_column if scored_by_people else None,
        second=config.second_human_score_column,
        candidate=config.candidate_column,
        subgroups=config.subgroups,
        flags=config.flag_column,
    )
    table.require(roles.required(), ids=roles.id)
    rows = named_columns(table, roles, model.names, groups_as_written=True)
    file = response_file(rows, replace(roles, flags=None), model.names, source=table.source.name)
    predicted = predict(model, file.table, raw=raw, part=span is not None)
    frame = file.frame[predicted.table.places]
    scores = scored(predicted.table, predicted.variants, human=False)
    prepared = feature_frame(predicted.table.with_features(model.names), predicted.preprocessed, human=False)
    if roles.human:
        scores = scores.insert_column(2, frame.get_column(HUMAN))
        prepared = prepared.with_columns(frame.get_column(HUMAN))
    copied = [*roles.subgroups, *(roles.flags or ())]
    copied += [CANDIDATE] if roles.candidate else []
    copied += [SECOND] if roles.second else []
    columns = [frame.get_column(name) for name in copied if name not in scores.columns]
    return ScoredResponses(scores.with_columns(columns), prepared, _excluded(file, predicted, roles))


def stored_model(config: RsmPredictConfig) -> FeatureModel:
    """The model of the experiment, with what the configuration says otherwise.

    RSMTool forgets whether features were standardised and truncated, so it must be told; our models know.
    """
    model = find_feature_model(config.experiment_dir, config.experiment_id)
    options = {"standardize": config.standardize_features, "truncate": config.truncate_outliers}
    options |= {"compat": config.compat or None}
    preparation = replace(model.preparation, **{name: value for name, value in options.items() if value is not None})
    fitted, parameters = model.model, model.parameters
    if config.predict_expected_scores and not fitted.expected:
        if not fitted.points or not hasattr(fitted.estimator, "predict_proba"):
            problem = f"{fitted.name} gives no probabilities of score points, so there are no expected scores"
            remedy = "Leave out predict_expected_scores, or train a classifier with probabilities."
            raise InputError(problem, field="predict_expected_scores", remedy=remedy)
        fitted = replace(fitted, expected=True)
    if config.compat:  # RSMTool forgets the bounds of features, too
        fitted = replace(fitted, expected=config.predict_expected_scores)
        parameters = tuple(replace(parameter, low=None, high=None) for parameter in parameters)
    return replace(model, preparation=preparation, model=fitted, parameters=parameters)


def _excluded(file: ResponseFile, predicted: Predicted, roles: Roles) -> pl.DataFrame:
    """Responses that could not be scored. A feature after the first one missing is given as it was written."""
    places, table = predicted.left_out, file.table
    rows, values = file.frame[places], table.matrix[places]
    missing = ~np.isfinite(values)
    first = np.where(missing.any(axis=1), np.argmax(missing, axis=1), len(table.names))
    columns = []
    for number, name in enumerate(table.names):
        numbers = pl.Series(name, np.ascontiguousarray(values[:, number])).fill_nan(None)
        written = rows.get_column(name)
        if written.dtype in (pl.String, pl.Boolean):
            words = printed_booleans(written) if written.dtype == pl.Boolean else written
            numbers = numbers.cast(pl.String).zip_with(pl.Series(first >= number), words)
        columns.append(numbers)
    names = [*table.names, *([HUMAN] if roles.human else [])]
    return chosen_columns(rows.with_columns(columns), [ID, *sorted(names)])


def spread_raw(executor: Executor, model: FeatureModel, matrix: Matrix) -> Scores:
    """The raw scores of prepared features, by an executor; those of a line are worked out here, sooner than sent."""
    if model.model.linear:
        return model.raw(matrix)
    chunks = (matrix[first : first + ROWS_AT_ONCE] for first in range(0, len(matrix), ROWS_AT_ONCE))
    return np.concatenate(list(executor.map_ordered(_raw_scores, chunks, model)))


def _raw_scores(matrix: Matrix, model: FeatureModel) -> Scores:
    """What a worker does."""
    return model.raw(matrix)
