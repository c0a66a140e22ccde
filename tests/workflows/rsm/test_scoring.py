"""New responses scored by a stored model: whole, in parts, by many."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.execution.executor import SerialExecutor
from assay.io.rsm.configuration.configs import RsmPredictConfig, rsm_predict_config
from assay.workflows.rsm import scoring
from assay.workflows.rsm.tool import rsm_tool
from tests.io.rsm.rsm_training import write_training


@pytest.fixture(scope="module", params=["LinearRegression", "DecisionTreeRegressor"])
def config(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RsmPredictConfig:
    home = tmp_path_factory.mktemp("scoring")
    rsm_tool(write_training(home, model=request.param), home / "model", no_report=True)
    options = {"experiment_id": "ours", "experiment_dir": str(home / "model"), "id_column": "id"}
    return rsm_predict_config({**options, "input_features_file": str(home / "test.csv")}, compat=False)


def test_scores_of_parts_are_those_of_the_whole(config: RsmPredictConfig) -> None:
    model = scoring.stored_model(config)
    whole = scoring.score_responses(config, model)
    parts = [scoring.score_responses(config, model, span) for span in ((0, 25), (25, 15))]

    assert len(whole) == 40
    assert whole.scores.equals(parts[0].scores.vstack(parts[1].scores))
    assert whole.features.width == 1 + 2
    assert whole.excluded.height == 0


def test_raw_scores_are_the_same_whoever_works_them_out(
    config: RsmPredictConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "ROWS_AT_ONCE", 7)
    model = scoring.stored_model(config)
    matrix = np.random.default_rng(1).normal(size=(40, 2))

    assert np.array_equal(scoring.spread_raw(SerialExecutor(), model, matrix), model.raw(matrix))


def test_expected_scores_need_a_model_with_probabilities(config: RsmPredictConfig) -> None:
    with pytest.raises(InputError, match="gives no probabilities") as refused:
        scoring.stored_model(replace(config, predict_expected_scores=True))

    assert refused.value.field == "predict_expected_scores"


def test_what_the_configuration_says_about_preparation_holds(config: RsmPredictConfig) -> None:
    assert scoring.stored_model(config).preparation.standardize
    assert not scoring.stored_model(replace(config, standardize_features=False)).preparation.standardize
