"""COCO's keypoints in stacks."""

import numpy as np

from assay.io.annotations.coco.document import CocoAnnotation, WholeAnnotation
from assay.io.annotations.coco.shapes import Poses, mark_unflagged, poses_of
from assay.io.annotations.columns import ProblemTally


def posed(*keypoints: list[float]) -> tuple[Poses, list[str]]:
    tally = ProblemTally()
    rows = [CocoAnnotation[None](1, 1, keypoints=stated) for stated in keypoints]
    poses = poses_of(rows, np.zeros(len(rows), np.int32), [("nose",)], tally)
    return poses, [problem.what for problem in tally.problems()]


def test_points_are_named_by_the_label_and_then_by_number() -> None:
    poses, told = posed([1, 2, 2, 3, 4, 1], [], [5, 6, 2])
    assert (poses.owner.tolist(), told) == ([0, 2], [])
    first, second = poses.table.skeleton(0), poses.table.skeleton(1)
    assert (first.names, second.names) == (("nose", "2"), ("nose",))
    assert (first.points.tolist(), first.visibility.tolist()) == ([[1, 2], [3, 4]], [2, 1])


def test_bounds_are_those_of_labelled_points_or_of_all_where_none_is() -> None:
    poses, _ = posed([1, 2, 2, 30, 40, 0], [1, 2, 0, 3, 4, 0])
    assert poses.bounds.tolist() == [[1, 2, 1, 2], [1, 2, 3, 4]]
    assert poses.labelled.tolist() == [True, False]


def test_half_points_and_far_points_are_left_aside_and_told() -> None:
    poses, told = posed([1, 2], [1e9, 0, 2], [1, 2, 2])
    assert poses.owner.tolist() == [2]
    assert told == [
        "keypoints are not triples x, y, v: they were left aside",
        "a keypoint lies beyond 10000000: left aside",
    ]


def test_feet_face_and_hands_follow_the_body() -> None:
    row = WholeAnnotation[None](1, 1, keypoints=[1, 1, 2], foot_kpts=[2, 2, 2], lefthand_kpts=[3, 3, 2])
    poses = poses_of([row], np.zeros(1, np.int32), [()], ProblemTally())
    assert poses.table.skeleton(0).points.tolist() == [[1, 1], [2, 2], [3, 3]]


def test_results_without_visibility_are_visible_where_they_lie() -> None:
    rows = [CocoAnnotation[None](1, 1, keypoints=[5.0, 5.0, 0.0, 0.0, 0.0, 0.0])]
    tally = ProblemTally()
    mark_unflagged(rows, tally)
    assert rows[0].keypoints == [5, 5, 2, 0, 0, 0]
    assert len(tally.problems()) == 1
