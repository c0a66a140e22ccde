"""Estimators of scikit-learn under SKLL's names."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.experiment import train_experiment
from assay.rsm.learners.estimators import ESTIMATORS, allowed_objectives, check_objective
from assay.rsm.learners.train import scorer
from assay.rsm.types import ExperimentPlan
from tests.rsm.tables import feature_table

pytest.importorskip("sklearn")

TRAIN, TEST = feature_table(90, seed=3), feature_table(30, seed=4)
POINTS = replace(TRAIN, human=np.clip(TRAIN.human, 2, 5))


def test_all_estimators_of_skll_are_there() -> None:
    # skll 5.0.1: VALID_SKLL_MODELS without LinearRegression, which is built in
    assert len(ESTIMATORS) == 53
    assert {"RescaledTheilSenRegressor", "MultinomialNB", "HistGradientBoostingClassifier"} <= set(ESTIMATORS)


def test_a_line_of_scikit_learn_is_kept_as_a_line() -> None:
    model = train_experiment(TRAIN, TEST, ExperimentPlan("Ridge")).model

    assert model.linear
    assert model.estimator is None
    assert model.features == ("a", "b", "c")


def test_a_classifier_gives_score_points_and_expected_scores_lie_between_them() -> None:
    plan = ExperimentPlan("DecisionTreeClassifier")
    points = train_experiment(POINTS, TEST, plan)
    expected = train_experiment(
        POINTS, TEST, ExperimentPlan("LogisticRegression", predict_expected_scores=True, trim_min=2, trim_max=5)
    )

    assert set(points.test_predictions["raw"]) <= {2.0, 3.0, 4.0, 5.0}
    raw = expected.test_predictions["raw"]
    assert ((raw > 2) & (raw < 5)).all()
    assert np.corrcoef(raw, TEST.human)[0, 1] > 0.5


def test_expected_scores_need_a_response_of_every_point() -> None:
    plan = ExperimentPlan("LogisticRegression", predict_expected_scores=True, trim_min=1, trim_max=6)

    with pytest.raises(InputError, match="has 6, the training responses 4"):
        train_experiment(POINTS, TEST, plan)


def test_models_without_probabilities_are_refused_when_expected_scores_are_asked_for() -> None:
    for model in ("LinearRegression", "Ridge", "LinearSVC"):
        with pytest.raises(InputError, match="gives no probabilities"):
            train_experiment(TRAIN, TEST, ExperimentPlan(model, predict_expected_scores=True))


def test_an_unknown_model_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InputError, match="Did you mean RandomForestRegressor"):
        train_experiment(TRAIN, TEST, ExperimentPlan("RandomForestRegresor"))


def test_an_unknown_parameter_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="no parameter 'alhpa'"):
        train_experiment(TRAIN, TEST, ExperimentPlan("Ridge", fixed_parameters={"alhpa": 1}))


def test_a_rescaled_regressor_stays_within_the_human_scores() -> None:
    raw = train_experiment(TRAIN, TEST, ExperimentPlan("RescaledRidge")).test_predictions["raw"]

    assert raw.min() >= TRAIN.human.min()
    assert raw.max() <= TRAIN.human.max()


def test_a_point_with_one_response_cannot_be_cross_validated() -> None:
    human = TRAIN.human.copy()
    human[0] = 9

    with pytest.raises(InputError, match="at least two training responses of each score point"):
        train_experiment(replace(TRAIN, human=human), TEST, ExperimentPlan("LogisticRegression"))


@pytest.mark.parametrize("classifier", [True, False])
def test_every_objective_is_a_scorer(classifier: bool) -> None:
    from sklearn.metrics import get_scorer

    for name in allowed_objectives(classifier=classifier):
        found = scorer(name)
        assert callable(get_scorer(found) if isinstance(found, str) else found)


def test_kappas_that_forgive_a_point_count_only_larger_misses() -> None:
    class Fixed:
        def predict(self, matrix: np.ndarray) -> np.ndarray:
            return matrix[:, 0]

    human = np.array([1.0, 2.0, 3.0, 4.0])
    near, far = np.array([[2.0], [3.0], [4.0], [3.0]]), np.array([[4.0], [3.0], [4.0], [3.0]])
    objective = scorer("qwk_off_by_one")

    assert objective._score_func(human, near[:, 0]) == 1.0
    assert objective._score_func(human, far[:, 0]) < 1.0


def test_an_objective_of_another_kind_of_estimator_is_refused() -> None:
    with pytest.raises(InputError, match="no objective of a regressor"):
        check_objective("accuracy", classifier=False)
    with pytest.raises(InputError, match="no objective of a classifier"):
        check_objective("quadratic_weighted_kappa", classifier=True, contiguous=False)


def test_settings_that_give_everyone_the_same_score_lose_the_search_for_a_rescaled_model() -> None:
    # a lasso with much penalty keeps no feature, so its scores have no spread to rescale
    weak = replace(TRAIN, matrix=TRAIN.matrix / 100)

    found = train_experiment(weak, weak, ExperimentPlan("RescaledLasso", standardize_features=False))

    assert np.isfinite(found.test_predictions["raw"]).all()
    assert np.corrcoef(found.test_predictions["raw"], weak.human)[0, 1] > 0.5
