"""An experiment as one JSON file."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.io.results.experiment_json import experiment_json
from assay.provenance import Provenance
from assay.rsm.experiment import Experiment, train_experiment
from assay.rsm.types import ExperimentPlan
from assay.scale import ScoreScale
from tests.rsm.tables import NAMES, feature_table

TRAIN, TEST = feature_table(seed=1), feature_table(40, seed=2)


def experiment() -> Experiment:
    human = TEST.human.copy()
    human[:3] = np.nan
    return train_experiment(TRAIN, replace(TEST, human=human), ExperimentPlan())


def content(own: Experiment) -> dict[str, Any]:
    ratings = Ratings(own.test.used.human[:, None], own.test_predictions["raw"])
    text = experiment_json(
        own, evaluate_engine(ratings, Plan(ScoreScale(1, 6))), Provenance("0.1", "test"), experiment_id="mine"
    )
    assert text.endswith("}\n")
    parsed: dict[str, Any] = json.loads(text)
    return parsed


def test_an_experiment_tells_its_plan_its_responses_and_its_evaluation() -> None:
    own = experiment()
    told = content(own)
    assert (told["schema"], told["experiment_id"]) == ("assay.experiment/1", "mine")
    assert told["provenance"]["version"] == "0.1"
    assert told["plan"]["model"] == "LinearRegression"
    assert told["training"] == {
        "read": 80,
        "used": 80,
        "left_out": own.train.left_out(),
        "missing_values_filled": own.train.filled,
    }
    assert (told["evaluation_responses"]["read"], told["evaluation_responses"]["used"]) == (40, 37)
    assert told["evaluation_responses"]["left_out"] == own.test.left_out()
    assert told["without_human_score"] == 3
    assert told["evaluation"]["figures"]
    assert [feature["feature"] for feature in told["features"]] == list(own.names)
    assert told["postprocessing"]["h1_mean"] == pytest.approx(TRAIN.human.mean())
    assert (told["dropped_features"], told["notes"]) == ([], list(own.notes))


def test_a_fitted_model_tells_its_estimates_with_their_tests() -> None:
    own = experiment()
    model = content(own)["model"]
    assert own.fit is not None
    assert own.model.coefficients is not None
    error, t, p = own.fit.tests()
    assert (model["name"], sorted(model["features"])) == ("LinearRegression", sorted(NAMES))
    assert model["coefficients"] == own.model.coefficients.tolist()
    assert model["intercept"] == own.model.intercept
    assert (model["fit"]["responses"], model["fit"]["r2"]) == (80, own.fit.r2)
    assert model["fit"]["adjusted_r2"] == own.fit.adjusted_r2
    assert model["fit"]["estimates"][1] == {
        "name": own.fit.names[1],
        "estimate": own.fit.estimates[1],
        "se": error[1],
        "t": t[1],
        "p": p[1],
    }


def test_a_model_without_a_least_squares_fit_has_none() -> None:
    own = experiment()
    bare = replace(own, fit=None, model=replace(own.model, coefficients=None))
    assert not {"fit", "coefficients", "intercept"} & set(content(bare)["model"])
    assert content(train_experiment(TRAIN, TEST, ExperimentPlan()))["without_human_score"] == 0
