"""Weights and cutoffs fitted to essays, and figures from essays they had not seen."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.cutoffs import Cutoffs, mean_sd
from assay.essays.models.erater.equation import COVERED, FOLDS, LEAST_PER_LEVEL, agreement, fit_equation, judged
from assay.essays.models.erater.model import score_table
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.train import train_model
from assay.essays.models.erater.weights import fit_curves, fit_weights, worth_weights
from assay.metrics.agreement import exact_agreement
from assay.metrics.correlation import pearson_r
from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa
from assay.scale import ScoreScale
from tests.essays.models.erater.made_essays import made_table

NAMES = ("a", "b")
SCALE = ScoreScale(1, 6)


def made(n: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, average and resolved scores."""
    rng = np.random.default_rng(4)
    ability = rng.normal(size=n)
    values = np.column_stack([ability + rng.normal(size=n), -ability + 0.5 * rng.normal(size=n)])
    average = np.clip(np.rint(2 * (3.5 + ability)) / 2, 1, 6)
    return values, average, np.ceil(average)


def unseen(values: np.ndarray, average: np.ndarray, *, fixed: dict[str, float], ridge: float) -> np.ndarray:
    """Raw scores by equations of the other nine folds."""
    fold, raw = dealt_folds(average, FOLDS), np.empty(len(values))
    for number in range(FOLDS):
        rest = fold != number
        others = fit_weights(NAMES, values[rest], average[rest], fixed=fixed, ridge=ridge)
        raw[~rest] = others.predict(values[~rest])
    return raw


def test_weights_come_from_all_essays_and_everything_else_from_essays_left_out() -> None:
    values, average, resolved = made()
    fixed = {"b": 0.3}

    found = fit_equation(NAMES, values, average, resolved, scale=SCALE, fixed=fixed, cutoffs=mean_sd, ridge=5.0)

    raw = unseen(values, average, fixed=fixed, ridge=5.0)
    cuts = mean_sd(raw, resolved, SCALE)
    assert found.weights.raw == pytest.approx(fit_weights(NAMES, values, average, fixed=fixed, ridge=5.0).raw)
    assert found.cutoffs.cuts == pytest.approx(cuts.cuts)
    assert found.percentiles == pytest.approx(np.percentile(raw, range(101)))
    assert found.agreement["r"] == pytest.approx(pearson_r(resolved, raw))
    assert found.agreement["qwk"] == pytest.approx(quadratic_weighted_kappa(resolved, cuts.assign(raw)))
    assert found.essays == 120
    assert found.curves is None


def test_curves_of_features_are_added_up_unless_a_share_is_fixed() -> None:
    values, average, resolved = made()
    curves = fit_curves(values, average)
    worth = curves.worth(values)

    free, part = (
        fit_equation(NAMES, values, average, resolved, scale=SCALE, fixed=fixed, cutoffs=mean_sd, curved=True)
        for fixed in ({}, {"a": 0.4})
    )

    assert free.curves is not None
    assert free.curves.slopes == pytest.approx(curves.slopes)
    assert free.weights.raw == pytest.approx(worth_weights(NAMES, worth, average).raw)
    assert part.weights.raw == pytest.approx(fit_weights(NAMES, worth, average, fixed={"a": 0.4}).raw)
    assert part.weights.relative[0] == pytest.approx(0.4)


def test_a_wrong_sign_is_dropped_unless_it_is_to_be_kept() -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(size=200)
    values = np.column_stack([a, a + 0.5 * rng.normal(size=200)])
    human = np.clip(np.rint(3.5 + 2 * a - 0.9 * (values[:, 1] - a)), 1, 6)

    dropped, kept = (
        fit_equation(NAMES, values, human, human, scale=SCALE, fixed={}, cutoffs=mean_sd, keep_wrong_signs=keep)
        for keep in (False, True)
    )

    assert dropped.weights.raw[1] == 0
    assert kept.weights.raw[1] < -0.3


def test_a_feature_that_varies_in_one_fold_only_does_not_stop_the_fit() -> None:
    values, average, resolved = made()
    values[:, 1] = 0
    values[7, 1] = 3.0

    found = fit_equation(NAMES, values, average, resolved, scale=SCALE, fixed={}, cutoffs=mean_sd)

    assert found.agreement["r"] > 0.5


def test_a_feature_that_never_varies_is_refused_by_name() -> None:
    values, average, resolved = made()
    values[:, 1] = 3.0

    with pytest.raises(InputError, match="feature b is the same for every essay"):
        fit_equation(NAMES, values, average, resolved, scale=SCALE, fixed={}, cutoffs=mean_sd)


def test_an_interval_covers_the_errors_of_the_essays_that_got_the_point() -> None:
    rng = np.random.default_rng(8)
    raw = np.repeat([1.0, 2.0], 60)
    resolved = raw + np.concatenate([rng.normal(0.5, 0.1, 60), rng.normal(-0.2, 0.3, 60)])

    errors = judged(raw, resolved, Cutoffs(np.array([1.0, 2.0]), np.array([1.5])))["errors"]

    for place, rows in enumerate((slice(0, 60), slice(60, 120))):
        low, high = np.percentile((resolved - raw)[rows], (5, 95))
        assert (errors.low[place], errors.high[place]) == pytest.approx((low, high))
    assert (COVERED, LEAST_PER_LEVEL) == ((5.0, 95.0), 40)


