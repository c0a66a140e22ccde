"""Engines on the same responses."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import stdtr
from scipy.stats import ttest_rel

from assay.errors import InputError
from assay.evaluation.chunks import tally_parts
from assay.evaluation.compare import Comparison, Contender, Difference, compare_engines
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Resampling, holm
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale

PLAN = Plan(ScoreScale(1, 6))


def contender(name: str, human: Scores, system: Scores) -> Contender:
    tally, _ = tally_parts([Ratings.of(human, system)], PLAN)
    return Contender(name, tally.system["raw_trim"], tally.system["raw_trim_round"])


def engines(n: int, seed: int, *noises: float) -> tuple[Scores, list[Scores]]:
    rng = np.random.default_rng(seed)
    skill = rng.normal(size=n)
    human = np.clip(np.rint(3.5 + 1.2 * skill + 0.5 * rng.normal(size=n)), 1, 6)
    shared = rng.normal(size=n)
    return human, [np.clip(3.5 + skill + 0.6 * shared + noise * rng.normal(size=n), 1, 6) for noise in noises]


def difference(comparison: Comparison, metric: str) -> "tuple[float, float, float, float]":
    found = next(d for d in comparison.differences if d.metric == metric)
    return found.estimate.value, found.estimate.low, found.estimate.high, found.p


def test_a_difference_is_that_of_the_two_figures() -> None:
    human, (a, b) = engines(300, 1, 0.2, 0.8)

    value, low, high, p = difference(compare_engines([contender("a", human, a), contender("b", human, b)]), "qwk")

    assert value == pytest.approx(quadratic_weighted_kappa(human, a) - quadratic_weighted_kappa(human, b), abs=1e-12)
    assert low < value < high
    assert (p < 0.05) == (low > 0 or high < 0)


def test_pairing_narrows_the_interval_when_engines_share_what_is_hard() -> None:
    human, (a, b) = engines(300, 2, 0.2, 0.3)
    paired = compare_engines([contender("a", human, a), contender("b", human, b)])
    turned = compare_engines([contender("a", human, a), contender("b", human[::-1].copy(), b[::-1].copy())])

    assert paired.paired
    assert not turned.paired
    widths = [high - low for _, low, high, _ in (difference(c, "qwk") for c in (paired, turned))]
    assert widths[0] < 0.7 * widths[1]


def test_an_engine_does_not_differ_from_itself() -> None:
    human, (a,) = engines(100, 3, 0.5)

    comparison = compare_engines([contender("a", human, a), contender("copy", human, a)])

    for d in comparison.differences:
        assert (d.estimate.value, d.estimate.low, d.estimate.high, d.p) == (0, 0, 0, 1), d.metric


def test_false_alarms_among_many_equal_engines_stay_rare() -> None:
    alarms = 0
    for seed in range(40):
        human, systems = engines(120, 100 + seed, 0.5, 0.5, 0.5, 0.5)
        comparison = compare_engines([contender(f"e{i}", human, s) for i, s in enumerate(systems)])
        alarms += any(d.p_adjusted < 0.05 for d in comparison.differences if d.metric == "qwk")

    assert alarms <= 6  # 5 % of 40 runs is 2; more than 6 has a chance of 0.4 %


def test_engines_need_names_of_their_own_and_company() -> None:
    human, (a, b) = engines(50, 4, 0.5, 0.5)

    with pytest.raises(InputError, match="at least two"):
        compare_engines([contender("a", human, a)])
    with pytest.raises(InputError, match="different names"):
        compare_engines([contender("a", human, a), contender("a", human, b)])


def of_metric(comparison: Comparison, metric: str) -> list[Difference]:
    return [d for d in comparison.differences if d.metric == metric]


def test_on_the_same_responses_a_difference_of_mean_errors_is_a_paired_t_test() -> None:
    """scipy.stats.ttest_rel of the squared errors."""
    human, (a, b) = engines(40, 7, 0.4, 0.9)
    errors = (a - human) ** 2, (b - human) ** 2
    expected = ttest_rel(*errors)
    ends = expected.confidence_interval(0.95)

    value, low, high, p = difference(compare_engines([contender("a", human, a), contender("b", human, b)]), "mse")

    assert (value, p) == pytest.approx((np.mean(errors[0] - errors[1]), expected.pvalue))
    assert (low, high) == pytest.approx((ends.low, ends.high))


def test_on_other_responses_the_half_widths_add_up_as_squares() -> None:
    human, (a,) = engines(30, 8, 0.4)
    other, (b,) = engines(50, 9, 0.9)
    halves, values = [], []
    for h, m, t in ((human, a, 2.045229642), (other, b, 2.009575237)):  # 97.5 % points of t(29) and t(49)
        error = (m - h) ** 2
        values.append(error.mean())
        halves.append(t * error.std(ddof=1) / np.sqrt(error.size))
    reach = float(np.hypot(*halves))

    comparison = compare_engines([contender("a", human, a), contender("b", other, b)])
    value, low, high, p = difference(comparison, "mse")

    assert not comparison.paired
    assert comparison.n == {"a": 30, "b": 50}
    assert value == pytest.approx(values[0] - values[1])
    assert (low, high) == pytest.approx((value - reach, value + reach))
    # the fewer degrees of freedom, which is on the safe side
    assert p == pytest.approx(2 * stdtr(29, -abs(value) / (reach / 2.045229642)))


def test_p_values_are_adjusted_for_all_pairs_of_engines_on_one_metric() -> None:
    human, systems = engines(80, 10, 0.2, 0.6, 1.0)
    comparison = compare_engines([contender(name, human, s) for name, s in zip("abc", systems, strict=True)])
    for metric in ("qwk", "mae"):
        found = of_metric(comparison, metric)
        assert [(d.first, d.second) for d in found] == [("a", "b"), ("a", "c"), ("b", "c")]
        assert [d.p_adjusted for d in found] == pytest.approx(holm(np.array([d.p for d in found])).tolist())
    assert comparison.engines == ("a", "b", "c")
    assert len(comparison.differences) == 3 * len(PAIR_METRICS)


def test_figures_on_points_are_those_of_the_rounded_score() -> None:
    human, (a, b) = engines(60, 11, 0.3, 0.6)
    comparison = compare_engines([contender("a", human, a), contender("b", human, b)])
    exact = [100 * np.mean(np.rint(s) == human) for s in (a, b)]
    assert [comparison.metrics[e]["exact_agreement"].value for e in "ab"] == pytest.approx(exact)
    assert difference(comparison, "exact_agreement")[0] == pytest.approx(exact[0] - exact[1])
    assert comparison.metrics["a"]["mae"].value == pytest.approx(np.abs(a - human).mean())
    assert (comparison.by_candidate, comparison.bootstrap_draws) == (False, 0)
    assert compare_engines([contender("a", human, a), contender("b", human, b)], by_candidate=True).by_candidate


def test_a_figure_one_engine_does_not_have_makes_no_difference() -> None:
    human, (a,) = engines(30, 12, 0.3)
    comparison = compare_engines([contender("a", human, a), contender("flat", human, np.full(30, 3.0))])
    (found,) = of_metric(comparison, "r")
    assert (found.estimate.defined, found.estimate.reason) == (False, "undefined for an engine")
    assert np.isnan([found.p, found.p_adjusted]).all()
    assert comparison.paired


def test_three_responses_are_the_least_to_compare_engines_on() -> None:
    human, a, b = np.array([2.0, 3, 4]), np.array([2.0, 3.5, 4.1]), np.array([1.0, 3.2, 4.9])
    three = compare_engines([contender("a", human, a), contender("b", human, b)])
    two = compare_engines([contender("a", human[:2], a[:2]), contender("b", human[:2], b[:2])])
    assert np.isfinite(difference(three, "mae")[3])
    assert np.isnan(difference(two, "mae")[1:]).all()


def test_a_difference_that_is_the_same_in_every_draw_is_certain() -> None:
    human = np.tile([2.0, 3, 4], 10)
    bootstrap = Resampling.bootstrapped(np.random.default_rng(2), draws=50)
    engines_apart = [contender("one up", human, human + 1), contender("same", human, human)]
    comparison = compare_engines(engines_apart, resampling=bootstrap)
    assert difference(comparison, "mae") == (1, 1, 1, 0)
    assert comparison.bootstrap_draws == 50


@pytest.mark.parametrize("other", [[2.0, 2, 3, 3, 1, 5], [1.0, 3, 2, 4, 1, 4]])
def test_blocks_with_another_spread_or_another_mean_are_not_the_same_responses(other: list[float]) -> None:
    """Two responses of each candidate; in the first case with the same mean but not with the same scores."""
    human, who = np.array([1.0, 3, 2, 4, 1, 5]), ["p", "p", "q", "q", "r", "r"]

    def by_candidate(name: str, scores: Scores) -> Contender:
        tally, _ = tally_parts([Ratings.of(scores, scores + 0.1, candidate=who)], PLAN)
        return Contender(name, tally.system["raw_trim"], tally.system["raw_trim_round"])

    same, changed = (by_candidate("b", np.array(scores)) for scores in (human, other))
    assert compare_engines([by_candidate("a", human), same]).paired
    assert not compare_engines([by_candidate("a", human), changed]).paired
    assert not compare_engines([by_candidate("a", human), replace(same, name="c"), changed]).paired


@pytest.mark.parametrize(
    ("mean", "ss", "paired"),
    [
        (1 + 1e-10, 1.0, True),
        (1 + 1e-7, 1.0, False),
        (1.0, 1 + 1e-8, True),
        (1.0, 1 + 1e-5, False),
    ],
)
def test_rounding_does_not_make_other_responses_of_the_same(mean: float, ss: float, paired: bool) -> None:
    """Parts added up in another order differ in the last digits; other scores differ in far more."""
    human, who = np.array([1.0, 3, 2, 4, 1, 5]), ["p", "p", "q", "q", "r", "r"]
    tally, _ = tally_parts([Ratings.of(human, human + 0.1, candidate=who)], PLAN)
    trimmed, rounded = tally.system["raw_trim"], tally.system["raw_trim_round"]
    moved = replace(trimmed, human_mean=trimmed.human_mean * mean, human_ss=trimmed.human_ss * ss)
    assert compare_engines([Contender("a", trimmed, rounded), Contender("b", moved, rounded)]).paired is paired


@pytest.mark.parametrize(("dirt", "paired"), [(1e-8, True), (1e-5, False)])
def test_rounding_where_a_block_has_no_spread_at_all_is_no_spread(dirt: float, paired: bool) -> None:
    human, (a, b) = engines(20, 13, 0.3, 0.5)
    one, other = contender("a", human, a), contender("b", human, b)
    dirty = replace(other, trimmed=replace(other.trimmed, human_ss=other.trimmed.human_ss + dirt))
    assert compare_engines([one, dirty]).paired is paired
