"""The estimators of scikit-learn that SKLL 5 offers, under its names: with its settings, and what it searches.

Source: SKLL 5.0.1, `skll.learner.Learner` and `skll.utils.constants`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Grid = Mapping[str, list[Any]]

SEED: dict[str, Any] = {"random_state": 123456789}
STRENGTHS = [0.01, 0.1, 1.0, 10.0, 100.0]
GAMMAS = ["auto", "scale", 0.01, 0.1, 1.0, 10.0, 100.0]
MANY_TREES = {"n_estimators": 500} | SEED
BAGS: Grid = {"max_samples": [0.1, 0.25, 0.5, 1.0], "max_features": [0.1, 0.25, 0.5, 1.0]}
NEIGHBOURS: Grid = {"n_neighbors": [1, 5, 10, 100], "weights": ["uniform", "distance"]}
PRIORS = [1e-6, 1e-4, 1e-2, 1, 10]
NETWORKS: Grid = {
    "activation": ["logistic", "tanh", "relu"],
    "alpha": [1e-4, 1e-3, 1e-2, 1e-1, 1],
    "learning_rate_init": [0.001, 0.01, 0.1],
}
DESCENTS: Grid = {"alpha": [1e-6, 1e-5, 1e-4, 1e-3, 1e-2], "penalty": ["l1", "l2", "elasticnet"]}
DESCENT = {"max_iter": 1000, "tol": 1e-3} | SEED
NETWORK = {"learning_rate": "invscaling", "max_iter": 500} | SEED


@dataclass(frozen=True, slots=True)
class Estimator:
    """One estimator: where scikit-learn keeps it, its settings, and the settings a grid search tries."""

    module: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    grid: Grid = field(default_factory=dict)
    """Empty: nothing is searched."""
    classifier: bool = False
    probabilities: bool = False
    rescaled: bool = False
    """Whether scores are given the mean and spread of the human scores and kept within their range."""


_REGRESSORS: Mapping[str, Estimator] = {
    "AdaBoostRegressor": Estimator("ensemble", MANY_TREES, {"learning_rate": STRENGTHS}),
    "BaggingRegressor": Estimator("ensemble", MANY_TREES, BAGS),
    "BayesianRidge": Estimator(
        "linear_model", {}, dict.fromkeys(("alpha_1", "alpha_2", "lambda_1", "lambda_2"), PRIORS)
    ),
    "DecisionTreeRegressor": Estimator("tree", SEED, {"max_features": ["sqrt", None]}),
    "DummyRegressor": Estimator("dummy"),
    "ElasticNet": Estimator("linear_model", SEED, {"alpha": STRENGTHS}),
    "GradientBoostingRegressor": Estimator("ensemble", MANY_TREES, {"max_depth": [1, 3, 5]}),
    "HistGradientBoostingRegressor": Estimator(
        "ensemble",
        SEED,
        {
            "loss": ["squared_error", "absolute_error", "poisson"],
            "learning_rate": [0.01, 0.1, 1.0],
            "min_samples_leaf": [10, 20, 40],
        },
    ),
    "HuberRegressor": Estimator(
        "linear_model",
        {},
        {"epsilon": [1.05, 1.35, 1.5, 2.0, 2.5, 5.0], "alpha": [1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000]},
    ),
    "KNeighborsRegressor": Estimator("neighbors", {}, NEIGHBOURS),
    "Lars": Estimator("linear_model"),
    "Lasso": Estimator("linear_model", SEED, {"alpha": STRENGTHS}),
    "LinearSVR": Estimator("svm", {"dual": "auto"} | SEED, {"C": STRENGTHS}),
    "MLPRegressor": Estimator("neural_network", NETWORK, NETWORKS),
    "RANSACRegressor": Estimator("linear_model", {"loss": "squared_error"} | SEED),
    "RandomForestRegressor": Estimator("ensemble", MANY_TREES, {"max_depth": [1, 5, 10, None]}),
    "Ridge": Estimator("linear_model", SEED, {"alpha": STRENGTHS}),
    "SGDRegressor": Estimator("linear_model", DESCENT, DESCENTS),
    "SVR": Estimator("svm", {"cache_size": 1000, "gamma": "scale"}, {"C": STRENGTHS, "gamma": GAMMAS}),
    "TheilSenRegressor": Estimator("linear_model", SEED),
}
_NOT_RESCALED = ("BaggingRegressor", "DummyRegressor", "HistGradientBoostingRegressor")
_RESCALED: Mapping[str, Estimator] = {
    f"Rescaled{name}": replace(estimator, rescaled=True)
    for name, estimator in {"LinearRegression": Estimator("linear_model"), **_REGRESSORS}.items()
    if name not in _NOT_RESCALED
}
_PROBABLE: Mapping[str, Estimator] = {
    "AdaBoostClassifier": Estimator("ensemble", MANY_TREES, {"learning_rate": STRENGTHS}),
    "BaggingClassifier": Estimator("ensemble", MANY_TREES, BAGS),
    "DecisionTreeClassifier": Estimator("tree", SEED, {"max_features": ["sqrt", None]}),
    "DummyClassifier": Estimator("dummy", {"strategy": "prior"} | SEED),
    "GradientBoostingClassifier": Estimator("ensemble", MANY_TREES, {"max_depth": [1, 3, 5]}),
    "HistGradientBoostingClassifier": Estimator(
        "ensemble", SEED, {"learning_rate": [0.01, 0.1, 1.0], "min_samples_leaf": [10, 20, 40]}
    ),
    "KNeighborsClassifier": Estimator("neighbors", {}, NEIGHBOURS),
    "LogisticRegression": Estimator("linear_model", {"max_iter": 1000, "solver": "liblinear"} | SEED, {"C": STRENGTHS}),
    "MLPClassifier": Estimator("neural_network", NETWORK, NETWORKS),
    "MultinomialNB": Estimator("naive_bayes", {}, {"alpha": [0.1, 0.25, 0.5, 0.75, 1.0]}),
    "RandomForestClassifier": Estimator("ensemble", MANY_TREES, {"max_depth": [1, 5, 10, None]}),
    "SGDClassifier": Estimator("linear_model", {"loss": "log_loss"} | DESCENT, DESCENTS),
    "SVC": Estimator("svm", {"cache_size": 1000, "gamma": "scale"} | SEED, {"C": STRENGTHS, "gamma": GAMMAS}),
}
_IMPROBABLE: Mapping[str, Estimator] = {
    "LinearSVC": Estimator("svm", {"dual": "auto"} | SEED, {"C": STRENGTHS}),
    "RidgeClassifier": Estimator("linear_model", SEED, {"alpha": STRENGTHS}),
}

ESTIMATORS: Mapping[str, Estimator] = {
    **_REGRESSORS,
    **_RESCALED,
    **{name: replace(estimator, classifier=True, probabilities=True) for name, estimator in _PROBABLE.items()},
    **{name: replace(estimator, classifier=True) for name, estimator in _IMPROBABLE.items()},
}
