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

from assay.annotations.grading.score import score_submission
from assay.annotations.matching.pairing import KeyPairs, pair_annotations
from assay.annotations.matching.prepared_truth import align, prepare_truth
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.annotations.detect import FormatReading
from assay.io.annotations.files import each_submission, read_annotations
from assay.kernel import kernel

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.peer_coco import peak_memory

IMPORTED = (scipy.special, shapely, kernel())
"""Loaded when first needed otherwise; imports do not count, for us as for the peers."""


def main(_task: str, truth: str, student: str) -> None:
    imported, start = peak_memory(), time.process_time()
    expected, found = read_both(truth, student)
    loaded = time.process_time()
    rules = suggest_rubric(expected)  # what `assay annotations rules` does, or somebody has written
    ruled = time.process_time()
    pairs = _matched(expected, found, rules)
    matched, memory = time.process_time(), peak_memory() - imported
    grade = score_submission(prepare_truth(expected), found).overall  # matching included
    done = time.process_time()
    cost = {
        "load": loaded - start,
        "match": matched - ruled,
        "score": done - matched,
        "whole": done,
        "memory": memory,
        "pairs": pairs,
        "grade": grade,
    }
    print(json.dumps(cost))


def read_both(truth: str, student: str) -> tuple[AnnotationSet, AnnotationSet]:
    """The ground truth and the student's annotations, as `assay annotations score` and the web worker read them."""
    expected = read_annotations(Path(truth))
    (submission,) = each_submission([Path(student)], FormatReading(expected))
    if submission.annotations is None:
        raise SystemExit(submission.error)
    return expected, submission.annotations


def _matched(expected: AnnotationSet, found: AnnotationSet, rules: Rubric) -> int:
    """Images paired, sets aligned, all pairs that touch, the optimal choice: what grading does before it counts."""
    nothing = np.empty(0, np.intp)
    aligned, _ = align(prepare_truth(expected, rules), found, rules)
    return len(pair_annotations(aligned, KeyPairs(nothing, nothing, nothing, nothing)).truth)


if __name__ == "__main__":
    main(*sys.argv[1:])
