"""Corrected means and rates, beside ppi-python and by hand."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.panels.prediction_powered import (
    labels_needed,
    labels_next,
    prediction_powered_mean,
    rogan_gladen,
)

HUMAN = [1, 1, 5, 3, 4, 4, 5, 1, 3, 1, 3, 6]
JUDGE = [1, 1, 5, 2, 5, 5, 6, 1, 4, 1, 2, 6]
OTHERS = [3, 4, 6, 2, 6, 1, 3, 5, 2, 5, 3, 4, 6, 5, 6, 4, 6, 6, 1, 2, 2, 4, 5, 3, 6, 3, 6, 4, 5, 2]


@pytest.mark.parametrize(
    ("power", "value", "low", "high"),
    [
        # ppi-python 0.2.3, ppi_mean_pointestimate and ppi_mean_ci, alpha 0.05
        (None, 3.61632783, 3.08273341, 4.14992225),
        (1, 3.83333333, 3.13145619, 4.53521048),
        (0, 3.08333333, 2.11820907, 4.0484576),
    ],
)
def test_mean_and_interval_are_those_of_ppi_python(power: float | None, value: float, low: float, high: float) -> None:
    mean = prediction_powered_mean(HUMAN, JUDGE, OTHERS, power=power).mean

    assert (mean.value, mean.low, mean.high) == pytest.approx((value, low, high), abs=5e-9)


def test_the_weighted_mean_is_that_of_ppi_python_wherever_the_scale_begins() -> None:
    weights, others = np.arange(1, 13) / 3, np.linspace(1, 2, 30)
    arrays = [np.asarray(a, dtype=float) for a in (HUMAN, JUDGE, OTHERS)]
    fit = prediction_powered_mean(*arrays, weights=weights, unlabeled_weights=others)
    moved = prediction_powered_mean(*(a + 100 for a in arrays), weights=weights, unlabeled_weights=others)

    assert fit.mean == pytest.approx(3.79813262, abs=5e-9)
    assert moved.mean.high - moved.mean.low == pytest.approx(fit.mean.high - fit.mean.low)


def test_with_power_0_the_labels_stand_alone() -> None:
    fit = prediction_powered_mean(HUMAN, JUDGE, OTHERS, power=0)

    assert (fit.mean.low, fit.mean.high) == pytest.approx((fit.human_only.low, fit.human_only.high))
    assert fit.effective_labels == pytest.approx(12)
    assert fit.judge_only == np.mean(OTHERS)


def test_a_good_judge_is_worth_labels() -> None:
    fit = prediction_powered_mean(HUMAN, JUDGE, OTHERS)

    assert 0 < fit.power <= 1
    assert fit.effective_labels > 30
    assert fit.cautions == ("12 human labels: with fewer than 50 the interval is too short.",)


def test_a_judge_without_variance_or_sense_is_not_used() -> None:
    for judge in ([3] * 12, [7 - score for score in HUMAN]):
        fit = prediction_powered_mean(HUMAN, judge, [3] * 30)
        assert fit.power == 0
        assert "not used" in fit.cautions[-1]


def test_undefined_means_say_why() -> None:
    assert prediction_powered_mean([3], [3], OTHERS).mean.reason == "fewer than two human labels"
    flat = prediction_powered_mean([3, 3, 3], [3, 3, 3], OTHERS)
    assert not flat.mean.has_interval or "All human labels are equal" in flat.cautions[-1]
    for bad in ([], [float("nan")], [[1.0]]):
        with pytest.raises(InputError, match="not a list of scores"):
            prediction_powered_mean(HUMAN, JUDGE, bad)


def test_the_corrected_rate_by_hand() -> None:
    human, judge = [1] * 40 + [0] * 60, [1] * 36 + [0] * 4 + [1] * 6 + [0] * 54
    fit = rogan_gladen(human, judge, [1] * 300 + [0] * 700)

    assert (fit.sensitivity, fit.specificity, fit.judged) == (0.9, 0.9, 0.3)
    assert fit.rate.value == pytest.approx((0.3 + 0.9 - 1) / 0.8)
    # Lang & Reiczigel (2014), equations of section 2, by hand with z = 1.959964
    q, se, sp = (300 + 1.920729) / 1003.841459, 37 / 42, 55 / 62
    p = (q + sp - 1) / (se + sp - 1)
    of_se, of_sp = se * (1 - se) / 42, sp * (1 - sp) / 62
    shift = 2 * 3.841459 * (p * of_se - (1 - p) * of_sp)
    error = np.sqrt(q * (1 - q) / 1003.841459 + p**2 * of_se + (1 - p) ** 2 * of_sp) / (se + sp - 1)
    assert (fit.rate.low, fit.rate.high) == pytest.approx(
        (p + shift - 1.959964 * error, p + shift + 1.959964 * error), abs=1e-6
    )


@pytest.mark.parametrize(
    ("human", "judge", "reason"),
    [
        ([0, 0], [0, 1], "no labeled item passed"),
        ([1, 1], [0, 1], "no labeled item failed"),
        ([1, 0], [0, 1], "the judge is no better than chance"),
    ],
)
def test_rates_that_cannot_be_corrected_say_why(human: list[int], judge: list[int], reason: str) -> None:
    assert rogan_gladen(human, judge, [1, 0]).rate.reason == reason


def test_rates_stay_within_0_and_1() -> None:
    human, judge = [1] * 20 + [0] * 20, [1] * 19 + [0] + [1] * 4 + [0] * 16
    fit = rogan_gladen(human, judge, [1] * 18 + [0] * 82)

    assert fit.rate.value == 0
    assert 0 == fit.rate.low < fit.rate.high < 1


def test_a_rate_that_the_labeled_items_rule_out_has_no_interval() -> None:
    human, judge = [1] * 20 + [0] * 20, [1] * 19 + [0] + [1] * 4 + [0] * 16
    fit = rogan_gladen(human, judge, [1] + [0] * 99)

    assert fit.rate.value == 0
    assert not fit.rate.has_interval
    assert "seem unlike the others" in fit.cautions[-1]


def test_scores_are_no_passes() -> None:
    with pytest.raises(InputError, match="a pass is 1"):
        rogan_gladen([1, 2], [1, 0], [1])


def test_so_many_labels_bring_the_interval_within_reach() -> None:
    rng = np.random.default_rng(4)
    truth = rng.normal(3, 1, 50_000)
    judge = truth + rng.normal(0.3, 0.6, 50_000)
    first = prediction_powered_mean(truth[:60], judge[:60], judge[60:])
    needed = labels_needed(first, 0.05)
    assert needed is not None
    assert needed > 60

    reached = prediction_powered_mean(truth[:needed], judge[:needed], judge[needed:]).mean

    assert (reached.high - reached.low) / 2 == pytest.approx(0.05, rel=0.2)


def test_labels_alone_cannot_mend_a_short_list_of_others() -> None:
    fit = prediction_powered_mean(HUMAN, JUDGE, OTHERS)

    assert labels_needed(fit, 0.01) is None
    with pytest.raises(InputError, match="above 0"):
        labels_needed(fit, 0)


def test_items_to_label_next_are_drawn_with_the_chances_given() -> None:
    spread = np.array([0.0, 0.1, 0.2, 5.0, float("nan"), 1.0])
    plans = [labels_next(spread, 3, np.random.default_rng(seed)) for seed in range(3000)]
    drawn = np.mean([np.isin(np.arange(6), plan.items) for plan in plans], axis=0)
    chance = np.zeros(6)
    for plan in plans:
        chance[plan.items] = plan.probability

    assert all(plan.items.size == 3 for plan in plans)
    assert chance.max() == 1
    assert chance.sum() == pytest.approx(3)
    assert drawn == pytest.approx(chance, abs=0.03)


def test_odd_lists_to_label_from() -> None:
    rng = np.random.default_rng(1)

    assert labels_next([0, 0, 0], 5, rng).items.tolist() == [0, 1, 2]
    assert labels_next([], 2, rng).items.size == 0
    with pytest.raises(InputError, match="none below 0"):
        labels_next([-1], 1, rng)
