"""Intervals: published numbers, behaviour at the edges, and measured coverage."""

import pickle
from copy import deepcopy
from functools import cache
from math import isnan

import numpy as np
import pytest
from scipy.special import ndtri

from assay.metrics.bins import Bins, leaving_out_each
from assay.metrics.catalogue import PAIR_METRICS, estimates
from assay.metrics.intervals import BLOCKS, EVEN_SCALES, Estimate, Resampling, holm, wilson_interval
from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally

JACKKNIFE = Resampling.jackknife()


def each_response_a_block(human: Scores, system: Scores) -> PairTally:
    return PairTally.of(human, system, bins=Bins.of(np.arange(len(human)), (len(human),)))


def figures(human: Scores, system: Scores) -> dict[str, Estimate]:
    return estimates(each_response_a_block(human, system), JACKKNIFE)


# --- Wilson -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "size", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, method 3 (score without continuity correction)
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_the_published_ones(seen: int, size: int, low: float, high: float) -> None:
    assert wilson_interval(seen / size, size) == pytest.approx((low, high), abs=6e-5)


def test_the_wilson_interval_of_a_share_and_of_the_rest_are_mirrored() -> None:
    low, high = wilson_interval(0.2, 30)
    assert wilson_interval(0.8, 30) == pytest.approx((1 - high, 1 - low))


def test_a_share_lies_within_its_interval_also_at_the_ends() -> None:
    assert {wilson_interval(1, size)[1] for size in range(1, 300)} == {1}
    assert {wilson_interval(0, size)[0] for size in range(1, 300)} == {0}


def test_a_higher_level_reaches_further() -> None:
    low, high = wilson_interval(0.4, 50, level=0.99)
    assert low < wilson_interval(0.4, 50)[0] < wilson_interval(0.4, 50)[1] < high


def test_the_interval_of_a_share_of_independent_responses_is_wilsons() -> None:
    human, system = np.ones(40), np.r_[np.ones(31), np.full(9, 2)]
    found = figures(human, system)["exact_agreement"]
    assert (found.low, found.high) == pytest.approx([100 * end for end in wilson_interval(31 / 40, 40)])


def test_a_share_of_all_or_none_still_has_doubt() -> None:
    human = np.ones(30)
    always, never = (figures(human, human + shift)["exact_agreement"] for shift in (0, 1))
    assert (always.low, always.high) == pytest.approx([100 * end for end in wilson_interval(1, 30)])
    assert (never.low, never.high) == pytest.approx([100 * end for end in wilson_interval(0, 30)])


def test_equal_shares_in_few_blocks_are_not_taken_for_certainty() -> None:
    """Seven candidates, each right in one response of three: the blocks do not vary, but they are only seven."""
    blocks = PairTally.of(np.ones(21), np.tile([1.0, 2, 2], 7), bins=Bins.of(np.repeat(np.arange(7), 3), (7,)))
    found = estimates(blocks, JACKKNIFE)["exact_agreement"]
    assert (found.low, found.high) == pytest.approx([100 * end for end in wilson_interval(1 / 3, 7)])


def test_rounding_is_not_taken_for_a_spread_of_shares() -> None:
    dirt = np.array([0, 1, -1, 0, 1, -1, 0]) * 1e-14
    found = JACKKNIFE.share(100 / 3, 100 / 3 + dirt, np.full(7, 3.0))
    assert (found.low, found.high) == pytest.approx([100 * end for end in wilson_interval(1 / 3, 7)])


# --- Student on an even scale -------------------------------------------------------------------------------------


def test_the_interval_of_a_mean_is_students() -> None:
    """Student (1908), The probable error of a mean: ten patients' additional hours of sleep, 1.58 on average."""
    extra = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    without = leaving_out_each(extra) / 9
    found = JACKKNIFE.estimate(float(extra.mean()), without, np.ones(10))
    # R: t.test(extra)$conf.int
    assert (found.value, found.low, found.high) == pytest.approx((1.58, 0.7001142, 2.4598858))


def test_the_interval_of_r_is_close_to_fishers() -> None:
    """Fisher's z with 1 / sqrt(n - 3) holds for normal scores; the jackknife assumes nothing: within .02 at n = 400."""
    human, system = np.random.default_rng(8).multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 400).T
    found = figures(human, system)["r"]
    reach = float(ndtri(0.975)) / np.sqrt(397)
    fisher = np.tanh(np.arctanh(found.value) + np.array([-reach, reach]))
    assert (found.low, found.high) == pytest.approx(tuple(fisher), abs=0.02)


