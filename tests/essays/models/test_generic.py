"""The model for essays of any prompt: fitted, explained, with intervals and advisories."""

import numpy as np
import pytest

from assay.essays.features.features import analyse_all
from assay.essays.features.measures import NAMES
from assay.essays.models.generic import GenericModel, fit_generic
from assay.essays.models.hybrid.reading import LOG_WORDS
from assay.essays.models.scoring_model import TrainingSummary
from assay.essays.text.text import Essay
from assay.scale import ScoreScale

pytest.importorskip("lightgbm")

SCALE = ScoreScale(1, 6)


def made_measures(count: int = 240) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Measures of which two bear on the score, and three prompts."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(count, len(NAMES)))
    values[:, LOG_WORDS] = 5.5 + 0.4 * values[:, LOG_WORDS]
    scores = np.clip(np.rint(3.4 + 2 * (values[:, LOG_WORDS] - 5.5) + values[:, 7]), 1, 6)
    return values, scores, [f"prompt {k % 3}" for k in range(count)]


@pytest.fixture(scope="module")
def model() -> GenericModel:
    values, scores, prompts = made_measures()
    training = TrainingSummary(len(scores), ("a", "b", "c"), {}, "", "", "1")
    return fit_generic(values, scores, prompts, scale=SCALE, training=training)


def test_prompts_left_out_are_scored_well_where_the_measures_tell(model: GenericModel) -> None:
    assert model.agreement["r"] > 0.75
    assert "prompts that were left out in turn" in model.basis


def test_shares_and_start_add_up_to_the_raw_score(model: GenericModel) -> None:
    values, _, _ = made_measures()
    start, shares = model.by_measure(values[4])
    assert start + shares.sum() == pytest.approx(model.raw(values[4:5])[0])
    assert np.argmax(np.abs(shares)) in (LOG_WORDS, 7, *range(8))


def test_an_essay_of_any_prompt_is_scored_and_warned_about_where_it_is_short(model: GenericModel) -> None:
    text = "Dogs are loyal. They wait for us every day."
    score = model.score(Essay("1", text, "never seen"), next(analyse_all([text], None)))
    assert score.scored
    assert score.low <= score.high
    assert any(doubt.name == "beyond_training" and "9 words" in doubt.evidence for doubt in score.advisories)


def test_an_essay_without_words_has_no_score(model: GenericModel) -> None:
    score = model.score(Essay("1", "", ""), next(analyse_all([""], None)))
    assert not score.scored
