"""Training by the name of a model: built in, or an estimator of scikit-learn, trained as SKLL does it.

SKLL shuffles the responses and tries the settings of its grid by cross-validation.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from assay.errors import InputError, MissingExtra
from assay.metrics.correlation import pearson_r
from assay.metrics.kappa import cohen_kappa, linear_weighted_kappa, quadratic_weighted_kappa
from assay.metrics.rank import kendall_tau_b, spearman_r
from assay.rsm.learners.built_in import BUILT_IN, COMPAT, Penalty, penalised_line
from assay.rsm.learners.estimators import DEFAULT, ESTIMATORS, SEED, Estimator, check_model, check_objective
from assay.rsm.learners.fitted import FittedModel, Trained, takes_sparse
from assay.rsm.types import ExperimentPlan, Matrix, Scores

FOLDS = 5
PENALISED = ("Lasso", "ElasticNet")
"""Estimators fitted once more by `lasso`, whose figures do not depend on the version of scikit-learn."""
NESTED_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "LinearRegression": {},
    "MultinomialNB": {},
    **dict.fromkeys(("SGDClassifier", "SGDRegressor"), {"max_iter": 1000, "tol": 0.001} | SEED),
    "SVR": {"gamma": "scale"},
    "SVC": {"gamma": "scale"} | SEED,
}
"""What SKLL gives an estimator that is named as the `estimator` of an ensemble; others get a seed."""


def train_model(
    plan: ExperimentPlan, names: tuple[str, ...], matrix: Matrix, human: Scores, *, points: tuple[float, float]
) -> Trained:
    """The model of the plan, trained on prepared features. `points` are the ends of the score scale."""
    check_model(plan)
    if np.ptp(human) == 0:
        problem = "all training responses have the same human score: there is nothing to learn"
        raise InputError(problem, field="train_label_column")
    if plan.model in BUILT_IN:
        learner = COMPAT.get(plan.model, BUILT_IN[plan.model]) if plan.compat else BUILT_IN[plan.model]
        return learner(plan.model, names, matrix, human)
    if find_spec("sklearn") is None:
        raise MissingExtra(f"The model {plan.model}", "models")
    return _trained_estimator(plan, names, matrix, human, points)


def _trained_estimator(
    plan: ExperimentPlan, names: tuple[str, ...], matrix: Matrix, human: Scores, points: tuple[float, float]
) -> Trained:
    """The estimator of the plan with the best settings of its grid, trained on all responses."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415
    from sklearn.utils import shuffle  # noqa: PLC0415

    known = ESTIMATORS[plan.model]
    features = tuple(sorted(names))
    # a classifier learns the number of each response's point among the score points
    levels, targets = np.unique(human, return_inverse=True) if known.classifier else (np.empty(0), human)
    objective = plan.objective or DEFAULT[known.classifier]
    contiguous = bool((levels % 1 == 0).all() and (np.diff(levels) == 1).all())
    check_objective(objective, classifier=known.classifier, contiguous=contiguous)
    columns = matrix[:, [names.index(name) for name in features]]
    estimator, grid = _estimator_and_grid(plan, known)
    rows = csr_matrix(columns) if takes_sparse(estimator) else columns
    rows, targets = shuffle(rows, targets.astype(float), random_state=SEED["random_state"])
    fitted = _searched(plan, estimator, grid, rows, targets, objective)
    if type(fitted).__name__ in PENALISED and fitted.fit_intercept and fitted.selection == "cyclic":
        share, rounds = float(getattr(fitted, "l1_ratio", 1.0)), int(fitted.max_iter)
        penalty = Penalty(float(fitted.alpha), share, bool(fitted.positive), float(fitted.tol), rounds)
        line = penalised_line(columns, human, penalty)
        return Trained(FittedModel(plan.model, features, *line), objective=objective)
    coefficients = getattr(fitted, "coef_", None) if not hasattr(fitted, "kernel") else None
    if coefficients is not None and np.ndim(coefficients) == 1 and not known.classifier:
        intercept = float(np.ravel(fitted.intercept_)[0])
        model = FittedModel(plan.model, features, intercept, np.asarray(coefficients, dtype=float))
    else:
        expected = plan.predict_expected_scores
        # probabilities are weighed with every whole score from end to end of the scale
        scale = np.arange(int(points[0]), int(points[1]) + 1, dtype=float) if expected else levels
        if len(scale) != len(levels):
            ends = f"the scale {scale[0]:g} to {scale[-1]:g} has {len(scale)}, the training responses {len(levels)}"
            problem = f"expected scores need training responses of every score point: {ends}"
            remedy = "Set trim_min and trim_max to what occurs."
            raise InputError(problem, field="predict_expected_scores", remedy=remedy)
        scores = tuple(scale.tolist())
        model = FittedModel(plan.model, features, estimator=fitted, points=scores, expected=expected)
    return Trained(model, objective=objective)