@pytest.mark.parametrize("name", EVEN_SCALES)
def test_an_even_scale_leads_there_and_back_and_knows_its_slope(name: str) -> None:
    scale, figure = EVEN_SCALES[name], np.array([0.05, 0.3, 0.9])
    assert scale.back(scale.there(figure)) == pytest.approx(figure)
    step = 1e-6
    rise = (scale.there(figure + step) - scale.there(figure - step)) / (2 * step)
    assert [scale.slope(x) for x in figure] == pytest.approx(rise, rel=1e-6)


def test_intervals_stay_within_the_range_of_their_figure() -> None:
    human = np.tile([1.0, 2, 3, 4, 5], 6)
    system = human.copy()
    system[:2] += 1
    found = figures(human, system)
    for name in ("r", "qwk", "kappa", "linear_kappa", "r2"):
        assert -1 < found[name].low < found[name].value < found[name].high < 1, name
    for name in ("mse", "rmse", "mae"):
        assert 0 < found[name].low < found[name].value < found[name].high, name


@pytest.mark.parametrize("name", ["r", "qwk", "r2", "rmse", "mse", "mae", "kappa", "linear_kappa"])
def test_one_miss_among_many_hits_leaves_doubt(name: str) -> None:
    """Without the only miss the figure is perfect, at the end of its range; that replicate must not be lost."""
    human = np.tile([1.0, 2, 3, 4, 5], 20)
    system = human.copy()
    system[0] = 2
    found = figures(human, system)[name]
    rest = abs(1 - found.value) if name not in ("mse", "rmse", "mae") else found.value
    assert found.high - found.low > rest
    assert found.low < found.value < found.high
    assert found.high < 1


@pytest.mark.parametrize(
    ("human", "system", "metric", "reason"),
    [
        ([1, 2], [1, 1.5], "qwk", "too few responses"),
        ([1, 2, 3, 4], [1, 2, 3, 4], "qwk", "at the end of its range"),
        ([1, 2, 3, 4], [1, 2, 3, 4], "kappa", "at the end of its range"),
        ([1, 2, 3, 4], [1, 2, 3, 4], "mse", "at the end of its range"),
        ([1, 2, 3, 4], [1.5, 2.5, 3.5, 4.5], "rmse", "the same whichever response is left out"),
        ([1, 1, 1, 2], [1, 2, 3, 4], "r", "undefined without some of the responses"),
        ([1], [2], "exact_agreement", "too few responses"),
    ],
)
def test_a_figure_without_an_interval_says_why(
    human: list[float], system: list[float], metric: str, reason: str
) -> None:
    found = figures(np.array(human, dtype=float), np.array(system, dtype=float))[metric]
    assert (found.defined, isnan(found.low), isnan(found.high), found.reason) == (True, True, True, reason)


def test_an_undefined_figure_has_its_reason_and_no_interval() -> None:
    found = figures(np.ones(5), np.arange(5.0))["r"]
    assert (found.defined, found.reason) == (False, "all human scores are equal")
    assert not JACKKNIFE.estimate(np.nan, np.ones(5), np.ones(5)).defined
    assert JACKKNIFE.share(np.nan, np.ones(5), np.ones(5)).reason == "undefined"


def test_empty_blocks_are_no_responses() -> None:
    rng = np.random.default_rng(1)
    human = rng.integers(1, 6, 50).astype(float)
    system = human + rng.normal(0, 0.5, 50)
    spread_out = PairTally.of(human, system, bins=Bins.of(np.arange(50) * 7, (BLOCKS,)))
    expected = figures(human, system)
    for name, estimate in estimates(spread_out, JACKKNIFE).items():
        ends = (estimate.value, estimate.low, estimate.high)
        assert ends == pytest.approx((expected[name].value, expected[name].low, expected[name].high)), name


def test_a_figure_that_rests_on_few_blocks_gets_their_degrees_of_freedom() -> None:
    spread = np.linspace(0.4, 0.6, 100)
    many, few = (JACKKNIFE.estimate(0.5, spread, np.ones(100), units=units) for units in (None, 5))
    assert few.high - few.low == pytest.approx((many.high - many.low) * 2.7764 / 1.9842, rel=1e-4)
    assert JACKKNIFE.estimate(0.5, spread, np.ones(100), units=2).reason == "too few responses"


