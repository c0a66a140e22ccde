"""Shares of features: against Shapley's formula written out, and against what they must add up to."""

from collections.abc import Callable
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from assay.errors import InputError
from assay.rsm.explain import Background, Explanation, cluster_centres, explain_model, sampled_shares
from assay.rsm.learners.fitted import FittedModel, takes_sparse
from assay.rsm.types import Matrix, Scores

RNG = np.random.default_rng(20240501)
FEATURES = ("length", "errors", "words", "style")
ROWS = RNG.normal(size=(150, 4))
HUMAN = 3 + ROWS @ [0.8, -0.5, 0.3, 0.0] + 0.4 * ROWS[:, 0] * ROWS[:, 1] + RNG.normal(size=150) * 0.3
BACKGROUND = Background.of(ROWS[:25], RNG.uniform(0.5, 1.5, 25))
EXPLAINED = ROWS[100:106]


def shapley(predict: Callable[[Matrix], Scores], row: Scores, background: Background) -> Scores:
    """Shapley's formula: the change each feature makes to every set of others, weighted by its orders."""
    count = len(row)

    def worth(features: tuple[int, ...]) -> float:
        mixed = background.matrix.copy()
        mixed[:, list(features)] = row[list(features)]
        return float(background.weights @ predict(mixed))

    shares = np.zeros(count)
    for i in range(count):
        others = [j for j in range(count) if j != i]
        for size in range(count):
            weight = factorial(size) * factorial(count - size - 1) / factorial(count)
            for chosen in combinations(others, size):
                shares[i] += weight * (worth((*chosen, i)) - worth(chosen))
    return shares


def fitted(estimator: Any) -> FittedModel:
    """Trained on the kind of matrix `FittedModel` gives it to score."""
    rows = csr_matrix(ROWS) if takes_sparse(estimator) else ROWS
    return FittedModel(type(estimator).__name__, FEATURES, estimator=estimator.fit(rows, HUMAN))


def explained(model: FittedModel, rounds: int = 100) -> Explanation:
    ids = np.array([f"r{i}" for i in range(len(EXPLAINED))], dtype=object)
    return explain_model(model, ids, EXPLAINED, BACKGROUND, rng=np.random.default_rng(1), rounds=rounds)


def tree_models() -> list[Any]:
    from lightgbm import LGBMRegressor
    from sklearn.ensemble import (
        ExtraTreesRegressor,
        GradientBoostingRegressor,
        HistGradientBoostingRegressor,
        RandomForestRegressor,
    )
    from sklearn.tree import DecisionTreeRegressor

    return [
        DecisionTreeRegressor(max_depth=5, random_state=1),
        DecisionTreeRegressor(random_state=1),
        RandomForestRegressor(n_estimators=7, random_state=1),
        ExtraTreesRegressor(n_estimators=5, random_state=1),
        GradientBoostingRegressor(n_estimators=15, random_state=1),
        HistGradientBoostingRegressor(max_iter=10, random_state=1),
        LGBMRegressor(n_estimators=10, verbose=-1, n_jobs=1, random_state=1),
    ]


@pytest.mark.parametrize("number", range(7))
def test_the_shares_of_trees_are_those_of_shapleys_formula(number: int) -> None:
    model = fitted(tree_models()[number])

    found = explained(model)

    assert found.method == "trees"
    assert found.errors is None
    for row, shares in zip(EXPLAINED, found.values, strict=True):
        assert shares == pytest.approx(shapley(model.predict, row, BACKGROUND), abs=1e-9)


def test_the_shares_of_a_line_are_those_of_shapleys_formula() -> None:
    model = FittedModel("LinearRegression", FEATURES, 3.0, np.array([0.8, -0.5, 0.3, 0.0]))

    found = explained(model)

    assert found.method == "linear"
    for row, shares in zip(EXPLAINED, found.values, strict=True):
        assert shares == pytest.approx(shapley(model.predict, row, BACKGROUND), abs=1e-12)
    assert (found.values[:, 3] == 0).all()


def test_a_linear_estimator_is_explained_by_its_coefficients() -> None:
    from sklearn.linear_model import Ridge

    model = fitted(Ridge())

    assert explained(model).method == "linear"


def test_an_estimator_that_only_looks_linear_is_sampled() -> None:
    class Squared:
        coef_ = np.ones(4)

        def predict(self, rows: Any) -> Scores:
            dense = np.asarray(rows.todense()) if hasattr(rows, "todense") else rows
            return np.asarray((dense**2).sum(axis=1)).ravel()

    assert explained(FittedModel("Squared", FEATURES, estimator=Squared())).method == "sampled"


def test_sampled_shares_come_as_close_as_their_standard_error_says() -> None:
    from sklearn.svm import SVR

    model = fitted(SVR(C=2.0))

    found = explained(model, rounds=400)

    assert found.method == "sampled"
    assert found.errors is not None
    true = np.array([shapley(model.predict, row, BACKGROUND) for row in EXPLAINED])
    off = np.abs(found.values - true) / found.errors
    assert off.max() < 5
    assert np.mean(off < 2) > 0.85
    assert found.errors.max() < 0.05


@pytest.mark.parametrize("number", [0, 3, 5])
def test_base_value_and_shares_add_up_to_the_score(number: int) -> None:
    from sklearn.neighbors import KNeighborsRegressor

    for model in (fitted(tree_models()[number]), fitted(KNeighborsRegressor())):
        found = explained(model, rounds=10)
        assert found.base + found.values.sum(axis=1) == pytest.approx(found.predictions)
        assert found.predictions == pytest.approx(model.predict(EXPLAINED))


def test_the_same_seed_draws_the_same_shares() -> None:
    def predict(rows: Matrix) -> Scores:
        return np.asarray(np.maximum(rows[:, 0], rows[:, 1]))

    one, other = (
        sampled_shares(predict, EXPLAINED, BACKGROUND, rng=np.random.default_rng(7), rounds=5) for _ in range(2)
    )

    assert np.array_equal(one[0], other[0])


def test_cluster_centres_keep_the_mean_of_the_responses() -> None:
    found = cluster_centres(ROWS, 12, rng=np.random.default_rng(3))

    assert len(found.matrix) <= 12
    assert found.weights.sum() == pytest.approx(1)
    assert found.weights @ found.matrix == pytest.approx(ROWS.mean(axis=0))


def test_no_response_and_no_background_are_refused() -> None:
    model = FittedModel("LinearRegression", FEATURES, 3.0, np.ones(4))
    with pytest.raises(InputError, match="no response to explain"):
        explain_model(model, np.array([], dtype=object), np.empty((0, 4)), BACKGROUND, rng=RNG)
    with pytest.raises(InputError, match="no background response"):
        Background.of(np.empty((0, 4)))
