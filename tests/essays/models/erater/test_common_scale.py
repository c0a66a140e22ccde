"""One scale for the essays of several programs."""

from dataclasses import replace

import numpy as np
import pytest

from assay.essays.models.erater.common_scale import CommonScale, fit_common_scale
from assay.essays.models.erater.model import TrainingPlan, score_table
from assay.essays.models.erater.train import train_model
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.resolution import HumanScores
from tests.essays.models.erater.made_essays import made_table


def weights(*standardised: float) -> FeatureWeights:
    size, own = len(standardised), np.array(standardised)
    return FeatureWeights(("a", "b")[:size], np.zeros(size), np.ones(size), own, own.copy(), 0.0, {})


def test_an_essay_is_placed_by_its_weighted_distance_from_the_average() -> None:
    scale = CommonScale(np.array([10.0, 2.0]), np.array([2.0, 0.5]), np.array([0.75, -0.25]), 0.5, {})

    found = scale.values(np.array([[10.0, 2.0], [12.0, 2.0], [10.0, 2.5], [np.nan, 1.5], [8.0, np.nan]]))

    # one standard deviation of the first feature is worth 0.75 / 0.5 spreads, of the second -0.25 / 0.5
    assert found.tolist() == pytest.approx([500, 650, 450, 550, 350])


def test_programs_count_alike_however_many_essays_they_have() -> None:
    features = np.array([[0.0], [2.0], [4.0], [6.0], [10.0], [14.0]])
    programs = ["small", "small", "large", "large", "large", "large"]

    scale = fit_common_scale(features, np.ones(6), programs, {"small": weights(2.0), "large": weights(1.0)})

    # means 1 and 8.5, of both 4.75; mean squares around it 15.0625 and 28.8125
    assert scale.mean.tolist() == pytest.approx([4.75])
    assert scale.sd.tolist() == pytest.approx([np.sqrt((15.0625 + 28.8125) / 2)])


def test_weights_are_the_mean_shares_of_the_programs_with_their_signs() -> None:
    features = np.random.default_rng(2).normal(size=(40, 2))
    own = {"x": weights(3.0, -1.0), "y": weights(1.0, -1.0)}

    scale = fit_common_scale(features, np.ones(40), ["x", "y"] * 20, own)

    assert scale.weights.tolist() == pytest.approx([(0.75 + 0.5) / 2, -(0.25 + 0.5) / 2])


def test_the_essays_of_all_programs_have_mean_500_and_spread_100() -> None:
    rng = np.random.default_rng(5)
    features, programs = rng.normal(3, 2, size=(90, 2)), ["x"] * 30 + ["y"] * 60
    features[4, 1] = np.nan

    values = fit_common_scale(features, np.ones(90), programs, {"x": weights(2, 1), "y": weights(1, 1)}).values(
        features
    )

    means = [values[:30].mean(), values[30:].mean()]
    squares = [np.mean((values[:30] - 500) ** 2), np.mean((values[30:] - 500) ** 2)]
    assert np.mean(means) == pytest.approx(500)
    assert np.sqrt(np.mean(squares)) == pytest.approx(100)


def test_an_undefined_value_counts_neither_for_the_mean_nor_for_the_spread() -> None:
    features = np.array([[1.0], [3.0], [np.nan], [5.0]])

    scale = fit_common_scale(features, np.ones(4), ["x"] * 4, {"x": weights(1.0)})

    assert scale.mean.tolist() == pytest.approx([3])
    assert scale.sd.tolist() == pytest.approx([np.sqrt(8 / 4)])  # the mean stands in: a distance of 0


def test_landmarks_are_the_mean_values_of_the_essays_people_gave_each_score() -> None:
    features = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [9.0]])
    scores = np.array([1.0, 1, 2, 1, 2, 2])
    programs = ["x", "x", "x", "y", "y", "y"]

    scale = fit_common_scale(features, scores, programs, {"x": weights(1.0), "y": weights(1.0)})

    values = scale.values(features)
    assert scale.landmarks == {
        "x": {1.0: pytest.approx(values[:2].mean()), 2.0: pytest.approx(values[2])},
        "y": {1.0: pytest.approx(values[3]), 2.0: pytest.approx(values[4:].mean())},
    }


def test_programs_have_their_own_equations_and_a_common_scale() -> None:
    table = made_table(600, programs=3)
    # grade 8 is stricter: the same work gets a point less
    scores = table.human.first - np.array([program == "grade 8" for program in table.programs])
    strict = replace(table, human=HumanScores(np.clip(scores, 1, 6)))

    model = train_model(strict, TrainingPlan(kind="generic10"))
    scored = score_table(strict, model)

    assert set(model.equations) == {"grade 6", "grade 7", "grade 8"}
    assert model.common_scale is not None
    marks = model.common_scale.landmarks
    assert marks["grade 8"][3.0] > marks["grade 6"][3.0] + 20
    assert np.mean([score.common for score in scored]) == pytest.approx(500, abs=10)
    assert np.std([score.common for score in scored]) == pytest.approx(100, abs=10)
