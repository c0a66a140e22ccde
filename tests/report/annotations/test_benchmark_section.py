"""The section of other figures: counts by threshold always, the rest where it applies."""

from dataclasses import replace

import numpy as np

from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.report.annotations.benchmark_section import benchmark_section
from assay.report.document.document import Paragraph
from tests.annotations.drawn import annotation_set, box


def test_figures_are_said_with_three_decimals_and_right_plurals() -> None:
    truth = annotation_set(box("0.jpg", "car", 0, 0, 50, 50), box("1.jpg", "car", 0, 0, 50, 50))
    tracked = replace(truth, track=np.array([0, 0]))
    student = replace(truth, track=np.array([0, 1]), confidence=np.array([0.9, 0.8]))
    section = benchmark_section(score_submission(prepare_truth(tracked), student))
    said = [str(block.spans) for block in section.blocks if isinstance(block, Paragraph)]
    assert any("Average precision of boxes (COCO) 1.000" in text for text in said)
    assert any("1 identity switch." in text for text in said)
