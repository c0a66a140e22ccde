"""Whether identities are kept along tracks."""

import numpy as np

from assay.annotations.grading.parts import track_identity


def test_identity_is_lost_when_two_tracks_are_swapped_halfway() -> None:
    truth = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    student = np.array([5, 6, 5, 6, 6, 5, 6, 5])
    pairs = np.arange(8), np.arange(8)
    found = track_identity(truth, student, pairs, pairs, np.repeat(np.arange(4), 2).astype(np.int32))
    assert (found.truth_tracks, found.student_tracks) == (2, 2)
    assert found.switches == 2
    assert found.idf1 == 0.5
