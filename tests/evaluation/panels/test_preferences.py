"""Strengths from preferences, beside choix and a plain optimizer."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize

from assay.errors import InputError
from assay.evaluation.panels.preferences import bradley_terry, preference_agreement
from assay.metrics.bins import Scores, Whole

WINS = np.array([(0, 1), (1, 2), (2, 0), (0, 2), (3, 1), (1, 3), (3, 0), (0, 1), (2, 3), (0, 3), (1, 0), (2, 1)])


def preferences(seed: int = 2, n: int = 400) -> tuple[Whole, Whole, Scores, Scores]:
    rng = np.random.default_rng(seed)
    first = rng.integers(5, size=n)
    second = (first + rng.integers(1, 5, size=n)) % 5
    strength, position, nu = np.array([0.8, 0.3, 0.0, -0.4, -0.7]), 0.35, 0.6
    a, b = strength[first] + position, strength[second]
    odds = np.stack([np.exp(a), nu * np.exp((a + b) / 2), np.exp(b)], axis=1)
    draw = rng.random((n, 1)) * odds.sum(axis=1, keepdims=True)
    outcome = np.array([1, 0.5, 0])[(draw > np.cumsum(odds, axis=1)).sum(axis=1)]
    return first, second, outcome, rng.uniform(0.5, 2, n)


def log_likelihood(beta: Scores, first: Whole, second: Whole, outcome: Scores, weight: Scores) -> float:
    """Davidson's model written out: strengths, position, log nu."""
    a, b = beta[first] + beta[5], beta[second]
    tie = beta[6] + (a + b) / 2
    seen = np.select([outcome == 1, outcome == 0], [a, b], tie)
    return float(weight @ (seen - np.logaddexp(np.logaddexp(a, b), tie)))


def test_without_ties_strengths_are_those_of_choix() -> None:
    # choix 0.4.1, opt_pairwise then ilsr_pairwise, alpha 0, mean 0
    fit = bradley_terry(WINS[:, 0], WINS[:, 1], np.ones(len(WINS)), position=False)

    assert fit.strength == pytest.approx([0.2042722034, -0.2042722034, 0.3420520759, -0.3420520759], abs=1e-9)
    assert fit.ties.value == 0
    assert fit.ties.reason == "no ties"
    assert fit.position.reason == "not asked for"


def test_ties_position_and_weights_as_a_plain_optimizer_has_them() -> None:
    table = preferences()
    fit = bradley_terry(table[0], table[1], table[2], weights=table[3])
    best = minimize(lambda beta: -log_likelihood(beta, *table) + beta[:5].sum() ** 2, np.zeros(7), tol=1e-12)

    assert fit.strength == pytest.approx(best.x[:5], abs=1e-5)
    assert (fit.position.value, np.log(fit.ties)) == pytest.approx(best.x[5:], abs=1e-5)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-9)


def test_standard_errors_come_from_the_second_derivatives() -> None:
    table = preferences()
    fit = bradley_terry(table[0], table[1], table[2], weights=table[3])
    beta = np.array([*fit.strength, fit.position, np.log(fit.ties)])

    def slope(at: Scores) -> Scores:
        return np.asarray(approx_fprime(at, log_likelihood, 1e-5, *table))

    information = -np.array([(slope(beta + 1e-4 * e) - slope(beta - 1e-4 * e)) / 2e-4 for e in np.eye(7)])
    covariance = np.linalg.pinv(information, rcond=1e-6, hermitian=True)

    assert fit.standard_error == pytest.approx(np.sqrt(np.diagonal(covariance)[:5]), rel=1e-3)
    assert (fit.position.high - fit.position.low) / 3.919928 == pytest.approx(np.sqrt(covariance[5, 5]), rel=1e-3)
    assert np.log(fit.ties.high / fit.ties.low) / 3.919928 == pytest.approx(np.sqrt(covariance[6, 6]), rel=1e-3)
    assert fit.difference(0, 4).low > 0
    assert fit.difference(0, 4).value == pytest.approx(beta[0] - beta[4])


def test_repeating_every_comparison_in_its_cluster_adds_no_certainty() -> None:
    first, second, outcome, _ = preferences()
    once = bradley_terry(first, second, outcome, clusters=np.arange(400))
    thrice = bradley_terry(*(np.tile(c, 3) for c in (first, second, outcome)), clusters=np.tile(np.arange(400), 3))
    blind = bradley_terry(*(np.tile(c, 3) for c in (first, second, outcome)))

    assert thrice.standard_error == pytest.approx(once.standard_error)
    assert blind.standard_error == pytest.approx(bradley_terry(first, second, outcome).standard_error / np.sqrt(3))
    assert once.standard_error == pytest.approx(bradley_terry(first, second, outcome).standard_error, rel=0.15)


