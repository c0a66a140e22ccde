"""Calibrations beside scikit-learn, and their errors by hand."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.panels.calibration import (
    Fit,
    brier_score,
    cross_fitted,
    ece,
    fit_isotonic,
    fit_ordinal,
    fit_platt,
    random_folds,
    reliability_curve,
)


def test_isotonic_is_that_of_scikit_learn() -> None:
    # IsotonicRegression of scikit-learn, which clips outside of what it saw
    fit = fit_isotonic([1, 1, 2, 3, 3, 4, 5, 6, 6], [2, 1, 3, 2, 2.5, 4, 3, 5, 6], [1, 2, 1, 1, 1, 3, 1, 1, 1])

    expected = [4 / 3, 23 / 12, 2.5, 2.5, 3.125, 3.75, 5.5]
    assert fit([0, 1.5, 2, 3, 3.5, 4.5, 7]) == pytest.approx(expected, abs=1e-12)


def test_platt_is_that_of_scikit_learn() -> None:
    # scikit-learn, _SigmoidCalibration, signs turned; it stops at about 1e-7
    fit = fit_platt([0.2, 0.5, 0.1, 0.9, 0.7, 0.4, 0.8, 0.3], [0, 1, 0, 1, 1, 0, 0, 1])

    assert (fit.slope, fit.intercept) == pytest.approx((2.1298959, -1.0362259), abs=1e-6)


def test_a_perfect_judge_stays_finite() -> None:
    fit = fit_platt([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1])

    assert fit([0, 1]) == pytest.approx([0.2, 0.8], abs=1e-6)


def test_ordinal_calibration_gives_expected_levels() -> None:
    fit = fit_ordinal([1, 2, 3, 4, 5, 6, 3, 4], [1, 2, 2, 2, 3, 3, 1, 3])

    assert (np.diff(fit([0, 3, 4, 9])) > 0).all()
    assert fit([-99, 99]) == pytest.approx([1, 3], abs=1e-6)


@pytest.mark.parametrize("fit", [fit_isotonic, fit_ordinal])
def test_cross_fitting_mends_a_bent_judge_on_unseen_items(fit: Fit) -> None:
    rng = np.random.default_rng(3)
    human = rng.integers(1, 7, 600).astype(float)
    judge = 10 * np.sqrt(human) + rng.normal(0, 1, 600)
    folds = random_folds(600, 5, rng)

    calibrated = cross_fitted(fit, judge, human, folds)

    assert np.mean((calibrated - human) ** 2) < 0.6
    first = folds == 0
    learned = fit(judge[~first], human[~first], np.ones(int((~first).sum())))
    assert calibrated[first] == pytest.approx(learned(judge[first]))


def test_folds_are_even_and_enough() -> None:
    assert np.bincount(random_folds(11, 3, np.random.default_rng(1))).tolist() == [4, 4, 3]
    with pytest.raises(InputError, match="cannot be parted"):
        random_folds(3, 4, np.random.default_rng(1))
    with pytest.raises(InputError, match="2 folds for 3"):
        cross_fitted(fit_isotonic, [1, 2, 3], [1, 2, 3], [0, 1])


def test_a_calibrated_judge_lies_on_the_diagonal() -> None:
    rng = np.random.default_rng(2)
    p = rng.random(5000)
    curve = reliability_curve(p, (rng.random(5000) < p).astype(float))

    assert curve.items.sum() == 5000
    assert ((curve.low <= curve.predicted) & (curve.predicted <= curve.high)).sum() >= 9
    scores = reliability_curve([1, 2, 3, 4], [1, 3, 3, 5], classes=2)
    assert scores.observed.tolist() == [2, 4]
    assert (scores.low < scores.observed).all()


def test_brier_by_hand() -> None:
    score = brier_score([0.9, 0.2, 0.6, 0.4], [1, 0, 1, 1])

    assert score == pytest.approx((0.01 + 0.04 + 0.16 + 0.36) / 4)
    assert 0 <= score.low < score < score.high
    assert brier_score([1], [1]).reason == "too few items"


def test_ece_by_hand_and_by_chance() -> None:
    error = ece([0.05, 0.1, 0.55, 0.6, 0.95], [0, 1, 1, 0, 1])

    # classes (0, 0.1], (0.5, 0.6], (0.9, 1]
    assert error.value == pytest.approx((2 * abs(0.5 - 0.075) + 2 * abs(0.5 - 0.575) + 0.05) / 5)
    assert error.classes == 3
    rng = np.random.default_rng(5)
    p = rng.random((200, 400))
    seen = [ece(row, (rng.random(400) < row).astype(float)) for row in p]
    assert np.mean([e.value for e in seen]) == pytest.approx(np.mean([e.by_chance for e in seen]), rel=0.05)
    with pytest.raises(InputError, match="within 0 to 1"):
        ece([1.5], [1])


def test_levels_are_no_passes() -> None:
    with pytest.raises(InputError, match="a pass is 1"):
        fit_platt([1, 2, 3], [0, 1, 2])
