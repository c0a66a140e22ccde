"""Training by the name of a model: grids, objectives, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.experiment import train_experiment
from assay.rsm.learners.estimators import allowed_objectives
from assay.rsm.learners.train import scorer, train_model
from assay.rsm.types import ExperimentPlan
from tests.rsm.tables import feature_table

pytest.importorskip("sklearn")

TRAIN, TEST = feature_table(90, seed=3), feature_table(30, seed=4)
POINTS = replace(TRAIN, human=np.clip(TRAIN.human, 2, 5))


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


def test_an_unknown_parameter_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="no parameter 'alhpa'"):
        train_experiment(TRAIN, TEST, ExperimentPlan("Ridge", fixed_parameters={"alhpa": 1}))


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


def test_settings_that_give_everyone_the_same_score_lose_the_search_for_a_rescaled_model() -> None:
    # a lasso with much penalty keeps no feature, so its scores have no spread to rescale
    weak = replace(TRAIN, matrix=TRAIN.matrix / 100)

    found = train_experiment(weak, weak, ExperimentPlan("RescaledLasso", standardize_features=False))

    assert np.isfinite(found.test_predictions["raw"]).all()
    assert np.corrcoef(found.test_predictions["raw"], weak.human)[0, 1] > 0.5


def test_a_model_is_trained_on_its_features_in_the_order_of_their_names() -> None:
    found = train_model(ExperimentPlan("Ridge"), TRAIN.names, TRAIN.matrix, TRAIN.human, points=(1, 6))

    assert found.model.features == ("a", "b", "c")
    assert found.objective == "neg_mean_squared_error"
    raw = found.model.predict(TRAIN.matrix[:, [TRAIN.names.index(name) for name in found.model.features]])
    assert np.corrcoef(raw, TRAIN.human)[0, 1] > 0.7


def test_equal_human_scores_leave_nothing_to_learn() -> None:
    with pytest.raises(InputError, match="all training responses have the same human score"):
        train_model(ExperimentPlan(), TRAIN.names, TRAIN.matrix, np.full(90, 3.0), points=(1, 6))


def test_an_ensemble_may_name_its_estimator_and_an_unknown_one_is_refused() -> None:
    plan = ExperimentPlan("BaggingRegressor", fixed_parameters={"estimator": "SVR", "n_estimators": 3})

    found = train_model(plan, TRAIN.names, TRAIN.matrix, TRAIN.human, points=(1, 6)).model.estimator

    assert type(found.estimator).__name__ == "SVR"
    with pytest.raises(InputError, match="there is no estimator 'Guess'"):
        train_model(
            replace(plan, fixed_parameters={"estimator": "Guess"}),
            *(TRAIN.names, TRAIN.matrix, TRAIN.human),
            points=(1, 6),
        )


@pytest.mark.parametrize(
    ("name", "system", "expected"),
    [
        ("quadratic_weighted_kappa", [1.2, 2.1, 2.9, 4.0], 1.0),
        ("pearson", [2.0, 4.0, 6.0, 8.0], 1.0),
        ("spearman", [1.0, 5.0, 6.0, 90.0], 1.0),
        ("kendall_tau", [4.0, 3.0, 2.0, 1.0], -1.0),
        ("uwk_off_by_one", [2.0, 3.0, 4.0, 3.0], 1.0),
        # misses of 3 and 2 points count 2 and 1; by chance 20 / 16
        ("lwk_off_by_one", [4.0, 4.0, 3.0, 4.0], 1 - (3 / 4) / ((1 * 1 + 3 * (2 + 1)) / 16)),
    ],
)
def test_an_objective_is_the_figure_of_its_name(name: str, system: list[float], expected: float) -> None:
    human = np.array([1.0, 2.0, 3.0, 4.0])

    assert scorer(name)._score_func(human, np.array(system)) == pytest.approx(expected)


def test_scores_without_any_difference_agree_fully() -> None:
    same = np.full(3, 2.0)

    assert scorer("unweighted_kappa")._score_func(same, same) == 1.0
    assert scorer("qwk_off_by_one")._score_func(same, same + 1) == 1.0


def test_the_rarest_point_has_its_own_objective() -> None:
    human, system = np.array([0.0, 0, 0, 1]), np.array([0.0, 0, 1, 1])

    assert scorer("f1_score_least_frequent")._score_func(human, system) == pytest.approx(2 / 3)