def test_a_difference_of_nothing_on_every_response_is_nothing() -> None:
    found = JACKKNIFE.estimate(0.0, np.zeros(9), np.ones(9))
    assert (found.value, found.low, found.high) == (0, 0, 0)


# --- bootstrap ----------------------------------------------------------------------------------------------------


def test_the_bootstrap_is_near_the_jackknife_and_repeats_with_its_seed() -> None:
    rng = np.random.default_rng(5)
    human = rng.integers(1, 7, 300).astype(float)
    blocks = each_response_a_block(human, np.rint(human + rng.normal(0, 0.8, 300)))
    jack = estimates(blocks, JACKKNIFE)
    boot, again = (
        estimates(blocks, Resampling.bootstrapped(np.random.default_rng(3), draws=800, blocks=300)) for _ in range(2)
    )
    for name in PAIR_METRICS:
        width = jack[name].high - jack[name].low
        assert boot[name].low == pytest.approx(jack[name].low, abs=0.2 * width), name
        assert boot[name].high == pytest.approx(jack[name].high, abs=0.2 * width), name
        assert boot[name] == again[name]


def test_a_bootstrap_that_is_often_undefined_gives_no_interval() -> None:
    human = np.array([1.0, 1, 1, 2])
    blocks = each_response_a_block(human, np.array([1.0, 2, 1, 2]))
    found = estimates(blocks, Resampling.bootstrapped(np.random.default_rng(1), draws=200, blocks=4))
    assert found["r"].reason == "undefined in too many bootstrap draws"
    assert isnan(found["r"].low)


# --- Holm ---------------------------------------------------------------------------------------------------------


def test_holm_is_that_of_rs_p_adjust() -> None:
    """R: p.adjust(c(0.01, 0.02, 0.03, 0.005, 0.5), "holm")."""
    found = holm(np.array([0.01, 0.02, 0.03, 0.005, 0.5]))
    assert found.tolist() == pytest.approx([0.04, 0.06, 0.06, 0.025, 0.5])


def test_holm_never_exceeds_one_and_leaves_a_single_p_alone() -> None:
    assert holm(np.array([0.6, 0.7])).tolist() == [1, 1]
    assert holm(np.array([0.04])).tolist() == [0.04]


# --- coverage -----------------------------------------------------------------------------------------------------

COVERED = ("qwk", "r", "kappa", "smd", "rmse", "exact_agreement")
SAMPLES, SIZE = 300, 60


def graded(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    """Responses of varying quality, graded 1 to 6 by a person and by a system that is a little generous."""
    quality = rng.normal(3.5, 1.2, n)
    human = np.clip(np.rint(quality + rng.normal(0, 0.5, n)), 1, 6)
    return human, np.clip(np.rint(quality + rng.normal(0.15, 0.6, n)), 1, 6)


@cache
def simulated() -> tuple[dict[str, float], list[dict[str, Estimate]]]:
    truth = PairTally.of(*graded(np.random.default_rng(99), 2_000_000))
    human, system = graded(np.random.default_rng(7), SAMPLES * SIZE)
    blocks = PairTally.of(human, system, bins=Bins.of(np.arange(human.size), (SAMPLES, SIZE)))
    metrics = {name: PAIR_METRICS[name] for name in COVERED}
    found = [estimates(blocks[i], JACKKNIFE, metrics) for i in range(SAMPLES)]
    return {name: metric.formula(truth) for name, metric in metrics.items()}, found


@pytest.mark.parametrize("name", COVERED)
def test_the_95_per_cent_interval_covers_the_truth_in_92_to_98_of_100_samples(name: str) -> None:
    truth, samples = simulated()
    covered = np.mean([e[name].low <= truth[name] <= e[name].high for e in samples])
    assert 0.92 <= covered <= 0.98


def test_an_estimate_is_a_float_that_keeps_its_interval() -> None:
    qwk = Estimate(0.74, 0.64, 0.82)
    assert isinstance(qwk, float)
    assert (float(qwk), qwk + 1, qwk * 2, f"{qwk:.1f}", str(qwk)) == (0.74, 1.74, 1.48, "0.7", "0.74")
    assert type(qwk + 1) is float
    assert (qwk.value, qwk.low, qwk.high, qwk.reason, qwk.defined) == (0.74, 0.64, 0.82, "", True)


def test_estimates_are_equal_as_numbers_are_whatever_their_interval() -> None:
    assert Estimate(0.74, 0.64, 0.82) == Estimate(0.74) == 0.74
    assert hash(Estimate(0.74, 0.64, 0.82)) == hash(0.74)
    assert Estimate(0.7) < Estimate(0.71)


def test_an_undefined_estimate_is_nan_with_its_reason() -> None:
    undefined = Estimate(reason="only one response")
    assert np.isnan(undefined)
    assert not undefined.defined
    assert repr(undefined) == "Estimate(nan: only one response)"


def test_an_estimate_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="low"):
        Estimate(0.7).low = 0.1
    with pytest.raises(AttributeError):
        del Estimate(0.7).low


