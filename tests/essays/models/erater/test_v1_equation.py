"""Stepwise regression: the same choice as a plain loop over least squares, and the rules at its edges."""

import numpy as np
import pytest
from scipy.special import fdtrc

from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.v1_equation import (
    ENTER,
    LEAVE,
    TYPICAL_FEATURES,
    V1_FEATURES,
    _best_to_enter,
    _p,
    _swept,
    _worst_to_leave,
    fit_v1,
    select_stepwise,
    v1_equation,
)
from assay.scale import ScoreScale


def residual(values: np.ndarray, columns: list[int], human: np.ndarray) -> float:
    design = np.column_stack([np.ones(len(human)), values[:, columns]])
    fitted = design @ np.linalg.lstsq(design, human, rcond=None)[0]
    return float(((human - fitted) ** 2).sum())


def by_plain_loop(values: np.ndarray, human: np.ndarray) -> tuple[int, ...]:
    """Efroymson's rules with a regression for every question."""
    chosen: list[int] = []
    n = len(human)
    for _ in range(200):
        before = residual(values, chosen, human)
        left = {k: residual(values, [*chosen, k], human) for k in range(values.shape[1]) if k not in chosen}
        best = min(left, key=lambda k: left[k])
        df = n - len(chosen) - 2
        if fdtrc(1, df, (before - left[best]) / (left[best] / df)) >= ENTER:
            return tuple(sorted(chosen))
        chosen.append(best)
        now = residual(values, chosen, human)
        df = n - len(chosen) - 1
        loss = {k: residual(values, [c for c in chosen if c != k], human) - now for k in chosen}
        worst = min(loss, key=lambda k: loss[k])
        if fdtrc(1, df, loss[worst] / (now / df)) > LEAVE:
            chosen.remove(worst)
    raise AssertionError("the plain loop does not end")


@pytest.mark.parametrize("seed", range(6))
def test_the_choice_is_that_of_a_plain_loop_over_least_squares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(120, 12))
    values[:, 5] = values[:, 0] + values[:, 1] + 0.3 * rng.normal(size=120)  # enters first, may have to leave
    human = values[:, 0] + values[:, 1] + 0.3 * values[:, 2] + rng.normal(size=120)

    assert select_stepwise(values, human) == by_plain_loop(values, human)


def test_a_feature_that_says_what_two_others_say_better_leaves_again() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(size=(2, 400))
    mixture = first + second + 0.5 * rng.normal(size=400)
    human = first + second + 0.2 * rng.normal(size=400)

    assert select_stepwise(np.column_stack([first, second, mixture]), human) == (0, 1)


def test_constant_and_repeated_features_do_not_enter() -> None:
    rng = np.random.default_rng(1)
    useful = rng.normal(size=80)
    values = np.column_stack([np.full(80, 0.1), useful, useful, 2 * useful + 1])

    assert len(select_stepwise(values, useful + 0.1 * rng.normal(size=80))) == 1


def test_nothing_enters_where_no_feature_goes_with_the_scores() -> None:
    values = np.tile([[1.0], [2.0]], (40, 1))

    assert select_stepwise(values, np.repeat([1.0, 2.0], 40)) == ()


def test_the_equation_of_a_prompt_is_judged_on_essays_left_out() -> None:
    rng = np.random.default_rng(0)
    human = rng.integers(1, 7, size=120).astype(float)
    values = rng.normal(size=(120, len(V1_FEATURES)))
    values[:, 0] = 50 * human + 40 * rng.normal(size=120)
    values[3, 0] = np.nan
    values[:, 7] = 4.0

    found = v1_equation(values, human, ScoreScale(1, 6))

    whole = fit_v1(values, human, ScoreScale(1, 6))
    assert found.weights.raw[list(whole.chosen)].tolist() == whole.weights.raw.tolist()
    assert np.count_nonzero(found.weights.raw) == len(whole.chosen)
    assert found.weights.intercept == whole.weights.intercept
    assert found.weights.predict(values) == pytest.approx(
        whole.raw(np.where(np.isnan(values), found.weights.mean, values))
    )
    fold, raw = dealt_folds(human, 10), np.empty(120)
    for number in range(10):
        rest = fold != number
        raw[~rest] = fit_v1(values[rest], human[rest], ScoreScale(1, 6)).raw(values[~rest])
    assert found.percentiles == pytest.approx(np.percentile(raw, range(101)))
    assert found.agreement["r"] == pytest.approx(np.corrcoef(human, raw)[0, 1])
    assert found.essays == 120
    spread = np.nanstd(values, axis=0)
    assert spread[7] == 0
    assert found.weights.sd == pytest.approx(np.where(np.arange(len(V1_FEATURES)) == 7, 1.0, spread), abs=1e-12)
    assert found.weights.mean == pytest.approx(np.nanmean(values, axis=0), abs=1e-9)
    assert found.weights.standardised[list(whole.chosen)].tolist() == whole.weights.standardised.tolist()
    filled = np.where(np.isnan(values), found.weights.mean, values)[:, whole.chosen]
    design = np.column_stack([np.ones(120), filled])
    assert whole.weights.raw == pytest.approx(np.linalg.lstsq(design, human, rcond=None)[0][1:], rel=1e-6)


