"""A trained model that scores responses from their raw features."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.experiment import feature_model, train_experiment
from assay.rsm.feature_model import FeatureModel, LinearScorer, Postprocessing, predict
from assay.rsm.learners.fitted import FittedModel
from assay.rsm.preprocess import FeatureParameters, Preparation
from assay.rsm.types import (
    ExperimentPlan,
    FeatureSpec,
    FeatureTable,
)
from tests.rsm.tables import NAMES, feature_table

TRAIN, TEST = feature_table(seed=1), feature_table(40, seed=2)
TRANSFORMED = ExperimentPlan(
    features=(FeatureSpec("a", "raw"), FeatureSpec("b", "raw", -1.0), FeatureSpec("c", "raw", low=-3.0, high=0.0))
)


def small(**given: object) -> FeatureModel:
    """score = 1 + 2 z(x) - z(y), where z(x) = (x - 10) / 5 within 0 to 20, z(y) = -(sqrt y - 2)."""
    parameters = (
        FeatureParameters("x", "raw", 1.0, 10.0, 5.0, 10.0, 5.0, low=0.0, high=20.0),
        FeatureParameters("y", "sqrt", -1.0, 4.0, 4.0, 2.0, 1.0),
    )
    line = FittedModel("LinearRegression", ("x", "y"), 1.0, np.array([2.0, -1.0]))
    settings = {
        "parameters": parameters,
        "preparation": Preparation(),
        "model": line,
        "postprocessing": Postprocessing(1.0, 4.0, 0.4998, 3.0, 2.0, 1.0, 4.0),
    }
    return FeatureModel(**{**settings, **given})  # type: ignore[arg-type]


def test_one_response_at_a_time_gives_the_same_six_scores() -> None:
    experiment = train_experiment(TRAIN, TEST, TRANSFORMED)
    scorer = LinearScorer.of(feature_model(experiment))

    for place in range(5):
        found = scorer.score(dict(zip(NAMES, TEST.matrix[place].tolist(), strict=True)))
        assert found == pytest.approx({form: s[place] for form, s in experiment.test_predictions.items()})


def test_a_response_without_a_feature_has_no_score() -> None:
    scorer = LinearScorer.of(feature_model(train_experiment(TRAIN, TEST, ExperimentPlan())))

    with pytest.raises(InputError, match="'a' is missing"):
        scorer.score({"b": 1.0, "c": 2.0})


def test_a_table_without_a_feature_of_the_model_is_refused_by_name() -> None:
    model = feature_model(train_experiment(TRAIN, TEST, ExperimentPlan()))

    with pytest.raises(InputError, match="lacks features that the model needs: c"):
        predict(model, TEST.with_features(("a", "b")))


def test_six_variants_are_reckoned_by_hand() -> None:
    after = Postprocessing(1.0, 4.0, 0.4998, 3.0, 2.0, 1.0, 4.0)

    found = after.variants(np.array([1.0, 9.0, -5.0]))

    assert tuple(found) == ("raw", "scale", "raw_trim", "raw_trim_round", "scale_trim", "scale_trim_round")
    assert found["raw"].tolist() == [1, 9, -5]
    assert found["scale"].tolist() == [3, 7, 0]  # (raw - 1) / 4 * 2 + 3
    assert found["raw_trim"].tolist() == pytest.approx([1, 4.4998, 0.5002])
    assert found["raw_trim_round"].tolist() == [1, 4, 1]
    assert found["scale_trim"].tolist() == pytest.approx([3, 4.4998, 0.5002])
    assert found["scale_trim_round"].tolist() == [3, 4, 1]


def test_the_scale_of_scores_is_learned_over_n_minus_1() -> None:
    human, raw = np.array([1.0, 2.0, 4.0]), np.array([2.0, 2.5, 3.0])

    found = Postprocessing.learned(human, raw, low=1, high=6, tolerance=0.3)

    assert (found.trim_min, found.trim_max, found.trim_tolerance) == (1, 6, 0.3)
    assert (found.h1_mean, found.h1_sd) == pytest.approx((7 / 3, np.std(human, ddof=1)))
    assert (found.train_predictions_mean, found.train_predictions_sd) == pytest.approx((2.5, 0.5))
    with pytest.raises(InputError, match="one training response is too few"):
        Postprocessing.learned(human[:1], raw[:1], low=1, high=6, tolerance=0.3)


def test_one_score_for_all_cannot_be_scaled_and_its_scaled_variants_stay_empty() -> None:
    same = Postprocessing.learned(np.array([1.0, 2.0, 4.0]), np.full(3, 0.1) * 23, low=1, high=6, tolerance=0.3)

    variants = same.variants(np.array([2.3, 9.0]))

    assert not same.scales
    assert np.isnan(same.ratio)
    assert variants["raw_trim_round"].tolist() == [2, 6]
    assert all(np.isnan(scores).all() for name, scores in variants.items() if name.startswith("scale"))


def test_a_response_is_scored_step_by_step() -> None:
    model = small()
    table = FeatureTable.of({"y": [4, 9, 9], "x": [10, 15, 99]})

    found = predict(model, table)

    # z(x) 0, 1, 2 and z(y) 0, -1, -1
    assert found.variants["raw"].tolist() == pytest.approx([1, 4, 6])
    assert found.preprocessed.tolist() == [[0, 0], [1, -1], [2, -1]]
    assert (found.left_out.tolist(), found.filled) == ([], 0)
    scorer = LinearScorer.of(model)
    assert [scorer.raw({"x": x, "y": y}) for x, y in ((10, 4), (15, 9), (99, 9))] == pytest.approx([1, 4, 6])


def test_responses_without_a_usable_value_are_left_out_by_feature() -> None:
    table = FeatureTable.of({"x": [1, 10, np.nan, 10], "y": [np.nan, 4, 4, -1]})

    found = predict(small(preparation=Preparation(truncate=False)), table)

    assert found.table.ids.tolist() == ["2"]
    assert found.left_out.tolist() == [2, 0, 3]  # no x, no y, and last a y that has no root
    assert found.variants["raw"].tolist() == pytest.approx([1])


def test_gaps_are_filled_where_training_said_with_what() -> None:
    bare = small()
    model = small(parameters=(replace(bare.parameters[0], fill=15.0), bare.parameters[1]))

    found = predict(model, FeatureTable.of({"x": [np.nan, 10], "y": [4, 4]}))

    assert found.variants["raw"].tolist() == pytest.approx([3, 1])
    assert found.filled == 1
    assert LinearScorer.of(model).raw({"y": 4}) == pytest.approx(3)


def test_a_table_that_cannot_be_scored_at_all_is_refused_unless_it_is_a_part() -> None:
    model = small(preparation=Preparation(truncate=False))
    empty, rootless = FeatureTable.of({"x": [np.nan], "y": [4]}), FeatureTable.of({"x": [10], "y": [-4]})

    with pytest.raises(InputError, match="no response has a number for every feature"):
        predict(model, empty)
    with pytest.raises(InputError, match="no response has a value for every feature once it is transformed"):
        predict(model, rootless)
    assert len(predict(model, empty, part=True).table) == 0
    assert predict(model, rootless, part=True).left_out.tolist() == [0]


def test_one_response_is_refused_for_what_cannot_be_transformed() -> None:
    scorer = LinearScorer.of(small(preparation=Preparation(truncate=False, standardize=False)))

    assert scorer.raw({"x": 3.0, "y": 4.0}) == pytest.approx(1 + 2 * 3 + 2)
    with pytest.raises(InputError, match="feature 'y' is -4, which cannot be transformed"):
        scorer.raw({"x": 1.0, "y": -4.0})
    assert scorer.score({"x": 0.0, "y": 0.0})["raw_trim_round"] == 1.0


def test_only_a_line_scores_one_response_at_a_time() -> None:
    with pytest.raises(InputError, match=r"SVR is no linear model. Score tables with `predict` instead."):
        LinearScorer.of(small(model=FittedModel("SVR", ("x", "y"), estimator=object())))


def test_a_model_without_features_scores_nothing() -> None:
    empty = small(parameters=(), model=FittedModel("LinearRegression", (), 1.0, np.array([])))
    with pytest.raises(InputError, match="the model has no features"):
        predict(empty, TEST)
