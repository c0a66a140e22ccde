"""`ScoreScale`: what a user writes, what scores show, trimming and rounding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.scale import ScoreScale

STEPS = (1.0, 0.5, 0.25, 0.2, 0.1)


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("1-6", ScoreScale(1, 6)),
        (" 0 - 60 ", ScoreScale(0, 60)),
        ("1–4", ScoreScale(1, 4)),
        ("1 to 4", ScoreScale(1, 4)),
        ("-2..2", ScoreScale(-2, 2)),
        ("-3--1", ScoreScale(-3, -1)),
        ("0.5-3.5:0.5", ScoreScale(0.5, 3.5, 0.5)),
        ("0-1:0.1", ScoreScale(0, 1, 0.1)),
    ],
)
def test_a_scale_is_read_as_people_write_it(text: str, scale: ScoreScale) -> None:
    assert ScoreScale.parse(text) == scale


@pytest.mark.parametrize(
    "text", ["", "6", "one-six", "1-6:", "1-6:0", "6-1", "3-3", "1-inf", "nan-3", "0.5-3", "1-6:4"]
)
def test_a_scale_that_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        ScoreScale.parse(text)


def test_a_scale_off_its_steps_says_how_to_write_it() -> None:
    with pytest.raises(InputError, match=r"multiple of its step 1.*0\.5-3:0\.5"):
        ScoreScale.parse("0.5-3")


@pytest.mark.parametrize(
    ("lowest", "highest", "step"),
    [(1, 1, 1), (2, 1, 1), (np.nan, 1, 1), (0, np.inf, 1), (-np.inf, 0, 1), (0, 1, 0), (0, 1, -1), (0, 1, np.inf)],
)
def test_an_empty_or_endless_scale_cannot_exist(lowest: float, highest: float, step: float) -> None:
    with pytest.raises(InputError):
        ScoreScale(lowest, highest, step)


@pytest.mark.parametrize(
    ("scores", "scale"),
    [
        ([1, 4, 2], ScoreScale(1, 4)),
        ([1, 2.5], ScoreScale(1, 2.5, 0.5)),
        ([0.25, 2], ScoreScale(0.25, 2, 0.25)),
        ([0.2, 1.4], ScoreScale(0.2, 1.4, 0.2)),
        ([-1.1, 0.3], ScoreScale(-1.1, 0.3, 0.1)),
        ([3, 3], None),
        ([1.03, 2], None),
    ],
)
def test_the_coarsest_scale_that_fits_is_observed(scores: list[float], scale: ScoreScale | None) -> None:
    assert ScoreScale.observed(np.array(scores, dtype=float)) == scale


def test_points_run_from_the_lowest_to_the_highest_without_rounding_dirt() -> None:
    assert ScoreScale(1, 4).points().tolist() == [1, 2, 3, 4]
    assert ScoreScale(-0.3, 0.3, 0.1).points().tolist() == [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3]
    assert ScoreScale(0, 60, 0.5).points().size == 121


def test_only_points_inside_the_scale_are_held() -> None:
    scores = np.array([0.5, 1, 1.5, 3.2, 6, 6.5, 1.1 + 1.9])
    assert ScoreScale(1, 6).holds(scores).tolist() == [False, True, False, False, True, False, True]
    assert ScoreScale(1, 6, 0.5).holds(scores).tolist() == [False, True, True, False, True, False, True]


def test_trimming_leaves_a_slack_that_rounding_takes_away() -> None:
    """The slack of 0.4998 is RSMTool's; it scales with the step, so that half points land on the ends too."""
    stray = np.array([-9, 0.8, 3, 99])
    assert ScoreScale(1, 6).trim(stray).tolist() == pytest.approx([0.5002, 0.8, 3, 6.4998])
    assert ScoreScale(1, 6, 0.5).trim(stray).tolist() == pytest.approx([0.7501, 0.8, 3, 6.2499])
    assert ScoreScale(1, 6).trim(stray, 0).tolist() == [1, 1, 3, 6]


@pytest.mark.parametrize(
    ("step", "scores", "points"),
    [
        (1.0, [0.5, 1.5, 2.5, -0.5, -1.5, 2.4999], [0, 2, 2, 0, -2, 2]),
        (0.5, [1.25, 1.75, 1.3, 1.2], [1.0, 2.0, 1.5, 1.0]),
        (0.1, [0.34, 0.26], [0.3, 0.3]),
    ],
)
def test_halves_go_to_the_even_multiple_of_the_step(step: float, scores: list[float], points: list[float]) -> None:
    assert ScoreScale(-10, 10, step).round(np.array(scores)).tolist() == points


@given(st.floats(-1e3, 1e3), st.sampled_from(STEPS))
def test_a_trimmed_score_rounds_to_a_point_of_the_scale(score: float, step: float) -> None:
    scale = ScoreScale(-2, 3, step)
    rounded = scale.round(scale.trim(np.array([score])))
    assert scale.holds(rounded).all()
    assert rounded[0] in scale.points()


@given(st.lists(st.integers(-40, 40), min_size=2, max_size=20), st.sampled_from(STEPS))
def test_what_is_observed_holds_all_that_was_seen(counts: list[int], step: float) -> None:
    scores = np.array(counts) * step
    scale = ScoreScale.observed(scores)
    assert (scale is None) == (len(set(counts)) == 1)
    assert scale is None or scale.holds(scores).all()


def test_a_scale_reads_well() -> None:
    assert str(ScoreScale(1, 6)) == "1 to 6"
    assert str(ScoreScale(1, 6, 0.5)) == "1 to 6 in steps of 0.5"


def test_points_that_nobody_could_list_are_refused() -> None:
    assert ScoreScale(0, 9_999_999).points().size == 10_000_000
    with pytest.raises(InputError, match=r"from 1 to 1e\+15 by 1 has 1,000,000,000,000,000 points") as caught:
        ScoreScale(1, 1e15).points()
    assert caught.value.field == "scale"
