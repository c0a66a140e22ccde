"""One submission scored as it is handed in: refused when its images are not those of the ground truth, with notes."""

from dataclasses import replace

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.annotations.shapes.images import ImageNames, pair_images, path_parts, spelt_otherwise
from assay.errors import InputError


def grade(truth: PreparedTruth, drawn: AnnotationSet) -> SubmissionScore:
    """The score with notes on images that only one side has; InputError when the work belongs to other images."""
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
    return replace(found, notes=(*found.notes, *_image_notes(found, known), *_spelling_notes(drawn, truth)))


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


def _image_notes(score: SubmissionScore, known: int) -> list[FileProblem]:
    """Images that only one of the two files has, and what that means for the score."""
    alone = [image.name for image in score.images[known:]]
    absent = [image.name for image, listed in zip(score.images, score.listed[:known], strict=False) if not listed]
    extra = "count as extra" if score.rubric.extra_images == "extra" else "are left out"
    missed = "count as missed" if score.rubric.missing_images == "missed" else "are left out"
    return [
        FileProblem(f"image {names[0]!r}{' and others' if len(names) > 1 else ''}", what, len(names))
        for names, what in (
            (alone, f"not in the ground truth: annotations on them {extra}"),
            (absent, f"not in the submission: objects on them {missed}"),
        )
        if names
    ]


def _spelling_notes(drawn: AnnotationSet, truth: PreparedTruth) -> list[FileProblem]:
    """Images that were found although their names are written otherwise."""
    if truth.names.names == [image.name for image in drawn.images]:
        return []
    place = pair_images(truth.names, ImageNames.of(drawn.images))
    pairs = spelt_otherwise(truth.annotations.images, drawn.images, place)
    what = "taken for {!r} of the ground truth: the names differ in case, ending or a tool's mark"
    return [FileProblem(f"image {pairs[0][0]!r}", what.format(pairs[0][1]), len(pairs))] if pairs else []
