"""The ground truth before a submission is seen: what is to be found, and regions that do not count."""

import numpy as np
import pytest

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.matching.prepared_truth import crowd_of, inside_share, prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.shapes import Box, Mask, Points, Polygon, Shape
from tests.annotations.drawn import annotation_set, box
from tests.annotations.shape_sets import ring, set_of, square


def test_without_rules_the_truth_suggests_them() -> None:
    prepared = prepare_truth(annotation_set(box("a.jpg", "car", 0, 0, 10, 10)))

    assert [rule.name for rule in prepared.rubric.labels] == ["car"]
    assert prepared.geometry.area.tolist() == [100]


def test_crowd_regions_and_labels_that_do_not_count_need_not_be_found() -> None:
    truth = annotation_set(
        box("a.jpg", "car", 0, 0, 10, 10),
        box("a.jpg", "car", 0, 0, 90, 90, crowd=True),
        box("a.jpg", "bus", 0, 0, 10, 10),
    )

    assert prepare_truth(truth).to_be_found.tolist() == [True, False, True]
    assert prepare_truth(truth, Rubric(only_labels=("Car",))).to_be_found.tolist() == [True, False, False]
    assert prepare_truth(annotation_set(labels=["car"])).to_be_found.tolist() == []


def test_a_set_that_marks_no_crowd_has_none() -> None:
    assert crowd_of(set_of(Box(0, 0, 1, 1), Box(0, 0, 1, 1))).tolist() == [False, False]
    assert crowd_of(set_of(Box(0, 0, 1, 1), crowd=[True])).tolist() == [True]


def test_share_inside_crowd_regions_of_the_same_image() -> None:
    truth = Geometry(set_of(Box(0, 0, 10, 10), Box(0, 0, 50, 80), images=[0, 0], crowd=[False, True]))
    shapes: list[Shape] = [Box(0, 0, 10, 10), Box(40, 0, 60, 10), Polygon((square(45, 0, 10),)), Box(60, 0, 70, 10)]
    student = Geometry(set_of(*shapes, Box(0, 0, 9, 9), images=[1, 1, 1, 1, 0]))

    share = inside_share(truth, student, np.array([-1, 0], np.int32))

    assert share.tolist() == pytest.approx([1, 0.5, 0.5, 0, 0])


def test_share_inside_a_crowd_mask_counts_pixels() -> None:
    mask = Mask(0, 0, 100, 80, np.array([0, 50 * 80, 50 * 80]), by_column=True)
    truth = Geometry(set_of(mask, crowd=[True]))

    assert inside_share(truth, Geometry(set_of(Box(40, 0, 60, 10))), np.zeros(1, np.int32)).tolist() == [0.5]


def test_lines_and_points_count_by_the_box_around_them() -> None:
    truth = Geometry(set_of(Box(0, 0, 50, 80), crowd=[True]))
    student = Geometry(set_of(Points(ring((40, 0), (60, 10))), Points(ring((5, 5)))))

    assert inside_share(truth, student, np.zeros(1, np.int32)).tolist() == [0.5, 0]
