"""HOTA, MOTA and IDF1 equal TrackEval's, and IDF1 a search of all pairings."""

from itertools import permutations

import numpy as np
import pytest

from assay.annotations.detection_metrics.tracking import Frame, TrackingFigures, frames_of, tracking_figures

BY_TRACKEVAL = {
    0: (
        0.4176663117253,
        0.4619514561901119,
        0.37931708796743624,
        0.8200074505232786,
        1 / 6,
        0.8068518518518517,
        0.55,
        9,
    ),
    1: (
        *(0.4229809835477556, 0.44986818374500237, 0.40187396292616123, 0.7637007826943455),
        *(0.1794871794871795, 0.7538076923076924, 0.6153846153846154, 6),
    ),
    2: (
        *(0.48582959901670614, 0.5154522579232639, 0.4607262387694965, 0.7859515221747668),
        *(0.4634146341463415, 0.7326666666666667, 0.7088607594936709, 9),
    ),
    3: (
        *(0.4780516724096175, 0.4941220258549439, 0.4651663051820857, 0.7556792419772481),
        *(0.40476190476190477, 0.7141875, 0.6987951807228916, 6),
    ),
}
"""HOTA, DetA, AssA, LocA (means over the thresholds), MOTA, MOTP, IDF1, IDSW of the sequences below.

By TrackEval 1.3.0: `HOTA().eval_sequence`, `CLEAR().eval_sequence`, `Identity().eval_sequence`, same ids, similarities.
"""


def drawn(seed: int, frames: int = 12, tracks: int = 4) -> list[Frame]:
    """Tracks that come and go, swap and are called by new numbers."""
    rng = np.random.default_rng(seed)
    sequence = []
    for _ in range(frames):
        truth = [i for i in range(tracks) if rng.random() < 0.85]
        student = []
        for i in range(tracks):
            if rng.random() < 0.8:
                student.append(i if rng.random() < 0.85 else int(rng.integers(tracks, tracks + 2)))
        student = list(dict.fromkeys(student))
        similarity = np.zeros((len(truth), len(student)))
        for a, i in enumerate(truth):
            for b, j in enumerate(student):
                same = i == j or (j >= tracks and rng.random() < 0.5)
                similarity[a, b] = round(float(rng.uniform(0.4, 1) if same else rng.uniform(0, 0.3)), 3)
        sequence.append(Frame(np.array(truth, np.int64), np.array(student, np.int64), similarity))
    return sequence


def values(figures: TrackingFigures) -> list[float]:
    return [
        *(figures.hota, figures.deta, figures.assa, figures.loca),
        *(figures.mota, figures.motp, figures.idf1, figures.switches),
    ]


@pytest.mark.parametrize("seed", BY_TRACKEVAL)
def test_sequences_have_the_figures_of_trackeval(seed: int) -> None:
    assert values(tracking_figures(drawn(seed))) == pytest.approx(BY_TRACKEVAL[seed], abs=1e-12)


@pytest.mark.parametrize("seed", range(4, 8))
def test_idf1_is_the_best_of_all_pairings(seed: int) -> None:
    frames = drawn(seed, tracks=3)
    student = sorted({int(i) for frame in frames for i in frame.student})
    rows = sum(frame.truth.size + frame.student.size for frame in frames)

    def agreeing(pairing: tuple[int, ...]) -> int:
        return sum(
            int(frame.similarity[a, b] >= 0.5 and pairing[int(frame.truth[a])] == int(frame.student[b]))
            for frame in frames
            for a in range(frame.truth.size)
            for b in range(frame.student.size)
        )

    best = max(agreeing(pairing) for pairing in permutations(student, 3))
    assert tracking_figures(frames).idf1 == pytest.approx(2 * best / rows)


def test_a_sequence_against_itself_is_perfect() -> None:
    ids = np.arange(3)
    figures = tracking_figures([Frame(ids, ids, np.eye(3))] * 5)
    assert values(figures) == pytest.approx([1, 1, 1, 1, 1, 1, 1, 0])


def test_nothing_to_track_is_undefined_and_one_empty_side_is_zero() -> None:
    none = np.empty(0, np.int64)
    assert np.isnan(tracking_figures([]).hota)
    missed = tracking_figures([Frame(np.arange(2), none, np.zeros((2, 0)))])
    assert (missed.hota, missed.mota, missed.idf1) == (0, 0, 0)
    extra = tracking_figures([Frame(none, np.arange(2), np.zeros((0, 2)))])
    assert (extra.hota, extra.mota, extra.idf1) == (0, -2, 0)


def test_frames_are_made_of_columns() -> None:
    truth, student = np.array([5, -1, 5]), np.array([0, 1, 1])
    frames = frames_of(
        truth,
        student,
        (np.array([0, 0, 1]), np.array([0, 1, 1])),
        (np.array([0, 1, 2]), np.array([0, 0, 2])),
        np.array([0.9, 0.8, 0.7]),
    )
    assert [frame.truth.tolist() for frame in frames] == [[5], [5]]
    assert [frame.similarity.tolist() for frame in frames] == [[[0.9]], [[0.0, 0.7]]]
