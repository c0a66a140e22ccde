"""Human scores of two and three readings, as Attali & Burstein (2005) describe them."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.resolution import HumanScores, average_human_score, resolved_score

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