def test_an_estimate_survives_pickling_and_copying() -> None:
    for copy in (pickle.loads(pickle.dumps(Estimate(0.7, 0.6, 0.8, "why"))), deepcopy(Estimate(0.7, 0.6, 0.8, "why"))):
        assert (copy.value, copy.low, copy.high, copy.reason) == (0.7, 0.6, 0.8, "why")


# --- where one way ends and the other begins ------------------------------------------------------------------------


def test_three_blocks_make_an_interval_of_a_figure_and_two_of_a_share() -> None:
    """Without each of 1, 2, 6 the mean is 4, 3.5, 1.5; its interval is 3 +- t(2) sd / sqrt(3), t(2) = 4.302653."""
    extra = np.array([1.0, 2, 6])
    found = JACKKNIFE.estimate(3.0, leaving_out_each(extra) / 2, np.ones(3))
    reach = 4.302652730 * np.sqrt(7 / 3)
    assert (found.low, found.high) == pytest.approx((3 - reach, 3 + reach))
    assert JACKKNIFE.estimate(1.5, np.array([1.0, 2]), np.ones(2)).reason == "too few responses"
    share = JACKKNIFE.share(50.0, np.array([0.0, 100]), np.ones(2))
    # the shares without each block are 0 and 100: variance 1/2 * (0.5^2 + 0.5^2) = 1/4, so the size is 1/4 / 1/4 + 1
    assert (share.low, share.high) == pytest.approx([100 * end for end in wilson_interval(0.5, 2)])
    assert JACKKNIFE.share(50.0, np.array([50.0]), np.ones(1)).reason == "too few responses"


def test_reasons_speak_of_what_is_left_out() -> None:
    by_candidate = Resampling.jackknife(item="candidate")
    undefined = by_candidate.estimate(0.5, np.array([0.4, np.nan, 0.6]), np.ones(3))
    assert by_candidate.estimate(0.5, np.full(2, 0.5), np.ones(2)).reason == "too few candidates"
    assert undefined.reason == "undefined without some of the candidates"
    assert by_candidate.estimate(0.5, np.full(5, 0.5), np.ones(5)).reason == (
        "the same whichever candidate is left out"
    )
    assert (JACKKNIFE.item, JACKKNIFE.draws, JACKKNIFE.level) == ("response", 0, 0.95)


@pytest.mark.parametrize("value", [-0.5, 0.5, 1e-30])
def test_a_figure_that_no_block_moves_has_no_interval_whatever_its_sign(value: float) -> None:
    still = JACKKNIFE.estimate(value, np.full(5, value), np.ones(5))
    moved = JACKKNIFE.estimate(value, value * (1 + np.array([0, 0, 0, 0, 1e-9])), np.ones(5))
    assert (still.has_interval, still.reason) == (False, "the same whichever response is left out")
    assert moved.has_interval
    assert moved.low < value < moved.high


def jackknife_error(spread: Scores) -> float:
    return float(np.sqrt((spread.size - 1) / spread.size * ((spread - spread.mean()) ** 2).sum()))


@pytest.mark.parametrize(("farthest", "on_even_scale"), [(2.99, True), (-2.99, True), (3.01, False), (-3.01, False)])
def test_a_block_may_move_a_figure_by_three_on_its_even_scale(farthest: float, on_even_scale: bool) -> None:
    value, t = 2.0, 3.182446305  # Student's t with 3 degrees of freedom
    logs = np.log(value) + np.array([0.1, -0.2, 0.3, farthest])
    error = jackknife_error(logs) if on_even_scale else jackknife_error(np.exp(logs)) / value
    found = JACKKNIFE.estimate(value, np.exp(logs), np.ones(4), even="log")
    expected = np.log(value) - t * error, np.log(value) + t * error
    assert (np.log(found.low), np.log(found.high)) == pytest.approx(expected)


