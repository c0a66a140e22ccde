"""What features are worth, value by value."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.model import TrainingPlan, score_table
from assay.essays.models.erater.refit import refit_model
from assay.essays.models.erater.train import train_model
from assay.essays.models.erater.weights import fit_curves
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.resolution import HumanScores
from assay.scale import ScoreScale
from tests.essays.models.erater.made_essays import made_table

CURVED = TrainingPlan(kind="generic12", fixed={}, curved=True)


def test_a_gain_that_ends_at_the_mean_is_found() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(50, 10, size=(3000, 1))
    human = np.minimum(values[:, 0], 50) / 10 + rng.normal(0, 0.1, size=3000)

    curves = fit_curves(values, human)
    low, middle, high = curves.worth(np.array([[40.0], [50.0], [60.0]])).ravel()

    assert middle == pytest.approx(0, abs=0.05)
    assert low == pytest.approx(-1, abs=0.15)
    assert high == pytest.approx(0, abs=0.15)


def test_values_that_are_undefined_stay_so_and_a_constant_feature_stays_itself() -> None:
    values = np.column_stack([np.arange(100.0), np.full(100, 7.0)])
    curves = fit_curves(values, np.arange(100.0))

    worth = curves.worth(np.array([[np.nan, 7.0]]))

    assert np.isnan(worth[0, 0])
    assert worth[0, 1] == 7.0


def test_shares_of_a_curved_model_add_up_to_the_raw_score() -> None:
    table = made_table(400)
    model = train_model(table, CURVED)

    for score in score_table(table.at(np.arange(30)), model):
        assert score.average + sum(score.shares.values()) == pytest.approx(score.raw, abs=1e-3)


def test_curves_help_where_features_and_scores_go_together_in_a_curve() -> None:
    table = made_table(800, seed=8)
    length = table.column("length")
    bent = np.clip(np.rint(6 - np.abs(length - length.mean()) / 30), 1, 6)  # too long is as bad as too short
    curved = train_model(_scored(table, bent), CURVED, scale=ScoreScale(1, 6))
    straight = train_model(_scored(table, bent), TrainingPlan(kind="generic12", fixed={}), scale=ScoreScale(1, 6))

    assert curved.equations[""].agreement["r"] > straight.equations[""].agreement["r"] + 0.2


def test_a_share_fixed_in_advance_is_kept_with_curves() -> None:
    model = train_model(made_table(400), TrainingPlan(kind="generic12", curved=True))

    weights = model.equations[""].weights

    assert weights.relative[list(FEATURES).index("length")] == pytest.approx(0.2)


def test_a_curved_model_says_what_its_weights_weigh() -> None:
    assert "features enter by curves" in " ".join(train_model(made_table(400), CURVED).training.notes)


def test_a_curved_model_is_refitted() -> None:
    table = made_table(400)
    model = train_model(table, CURVED)
    some = table.at(np.arange(40))

    again = refit_model(model, _scored(some, np.maximum(some.human.first - 1, 1)))

    before, after = (np.mean([s.raw for s in score_table(table, one)]) for one in (model, again))
    assert after < before - 0.3


def test_too_few_essays_for_curves_are_refused() -> None:
    with pytest.raises(InputError, match="too few to estimate 48 weights"):
        train_model(made_table(200), CURVED)


def test_programs_and_curves_exclude_each_other() -> None:
    with pytest.raises(InputError, match="Leave out curves or program"):
        train_model(made_table(800, programs=2), CURVED)


def _scored(table: EssayFeatures, scores: NDArray[np.float64]) -> EssayFeatures:
    return replace(table, human=HumanScores(scores))
