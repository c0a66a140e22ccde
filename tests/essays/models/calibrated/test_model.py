"""A calibrated model made by hand: its raw score term by term, and what it refuses to score."""

from dataclasses import replace
from math import isnan, nan

import numpy as np
import pytest

from assay.essays.features.features import analyse
from assay.essays.features.measures import measures_of
from assay.essays.models.calibrated.cross_prompt import LONGEST_RUN, curved, learn_prompt
from assay.essays.models.calibrated.model import CHARACTERS, NAMES, CalibratedModel, score_calibrated
from assay.essays.models.cutoffs import rounding
from assay.essays.models.hybrid.boosting import fit_trees
from assay.essays.models.hybrid.ngrams import CHARACTER_BITS, character_runs
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.models.scoring_model import EssayScore
from assay.essays.text.reader import read_text
from assay.essays.text.text import Essay
from assay.scale import ScoreScale
from tests.essays.models.hybrid.made_essays import made_essays

pytest.importorskip("lightgbm")

SCALE = ScoreScale(1, 4)


@pytest.fixture(scope="module")
def model() -> CalibratedModel:
    essays, scores = made_essays(40, ("gardens",), seed=6)
    space = learn_prompt(essays)
    z = space.z(essays, among=True)
    rng = np.random.default_rng(1)
    return CalibratedModel(
        scale=SCALE,
        prompt="gardens",
        space=space,
        features=rng.normal(0, 0.05, 2 * len(NAMES)),
        trees=tuple(fit_trees(z, scores, seed=seed, rounds=5) for seed in (0, 1)),
        tree_factor=0.5,
        characters=rng.normal(0, 0.01, (1, 2**CHARACTER_BITS)),
        intercept=1.25,
        cutoffs=rounding(np.empty(0), np.empty(0), SCALE),
        percentiles=np.linspace(0, 5, 101),
        residual=0.4,
        essays=40,
        scored=10,
        notes=("a note",),
    )


def test_the_raw_score_is_the_sum_of_features_trees_and_characters(model: CalibratedModel) -> None:
    essays, _ = made_essays(3, ("gardens",), seed=8)
    z = model.space.z(essays, among=False)
    trees = np.mean([own.predict(z) for own in model.trees], axis=0)

    for row, score in enumerate(score_calibrated(essays, model)):
        runs = character_runs(essays.texts[row], LONGEST_RUN)
        characters = model.characters[0, runs].sum() / np.sqrt(len(runs))
        raw = 1.25 + curved(z)[row] @ model.features + 0.5 * trees[row] + characters
        assert score.raw == pytest.approx(raw, abs=1e-4)
        assert score.shares[CHARACTERS] == pytest.approx(characters)
        assert score.average + sum(score.shares.values()) == pytest.approx(score.raw, abs=1e-4)
        assert (score.essay_id, score.prompt, score.advisories) == (f"e{row}", "gardens", ())


def test_a_score_has_a_point_an_interval_and_a_percentile(model: CalibratedModel) -> None:
    essays, _ = made_essays(4, ("gardens",), seed=8)

    for score in score_calibrated(essays, model):
        assert score.score == np.clip(np.floor(score.raw + 0.5), 1, 4)
        assert score.low == pytest.approx(max(1, score.raw - 1.645 * 0.4))
        assert score.high == pytest.approx(min(4, score.raw + 1.645 * 0.4))
        assert score.percentile == pytest.approx(20 * score.raw)


def test_features_are_shown_as_measured_and_characters_have_no_single_value(model: CalibratedModel) -> None:
    essays, _ = made_essays(2, ("gardens",), seed=8)

    for row, score in enumerate(score_calibrated(essays, model)):
        z = model.space.z(essays, among=False)[row]
        inside = np.abs(z) < 4  # beyond, a value counts no further
        measured = np.array([score.features[name] for name in NAMES])
        known = np.array([*essays.measures[row], *measured[essays.measures.shape[1] :]])
        assert measured[inside] == pytest.approx(known[inside], abs=1e-9)
        assert isnan(score.features[CHARACTERS])
        assert tuple(score.features) == tuple(score.shares) == model.columns


