"""Optimal and fixed weights together: the eight steps of Attali & Burstein (2005)."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.erater.weights import Curves, FeatureWeights, fit_curves, fit_weights, worth_weights

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
    assert kept.dropped == ()


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


def test_ridge_pulls_weights_to_zero_as_so_many_essays_would() -> None:
    values, human = made()
    z, y = (values - values.mean(axis=0)) / values.std(axis=0), (human - human.mean()) / human.std()
    sign = np.array([1.0, -1.0, 1.0])

    kept = fit_weights(NAMES, values, human, keep_wrong_signs=True, ridge=50.0)
    bound = fit_weights(NAMES, values, human, ridge=50.0)

    plain = np.linalg.solve((z * sign).T @ (z * sign) + 50 * np.eye(3), (z * sign).T @ y)
    slope = kept.standardised[0] / plain[0]
    assert kept.standardised == pytest.approx(plain * sign * slope)
    assert bound.standardised == pytest.approx(kept.standardised, abs=1e-6)


def test_predictions_and_shares_take_the_mean_for_what_is_undefined() -> None:
    own = FeatureWeights(
        ("a", "b"), np.array([2.0, 4.0]), np.ones(2), np.array([1.0, -3.0]), np.array([1.0, -0.5]), 3.0, {}
    )

    assert own.predict(np.array([[1.0, 2.0], [np.nan, 2.0]])).tolist() == [3, 4]
    assert own.shares(np.array([[1.0, np.nan]])).tolist() == [[-1, 0]]
    assert own.relative.tolist() == [0.25, 0.75]
    assert own.average_score == 3 + 2 - 2
    assert own.dropped == ()


def test_what_features_are_worth_is_added_up_with_one_slope() -> None:
    rng = np.random.default_rng(2)
    worth = rng.normal(size=(100, 2))
    human = 1 + 2 * worth.sum(axis=1) + 0.1 * rng.normal(size=100)

    own = worth_weights(("a", "b"), worth, human)

    slope, intercept = np.polyfit(worth.sum(axis=1), human, 1)
    assert own.raw.tolist() == pytest.approx([slope, slope])
    assert own.intercept == pytest.approx(intercept)
    assert own.standardised == pytest.approx(slope * worth.std(axis=0) / human.std())


def test_curves_are_those_of_a_ridge_regression_on_bent_lines() -> None:
    rng = np.random.default_rng(2)
    values, human = rng.normal(5, 2, size=(60, 2)), rng.normal(size=60)

    curves = fit_curves(values, human)

    z = (values - values.mean(axis=0)) / values.std(axis=0)
    columns = np.hstack([z, *(np.maximum(z - bend, 0) for bend in (-1, 0, 1))])
    columns = columns - columns.mean(axis=0)
    pull = np.diag([10.0] * 2 + [30.0] * 6)
    slopes = np.linalg.solve(columns.T @ columns + pull, columns.T @ (human - human.mean()))
    assert curves.slopes.T.ravel() == pytest.approx(slopes)
    one = Curves(np.array([0.0]), np.array([2.0]), np.array([[1.0, 2.0, 4.0, 8.0]]))
    # at z = 2: 2 + 2 * 3 + 4 * 2 + 8 * 1, less what an average value is worth, 2 * 1
    assert one.worth(np.array([[4.0]])).tolist() == [[22.0]]


@pytest.mark.parametrize(
    ("fixed", "said"),
    [
        ({"d": 0.1}, "no feature is called 'd'. A weight can be fixed for: a, b, c."),
        ({"a": -0.1}, "the fixed weight of a is -0.1. Give a share of all weights, from 0 to 1."),
        (
            {"a": 0.5, "b": 0.3, "c": 0.1},
            "every weight is fixed, but together they make 0.9. Let the shares add up to 1.",
        ),
        ({"a": 1.0}, "fixed weights make 1 of the whole and leave nothing for the other features. Let them add up to"),
    ],
)
def test_shares_that_cannot_be_are_refused_in_words(fixed: dict[str, float], said: str) -> None:
    with pytest.raises(InputError) as caught:
        fit_weights(NAMES, *made(), fixed=fixed)
    assert str(caught.value).startswith(said)
    assert caught.value.field == "fix"


def test_features_that_say_nothing_are_named_or_dropped() -> None:
    values, human = made()
    values[:, 0] = np.nan
    with pytest.raises(InputError, match="feature a is undefined for every essay: it cannot be weighed"):
        fit_weights(NAMES, values, human)
    dropped = fit_weights(NAMES, values, human, drop_constant=True)
    assert (dropped.raw[0], dropped.sd[0]) == (0, 1)
    with pytest.raises(InputError, match="no feature goes with the human scores: every weight is zero"):
        fit_weights(("a",), np.array([[1.0], [1.0], [2.0], [2.0]]), np.array([1.0, 2.0, 1.0, 2.0]))


LEVELS = np.array([1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize(
    ("mean", "spread", "varies"),
    [(0.0, 1.5e-9, True), (0.0, 0.5e-9, False), (3.0, 2e-9, False), (-3.0, 2e-9, False), (3.0, 4e-9, True)],
)
def test_a_billionth_of_its_size_is_the_least_a_feature_must_vary_by(mean: float, spread: float, varies: bool) -> None:
    values = (mean + spread * np.array([-1.0, -1.0, 1.0, 1.0]))[:, None]

    own = fit_weights(("a", "b"), np.hstack([values, LEVELS[:, None]]), LEVELS, drop_constant=True)

    assert (own.sd[0] != 1.0) == varies
    assert (fit_curves(values, LEVELS).sd[0] > 0) == varies


def test_a_feature_that_goes_with_nothing_gets_its_fixed_share_as_more_is_better() -> None:
    values = np.column_stack([LEVELS, [1.0, -1.0, -1.0, 1.0]])

    own = fit_weights(("a", "b"), values, LEVELS, fixed={"b": 0.25})

    assert own.relative.tolist() == pytest.approx([0.75, 0.25], abs=1e-12)
    # standardised weights of 1 and 1 / 3, and the slope of the human score on their sum: 9 / 10
    assert own.standardised == pytest.approx([0.9, 0.3], abs=1e-12)
    assert own.raw == pytest.approx([0.9, 0.3 * 1.25**0.5], abs=1e-12)
    assert own.intercept == pytest.approx(2.5 - 0.9 * 2.5, abs=1e-12)


def test_weak_features_are_weighed_too() -> None:
    values = np.array([[1.0], [2.0], [1.0], [2.0], [1.0], [2.0]])
    human = np.array([1.0, 1.0, 3.0, 3.0, 1.0, 3.0])

    own = fit_weights(("a",), values, human)

    assert (own.raw[0], own.intercept) == pytest.approx((2 / 3, 1.0), abs=1e-12)
    assert own.standardised[0] == pytest.approx(1 / 3, abs=1e-12)


def test_what_a_feature_of_small_spread_is_worth_is_reckoned_by_hand() -> None:
    one = Curves(np.array([1.0]), np.array([0.5]), np.array([[1.0, 2.0, 4.0, 8.0]]))

    # at z = -2, -1, 0, 1 and 2; less what an average value is worth, 2
    expected = [-4.0, -3.0, 0.0, 7.0, 22.0]
    assert one.worth(np.array([[0.0], [0.5], [1.0], [1.5], [2.0]])).ravel().tolist() == expected
    values = np.random.default_rng(2).normal(0, 0.25, size=(30, 1))
    assert fit_curves(values, values[:, 0]).sd == pytest.approx(values.std(axis=0), abs=1e-12)
    assert fit_curves(values, values[:, 0]).slopes == pytest.approx(
        fit_curves(10 * values, values[:, 0]).slopes, abs=1e-12
    )


def test_what_does_not_vary_is_worth_nothing_or_is_refused() -> None:
    worth = np.column_stack([LEVELS, np.full(4, 2.0)])

    with pytest.raises(InputError, match="feature b is the same for every essay"):
        worth_weights(("a", "b"), worth, LEVELS)
    assert worth_weights(("a", "b"), worth, LEVELS, drop_constant=True).sd[1] == 1


def test_shares_may_miss_the_whole_by_a_millionth() -> None:
    values, human = made(40)

    for near in (0.2 + 5e-7, 0.2 - 5e-7):
        assert fit_weights(NAMES, values, human, fixed={"a": 0.5, "b": 0.3, "c": near}).dropped == ()
    for far in (0.2 + 2e-6, 0.2 - 2e-6):
        with pytest.raises(InputError, match="every weight is fixed, but together they make"):
            fit_weights(NAMES, values, human, fixed={"a": 0.5, "b": 0.3, "c": far})
