"""COCO's keypoints in stacks."""

from typing import Any

import numpy as np

from assay.io.annotations.coco.document import CocoAnnotation, WholeAnnotation
from assay.io.annotations.coco.remarks import warn_of_other_parts
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


def test_only_results_whose_flags_are_all_zero_are_marked() -> None:
    stated: tuple[list[float], ...] = ([5.0, 5, 0, 7, 0, 1], [0.0, 0, 0], [0.0, 3, 0, 9], [])
    rows = [CocoAnnotation[None](1, 1, id=i, keypoints=list(one)) for i, one in enumerate(stated)]
    tally = ProblemTally()
    mark_unflagged(rows, tally)
    assert [row.keypoints for row in rows] == [[5, 5, 0, 7, 0, 1], [0, 0, 0], [0, 3, 2, 9], []]
    assert [(problem.where, problem.count) for problem in tally.problems()] == [("annotation 2", 1)]


def test_skeletons_of_other_labels_and_lengths_lie_in_stacks_of_their_own() -> None:
    stated = [[1.0, 1, 2], [2.0, 2, 2, 3, 3, 0], [4.0, 4, 0.3], [5.0, 5, 1, 6, 6, 2], [7.0, 7, 2]]
    rows = [CocoAnnotation[None](1, 1, keypoints=one) for one in stated]
    labels = np.array([1, 0, 1, 0, 0], np.int32)
    poses = poses_of(rows, labels, [("a", "b", "c"), ("z",)], ProblemTally())
    assert poses.table.names == (("a",), ("a", "b"), ("z",))
    assert (poses.table.layout.tolist(), poses.table.row.tolist()) == ([2, 1, 2, 1, 0], [0, 0, 1, 1, 0])
    found = [poses.table.skeleton(i) for i in range(5)]
    assert [one.points.tolist() for one in found] == [[one[i : i + 2] for i in range(0, len(one), 3)] for one in stated]
    assert [one.visibility.tolist() for one in found] == [[2], [2, 0], [2], [1, 2], [2]]
    assert not found[0].points.flags.writeable
    assert poses.bounds[3].tolist() == [5, 5, 6, 6]


def test_without_keypoints_there_are_no_poses() -> None:
    poses, told = posed([], [])
    assert (len(poses.owner), len(poses.table.names), told) == (0, 0, [])


def test_what_stands_beside_keypoints_is_told() -> None:
    tally = ProblemTally()
    rows = [
        CocoAnnotation[Any](1, 1, id=8, keypoints=[1.0, 1, 2], segmentation=[[0.0, 0, 1, 0, 1, 1]]),
        CocoAnnotation[Any](1, 1, id=9, keypoints=[1.0, 1, 2, 2, 2, 2]),
        CocoAnnotation[Any](1, 1, id=10, segmentation=[[0.0, 0, 1, 0, 1, 1]]),
    ]
    labels = np.zeros(3, np.int32)
    poses = poses_of(rows, labels, [("nose",)], tally)
    warn_of_other_parts(rows, poses, np.array([1, 1, 1]), tally)
    assert [(p.what.split(":")[0], p.where, p.count) for p in tally.problems()] == [
        ("an annotation has keypoints and an outline", "annotation 8", 1),
        ("a label does not name all its keypoints", "annotation 9", 1),
    ]
