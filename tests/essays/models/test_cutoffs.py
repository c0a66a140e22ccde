"""Where a raw score becomes the next score point."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.cutoffs import (
    CUTOFFS,
    Cutoffs,
    _crossing,
    _kappa,
    _Level,
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


def test_two_essays_are_enough_for_a_bell_and_one_is_not() -> None:
    raw, human = np.array([0.0, 2.0, 4.0, 6.0, 4.0, 6.0]), np.array([1.0, 1, 2, 2, 2, 2])

    two = signal_detection(raw, human, ScoreScale(1, 2)).cuts
    one = signal_detection(raw[1:], human[1:], ScoreScale(1, 2)).cuts

    assert two == pytest.approx([_crossing(_Level(2 / 6, 1.0, 2**0.5), _Level(4 / 6, 5.0, (4 / 3) ** 0.5))])
    assert abs(two[0] - mean_sd(raw, human, ScoreScale(1, 2)).cuts[0]) > 0.05
    assert one == pytest.approx(mean_sd(raw[1:], human[1:], ScoreScale(1, 2)).cuts)


def test_a_missing_cut_is_shifted_as_its_neighbours_are() -> None:
    raw = np.concatenate([np.linspace(-1, 1, 50) + 2 * point for point in (1, 2, 4, 5)])
    human = np.repeat([1.0, 2, 4, 5], 50)
    scale = ScoreScale(1, 5)

    cuts, fallback = signal_detection(raw, human, scale).cuts, mean_sd(raw, human, scale).cuts

    assert cuts[[0, 3]] == pytest.approx([3.0, 9.0])
    shift = np.interp([1, 2], [0, 3], [3.0 - fallback[0], 9.0 - fallback[3]])
    assert cuts[1:3] == pytest.approx(fallback[1:3] + shift)


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [
        (_Level(0.5, 0.0, 1.0), _Level(0.5, 2.0, 1.0), 1.0),
        (_Level(0.5, 2.0, 1.0), _Level(0.5, 2.0, 1.0), np.nan),  # no order between them
        (_Level(0.5, 3.0, 1.0), _Level(0.5, 2.0, 1.0), np.nan),
        (_Level(0.999, 0.0, 2.0), _Level(0.001, 0.5, 0.5), np.nan),  # the wide bell is higher everywhere
        (_Level(0.999, 0.0, 1.0), _Level(0.001, 0.1, 1.001), np.nan),  # the far crossing of two bells
    ],
)
def test_two_bells_cross_between_their_means_or_not_at_all(low: _Level, high: _Level, cut: float) -> None:
    assert _crossing(low, high) == pytest.approx(cut, nan_ok=True)


def test_bells_of_different_height_and_width_are_as_high_at_their_cut() -> None:
    low, high = _Level(0.7, 0.0, 1.0), _Level(0.3, 3.0, 1.5)

    cut = _crossing(low, high)

    heights = [own.rate / own.sd * np.exp(-0.5 * ((cut - own.mean) / own.sd) ** 2) for own in (low, high)]
    assert heights[0] == pytest.approx(heights[1])
    assert 0 < cut < 3


def test_common_spreads_put_the_cut_by_line_spread_and_normal_rates() -> None:
    raw, human = made(800)

    cuts = signal_detection(raw, human, SIX, common_spread=True).cuts

    slope, intercept = np.polyfit(human, raw, 1)
    spread = (raw - slope * human - intercept).std()
    points = np.arange(1.0, 7)
    rates = np.exp(-0.5 * ((points - human.mean()) / human.std()) ** 2)
    middles = slope * (points[1:] + points[:-1]) / 2 + intercept
    assert cuts == pytest.approx(middles + spread**2 / slope * np.log(rates[:-1] / rates[1:]), abs=1e-6)


def test_widened_and_mean_sd_stretch_half_points_by_their_formulas() -> None:
    raw, human = np.array([1.0, 2.0, 3.0, 6.0]), np.array([1.0, 2.0, 2.0, 5.0])

    by_spread, wide = mean_sd(raw, human, SIX).cuts, widened(raw, human, SIX).cuts

    half = np.arange(1.5, 6)
    assert by_spread == pytest.approx(3 + (half - 2.5) * raw.std() / human.std())
    assert wide == pytest.approx(3 + (half - 2.5) * raw.std() / np.sqrt(human.var() + 1 / 12))
    same = np.full(4, 2.0)
    assert mean_sd(raw, same, SIX).cuts == pytest.approx(3 + half - 2)


def test_distribution_cuts_lie_between_neighbours_and_empty_points_beyond_all() -> None:
    raw, human = np.array([10.0, 20, 30, 40]), np.array([2.0, 2, 3, 3])

    cuts = distribution(raw, human, ScoreScale(1, 5)).cuts

    assert cuts.tolist() == [10 - 30, 25, 40 + 30, 40 + 30]
    close = distribution(np.array([1.0, 1.5]), np.array([2.0, 3.0]), ScoreScale(1, 3)).cuts
    assert close.tolist() == [0.0, 1.25]  # a point beyond, though the raw scores span half of one


def test_balanced_is_halfway_and_by_spread_where_people_gave_no_score() -> None:
    raw, human = made(300)
    few = np.clip(human, 2, 5)

    cuts, spread, count = (rule(raw, few, SIX).cuts for rule in (balanced, mean_sd, distribution))

    assert cuts[1:4] == pytest.approx((spread[1:4] + count[1:4]) / 2)
    assert cuts[[0, 4]] == pytest.approx(spread[[0, 4]])


def test_the_kappa_that_is_raised_is_quadratic_weighted_kappa() -> None:
    raw, human = made(200)
    cuts = rounding(raw, human, SIX)

    assert _kappa(cuts, raw, human) == pytest.approx(quadratic_weighted_kappa(human, cuts.assign(raw)))
    assert _kappa(cuts, np.full(3, 2.0), np.full(3, 2.0)) == float("-inf")


def test_cuts_for_kappa_find_the_best_there_is_on_a_small_example() -> None:
    raw, human = np.array([0.0, 0.4, 0.5, 1.0, 1.4, 2.0]), np.array([1.0, 1, 2, 2, 3, 3])

    given = qwk(raw, human, ScoreScale(1, 3)).assign(raw)

    assert quadratic_weighted_kappa(human, given) == pytest.approx(1.0)


def test_points_need_one_cut_less() -> None:
    with pytest.raises(InputError, match="3 score points need 2 ascending cutoffs"):
        Cutoffs(np.array([1.0, 2, 3]), np.array([1.5]))
    same = Cutoffs(np.array([1.0, 2, 3]), np.array([1.5, 1.5]))
    assert same.assign(np.array([1.4, 1.5])).tolist() == [1, 3]


def test_more_cuts_than_points_need_are_refused_too() -> None:
    with pytest.raises(InputError, match="3 score points need 2 ascending cutoffs"):
        Cutoffs(np.array([1.0, 2, 3]), np.array([1.5, 2.5, 3.5]))


def test_a_spread_below_one_stretches_as_any_other() -> None:
    raw, human = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 2.0, 3.0, 3.0])

    assert mean_sd(raw, human, ScoreScale(1, 3)).cuts == pytest.approx(2.5 + np.array([-1, 0]) * 5**0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("raw", "place"),
    [([1.0, 1, 2, 3], 0), ([1.0, 2, 3, 3], 1)],
)
def test_a_cut_at_the_lowest_or_highest_raw_score_is_put_by_spread_alone(raw: list[float], place: int) -> None:
    own, human, scale = np.array(raw), np.array([1.0, 2, 2, 3]), ScoreScale(1, 3)

    cuts, spread, count = (rule(own, human, scale).cuts for rule in (balanced, mean_sd, distribution))

    assert count[place] == (own.min(), own.max())[place]
    assert cuts[place] == spread[place]
    assert cuts[1 - place] == pytest.approx((spread[1 - place] + count[1 - place]) / 2, abs=1e-12)


def test_raw_scores_that_do_not_vary_at_a_point_make_no_bell() -> None:
    raw, human = np.array([1.0, 1, 2, 4, 3]), np.array([1.0, 1, 2, 2, 2])

    cuts = signal_detection(raw, human, ScoreScale(1, 2)).cuts

    assert cuts == pytest.approx(mean_sd(raw, human, ScoreScale(1, 2)).cuts, abs=1e-12)


def test_points_far_from_all_scores_have_a_rate_of_their_own() -> None:
    human = np.repeat([29.0, 30.0, 31.0], 20)
    raw = human + np.tile([-0.4, 0.4], 30)

    cuts = signal_detection(raw, human, ScoreScale(0, 60), common_spread=True).cuts

    points = np.arange(61.0)
    rates = np.exp(-0.5 * (points - 30) ** 2 / human.var()) + 1e-12
    expected = points[:-1] + 0.5 + 0.16 * np.log(rates[:-1] / rates[1:])
    assert cuts == pytest.approx(np.maximum.accumulate(expected), abs=1e-9)


@pytest.mark.parametrize(("cut", "near"), [(2.6, True), (2.8, False), (1.9, True), (-1.2, True)])
def test_a_crossing_counts_up_to_two_of_the_wider_spread_from_the_middle(cut: float, near: bool) -> None:
    # bells at 0 and 1 of spread 1 and 1.1, with base rates that make them as high at the cut; 2.2 is the farthest
    height = [np.exp(-0.5 * ((cut - mean) / sd) ** 2) / sd for mean, sd in ((0, 1), (1, 1.1))]

    found = _crossing(_Level(height[1], 0.0, 1.0), _Level(height[0], 1.0, 1.1))

    assert found == pytest.approx(cut if near else np.nan, abs=1e-9, nan_ok=True)


def test_bells_with_one_middle_have_no_boundary_and_close_ones_have() -> None:
    assert np.isnan(_crossing(_Level(0.5, 2.0, 1.0), _Level(0.5, 2.0, 2.0)))
    # .153 c^2 + .694 c = .529: under the root stands less than 1
    square, linear, constant = 0.5 - 0.5 / 1.44, 1 / 1.44, -0.5 / 1.44 - np.log(1.2)
    expected = (-linear + np.sqrt(linear**2 - 4 * square * constant)) / (2 * square)
    assert _crossing(_Level(0.5, 0.0, 1.0), _Level(0.5, 1.0, 1.2)) == pytest.approx(expected, abs=1e-12)


def test_kappa_of_scores_that_vary_little() -> None:
    raw, human = np.array([1.0, 2.0, 1.0, 2.0]), np.array([1.0, 2.0, 2.0, 2.0])

    # a mean square of 1 / 4 over variances of 1 / 4 and 3 / 16 and a squared distance of the means of 1 / 16
    assert _kappa(rounding(raw, human, ScoreScale(1, 2)), raw, human) == pytest.approx(0.5, abs=1e-12)


def test_cuts_for_kappa_move_in_quarters_of_the_spread_and_then_in_halves_of_the_last_step() -> None:
    raw, human = made(60)
    start, found = balanced(raw, human, SIX), qwk(raw, human, SIX)

    assert (found.cuts - start.cuts) / (raw.std() / 4) == pytest.approx([0, 0.1875, 0, -0.5, 2], abs=1e-9)
    assert [_kappa(cuts, raw, human) for cuts in (start, found)] == pytest.approx([0.794304, 0.837134], abs=1e-6)


def test_signal_detection_has_one_spread_or_one_for_each_point() -> None:
    rng = np.random.default_rng(3)
    human = np.repeat([1.0, 2.0, 3.0], 40)
    raw = np.concatenate([rng.normal(1, 0.2, 40), rng.normal(2, 0.9, 40), rng.normal(3, 0.4, 40)])
    scale = ScoreScale(1, 3)
    apart, common = (
        cutoff_rule(name)(raw, human, scale).cuts for name in ("signal-detection", "signal-detection-common")
    )
    assert apart.tolist() == signal_detection(raw, human, scale).cuts.tolist()
    assert common.tolist() == signal_detection(raw, human, scale, common_spread=True).cuts.tolist()
    assert abs(apart[0] - common[0]) > 0.05
