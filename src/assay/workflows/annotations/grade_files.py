"""The files of `grade`: results.json, summary.csv, a page and a table of details for each student, a report of all."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay.annotations.grading.graded import Graded, StudentGrade
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.execution.executor import Executor
from assay.execution.observer import Observer, with_progress
from assay.io.image_files import ImageFiles, read_images
from assay.io.results.annotation_results import results_pieces, scored_student
from assay.io.results.annotation_tables import details_csv, write_summary
from assay.io.results.spilling_scores import PortableScore
from assay.io.tables.output import OutputFolder
from assay.provenance import Provenance
from assay.report.annotations.overlay import photos
from assay.report.annotations.report import batch_report
from assay.report.annotations.student import student_report
from assay.report.document.document import Document
from assay.report.render.html import to_html


def write_grades(
    graded: Graded,
    provenance: Provenance,
    out: Path,
    *,
    images: Path | ImageFiles | None,
    pdf: bool,
    force: bool,
    executor: Executor,
    observer: Observer,
) -> None:
    """All files or none. What is about one student is made by the executor and written as it comes."""
    names = file_names(graded.batch.scores)
    task = PageTask(provenance, images, graded.indented, pdf)
    with OutputFolder(out, force, replaces="results.json") as folder:
        write_summary(folder / "summary.csv", graded)
        students = (PortableGrade(student, graded.batch.truth) for student in graded.students())
        pages = executor.map_ordered(student_files, students, graded.batch.truth, task)
        counted = with_progress(pages, observer, "reports", len(names))
        results = (_write_student(page, names[page.name], folder, alone=graded.alone) for page in counted)
        with (folder / "results.json").open("w", encoding="utf-8") as stream:
            stream.writelines(results_pieces(graded, provenance, results))
        if not graded.alone:
            links = {name: f"students/{file}.html" for name, file in names.items()}
            photo_of = photos(_opened(images))
            document = batch_report(graded, photo_of=photo_of, provenance=provenance, pages=links)
            write_report(document, folder / "report", pdf=pdf)


@dataclass(frozen=True, slots=True)
class PageTask:
    """What is the same for all students."""

    provenance: Provenance
    images: Path | ImageFiles | None
    indented: bool
    pdf: bool


class PortableGrade:
    """A student's grade on its way to a process that has the ground truth already."""

    def __init__(self, student: StudentGrade, truth: PreparedTruth) -> None:
        self._score = PortableScore(student.result, truth)
        self._rest = (student.figures, student.feedback, student.place, student.of)
        self.name = student.name

    def whole(self, truth: PreparedTruth) -> StudentGrade:
        """The grade again."""
        return StudentGrade(self.name, self._score.whole(truth), *self._rest)


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


def student_files(portable: PortableGrade, truth: PreparedTruth, task: PageTask) -> StudentFiles:
    """Everything about one student; what a worker does."""
    student = portable.whole(truth)
    document = student_report(student, photo_of=photos(_opened(task.images)), provenance=task.provenance)
    pdf, result = _pdf(document) if task.pdf else None, scored_student(student, indented=task.indented)
    return StudentFiles(student.name, to_html(document), pdf, details_csv(student.result), result)


def _opened(images: Path | ImageFiles | None) -> ImageFiles | None:
    return _read_once(images) if isinstance(images, Path) else images


_read_once = cache(read_images)
"""Read once in each process."""


def _write_student(files: StudentFiles, file: str, folder: Path, *, alone: bool) -> str:
    """Write what is about one student; what results.json says of them."""
    details = folder / "details" / f"{file}.csv"
    page = folder / "report.html" if alone else folder / "students" / f"{file}.html"
    for path in (details, page):
        path.parent.mkdir(exist_ok=True)
    details.write_text(files.details, encoding="utf-8", newline="")
    page.write_text(files.page, encoding="utf-8")
    if files.pdf is not None:
        page.with_suffix(".pdf").write_bytes(files.pdf)
    return files.result


def write_report(document: Document, target: Path, *, pdf: bool) -> None:
    """TARGET.html, and TARGET.pdf if wished."""
    target.with_name(f"{target.name}.html").write_text(to_html(document), encoding="utf-8")
    if pdf:
        target.with_name(f"{target.name}.pdf").write_bytes(_pdf(document))


def _pdf(document: Document) -> bytes:
    from assay.report.render.pdf import to_pdf  # noqa: PLC0415 - an extra

    return to_pdf(document)


def file_names(students: Iterable[str]) -> dict[str, str]:
    """A file name for each student; names that differ only in what files cannot tell apart get a number.

    >>> file_names(["a/b", "a:b", "A_B"])
    {'a/b': 'a_b', 'a:b': 'a_b-2', 'A_B': 'A_B-3'}
    """
    used: dict[str, int] = {}
    names = {}
    for student in students:
        name = re.sub(r"[^\w .,()+×-]", "_", student)[:120].strip(". ") or "student"
        used[name.casefold()] = times = used.get(name.casefold(), 0) + 1
        names[student] = name if times == 1 else f"{name}-{times}"
    return names
