"""Calibration is taken only where it helps."""

import numpy as np

from assay.essays.models.calibrated.choice import calibration_helps, left_out_points

HUMAN = np.array([1.0, 2, 3, 4, 5, 6, 2, 3, 4, 3, 3, 4])


def test_a_clear_gain_is_taken_and_a_loss_is_not() -> None:
    assert calibration_helps(HUMAN, HUMAN + 1, HUMAN)
    assert not calibration_helps(HUMAN, HUMAN, HUMAN + 1)
    assert not calibration_helps(HUMAN, HUMAN, HUMAN)


def test_a_gain_by_chance_is_not_taken() -> None:
    after, before = HUMAN.copy(), HUMAN.copy()
    before[0] += 1
    assert not calibration_helps(HUMAN, before, after)


def test_less_exact_agreement_or_too_wide_a_spread_is_not_taken() -> None:
    wide = HUMAN.mean() + 1.4 * (HUMAN - HUMAN.mean())
    assert not calibration_helps(HUMAN, HUMAN + 1, wide)


def test_each_essay_is_scored_by_a_calibration_that_did_not_see_its_score() -> None:
    scores = np.array([np.nan, *HUMAN, np.nan])
    seen: list[np.ndarray] = []

    def calibrated(known: np.ndarray) -> np.ndarray:
        seen.append(known)
        return np.where(np.isfinite(known), -1.0, 7.0)

    assert left_out_points(calibrated, scores).tolist() == [7.0] * len(HUMAN)
    assert all(np.isnan(known).sum() > 2 for known in seen)
