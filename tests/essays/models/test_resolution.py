"""Human scores of two and three readings, as Attali & Burstein (2005) describe them."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.resolution import (
    HumanScores,
    average_human_score,
    check_levels,
    check_on_scale,
    observed_scale,
    resolved_score,
)
from assay.scale import ScoreScale

NAN = float("nan")


@pytest.mark.parametrize(
    ("first", "second", "third", "resolved"),
    [
        (3, 3, NAN, 3),
        (3, 4, NAN, 4),  # the mean of the first two, rounded up
        (2, 4, 4, 4),  # more than one point apart: third reading and the score most similar to it
        (2, 5, 3, 3),  # mean of 3 and 2, rounded up
        (2, 6, 4, 4),  # as near to one as to the other: the third reading
        (2, 4, NAN, NAN),
        (3, NAN, NAN, 3),
    ],
)
def test_a_third_reading_resolves_two_that_differ_by_more_than_a_point(
    first: float, second: float, third: float, resolved: float
) -> None:
    found = resolved_score(np.array([float(first)]), np.array([float(second)]), np.array([float(third)]))

    assert found == pytest.approx([resolved], nan_ok=True)


def test_on_half_points_the_resolved_score_rounds_up_to_the_next_half() -> None:
    assert resolved_score(np.array([3.0]), np.array([3.5]), step=0.5).tolist() == [3.5]


def test_the_average_takes_the_first_two_readings_only() -> None:
    scores = HumanScores(np.array([2.0, 4.0]), np.array([4.0, NAN]), np.array([6.0, NAN]))

    assert scores.average().tolist() == [3.0, 4.0]
    assert average_human_score(np.array([NAN]), np.array([NAN])) == pytest.approx([NAN], nan_ok=True)


def test_a_third_score_without_a_second_is_refused() -> None:
    with pytest.raises(InputError, match="second_score"):
        HumanScores(np.array([1.0]), third=np.array([2.0]))


def test_scores_more_than_a_step_apart_need_a_third_on_any_scale() -> None:
    pairs = np.array([3.0, 3.0]), np.array([3.5, 4.0])

    assert np.isnan(resolved_score(*pairs, step=0.5)).tolist() == [False, True]
    assert resolved_score(*pairs).tolist() == [4, 4]


def test_a_mean_that_is_a_point_but_for_rounding_is_not_lifted() -> None:
    assert resolved_score(np.array([0.1 + 0.2]), np.array([0.3]), step=0.1).tolist() == [0.3]


def test_further_scores_are_needed_for_each_essay_and_kept_by_essay() -> None:
    with pytest.raises(InputError, match="expected a further score for each of 2 essays, got 1"):
        HumanScores(np.array([1.0, 2.0]), np.array([1.0]))
    both = HumanScores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 3.0]), np.array([NAN, NAN, 5.0]))
    some = both.at(np.array([2, 1]))
    assert (len(some), some.first.tolist()) == (2, [3, 2])
    assert some.second is not None
    assert some.third is not None
    assert (some.second.tolist(), some.third[0]) == ([3, 3], 5)
    assert both.resolved().tolist() == [1, 3, 3]
    with pytest.raises(ValueError, match="read-only"):
        both.first[0] = 9
    single = HumanScores(np.array([1.0, 2.0])).at(np.array([1]))
    assert (single.second, single.third, single.resolved(0.5).tolist()) == (None, None, [2])


def test_the_scale_is_the_one_the_scores_lie_on() -> None:
    assert observed_scale(np.array([1.0, 2.5, 4.0])) == ScoreScale(1, 4, 0.5)
    with pytest.raises(InputError, match=r"lie on no regular score points. Name the scale with scale, as 1-6:0.5."):
        observed_scale(np.array([1.0, 2.123]))
    with pytest.raises(InputError, match="no regular score points"):
        observed_scale(np.empty(0))
    with pytest.raises(InputError, match=r"every essay has the human score 2. A model needs essays of at least two"):
        observed_scale(np.array([2.0, 2.0]))


def test_scores_off_the_scale_are_named_five_at_most() -> None:
    check_on_scale(np.array([1.0, 3.0]), ScoreScale(1, 3))
    check_levels(np.array([1.0, 1.0, 2.0]))
    with pytest.raises(InputError) as caught:
        check_on_scale(np.array([9.0, 4, 5, 6, 7, 8, 4, 2]), ScoreScale(1, 3), "Say it with ")
    assert str(caught.value) == "human scores 4, 5, 6, 7, 8 are no points of the scale 1 to 3. Say it with scale."


@pytest.mark.parametrize("given", [1, 3])
def test_too_many_further_scores_are_refused_like_too_few(given: int) -> None:
    two, other = np.array([1.0, 2.0]), np.ones(given)

    with pytest.raises(InputError, match=f"expected a further score for each of 2 essays, got {given}"):
        HumanScores(two.copy(), other.copy())
    with pytest.raises(InputError, match=f"expected a further score for each of 2 essays, got {given}"):
        HumanScores(two.copy(), two.copy(), other)


def test_any_number_of_levels_from_two_on_will_do() -> None:
    check_levels(np.array([1.0, 2.0, 3.0, 3.0]))
    with pytest.raises(InputError, match=r"every essay has the human score 2\.5"):
        check_levels(np.array([2.5]))


def test_none_of_the_readings_can_be_written_to() -> None:
    scores = HumanScores(np.array([1.0]), np.array([3.0]), np.array([2.0]))

    for own in (scores.first, scores.second, scores.third):
        assert own is not None
        assert not own.flags.writeable
