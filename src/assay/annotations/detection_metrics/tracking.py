"""How well tracks are kept: HOTA, MOTA and IDF1, beside the score.

Sources: Luiten et al. (2021), HOTA: A Higher Order Metric for Evaluating Multi-Object Tracking; Bernardin and
Stiefelhagen (2008), CLEAR MOT; Ristani et al. (2016) for IDF1; TrackEval for the details: HOTA matches by similarity
times how well two tracks go together, CLEAR keeps the pairs of the last frame. Labels play no part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.assignment import best_pairs as assigned
from assay.metrics.pairs import Scores

EPS = np.finfo(float).eps
ALPHAS = np.arange(0.05, 0.99, 0.05)
"""The thresholds over which HOTA is the mean: 0.05 to 0.95."""
Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """The tracks that appear on one frame on either side, by number, and their similarities: (truth, student)."""

    truth: Ids
    student: Ids
    similarity: Scores


@dataclass(frozen=True, slots=True)
class TrackingFigures:
    """Figures from 0 to 1; MOTA may be negative. NaN where there is nothing to track."""

    hota: float
    deta: float
    """Detection accuracy."""
    assa: float
    """Association accuracy."""
    loca: float
    """Mean similarity of what is matched."""
    mota: float
    motp: float
    idf1: float
    switches: int
    """How often the track of an object changes (CLEAR)."""


def tracking_figures(frames: Sequence[Frame], *, least: float = 0.5) -> TrackingFigures:
    """The figures of one sequence; `least` is the similarity a pair needs in CLEAR and IDF1.

    NaN when neither side has a track; 0 when only one side has.
    """
    truth = np.concatenate([frame.truth for frame in frames]) if frames else np.empty(0, np.int64)
    student = np.concatenate([frame.student for frame in frames]) if frames else np.empty(0, np.int64)
    if not truth.size and not student.size:
        return TrackingFigures(nan, nan, nan, nan, nan, nan, nan, 0)
    sides = [np.unique(side) for side in (truth, student)]
    numbered = [
        Frame(np.searchsorted(sides[0], f.truth), np.searchsorted(sides[1], f.student), f.similarity) for f in frames
    ]
    counts = [
        np.bincount(np.searchsorted(side, all_), minlength=side.size)
        for side, all_ in zip(sides, (truth, student), strict=True)
    ]
    hota = _hota(numbered, counts[0], counts[1])
    mota, motp, switches = _clear(numbered, sides[0].size, least)
    return TrackingFigures(*hota, mota, motp, _idf1(numbered, counts[0], counts[1], least), switches)


def _pairs(gain: Scores) -> list[tuple[int, int]]:
    return assigned(gain) if gain.size else []


def _hota(frames: Sequence[Frame], truth_count: Ids, student_count: Ids) -> tuple[float, float, float, float]:
    """HOTA, DetA, AssA, LocA, each the mean over the thresholds."""
    together = np.zeros((truth_count.size, student_count.size))
    for frame in frames:
        similarity = frame.similarity
        whole = similarity.sum(axis=0)[None, :] + similarity.sum(axis=1)[:, None] - similarity
        share = np.divide(similarity, whole, out=np.zeros_like(similarity), where=whole > EPS)
        together[frame.truth[:, None], frame.student[None, :]] += share
    alignment = together / (truth_count[:, None] + student_count[None, :] - together)
    hits, places = np.zeros(ALPHAS.size), np.zeros(ALPHAS.size)
    matches = np.zeros((ALPHAS.size, *together.shape))
    for frame in frames:
        pairs = _pairs(alignment[frame.truth[:, None], frame.student[None, :]] * frame.similarity)
        for row, column in pairs:
            near = float(frame.similarity[row, column])
            reached = near >= ALPHAS - EPS
            hits += reached
            places += near * reached
            matches[reached, frame.truth[row], frame.student[column]] += 1
    missed, extra = truth_count.sum() - hits, student_count.sum() - hits
    union = np.maximum(1, truth_count[:, None] + student_count[None, :] - matches)
    association = (matches * (matches / union)).sum(axis=(1, 2)) / np.maximum(1, hits)
    detection = hits / np.maximum(1, hits + missed + extra)
    location = np.maximum(1e-10, places) / np.maximum(1e-10, hits)
    figures = (np.sqrt(detection * association), detection, association, location)
    hota, deta, assa, loca = (float(figure.mean()) for figure in figures)
    return hota, deta, assa, loca


def _clear(frames: Sequence[Frame], tracks: int, least: float) -> tuple[float, float, int]:
    """MOTA, MOTP and identity switches."""
    ever, last = np.full(tracks, -1), np.full(tracks, -1)
    hits = missed = extra = switches = 0
    places = 0.0
    for frame in frames:
        gain = 1000.0 * (frame.student[None, :] == last[frame.truth][:, None]) + frame.similarity
        gain[frame.similarity < least - EPS] = 0
        pairs = [(row, column) for row, column in _pairs(gain) if gain[row, column] > EPS]
        last = np.full(tracks, -1)
        for row, column in pairs:
            track, own = int(frame.truth[row]), int(frame.student[column])
            switches += ever[track] not in (-1, own)
            ever[track] = last[track] = own
            places += float(frame.similarity[row, column])
        hits += len(pairs)
        missed, extra = missed + frame.truth.size - len(pairs), extra + frame.student.size - len(pairs)
    return (hits - extra - switches) / max(1, hits + missed), places / max(1, hits), int(switches)


def _idf1(frames: Sequence[Frame], truth_count: Ids, student_count: Ids, least: float) -> float:
    """2 IDTP / (rows of both sides): each track paired with one at most, so that most rows agree."""
    together = np.zeros((truth_count.size, student_count.size))
    for frame in frames:
        rows, columns = np.nonzero(frame.similarity >= least - EPS) if frame.similarity.size else ((), ())
        np.add.at(together, (frame.truth[list(rows)], frame.student[list(columns)]), 1)
    hits = sum(float(together[pair]) for pair in _pairs(together))
    return 2 * hits / float(truth_count.sum() + student_count.sum())


def frames_of(
    truth_track: Ids,
    student_track: Ids,
    images: tuple[NDArray[np.intp], NDArray[np.intp]],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    similarity: Scores,
) -> list[Frame]:
    """Frames from columns: the track (-1 for none) and image of each annotation, and similar pairs of annotations."""
    order = [np.flatnonzero(track >= 0) for track in (truth_track, student_track)]
    every = np.unique(np.concatenate([images[0][order[0]], images[1][order[1]]]))
    rows: list[dict[int, list[int]]] = [{int(i): [] for i in every} for _ in range(2)]
    place: list[dict[int, int]] = [{}, {}]
    for side in range(2):
        for annotation in order[side].tolist():
            listed = rows[side][int(images[side][annotation])]
            place[side][annotation] = len(listed)
            listed.append(annotation)
    tables = {int(i): np.zeros((len(rows[0][int(i)]), len(rows[1][int(i)]))) for i in every}
    for t, s, value in zip(pairs[0].tolist(), pairs[1].tolist(), similarity.tolist(), strict=True):
        if t in place[0] and s in place[1]:
            tables[int(images[0][t])][place[0][t], place[1][s]] = value
    return [Frame(truth_track[rows[0][int(i)]], student_track[rows[1][int(i)]], tables[int(i)]) for i in every]
