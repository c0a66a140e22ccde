"""Figures by class: counts that add up to those of the submission."""

import numpy as np
import pytest

from assay.annotations.grading.class_scores import class_scores, confusion, macro_average
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


def test_a_class_counts_its_objects_and_the_extras_that_bear_its_name() -> None:
    student = [TRUTH[0], box("a.jpg", "bus", 500, 0, 600, 100), box("b.jpg", "car", 0, 0, 100, 100)]
    car, bus = class_scores(scored(TRUTH, student))
    assert (car.label, car.tally.matched, car.tally.missed, car.tally.extra, car.named) == ("car", 1, 1, 0, 1)
    assert (bus.label, bus.tally.matched, bus.tally.missed, bus.tally.extra, bus.named) == ("bus", 1, 0, 1, 0)
    assert bus.localisation == 100


def test_class_counts_add_up_to_those_of_the_submission() -> None:
    rng = np.random.default_rng(4)
    truth = city(rng)
    result = scored(truth, careful(truth, rng))
    lines = class_scores(result)
    assert sum(line.tally.matched for line in lines) == result.tally.matched
    assert sum(line.tally.missed for line in lines) == result.tally.missed
    assert confusion(result).counts.sum() == result.tally.matched + result.tally.missed + result.tally.extra
    assert macro_average(line.tally for line in lines) == pytest.approx(result.overall, abs=5)
    assert macro_average(image.tally for image in result.image_scores()) == pytest.approx(result.overall, abs=5)
