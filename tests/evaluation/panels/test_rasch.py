"""Severities, difficulties and measures: known ones come back, and odd panels are named."""

import numpy as np
import pytest
from scipy.optimize import minimize

from assay.errors import InputError
from assay.evaluation.panels.design import LongRatings
from assay.evaluation.panels.rasch import RaschFit, fit_rasch
from assay.evaluation.panels.rasch_likelihood import even_grid
from assay.metrics.bins import Scores

NAN = float("nan")
SEVERITY, DIFFICULTY = np.array([-0.9, -0.3, 0.2, 1.0]), np.array([-0.4, 0.4])
THRESHOLDS = np.array([-1.5, 0.2, 1.3])


def simulated(items: int, seed: int, gaps: float = 0.25) -> Scores:
    rng = np.random.default_rng(seed)
    place = rng.normal(0.5, 1.4, (items, 1, 1)) - SEVERITY[:, None] - DIFFICULTY
    odds = np.exp(place[..., None] * np.arange(4) - np.r_[0, np.cumsum(THRESHOLDS)])
    draw = rng.random(place.shape)[..., None] * odds.sum(axis=-1, keepdims=True)
    levels = (draw > np.cumsum(odds, axis=-1)).sum(axis=-1).astype(float)
    levels[rng.random(levels.shape) < gaps] = NAN
    return np.asarray(levels)


@pytest.fixture(scope="module")
def fit() -> RaschFit:
    return fit_rasch(simulated(3000, 7))


def test_known_facets_come_back_within_their_errors(fit: RaschFit) -> None:
    assert (np.abs(fit.severity - SEVERITY) < 3.5 * fit.severity_error).all()
    assert (np.abs(fit.difficulty - DIFFICULTY) < 3.5 * fit.difficulty_error).all()
    assert (np.abs(fit.thresholds[0] - THRESHOLDS) < 3.5 * fit.threshold_error[0]).all()
    assert fit.spread.low < 1.4 < fit.spread.high
    assert fit.mean.low < 0.5 < fit.mean.high
    assert fit.severity.sum() == pytest.approx(0, abs=1e-9)
    assert fit.severity_error.max() < 0.03
    assert fit.cautions == ()


def test_raters_who_follow_the_model_fit(fit: RaschFit) -> None:
    assert fit.infit == pytest.approx(np.ones(4), abs=0.06)
    assert fit.outfit == pytest.approx(np.ones(4), abs=0.08)
    assert fit.criterion_infit == pytest.approx(np.ones(2), abs=0.05)


def test_measures_go_with_reliability(fit: RaschFit) -> None:
    assert 0.75 < fit.item_reliability < 0.9
    assert fit.item_separation == pytest.approx(np.sqrt(fit.item_reliability / (1 - fit.item_reliability)))
    assert fit.rater_reliability > 0.99
    assert fit.p_equal_raters < 1e-6
    assert (np.diff(fit.fair_average) < 0).all()


def test_a_careless_rater_does_not_fit() -> None:
    levels = simulated(800, 3, gaps=0)[:, :, 0]
    levels[:, 2] = np.random.default_rng(1).integers(4, size=800)

    fit = fit_rasch(levels)

    assert fit.infit[2] > 1.25
    assert np.delete(fit.infit, 2).max() < 1.1


def test_the_maximum_is_that_of_a_plain_optimizer() -> None:
    levels = simulated(60, 2)[:, :3, 0]
    rated = ~np.isnan(levels)
    z, log_weight = even_grid(81)

    def minus_log_likelihood(at: Scores) -> float:
        severity, steps = np.r_[at[2:4], -at[2] - at[3]], np.r_[0, np.cumsum(np.r_[at[4:6], -at[4] - at[5]])]
        terms = (at[0] + at[1] * z[:, None, None] - severity[:, None]) * np.arange(4) - steps
        logs = terms - np.log(np.exp(terms).sum(axis=-1, keepdims=True))  # nodes x raters x levels
        codes = np.where(rated, levels, 0).astype(int)
        picked = logs[:, np.arange(3), codes]  # nodes x items x raters
        return -float(np.log(np.exp((picked * rated).sum(axis=-1) + log_weight[:, None]).sum(axis=0)).sum())

    best = minimize(minus_log_likelihood, [0, 1, 0, 0, -1, 0], tol=1e-10, method="BFGS", options={"gtol": 1e-7})
    fit = fit_rasch(levels)

    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    assert fit.severity[:2] == pytest.approx(best.x[2:4], abs=1e-4)
    assert fit.thresholds[0, :2] == pytest.approx(best.x[4:6], abs=1e-4)
    assert (fit.mean.value, fit.spread.value) == pytest.approx(tuple(best.x[:2]), abs=1e-4)


