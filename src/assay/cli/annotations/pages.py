"""What is written about one student: a page, a table of details, a piece of results.json; what a worker makes of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from assay.annotations.diagnosis.feedback import Feedback
from assay.annotations.grading.batch import RankedStudent
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.cli.annotations.photos import opened_images
from assay.io.archives.image_files import ImageFiles
from assay.io.results.annotation_results import Graded, scored_student
from assay.io.results.annotation_tables import details_csv
from assay.io.results.spilling_scores import packed_score, whole_score
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.annotations.student import StudentWork, student_report
from assay.report.render.html import to_html
from assay.web.workspaces.annotations.photos import photos


@dataclass(frozen=True, eq=False, slots=True)
class Student:
    """One student as a worker is told."""

    standing: RankedStudent
    score: Mapping[str, Any]
    """As `packed_score` gives it."""
    figures: Mapping[str, Estimate]
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class PageTask:
    """What is the same for all students."""

    provenance: Provenance
    students: int
    images: Path | None
    readable: bool
    pdf: bool


@dataclass(frozen=True, slots=True)
class StudentFiles:
    """What is to be written about a student."""

    name: str
    page: str
    pdf: bytes | None
    details: str
    result: str
    """One of the students of results.json."""

    def __len__(self) -> int:
        return 1


def students_of(graded: Graded) -> Iterator[Student]:
    """All students who have a score, best first."""
    batch = graded.batch
    for standing in batch.ranking:
        name = standing.name
        packed = packed_score(batch.scores[name], batch.truth)
        yield Student(standing, packed, graded.intervals[name], graded.feedback[name])


def student_files(student: Student, truth: PreparedTruth, task: PageTask) -> StudentFiles:
    """Everything about one student; what a worker does."""
    standing, figures, feedback = student.standing, student.figures, student.feedback
    score = whole_score(student.score, truth)
    work = StudentWork(standing.name, score, figures, feedback, standing.place, task.students)
    document = student_report(work, photo_of=photos(_images(task.images)), provenance=task.provenance)
    pdf = None
    if task.pdf:
        from assay.report.render.pdf import to_pdf

        pdf = to_pdf(document)
    result = scored_student(standing, score, figures, feedback, readable=task.readable)
    return StudentFiles(standing.name, to_html(document), pdf, details_csv(score), result)


@cache
def _images(path: Path | None) -> ImageFiles | None:
    """Opened once in each process."""
    return opened_images(path)
