"""Systematic errors of a submission in plain sentences, each with its evidence.

Many checks are made; their p values are adjusted together (Holm), so that a student whose errors are mere chance hears
a false alarm in at most one submission of twenty. What is not supported is not said.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from assay.annotations.diagnosis.check import Check, HabitAdvice
from assay.annotations.diagnosis.edge_checks import EDGES, SIZE, edge_advice, edge_checks
from assay.annotations.diagnosis.miss_checks import miss_checks
from assay.annotations.diagnosis.naming_checks import naming_checks
from assay.annotations.grading.result import SubmissionScore
from assay.metrics.intervals import holm

CHECKS: tuple[Callable[[SubmissionScore], list[Check]], ...] = (edge_checks, naming_checks, miss_checks)
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Feedback:
    """What can be said to a student, strongest evidence first, and how many checks were made to find it."""

    advice: tuple[HabitAdvice, ...]
    checks: int
    level: float = LEVEL


def give_feedback(score: SubmissionScore) -> Feedback:
    """The systematic errors of a submission."""
    tried = [check for checks in CHECKS for check in checks(score)]
    adjusted = holm(np.array([check.evidence.p for check in tried]))
    sure = [
        replace(check, evidence=replace(check.evidence, p=float(p)))
        for check, p in zip(tried, adjusted, strict=True)
        if p < LEVEL
    ]
    of_edges = {SIZE, *(f"{name} edge" for name in EDGES)}
    said = edge_advice({check.kind: check for check in sure if check.kind in of_edges})
    said += [
        HabitAdvice(check.kind, check.sentence, check.evidence, check.images)
        for check in sure
        if check.kind not in of_edges
    ]
    order = sorted(said, key=lambda advice: (advice.evidence.p, advice.kind, advice.sentence))
    return Feedback(tuple(order), len(tried))
