"""FRONT DOORS `explain_responses`, `explain_model`: a trained model, responses, a background -> `Explanation`."""

import numpy as np

from assay.errors import InputError
from assay.rsm.experiment import predict
from assay.rsm.explain.estimators import line_of, linear_shares, trees_of
from assay.rsm.explain.explanation import Background, Explanation, Method
from assay.rsm.explain.sampled import ROUNDS, Tick, sampled_shares
from assay.rsm.explain.trees import TreeSum, tree_shares
from assay.rsm.feature_model import FeatureModel
from assay.rsm.learners.fitted import FittedModel
from assay.rsm.types import FeatureTable, Matrix, Scores, Texts

CHECKED = 200
"""Background responses on which a model that was taken apart must give the scores of the whole."""


def explain_responses(
    model: FeatureModel, table: FeatureTable, background: FeatureTable, *, seed: int = 0
) -> Explanation:
    """The share of each feature in the raw score of each response, from features as they come.

    Responses that cannot be scored are left out, of both tables; `seed` matters only where shares are sampled.
    """
    explained, compared = predict(model, table), predict(model, background)
    columns = model.model.columns_of(model.names)
    return explain_model(
        model.model,
        explained.table.ids,
        explained.preprocessed[:, columns],
        Background.of(compared.preprocessed[:, columns]),
        rng=np.random.default_rng(seed),
    )


def explain_model(
    model: FittedModel,
    ids: Texts,
    matrix: Matrix,
    background: Background,
    *,
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    tick: Tick | None = None,
) -> Explanation:
    """The share of each feature in each raw score. Features are prepared, in the order of `model.features`.

    Exact for linear models and for trees, forests and boosted trees; sampled, with a standard error, for any other.
    A model is only called linear or trees when its parts give the very scores of the whole.
    """
    if not len(matrix):
        raise InputError("there is no response to explain", field="explain_data")
    parts = coefficients_of(model, background) if not model.points else None
    trees = trees_in(model, background) if parts is None and not model.points else None
    errors = None
    method: Method
    if parts is not None:
        method, values = "linear", linear_shares(parts, matrix, background)
    elif trees is not None:
        method, values = "trees", tree_shares(trees, matrix, background)
    else:
        method = "sampled"
        values, errors = sampled_shares(model.predict, matrix, background, rng=rng, rounds=rounds, tick=tick)
    return Explanation(
        ids=ids,
        features=model.features,
        matrix=matrix,
        values=values,
        base=float(background.weights @ model.predict(background.matrix)),
        predictions=model.predict(matrix),
        method=method,
        errors=errors,
        backgrounds=len(background.matrix),
    )


def coefficients_of(model: FittedModel, background: Background) -> Scores | None:
    """The coefficients of a linear model; None when it is not linear."""
    if model.coefficients is not None:
        return model.coefficients
    line = line_of(model.estimator, len(model.features))
    if line is None:
        return None
    rows = background.matrix[:CHECKED]
    rest = model.predict(rows) - rows @ line
    return line if _same(rest, np.full(len(rest), rest[0])) else None


def trees_in(model: FittedModel, background: Background) -> TreeSum | None:
    """The trees of a model; None when it is no sum of trees."""
    trees = trees_of(model.estimator)
    rows = background.matrix[:CHECKED]
    return trees if trees is not None and _same(trees.predict(rows), model.predict(rows)) else None


def _same(one: Scores, other: Scores) -> bool:
    return bool(np.allclose(one, other, rtol=1e-7, atol=1e-9))
