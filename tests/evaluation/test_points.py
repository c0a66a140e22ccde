"""Crossed points, cut scores, rank correlations and reliability, partial r."""

import numpy as np
import pytest

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.points import TOO_MANY
from assay.evaluation.ratings import Ratings
from assay.evaluation.result import CutDecision
from assay.metrics.correlation import pearson_r
from assay.metrics.intervals import Resampling, wilson_interval
from assay.metrics.kappa import cohen_kappa
from assay.metrics.pairs import Scores
from assay.metrics.rank import spearman_r
from assay.metrics.reliability import gwet_ac1
from assay.scale import ScoreScale

RNG = np.random.default_rng(21)
HUMAN = RNG.integers(1, 7, (150, 3)).astype(float)
HUMAN[:, 1:] = np.clip(HUMAN[:, :1] + RNG.integers(-1, 2, (150, 2)), 1, 6)
SYSTEM = np.clip(HUMAN[:, 0] + RNG.integers(-1, 2, 150), 1, 6).astype(np.float64)
SCALE = ScoreScale(1, 6)


def decided(human: Scores, system: Scores, cut: float, weights: Scores | None = None) -> CutDecision:
    return evaluate_engine(Ratings(human[:, None], system, weights=weights), Plan(SCALE, cuts=(cut,))).cuts[0]


def test_the_crossed_table_counts_every_pair_once() -> None:
    crossed = evaluate_engine(Ratings(HUMAN, SYSTEM), Plan(SCALE)).crossed
    assert crossed is not None
    assert list(crossed.points) == [1, 2, 3, 4, 5, 6]
    for i, human in enumerate(crossed.points):
        for j, system in enumerate(crossed.points):
            assert crossed.counts[i][j] == np.sum((HUMAN[:, 0] == human) & (system == SYSTEM))


def test_two_raters_are_crossed_on_the_responses_both_read() -> None:
    human = HUMAN[:, :2].copy()
    human[:50, 1] = np.nan
    crossed = evaluate_engine(Ratings(human, SYSTEM), Plan(SCALE)).crossed_raters
    assert crossed is not None
    assert np.sum(crossed.counts) == 100
    assert evaluate_engine(Ratings(HUMAN[:, :1], SYSTEM), Plan(SCALE)).crossed_raters is None


def test_a_cut_is_judged_by_who_passes_on_either_side() -> None:
    found = decided(HUMAN[:, 0], SYSTEM, 4)
    human, system = HUMAN[:, 0] >= 4, SYSTEM >= 4
    assert found.human_pass.value == pytest.approx(100 * human.mean())
    assert found.system_pass.value == pytest.approx(100 * system.mean())
    assert found.accuracy.value == pytest.approx(100 * (human == system).mean())
    assert found.sensitivity.value == pytest.approx(100 * system[human].mean())
    assert found.specificity.value == pytest.approx(100 * (~system[~human]).mean())
    assert found.kappa.value == pytest.approx(cohen_kappa(human.astype(float), system.astype(float)))


def test_weights_count_in_decisions() -> None:
    weights = RNG.uniform(0.5, 2, 150)
    found = decided(HUMAN[:, 0], SYSTEM, 4, weights)
    human, system = (HUMAN[:, 0] >= 4).astype(float), (SYSTEM >= 4).astype(float)
    assert found.accuracy.value == pytest.approx(100 * np.average(human == system, weights=weights))
    assert found.kappa.value == pytest.approx(cohen_kappa(human, system, weights=weights))


def test_the_interval_of_sensitivity_knows_how_few_passed() -> None:
    """Three of a thousand pass and the system finds all three: that proves little about those who pass."""
    human, system = np.ones(1000), np.ones(1000)
    human[:3] = system[:3] = 4
    system[5] = 4
    found = decided(human, system, 3)
    assert (found.sensitivity.low, found.sensitivity.high) == pytest.approx(
        [100 * end for end in wilson_interval(1, 3)]
    )
    assert (found.specificity.low, found.specificity.high) == pytest.approx(
        [100 * end for end in wilson_interval(996 / 997, 997)]
    )


def test_a_decision_nobody_or_everybody_reaches_is_undefined_with_a_reason() -> None:
    low, high = decided(HUMAN[:, 0], SYSTEM, 7), decided(HUMAN[:, 0], SYSTEM, 1)
    assert low.sensitivity.reason == "nobody passes by the human score"
    assert high.specificity.reason == "everybody passes by the human score"
    assert low.kappa.reason == "both give everyone the same decision"
    assert (low.human_pass.value, high.system_pass.value) == (0, 100)


