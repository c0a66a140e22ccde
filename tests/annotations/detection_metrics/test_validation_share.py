"""The rest of the frames: the same mean, a wider interval."""

from math import isnan, nan

import numpy as np
import pytest

from assay.annotations.detection_metrics.validation_share import validation_share
from assay.metrics.intervals import Estimate


def test_the_interval_holds_the_mean_of_the_rest_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    hits, draws, scored, frames = 0, 600, 40, 120
    for _ in range(draws):
        scores = rng.normal(50, 10, frames)
        seen, rest = scores[:scored], scores[scored:]
        half = 1.96 * seen.std(ddof=1) / np.sqrt(scored)
        share = validation_share(scored, frames, Estimate(seen.mean(), seen.mean() - half, seen.mean() + half))
        hits += share.rest.low <= rest.mean() <= share.rest.high
    assert hits / draws == pytest.approx(0.95, abs=0.03)


def test_where_nothing_is_left_or_nothing_scored_there_is_no_estimate() -> None:
    whole = validation_share(5, 5, Estimate(70.0, 60.0, 80.0))
    assert isnan(whole.rest.value)
    assert whole.rest.reason == "every image has a ground truth"
    assert isnan(validation_share(0, 5, Estimate(nan, nan, nan)).rest.value)


def test_the_interval_stays_on_the_scale() -> None:
    rest = validation_share(10, 12, Estimate(95.0, 85.0, 100.0)).rest
    assert [rest.low, rest.high] == pytest.approx([95 - 10 * 6**0.5, 100.0])