def test_swapping_the_places_turns_the_position_effect_round() -> None:
    first, second, outcome, _ = preferences()
    fit, turned = bradley_terry(first, second, outcome), bradley_terry(second, first, 1 - outcome)

    assert turned.strength == pytest.approx(fit.strength, abs=1e-9)
    assert turned.position == pytest.approx(-fit.position.value, abs=1e-9)
    assert turned.first_wins == pytest.approx(1 - fit.first_wins, abs=1e-9)
    assert fit.win_probability() + fit.win_probability().T == pytest.approx(np.ones((5, 5)))


def test_candidates_without_a_strength_are_named() -> None:
    fit = bradley_terry([0, 1, 2, 0, 4, 5], [1, 2, 0, 3, 0, 6], [1, 1, 1, 1, 1, 0.5], candidates=8, position=False)

    assert np.isfinite(fit.strength[:3]).all()
    assert np.isnan(fit.strength[3:]).all()
    assert fit.reason[:5] == ("", "", "", "lost every comparison", "won every comparison")
    assert fit.reason[5:] == (*["not compared with the others, not even through one another"] * 2, "never compared")
    assert fit.comparisons == 3
    assert fit.cautions == ("5 of 8 candidates have no strength.",)
    assert not fit.difference(0, 4).defined
    assert fit.difference(0, 4).reason == "won every comparison"


def test_ties_only_say_nothing_about_strengths() -> None:
    fit = bradley_terry([0, 1, 2], [1, 2, 0], [0.5, 0.5, 0.5])

    assert fit.strength.tolist() == [0, 0, 0]
    assert np.isnan(fit.standard_error).all()
    assert fit.ties.reason == fit.position.reason == "every comparison is a tie"
    assert "Every comparison is a tie" in fit.cautions[0]
    assert fit.log_likelihood == pytest.approx(3 * np.log(0.5))  # each is half a win of either


def test_one_winner_throughout_has_no_strength() -> None:
    fit = bradley_terry([0, 0], [1, 1], [1, 1])

    assert np.isnan(fit.strength).all()
    assert all(fit.reason)
    assert not fit.ties.defined


def test_a_place_that_always_wins_is_named() -> None:
    fit = bradley_terry([0, 1, 2, 1], [1, 2, 0, 0], [1, 1, 1, 1])

    assert fit.position.reason == "the place alone explains who won"
    assert np.isfinite(fit.strength).all()
    assert "not corrected" in fit.cautions[-1]


@pytest.mark.parametrize(
    ("first", "second", "outcome", "message"),
    [
        ([0], [0], [1], "with itself"),
        ([0], [1], [2], "1 .first won."),
        ([0], [1], [float("nan")], "every cell is empty"),
        ([0, 1], [1], [1], "2 entries for 1"),
    ],
)
def test_what_is_no_preference_is_refused(
    first: list[int], second: list[int], outcome: list[float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        bradley_terry(first, second, outcome)


def test_codes_beyond_the_candidates_are_refused() -> None:
    with pytest.raises(InputError, match="2 or more"):
        bradley_terry([0, 3], [1, 1], [1, 0], candidates=2)


def test_gaps_are_left_out() -> None:
    first, second, outcome, weight = preferences(n=100)
    gaps = np.where(np.arange(100) % 7 == 0, np.nan, outcome)
    rest = ~np.isnan(gaps)

    whole, part = bradley_terry(first, second, gaps), bradley_terry(first[rest], second[rest], outcome[rest])

    assert whole.strength == pytest.approx(part.strength)
    assert whole.comparisons == rest.sum()
    assert weight.size == 100


def test_agreement_of_preferences_counts_reversals_and_ties() -> None:
    both = preference_agreement([1, 0, 0.5, 1, 0.5], [1, 0, 1, 0, 0.5])

    assert (both.same.value, both.reversed.value, both.tie_on_one_side) == pytest.approx((0.6, 0.2, 0.2))
    assert both.without_ties == pytest.approx(2 / 3)
    assert both.comparisons == 5
    assert preference_agreement([0.5], [1]).without_ties.reason == "every comparison has a tie"
