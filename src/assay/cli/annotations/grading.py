"""Many submissions against one ground truth: all that can be scored, and for the rest the reason why not."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from assay.annotations.diagnosis.feedback import Feedback, give_feedback
from assay.annotations.grading.batch import Batch
from assay.annotations.grading.grade import grade
from assay.annotations.grading.intervals import intervals
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.cli.terminal import progress
from assay.errors import InputError
from assay.execution.executor import Executor
from assay.io.annotations.files import Submission
from assay.io.results.annotation_results import Graded
from assay.io.results.spilling_scores import SpillingScores, packed_score, whole_score
from assay.metrics.intervals import Estimate

FEW_ANNOTATIONS = 20_000
"""Submissions with fewer in all are scored sooner than processes could be started."""


def worth_spreading(handed_in: Iterator[Submission]) -> tuple[bool, Iterator[Submission]]:
    """Whether several processes would be done sooner than this one; and all submissions, of which some are read now."""
    seen: list[Submission] = []
    sizes: list[int] = []
    while len(sizes) < 2 or sum(sizes) < FEW_ANNOTATIONS:
        one = next(handed_in, None)
        if one is None:
            return False, iter(seen)
        seen.append(one)
        sizes += [len(one.annotations)] if one.annotations is not None else []
    return True, chain(seen, handed_in)


def grade_all(shelf: SpillingScores, handed_in: Iterable[Submission], executor: Executor, *, quiet: bool) -> Graded:
    """All that can be scored, put on the shelf as they come; what cannot is named and does not stop the rest."""
    truth = shelf.truth
    failed: dict[str, str] = {}
    figures: dict[str, Mapping[str, Estimate]] = {}
    feedback: dict[str, Feedback] = {}
    under_way: deque[Submission] = deque()
    with progress("submissions", None, quiet=quiet) as counter:
        for outcome in counter.counting(executor.map_ordered(grade_one, _noted(handed_in, under_way), truth)):
            submission = under_way.popleft()
            name = submission.student
            if outcome.error:
                failed[name] = outcome.error
                continue
            shelf.put(name, whole_score({"submission": submission.annotations, **outcome.found}, truth))
            figures[name], feedback[name] = outcome.figures, outcome.feedback
    if not shelf:
        told = "\n".join(f"  {name}: {error}" for name, error in failed.items())
        raise InputError(f"None of the submissions could be scored; nothing was written.\n{told}")
    return Graded(Batch(truth, shelf), failed, figures, feedback)


def _noted(handed_in: Iterable[Submission], under_way: deque[Submission]) -> Iterator[Submission]:
    """The same submissions, each noted until its outcome is there."""
    for submission in handed_in:
        under_way.append(submission)
        yield submission


@dataclass(frozen=True, eq=False, slots=True)
class GradingOutcome:
    """What scoring one submission found, or why it cannot be scored."""

    found: Mapping[str, Any]
    """The fields of its `SubmissionScore` that whoever asked does not have: the ground truth need not travel back."""
    figures: Mapping[str, Estimate]
    feedback: Feedback
    error: str = ""

    def __len__(self) -> int:
        return 1


def grade_one(submission: Submission, truth: PreparedTruth) -> GradingOutcome:
    """One submission scored; what a worker does."""
    drawn = submission.annotations
    try:
        if drawn is None:
            raise InputError(submission.error)
        score = grade(truth, drawn)
    except InputError as problem:
        return GradingOutcome({}, {}, Feedback((), 0), str(problem))
    found = packed_score(score, truth)
    if score.submission is drawn:
        del found["submission"]
    return GradingOutcome(found, intervals(score), give_feedback(score))
