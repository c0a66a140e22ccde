"""Every metric by name, with its interval."""

import numpy as np
import pytest

from assay.metrics.bins import Bins
from assay.metrics.catalogue import PAIR_METRICS, RATER_METRICS, estimates
from assay.metrics.intervals import EVEN_SCALES, Resampling
from assay.metrics.tally import PairTally

RNG = np.random.default_rng(12)
HUMAN = RNG.integers(1, 7, 80).astype(float)
SYSTEM = np.clip(HUMAN + RNG.integers(-1, 2, 80), 1, 6)
BLOCKS = PairTally.of(HUMAN, SYSTEM, bins=Bins.of(np.arange(80), (80,)))


def test_every_metric_has_a_scale_for_its_interval_and_a_title_of_its_own() -> None:
    for table in (PAIR_METRICS, RATER_METRICS):
        assert {m.even for m in table.values()} <= {*EVEN_SCALES, "share"}
        assert len({m.title for m in table.values()}) == len(table)


def test_metrics_on_points_are_kappas_and_shares() -> None:
    on_points = {name for name, metric in PAIR_METRICS.items() if metric.on_points}
    assert on_points == {"kappa", "linear_kappa", "exact_agreement", "adjacent_agreement"}


def test_two_humans_are_compared_with_a_pooled_smd() -> None:
    assert RATER_METRICS["smd"].metric(HUMAN, SYSTEM) != pytest.approx(PAIR_METRICS["smd"].metric(HUMAN, SYSTEM))
    assert set(RATER_METRICS) < set(PAIR_METRICS)


@pytest.mark.parametrize("name", PAIR_METRICS)
def test_an_estimate_is_the_metric_within_its_interval(name: str) -> None:
    found = estimates(BLOCKS, Resampling.jackknife())[name]
    assert found.value == pytest.approx(PAIR_METRICS[name].metric(HUMAN, SYSTEM))
    assert found.low <= found.value <= found.high
    assert found.low < found.high


def test_only_the_metrics_asked_for_are_computed_in_their_order() -> None:
    asked = {name: PAIR_METRICS[name] for name in ("rmse", "r")}
    assert list(estimates(BLOCKS, Resampling.jackknife(), asked)) == ["rmse", "r"]


@pytest.mark.parametrize("name", PAIR_METRICS)
@pytest.mark.parametrize(
    ("human", "system"),
    [
        ([3], [4]),
        ([3, 3], [3, 3]),
        ([1, 2], [2, 2]),
        ([2, 2, 2], [1, 2, 3]),
        ([-1e6, 1e6, 0], [0, 1, 2]),
        ([0.1], [0.1]),
    ],
)
def test_no_sample_is_too_small_or_odd_to_answer(name: str, human: list[float], system: list[float]) -> None:
    """Undefined figures say why; nothing warns, nothing is infinite."""
    blocks = PairTally.of(human, system, bins=Bins.of(np.arange(len(human)), (len(human),)))
    found = estimates(blocks, Resampling.jackknife())[name]
    assert found.defined or (np.isnan(found.value) and found.reason)
    assert not np.isinf([found.value, found.low, found.high]).any()
    assert np.isfinite(found.low) or found.reason


def test_every_scale_is_the_one_its_figure_varies_evenly_on() -> None:
    scales = {name: metric.even for name, metric in PAIR_METRICS.items()}
    assert scales == {
        **dict.fromkeys(("r", "qwk", "kappa", "linear_kappa"), "fisher"),
        **dict.fromkeys(("mse", "rmse", "mae"), "log"),
        **dict.fromkeys(("exact_agreement", "adjacent_agreement"), "share"),
        "r2": "log of rest",
        "smd": "same",
    }
    assert list(RATER_METRICS) == ["r", "qwk", "kappa", "linear_kappa", "exact_agreement", "adjacent_agreement", "smd"]
    assert RATER_METRICS["smd"].even == "same"


def test_a_zero_that_only_says_that_a_rater_never_varies_has_no_interval() -> None:
    """QWK is 0 whatever is left out when the human scores are all equal: that is no certainty."""
    human, system = np.full(8, 3.0), np.array([1.0, 2, 3, 4, 5, 3, 2, 4])
    blocks = PairTally.of(human, system, bins=Bins.of(np.arange(8), (8,)))
    found = estimates(blocks, Resampling.jackknife())["qwk"]
    assert found.value == pytest.approx(0, abs=1e-12)
    assert (found.has_interval, found.reason) == (False, "all human scores are equal")


def test_figures_that_vary_keep_their_interval_though_a_rater_does_not() -> None:
    human, system = np.full(8, 3.0), np.array([1.0, 2, 3, 4, 5, 3, 2, 4])
    blocks = PairTally.of(human, system, bins=Bins.of(np.arange(8), (8,)))
    found = estimates(blocks, Resampling.jackknife())
    assert found["mae"].has_interval
    assert found["exact_agreement"].has_interval
    assert np.isnan(found["r"].value)
