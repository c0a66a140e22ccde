"""What a reader of a score should know about the two files: labels, attributes and shapes out of place."""

from collections.abc import Iterable, Iterator

import numpy as np

from assay.annotations.matching.aligned_sets import AlignedSets
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, Image, image_sizes


def notes_on(scene: AlignedSets) -> tuple[FileProblem, ...]:
    """Everything noteworthy: what the readers reported about both files, then what the comparison shows."""
    own = (
        *_unruled_labels(scene),
        *_unexpected_attributes(scene),
        *_out_of_bounds("ground truth", scene.truth, scene.truth.images),
        *_out_of_bounds("submission", scene.submission, scene.submission.images),
    )
    return (*scene.truth.problems, *scene.submission.problems, *own)


def _unruled_labels(scene: AlignedSets) -> Iterator[FileProblem]:
    """Labels of the ground truth that the rules do not mention: their attributes are not scored."""
    if not scene.rubric.labels:
        return
    ruled = {normalised(rule.name) for rule in scene.rubric.labels}
    counts = np.bincount(scene.truth.label, minlength=len(scene.truth.labels))
    for label, count in zip(scene.truth.labels, counts, strict=True):
        if count and normalised(label) not in ruled:
            yield FileProblem(f"label {label!r}", "is in the ground truth but not in the rules", int(count))


def _unexpected_attributes(scene: AlignedSets) -> Iterator[FileProblem]:
    """Attributes of the submission that the rules do not list."""
    listed = _ruled_attributes(scene.rubric)
    for key, column in scene.student_attributes.columns.items():
        if key not in listed and key not in scene.truth_attributes.columns:
            count = int(np.count_nonzero(column.codes >= 0))
            written = scene.student_attributes.written[key]
            yield FileProblem(
                f"attribute {written!r}", "is in the submission but not in the rules; it is ignored", count
            )


def _ruled_attributes(rubric: Rubric) -> set[str]:
    names: Iterable[str] = (attribute.name for rule in rubric.labels for attribute in rule.attributes)
    return {normalised(name) for name in (*names, rubric.match_key or "")}


def _out_of_bounds(side: str, annotations: AnnotationSet, images: tuple[Image, ...]) -> Iterator[FileProblem]:
    """Shapes that reach beyond their image; they are scored as they are."""
    if not images or not len(annotations):
        return
    sizes = image_sizes(images)
    limits = np.where(sizes > 0, sizes + 1, np.inf)
    left, top, right, bottom = annotations.bounds.T
    beyond = (left < -1) | (top < -1) | (right > limits[annotations.image, 0]) | (bottom > limits[annotations.image, 1])
    count = int(np.count_nonzero(beyond))
    if count:
        yield FileProblem(side, "shapes reach beyond their image; they are scored as they are", count)