def test_an_essay_on_another_prompt_gets_no_score(model: CalibratedModel) -> None:
    stranger, _ = made_essays(1, ("dogs",))

    (score,) = score_calibrated(stranger, model)

    assert not score.scored
    assert [(doubt.name, doubt.evidence) for doubt in score.advisories] == [
        ("unknown_prompt", "the model is calibrated to 'gardens'")
    ]
    assert set(score.features) == set(model.columns)
    assert all(map(isnan, score.features.values()))


def test_an_essay_that_names_no_prompt_is_taken_to_be_on_this_one(model: CalibratedModel) -> None:
    essays, _ = made_essays(1, ("gardens",), seed=8)
    unnamed = replace(essays, essays=(replace(essays.essays[0], prompt=""),))

    (score,), (other,) = score_calibrated(essays, model), score_calibrated(unnamed, model)

    assert other.scored
    assert (other.raw, other.prompt) == (score.raw, "")


def test_an_essay_without_words_gets_no_score(model: CalibratedModel) -> None:
    essays, _ = made_essays(1, ("gardens",), seed=8)
    measures = essays.measures.copy()

    def scored(log_words: float) -> EssayScore:
        measures[0, 0] = log_words
        return score_calibrated(HybridEssays((Essay("1", "", "gardens"),), measures.copy(), ((),)), model)[0]

    assert not scored(0.0).scored
    assert not scored(nan).scored
    assert scored(0.0).advisories == ()
    assert scored(np.log1p(1)).scored  # a single word is enough


def test_a_text_is_read_and_scored(model: CalibratedModel) -> None:
    essay = Essay("1", "The garden needs water, and the soil grows a flower.", "gardens")
    analysis = analyse(read_text(essay.text))

    score = model.score(essay, analysis)

    assert score.raw == score_calibrated(HybridEssays.of(essay, analysis, measures_of(analysis)), model)[0].raw
    assert [doubt.name for doubt in score.advisories] == ["too_short"]


@pytest.mark.parametrize(
    ("scored", "essays", "said"),
    [
        (10, 1200, "placed on the scale by 10 scored essays among 1,200 essays of this prompt."),
        (1, 1, "placed on the scale by 1 scored essay among 1 essay of this prompt."),
        (0, 40, "placed on the scale by 0 scored essays among 40 essays of this prompt."),
        (0, 0, "placed on the scale by 0 scored essays among 0 essays of this prompt."),
    ],
)
def test_a_model_says_what_it_rests_on(model: CalibratedModel, scored: int, essays: int, said: str) -> None:
    own = replace(model, scored=scored, essays=essays)

    assert own.basis == f"Ranked by a model of other prompts, and {said}"
    assert (own.training.essays, own.training.prompts, own.training.notes) == (essays, ("gardens",), ("a note",))
    assert (own.training.cutoffs, own.kind, own.columns) == ("rounding", "calibrated", (*NAMES, "characters"))


def test_it_needs_no_prompt_and_cannot_be_calibrated_again(model: CalibratedModel) -> None:
    assert (model.known_prompts, model.can_calibrate, model.can_refit) == ((), False, False)
    with pytest.raises(ValueError, match="read-only"):
        model.features[0] = 1


def test_the_share_of_each_feature_is_that_of_its_weights_and_of_the_trees(model: CalibratedModel) -> None:
    essays, _ = made_essays(1, ("gardens",), seed=8)
    z = model.space.z(essays, among=False)

    (score,) = score_calibrated(essays, model)

    size = len(NAMES)
    trees = np.mean([own.shares(z)[0] for own in model.trees], axis=0) * 0.5
    expected = z[0] * model.features[:size] + np.clip(z[0], -3, 3) ** 2 / 2 * model.features[size:] + trees[:size]
    assert [score.shares[name] for name in NAMES] == pytest.approx(expected.tolist(), abs=1e-12)
    assert score.average == pytest.approx(1.25 + trees[size], abs=1e-12)
    assert score.raw == round(score.raw, 4) == round(score.average + sum(score.shares.values()), 4)
