"""The files of grades: all or none, a page for each student, names that lead nowhere else."""

import csv
import json
import pickle
from pathlib import Path

import pytest

from assay.execution.executor import SerialExecutor
from assay.execution.observer import SILENT
from assay.report.document.document import Document
from assay.workflows.annotations.grade import GradeResult, grade
from assay.workflows.annotations.grade_files import (
    PageTask,
    PortableGrade,
    file_names,
    student_files,
    write_grades,
    write_report,
)
from tests.annotations.drawn import annotation_set, box
from tests.paths import EXAMPLES

TRUTH = annotation_set(box("a.png", "car", 0, 0, 100, 100), box("a.png", "van", 200, 0, 300, 100))
FOLDER = EXAMPLES / "annotations"
ONE = annotation_set(box("a.png", "car", 0, 0, 100, 100))


@pytest.fixture(scope="module")
def graded() -> GradeResult:
    return grade(TRUTH, {"ada": TRUTH, "a/da": ONE})


def write(result: GradeResult, out: Path) -> None:
    write_grades(
        result.graded,
        result.provenance,
        out,
        images=None,
        pdf=False,
        force=False,
        executor=SerialExecutor(),
        observer=SILENT,
    )


def test_every_student_has_a_page_and_a_table_under_a_name_that_files_can_have(
    graded: GradeResult, tmp_path: Path
) -> None:
    write(graded, tmp_path / "out")

    pages = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert pages == {
        "report.html",
        "results.json",
        "summary.csv",
        "details/ada.csv",
        "details/a_da.csv",
        "students/ada.html",
        "students/a_da.html",
    }
    students = json.loads((tmp_path / "out/results.json").read_text(encoding="utf-8"))["students"]
    assert len(students) == 2
    with (tmp_path / "out/summary.csv").open(encoding="utf-8") as stream:
        assert [row["student"] for row in csv.DictReader(stream)] == ["ada", "a/da"]


def test_one_student_alone_has_one_page(tmp_path: Path) -> None:
    write(grade(TRUTH, {"ada": ONE}), tmp_path / "out")

    assert (tmp_path / "out/report.html").is_file()
    assert not (tmp_path / "out/students").exists()


def test_a_grade_travels_to_another_process_and_back() -> None:
    graded = grade(FOLDER / "truth.xml", [FOLDER / "submissions" / "ada.xml"])
    student, truth = graded["ada"], graded.batch.truth
    portable = pickle.loads(pickle.dumps(PortableGrade(student, truth)))

    assert portable.whole(truth).score == student.score
    files = student_files(portable, truth, PageTask(graded.provenance, None, indented=False, pdf=False))
    assert files.name == "ada"
    assert files.pdf is None
    assert "missed" in files.details
    assert len(files) == 1


@pytest.mark.parametrize(
    ("students", "names"),
    [(["..", ""], ["student", "student-2"]), (["x" * 200], ["x" * 120]), (["É", "é"], ["É", "é-2"])],
)
def test_names_that_files_cannot_tell_apart_get_a_number(students: list[str], names: list[str]) -> None:
    assert list(file_names(students).values()) == names


def test_a_report_is_html_and_pdf_only_if_wished(tmp_path: Path) -> None:
    write_report(Document("T"), tmp_path / "report.v2", pdf=False)

    assert [path.name for path in tmp_path.iterdir()] == ["report.v2.html"]