def test_a_score_at_the_cut_passes_although_steps_of_a_tenth_are_inexact() -> None:
    scale = ScoreScale(0.1, 1, 0.1)
    human = np.array([0.1 + 0.2, 0.3, 0.2, 0.4])
    plan = Plan(scale, cuts=(0.3, 0.1 * 3))
    for cut in evaluate_engine(Ratings(human[:, None], human), plan).cuts:
        assert cut.human_pass.value == 75


@pytest.mark.parametrize(
    ("scale", "reason"),
    [(ScoreScale(1, 500), TOO_MANY), (None, "the human scores lie on no regular points")],
)
def test_a_cut_that_cannot_be_judged_says_so(scale: ScoreScale | None, reason: str) -> None:
    (found,) = evaluate_engine(Ratings(HUMAN, SYSTEM), Plan(scale, cuts=(3.0,))).cuts
    assert found.cut == 3
    assert (found.accuracy.defined, found.accuracy.reason) == (False, reason)


def test_further_agreement_is_between_human_and_final_score() -> None:
    found = evaluate_engine(Ratings(HUMAN, SYSTEM + 0.3), Plan(SCALE))
    assert found.further["spearman"].value == pytest.approx(float(spearman_r(np.column_stack([HUMAN[:, 0], SYSTEM]))))
    assert found.further["ccc"] == found.variants["raw_trim"].metrics["qwk"]
    assert set(found.further) >= {"spearman", "kendall", "alpha", "icc_2", "ac1", "fleiss_kappa"}
    assert "partial_r" not in found.further


def test_a_point_beyond_the_scale_is_one_more_category_not_a_failure() -> None:
    beyond = np.where(HUMAN == 6, 7, HUMAN)
    wider = evaluate_engine(Ratings(beyond, SYSTEM), Plan(ScoreScale(1, 6)))
    named = gwet_ac1(np.column_stack([beyond[:, 0], SYSTEM]), levels=[1, 2, 3, 4, 5, 6, 7])
    assert wider.further["ac1"].value == pytest.approx(named)
    assert wider.reliability["ac1"].defined


def test_a_point_nobody_gave_is_still_a_category_of_the_scale() -> None:
    found = evaluate_engine(Ratings(HUMAN, SYSTEM), Plan(ScoreScale(1, 9)))
    named = gwet_ac1(np.column_stack([HUMAN[:, 0], SYSTEM]), levels=range(1, 10))
    assert found.further["ac1"].value == pytest.approx(named)


def test_intervals_of_coefficients_stay_below_one() -> None:
    system = HUMAN[:15, 0].copy()
    system[0] = 7 - system[0]
    found = evaluate_engine(Ratings(HUMAN[:15], system), Plan(SCALE))
    intervals = [*found.further.values(), *found.reliability.values()]
    assert sum(np.isfinite(e.high) for e in intervals) > 15
    assert all(not e.high >= 1 for e in intervals)


def test_partial_r_holds_length_constant() -> None:
    length = 100 + 20 * HUMAN[:, 0] + RNG.normal(0, 30, 150)
    found = evaluate_engine(Ratings(HUMAN, SYSTEM, length=length), Plan(SCALE)).further["partial_r"]
    design = np.column_stack([np.ones(150), length])
    rest = [y - design @ np.linalg.lstsq(design, y, rcond=None)[0] for y in (HUMAN[:, 0], SYSTEM)]
    assert found.value == pytest.approx(pearson_r(*rest))
    assert found.low < found.value < found.high


def test_partial_r_is_undefined_when_all_are_equally_long() -> None:
    found = evaluate_engine(Ratings(HUMAN, SYSTEM, length=np.full(150, 80.0)), Plan(SCALE)).further["partial_r"]
    assert (found.defined, found.reason) == (False, "a correlation with length is undefined or perfect")


def test_reliability_needs_two_raters_and_points() -> None:
    assert evaluate_engine(Ratings(HUMAN[:, :1], SYSTEM), Plan(SCALE)).reliability == {}
    assert evaluate_engine(Ratings(HUMAN, SYSTEM), Plan(None)).reliability == {}
    many = evaluate_engine(Ratings(HUMAN, SYSTEM), Plan(ScoreScale(1, 1000))).reliability
    assert {e.reason for e in many.values()} == {TOO_MANY}
    assert evaluate_engine(Ratings(HUMAN, SYSTEM), Plan(SCALE)).reliability["alpha"].value > 0.5


