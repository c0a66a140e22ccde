"""`erater-2005` against the tables of the paper."""

import numpy as np
import pytest

from assay.essays.models.erater.published import EXPECTED_R, FEATURES, HUMAN_MEAN, published_model, published_weights


def test_an_essay_with_the_average_features_of_table_3_gets_the_average_score_of_table_1() -> None:
    weights = published_weights()
    assert weights.predict(weights.mean[None])[0] == pytest.approx(HUMAN_MEAN)
    assert weights.average_score == pytest.approx(3.53)


def test_weights_keep_the_proportions_of_table_9_and_the_signs_of_better_writing() -> None:
    weights = dict(zip(FEATURES, published_weights().standardised.tolist(), strict=True))
    assert weights["development"] / weights["length"] == pytest.approx(0.21 / 0.20)
    assert weights["grammar"] / weights["length"] == pytest.approx(-0.05 / 0.20)
    assert "style" not in weights
    assert published_weights().relative.sum() == pytest.approx(1)


def test_scores_spread_as_the_correlations_of_table_9_say() -> None:
    weights = published_weights()
    r = np.array([feature.r for feature in FEATURES.values()])
    # with beta = R s_i / R ... the covariance of scaled scores and human scores is R by construction
    assert float(np.abs(weights.standardised) @ r) == pytest.approx(EXPECTED_R)


def test_the_model_takes_any_prompt_and_says_where_it_comes_from() -> None:
    model = published_model(version="1", reads_with={"reader": "x"})
    assert (model.known_prompts, model.known_programs, model.can_calibrate) == ((), (), True)
    assert "Attali & Burstein (2005)" in model.extra["source"]
    assert model.reads_with == {"reader": "x"}
    low, high = model.equations[""].errors.low[0], model.equations[""].errors.high[0]
    assert (low, high) == pytest.approx((-1.2484, 1.2484), abs=1e-3)
