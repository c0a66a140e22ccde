"""What a grid search can make best: SKLL's names of objectives -> scorers of scikit-learn."""

import difflib
from collections.abc import Callable
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.metrics.correlation import pearson_r
from assay.metrics.kappa import cohen_kappa, linear_weighted_kappa, quadratic_weighted_kappa
from assay.metrics.rank import kendall_tau_b, spearman_r
from assay.rsm.types import Scores

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
"""By whether the estimator is a classifier."""


def allowed_objectives(*, classifier: bool, contiguous: bool = True) -> tuple[str, ...]:
    """The objectives of a kind of estimator. Weighted kappas of classes need score points without gaps."""
    if not classifier:
        return (*FOR_REGRESSORS, *KAPPAS, *WEIGHTED_KAPPAS, *CORRELATIONS)
    return (*FOR_CLASSIFIERS, *KAPPAS, *(WEIGHTED_KAPPAS if contiguous else ()), *CORRELATIONS)


def check_objective(name: str, *, classifier: bool, contiguous: bool = True) -> None:
    """InputError for an objective that the kind of estimator does not have, naming the nearest."""
    allowed = allowed_objectives(classifier=classifier, contiguous=contiguous)
    if name not in allowed:
        near = difflib.get_close_matches(name, allowed, n=1, cutoff=0)
        kind = "classifier" if classifier else "regressor"
        problem = f"skll_objective {name!r} is no objective of a {kind}"
        raise InputError(problem, field="skll_objective", remedy=f"Did you mean {near[0]}?")


def scorer(name: str) -> Any:
    """The objective as scikit-learn's GridSearchCV takes it: a name of its own, or a scorer."""
    from sklearn.metrics import f1_score, fbeta_score, get_scorer_names, make_scorer  # noqa: PLC0415

    if name in _OWN:
        return make_scorer(_OWN[name])
    if name == "max_error" and name not in get_scorer_names():
        return "neg_max_error"  # as scikit-learn calls it by now
    if name == "f05":
        return make_scorer(fbeta_score, beta=0.5, average="binary")
    if name.startswith("f05_score_"):
        return make_scorer(fbeta_score, beta=0.5, average=name.removeprefix("f05_score_"))
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
    "uwk_off_by_one": _kappa(_forgiving(0)),
    "lwk_off_by_one": _kappa(_forgiving(1)),
    "qwk_off_by_one": _kappa(_forgiving(2)),
}
