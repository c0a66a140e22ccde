"""The true score, degradation and disattenuated correlation of an evaluation."""

from math import sqrt

import numpy as np
import pytest

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.evaluation.result import Evaluation
from assay.evaluation.true_scores import COMPARED, NO_SIGNAL
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale

RNG = np.random.default_rng(41)
QUALITY = RNG.normal(3.5, 1, 300)
HUMAN = np.clip(np.rint(QUALITY[:, None] + RNG.normal(0, 0.5, (300, 2))), 1, 6)
SYSTEM = QUALITY + RNG.normal(0, 0.3, 300)
SCALE = ScoreScale(1, 6)


def read_twice(times: int) -> Scores:
    human = HUMAN.copy()
    human[times:, 1] = np.nan
    return human


def evaluated(human: Scores = HUMAN, **choices: float) -> Evaluation:
    return evaluate_engine(Ratings(human, SYSTEM), Plan(SCALE, error_variance=choices.get("error_variance")))


def test_readings_are_counted_by_how_often() -> None:
    found = evaluated(read_twice(40)).readings
    assert (found.raters, found.single, found.multiple) == (2, 260, 40)


def test_every_form_has_a_true_score_figure_with_an_interval() -> None:
    found = evaluated().true_score
    assert list(found) == ["raw", "raw_trim", "raw_trim_round"]
    for figures in found.values():
        assert figures.error_variance == pytest.approx(np.mean((HUMAN[:, 0] - HUMAN[:, 1]) ** 2) / 2)
        assert figures.prmse.low < figures.prmse.value < figures.prmse.high
        assert figures.prmse.value == pytest.approx(1 - figures.mse.value / figures.true_variance)


def test_one_reading_each_gives_no_true_score_unless_the_error_is_known() -> None:
    single = HUMAN[:, :1]
    assert evaluated(single).true_score == {}
    known = evaluated(single, error_variance=0.3).true_score["raw"]
    assert known.error_variance == 0.3
    assert known.prmse.low < known.prmse.value < known.prmse.high
    perfect = evaluated(single, error_variance=0.0).true_score["raw"]
    assert perfect.true_variance == pytest.approx(HUMAN[:, 0].var(ddof=1))


def test_readings_that_hold_only_error_leave_prmse_undefined_with_a_reason() -> None:
    found = evaluated(error_variance=50.0).true_score["raw"]
    assert found.true_variance < 0
    assert (found.prmse.defined, found.prmse.reason) == (False, NO_SIGNAL)


def test_few_second_readings_widen_the_interval() -> None:
    wide, narrow = (evaluated(read_twice(k)).true_score["raw"].prmse for k in (8, 300))
    assert wide.high - wide.low > narrow.high - narrow.low


def test_a_figure_that_hangs_on_one_or_two_second_readings_has_no_interval() -> None:
    for times in (1, 2):
        found = evaluated(read_twice(times))
        assert found.true_score["raw"].prmse.reason == "too few responses"
        assert found.degradation["raw_trim"]["exact_agreement"].reason == "too few responses"


def test_degradation_is_human_system_less_human_human() -> None:
    found = evaluated(read_twice(100))
    assert found.consistency is not None
    for form, figures in found.degradation.items():
        assert tuple(figures) == COMPARED
        for name, estimate in figures.items():
            difference = found.forms[form].metrics[name].value - found.consistency.metrics[name].value
            assert estimate.value == pytest.approx(difference)
            assert estimate.low < estimate.value < estimate.high


def test_a_system_that_copies_the_second_reader_does_not_degrade() -> None:
    found = evaluate_engine(Ratings(HUMAN, HUMAN[:, 1]), Plan(SCALE)).degradation["raw_trim"]["qwk"]
    assert (found.value, found.low, found.high) == pytest.approx((0, 0, 0), abs=1e-12)


def test_the_corrected_correlation_is_r_over_the_root_of_the_raters_r() -> None:
    found = evaluated(read_twice(100)).disattenuated["raw"]
    assert found.corrected.value == pytest.approx(found.human_system / sqrt(found.human_human))
    assert found.corrected.low < found.corrected.value < found.corrected.high


def test_raters_who_disagree_leave_the_corrected_correlation_undefined() -> None:
    human = np.column_stack([HUMAN[:, 0], 7 - HUMAN[:, 0]])
    found = evaluated(human).disattenuated["raw"]
    assert found.human_human == pytest.approx(-1)
    assert (found.corrected.defined, found.corrected.reason) == (False, "the raters' own correlation is not above 0")


def test_without_a_second_reader_nothing_is_compared_with_one() -> None:
    for human in (HUMAN[:, :1], read_twice(0)):
        found = evaluated(human)
        assert (found.degradation, found.disattenuated, found.consistency) == ({}, {}, None)
        assert found.readings.multiple == 0