def test_a_bootstrap_gives_intervals_too() -> None:
    resampling = Resampling.bootstrapped(np.random.default_rng(1), draws=100)
    found = evaluate_engine(Ratings(HUMAN, SYSTEM), Plan(SCALE, cuts=(4,)), resampling=resampling)
    estimates = [found.further["alpha"], found.cuts[0].kappa, found.cuts[0].sensitivity, found.levels[2].bias]
    assert all(e.low < e.value < e.high for e in estimates)


LEVELS_RNG = np.random.default_rng(6)
LEVELS_HUMAN = LEVELS_RNG.choice([1.0, 2, 3, 5], 200, p=[0.1, 0.3, 0.4, 0.2])
LEVELS_SYSTEM = 3 + 0.6 * (LEVELS_HUMAN - 3) + LEVELS_RNG.normal(0, 0.4, 200)
LEVELS_SYSTEM[:2] = -4, 30  # trimmed before they are judged
PLAN = Plan(ScoreScale(1, 6))
FOUND = evaluate_engine(Ratings(LEVELS_HUMAN[:, None], LEVELS_SYSTEM), PLAN)


def final(system: Scores = LEVELS_SYSTEM) -> Scores:
    return PLAN.scale.round(PLAN.scale.trim(system)) if PLAN.scale else system


def test_the_shares_of_points_are_those_of_the_scores_and_add_up_to_a_hundred() -> None:
    for row in FOUND.distribution:
        assert row.human.value == pytest.approx(100 * np.mean(row.point == LEVELS_HUMAN))
        assert row.system.value == pytest.approx(100 * np.mean(final() == row.point))
        assert row.difference.value == pytest.approx(row.system.value - row.human.value)
    assert sum(row.human.value for row in FOUND.distribution) == pytest.approx(100)
    assert sum(row.system.value for row in FOUND.distribution) == pytest.approx(100)


def test_only_points_that_somebody_gave_are_listed() -> None:
    assert [row.point for row in FOUND.distribution] == sorted({*LEVELS_HUMAN, *final()})


def test_a_share_has_wilsons_interval() -> None:
    row = FOUND.distribution[0]
    expected = wilson_interval(row.human.value / 100, 200)
    assert (row.human.low, row.human.high) == pytest.approx([100 * end for end in expected])


def test_bias_and_rmse_by_level_are_those_of_the_responses_at_that_level() -> None:
    trimmed = ScoreScale(1, 6).trim(LEVELS_SYSTEM)
    assert [row.point for row in FOUND.levels] == [1, 2, 3, 5]
    for row in FOUND.levels:
        error = (trimmed - LEVELS_HUMAN)[row.point == LEVELS_HUMAN]
        assert row.n == error.size
        assert row.bias.value == pytest.approx(error.mean())
        assert row.rmse.value == pytest.approx(np.sqrt((error**2).mean()))
    assert sum(row.n for row in FOUND.levels) == 200


def test_the_interval_of_the_bias_is_students() -> None:
    """95 % points of Student's t on n - 1 degrees of freedom times sd / sqrt(n), as for any mean."""
    row = FOUND.levels[0]
    error = (ScoreScale(1, 6).trim(LEVELS_SYSTEM) - LEVELS_HUMAN)[LEVELS_HUMAN == 1]
    reach = (row.bias.high - row.bias.low) / 2
    standard_error = error.std(ddof=1) / np.sqrt(row.n)
    assert 1.96 < reach / standard_error < 2.2
    assert row.bias.value - row.bias.low == pytest.approx(reach)


def test_weights_count_in_shares_and_bias() -> None:
    weights = np.where(LEVELS_HUMAN == 1, 3.0, 1.0)
    found = evaluate_engine(Ratings(LEVELS_HUMAN[:, None], LEVELS_SYSTEM, weights=weights), PLAN)
    assert found.distribution[0].human.value == pytest.approx(100 * weights[LEVELS_HUMAN == 1].sum() / weights.sum())
    assert found.levels[0].bias.value == pytest.approx(FOUND.levels[0].bias.value)  # equal weights within a level


