"""Taking a model to a prompt it has not seen: ranked without scores, placed with a few."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.calibrated.calibrate import calibrate, expected_placement, placed_scores
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, UnlabeledPrompt, learn_transfer
from assay.essays.models.calibrated.model import CalibratedModel, score_calibrated
from assay.essays.models.calibrated.scale_placement import Placement, PromptLevel, fit_line, safe_placement
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.text.text import Essay
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.scale import ScoreScale
from tests.essays.models.hybrid.made_essays import made_essays

pytest.importorskip("lightgbm")

SCALE = ScoreScale(1, 4)


@pytest.fixture(scope="module")
def transfer() -> CrossPromptModel:
    essays, scores = made_essays(160, ("dogs", "trains"))
    return learn_transfer(essays, scores, {"dogs": SCALE, "trains": SCALE})


def known(scores: np.ndarray, count: int) -> np.ndarray:
    """The first scores; the others unknown."""
    return np.where(np.arange(len(scores)) < count, scores, np.nan)


def kappa(essays: HybridEssays, human: np.ndarray, model: CalibratedModel) -> float:
    given = np.array([score.score for score in score_calibrated(essays, model)])
    return quadratic_weighted_kappa(human, given)


def test_a_prompt_without_scores_is_ranked_and_placed_where_prompts_lie(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(80, ("gardens",), seed=6)
    model = calibrate(transfer, essays, known(human, 0), SCALE)
    assert model.scored == 0
    assert "no scored essays" in model.notes[0]
    assert kappa(essays, human, model) > 0.6


def test_a_few_scores_tell_where_a_hard_prompt_lies(transfer: CrossPromptModel) -> None:
    # the same essays, judged two points lower on a longer scale
    essays, human = made_essays(80, ("gardens",), seed=6)
    wide, lower = ScoreScale(0, 9), human - 1
    blind = calibrate(transfer, essays, known(lower, 0), wide)
    told = calibrate(transfer, essays, known(lower, 20), wide)
    rest = np.arange(20, 80)
    assert kappa(essays.at(rest), lower[rest], told) > kappa(essays.at(rest), lower[rest], blind) + 0.1


def test_new_essays_of_the_prompt_are_scored_as_those_it_was_calibrated_on(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(80, ("gardens",), seed=6)
    model = calibrate(transfer, essays, known(human, 20), SCALE)
    new, judged = made_essays(60, ("gardens",), seed=7)
    assert kappa(new, judged, model) > 0.65


def test_the_formula_kept_in_the_model_gives_the_scores_of_the_pool(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(80, ("gardens",), seed=6)
    scores = known(human, 20)
    pool = UnlabeledPrompt.of(essays)
    expected = expected_placement(transfer, essays, SCALE)
    placed, _ = placed_scores(pool, pool.ranked(transfer), scores, expected, SCALE)
    raw = [score.raw for score in score_calibrated(essays, calibrate(transfer, essays, scores, SCALE))]
    assert np.corrcoef(raw, placed.pool)[0, 1] > 0.98  # not 1: pool essays are compared without themselves


def test_shares_add_up_to_the_raw_score(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(40, ("gardens",), seed=6)
    model = calibrate(transfer, essays, known(human, 10), SCALE)
    for score in score_calibrated(essays, model)[:5]:
        assert score.average + sum(score.shares.values()) == pytest.approx(score.raw, abs=1e-4)
        assert score.low <= score.high


def test_an_essay_on_another_prompt_gets_no_score(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(40, ("gardens",), seed=6)
    model = calibrate(transfer, essays, known(human, 10), SCALE)
    stranger, _ = made_essays(1, ("dogs",))
    score = score_calibrated(stranger, model)[0]
    assert not score.scored
    assert "unknown_prompt" in [doubt.name for doubt in score.advisories]


def test_what_cannot_be_calibrated_is_said(transfer: CrossPromptModel) -> None:
    few, human = made_essays(6, ("gardens",))
    with pytest.raises(InputError, match="too few to calibrate"):
        calibrate(transfer, few, human, SCALE)
    mixed, human = made_essays(40, ("gardens", "dogs"))
    with pytest.raises(InputError, match="calibrated to one prompt"):
        calibrate(transfer, mixed, human, SCALE)
    essays, human = made_essays(40, ("gardens",))
    with pytest.raises(InputError, match="no points of the scale"):
        calibrate(transfer, essays, human + 5, SCALE)


def test_an_essay_without_words_does_not_upset_the_pool(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(40, ("gardens",), seed=6)
    blank = HybridEssays(
        (*essays.essays, Essay("blank", "", "gardens")),
        np.vstack([essays.measures, np.zeros(essays.measures.shape[1])]),
        (*essays.advisories, ()),
    )
    model = calibrate(transfer, blank, np.append(known(human, 10), np.nan), SCALE)
    assert not score_calibrated(blank, model)[-1].scored


def test_the_line_moves_from_what_is_expected_to_what_is_seen() -> None:
    rng = np.random.default_rng(1)
    g = rng.normal(size=400)
    scores = 5 + 2 * g + rng.normal(size=400)
    expected = Placement(3.0, 1.0, 1.1)
    none, few, many = (fit_line(g[:n], scores[:n], expected, width=9.0, kernel=np.eye(n)) for n in (0, 10, 400))
    assert none.intercept == 3.0
    assert none.slope < few.slope < many.slope
    assert many.intercept == pytest.approx(5.0, abs=0.2)
    assert many.slope == pytest.approx(2.0, abs=0.3)


def test_essays_that_are_alike_count_for_less_than_as_many_that_are_not() -> None:
    g, scores = np.zeros(8), np.full(8, 5.0)
    expected = Placement(3.0, 1.0, 1.1)
    apart, alike = (fit_line(g, scores, expected, width=9.0, kernel=k) for k in (np.eye(8), np.ones((8, 8))))
    assert 3.0 < alike.intercept < apart.intercept < 5.0


def test_more_score_points_are_expected_to_be_less_spread() -> None:
    levels = [PromptLevel(0.6, 0.25, 4, 100), PromptLevel(0.5, 0.22, 5, 120), PromptLevel(0.6, 0.12, 31, 200)]
    short = safe_placement(levels, words=100, scale=ScoreScale(0, 3))
    long = safe_placement(levels, words=200, scale=ScoreScale(0, 30))
    assert short.sd / 3 > long.sd / 30
    assert short.widened > short.sd
