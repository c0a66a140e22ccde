"""v.1.3 as a kind of `EssayModel`: trained, written to a file, read back, and scoring."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.model import EssayModel, TrainingPlan, score_table
from assay.essays.models.erater.train import train_model
from assay.essays.models.erater.v1_equation import V1_FEATURES
from assay.essays.models.erater.v1_measures import NAMES
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.scoring_model import score_each
from assay.essays.text.text import Essay
from assay.io.models.scoring_models import read_scoring_model, write_scoring_model
from tests.essays.study.corpora import made_corpus

PLAN = TrainingPlan(kind="v1")


def v1_training(per_prompt: int = 80) -> EssayFeatures:
    corpus = made_corpus(per_prompt, {"cars": "p", "dogs": "p"}, second=False)
    assert corpus.v1_values is not None
    return replace(
        corpus.table,
        names=(*FEATURES, *NAMES),
        values=np.hstack([corpus.table.values, corpus.v1_values]),
        arguments=tuple(tuple(own) for own in corpus.arguments),
    )


def test_there_is_an_equation_for_each_prompt_with_few_weights_and_half_points() -> None:
    model = train_model(v1_training(), PLAN)

    assert model.kind == "v1"
    assert set(model.equations) == {"cars", "dogs"}
    assert model.features == V1_FEATURES
    for equation in model.equations.values():
        assert 1 <= np.count_nonzero(equation.weights.raw) <= 15
        assert equation.cutoffs.cuts.tolist() == [1.5, 2.5, 3.5, 4.5, 5.5]
        assert equation.agreement["qwk"] > 0.3


def test_the_raw_score_is_the_sum_of_the_shares_and_lands_on_the_scale() -> None:
    table = v1_training()
    model = train_model(table, PLAN)
    scores = score_table(table, model)

    assert {score.score for score in scores} <= {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}
    for score in scores[:20]:
        assert score.raw == pytest.approx(score.average + sum(score.shares.values()), abs=1e-3)


def test_a_model_read_back_scores_alike(tmp_path: Path) -> None:
    table = v1_training()
    model = train_model(table, PLAN)
    write_scoring_model(model, tmp_path / "v1.json")

    back = read_scoring_model(tmp_path / "v1.json")
    assert isinstance(back, EssayModel)
    again = score_table(table, back)

    assert [score.raw for score in again] == [score.raw for score in score_table(table, model)]


def test_a_text_is_measured_and_scored_and_an_unknown_prompt_is_not() -> None:
    model = train_model(v1_training(), PLAN)
    essays = [Essay("1", "I think cars are loud. First, they wake us at level3.", "cars"), Essay("2", "Words.", "tea")]

    known, unknown = score_each(essays, model, None)

    assert known.scored
    assert known.features["arguments"] == 2
    assert not unknown.scored
    assert "unknown_prompt" in {doubt.name for doubt in unknown.advisories}


def test_training_needs_enough_essays_and_the_features_of_v1() -> None:
    with pytest.raises(InputError, match="30 scored essays for 'cars' are too few to estimate 8 weights: at least 40"):
        train_model(v1_training(30), PLAN)
    with pytest.raises(InputError, match=r"without those of v\.1\.3"):
        train_model(replace(v1_training(), arguments=()), PLAN)