def test_units_beyond_the_blocks_add_no_degrees_of_freedom() -> None:
    spread = np.linspace(0.4, 0.6, 10)
    plain, many = (JACKKNIFE.estimate(0.5, spread, np.ones(10), units=units) for units in (None, 1000))
    assert (many.low, many.high) == (plain.low, plain.high)
    assert JACKKNIFE.estimate(0.5, spread, np.ones(10), units=3).has_interval


@pytest.mark.parametrize(("blocks", "size"), [(BLOCKS - 1, BLOCKS - 1), (BLOCKS, 2 * BLOCKS)])
def test_equal_shares_in_all_blocks_are_as_sure_as_their_responses(blocks: int, size: int) -> None:
    found = JACKKNIFE.share(50.0, np.full(blocks, 50.0), np.full(blocks, 2.0))
    assert (found.low, found.high) == pytest.approx([100 * end for end in wilson_interval(0.5, size)])


def test_a_bootstrap_takes_the_percentiles_of_the_defined_draws() -> None:
    boot = Resampling(lambda blocks: blocks, draws=1000)
    replicates = np.arange(101.0)[::-1]
    found = boot.estimate(50.0, replicates, np.ones(101))
    assert (found.value, found.low, found.high) == pytest.approx((50, 2.5, 97.5))
    shares = boot.share(50.0, replicates, np.ones(101))
    assert (shares.low, shares.high) == pytest.approx((2.5, 97.5))
    narrow = Resampling(lambda blocks: blocks, draws=1000, level=0.9).estimate(50.0, replicates, np.ones(101))
    assert (narrow.low, narrow.high) == pytest.approx((5, 95))


def test_nine_of_ten_draws_must_be_defined() -> None:
    boot = Resampling(lambda blocks: blocks, draws=10)
    enough, too_few = (np.where(np.arange(10) < undefined, np.nan, 0.5) for undefined in (1, 2))
    assert boot.estimate(0.5, enough, np.ones(10)).has_interval
    assert boot.estimate(0.5, too_few, np.ones(10)).reason == "undefined in too many bootstrap draws"


def test_a_bootstrap_draws_two_thousand_times_from_all_blocks_unless_told_otherwise() -> None:
    boot = Resampling.bootstrapped(np.random.default_rng(1))
    replicates = boot.totals(np.ones(BLOCKS))
    assert (boot.draws, boot.item, replicates.shape) == (2000, "response", (2000,))
    assert set(replicates.tolist()) == {BLOCKS}
    assert Resampling.bootstrapped(np.random.default_rng(1), draws=3, blocks=2, item="candidate").item == "candidate"


@pytest.mark.parametrize(
    ("estimate", "has_interval", "shown"),
    [
        (Estimate(0.5, 0.4, 0.6), True, "Estimate(0.5, 0.4 to 0.6)"),
        (Estimate(0.5, 0.4), False, "Estimate(0.5)"),
        (Estimate(0.5, high=0.6), False, "Estimate(0.5)"),
        (Estimate(0.5, reason="too few responses"), False, "Estimate(0.5: too few responses)"),
        (Estimate(1 / 3, 0.12345, 0.98765, "why"), True, "Estimate(0.3333, 0.1235 to 0.9877: why)"),
    ],
)
def test_an_estimate_shows_its_interval_only_with_both_ends(estimate: Estimate, has_interval: bool, shown: str) -> None:
    assert (estimate.has_interval, repr(estimate)) == (has_interval, shown)


def test_an_infinite_figure_is_not_defined() -> None:
    assert [Estimate(x).defined for x in (np.inf, -np.inf, np.nan, 0.0)] == [False, False, False, True]


def test_holm_keeps_the_order_of_equal_p_values_and_never_falls() -> None:
    assert holm(np.array([0.02, 0.02, 0.02])).tolist() == pytest.approx([0.06, 0.06, 0.06])
    assert holm(np.array([0.04, 0.001])).tolist() == pytest.approx([0.04, 0.002])
    assert holm(np.zeros(0)).tolist() == []
