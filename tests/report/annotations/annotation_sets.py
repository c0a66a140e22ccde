"""Annotations of every kind for tests of reports."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from assay.annotations.grading.graded import Batch, StudentGrade
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.shapes import (
    Box,
    Cuboid,
    Ellipse,
    Mask,
    Points,
    Polygon,
    Polyline,
    Shape,
    Skeleton,
    Tag,
)
from assay.io.annotations.columns import KIND_OF
from assay.io.annotations.files import read_annotations
from assay.io.example_data import example_annotations
from assay.provenance import Provenance
from assay.report.annotations.student import student_report
from assay.report.document.document import Document
from assay.report.document.overlay import Photo
from examples.street import png
from tests.io.annotations.submissions import read_submissions

TRIANGLE = np.array([(220.0, 20), (280, 20), (250, 80)])
CUBE = np.array([(20.0, 220), (20, 280), (80, 220), (80, 280), (40, 200), (40, 260), (100, 200), (100, 260)])
MASK_RUNS = np.array([20, 20, 20, 20, 20], dtype=np.int64)

EVERY_KIND: tuple[tuple[Shape, tuple[float, float, float, float]], ...] = (
    (Box(20, 20, 80, 60), (20, 20, 80, 60)),
    (Box(120, 30, 180, 60, rotation=30), (120, 30, 180, 60)),
    (Polygon((TRIANGLE,)), (220, 20, 280, 80)),
    (Mask(20, 120, 20, 5, MASK_RUNS, by_column=False), (20, 121, 40, 124)),
    (Polyline(TRIANGLE + np.array([0.0, 100.0])), (220, 120, 280, 180)),
    (Points(np.array([(120.0, 130), (150, 140)])), (120, 130, 150, 140)),
    (
        Skeleton(("nose", "knee", "toe"), np.array([(320.0, 30), (330, 60), (0, 0)]), np.array([2, 1, 0], np.int8)),
        (320, 30, 330, 60),
    ),
    (Ellipse(340, 140, 30, 15, rotation=45), (310, 110, 370, 170)),
    (Cuboid(CUBE), (20, 200, 100, 280)),
    (Tag(), (0, 0, 0, 0)),
)


def set_of(
    shapes: Sequence[tuple[Shape, tuple[float, float, float, float]]],
    *,
    labels: Sequence[str] = (),
    size: tuple[float, float] = (400, 300),
    image: str = "kinds.png",
    attributes: dict[int, dict[str, Value]] | None = None,
    source: str = "kinds.xml",
) -> AnnotationSet:
    """One image with these shapes."""
    names = list(labels) or [type(shape).__name__.lower() for shape, _ in shapes]
    known = tuple(dict.fromkeys(names))
    return AnnotationSet(
        images=(Image(image, *size),),
        labels=known,
        image=np.zeros(len(shapes), np.int32),
        label=np.array([known.index(name) for name in names], np.int32),
        kind=np.array([KIND_OF[type(shape)] for shape, _ in shapes], np.uint8),
        bounds=np.array([bounds for _, bounds in shapes], float).reshape(-1, 4),
        rotation=np.array([shape.rotation if isinstance(shape, Box) else 0.0 for shape, _ in shapes]),
        shape_of=lambda index: shapes[index][0],
        ids=[str(i) for i in range(1, len(shapes) + 1)],
        attributes=attributes or {},
        source=source,
        format="test",
    )


MADE = Provenance("0.1", "assay annotations score", {"truth.xml": "ab" * 32}, 0, "2026-11-15T10:00:00+01:00")
PICTURE = Photo("image/png", png(np.full((6, 8, 3), 120, np.uint8)))


def scored(truth: AnnotationSet, drawn: AnnotationSet, rubric: Rubric | None = None) -> SubmissionScore:
    """A submission against a ground truth."""
    return score_submission(prepare_truth(truth, rubric), drawn)


def report(score: SubmissionScore, photo: Photo | None = None) -> Document:
    """The report for the student."""
    return student_report(StudentGrade.of_score("mira", score), photo_of=lambda name: photo, provenance=MADE)


def boxes(*edges: tuple[float, float, float, float], labels: tuple[str, ...]) -> AnnotationSet:
    """Upright boxes on one image."""
    return set_of([(Box(*e), e) for e in edges], labels=labels)


def plan() -> SubmissionScore:
    """One object found well, one missed, one extra."""
    truth = boxes((0, 0, 100, 100), (200, 0, 300, 100), labels=("car", "van"))
    return scored(truth, boxes((0, 0, 90, 100), (0, 200, 50, 250), labels=("car", "car")))


@cache
def example_sets() -> dict[str, AnnotationSet]:
    """What the students of the example handed in, as far as it can be read."""
    example = example_annotations()
    handed_in = read_submissions(example.submissions, like=read_annotations(example.truth))
    return {one.student: one.annotations for one in handed_in if one.annotations is not None}


@cache
def example_batch() -> Batch:
    """All of them scored."""
    prepared = prepare_truth(read_annotations(example_annotations().truth))
    return Batch(prepared, {name: score_submission(prepared, own) for name, own in example_sets().items()})
