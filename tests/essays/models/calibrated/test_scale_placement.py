"""Placing ranked essays on a scale, when only the scale is known, or a few human scores."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.calibrated.scale_placement import (
    LEAST_POOL,
    Placement,
    PromptLevel,
    check_calibration,
    fit_line,
    prompt_level,
    residual_dual,
    safe_placement,
    spread_before_rounding,
)
from assay.scale import ScoreScale

EXPECTED = Placement(3.0, 1.0, 1.1)


def test_the_level_of_a_prompt_is_told_in_shares_of_its_scale() -> None:
    level = prompt_level(np.array([2.0, 4.0, 6.0]), 150.0, ScoreScale(2, 12, 0.5))

    assert (level.mean, level.sd) == pytest.approx((0.2, np.sqrt(8 / 3) / 10))
    assert (level.points, level.words) == (21, 150.0)


def test_without_sources_scores_lie_in_the_middle_of_the_scale() -> None:
    found = safe_placement([], words=100, scale=ScoreScale(1, 6))

    assert found.mean == 3.5
    assert found.sd == pytest.approx(5 * 0.2)
    assert found.widened == pytest.approx(np.sqrt(25 * (0.2**2 + 0.075**2) + 1 / 12))


def test_one_source_gives_mean_and_spread_and_the_usual_doubt() -> None:
    found = safe_placement([PromptLevel(0.6, 0.15, 6, 200)], words=100, scale=ScoreScale(0, 10))

    assert (found.mean, found.sd) == pytest.approx((6.0, 1.5))
    assert found.widened == pytest.approx(np.sqrt(100 * (0.15**2 + 0.075**2) + 1 / 12))


def test_sources_that_lie_apart_widen_the_scores() -> None:
    levels = [PromptLevel(0.4, 0.2, 6, 200), PromptLevel(0.8, 0.2, 6, 200)]

    found = safe_placement(levels, words=200, scale=ScoreScale(0, 10))

    assert (found.mean, found.sd) == pytest.approx((6.0, 2.0))
    assert found.widened == pytest.approx(np.sqrt(100 * (0.2**2 + 0.2**2) + 1 / 12))


def test_the_spread_is_foretold_by_a_ridge_regression_on_points_and_words() -> None:
    levels = [PromptLevel(0.5, 0.3, 4, 100), PromptLevel(0.5, 0.2, 6, 300), PromptLevel(0.5, 0.1, 31, 200)]
    levels += [PromptLevel(0.5, 0.0, 4, 100)]  # scores that do not vary say nothing of spread

    found = safe_placement(levels, words=250, scale=ScoreScale(0, 9))

    x = np.log([[4, 100], [6, 300], [31, 200]])
    y = np.log([0.3, 0.2, 0.1])
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    slope = np.linalg.inv(z.T @ z + np.eye(2)) @ z.T @ (y - y.mean())
    target = (np.log([10, 250]) - x.mean(axis=0)) / x.std(axis=0)
    assert found.sd == pytest.approx(9 * np.exp(y.mean() + target @ slope))


def test_essays_without_words_do_not_upset_the_spread() -> None:
    levels = [PromptLevel(0.5, 0.3, 4, 0.0), PromptLevel(0.5, 0.2, 6, 300)]

    none, one = (safe_placement(levels, words=words, scale=ScoreScale(0, 9)).sd for words in (0.0, 1.0))

    assert np.isfinite(none)
    assert none == one
    more = safe_placement(levels, words=1.5, scale=ScoreScale(0, 9)).sd
    single, few = (
        safe_placement([PromptLevel(0.5, 0.3, 4, words), levels[1]], words=1.0, scale=ScoreScale(0, 9)).sd
        for words in (1.0, 1.5)
    )
    assert single == one
    assert abs(more - one) > 1e-6
    assert abs(few - one) > 1e-6


def test_more_score_points_are_expected_to_be_less_spread() -> None:
    levels = [PromptLevel(0.6, 0.25, 4, 100), PromptLevel(0.5, 0.22, 5, 120), PromptLevel(0.6, 0.12, 31, 200)]
    short = safe_placement(levels, words=100, scale=ScoreScale(0, 3))
    long = safe_placement(levels, words=200, scale=ScoreScale(0, 30))
    assert short.sd / 3 > long.sd / 30
    assert short.widened > short.sd


def test_rounding_to_half_points_needs_less_to_make_up_for() -> None:
    assert spread_before_rounding(3.0, ScoreScale(1, 6)) == pytest.approx(np.sqrt(9 + 1 / 12))
    assert spread_before_rounding(3.0, ScoreScale(1, 6, 0.5)) == pytest.approx(np.sqrt(9 + 1 / 48))


def test_ten_essays_with_words_can_be_calibrated_and_nine_cannot() -> None:
    none = np.full(12, np.nan)

    check_calibration(LEAST_POOL, none, ScoreScale(1, 6))
    check_calibration(11, none, ScoreScale(1, 6))
    with pytest.raises(InputError) as caught:
        check_calibration(9, none, ScoreScale(1, 6))
    assert str(caught.value) == (
        "9 essays with words are too few to calibrate a model: at least 10 are needed. "
        "Give more essays of the prompt, with or without scores."
    )
    with pytest.raises(InputError, match="human scores 7 are no points of the scale 1 to 6"):
        check_calibration(10, np.append(none, 7.0), ScoreScale(1, 6))


def test_without_scores_the_line_is_the_expected_one() -> None:
    line = fit_line(np.empty(0), np.empty(0), EXPECTED, width=5.0, kernel=np.empty((0, 0)))

    assert (line.intercept, line.slope, line.residual) == pytest.approx((3.0, 0.77, np.sqrt(1 - 0.77**2)))
    assert line.spread == pytest.approx(1.0)


def test_the_line_is_that_of_bayesian_regression_with_the_priors_of_the_source() -> None:
    g, scores = np.array([-1.0, 0.5, 2.0]), np.array([2.0, 4.0, 6.0])
    kernel = np.array([[1.0, 0.3, 0.0], [0.3, 1.0, 0.2], [0.0, 0.2, 1.0]])
    expected = Placement(3.0, 2.0, 2.1)

    found = fit_line(g, scores, expected, width=5.0, kernel=kernel)

    prior, doubts = np.array([3.0, 0.77 * 2]), np.diag([(0.075 * 5) ** -2, (0.35 * 2) ** -2])
    start = variance = (1 - 0.77**2) * 4
    design, inverse = np.column_stack([np.ones(3), g]), np.linalg.inv(0.3 * kernel + 0.7 * np.eye(3))
    for _ in range(3):
        gram = doubts + design.T @ inverse @ design / variance
        line = np.linalg.inv(gram) @ (doubts @ prior + design.T @ inverse @ scores / variance)
        errors = scores - design @ line
        variance = (10 * start + errors @ inverse @ errors) / 13
    assert (found.intercept, found.slope) == pytest.approx(tuple(line))
    assert found.residual == pytest.approx(np.sqrt(variance))
    assert found.spread == pytest.approx(np.sqrt(found.slope**2 + found.residual**2))


def test_the_line_moves_from_what_is_expected_to_what_is_seen() -> None:
    rng = np.random.default_rng(1)
    g = rng.normal(size=400)
    scores = 5 + 2 * g + rng.normal(size=400)
    none, few, many = (fit_line(g[:n], scores[:n], EXPECTED, width=9.0, kernel=np.eye(n)) for n in (0, 10, 400))
    assert none.intercept == 3.0
    assert none.slope < few.slope < many.slope
    assert many.intercept == pytest.approx(5.0, abs=0.2)
    assert many.slope == pytest.approx(2.0, abs=0.3)


def test_essays_that_are_alike_count_for_less_than_as_many_that_are_not() -> None:
    g, scores = np.zeros(8), np.full(8, 5.0)
    apart, alike = (fit_line(g, scores, EXPECTED, width=9.0, kernel=k) for k in (np.eye(8), np.ones((8, 8))))
    assert 3.0 < alike.intercept < apart.intercept < 5.0


def test_three_tenths_of_what_the_line_misses_count_as_signal() -> None:
    # one essay by itself: kernel 1, noise .7 / .3
    assert residual_dual(np.array([[1.0]]), np.array([2.0])).tolist() == pytest.approx([2 * 0.3])
    kernel, residuals = np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([1.0, -2.0])
    dual = residual_dual(kernel, residuals)
    assert kernel @ dual + 7 / 3 * dual == pytest.approx(residuals)
