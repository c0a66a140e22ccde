"""The estimators of scikit-learn that SKLL 5 offers, under its names: with its settings, and what it searches.

Source: SKLL 5.0.1, `skll.learner.Learner` and `skll.utils.constants`.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assay.errors import InputError
from assay.rsm.learners.built_in import BUILT_IN
from assay.rsm.types import ExperimentPlan

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


_OF_BOTH_KINDS: Mapping[str, Estimator] = {
    "AdaBoost": Estimator("ensemble", MANY_TREES, {"learning_rate": STRENGTHS}),
    "Bagging": Estimator("ensemble", MANY_TREES, BAGS),
    "DecisionTree": Estimator("tree", SEED, {"max_features": ["sqrt", None]}),
    "GradientBoosting": Estimator("ensemble", MANY_TREES, {"max_depth": [1, 3, 5]}),
    "KNeighbors": Estimator("neighbors", {}, NEIGHBOURS),
    "MLP": Estimator("neural_network", NETWORK, NETWORKS),
    "RandomForest": Estimator("ensemble", MANY_TREES, {"max_depth": [1, 5, 10, None]}),
}
"""Regressors and classifiers with the same settings."""
_BOOSTS: Grid = {"learning_rate": [0.01, 0.1, 1.0], "min_samples_leaf": [10, 20, 40]}
_REGRESSORS: Mapping[str, Estimator] = {
    **{f"{name}Regressor": estimator for name, estimator in _OF_BOTH_KINDS.items()},
    "BayesianRidge": Estimator(
        "linear_model", {}, dict.fromkeys(("alpha_1", "alpha_2", "lambda_1", "lambda_2"), PRIORS)
    ),
    "DummyRegressor": Estimator("dummy"),
    "ElasticNet": Estimator("linear_model", SEED, {"alpha": STRENGTHS}),
    "HistGradientBoostingRegressor": Estimator(
        "ensemble", SEED, {"loss": ["squared_error", "absolute_error", "poisson"], **_BOOSTS}
    ),
    "HuberRegressor": Estimator(
        "linear_model",
        {},
        {"epsilon": [1.05, 1.35, 1.5, 2.0, 2.5, 5.0], "alpha": [1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000]},
    ),
    "Lars": Estimator("linear_model"),
    "Lasso": Estimator("linear_model", SEED, {"alpha": STRENGTHS}),
    "LinearSVR": Estimator("svm", {"dual": "auto"} | SEED, {"C": STRENGTHS}),
    "RANSACRegressor": Estimator("linear_model", {"loss": "squared_error"} | SEED),
    "Ridge": Estimator("linear_model", SEED, {"alpha": STRENGTHS}),
    "SGDRegressor": Estimator("linear_model", DESCENT, DESCENTS),
    "SVR": Estimator("svm", {"cache_size": 1000, "gamma": "scale"}, {"C": STRENGTHS, "gamma": GAMMAS}),
    "TheilSenRegressor": Estimator("linear_model", SEED),
}
_RESCALED: Mapping[str, Estimator] = {
    f"Rescaled{name}": replace(_REGRESSORS.get(name, Estimator("linear_model")), rescaled=True)
    for name in ("LinearRegression", *sorted(_REGRESSORS))
    if name not in ("BaggingRegressor", "DummyRegressor", "HistGradientBoostingRegressor")
}
_PROBABLE: Mapping[str, Estimator] = {
    **{f"{name}Classifier": estimator for name, estimator in _OF_BOTH_KINDS.items()},
    "DummyClassifier": Estimator("dummy", {"strategy": "prior"} | SEED),
    "HistGradientBoostingClassifier": Estimator("ensemble", SEED, _BOOSTS),
    "LogisticRegression": Estimator("linear_model", {"max_iter": 1000, "solver": "liblinear"} | SEED, {"C": STRENGTHS}),
    "MultinomialNB": Estimator("naive_bayes", {}, {"alpha": [0.1, 0.25, 0.5, 0.75, 1.0]}),
    "SGDClassifier": Estimator("linear_model", {"loss": "log_loss"} | DESCENT, DESCENTS),
    "SVC": Estimator("svm", {"cache_size": 1000, "gamma": "scale"} | SEED, {"C": STRENGTHS, "gamma": GAMMAS}),
}
_IMPROBABLE: Mapping[str, Estimator] = {
    "LinearSVC": Estimator("svm", {"dual": "auto"} | SEED, {"C": STRENGTHS}),
    "RidgeClassifier": Estimator("linear_model", SEED, {"alpha": STRENGTHS}),
}

ESTIMATORS: Mapping[str, Estimator] = {
    **{name: _REGRESSORS[name] for name in sorted(_REGRESSORS)},
    **_RESCALED,
    **{name: replace(_PROBABLE[name], classifier=True, probabilities=True) for name in sorted(_PROBABLE)},
    **{name: replace(estimator, classifier=True) for name, estimator in _IMPROBABLE.items()},
}
"""By SKLL's names: regressors, rescaled ones, classifiers with and without probabilities; each kind by name."""


