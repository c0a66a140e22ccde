"""`assay.annotations` offers what grading in Python needs, and its example works."""

import assay.annotations as offered
from assay.annotations import prepare_truth, score_submission
from tests.annotations.drawn import annotation_set, box


def test_every_name_is_there_and_listed() -> None:
    assert [name for name in offered.__all__ if getattr(offered, name, None) is None] == []
    assert set(offered.__all__) <= set(dir(offered))
    assert sorted(offered.__all__) == offered.__all__


def test_a_submission_is_scored_without_files() -> None:
    truth = annotation_set(box("a.jpg", "car", 0, 0, 100, 100))
    assert score_submission(prepare_truth(truth), truth).rounded == 100
