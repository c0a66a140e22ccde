"""`grade`: what it takes, what it returns, and that writing is a call of its own."""

import json
from pathlib import Path

import polars as pl
import pytest
import shapely

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import grade_submission
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import Cancelled, InputError
from assay.execution.executor import ProcessExecutor, SerialExecutor
from assay.execution.observer import Observer
from assay.io.results.annotation_tables import SUMMARY_COLUMNS
from assay.workflows.annotations.grade import GradeResult, grade, prepare_grading
from tests.annotations.drawn import annotation_set, box
from tests.paths import EXAMPLES

STREET = EXAMPLES / "annotations"
TRUTH = annotation_set(box("a.png", "car", 0, 0, 100, 100, colour="red"), box("a.png", "van", 200, 0, 300, 100))
HALF = annotation_set(box("a.png", "car", 0, 0, 100, 100, colour="red"))


@pytest.fixture(scope="module")
def street() -> GradeResult:
    return grade(STREET / "truth.xml", [STREET / "submissions"])


def test_sets_that_were_read_already_are_graded_by_name() -> None:
    result = grade(TRUTH, {"ada": TRUTH, "ben": HALF})

    assert [student.name for student in result] == ["ada", "ben"]
    assert result["ada"].score.value == 100
    assert result["ben"].errors == {"missed": 1}
    assert [image.name for image in result["ben"].images] == ["a.png"]
    assert result["ben"].result.submission is HALF, "within one process nothing is packed and rebuilt"


def test_a_file_that_cannot_be_read_is_named_with_its_reason_and_stops_nobody(street: GradeResult) -> None:
    assert list(street.failed) == ["grace"]
    assert len(street) == len(street.batch.scores) == 6
    with pytest.raises(InputError, match="grace could not be scored"):
        street["grace"]
    with pytest.raises(KeyError, match="zoe"):
        street["zoe"]


HOSTILE: dict[str, bytes] = {
    "infinite.json": b'{"imagePath":"a.png","imageWidth":9,"imageHeight":9,"shapes":[{"label":"car",'
    b'"shape_type":"polygon","points":[[1,1e999],[20,1],[2,2]]}]}',
    "deep.json": b"[" * 200_000,
    "deep.xml": b"<annotations>" + b"<a>" * 200_000,
    "numbers.json": b'{"images":[{"id":1e400,"file_name":"a.png"}],'
    b'"annotations":[{"id":1,"image_id":1e400}],"categories":[]}',
    "flat.json": b'{"images":[{"id":1,"file_name":"a.png","width":9,"height":9}],"categories":[{"id":1,"name":"car"}],'
    b'"annotations":[{"id":1,"image_id":1,"category_id":1,"segmentation":[[1e308,1e308,-1e308,1e308,0,-1e308]]}]}',
    "zip.zip": b"PK\x03\x04 no ZIP",
    "nothing.json": b"\0\0\0",
}
"""What has stopped the grading of a class."""


@pytest.mark.parametrize("workers", [1, 2])
def test_no_file_of_one_student_stops_the_others(tmp_path: Path, workers: int) -> None:
    for name, content in HOSTILE.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "ada.xml").write_bytes((STREET / "truth.xml").read_bytes())
    executor = SerialExecutor() if workers == 1 else ProcessExecutor(workers)

    result = grade(STREET / "truth.xml", sorted(tmp_path.iterdir()), executor=executor)

    assert result["ada"].score.value == 100
    assert len(result.batch.scores) + len(result.failed) == 1 + len(HOSTILE)
    assert {"infinite", "deep", "deep (2)", "zip", "nothing"} <= set(result.failed)
    assert all(result.failed.values())


def test_what_geometry_cannot_cope_with_is_one_students_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(truth: object, submission: AnnotationSet) -> SubmissionScore:
        if submission is HALF:
            raise shapely.GEOSException("TopologyException: side location conflict")
        return grade_submission(truth, submission)  # type: ignore[arg-type]

    monkeypatch.setattr("assay.workflows.annotations.grade.grade_submission", refuse)
    result = grade(TRUTH, {"ada": TRUTH, "ben": HALF})
    assert result["ada"].score.value == 100
    assert "GEOSException: TopologyException" in result.failed["ben"]


def test_the_table_has_the_columns_of_the_summary_and_a_row_per_student(street: GradeResult) -> None:
    frame = street.to_polars()

    assert frame.columns == list(SUMMARY_COLUMNS)
    assert frame["student"].to_list() == [student.name for student in street] + ["grace"]
    assert frame.filter(pl.col("student") == "ada")["overall"].item() == street["ada"].score.value


def test_the_look_is_short_and_names_the_best(street: GradeResult) -> None:
    assert len(repr(street).splitlines()) < 10
    assert "1. ada" in repr(street)
    assert "grace" in repr(street)


def test_what_is_written_is_what_the_values_say(street: GradeResult, tmp_path: Path) -> None:
    folder = street.write(tmp_path / "out")

    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == street.to_dict()
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {"report.html", "summary.csv", "details/ada.csv", "students/ben.html"} <= names


def test_two_processes_write_the_same_bytes(street: GradeResult, tmp_path: Path) -> None:
    executor = ProcessExecutor(2)
    again = grade(STREET / "truth.xml", [STREET / "submissions"], executor=executor)
    again.provenance = street.provenance

    one, two = street.write(tmp_path / "one"), again.write(tmp_path / "two", executor=executor)

    for path in sorted(p for p in one.rglob("*") if p.is_file()):
        assert path.read_bytes() == (two / path.relative_to(one)).read_bytes(), path.name


def test_the_trainers_report_is_written_where_it_is_asked_for(street: GradeResult, tmp_path: Path) -> None:
    assert "Annotation grades" in street.report(tmp_path / "grades.html").read_text(encoding="utf-8")


def test_rules_and_a_profile_contradict_each_other() -> None:
    with pytest.raises(InputError) as caught:
        grade(TRUTH, {"ada": HALF}, rules=suggest_rubric(TRUTH), profile="strict-1.0")

    assert caught.value.field == "profile"


def test_a_ground_truth_with_nothing_to_find_is_refused() -> None:
    with pytest.raises(InputError, match="no annotations"):
        prepare_grading(annotation_set(images=["a.png"]))
    with pytest.raises(InputError, match="no object to be found"):
        prepare_grading(annotation_set(box("a.png", "car", 0, 0, 100, 100, crowd=True)))


def test_when_nothing_can_be_scored_every_reason_is_given(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text("{", encoding="utf-8")

    with pytest.raises(InputError, match="one: "):
        grade(TRUTH, tmp_path / "one.json")


def test_cancelling_while_pages_are_made_leaves_nothing(street: GradeResult, tmp_path: Path) -> None:
    class Impatient(Observer):
        def check(self) -> None:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        street.write(tmp_path / "out", observer=Impatient())
    assert not list(tmp_path.iterdir())
