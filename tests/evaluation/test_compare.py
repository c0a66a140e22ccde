"""Engines on the same responses."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.chunks import tally_parts
from assay.evaluation.compare import Comparison, Contender, compare_engines
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
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
