"""Estimators of scikit-learn under SKLL's names."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.experiment import train_experiment
from assay.rsm.learners.estimators import ESTIMATORS, check_objective
from assay.rsm.types import ExperimentPlan
from tests.rsm.tables import feature_table

pytest.importorskip("sklearn")

TRAIN, TEST = feature_table(90, seed=3), feature_table(30, seed=4)
POINTS = replace(TRAIN, human=np.clip(TRAIN.human, 2, 5))


def test_all_estimators_of_skll_are_there() -> None:
    # skll 5.0.1: VALID_SKLL_MODELS without LinearRegression, which is built in
    assert len(ESTIMATORS) == 53
    assert {"RescaledTheilSenRegressor", "MultinomialNB", "HistGradientBoostingClassifier"} <= set(ESTIMATORS)


def test_models_without_probabilities_are_refused_when_expected_scores_are_asked_for() -> None:
    for model in ("LinearRegression", "Ridge", "LinearSVC"):
        with pytest.raises(InputError, match="gives no probabilities"):
            train_experiment(TRAIN, TEST, ExperimentPlan(model, predict_expected_scores=True))


def test_an_unknown_model_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InputError, match="Did you mean RandomForestRegressor"):
        train_experiment(TRAIN, TEST, ExperimentPlan("RandomForestRegresor"))


def test_a_rescaled_regressor_stays_within_the_human_scores() -> None:
    raw = train_experiment(TRAIN, TEST, ExperimentPlan("RescaledRidge")).test_predictions["raw"]

    assert raw.min() >= TRAIN.human.min()
    assert raw.max() <= TRAIN.human.max()


def test_an_objective_of_another_kind_of_estimator_is_refused() -> None:
    with pytest.raises(InputError, match="no objective of a regressor"):
        check_objective("accuracy", classifier=False)
    with pytest.raises(InputError, match="no objective of a classifier"):
        check_objective("quadratic_weighted_kappa", classifier=True, contiguous=False)
