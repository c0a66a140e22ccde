"""A hybrid trained on essays of our own: what it predicts, how it explains itself, what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.hybrid.model import HybridModel, by_family, by_feature, score_read
from assay.essays.models.hybrid.train import train_hybrid
from assay.essays.models.resolution import HumanScores
from assay.essays.models.scoring_model import TELLING_WORDS
from assay.metrics.kappa import quadratic_weighted_kappa
from tests.essays.models.hybrid.made_essays import made_essays

pytest.importorskip("lightgbm")


@pytest.fixture(scope="module")
def model() -> HybridModel:
    essays, scores = made_essays(120)
    return train_hybrid(essays, HumanScores(scores))


@pytest.fixture(scope="module")
def of_three_prompts() -> HybridModel:
    essays, scores = made_essays(120, ("dogs", "trains", "gardens"))
    return train_hybrid(essays, HumanScores(scores))


def test_new_essays_get_scores_that_agree_with_people(model: HybridModel) -> None:
    essays, human = made_essays(60, seed=2)
    given = np.array([score.score for score in score_read(essays, model)])
    assert quadratic_weighted_kappa(human, given) > 0.7


def test_the_agreement_it_reports_of_itself_is_that_of_unseen_essays(model: HybridModel) -> None:
    essays, human = made_essays(200, seed=5)
    raw = np.array([score.raw for score in score_read(essays, model)])
    assert model.agreement["r"] == pytest.approx(np.corrcoef(human, raw)[0, 1], abs=0.08)


def test_shares_add_up_to_the_raw_score(model: HybridModel) -> None:
    essays, _ = made_essays(8, seed=3)
    for score in score_read(essays, model):
        assert score.average + sum(score.shares.values()) == pytest.approx(score.raw, abs=1e-4)
        families = sum(reason.share for reason in by_family(score.shares))
        assert score.average + families == pytest.approx(score.raw, abs=1e-4)


def test_what_moves_a_score_most_is_named_in_words(model: HybridModel) -> None:
    essays, _ = made_essays(4, seed=3)
    longest = score_read(essays, model)[3]
    assert "Words in the essay" in [reason.title for reason in by_feature(longest.shares, 12)]


def test_telling_words_are_words_of_the_essay(model: HybridModel) -> None:
    essays, _ = made_essays(4, seed=3)
    words_told = score_read(essays, model)[3].words
    assert 0 < len(words_told) <= TELLING_WORDS
    words = set(essays.texts[3].rstrip(".").split()) | {"."}
    assert all(set(run.split()) <= words for run in words_told)


def test_training_twice_gives_the_same_scores(model: HybridModel) -> None:
    essays, scores = made_essays(120)
    again = train_hybrid(essays, HumanScores(scores))
    new, _ = made_essays(10, seed=9)
    assert [s.raw for s in score_read(new, again)] == [s.raw for s in score_read(new, model)]


def test_prompts_share_a_model_and_keep_their_own_words(of_three_prompts: HybridModel) -> None:
    assert of_three_prompts.space.prompts == ("dogs", "gardens", "trains")
    new, human = made_essays(60, ("dogs", "trains", "gardens"), seed=4)
    given = np.array([score.score for score in score_read(new, of_three_prompts)])
    assert quadratic_weighted_kappa(human, given) > 0.6


def test_an_essay_on_another_prompt_gets_no_score_and_a_reason(model: HybridModel) -> None:
    new, _ = made_essays(1, ("trains",))
    score = score_read(new, model)[0]
    assert not score.scored
    assert "unknown_prompt" in [doubt.name for doubt in score.advisories]
    assert score.words == {}


@pytest.mark.parametrize(
    ("count", "scores", "says"),
    [
        (20, None, "too few for a hybrid"),
        (80, 3.0, "every essay has the human score 3"),
        (80, float("nan"), "too few|no regular"),
    ],
)
def test_bad_training_essays_are_refused(count: int, scores: float | None, says: str) -> None:
    essays, human = made_essays(count)
    given = human if scores is None else np.full(count, scores)
    with pytest.raises(InputError, match=says):
        train_hybrid(essays, HumanScores(given))


def test_essays_nobody_scored_are_left_out_and_counted() -> None:
    essays, human = made_essays(80)
    human[:3] = np.nan
    assert train_hybrid(essays, HumanScores(human)).training.left_out == {"no human score": 3}


def test_essays_that_are_all_the_same_are_refused() -> None:
    essays, human = made_essays(80)
    same = replace(essays, measures=np.tile(essays.measures[0], (80, 1)))
    with pytest.raises(InputError, match="every essay measures the same"):
        train_hybrid(same, HumanScores(human))
