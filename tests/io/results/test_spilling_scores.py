"""Scores that memory should not hold are read back as they were put there."""

import json
import pickle
import resource
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from assay.annotations.grading.graded import Batch, Graded
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import PreparedTruth, prepare_truth
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.shapes.shapes import Polygon
from assay.errors import InputError
from assay.io.annotations.files import read_annotations
from assay.io.results import spilling_scores as score_shelf
from assay.io.results.annotation_results import results_json
from assay.io.results.spilling_scores import PortableScore, SpillingScores
from assay.provenance import Provenance
from docs.examples import ROOT
from tests.io.annotations.submissions import read_submissions

MADE = Provenance("0.1", "assay annotations score", {}, 0, "2026-11-16T06:00:00+00:00")
TRIANGLE = (10, 10, 50, 10, 30, 60)
EXAMPLE = ROOT / "examples" / "annotations"


@pytest.fixture(scope="module")
def truth() -> PreparedTruth:
    return prepare_truth(read_annotations(EXAMPLE / "truth.xml"))


@pytest.fixture(scope="module")
def scores(truth: PreparedTruth) -> dict[str, SubmissionScore]:
    handed_in = read_submissions([EXAMPLE / "submissions"], like=truth.annotations)
    return {one.student: grade_submission(truth, one.annotations) for one in handed_in if one.annotations is not None}


def spilled(truth: PreparedTruth, scores: dict[str, SubmissionScore], folder: Path) -> SpillingScores:
    shelf = SpillingScores(truth, folder)
    for name, score in scores.items():
        shelf.put(name, score)
    return shelf


def test_scores_come_back_from_the_file_as_they_were(
    truth: PreparedTruth, scores: dict[str, SubmissionScore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_, last = scores
    monkeypatch.setattr(score_shelf, "MOST_IN_MEMORY", len(scores[first].submission))
    shelf = spilled(truth, scores, tmp_path / "not there yet")
    assert list(shelf) == list(scores)
    assert shelf[first] is scores[first], "the first stay in memory"
    assert shelf[last] is not shelf[last], "the others do not"
    for name in reversed(scores):
        for field in fields(SubmissionScore):
            before, after = getattr(scores[name], field.name), getattr(shelf[name], field.name)
            if isinstance(before, np.ndarray):
                np.testing.assert_array_equal(before, after)
        assert shelf[name].tally == scores[name].tally
        assert shelf[name].truth is truth.annotations
    assert not list(tmp_path.iterdir()), "nothing is left behind"


def test_results_from_the_shelf_are_the_same_bytes(
    truth: PreparedTruth, scores: dict[str, SubmissionScore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = results_json(Graded.of(Batch(truth, scores), {"zoe": "broken"}), MADE)
    monkeypatch.setattr(score_shelf, "MOST_IN_MEMORY", 0)
    again = spilled(truth, scores, tmp_path)
    assert results_json(Graded.of(Batch(truth, again), {"zoe": "broken"}), MADE) == whole


def test_the_ground_truth_does_not_travel_with_a_score(
    truth: PreparedTruth, scores: dict[str, SubmissionScore]
) -> None:
    score = next(iter(scores.values()))
    portable = PortableScore(score, truth, score.submission)
    sent = pickle.dumps(portable)
    assert not {"truth", "truth_attributes", "rubric", "submission"} & set(portable.__getstate__())
    again: PortableScore = pickle.loads(sent)
    assert again.whole(truth, score.submission).overall == score.overall
    assert portable.whole(truth) is score, "within one process nothing is rebuilt"


def test_work_in_several_files_on_resized_images_can_be_kept_and_sent(tmp_path: Path) -> None:
    whole = tmp_path / "truth.json"
    whole.write_text(json.dumps(coco({"a.png": 1, "b.png": 1}, size=100)), encoding="utf-8")
    folder = tmp_path / "class" / "mira"
    folder.mkdir(parents=True)
    for subset, image in (("train", "a.png"), ("val", "b.png")):
        file = folder / f"instances_{subset}.json"
        file.write_text(json.dumps(coco({image: 2}, size=200)), encoding="utf-8")
    drawn = read_annotations(whole)
    truth = prepare_truth(drawn, replace(suggest_rubric(drawn), resized_images="scale"))
    (mira,) = read_submissions([tmp_path / "class"], like=truth.annotations)
    assert mira.annotations is not None, mira.error
    score = grade_submission(truth, pickle.loads(pickle.dumps(mira)).annotations)
    sent: PortableScore = pickle.loads(pickle.dumps(PortableScore(score, truth)))
    again = sent.whole(truth)
    assert again.overall == score.overall == pytest.approx(100)
    for index in range(2):
        ours, theirs = truth.annotations.shape(index), again.submission.shape(index)
        assert isinstance(ours, Polygon)
        assert isinstance(theirs, Polygon)
        np.testing.assert_allclose(ours.rings[0], theirs.rings[0])


def coco(images: dict[str, int], *, size: int) -> dict[str, object]:
    """A triangle on each image, as many times as large as stated."""
    return {
        "images": [
            {"id": i, "file_name": name, "width": size, "height": size} for i, name in enumerate(images, start=1)
        ],
        "categories": [{"id": 1, "name": "sign"}],
        "annotations": [
            {
                "id": i,
                "image_id": i,
                "category_id": 1,
                "segmentation": [[10 * k, 10 * k, 50 * k, 10 * k, 30 * k, 60 * k]],
            }
            for i, k in enumerate(images.values(), start=1)
        ],
    }


def test_a_score_may_travel_on_before_it_is_whole(truth: PreparedTruth, scores: dict[str, SubmissionScore]) -> None:
    score = next(iter(scores.values()))
    first: PortableScore = pickle.loads(pickle.dumps(PortableScore(score, truth)))
    second: PortableScore = pickle.loads(pickle.dumps(first))
    assert second.whole(truth).tally == score.tally
    assert second.whole(truth).truth is truth.annotations


def test_without_room_for_scores_it_is_said(
    truth: PreparedTruth, scores: dict[str, SubmissionScore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_shelf, "MOST_IN_MEMORY", 0)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(InputError, match="no room for what is known of the submissions") as refused:
            spilled(truth, scores, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (refused.value.source, refused.value.field) == (str(tmp_path), "out")
    assert list(tmp_path.iterdir()) == []