def test_partial_credit_gives_each_criterion_its_thresholds() -> None:
    levels = simulated(1500, 9)
    coarse = levels.copy()
    coarse[:, :, 1] = np.where(coarse[:, :, 1] == 2, 1, coarse[:, :, 1])  # the second criterion never uses level 2
    fit = fit_rasch(coarse, partial_credit=True)

    assert fit.thresholds.shape == (2, 3)
    assert fit.thresholds[0] == pytest.approx(THRESHOLDS, abs=0.15)
    assert np.isnan(fit.thresholds[1, 1])
    assert fit.log_likelihood > fit_rasch(coarse).log_likelihood + 20


def test_weights_are_repetitions() -> None:
    levels = simulated(200, 5)
    twice, weighted = fit_rasch(np.repeat(levels, 2, axis=0)), fit_rasch(levels, weights=np.full(200, 2.0))

    assert weighted.severity == pytest.approx(twice.severity, abs=1e-6)
    assert weighted.severity_error == pytest.approx(twice.severity_error, rel=1e-4)
    assert weighted.log_likelihood == pytest.approx(twice.log_likelihood)


def test_a_long_table_gives_the_same() -> None:
    levels = simulated(100, 5)
    item, rater, criterion = np.nonzero(~np.isnan(levels))
    order = np.random.default_rng(1).permutation(item.size)
    long = LongRatings.of_long(*(c[order] for c in (item, rater, levels[item, rater, criterion], criterion)))

    assert fit_rasch(long).severity == pytest.approx(fit_rasch(levels).severity, abs=1e-9)


def test_an_extreme_rater_is_named_and_changes_nothing() -> None:
    levels = simulated(150, 6)[:, :, 0]
    extreme = np.column_stack([levels, np.full(150, 3.0), np.full(150, NAN)])
    fit, without = fit_rasch(extreme), fit_rasch(levels)

    assert np.isnan(fit.severity[4:]).all()
    assert fit.rater_reason[4:] == ("gave only the highest level", "no rating")
    assert fit.severity[:4] == pytest.approx(without.severity, abs=1e-6)
    assert fit.cautions[0] == "1 of 6 raters gave one extreme level only and have no severity."


def test_disconnected_raters_are_named() -> None:
    levels = simulated(120, 6)[:, :, 0]
    levels[:60, :2] = NAN
    levels[60:, 2:] = NAN

    fit = fit_rasch(levels)

    assert fit.groups.tolist() == [0, 0, 1, 1]
    assert "2 groups that share no item" in fit.cautions[-1]


def test_a_rater_with_one_score_is_named() -> None:
    levels = np.column_stack([simulated(100, 6)[:, :, 0], np.r_[1.0, np.full(99, NAN)]])

    fit = fit_rasch(levels)

    assert any("1 of 5 raters gave one rating" in note for note in fit.cautions)
    assert fit.severity_error[4] > 0.5


def test_raters_bound_to_criteria_cannot_be_told_apart() -> None:
    rng = np.random.default_rng(3)
    levels = np.full((100, 2, 2), NAN)
    levels[:, 0, 0], levels[:, 1, 1] = rng.integers(3, size=(2, 100))

    fit = fit_rasch(levels)

    assert np.isnan(fit.severity_error).all()
    assert any("do not tell all raters and criteria apart" in note for note in fit.cautions)


def test_a_handful_of_ratings_leaves_the_spread_open() -> None:
    fit = fit_rasch([[0, 1], [1, 2], [2, 1], [1, 0]], weights=[0, 1, 1, 1])

    assert not fit.spread.has_interval
    assert fit.spread.reason


def test_pure_noise_has_no_spread() -> None:
    fit = fit_rasch(np.random.default_rng(1).integers(3, size=(300, 4)))

    assert fit.item_reliability < 0.1


def test_an_item_without_ratings_has_no_measure() -> None:
    levels = simulated(80, 8)
    levels[5] = NAN

    fit = fit_rasch(levels)

    assert np.flatnonzero(np.isnan(fit.measure)).tolist() == [5]


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([[1, 1], [1, 1]], "one level only"),
        ([[0, NAN], [NAN, 1], [1, NAN], [NAN, 0]], "no item has two ratings"),
        ([[NAN, NAN]], "every cell is empty"),
        ([[0.5, 1]], "whole numbers"),
    ],
)
def test_what_cannot_be_fitted_is_refused(levels: list[list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_rasch(levels)


def test_ten_thousand_raters_are_fitted() -> None:
    rng = np.random.default_rng(2)
    item = np.repeat(np.arange(6000), 5)
    rater = rng.integers(10_000, size=item.size)
    levels = rng.binomial(3, 1 / (1 + np.exp(-rng.normal(0, 1, 6000)[item])))

    fit = fit_rasch(LongRatings.of_long(item, rater, levels))

    assert fit.severity.size == fit.groups.size
    assert any("standard errors ignore" in note for note in fit.cautions)
