"""Figures against published rules of thumb."""

from math import inf, nan

import pytest

from assay.evaluation.thresholds import THRESHOLDS, Threshold, Verdict, judged
from assay.metrics.intervals import Estimate

AT_LEAST = Threshold(0.7, inf, "a paper")
WITHIN = Threshold(-0.15, 0.15, "a paper")


@pytest.mark.parametrize(
    ("threshold", "estimate", "verdict"),
    [
        (AT_LEAST, Estimate(0.8, 0.75, 0.85), "met"),
        (AT_LEAST, Estimate(0.7, 0.7, 0.85), "met"),
        (AT_LEAST, Estimate(0.8, 0.65, 0.9), "met, not certain"),
        (AT_LEAST, Estimate(0.8), "met, not certain"),
        (AT_LEAST, Estimate(0.6, 0.5, 0.75), "not met, not certain"),
        (AT_LEAST, Estimate(0.6), "not met, not certain"),
        (AT_LEAST, Estimate(0.6, 0.5, 0.65), "not met"),
        (AT_LEAST, Estimate(nan, reason="no responses"), None),
        (WITHIN, Estimate(-0.1, -0.14, 0.0), "met"),
        (WITHIN, Estimate(-0.1, -0.2, 0.0), "met, not certain"),
        (WITHIN, Estimate(0.3, 0.2, 0.4), "not met"),
        (WITHIN, Estimate(-0.3, -0.4, -0.2), "not met"),
        (WITHIN, Estimate(-0.3, -0.5, -0.1), "not met, not certain"),
    ],
)
def test_a_verdict_is_certain_only_if_the_whole_interval_agrees(
    threshold: Threshold, estimate: Estimate, verdict: Verdict | None
) -> None:
    assert threshold.verdict(estimate) == verdict


def test_thresholds_read_well() -> None:
    assert [AT_LEAST.describe(), WITHIN.describe(), Threshold(-inf, 3, "").describe()] == [
        "at least 0.7",
        "within ±0.15",
        "at most 3",
    ]


def test_every_threshold_names_its_source() -> None:
    assert all("(2012)" in t.source or "RSMTool" in t.source for t in THRESHOLDS.values())


def test_only_figures_with_a_threshold_are_judged_in_the_order_of_the_table() -> None:
    found = judged({"rmse": Estimate(1.0), "smd": Estimate(0.2, 0.16, 0.3), "qwk": Estimate(0.8, 0.75, 0.9)})
    assert [(j.name, j.verdict) for j in found] == [("qwk", "met"), ("smd", "not met")]
