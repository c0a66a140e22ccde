"""Optimal and fixed weights together: the eight steps of Attali & Burstein (2005)."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.erater.weights import fit_weights

NAMES = ("a", "b", "c")


def made(n: int = 400, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=n)
    values = np.column_stack(
        [ability + rng.normal(size=n), 5 - 2 * ability + rng.normal(size=n), 10 * rng.normal(size=n) + ability]
    )
    return values, 3.5 + ability + 0.3 * rng.normal(size=n)


def test_with_nothing_fixed_the_weights_are_those_of_least_squares() -> None:
    values, human = made()
    design = np.column_stack([np.ones(len(human)), values])
    expected = np.linalg.lstsq(design, human, rcond=None)[0]

    weights = fit_weights(NAMES, values, human, keep_wrong_signs=True)

    assert [weights.intercept, *weights.raw] == pytest.approx(expected)
    assert weights.predict(values) == pytest.approx(design @ expected)


def test_a_fixed_weight_has_its_share_of_the_sum_of_all() -> None:
    values, human = made()

    weights = fit_weights(NAMES, values, human, fixed={"c": 0.2})

    assert weights.relative[2] == pytest.approx(0.2)
    assert weights.relative.sum() == pytest.approx(1)


def test_two_fixed_weights_leave_the_rest_to_the_others() -> None:
    # the paper's example: shares .1 and .2 leave 70 % to the features that are estimated
    values, human = made()

    weights = fit_weights(NAMES, values, human, fixed={"b": 0.1, "c": 0.2})

    assert weights.relative.tolist() == pytest.approx([0.7, 0.1, 0.2])


def test_all_weights_may_be_fixed_and_must_then_add_up_to_one() -> None:
    values, human = made()

    weights = fit_weights(NAMES, values, human, fixed={"a": 0.5, "b": 0.3, "c": 0.2})

    assert weights.relative.tolist() == pytest.approx([0.5, 0.3, 0.2])
    with pytest.raises(InputError, match="add up to 1"):
        fit_weights(NAMES, values, human, fixed={"a": 0.5, "b": 0.3, "c": 0.1})


def test_step_8_takes_the_slope_so_that_raw_scores_have_the_mean_of_human_ones() -> None:
    values, human = made()

    raw = fit_weights(NAMES, values, human, fixed={"c": 0.2}).predict(values)

    slope = np.polyfit(raw, human, 1)[0]
    assert raw.mean() == pytest.approx(human.mean())
    assert slope == pytest.approx(1)  # with the intercept in place of the slope it would not be


def test_less_is_better_shows_as_a_weight_below_zero() -> None:
    values, human = made()

    weights = fit_weights(NAMES, values, human)

    assert weights.standardised[0] > 0 > weights.standardised[1]
    assert weights.raw[1] < 0


def test_a_feature_that_turns_against_its_own_correlation_gets_no_weight() -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(size=500)
    b = a + 0.5 * rng.normal(size=500)
    human = 2 * a - 0.7 * b  # b goes up with the score, but only because a does

    zero = fit_weights(("a", "b"), np.column_stack([a, b]), human)
    kept = fit_weights(("a", "b"), np.column_stack([a, b]), human, keep_wrong_signs=True)

    assert zero.dropped == ("b",)
    assert zero.raw[1] == 0
    assert kept.raw.tolist() == pytest.approx([2, -0.7])


def test_shares_of_features_add_up_to_the_raw_score() -> None:
    values, human = made()
    weights = fit_weights(NAMES, values, human, fixed={"c": 0.2})

    total = weights.average_score + weights.shares(values).sum(axis=1)

    assert total == pytest.approx(weights.predict(values))


def test_the_unit_of_a_feature_changes_nothing_but_its_raw_weight() -> None:
    values, human = made()
    stretched = values * [1, 100, 1] + [0, 7, 0]

    one, other = (fit_weights(NAMES, v, human, fixed={"a": 0.4}) for v in (values, stretched))

    assert other.standardised == pytest.approx(one.standardised)
    assert other.raw[1] == pytest.approx(one.raw[1] / 100)
    assert other.predict(stretched) == pytest.approx(one.predict(values))


@pytest.mark.parametrize(
    ("fixed", "said"),
    [
        ({"d": 0.1}, "no feature is called 'd'"),
        ({"a": 1.2}, "from 0 to 1"),
        ({"a": 0.5, "b": 0.5}, "leave nothing"),
    ],
)
def test_impossible_shares_are_named(fixed: dict[str, float], said: str) -> None:
    values, human = made()

    with pytest.raises(InputError, match=said):
        fit_weights(NAMES, values, human, fixed=fixed)


def test_a_constant_feature_and_equal_scores_are_named() -> None:
    values, human = made()
    values[:, 1] = 4

    with pytest.raises(InputError, match=r"b is the same for every essay.*fix b=0"):
        fit_weights(NAMES, values, human)
    with pytest.raises(InputError, match="all human scores are equal"):
        fit_weights(NAMES, made()[0], np.full(400, 3.0))
    assert fit_weights(NAMES, values, human, fixed={"b": 0.0}).raw[1] == 0
