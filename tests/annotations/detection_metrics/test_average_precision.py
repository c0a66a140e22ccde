"""Average precision equals pycocotools' on boxes, on random sets and on COCO's own example."""

import contextlib
import io
import json
from typing import Any

import numpy as np
import pytest

from assay.annotations.detection_metrics.average_precision import (
    DetectionFigures,
    Labeled,
    average_precision,
    box_overlaps,
)
from assay.annotations.matching.candidates import overlapping_pairs
from tests.paths import SHARED

GOLDEN = SHARED / "golden/annotations"


def by_pycocotools(images: list[int], truth: list[dict[str, Any]], results: list[dict[str, Any]], classes: int) -> Any:
    """The statistics of COCOeval and its precision at every recall."""
    coco = pytest.importorskip("pycocotools.coco")
    evaluation = pytest.importorskip("pycocotools.cocoeval")
    with contextlib.redirect_stdout(io.StringIO()):
        ground = coco.COCO()
        ground.dataset = {
            "images": [{"id": i} for i in images],
            "categories": [{"id": c, "name": str(c)} for c in range(classes)],
            "annotations": [one | {"id": i} for i, one in enumerate(truth, start=1)],
        }
        ground.createIndex()
        judged = evaluation.COCOeval(ground, ground.loadRes(results), "bbox")
        judged.evaluate()
        judged.accumulate()
        judged.summarize()
    return judged.stats, judged.eval["precision"][0, :, :, 0, -1]


def ours(truth: list[dict[str, Any]], results: list[dict[str, Any]], classes: int) -> DetectionFigures:
    def boxes(rows: list[dict[str, Any]]) -> tuple[Labeled, np.ndarray]:
        bounds = np.array([row["bbox"] for row in rows], float).reshape(-1, 4)
        bounds[:, 2:] += bounds[:, :2]
        image, label = (np.array([row[name] for row in rows], np.int64) for name in ("image_id", "category_id"))
        return Labeled(image, label), bounds

    crowd = np.array([row["iscrowd"] == 1 for row in truth], bool)
    score = np.array([row["score"] for row in results], float)
    objects, detections = boxes(truth), boxes(results)
    pairs = overlapping_pairs(objects[1], objects[0].image, detections[1], detections[0].image)
    overlaps = box_overlaps(objects, crowd, detections, pairs)
    return average_precision(objects[0], crowd, detections[0], score, overlaps, [str(c) for c in range(classes)])


def drawn(seed: int, images: int = 6, classes: int = 3) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    rng = np.random.default_rng(seed)
    truth, results = [], []
    for image in range(images):
        for _ in range(rng.integers(0, 7)):
            box = [*rng.integers(0, 60, 2).tolist(), *rng.integers(8, 30, 2).tolist()]
            label, crowd = int(rng.integers(classes)), int(rng.random() < 0.15)
            row = {"image_id": image, "category_id": label, "bbox": box, "area": box[2] * box[3], "iscrowd": crowd}
            truth.append(row)
            for _ in range(rng.integers(0, 3)):
                near = [box[i] + int(rng.integers(-3, 4)) for i in range(4)]
                other = label if rng.random() < 0.8 else int(rng.integers(classes))
                score = round(float(rng.random()), 1)  # ties on purpose
                results.append({"image_id": image, "category_id": other, "bbox": near, "score": score})
    results.append({"image_id": 0, "category_id": 0, "bbox": [200, 200, 5, 5], "score": 0.95})
    return truth, results


@pytest.mark.parametrize("seed", range(12))
def test_random_sets_with_crowds_and_ties_equal_pycocotools(seed: int) -> None:
    truth, results = drawn(seed)
    stats, precision = by_pycocotools(list(range(6)), truth, results, 3)
    figures = ours(truth, results, 3)
    assert [figures.ap, figures.ap50, figures.ap75, figures.ar100] == pytest.approx(stats[[0, 1, 2, 8]], abs=1e-9)
    with_objects = precision[:, (precision > -1).all(axis=0)]
    assert figures.curve == pytest.approx(with_objects.mean(axis=1), abs=1e-9)


@pytest.mark.skipif(not GOLDEN.exists(), reason="needs ../shared")
def test_the_example_of_the_coco_api_equals_pycocotools() -> None:
    truth = json.loads(
        (GOLDEN / "MiXaiLL76__faster_coco_eval/tests__dataset__cocoapi__instances_val2014_100.json").read_text()
    )
    listed = json.loads(
        (GOLDEN / "cocodataset__cocoapi/results__instances_val2014_fakebbox100_results.json").read_text()
    )
    code = {category["id"]: place for place, category in enumerate(truth["categories"])}
    rows = [one | {"category_id": code[one["category_id"]]} for one in truth["annotations"]]
    results = [one | {"category_id": code[one["category_id"]]} for one in listed]
    images = [image["id"] for image in truth["images"]]
    stats, _ = by_pycocotools(images, rows, results, len(code))
    figures = ours(rows, results, len(code))
    assert [figures.ap, figures.ap50, figures.ap75, figures.ar100] == pytest.approx(stats[[0, 1, 2, 8]], abs=1e-9)


def test_a_class_without_objects_has_no_precision_and_enters_no_mean() -> None:
    truth = [{"image_id": 0, "category_id": 0, "bbox": [0, 0, 10, 10], "iscrowd": 0}]
    results = [{"image_id": 0, "category_id": c, "bbox": [0, 0, 10, 10], "score": 0.9} for c in (0, 1)]
    figures = ours(truth, results, 2)
    assert figures.ap == pytest.approx(1)
    assert np.isnan(figures.classes[1].ap)
    assert (figures.classes[1].objects, figures.classes[1].detections) == (0, 1)


def test_without_objects_nothing_is_defined() -> None:
    figures = ours([], [{"image_id": 0, "category_id": 0, "bbox": [0, 0, 1, 1], "score": 1.0}], 1)
    assert np.isnan([figures.ap, figures.ap50, figures.ar100]).all()
    assert figures.curve == ()
