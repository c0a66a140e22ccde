"""What applies to a submission is worked out with its score, and enters results, tables and the report."""

import contextlib
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.annotations.detection_metrics.benchmarks import benchmarks_of
from assay.annotations.detection_metrics.figures import Benchmarks
from assay.annotations.grading.class_scores import counts_by_threshold
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.annotations.files import read_annotations
from assay.report.annotations.benchmark_section import benchmark_section
from tests.annotations.drawn import annotation_set, box

TRUTH = annotation_set(
    *(box(f"{frame}.jpg", "car", 10.0 * frame, 0, 10.0 * frame + 50, 50) for frame in range(3)),
    *(box(f"{frame}.jpg", "bus", 200, 0, 260, 60) for frame in range(3)),
)


def scored(submission: AnnotationSet, truth: AnnotationSet = TRUTH) -> SubmissionScore:
    return score_submission(prepare_truth(truth), submission)


def test_without_confidences_tracks_and_groups_nothing_applies() -> None:
    assert callable(benchmarks_of)
    assert scored(TRUTH).benchmarks == Benchmarks()


def test_confidences_give_average_precision() -> None:
    result = scored(replace(TRUTH, confidence=np.linspace(0.5, 1, 6)))
    detection = result.benchmarks.detection
    assert detection is not None
    assert [detection.ap, detection.ar100] == pytest.approx([1, 1])
    assert [one.label for one in detection.classes] == ["car", "bus"]


def test_tracks_give_hota_and_the_same_idf1_as_the_identity() -> None:
    tracked = replace(TRUTH, track=np.array([0, 0, 0, 1, 1, 1]))
    swapped = replace(TRUTH, track=np.array([0, 0, 1, 1, 1, 0]))
    result = scored(swapped, tracked)
    tracking = result.benchmarks.tracking
    assert tracking is not None
    assert result.tracks is not None
    assert tracking.idf1 == pytest.approx(result.tracks.idf1)
    assert tracking.switches == result.tracks.switches == 2
    assert tracking.deta == pytest.approx(1)
    assert tracking.hota < 1


def test_groups_give_conflicts() -> None:
    grouped = replace(TRUTH, group=np.array([1, 0, 0, 1, 0, 0]))
    others = replace(TRUTH, group=np.array([0, 2, 0, 0, 2, 0]))
    assert scored(grouped, grouped).benchmarks.conflicts is not None
    conflicts = scored(others, grouped).benchmarks.conflicts
    assert conflicts is not None
    assert conflicts.counts()["groups"] == 0  # a pair alone shares half of a group of two


def test_counts_by_threshold_add_up() -> None:
    student = annotation_set(box("0.jpg", "car", 0, 0, 50, 40), box("0.jpg", "car", 200, 0, 260, 60))
    rows = counts_by_threshold(scored(student))
    assert rows[0] == {"overlap": 0.5, "right": 1, "wrong_class": 1, "missed": 4, "extra": 0}
    assert rows[-1] == {"overlap": 0.9, "right": 0, "wrong_class": 1, "missed": 5, "extra": 1}


def test_the_section_says_what_applies() -> None:
    plain = benchmark_section(scored(TRUTH))
    full = benchmark_section(
        scored(
            replace(TRUTH, confidence=np.linspace(0.5, 1, 6), track=np.arange(6), group=np.zeros(6, np.int64)),
            replace(TRUTH, track=np.arange(6), group=np.ones(6, np.int64)),
        )
    )
    assert len(plain.blocks) == 2
    assert len(full.blocks) == 7


def masks_on_disk(folder: Path, seed: int) -> tuple[Path, Path]:
    """A ground truth of masks, one in eight a crowd region, and results that are near them, as COCO's files."""
    pixels, rng = pytest.importorskip("pycocotools.mask"), np.random.default_rng(seed)

    def painted(left: int, top: int, width: int, height: int) -> dict[str, Any]:
        canvas = np.zeros((60, 80), np.uint8, order="F")
        canvas[top : top + height, left : left + width] = 1
        canvas[top, left : left + width // 2] = 0
        encoded: dict[str, Any] = pixels.encode(canvas)
        return encoded | {"counts": encoded["counts"].decode()}

    truth, results = [], []
    for number in range(1, 41):
        place = [*rng.integers(0, 30, 2).tolist(), *rng.integers(8, 25, 2).tolist()]
        row = {"image_id": number % 5, "category_id": int(rng.integers(1, 4)), "segmentation": painted(*place)}
        crowd = int(rng.random() < 0.125)
        truth.append(row | {"id": number, "iscrowd": crowd, "bbox": place, "area": pixels.area(row["segmentation"])})
        for _ in range(rng.integers(0, 3)):
            moved = [max(0, p + int(rng.integers(-2, 3))) for p in place]
            results.append(row | {"segmentation": painted(*moved), "score": round(float(rng.random()), 2)})
    images = [{"id": i, "file_name": f"{i}.jpg", "width": 80, "height": 60} for i in range(5)]
    categories = [{"id": i, "name": name} for i, name in enumerate(("car", "bus", "cat"), start=1)]
    whole = {"images": images, "categories": categories, "annotations": truth}
    paths = folder / "truth.json", folder / "results.json"
    for path, content in zip(paths, (whole, results), strict=True):
        path.write_text(json.dumps(content, default=float))
    return paths


@pytest.mark.parametrize("seed", range(6))
def test_average_precision_of_masks_equals_pycocotools(seed: int, tmp_path: Path) -> None:
    coco, evaluation = (pytest.importorskip(f"pycocotools.{name}") for name in ("coco", "cocoeval"))
    paths = masks_on_disk(tmp_path, seed)
    with contextlib.redirect_stdout(io.StringIO()):
        ground = coco.COCO(str(paths[0]))
        judged = evaluation.COCOeval(ground, ground.loadRes(str(paths[1])), "segm")
        judged.evaluate()
        judged.accumulate()
        judged.summarize()
    truth = read_annotations(paths[0])
    figures = scored(read_annotations(paths[1], like=truth), truth).benchmarks.shape_detection
    assert figures is not None
    expected = judged.stats[[0, 1, 2, 8]]
    assert [figures.ap, figures.ap50, figures.ap75, figures.ar100] == pytest.approx(expected, abs=1e-9)
