"""The six forms of a system score."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.score_variants import Scaling, score_forms
from assay.scale import ScoreScale

RAW = np.array([-3, 1.4, 2.5, 9])


def test_without_a_scale_there_is_only_the_raw_score() -> None:
    assert list(score_forms(RAW, scale=None)) == ["raw"]


def test_a_scale_adds_the_trimmed_and_the_rounded_score() -> None:
    forms = score_forms(RAW, scale=ScoreScale(1, 4))
    assert list(forms) == ["raw", "raw_trim", "raw_trim_round"]
    assert forms["raw_trim"].tolist() == pytest.approx([0.5002, 1.4, 2.5, 4.4998])
    assert forms["raw_trim_round"].tolist() == [1, 1, 2, 4]


def test_scaling_adds_three_more_forms() -> None:
    scaling = Scaling(system_mean=2, system_sd=0.5, human_mean=3, human_sd=1)
    forms = score_forms(RAW, scale=ScoreScale(1, 4), scaling=scaling)
    assert list(forms)[3:] == ["scale", "scale_trim", "scale_trim_round"]
    assert forms["scale"].tolist() == pytest.approx([-7, 1.8, 4, 17])
    assert forms["scale_trim_round"].tolist() == [1, 2, 4, 4]


def test_the_first_form_may_have_another_name_and_the_trim_another_tolerance() -> None:
    forms = score_forms(RAW, scale=ScoreScale(1, 4), tolerance=0, name="scale")
    assert list(forms) == ["scale", "scale_trim", "scale_trim_round"]
    assert forms["scale_trim"].tolist() == [1, 1.4, 2.5, 4]


def test_scaled_training_scores_have_the_mean_and_spread_of_the_human_ones() -> None:
    human, system = np.array([1.0, 2, 4, 5]), np.array([2.0, 2.1, 2.4, 2.9])
    scaled = Scaling.learned(human, system).apply(system)
    assert (scaled.mean(), scaled.std(ddof=1)) == pytest.approx((human.mean(), human.std(ddof=1)))


@pytest.mark.parametrize(("human", "system"), [([1], [2]), ([1, 2], [3, 3])])
def test_nothing_can_be_learned_from_one_response_or_equal_predictions(human: list[float], system: list[float]) -> None:
    with pytest.raises(InputError, match="training predictions"):
        Scaling.learned(np.array(human, dtype=float), np.array(system, dtype=float))


def test_the_line_is_learned_from_means_and_sds_over_n_less_one() -> None:
    """Two responses are enough: sds of sqrt(2) and 3 sqrt(2)."""
    line = Scaling.learned(np.array([1.0, 7]), np.array([2.0, 4]))
    assert (line.system_mean, line.human_mean) == (3, 4)
    assert (line.system_sd, line.human_sd) == pytest.approx((2**0.5, 18**0.5))
    assert line.apply(np.array([2.0, 3, 5])).tolist() == pytest.approx([1, 4, 10])


def test_human_scores_that_are_all_equal_make_a_flat_line() -> None:
    assert Scaling.learned(np.array([3.0, 3]), np.array([1.0, 2])).apply(np.array([0.0, 9])).tolist() == [3, 3]


def test_without_points_a_scaled_score_is_neither_trimmed_nor_rounded() -> None:
    forms = score_forms(RAW, scale=None, scaling=Scaling(0, 1, 10, 2), name="engine")
    assert {name: scores.tolist() for name, scores in forms.items()} == {
        "engine": RAW.tolist(),
        "scale": pytest.approx([4, 12.8, 15, 28]),
    }
