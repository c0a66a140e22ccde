"""Training by the name of a model: built in, or an estimator of scikit-learn under the name SKLL uses."""

import difflib
from importlib.util import find_spec

import numpy as np

from assay.errors import InputError, MissingExtra
from assay.rsm.learners.built_in import BUILT_IN, COMPAT
from assay.rsm.learners.estimators import ESTIMATORS
from assay.rsm.learners.fitted import Trained
from assay.rsm.plan import ExperimentPlan
from assay.rsm.types import Matrix, Scores


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
    from assay.rsm.learners.grid import train_estimator  # noqa: PLC0415

    return train_estimator(plan, names, matrix, human, points=points)


def check_model(plan: ExperimentPlan) -> None:
    """InputError for a model there is not, naming the nearest, and for one that cannot give expected scores."""
    if plan.model not in BUILT_IN and plan.model not in ESTIMATORS:
        near = difflib.get_close_matches(plan.model, [*BUILT_IN, *ESTIMATORS], n=1, cutoff=0)
        raise InputError(f"there is no model {plan.model!r}", field="model", remedy=f"Did you mean {near[0]}?")
    if plan.predict_expected_scores and (plan.model in BUILT_IN or not ESTIMATORS[plan.model].probabilities):
        able = ", ".join(name for name, estimator in ESTIMATORS.items() if estimator.probabilities)
        raise InputError(
            f"{plan.model} gives no probabilities of score points, so there are no expected scores",
            field="predict_expected_scores",
            remedy=f"Set predict_expected_scores to false, or use one of {able}.",
        )
