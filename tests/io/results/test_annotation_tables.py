"""Grades as tables: a row for each student, a row for each object."""

import csv
from pathlib import Path

import pytest

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.grading.explanation import losses
from assay.annotations.grading.graded import Batch, Graded
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.results.annotation_tables import DETAIL_COLUMNS, SUMMARY_COLUMNS, details_csv, summary_rows, write_summary
from tests.annotations.drawn import annotation_set, box

TRUTH = annotation_set(
    box("a.png", "car", 0, 0, 100, 100, colour="red"), box("b.png", "van", 0, 0, 100, 100, colour="blue")
)
HALF = annotation_set(
    box("a.png", "car", 0, 0, 100, 90, colour="=SUM(1)"),
    box("b.png", "dog", 60, 0, 160, 100),
    images=["a.png", "b.png"],
)


def truth() -> AnnotationSet:
    return TRUTH


def graded(*drawn: AnnotationSet, failed: dict[str, str] | None = None) -> Graded:
    prepared = prepare_truth(TRUTH)
    scores = {f"student {i}": score_submission(prepared, own) for i, own in enumerate(drawn, 1)}
    return Graded.of(Batch(prepared, scores), failed or {})


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_the_summary_has_every_column_once(tmp_path: Path) -> None:
    write_summary(tmp_path / "summary.csv", graded(HALF, truth()))

    found = rows(tmp_path / "summary.csv")
    assert tuple(found[0]) == SUMMARY_COLUMNS
    assert len(set(SUMMARY_COLUMNS)) == len(SUMMARY_COLUMNS)
    assert tuple(found[0][name] for name in ("place", "student", "score")) == ("1", "student 2", "100")


def test_a_row_of_the_summary_tells_figures_counts_losses_and_errors() -> None:
    batch = graded(HALF, failed={"zoe": "broken"})
    row, failed = summary_rows(batch)
    score = batch.batch.scores["student 1"]
    tally, lost = score.tally, losses(score)
    assert {name: row[name] for name in ("place", "student", "file", "score")} == {
        "place": 1,
        "student": "student 1",
        "file": "",
        "score": score.rounded,
    }
    assert (row["overall"], row["original_overall"]) == (score.overall, score.overall)
    assert [row[name] for name in ("objects", "matched", "missed", "extra", "images")] == [2, 1, 1, 1, 2]
    assert [row[name] for name in ("labels_right", "labels_compared", "attributes_compared")] == [1, 1, 1]
    assert [row[name] for name in ("precision", "recall", "localisation", "label", "attributes")] == pytest.approx(
        [50, 50, 90, 100, 0]
    )
    assert (row["quality"], row["completeness"]) == (tally.quality, tally.completeness)
    assert (row["lost_to_place"], row["lost_to_attributes"], row["lost_to_missed"], row["lost_to_extra"]) == (
        lost.localisation,
        lost.attributes,
        lost.missed,
        lost.extra,
    )
    assert {kind.word for kind in ErrorKind if row[f"errors: {kind.word}"]} == {"near miss", "wrong attribute"}
    assert (row["feedback"], row["problems"]) == ("", "")
    assert failed == {"student": "zoe", "state": "unreadable", "error": "broken"}


def test_notes_of_a_submission_are_its_problems() -> None:
    drawn = annotation_set(box("a.png", "car", -9, 0, 100, 100, mood="good"), images=["a.png", "b.png"])
    (row,) = summary_rows(graded(drawn))
    assert row["problems"] == (
        "attribute 'mood': is in the submission but not in the rules; it is ignored (1); "
        "submission: shapes reach beyond their image; they are scored as they are (1)"
    )


def test_details_have_a_row_for_each_object_and_annotation_image_by_image() -> None:
    score = graded(HALF).batch.scores["student 1"]
    matched, missed, extra = rows_of(details_csv(score))
    assert tuple(matched) == (*DETAIL_COLUMNS, "colour: truth", "colour: submission", "colour: alike")
    assert [matched[name] for name in ("image", "result", "why", "truth_id", "truth_label")] == [
        "a.png",
        "matched",
        "",
        "1",
        "car",
    ]
    assert [matched[name] for name in ("submission_id", "submission_label", "by_key")] == ["1", "car", "False"]
    assert [float(matched[name]) for name in ("localisation", "label", "attributes", "score")] == [90, 100, 0, 70]
    assert (matched["overridden"], matched["original_score"]) == ("False", matched["score"])
    assert (matched["truth_bounds"], matched["submission_bounds"]) == ("0;0;100;100", "0;0;100;90")
    assert (matched["colour: truth"], float(matched["colour: alike"])) == ("red", 0)
    assert [missed[name] for name in ("image", "result", "why", "truth_id", "truth_label", "submission_id")] == [
        *("b.png", "missed", "near miss", "2", "van", "2"),
    ]
    assert (float(missed["localisation"]), missed["truth_bounds"], missed["submission_bounds"]) == (
        25,
        "0;0;100;100",
        "",
    )
    assert [extra[name] for name in ("result", "why", "truth_id", "submission_id", "submission_label")] == [
        *("extra", "near miss", "2", "2", "dog"),
    ]
    assert (float(extra["localisation"]), extra["submission_bounds"], extra["truth_bounds"]) == (25, "60;0;100;100", "")
    assert (missed["overridden"], extra["overridden"]) == ("False", "False")


def test_values_that_a_spreadsheet_would_run_are_quoted(tmp_path: Path) -> None:
    found = graded(HALF)

    assert rows_of(details_csv(found.batch.scores["student 1"]))[0]["colour: submission"] == "'=SUM(1)"
