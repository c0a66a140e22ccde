"""What reviews say: figures, bands, periods, drift, precision and what to review next."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from assay.evaluation.trust.evidence import Pairs, ReviewEvidence
from assay.evaluation.trust.judgement import (
    LEAST_IN_PART,
    by_band,
    by_period,
    drift,
    judge,
    mean_error,
    next_reviews,
    round_edges,
)
from assay.evaluation.trust.review_order import Waiting
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.scale import ScoreScale

SCALE = ScoreScale(1, 6)
RNG = np.random.default_rng(5)
HUMAN = RNG.integers(1, 7, 40).astype(float)
SYSTEM = HUMAN + RNG.normal(0, 0.5, 40)


def pairs(human: np.ndarray = HUMAN, system: np.ndarray = SYSTEM, **options: object) -> Pairs:
    n = len(human)
    values: dict[str, object] = {
        "names": tuple(f"r{i}" for i in range(n)),
        "readings": human[:, None],
        "system": system,
        "when": (None,) * n,
        "confirmed": 0,
        "groups": {"school": tuple(("East", "West")[i % 2] for i in range(n))},
        "drawn": tuple(i % 2 == 0 for i in range(n)),
    }
    return Pairs(**(values | options))  # type: ignore[arg-type]


def evidence(known: Pairs, waiting: list[float], scale: ScoreScale | None = SCALE) -> ReviewEvidence:
    system = np.array(waiting)
    return ReviewEvidence(
        scale=scale,
        pairs=known,
        names=tuple(f"w{i}" for i in range(len(waiting))),
        links=("",) * len(waiting),
        waiting=Waiting(system, system, np.full(system.size, np.nan), np.zeros(system.size, dtype=np.bool_)),
        waiting_groups={},
        sample=None,
    )


def test_the_figures_are_those_of_the_reviewed() -> None:
    judged = judge(evidence(pairs(), [2.4]), only_sample=False, figure="qwk", within=0.05)
    assert judged.evaluation is not None
    trimmed = ScoreScale(1, 6).trim(SYSTEM)
    assert judged.evaluation.figures()["qwk"] == pytest.approx(quadratic_weighted_kappa(HUMAN, trimmed))
    assert {grouping.column for grouping in judged.evaluation.groupings} == {"school"}


def test_the_random_sample_alone_can_be_judged() -> None:
    judged = judge(evidence(pairs(), []), only_sample=True, figure="qwk", within=None)
    assert len(judged.pairs) == 20
    assert judged.pairs.names[1] == "r2"


def test_with_two_reviews_there_is_a_plan_and_no_figure() -> None:
    judged = judge(evidence(pairs(HUMAN[:2], SYSTEM[:2]), []), only_sample=False, figure="qwk", within=0.1)
    assert judged.evaluation is None
    assert judged.precision.needed == 105
    assert judged.precision.more == 103


def test_more_reviews_are_needed_to_know_a_figure_more_closely() -> None:
    asked = [judge(evidence(pairs(), []), only_sample=False, figure="qwk", within=w).precision for w in (0.02, 0.01)]
    assert asked[0].needed is not None
    assert asked[1].needed is not None
    assert 40 < asked[0].needed < asked[1].needed


def test_a_shift_between_the_halves_is_drift_and_its_interval_says_so() -> None:
    shifted = SYSTEM + np.where(np.arange(40) < 20, 0.0, 1.5)
    moved = drift(pairs(system=shifted))
    error = shifted - HUMAN
    assert moved == pytest.approx(error[20:].mean() - error[:20].mean())
    assert moved.low > 0.5
    assert drift(pairs()).low < 0 < drift(pairs()).high


def test_drift_needs_enough_reviews() -> None:
    few = 2 * LEAST_IN_PART - 1
    assert drift(pairs(HUMAN[:few], SYSTEM[:few])).reason == "fewer than 16 reviews"
    assert by_period(pairs(HUMAN[:few], SYSTEM[:few])) == ()


def test_periods_are_equal_parts_in_the_order_of_the_reviews() -> None:
    assert [part.label for part in by_period(pairs())] == ["1 to 8", "9 to 16", "17 to 24", "25 to 32", "33 to 40"]
    start = datetime(2026, 3, 1, 9, tzinfo=UTC)
    dated = by_period(pairs(when=tuple(start + timedelta(days=i) for i in range(40))))
    assert dated[0].label == "1 Mar to 8 Mar"
    assert sum(part.n for part in dated) == 40


def test_bands_lie_between_round_numbers_and_hold_every_response() -> None:
    human = np.array([61.0, 66.0, 78.0, 97.3])
    bands = by_band(pairs(human, human + 2))
    assert [(band.label, band.n) for band in bands] == [("60 to 70", 2), ("70 to 80", 1), ("90 to 100", 1)]
    assert bands[0].error.value == pytest.approx(2)
    assert round_edges(np.array([3.0, 3.0])).size >= 2


def test_the_mean_error_has_the_interval_of_student() -> None:
    error = mean_error(HUMAN, SYSTEM)
    difference = SYSTEM - HUMAN
    assert error == pytest.approx(difference.mean())
    reach = 2.0226909 * difference.std(ddof=1) / np.sqrt(40)
    assert error.high - error == pytest.approx(reach, rel=1e-6)


def test_what_waits_is_ordered_by_what_it_teaches() -> None:
    known = pairs(np.full(30, 3.0), np.full(30, 3.0))
    picks = next_reviews(evidence(known, [3.0, 5.0, 3.0]), most=2)
    assert [pick.name for pick in picks] == ["w1", "w0"]
    assert picks[0].pick.why == "few"
    assert next_reviews(evidence(known, [])) == ()
