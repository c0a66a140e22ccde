"""Precision, recall and F-beta of annotations, rounding, and whether identities are kept along tracks."""

import numpy as np
import pytest

from assay.annotations import grading
from assay.annotations.grading.parts import f_beta, precision, recall, rounded, track_identity
from tests.frozen import comparable_arrays, mutable_dataclasses, without_slots


def test_identity_is_lost_when_two_tracks_are_swapped_halfway() -> None:
    truth = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    student = np.array([5, 6, 5, 6, 6, 5, 6, 5])
    pairs = np.arange(8), np.arange(8)
    found = track_identity(truth, student, pairs, pairs, np.repeat(np.arange(4), 2).astype(np.int32))
    assert (found.truth_tracks, found.student_tracks) == (2, 2)
    assert found.switches == 2
    assert found.idf1 == 0.5


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((2, 1, 1), (2 / 3, 2 / 3)),
        ((3, 1, 0), (1, 0.75)),
        ((0, 0, 0), (1, 1)),
        ((0, 1, 0), (0, 0)),
        ((0, 0, 1), (0, 0)),
        ((0, 2, 0), (0, 0)),
        ((0, 0, 2), (0, 0)),
    ],
)
def test_precision_and_recall_are_defined_without_annotations_or_objects(
    counts: tuple[int, int, int], expected: tuple[float, float]
) -> None:
    assert (precision(*counts), recall(*counts)) == pytest.approx(expected)


def test_f_beta_is_that_of_precision_and_recall() -> None:
    for matched, missed, extra in ((3, 1, 5), (1, 4, 0), (7, 2, 2)):
        p, r = matched / (matched + extra), matched / (matched + missed)
        for beta in (0.5, 1.0, 2.0):
            by_hand = (1 + beta**2) * p * r / (beta**2 * p + r)
            assert f_beta(matched, missed, extra, beta=beta) == pytest.approx(by_hand)
    assert f_beta(0, 0, 0, beta=0.5) == 1
    assert f_beta(0, 3, 0, beta=0.5) == 0
    assert f_beta(np.array([1.0, 0]), np.array([1.0, 0]), np.array([0.0, 0]), beta=1).tolist() == pytest.approx(
        [2 / 3, 1]
    )


def test_scores_are_shown_with_halves_up() -> None:
    assert [rounded(score) for score in (0, 0.49, 0.5, 99.5, 100)] == [0, 0, 1, 100, 100]


def test_annotations_on_no_track_are_not_counted_for_identity() -> None:
    truth, student = np.array([0, 0, -1, 3]), np.array([-1, 7, 7, 8])
    pairs = np.arange(4), np.arange(4)
    identity = track_identity(truth, student, pairs, pairs, np.arange(4, dtype=np.int32))
    assert (identity.truth_tracks, identity.student_tracks) == (2, 2)
    assert identity.idf1 == pytest.approx(2 * 2 / (3 + 3))
    assert identity.switches == 0


def test_tracks_are_paired_as_well_as_can_be_and_frames_taken_in_order() -> None:
    truth, student = np.array([0, 0, 0, 1, 1, 1]), np.array([5, 5, 6, 5, 5, 5])
    pairs = np.arange(6), np.arange(6)
    frames = np.array([0, 2, 1, 0, 1, 2], np.int32)
    identity = track_identity(truth, student, pairs, pairs, frames)
    assert identity.idf1 == pytest.approx(2 * (3 + 1) / 12)  # 1 with 5, which leaves 6 to 0
    assert identity.switches == 2  # 5, 6, 5 in the order of frames
    assert np.isnan(track_identity(-np.ones(6, int), -np.ones(6, int), pairs, pairs, frames).idf1)


def test_the_parts_of_a_score_cannot_be_changed() -> None:
    assert mutable_dataclasses(grading) == []


def test_values_with_arrays_are_compared_by_identity() -> None:
    assert comparable_arrays(grading) == []


def test_values_of_which_there_are_many_have_slots() -> None:
    assert without_slots(grading) == ["Batch", "Graded", "StudentGrade", "SubmissionScore"]


def test_pairs_name_places_of_both_sides() -> None:
    """By pair the student's tracks are 7, 8, 7 for track 3 and 5 for track 4; in the order of frames 7, 7, 8."""
    truth, student = np.array([3, 3, 3, 4]), np.array([9, 8, 5, 7, 7])
    pairs, frames = (np.arange(4), np.array([3, 1, 4, 2])), np.array([0, 2, 1, 0], np.int32)
    identity = track_identity(truth, student, pairs, pairs, frames)
    assert (identity.truth_tracks, identity.student_tracks, identity.switches) == (2, 4, 1)
    assert identity.idf1 == pytest.approx(2 * 3 / 9)
    back = track_identity(student, truth, pairs[::-1], pairs[::-1], np.arange(5, dtype=np.int32))
    assert (back.truth_tracks, back.student_tracks, back.switches) == (4, 2, 0)
    assert back.idf1 == pytest.approx(2 * 3 / 9)


def test_tracks_without_anything_in_common_keep_no_identity() -> None:
    none = (np.empty(0, np.intp), np.empty(0, np.intp))
    assert track_identity(np.array([0, 0]), np.array([1, 2]), none, none, np.arange(2, dtype=np.int32)).idf1 == 0


def test_objects_on_no_track_switch_none() -> None:
    pairs = np.arange(2), np.arange(2)
    frames = np.arange(2, dtype=np.int32)
    assert track_identity(np.array([-1, -1]), np.array([7, 8]), pairs, pairs, frames).switches == 0
