"""Descriptives and metrics of two raters."""

from math import isnan, nan

import numpy as np
import pytest

from assay.evaluation.pair_figures import pair_figures
from assay.evaluation.result import Summary
from assay.metrics.bins import Bins
from assay.metrics.catalogue import PAIR_METRICS, RATER_METRICS
from assay.metrics.intervals import Estimate, Resampling
from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally

JACKKNIFE = Resampling.jackknife()


def blocks_of(human: Scores, system: Scores) -> PairTally:
    return PairTally.of(human, system, bins=Bins.of(np.arange(len(human)) % 499, (499,)))


def test_descriptives_are_those_of_the_scores() -> None:
    human, system = np.array([1.0, 2, 4, 4]), np.array([1.5, 2, 3, 5])
    found = pair_figures(blocks_of(human, system), JACKKNIFE)
    assert found.n == 4
    for summary, scores in ((found.first, human), (found.second, system)):
        expected = (scores.mean(), scores.std(ddof=1), scores.min(), scores.max())
        assert (summary.mean, summary.sd, summary.min, summary.max) == pytest.approx(expected)
    assert list(found.metrics) == list(PAIR_METRICS)


def test_the_spread_of_equal_scores_is_exactly_zero_and_of_one_score_undefined() -> None:
    equal = pair_figures(blocks_of(np.full(7, 0.1), np.full(7, 0.3)), JACKKNIFE)
    assert (equal.first.sd, equal.second.sd) == (0, 0)
    assert isnan(pair_figures(blocks_of(np.ones(1), np.ones(1)), JACKKNIFE).first.sd)


def test_no_responses_have_no_figures_but_a_reason() -> None:
    nobody = PairTally.of_checked(np.zeros(0), np.zeros(0), None, step=1.0, bins=Bins.of(np.zeros(0, int), (499,)))
    found = pair_figures(nobody, JACKKNIFE, RATER_METRICS)
    assert found.n == 0
    assert repr(found.first) == repr(Summary(nan, nan, nan, nan))
    assert {(e.defined, e.reason) for e in found.metrics.values()} == {(False, "no responses")}


def test_further_metrics_come_last() -> None:
    found = pair_figures(blocks_of(np.arange(5.0), np.arange(5.0)), JACKKNIFE, further={"dsm": Estimate(0.1)})
    assert list(found.metrics)[-1] == "dsm"
