"""Every metric has words, a number format and, where one was published, a threshold."""

import pytest

from assay.evaluation.thresholds import THRESHOLDS
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.report.document.metric_words import (
    METRIC_WORDS,
    as_share,
    gap,
    gap_title,
    head,
    short,
    shown,
    source_words,
    target,
    target_words,
    verdict,
    words,
)
from tests.report.evaluation.evaluations import rich


def test_a_figure_just_below_its_threshold_does_not_read_as_equal_to_it() -> None:
    assert shown("qwk", Estimate(0.6996, 0.6, 0.8)).number.decimals == 4  # type: ignore[union-attr]
    assert shown("qwk", Estimate(0.76, 0.6, 0.8)).number.decimals == 2  # type: ignore[union-attr]


def test_per_cent_figures_become_shares_once() -> None:
    share = as_share(Estimate(47.3, 42.5, 52.2))

    assert (share.value, share.low, share.high) == pytest.approx((0.473, 0.425, 0.522))


def test_every_metric_has_words() -> None:
    evaluation = rich()

    assert {*PAIR_METRICS, *evaluation.further, *evaluation.reliability} <= set(METRIC_WORDS)
    assert {judgement.name for judgement in evaluation.judgements} <= set(METRIC_WORDS)


def test_a_threshold_of_a_percentage_is_a_share_like_its_figure() -> None:
    exact = target("exact_agreement")

    assert exact is not None
    assert exact.least is not None
    assert 0 < exact.least < 1
    assert target("kappa") is None
    assert target_words("qwk") == "at least 0.70"


def test_a_figure_is_judged_by_its_own_threshold() -> None:
    assert verdict("qwk", Estimate(0.8, 0.75, 0.85)) == "met"
    assert verdict("qwk", Estimate(0.8, 0.6, 0.9)) == "met, uncertain"
    assert verdict("qwk", Estimate(0.5, 0.4, 0.6)) == "not met"
    assert verdict("kappa", Estimate(0.5, 0.4, 0.6)) is None
    assert verdict("qwk", Estimate(reason="one response")) is None
    assert source_words(THRESHOLDS["qwk"]) == "Williamson et al. (2012)"


def test_differences_of_percentages_are_percentage_points() -> None:
    points, kappas = gap("exact_agreement", Estimate(-3.25, -5, -1)), gap("qwk", Estimate(0.04, 0.01, 0.07))

    assert (points.value, kappas.value) == (-3.25, 0.04)
    assert gap_title("exact_agreement") != METRIC_WORDS["exact_agreement"].title
    assert words(Estimate(reason="one response")) == "n/a (one response)"


def test_figures_have_short_names_for_sentences_and_heads() -> None:
    assert short("qwk") == "QWK"
    assert all(head(name) for name in METRIC_WORDS)


def test_the_digits_of_a_difference_show_that_its_interval_excludes_zero() -> None:
    assert words(gap("qwk", Estimate(0.03, 0.002, 0.05))) == "+0.030 (+0.002 to +0.050)"
    assert words(gap("qwk", Estimate(-0.03, -0.05, -0.002))) == "\u22120.030 (\u22120.050 to \u22120.002)"
    assert words(gap("qwk", Estimate(0.03, -0.002, 0.05))) == "+0.03 (0.00 to +0.05)"
