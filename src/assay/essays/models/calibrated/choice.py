"""Whether calibration helps: judged by cross-validation on the very essays that were scored for it.

A few scored essays can place a model worse than it was. So each of them gets a score by a calibration that had not seen
its own, and calibration is taken only where it brings scores nearer to the human ones by more than chance would, costs
no exact agreement, and moves mean and spread of the scores no further from those of people.
"""

from collections.abc import Callable

import numpy as np

from assay.essays.models.arrays import Floats
from assay.essays.models.erater.prompt_vocabulary import dealt_folds

FOLDS = 10
LEAST_SCORED = 10
"""Scored essays below which cross-validation says nothing, and calibration is taken as it is."""
LEAST_GAIN = 1.645
"""Standard errors by which squared errors must fall: one draw in twenty does so by chance."""
SLACK = 0.1
"""How much further mean or spread may be from those of people, in score points."""


def unhelpful(scored: int, essays: int) -> str:
    """What is noted of a model that was left as it was."""
    return (
        f"calibration with {scored} scored essays among {essays} did not help, by cross-validation on them: "
        "the model is as it was"
    )


def left_out_points(calibrated: Callable[[Floats], Floats], scores: Floats) -> Floats:
    """(scored essays,): the point each gets from a calibration without its score.

    `calibrated` takes scores, NaN where unknown, and gives the points of all essays.
    """
    scored = np.flatnonzero(np.isfinite(scores))
    fold, points = dealt_folds(scores[scored], FOLDS), np.empty(len(scored))
    for number in range(FOLDS):
        own = scored[fold == number]
        if len(own):
            masked = scores.copy()
            masked[own] = np.nan
            points[fold == number] = calibrated(masked)[own]
    return points


def calibration_helps(human: Floats, before: Floats, after: Floats) -> bool:
    """Whether points `after` calibration, each left out, are to be had rather than those `before`.

    >>> human = np.array([1.0, 2, 3, 4, 2, 3, 1, 4, 3, 2])
    >>> calibration_helps(human, human + 1, human), calibration_helps(human, human, human + 1)
    (True, False)
    """
    gain = (before - human) ** 2 - (after - human) ** 2
    error = float(gain.std()) / np.sqrt(len(gain))
    no_less_exact = float((after == human).mean()) >= float((before == human).mean())
    level = abs(after.mean() - human.mean()) <= abs(before.mean() - human.mean()) + SLACK
    spread = abs(after.std() - human.std()) <= abs(before.std() - human.std()) + SLACK
    return bool(gain.mean() > 0 and gain.mean() >= LEAST_GAIN * error and no_less_exact and level and spread)