def test_weights_within_a_level_count_in_bias_rmse_and_their_intervals() -> None:
    """A weight of 3 is the response three times, when the copies are known to be one candidate's."""
    times = np.arange(200) % 3 + 1
    plain = Ratings(LEVELS_HUMAN[:, None], LEVELS_SYSTEM, weights=times.astype(float))
    copied = Ratings(
        np.repeat(LEVELS_HUMAN, times)[:, None],
        np.repeat(LEVELS_SYSTEM, times),
        candidate=np.repeat(np.arange(200), times),
    )
    found, expected = (evaluate_engine(ratings, PLAN).levels for ratings in (plain, copied))
    for one, other in zip(found, expected, strict=True):
        for figure in ("bias", "rmse"):
            first, second = getattr(one, figure), getattr(other, figure)
            assert (first.value, first.low, first.high) == pytest.approx((second.value, second.low, second.high))


def test_without_a_scale_there_are_no_points() -> None:
    found = evaluate_engine(Ratings(LEVELS_HUMAN[:, None], LEVELS_SYSTEM), Plan(None))
    assert (found.distribution, found.levels, found.crossed) == ((), (), None)


def test_a_level_with_one_or_two_responses_has_a_bias_but_no_interval() -> None:
    human = np.array([[1.0], [2], [2], [3], [3], [3], [3]])
    found = evaluate_engine(Ratings(human, human[:, 0] + [0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.4]), PLAN)
    assert [np.isfinite(row.bias.low) for row in found.levels] == [False, False, True]
    assert {row.bias.reason for row in found.levels} == {"too few responses", ""}


def test_a_cut_worked_by_hand() -> None:
    """Of 20: both pass 8, only people 2, only the system 3, neither 7. Chance (10 * 11 + 10 * 9) / 400 = 0.5."""
    human = np.repeat([4.0, 4, 2, 2], [8, 2, 3, 7])
    system = np.repeat([4.0, 2, 4, 2], [8, 2, 3, 7])
    found = decided(human, system, 3)
    values = [found.human_pass, found.system_pass, found.accuracy, found.sensitivity, found.specificity, found.kappa]
    assert [e.value for e in values] == pytest.approx([50, 55, 75, 80, 70, 0.5])
    assert (found.accuracy.low, found.accuracy.high) == pytest.approx([100 * e for e in wilson_interval(0.75, 20)])
    assert (found.sensitivity.low, found.sensitivity.high) == pytest.approx([100 * e for e in wilson_interval(0.8, 10)])


def test_a_score_a_hair_below_the_cut_passes_and_one_well_below_does_not() -> None:
    human = np.array([2.0, 3, 4])
    for cut, passed in ((3 + 5e-10, 2), (3 + 2e-9, 1), (3.0, 2), (2.9, 2), (3.1, 1)):
        assert decided(human, human, cut).human_pass.value == pytest.approx(100 * passed / 3), cut


def test_points_crossed_by_weight_and_named_only_where_given() -> None:
    human, system = np.array([1.0, 3, 3, 1]), np.array([1.0, 5, 3, 1])
    crossed = evaluate_engine(Ratings(human[:, None], system, weights=np.array([1, 2, 0.5, 4.0])), Plan(SCALE)).crossed
    assert crossed is not None
    assert (crossed.points, crossed.counts) == ((1, 3, 5), ((5, 0, 0), (0, 0.5, 2), (0, 0, 0)))


def test_a_point_only_one_of_them_gives_is_listed_with_nothing_for_the_other() -> None:
    human, system = np.array([1.0, 1, 2, 2, 2]), np.array([1.0, 1, 4, 2, 2])
    found = evaluate_engine(Ratings(human[:, None], system), Plan(SCALE)).distribution
    assert [(row.point, row.human.value, row.system.value, row.difference.value) for row in found] == [
        (1, 40, 40, 0),
        (2, 60, 40, -20),
        (4, 0, 20, 20),
    ]


def test_the_difference_of_shares_has_students_interval() -> None:
    """Per response +1, -1 or 0 in per cent points: mean -20, sd of 0, 0, -100, 0, 0 over 4 degrees of freedom."""
    human, system = np.array([1.0, 1, 2, 2, 2]), np.array([1.0, 1, 4, 2, 2])
    found = evaluate_engine(Ratings(human[:, None], system), Plan(SCALE)).distribution[1].difference
    reach = 2.776445105 * np.std([0, 0, -100, 0, 0], ddof=1) / np.sqrt(5)
    assert (found.low, found.high) == pytest.approx((-20 - reach, -20 + reach))


def test_rmse_by_level_has_its_interval_on_the_logarithm() -> None:
    row = FOUND.levels[1]
    assert row.rmse.low * row.rmse.high == pytest.approx(row.rmse.value**2)
    assert 0 < row.rmse.low < row.rmse.value
