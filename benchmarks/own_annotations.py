"""Our side of bench_annotations, run as a process of its own: prints what reading, matching and scoring cost.

python own_annotations.py TASK TRUTH STUDENT
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import scipy.special
import shapely

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.assignment import assign
from assay.annotations.matching.candidates import find_candidates
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.annotations.columns import Prefer
from assay.io.annotations.files import read_annotations

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.peer_coco import peak_memory

NEAR_MISSES = 0.1
"""The least similarity that reports speak of."""
IMPORTED = (scipy.special, shapely)
"""Loaded when first needed otherwise; imports do not count, for us as for the peers."""


def main(task: str, truth: str, student: str) -> None:
    start = time.process_time()
    expected, found = read_both(task, truth, student)
    loaded = time.process_time()
    pairs = _matched(expected, found)
    matched = time.process_time()
    grade = score_submission(prepare_truth(expected), found).overall  # matching included
    done = time.process_time()
    cost = {
        "load": loaded - start,
        "match": matched - loaded,
        "score": done - matched,
        "whole": done,
        "peak": peak_memory(),
        "pairs": pairs,
        "grade": grade,
    }
    print(json.dumps(cost))


def read_both(task: str, truth: str, student: str) -> tuple[AnnotationSet, AnnotationSet]:
    """The ground truth and the student's annotations."""
    prefer: Prefer = "box" if task == "boxes" else "shape"
    expected = read_annotations(Path(truth), prefer=prefer)
    return expected, read_annotations(Path(student), like=expected, prefer=prefer)


def _matched(expected: AnnotationSet, found: AnnotationSet) -> int:
    """Geometry, candidates and the optimal choice; the same work as the peers' evaluate()."""
    images = np.arange(len(expected.images), dtype=np.int32)
    candidates = find_candidates(Geometry(expected), Geometry(found), images, least=NEAR_MISSES)
    return len(assign(candidates, allowed=candidates.similarity >= 0.5))


if __name__ == "__main__":
    main(*sys.argv[1:])
