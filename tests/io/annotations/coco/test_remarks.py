"""What is told of shapes in columns."""

import json

from assay.io.annotations.coco.reader import read_coco
from assay.io.annotations.coco.remarks import self_intersections_of, warn_of_flat_boxes, warn_of_mask_sizes
from assay.io.annotations.columns import ProblemTally

BOW_TIE = [0, 0, 4, 4, 4, 0, 0, 4]


def document(*annotations: dict[str, object]) -> bytes:
    listed = [{"id": k, "image_id": 1, "category_id": 1, **one} for k, one in enumerate(annotations, start=7)]
    images = [{"id": 1, "file_name": "a.jpg", "width": 4, "height": 3}]
    return json.dumps({"images": images, "categories": [{"id": 1, "name": "x"}], "annotations": listed}).encode()


def test_masks_of_another_size_than_their_image_are_counted() -> None:
    sizes = ([3, 4], [3, 5], [4, 3])
    masks: list[dict[str, object]] = [{"segmentation": {"size": [h, w], "counts": [h * w - 1, 1]}} for h, w in sizes]
    tally = ProblemTally()
    warn_of_mask_sizes(read_coco(document(*masks), source="a.json"), tally)
    (problem,) = tally.problems()
    assert (problem.where, problem.count) == ("image 'a.jpg', annotation 8", 2)


def test_flat_boxes_and_crossing_outlines_are_counted() -> None:
    drawn = read_coco(document({"bbox": [1, 1, 0, 2]}, {"segmentation": [BOW_TIE]}), source="a.json")
    tally = ProblemTally()
    warn_of_flat_boxes(drawn, tally)
    warn_of_mask_sizes(drawn, tally)
    assert [(problem.where, problem.count) for problem in tally.problems()] == [("image 'a.jpg', annotation 7", 1)]
    assert [(problem.where, problem.count) for problem in self_intersections_of(drawn)] == [
        ("image 'a.jpg', annotation 8", 1)
    ]
