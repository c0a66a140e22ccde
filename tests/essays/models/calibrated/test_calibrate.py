"""Taking a model to a prompt it has not seen: ranked without scores, placed with a few."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.calibrated import scale_placement as placement
from assay.essays.models.calibrated.calibrate import (
    calibrate,
    calibrate_equation,
    calibrate_model,
    expected_placement,
    only_equation,
    placed_scores,
)
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, UnlabeledPrompt, learn_transfer
from assay.essays.models.calibrated.model import CalibratedModel, score_calibrated
from assay.essays.models.erater.model import TrainingPlan, score_table
from assay.essays.models.erater.train import train_model
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.text.text import Essay
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.scale import ScoreScale
from tests.essays.models.erater.made_essays import made_table
from tests.essays.models.erater.test_model import equation, model_of, table_of
from tests.essays.models.hybrid.made_essays import made_essays
from tests.essays.models.hybrid.trained import hybrid_of

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


def test_a_calibrated_model_says_what_it_was_made_from(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(40, ("gardens",), seed=6)
    few, ten, none = (calibrate(transfer, essays, known(human, count), SCALE) for count in (9, 10, 0))

    assert (few.prompt, few.essays, few.scored, few.scale) == ("gardens", 40, 9, SCALE)
    assert few.notes == ("calibrated with 9 scored essays: ten are the fewest we measured",)
    assert ten.notes == ()
    assert "all may be too high or too low" in none.notes[0]
    assert ten.cutoffs.cuts.tolist() == [1.5, 2.5, 3.5]
    assert len(ten.percentiles) == 101
    assert ten.trees == transfer.ranker.trees


def test_a_new_prompt_of_the_same_scale_lies_where_the_source_prompts_lie(transfer: CrossPromptModel) -> None:
    essays, _ = made_essays(40, ("gardens",), seed=6)
    means, sds = ([getattr(level, name) for level in transfer.levels] for name in ("mean", "sd"))

    same = expected_placement(transfer, essays, SCALE)
    other = expected_placement(transfer, essays, ScoreScale(0, 9))

    assert (same.mean, same.sd) == pytest.approx((1 + 3 * np.mean(means), 3 * np.mean(sds)))
    assert same.widened == pytest.approx(np.sqrt(9 * (np.mean(sds) ** 2 + np.var(means)) + 1 / 12))
    words = float(np.median([len(text.rstrip(".").split()) for text in essays.texts]))
    expected = placement.safe_placement(transfer.levels, words=words, scale=ScoreScale(0, 9))
    assert (other.mean, other.sd, other.widened) == pytest.approx(
        (expected.mean, expected.sd, expected.widened), rel=1e-4
    )


def test_without_scores_the_pool_has_the_expected_mean_and_spread(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(40, ("gardens",), seed=6)
    pool = UnlabeledPrompt.of(essays)
    expected = placement.Placement(3.0, 1.0, 1.1)

    blind, residual = placed_scores(pool, pool.ranked(transfer), known(human, 0), expected, SCALE)
    told, _ = placed_scores(pool, pool.ranked(transfer), known(human, 20), expected, SCALE)

    assert (blind.pool.mean(), blind.pool.std()) == pytest.approx((3.0, 1.1))
    assert residual == pytest.approx(np.sqrt(1 - 0.77**2))
    assert abs(told.pool.mean() - human.mean()) < abs(3.0 - human.mean())


PLAN = TrainingPlan(kind="generic10")


def test_a_generic_model_is_placed_on_the_scale_of_a_new_prompt() -> None:
    model = train_model(made_table(200), PLAN)
    table = made_table(60, seed=9, lowest=0, highest=10)
    wide, human = ScoreScale(0, 10), table.human.first

    blind, told = (calibrate_equation(model, table, known(human, count), wide) for count in (0, 30))

    raw = np.array([score.raw for score in score_table(table, blind)])
    old = model.equations[""]
    middle = (old.percentiles.mean() - 1) * 2  # carried over from 1 to 6
    assert raw.mean() == pytest.approx(middle, abs=0.01)
    assert raw.std() == pytest.approx(np.hypot(old.percentiles.std() * 2, 1 / np.sqrt(12)), rel=0.01)
    assert np.corrcoef([s.raw for s in score_table(table, model)], raw)[0, 1] == pytest.approx(1, abs=1e-3)
    assert told.scale == wide
    assert told.training.cutoffs == "rounding"
    assert told.training.notes[-1] == "calibrated to a new prompt with 30 scored essays among 60"
    assert (told.equations[""].essays, blind.equations[""].essays) == (30, 0)
    assert set(map(str, told.equations[""].agreement.values())) == {"nan"}
    rest = slice(30, 60)
    assert np.corrcoef([s.raw for s in score_table(table, told)][rest], human[rest])[0, 1] > 0.6


def test_essays_without_words_play_no_part_in_a_generic_model() -> None:
    model = train_model(made_table(200), PLAN)
    table = made_table(30, seed=9)
    values = table.values.copy()
    values[3:] = np.nan
    with pytest.raises(InputError, match="3 essays with words are too few"):
        calibrate_equation(model, replace(table, values=values), np.full(30, np.nan), model.scale)


def test_only_a_model_of_one_straight_equation_can_be_taken_to_another_prompt() -> None:
    table = made_table(400)
    plain = train_model(table, PLAN)

    assert only_equation(plain) is plain.equations[""]
    with pytest.raises(InputError, match="a generic12 model needs scored essays of every prompt"):
        only_equation(train_model(table, TrainingPlan(kind="generic12")))
    with pytest.raises(InputError, match=r"a model with curves is bound.*Train one without curves to calibrate it"):
        only_equation(train_model(table, TrainingPlan(kind="generic10", curved=True, fixed={})))


def test_a_model_of_any_kind_is_calibrated_or_says_why_not(transfer: CrossPromptModel) -> None:
    essays, _ = made_essays(40, ("gardens",), seed=6)
    table = made_table(40, seed=9)
    generic = train_model(made_table(200), PLAN)

    def tried(model: object, scale: ScoreScale = SCALE) -> object:
        scores = np.full(40, np.nan)
        return calibrate_model(model, scores, scale, features=lambda: table, measures=lambda: essays)  # type: ignore[arg-type]

    assert tried(generic).kind == "generic10"  # type: ignore[attr-defined]
    calibrated = tried(hybrid_of("dogs", "trains", "gardens"))
    assert isinstance(calibrated, CalibratedModel)
    with pytest.raises(InputError, match="this hybrid was trained on one prompt"):
        tried(hybrid_of("dogs"))
    with pytest.raises(InputError, match="the model is calibrated to a prompt already"):
        tried(calibrated)


def test_essays_of_several_prompts_are_refused_with_five_of_their_names(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(12, ("gardens",))
    named = tuple(replace(essay, prompt="fedcba"[row // 2]) for row, essay in enumerate(essays.essays))

    with pytest.raises(InputError, match=r"to one prompt, and these essays are on 6: a, b, c, d, e\. Give"):
        calibrate(transfer, replace(essays, essays=named), human, SCALE)


def test_essays_of_a_single_word_count_and_those_without_do_not(transfer: CrossPromptModel) -> None:
    essays, human = made_essays(10, ("gardens",))
    measures = essays.measures.copy()
    measures[:3, 0] = [0.0, np.nan, np.log1p(1)]

    with pytest.raises(InputError, match="8 essays with words are too few to calibrate a model: at least 10"):
        calibrate(transfer, replace(essays, measures=measures), human, SCALE)


def test_scored_essays_give_a_line_and_a_correction_stretched_to_the_spread_of_people(
    transfer: CrossPromptModel,
) -> None:
    essays, human = made_essays(30, ("gardens",), seed=6)
    pool, expected = UnlabeledPrompt.of(essays), placement.Placement(2.5, 1.0, 1.1)
    rank, scores, rows = pool.ranked(transfer), known(human, 12), np.arange(12)

    placed, residual = placed_scores(pool, rank, scores, expected, SCALE)

    alike = pool.likeness()[:12, :12]
    line = placement.fit_line(rank.pool[:12], human[:12], expected, width=3.0, kernel=alike)
    straight = line.intercept + line.slope * rank.pool
    fitted = straight + pool.corrected(rows, (human - straight)[:12]).pool
    spread = np.sqrt(line.slope**2 + line.residual**2 + 1 / 12)
    assert placed.pool == pytest.approx(fitted.mean() + (fitted - fitted.mean()) / fitted.std() * spread, abs=1e-9)
    assert residual == line.residual
    model = calibrate(transfer, essays, scores, SCALE)
    again, _ = placed_scores(pool, rank, scores, expected_placement(transfer, essays, SCALE), SCALE)
    assert model.percentiles == pytest.approx(np.percentile(again.pool, range(101)), abs=1e-9)
    assert (model.intercept, model.tree_factor) == pytest.approx((again.constant, again.trees), abs=1e-9)


def by_hand(z: np.ndarray, rank: np.ndarray, scores: np.ndarray, expected: placement.Placement) -> np.ndarray:
    """Slopes of standardised features, before they are stretched, on a scale from 0 to 2."""
    rows, size = np.flatnonzero(np.isfinite(scores)), (z**2).sum() / len(z)
    alike = z[rows] @ z[rows].T / size
    line = placement.fit_line(z[rows] @ rank, scores[rows], expected, width=2.0, kernel=alike)
    slope = line.slope * rank
    if not len(rows):
        return np.asarray(slope * expected.widened / (z @ slope).std())
    missed = scores[rows] - line.intercept - z[rows] @ slope
    slope = slope + z[rows].T @ placement.residual_dual(alike, missed) / size
    return np.asarray(slope * np.sqrt(line.slope**2 + line.residual**2 + 0.25 / 12) / (z @ slope).std())


@pytest.mark.parametrize("scored", [0, 7])
def test_an_equation_is_taken_to_a_new_prompt_by_hand(scored: int) -> None:
    rng = np.random.default_rng(4)
    old = model_of()  # raw = 2 - 10 grammar + .005 length, on a scale from 1 to 4
    values = np.column_stack([rng.normal(0.06, 0.01, 14), rng.normal(150, 30, 14)])
    values[2, 0] = np.nan
    values[13] = np.nan
    table = table_of(*[(float(a), float(b)) for a, b in values])
    scores = np.where(np.arange(14) < scored, np.tile([0.0, 0.5, 1.0, 1.5, 2.0, 1.0, 0.5], 2), np.nan)
    scale = ScoreScale(0, 2, 0.5)

    new = calibrate_equation(old, table, scores, scale).equations[""]

    filled = np.where(np.isnan(table.values[:13]), [0.05, 200.0], table.values[:13])
    middle, spread = filled.mean(axis=0), filled.std(axis=0)
    z = (filled - middle) / spread
    rank = np.array([-10.0, 0.005]) * spread
    rank = rank / (z @ rank).std()
    steps = np.linspace(0, 5, 101)  # the percentiles of the old model
    sd = steps.std() * 2 / 3
    expected = placement.Placement((2.5 - 1) * 2 / 3, sd, float(np.sqrt(sd**2 + 0.25 / 12)))
    slope = by_hand(z, rank, scores[:13], expected)
    rows = np.arange(scored)
    alike = z[rows] @ z[rows].T / ((z**2).sum() / 13)
    line = placement.fit_line((z @ rank)[rows], scores[rows], expected, width=2.0, kernel=alike)
    raw = line.intercept + z @ slope
    assert new.weights.raw == pytest.approx(slope / spread, rel=1e-9)
    assert new.weights.predict(filled) == pytest.approx(raw, abs=1e-9)
    assert new.weights.mean == pytest.approx(middle, rel=1e-12)
    assert new.weights.sd == pytest.approx(spread, rel=1e-12)
    assert new.weights.standardised == pytest.approx(slope / raw.std(), rel=1e-9)
    assert new.percentiles == pytest.approx(np.percentile(raw, range(101)), abs=1e-9)
    assert new.errors.high == pytest.approx(1.645 * line.residual * np.ones(5), abs=1e-9)
    assert (new.essays, new.cutoffs.cuts.tolist()) == (scored, [0.25, 0.75, 1.25, 1.75])


def test_a_feature_that_does_not_vary_among_the_new_essays_keeps_its_unit() -> None:
    table = table_of(*[(0.05, 100.0 + 10 * row) for row in range(12)])

    new = calibrate_equation(model_of(), table, np.full(12, np.nan), ScoreScale(1, 4)).equations[""].weights

    assert new.sd[0] == 1
    assert new.raw[1] > 0


def test_an_equation_for_each_program_cannot_be_taken_to_a_new_prompt() -> None:
    with pytest.raises(InputError, match="a generic10 model needs scored essays of every prompt"):
        only_equation(model_of({"x": equation()}, grouping="program"))
