"""Many submissions against one ground truth: all that can be scored, and for the rest the reason why not."""

from collections.abc import Sequence
from dataclasses import replace

from assay.annotations.annotation import AnnotationSet, Problem
from assay.annotations.batch import Batch
from assay.annotations.images import path_parts
from assay.annotations.prepared_truth import PreparedTruth
from assay.annotations.result import SubmissionScore
from assay.annotations.score import score_submission
from assay.cli.terminal import progress
from assay.errors import InputError
from assay.files.annotation_files import Submission
from assay.files.annotation_results import Graded


def grade_all(truth: PreparedTruth, handed_in: Sequence[Submission], *, quiet: bool) -> Graded:
    """All that can be scored; what cannot is named and does not stop the rest."""
    scores: dict[str, SubmissionScore] = {}
    failed: dict[str, str] = {}
    with progress("submissions", len(handed_in), quiet=quiet) as counter:
        for (submission,) in counter.counting([(one,) for one in handed_in]):
            try:
                scores[submission.student] = _scored(truth, submission)
            except InputError as problem:
                failed[submission.student] = str(problem)
    if not scores:
        told = "\n".join(f"  {name}: {error}" for name, error in failed.items())
        raise InputError(f"None of the submissions could be scored; nothing was written.\n{told}")
    return Graded.of(Batch(truth, scores), failed)


def _scored(truth: PreparedTruth, submission: Submission) -> SubmissionScore:
    drawn = submission.annotations
    if drawn is None:
        raise InputError(submission.error)
    try:
        found = score_submission(truth, drawn)
    except InputError as problem:
        raise InputError(f"{drawn.source}: {problem}") from None
    known = len(truth.annotations.images)
    if drawn.images and not found.listed[:known].any():
        _refuse_alike(drawn, truth.annotations)
        theirs, ours = (names[0].name for names in (drawn.images, truth.annotations.images))
        raise InputError(
            f"{drawn.source}: none of its {len(drawn.images)} images is in the ground truth. It names them like "
            f"{theirs!r}, the ground truth like {ours!r}. Export both from the same images."
        )
    return replace(found, notes=(*found.notes, *_image_notes(found, known)))


def _refuse_alike(drawn: AnnotationSet, truth: AnnotationSet) -> None:
    """InputError when images cannot be told apart: several have the file name of one that the ground truth lists."""
    known = {path_parts(image.name)[-1:] for image in truth.images}
    seen: dict[tuple[str, ...], str] = {}
    for image in drawn.images:
        name = path_parts(image.name)[-1:]
        if name in seen and name in known:
            raise InputError(
                f"{drawn.source}: {seen[name]!r} and {image.name!r} are both called {name[0]!r}, and the ground truth "
                f"does not say which of them it means. Export both with the same folders."
            )
        seen[name] = image.name


def _image_notes(score: SubmissionScore, known: int) -> list[Problem]:
    """Images that only one of the two files has, and what that means for the score."""
    alone = [image.name for image in score.images[known:]]
    absent = [image.name for image, listed in zip(score.images, score.listed[:known], strict=False) if not listed]
    extra = "count as extra" if score.rubric.extra_images == "extra" else "are left out"
    missed = "count as missed" if score.rubric.missing_images == "missed" else "are left out"
    notes = []
    if alone:
        what = f"not in the ground truth: annotations on them {extra}"
        notes.append(Problem(f"image {alone[0]!r}{' and others' if len(alone) > 1 else ''}", what, len(alone)))
    if absent:
        what = f"not in the submission: objects on them {missed}"
        notes.append(Problem(f"image {absent[0]!r}{' and others' if len(absent) > 1 else ''}", what, len(absent)))
    return notes
