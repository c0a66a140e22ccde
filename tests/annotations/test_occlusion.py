"""CVAT keeps as a flag what its COCO export writes as an attribute; a rule about it finds it in both."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.infer import suggest_rubric
from tests.annotations.drawn import annotation_set, box

PLAIN = annotation_set(box("a.jpg", "Car", 0, 0, 100, 100), box("a.jpg", "Car", 200, 0, 300, 100))
COCO = replace(PLAIN, attributes={0: {"occluded": True}, 1: {"occluded": False}}, format="COCO")


@pytest.mark.parametrize(("flags", "attributes"), [([True, False], 100.0), ([False, False], 50.0), (None, 50.0)])
def test_a_flag_answers_a_rule_about_occlusion(flags: list[bool] | None, attributes: float) -> None:
    student = replace(PLAIN, occluded=None if flags is None else np.array(flags), format="CVAT for images")

    result = score_submission(prepare_truth(COCO), student)

    assert 100 * result.attributes.mean() == pytest.approx(attributes)


def test_a_flag_alone_makes_no_rule() -> None:
    cvat = replace(PLAIN, occluded=np.array([True, False]), format="CVAT for images")

    assert all(not label.attributes for label in suggest_rubric(cvat).labels)
    assert suggest_rubric(COCO).labels[0].attributes[0].name == "occluded"
