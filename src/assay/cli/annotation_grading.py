"""Many submissions against one ground truth: all that can be scored, and for the rest the reason why not."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from assay.annotations.batch import Batch
from assay.annotations.grading import grade
from assay.annotations.prepared_truth import PreparedTruth
from assay.annotations.result import SubmissionScore
from assay.cli.terminal import progress
from assay.cluster.crew import Crew
from assay.errors import InputError
from assay.files.annotation_files import Submission
from assay.files.annotation_results import Graded

FEW_ANNOTATIONS = 20_000
"""Submissions with fewer in all are scored sooner than processes could be started."""


def worth_spreading(handed_in: Sequence[Submission]) -> bool:
    """Whether several processes would be done sooner than this one."""
    sizes = [len(one.annotations) for one in handed_in if one.annotations is not None]
    return len(sizes) > 1 and sum(sizes) >= FEW_ANNOTATIONS


def grade_all(truth: PreparedTruth, handed_in: Sequence[Submission], crew: Crew, *, quiet: bool) -> Graded:
    """All that can be scored; what cannot is named and does not stop the rest."""
    scores: dict[str, SubmissionScore] = {}
    failed: dict[str, str] = {}
    with progress("submissions", len(handed_in), quiet=quiet) as counter:
        outcomes = counter.counting(crew.in_order(grade_one, handed_in, truth))
        for submission, outcome in zip(handed_in, outcomes, strict=True):
            if outcome.error:
                failed[submission.student] = outcome.error
            else:
                scores[submission.student] = SubmissionScore(**(_known(truth, submission) | outcome.found))
    if not scores:
        told = "\n".join(f"  {name}: {error}" for name, error in failed.items())
        raise InputError(f"None of the submissions could be scored; nothing was written.\n{told}")
    return Graded.of(Batch(truth, scores), failed)


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """What scoring one submission found, or why it cannot be scored."""

    found: dict[str, Any]
    """The fields of its `SubmissionScore` that whoever asked does not have: the ground truth need not travel back."""
    error: str = ""

    def __len__(self) -> int:
        return 1


def grade_one(submission: Submission, truth: PreparedTruth) -> Outcome:
    """One submission scored; what a worker does."""
    try:
        score = _scored(truth, submission)
    except InputError as problem:
        return Outcome({}, str(problem))
    known = _known(truth, submission)
    found = {field.name: getattr(score, field.name) for field in fields(score)}
    return Outcome({name: value for name, value in found.items() if name not in known or value is not known[name]})


def _known(truth: PreparedTruth, submission: Submission) -> dict[str, Any]:
    return {"truth": truth.annotations, "truth_attributes": truth.attributes, "submission": submission.annotations}


def _scored(truth: PreparedTruth, submission: Submission) -> SubmissionScore:
    drawn = submission.annotations
    if drawn is None:
        raise InputError(submission.error)
    return grade(truth, drawn)
