"""Where a raw score becomes the next score point."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.cutoffs import (
    CUTOFFS,
    Cutoffs,
    balanced,
    cutoff_rule,
    distribution,
    mean_sd,
    qwk,
    rounding,
    signal_detection,
    widened,
)
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.scale import ScoreScale

SIX = ScoreScale(1, 6)


def made(n: int = 2000, *, scale: ScoreScale = SIX, seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    middle, reach = (scale.lowest + scale.highest) / 2, (scale.highest - scale.lowest) / 5
    true = middle + reach * rng.normal(size=n)
    human = np.clip(scale.round(true), scale.lowest, scale.highest)
    return middle + 0.6 * (true - middle) + 0.4 * reach * rng.normal(size=n), human


def test_half_points_are_those_of_v_1_3() -> None:
    # "an essay receiving an e-rater score in the range of 3.50 to 4.49 would be assigned a final score of 4"
    cuts = rounding(np.empty(0), np.empty(0), SIX)

    assert cuts.assign(np.array([3.49, 3.5, 4.49, 0.0, 9.0])).tolist() == [3, 4, 4, 1, 6]


def two_levels(low: tuple[float, float, int], high: tuple[float, float, int]) -> tuple[np.ndarray, np.ndarray]:
    """Raw scores with exactly these means, spreads and numbers at the points 1 and 2."""
    raw, human = [], []
    for point, (mean, sd, count) in ((1, low), (2, high)):
        z = np.linspace(-1, 1, count)
        raw.append(mean + sd * z / z.std(ddof=1))
        human.append(np.full(count, float(point)))
    return np.concatenate(raw), np.concatenate(human)


def test_equal_base_rates_and_values_put_the_cut_where_the_bells_cross() -> None:
    raw, human = two_levels((0, 1, 100), (2, 1, 100))

    cut = signal_detection(raw, human, ScoreScale(1, 2)).cuts

    assert cut == pytest.approx([1.0])


def test_a_rarer_signal_raises_the_cut() -> None:
    rare = two_levels((0, 1, 300), (2, 1, 100))
    even = two_levels((0, 1, 100), (2, 1, 100))

    # P(c|s)/P(c|n) = exp(2c - 2) = P(n)/P(s)
    assert signal_detection(*rare, ScoreScale(1, 2)).cuts == pytest.approx([1 + np.log(3) / 2])
    assert signal_detection(*even, ScoreScale(1, 2)).cuts == pytest.approx([1])


def test_different_spreads_put_the_cut_at_the_crossing_between_the_means() -> None:
    raw, human = two_levels((0, 1, 100), (3, 2, 100))

    (cut,) = signal_detection(raw, human, ScoreScale(1, 2)).cuts

    def height(x: float, mean: float, sd: float) -> float:
        return float(np.exp(-0.5 * ((x - mean) / sd) ** 2) / sd)

    assert 0 < cut < 3
    assert height(cut, 0, 1) == pytest.approx(height(cut, 3, 2))


def test_distribution_matching_gives_each_score_as_often_as_people_did() -> None:
    raw, human = made()

    given = distribution(raw, human, SIX).assign(raw)

    assert [(given == p).sum() for p in range(1, 7)] == [(human == p).sum() for p in range(1, 7)]


def test_matching_mean_and_spread_stretches_raw_scores() -> None:
    raw, human = made()

    given = mean_sd(raw, human, SIX).assign(raw)

    assert given.mean() == pytest.approx(human.mean(), abs=0.05)
    assert given.std() == pytest.approx(human.std(), rel=0.06)


def test_cuts_for_kappa_are_no_worse_than_where_they_start() -> None:
    raw, human = made(600)

    found, start = (quadratic_weighted_kappa(human, rule(raw, human, SIX).assign(raw)) for rule in (qwk, balanced))

    assert found >= start


@pytest.mark.parametrize("name", CUTOFFS)
@pytest.mark.parametrize("scale", [ScoreScale(0, 3), SIX, ScoreScale(0, 60), ScoreScale(1, 6, 0.5)])
def test_every_rule_gives_only_points_of_any_scale_and_never_turns_scores_round(name: str, scale: ScoreScale) -> None:
    raw, human = made(400, scale=scale)

    cuts = CUTOFFS[name](raw, human, scale)
    given = cuts.assign(np.sort(raw))

    assert len(cuts.cuts) == len(scale.points()) - 1
    assert scale.holds(given).all()
    assert np.all(np.diff(given) >= 0)


def test_a_score_point_nobody_gave_does_not_stop_signal_detection() -> None:
    raw, human = made()
    kept = human != 4

    cuts = signal_detection(raw[kept], human[kept], SIX)

    assert np.isfinite(cuts.cuts).all()


def test_no_raw_score_no_score() -> None:
    assert np.isnan(rounding(np.empty(0), np.empty(0), SIX).assign(np.array([np.nan]))).all()


def test_a_name_that_is_none_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match="balanced, mean-sd"):
        cutoff_rule("best")
    with pytest.raises(InputError, match="ascending"):
        Cutoffs(np.array([1.0, 2, 3]), np.array([2.5, 1.5]))


def test_one_spread_for_all_points_keeps_the_order_of_essays_on_a_long_scale() -> None:
    random = np.random.default_rng(60)
    ability = random.normal(36, 6, 500)
    human = np.clip(np.rint(ability + random.normal(0, 2, 500)), 0, 60)
    raw = ability + random.normal(0, 3, 500)
    reached = {
        name: quadratic_weighted_kappa(human, CUTOFFS[name](raw, human, ScoreScale(0, 60)).assign(raw))
        for name in ("signal-detection-common", "mean-sd")
    }
    assert reached["signal-detection-common"] > reached["mean-sd"] - 0.02


@pytest.mark.parametrize("scale", [ScoreScale(0, 3), SIX, ScoreScale(1, 6, 0.5)])
def test_a_spread_that_makes_up_for_rounding_agrees_best(scale: ScoreScale) -> None:
    """Against spreads a tenth and a quarter narrower and wider, on new essays of the same kind."""
    raw, human = made(20_000, scale=scale, seed=3)
    new_raw, new_human = made(20_000, scale=scale, seed=4)
    cuts = widened(raw, human, scale)

    def kappa(stretch: float) -> float:
        moved = Cutoffs(cuts.points.copy(), raw.mean() + (cuts.cuts - raw.mean()) * stretch)
        return quadratic_weighted_kappa(new_human, moved.assign(new_raw))

    assert kappa(1.0) > max(kappa(0.75), kappa(1.25))
    assert kappa(1.0) > max(kappa(0.9), kappa(1.1)) - 0.002


def test_on_a_fine_scale_rounding_needs_no_making_up_for() -> None:
    raw, human = made(scale=ScoreScale(0, 100))

    assert widened(raw, human, ScoreScale(0, 100)).cuts == pytest.approx(
        mean_sd(raw, human, ScoreScale(0, 100)).cuts, abs=0.05
    )