def test_the_probability_of_a_gain_is_that_of_its_f() -> None:
    assert _p(4.0, 10.0, 20) == pytest.approx(fdtrc(1, 20, 8.0))
    assert _p(4.0, 0.0, 20) == 0.0
    assert _p(0.1, 0.5, 20) == pytest.approx(fdtrc(1, 20, 4.0), rel=1e-12)
    assert (ENTER, LEAVE, TYPICAL_FEATURES) == (0.05, 0.10, 8)


def test_a_perfect_feature_enters_alone_and_ends_the_search() -> None:
    values = np.random.default_rng(1).normal(size=(20, 3))

    assert select_stepwise(values, 2 * values[:, 1] + 1) == (1,)
    assert select_stepwise(values[:2], np.array([1.0, 2.0])) == ()


def test_a_sweep_enters_a_feature_and_a_second_one_takes_it_out() -> None:
    table = np.array([[1.0, 0.5, 0.8], [0.5, 1.0, 0.6], [0.8, 0.6, 1.0]])

    once = _swept(table, 0)

    assert once == pytest.approx(np.array([[1, 0.5, 0.8], [-0.5, 0.75, 0.2], [-0.8, 0.2, 0.36]]), abs=1e-12)
    assert _swept(once, 0) == pytest.approx(table, abs=1e-12)


def test_the_feature_of_the_largest_gain_enters_while_essays_are_left_for_it() -> None:
    table = np.array([[1.0, 0.5, 0.8], [0.5, 1.0, 0.9], [0.8, 0.9, 1.0]])
    both = np.array([True, True])

    assert _best_to_enter(table, both, [], 20) == 1
    assert _best_to_enter(table, np.array([True, False]), [], 20) == 0
    # gain .81 leaves .19: F = .81 / (.19 / df) has p .0145 with 4 essays left, .0994 with 2 and .2871 with 1
    assert [_best_to_enter(table, both, [], n) for n in (6, 4, 3, 2)] == [1, None, None, None]
    assert _best_to_enter(_swept(table, 1), both, [1], 5) is None
    perfect = np.array([[1.0, 1.0], [1.0, 1.0]])
    assert _best_to_enter(perfect, np.array([True]), [], 3) == 0
    assert _best_to_enter(perfect, np.array([True]), [], 2) is None
    assert _best_to_enter(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([True]), [], 30) is None


def test_the_feature_of_the_least_loss_leaves_if_it_has_become_useless() -> None:
    table = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.9], [0.2, 0.9, 1.0]])
    both = _swept(_swept(table, 0), 1)

    # the second alone leaves .19; the first takes (.2 - .45)^2 / .75 of that
    rest = 0.19 - 0.0625 / 0.75
    assert both[-1, -1] == pytest.approx(rest, abs=1e-12)
    for n in (4, 5, 6, 12):
        leaves = fdtrc(1, n - 3, (0.0625 / 0.75) / (rest / (n - 3))) > 0.10
        assert _worst_to_leave(both, [1, 0], n) == (0 if leaves else None)
    assert _worst_to_leave(both, [1, 0], 4) == 0
    assert _worst_to_leave(both, [1, 0], 3) is None
    assert _worst_to_leave(table, [], 30) is None


@pytest.mark.parametrize(("noise", "chosen"), [(0.02, (1,)), (0.05, (0, 1))])
def test_a_feature_needs_a_thousandth_of_its_variance_to_itself(noise: float, chosen: tuple[int, ...]) -> None:
    # orthogonal columns of mean 0: of the second feature noise^2 / (1 + noise^2) is its own, .0004 or .0025
    one, other, rest = np.tile([[1.0, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]], 5)
    values = np.column_stack([one, one + noise * other])

    assert select_stepwise(values, one + other + 0.01 * rest) == chosen
