"""Do the tracks of a submission keep to one object each? An extra report; it does not enter the score."""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.assignment import best_pairs


@dataclass(frozen=True, slots=True)
class TrackIdentity:
    """How well the identity of objects is kept over frames."""

    truth_tracks: int
    student_tracks: int
    idf1: float
    """2 IDTP / (annotations of both sides on tracks), 0 to 1: each object's track is paired with one track at most."""
    switches: int
    """How often the matched track of an object changes from one frame to the next frame where it is matched."""


def track_identity(
    truth_track: NDArray[np.int64],
    student_track: NDArray[np.int64],
    overlapping: tuple[NDArray[np.intp], NDArray[np.intp]],
    matched: tuple[NDArray[np.intp], NDArray[np.intp]],
    frame_of: NDArray[np.int32],
) -> TrackIdentity:
    """IDF1 and identity switches.

    `overlapping` are all pairs that reach the threshold, `matched` those that were chosen; `frame_of` gives the frame
    of each ground-truth annotation. NaN when neither side has an annotation on a track.
    Sources: Ristani et al. (2016), Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking;
    Bernardin & Stiefelhagen (2008) for switches.
    """
    truth_names, truth_number = np.unique(truth_track[truth_track >= 0], return_inverse=True)
    student_names, student_number = np.unique(student_track[student_track >= 0], return_inverse=True)
    total = truth_number.size + student_number.size
    hits = _identity_hits(truth_track, student_track, overlapping, truth_names, student_names)
    idf1 = 2 * hits / total if total else nan
    switches = _switches(truth_track, student_track, matched, frame_of)
    return TrackIdentity(truth_names.size, student_names.size, idf1, switches)


def _identity_hits(
    truth_track: NDArray[np.int64],
    student_track: NDArray[np.int64],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    truth_names: NDArray[np.int64],
    student_names: NDArray[np.int64],
) -> int:
    """Annotations that agree when tracks are paired as well as can be."""
    t, s = truth_track[pairs[0]], student_track[pairs[1]]
    both = (t >= 0) & (s >= 0)
    if not both.any():
        return 0
    rows, columns = np.searchsorted(truth_names, t[both]), np.searchsorted(student_names, s[both])
    shape = (truth_names.size, student_names.size)
    together = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1]).reshape(shape)
    return sum(int(together[pair]) for pair in best_pairs(together.astype(np.float64)))


def _switches(
    truth_track: NDArray[np.int64],
    student_track: NDArray[np.int64],
    matched: tuple[NDArray[np.intp], NDArray[np.intp]],
    frame_of: NDArray[np.int32],
) -> int:
    t, s, frame = truth_track[matched[0]], student_track[matched[1]], frame_of[matched[0]]
    both = (t >= 0) & (s >= 0)
    order = np.lexsort((frame[both], t[both]))
    t, s = t[both][order], s[both][order]
    return int(np.count_nonzero((t[1:] == t[:-1]) & (s[1:] != s[:-1])))