def _estimator_and_grid(plan: ExperimentPlan, known: Estimator) -> tuple[Any, dict[str, list[Any]]]:
    settings = dict(known.settings) | dict(plan.fixed_parameters)
    nested = settings.get("estimator")
    if isinstance(nested, str):
        modules = {inner: other.module for inner, other in ESTIMATORS.items()} | {"LinearRegression": "linear_model"}
        if nested not in modules:
            raise InputError(f"there is no estimator {nested!r}", field="skll_fixed_parameters")
        settings["estimator"] = _constructed(nested, modules[nested], dict(NESTED_SETTINGS.get(nested, SEED)))
    if plan.model == "SVC":
        settings["probability"] = plan.predict_expected_scores
    outer = {name: settings.pop(name) for name in ("constrain", "rescale") if known.rescaled and name in settings}
    estimator = _constructed(plan.model.removeprefix("Rescaled"), known.module, settings)
    if known.rescaled:
        from assay.rsm.learners.rescaled import Rescaled  # noqa: PLC0415

        return Rescaled(estimator, **outer), {f"regressor__{name}": list(grid) for name, grid in known.grid.items()}
    if plan.model == "LogisticRegression" and settings.get("solver") == "liblinear":
        # scikit-learn no longer lets liblinear tell more than two classes apart by itself
        from sklearn.multiclass import OneVsRestClassifier  # noqa: PLC0415

        return OneVsRestClassifier(estimator), {f"estimator__{name}": list(grid) for name, grid in known.grid.items()}
    return estimator, {name: list(grid) for name, grid in known.grid.items()}


def _constructed(name: str, module: str, settings: dict[str, Any]) -> Any:
    constructor = getattr(import_module(f"sklearn.{module}"), name)
    unknown = sorted(set(settings) - set(constructor().get_params(deep=False)))
    if unknown:
        problem = f"skll_fixed_parameters: {name} has no parameter {', '.join(map(repr, unknown))}"
        remedy = f"It has {', '.join(constructor().get_params(deep=False))}."
        raise InputError(problem, field="skll_fixed_parameters", remedy=remedy)
    return constructor(**settings)


def _searched(
    plan: ExperimentPlan, estimator: Any, grid: dict[str, list[Any]], rows: Any, targets: Scores, objective: str
) -> Any:
    """Trained with the best settings; a classifier on as many folds as its rarest score point has responses."""
    from sklearn.model_selection import GridSearchCV  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of settings that do not converge: they lose the search
        try:
            if not grid:
                return estimator.fit(rows, targets)
            rarest = min(Counter(targets.tolist()).values()) if ESTIMATORS[plan.model].classifier else FOLDS
            if rarest < 2:
                raise InputError(
                    f"{plan.model} needs at least two training responses of each score point, "
                    f"and one point has {rarest}",
                    field="model",
                    remedy="Use a regressor, or leave such responses out.",
                )
            folds = min(FOLDS, rarest)
            jobs = min(folds, max(plan.grid_search_jobs, 1))
            search = GridSearchCV(
                estimator, grid, scoring=scorer(objective), cv=folds, n_jobs=jobs, error_score="raise"
            )
            return search.fit(rows, targets).best_estimator_
        except (ValueError, TypeError) as problem:
            words = f"{plan.model} cannot be trained on these responses: {problem}"
            raise InputError(words, field="model") from problem


def scorer(name: str) -> Any:
    """The objective as scikit-learn's GridSearchCV takes it: a name of its own, or a scorer."""
    from sklearn.metrics import f1_score, fbeta_score, get_scorer_names, make_scorer  # noqa: PLC0415

    if name in _OWN:
        return make_scorer(_OWN[name])
    if name == "max_error" and name not in get_scorer_names():
        return "neg_max_error"  # as scikit-learn calls it by now
    if name == "f05" or name.startswith("f05_score_"):
        return make_scorer(fbeta_score, beta=0.5, average=name.removeprefix("f05").removeprefix("_score_") or "binary")
    if name.startswith("f1_score_"):
        return make_scorer(f1_score, average=name.removeprefix("f1_score_"))
    return name


def _f1_of_rarest(human: Scores, system: Scores) -> float:
    from sklearn.metrics import f1_score  # noqa: PLC0415

    rarest = np.bincount(human.astype(int)).argmin()
    return float(f1_score(human, system, average=None)[rarest])


def _kappa(formula: Callable[[Scores, Scores], Any]) -> Callable[[Scores, Scores], float]:
    def kappa(human: Scores, system: Scores) -> float:
        h, m = np.rint(human), np.rint(system)
        return 1.0 if np.ptp([h, m]) == 0 else float(formula(h, m))

    return kappa


def _forgiving(power: int) -> Callable[[Scores, Scores], float]:
    """Kappa that takes scores one point apart for the same."""

    def kappa(human: Scores, system: Scores) -> float:
        points = np.arange(min(human.min(), system.min()), max(human.max(), system.max()) + 1)
        apart = np.maximum(np.abs(points[:, None] - points) - 1, 0)
        weight = (apart > 0).astype(float) if power == 0 else apart**power
        if not weight.any():
            return 1.0
        by_human, by_system = ((scores[:, None] == points).mean(axis=0) for scores in (human, system))
        distance = np.maximum(np.abs(human - system) - 1, 0)
        observed = (distance > 0).mean() if power == 0 else (distance**power).mean()
        return float(1 - observed / (by_human @ weight @ by_system))

    return kappa


_OWN: dict[str, Callable[[Scores, Scores], Any]] = {
    "f1_score_least_frequent": _f1_of_rarest,
    "pearson": pearson_r,
    "spearman": spearman_r,
    "kendall_tau": kendall_tau_b,
    "unweighted_kappa": _kappa(cohen_kappa),
    "linear_weighted_kappa": _kappa(linear_weighted_kappa),
    "quadratic_weighted_kappa": _kappa(quadratic_weighted_kappa),
    **{f"{kind}_off_by_one": _kappa(_forgiving(power)) for power, kind in enumerate(("uwk", "lwk", "qwk"))},
}