CORRELATIONS = ("kendall_tau", "pearson", "spearman")
KAPPAS = ("unweighted_kappa", "uwk_off_by_one")
WEIGHTED_KAPPAS = ("linear_weighted_kappa", "lwk_off_by_one", "quadratic_weighted_kappa", "qwk_off_by_one")
FOR_REGRESSORS = (
    *("explained_variance", "max_error", "neg_mean_absolute_error", "neg_mean_squared_error"),
    *("neg_root_mean_squared_error", "r2"),
)
FOR_CLASSIFIERS = (
    *("accuracy", "average_precision", "balanced_accuracy", "f1", "f1_score_least_frequent", "f1_score_macro"),
    *("f1_score_micro", "f1_score_weighted", "f05", "f05_score_macro", "f05_score_micro", "f05_score_weighted"),
    *("jaccard", "jaccard_macro", "jaccard_micro", "jaccard_weighted", "neg_log_loss", "precision"),
    *("precision_macro", "precision_micro", "precision_weighted", "recall", "recall_macro", "recall_micro"),
    *("recall_weighted", "roc_auc"),
)
DEFAULT = {False: "neg_mean_squared_error", True: "f1_score_micro"}
"""What a grid search makes best unless told otherwise, by whether the estimator is a classifier."""


def allowed_objectives(*, classifier: bool, contiguous: bool = True) -> tuple[str, ...]:
    """What a grid search can make best, by SKLL's names. Weighted kappas of classes need score points without gaps."""
    weighted = WEIGHTED_KAPPAS if contiguous or not classifier else ()
    return (*(FOR_CLASSIFIERS if classifier else FOR_REGRESSORS), *KAPPAS, *weighted, *CORRELATIONS)


def check_objective(name: str, *, classifier: bool, contiguous: bool = True) -> None:
    """InputError for an objective that the kind of estimator does not have, naming the nearest."""
    allowed = allowed_objectives(classifier=classifier, contiguous=contiguous)
    if name not in allowed:
        near = difflib.get_close_matches(name, allowed, n=1, cutoff=0)
        kind = "classifier" if classifier else "regressor"
        problem = f"skll_objective {name!r} is no objective of a {kind}"
        raise InputError(problem, field="skll_objective", remedy=f"Did you mean {near[0]}?")


def check_model(plan: ExperimentPlan) -> None:
    """InputError for a model there is not, naming the nearest, and for one that cannot give expected scores."""
    if plan.model not in BUILT_IN and plan.model not in ESTIMATORS:
        near = difflib.get_close_matches(plan.model, [*BUILT_IN, *ESTIMATORS], n=1, cutoff=0)
        raise InputError(f"there is no model {plan.model!r}", field="model", remedy=f"Did you mean {near[0]}?")
    if plan.predict_expected_scores and (plan.model in BUILT_IN or not ESTIMATORS[plan.model].probabilities):
        able = ", ".join(name for name, estimator in ESTIMATORS.items() if estimator.probabilities)
        problem = f"{plan.model} gives no probabilities of score points, so there are no expected scores"
        remedy = f"Set predict_expected_scores to false, or use one of {able}."
        raise InputError(problem, field="predict_expected_scores", remedy=remedy)
