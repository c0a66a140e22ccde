"""Figures with their intervals over images."""

import numpy as np
import pytest

from assay.annotations.grading.graded import FIGURES, intervals
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from tests.annotations.drawn import Drawn, annotation_set, box
from tests.annotations.random_students import careful, city


def scored(truth: list[Drawn], student: list[Drawn]) -> SubmissionScore:
    images = sorted({one.image for one in truth})
    return score_submission(
        prepare_truth(annotation_set(*truth, images=images)), annotation_set(*student, images=images)
    )


TRUTH = [
    box("a.jpg", "car", 0, 0, 100, 100),
    box("a.jpg", "car", 200, 0, 300, 100),
    box("b.jpg", "bus", 0, 0, 100, 100),
]


def test_each_figure_has_an_interval_that_holds_it() -> None:
    rng = np.random.default_rng(4)
    truth = city(rng)
    result = scored(truth, careful(truth, rng))
    found = intervals(result)
    assert tuple(found) == FIGURES
    for name in ("overall", "quality", "completeness", "recall", "localisation"):
        assert found[name].low < found[name].value < found[name].high
    assert found["overall"].value == pytest.approx(result.overall)
    assert found["quality"].value == pytest.approx(result.tally.quality)


def test_the_interval_covers_the_score_on_other_images_of_the_same_kind() -> None:
    """Nominal 95 %: at least 85 of 100 submissions of one student on 15 images each."""
    rng = np.random.default_rng(8)
    truth = city(rng, images=300)
    expected = scored(truth, careful(truth, rng)).overall
    inside = 0
    for _ in range(100):
        sample = city(rng, images=15)
        found = intervals(scored(sample, careful(sample, rng)))["overall"]
        inside += found.low <= expected <= found.high
    assert inside >= 85


def test_one_image_gives_no_interval_and_says_why() -> None:
    found = intervals(scored(TRUTH[:2], TRUTH[:1]))["overall"]
    assert np.isnan(found.low)
    assert found.reason == "too few images"


def test_intervals_by_bootstrap_over_images_are_there_for_those_who_ask() -> None:
    rng = np.random.default_rng(8)
    truth = city(rng, images=60, objects=6)
    score = scored(truth, careful(truth, rng))
    plain, drawn, again = intervals(score), *(intervals(score, rng=np.random.default_rng(seed)) for seed in (1, 1))
    assert drawn == again
    for name in ("overall", "quality", "completeness", "recall"):
        assert drawn[name].value == plain[name].value
        width, other = (found[name].high - found[name].low for found in (plain, drawn))
        assert other == pytest.approx(width, rel=0.2)


def test_an_undefined_figure_has_a_reason() -> None:
    assert intervals(scored(TRUTH, []))["quality"].reason == "nothing matched"
    assert intervals(scored(TRUTH, TRUTH))["attributes"].reason == "no attribute to compare"
