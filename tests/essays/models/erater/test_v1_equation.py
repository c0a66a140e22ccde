"""Stepwise regression: the same choice as a plain loop over least squares, and the rules at its edges."""

import numpy as np
import pytest
from scipy.special import fdtrc

from assay.essays.models.erater.v1_equation import ENTER, LEAVE, select_stepwise


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
