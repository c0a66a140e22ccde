"""How sure the order of students is, in words."""

import pytest

from assay.annotations.grading.batch import RankedStudent
from assay.annotations.grading.intervals import NO_SPREAD, intervals
from assay.metrics.intervals import Estimate
from assay.report.annotations.ranking import _how_sure
from tests.annotations.drawn import annotation_set, box
from tests.report.annotations.test_report import scored

FEW = Estimate(90.0, reason="too few images")


def standings(*scores: Estimate) -> tuple[RankedStudent, ...]:
    return tuple(RankedStudent(place, f"student {place}", score) for place, score in enumerate(scores, start=1))


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ((Estimate(99.0, 98.0, 100.0), Estimate(97.0, 96.0, 98.5)), "The two intervals overlap"),
        ((Estimate(99.0, 98.0, 100.0), Estimate(97.0, 96.0, 97.5)), "the order is clear"),
        ((Estimate(100.0, reason=NO_SPREAD), Estimate(97.0, 96.0, 97.5)), "the order is clear"),
        ((Estimate(100.0, reason=NO_SPREAD), Estimate(99.0, 96.0, 100.0)), "The two intervals overlap"),
        ((Estimate(100.0, reason=NO_SPREAD), Estimate(100.0, reason=NO_SPREAD)), "All have the same score"),
        ((FEW, FEW), "too few images for intervals"),
    ],
)
def test_a_score_that_is_alike_on_all_images_is_as_sure_as_it_stands(scores: tuple[Estimate, ...], words: str) -> None:
    assert words in _how_sure(standings(*scores))


def test_a_score_that_is_alike_on_all_images_says_so_in_few_words() -> None:
    drawn = [box(f"{i}.jpg", "car", 0, 0, 10, 10) for i in range(5)]
    found = intervals(scored(annotation_set(*drawn), annotation_set(*drawn)))["overall"]
    assert (found.value, found.reason) == (100.0, "alike on all images")