def test_a_point_with_few_essays_borrows_those_of_the_nearest_points() -> None:
    raw = np.array([1.0] * 10 + [2.0] * 35 + [3.0] * 50)
    errors = np.array([0.9] * 10 + [0.5] * 35 + [-0.5] * 50)
    cutoffs = Cutoffs(np.array([1.0, 2.0, 3.0]), np.array([1.5, 2.5]))

    band = judged(raw, raw + errors, cutoffs)["errors"]

    # 1: its 10 and the 35 of the next; 2: 35 are too few, so its neighbours join; 3: enough by itself
    assert band.low == pytest.approx([0.5, -0.5, -0.5])
    assert band.high == pytest.approx([0.9, 0.9, -0.5])


def test_exactly_forty_essays_are_enough_for_an_interval() -> None:
    raw = np.array([1.0] * 40 + [2.0] * 60)
    errors = np.array([0.1] * 40 + [0.7] * 60)

    band = judged(raw, raw + errors, Cutoffs(np.array([1.0, 2.0]), np.array([1.5])))["errors"]

    assert (band.high[0], band.low[1]) == pytest.approx((0.1, 0.7))
    few = judged(raw[1:], (raw + errors)[1:], Cutoffs(np.array([1.0, 2.0]), np.array([1.5])))["errors"]
    assert few.high[0] == pytest.approx(0.7)


def test_fewer_than_forty_essays_in_all_share_one_interval() -> None:
    raw = np.array([1.0, 1.0, 2.0, 2.0])

    band = judged(raw, raw + np.array([0.1, 0.2, 0.3, 0.4]), Cutoffs(np.array([1.0, 2.0]), np.array([1.5])))["errors"]

    assert band.low.tolist() == pytest.approx([0.115, 0.115])
    assert band.high.tolist() == pytest.approx([0.385, 0.385])


def test_a_model_reports_four_figures_on_the_points_of_its_scale() -> None:
    human, raw = np.array([1.0, 1.5, 2.0, 3.0]), np.array([1.1, 1.4, 2.2, 2.6])
    system = np.array([1.0, 1.5, 2.0, 2.5])

    found = agreement(human, raw, system, step=0.5)

    assert found == {
        "qwk": pytest.approx(quadratic_weighted_kappa(human, system)),
        "kappa": pytest.approx(cohen_kappa(2 * human, 2 * system)),
        "exact": pytest.approx(75.0),
        "r": pytest.approx(pearson_r(human, raw)),
    }
    whole = np.rint(human)
    assert agreement(whole, raw, whole)["exact"] == exact_agreement(whole, whole) == 100


def test_the_interval_holds_nine_in_ten_human_scores() -> None:
    table = made_table(1500)
    model = train_model(table.at(np.arange(1000)))
    test = table.at(np.arange(1000, 1500))

    inside = [
        score.low - 0.5 <= human <= score.high + 0.5
        for score, human in zip(score_table(test, model), test.human.first.tolist(), strict=True)
    ]

    assert np.mean(inside) > 0.85


def test_ten_folds_and_plain_least_squares_are_the_default() -> None:
    values, average, resolved = made()

    found = fit_equation(NAMES, values, average, resolved, scale=SCALE, fixed={}, cutoffs=mean_sd)

    assert FOLDS == 10
    assert found.weights.raw == pytest.approx(fit_weights(NAMES, values, average).raw, rel=1e-12)
    assert found.percentiles == pytest.approx(
        np.percentile(unseen(values, average, fixed={}, ridge=0.0), range(101)), abs=1e-12
    )
    rng = np.random.default_rng(3)
    a = rng.normal(size=200)
    turned = np.column_stack([a, a + 0.5 * rng.normal(size=200)])
    human = np.clip(np.rint(3.5 + 2 * a - 0.9 * (turned[:, 1] - a)), 1, 6)
    plain = fit_equation(NAMES, turned, human, human, scale=SCALE, fixed={}, cutoffs=mean_sd)
    assert plain.weights.raw[1] == 0
    assert plain.curves is None


def test_figures_count_whole_points_unless_told() -> None:
    human, raw = np.array([1.0, 2.0, 3.0, 4.0, 2.0]), np.array([1.1, 3.1, 3.2, 4.4, 1.9])
    cutoffs = Cutoffs(np.array([1.0, 2, 3, 4]), np.array([1.5, 2.5, 3.5]))

    found = judged(raw, human, cutoffs)["agreement"]

    system = np.array([1.0, 3.0, 3.0, 4.0, 2.0])
    assert found == agreement(human, raw, system) == agreement(human, raw, system, step=1.0)
    assert found["exact"] == 80
    assert found["kappa"] == pytest.approx(cohen_kappa(human, system), abs=1e-12)
