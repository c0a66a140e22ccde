"""Estimators of scikit-learn, trained as SKLL does: shuffled, the settings of its grid tried by cross-validation."""

import warnings
from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.rsm.learners.estimators import ESTIMATORS, SEED, Estimator
from assay.rsm.learners.fitted import FittedModel, Trained, takes_sparse
from assay.rsm.learners.lasso import Penalty, penalised_line
from assay.rsm.learners.objectives import DEFAULT, check_objective, scorer
from assay.rsm.plan import ExperimentPlan
from assay.rsm.types import Matrix, Scores

FOLDS = 5
PENALISED = ("Lasso", "ElasticNet")
"""Estimators fitted once more by `lasso`, whose figures do not depend on the version of scikit-learn."""
NESTED_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "LinearRegression": {},
    "MultinomialNB": {},
    "SGDClassifier": {"max_iter": 1000, "tol": 0.001} | SEED,
    "SGDRegressor": {"max_iter": 1000, "tol": 0.001} | SEED,
    "SVR": {"gamma": "scale"},
    "SVC": {"gamma": "scale"} | SEED,
}
"""What SKLL gives an estimator that is named as the `estimator` of an ensemble; others get a seed."""


def train_estimator(
    plan: ExperimentPlan, names: tuple[str, ...], matrix: Matrix, human: Scores, *, points: tuple[float, float]
) -> Trained:
    """The estimator of the plan with the best settings of its grid, trained on all responses."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415
    from sklearn.utils import shuffle  # noqa: PLC0415

    known = ESTIMATORS[plan.model]
    features = tuple(sorted(names))
    levels, targets = _targets(human, known)
    objective = plan.objective or DEFAULT[known.classifier]
    check_objective(objective, classifier=known.classifier, contiguous=_contiguous(levels))
    columns = matrix[:, [names.index(name) for name in features]]
    estimator, grid = _estimator_and_grid(plan, known)
    rows = csr_matrix(columns) if takes_sparse(estimator) else columns
    rows, targets = shuffle(rows, targets, random_state=SEED["random_state"])
    fitted = _searched(plan, estimator, grid, rows, targets, objective, classifier=known.classifier)
    if type(fitted).__name__ in PENALISED and fitted.fit_intercept and fitted.selection == "cyclic":
        line = penalised_line(columns, human, _penalty(fitted))
        return Trained(FittedModel(plan.model, features, *line), objective=objective)
    if plan.predict_expected_scores:
        levels = _expected_points(levels, points)
    return Trained(_model(plan, features, fitted, levels), objective=objective)


def _penalty(fitted: Any) -> Penalty:
    return Penalty(
        weight=float(fitted.alpha),
        l1_share=float(getattr(fitted, "l1_ratio", 1.0)),
        positive=bool(fitted.positive),
        tolerance=float(fitted.tol),
        most_rounds=int(fitted.max_iter),
    )


def _targets(human: Scores, known: Estimator) -> tuple[Scores, Scores]:
    """For classifiers the score points and the number of each response's point among them."""
    if not known.classifier:
        return np.empty(0), human
    levels, places = np.unique(human, return_inverse=True)
    return levels, places.astype(float)


def _contiguous(levels: Scores) -> bool:
    return bool((levels % 1 == 0).all() and (np.diff(levels) == 1).all())


def _estimator_and_grid(plan: ExperimentPlan, known: Estimator) -> tuple[Any, dict[str, list[Any]]]:
    """The estimator with its settings, and the grid to search."""
    settings = dict(known.settings) | dict(plan.fixed_parameters)
    nested = settings.get("estimator")
    if isinstance(nested, str):
        settings["estimator"] = _nested(nested)
    if plan.model == "SVC":
        settings["probability"] = plan.predict_expected_scores
    outer = {name: settings.pop(name) for name in ("constrain", "rescale") if known.rescaled and name in settings}
    estimator = _constructed(plan.model.removeprefix("Rescaled"), known.module, settings)
    grid = {name: list(values) for name, values in known.grid.items()}
    if known.rescaled:
        from assay.rsm.learners.rescaled import Rescaled  # noqa: PLC0415

        return Rescaled(estimator, **outer), _prefixed(grid, "regressor__")
    if plan.model == "LogisticRegression" and settings.get("solver") == "liblinear":
        # scikit-learn no longer lets liblinear tell more than two classes apart by itself
        from sklearn.multiclass import OneVsRestClassifier  # noqa: PLC0415

        return OneVsRestClassifier(estimator), _prefixed(grid, "estimator__")
    return estimator, grid


def _constructed(name: str, module: str, settings: dict[str, Any]) -> Any:
    constructor = getattr(import_module(f"sklearn.{module}"), name)
    unknown = sorted(set(settings) - set(constructor().get_params(deep=False)))
    if unknown:
        raise InputError(
            f"skll_fixed_parameters: {name} has no parameter {', '.join(map(repr, unknown))}",
            field="skll_fixed_parameters",
            remedy=f"It has {', '.join(constructor().get_params(deep=False))}.",
        )
    return constructor(**settings)


def _nested(name: str) -> Any:
    modules = {inner: known.module for inner, known in ESTIMATORS.items()} | {"LinearRegression": "linear_model"}
    if name not in modules:
        raise InputError(f"there is no estimator {name!r}", field="skll_fixed_parameters")
    return _constructed(name, modules[name], dict(NESTED_SETTINGS.get(name, SEED)))


def _prefixed(grid: dict[str, list[Any]], prefix: str) -> dict[str, list[Any]]:
    return {f"{prefix}{name}": values for name, values in grid.items()}


def _searched(
    plan: ExperimentPlan,
    estimator: Any,
    grid: dict[str, list[Any]],
    rows: Any,
    targets: Scores,
    objective: str,
    *,
    classifier: bool,
) -> Any:
    from sklearn.model_selection import GridSearchCV  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of settings that do not converge: they lose the search
        try:
            if not grid:
                return estimator.fit(rows, targets)
            folds = _folds(targets, plan.model) if classifier else FOLDS
            jobs = min(folds, max(plan.grid_search_jobs, 1))
            search = GridSearchCV(
                estimator, grid, scoring=scorer(objective), cv=folds, n_jobs=jobs, error_score="raise"
            )
            return search.fit(rows, targets).best_estimator_
        except (ValueError, TypeError) as problem:
            words = f"{plan.model} cannot be trained on these responses: {problem}"
            raise InputError(words, field="model") from problem


def _folds(targets: Scores, model: str) -> int:
    """As many folds as the rarest score point has responses, five at the most."""
    rarest = min(Counter(targets.tolist()).values())
    if rarest < 2:
        raise InputError(
            f"{model} needs at least two training responses of each score point, and one point has {rarest}",
            field="model",
            remedy="Use a regressor, or leave such responses out.",
        )
    return min(FOLDS, rarest)


def _expected_points(levels: Scores, points: tuple[float, float]) -> Scores:
    """The points that probabilities are weighed with: every whole score from end to end of the scale."""
    scale = np.arange(int(points[0]), int(points[1]) + 1, dtype=float)
    if len(scale) != len(levels):
        raise InputError(
            f"expected scores need training responses of every score point: the scale {scale[0]:g} to {scale[-1]:g} "
            f"has {len(scale)}, the training responses {len(levels)}",
            field="predict_expected_scores",
            remedy="Set trim_min and trim_max to what occurs.",
        )
    return scale


def _model(plan: ExperimentPlan, features: tuple[str, ...], fitted: Any, levels: Scores) -> FittedModel:
    line = _line(fitted)
    if line is not None and not len(levels):
        return FittedModel(plan.model, features, *line)
    return FittedModel(
        plan.model,
        features,
        estimator=fitted,
        points=tuple(levels.tolist()),
        expected=plan.predict_expected_scores,
    )


def _line(fitted: Any) -> tuple[float, Scores] | None:
    """Intercept and coefficients of an estimator that is a line."""
    coefficients = getattr(fitted, "coef_", None) if not hasattr(fitted, "kernel") else None
    if coefficients is None or np.ndim(coefficients) != 1:
        return None
    return float(np.ravel(fitted.intercept_)[0]), np.asarray(coefficients, dtype=float)
