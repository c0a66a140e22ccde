"""Grades as tables: a row for each student, a row for each object."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.grading.explanation import losses
from assay.annotations.grading.graded import Graded, StudentGrade
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.io.results.annotation_results import bounds_of
from assay.io.tables.output import csv_lines, write_csv

SUMMARY_COLUMNS = (
    *("place", "student", "file", "score", "overall", "overall_low", "overall_high", "original_overall"),
    *("quality", "completeness", "precision", "recall", "localisation", "label", "attributes"),
    *("labels_right", "labels_compared", "attributes_compared", "objects", "matched", "missed", "extra", "images"),
    *("lost_to_place", "lost_to_label", "lost_to_attributes", "lost_to_missed", "lost_to_extra"),
    *("lost_to_near_miss", "lost_to_no_match", "lost_to_override"),
    *(*(f"errors: {kind.word}" for kind in ErrorKind), "feedback", "problems", "state", "remark", "error", "passed"),
    *("ap", "ap50", "hota", "mota", "idf1", "conflicts"),
)
"""The columns of summary.csv."""
DETAIL_COLUMNS = (
    *("image", "result", "why", "truth_id", "truth_label", "submission_id", "submission_label", "by_key"),
    *("localisation", "label", "attributes", "score", "original_score", "overridden"),
    *("truth_bounds", "submission_bounds"),
)
"""The columns of a student's details; three more for each attribute that is compared."""


def summary_rows(graded: Graded) -> Iterator[Mapping[str, object]]:
    """A row per student, best first; those whose file could not be scored last."""
    entries = {entry.student: entry for entry in graded.roster}
    for student in graded.students():
        yield {**_summary_row(student), "state": entries[student.name].state, "remark": entries[student.name].detail}
    for entry in graded.roster:
        if entry.student in graded.failed:
            yield {"student": entry.student, "state": entry.state, "error": entry.detail}
        elif entry.state == "missing":
            yield {"student": entry.student, "state": entry.state}


def write_summary(path: Path, graded: Graded) -> None:
    """The same as a CSV file."""
    rows = summary_rows(graded)
    write_csv(path, SUMMARY_COLUMNS, ([row.get(column) for column in SUMMARY_COLUMNS] for row in rows))


def _summary_row(student: StudentGrade) -> dict[str, object]:
    score, figures = student.result, student.figures
    tally, errors = score.tally, score.errors()
    lost = [value for _, value in losses(score).items()]
    names = [column for column in SUMMARY_COLUMNS if column.startswith("lost_to")]
    parts = {key: figures[key].value for key in ("localisation", "label", "attributes")}
    return {
        **{"place": student.place, "student": student.name, "file": score.submission.source, "score": score.rounded},
        **{"overall": score.overall, "overall_low": figures["overall"].low, "overall_high": figures["overall"].high},
        "original_overall": (score.original or score).overall,
        **{"quality": tally.quality, "completeness": tally.completeness},
        **{"precision": tally.precision, "recall": tally.recall, **parts},
        **{"labels_right": int((score.label == 1).sum()), "labels_compared": score.label.size},
        "attributes_compared": sum(compared.rows.size for compared in score.comparisons),
        **{"objects": tally.matched + tally.missed, "matched": tally.matched},
        **{"missed": tally.missed, "extra": tally.extra, "images": int(score.in_scope.sum())},
        **dict(zip(names, lost, strict=True)),
        **{f"errors: {kind.word}": errors.get(kind, 0) for kind in ErrorKind},
        "feedback": " ".join(advice.sentence for advice in student.advice),
        "problems": "; ".join(f"{note.where}: {note.what} ({note.count})" for note in score.notes),
        **_benchmarks(score),
        "passed": None
        if score.rubric.pass_mark is None
        else "yes"
        if score.overall >= score.rubric.pass_mark
        else "no",
    }


def _benchmarks(score: SubmissionScore) -> dict[str, object]:
    """Figures of benchmarks, where they apply."""
    known = score.benchmarks
    row: dict[str, object] = {}
    if known.detection is not None:
        row |= {"ap": known.detection.ap, "ap50": known.detection.ap50}
    if known.shape_detection is not None:
        row |= {"shape_ap": known.shape_detection.ap, "shape_ap50": known.shape_detection.ap50}
    if known.tracking is not None:
        row |= {name: getattr(known.tracking, name) for name in ("hota", "mota", "idf1")}
    if known.conflicts is not None:
        row["conflicts"] = sum(known.conflicts.counts().values())
    return row


def details_csv(score: SubmissionScore) -> str:
    """A row per match, missed object and extra annotation, image by image."""
    names = list(dict.fromkeys(compared.rule.name for compared in score.comparisons))
    columns = [*DETAIL_COLUMNS, *(f"{name}: {what}" for name in names for what in ("truth", "submission", "alike"))]
    return "".join(csv_lines(columns, ([row.get(column) for column in columns] for row in _detail_rows(score))))


def _detail_rows(score: SubmissionScore) -> Iterator[dict[str, object]]:
    for image in score.image_scores():
        for match in score.matches(image.index):
            yield {
                **{"image": match.image, "result": "matched", "overridden": match.score != match.original_score},
                **{"truth_id": match.truth_id, "truth_label": match.truth_label},
                **{"submission_id": match.student_id, "submission_label": match.student_label},
                **{name: getattr(match, name) for name in ("by_key", "localisation", "label", "attributes")},
                **{"score": match.score, "original_score": match.original_score},
                "truth_bounds": _bounds_text(score.truth, match.truth),
                "submission_bounds": _bounds_text(score.submission, match.student),
                **{f"{compared.name}: truth": compared.truth for compared in match.comparisons},
                **{f"{compared.name}: submission": compared.student for compared in match.comparisons},
                **{f"{compared.name}: alike": compared.similarity for compared in match.comparisons},
            }
        for miss in score.misses(image.index):
            yield {
                **{"image": miss.image, "result": "missed", "why": miss.why.word, "overridden": miss.excused},
                **{"truth_id": miss.truth_id, "truth_label": miss.label, "submission_id": miss.student_id},
                "localisation": 100 * miss.similarity,
                "truth_bounds": _bounds_text(score.truth, miss.truth),
            }
        for extra in score.extras(image.index):
            yield {
                **{"image": extra.image, "result": "extra", "why": extra.why.word, "overridden": extra.accepted},
                **{"truth_id": extra.truth_id, "submission_id": extra.student_id, "submission_label": extra.label},
                "localisation": 100 * extra.similarity,
                "submission_bounds": _bounds_text(score.submission, extra.student),
            }


def _bounds_text(annotations: AnnotationSet, place: int) -> str:
    return ";".join(f"{edge:.6g}" for edge in bounds_of(annotations, place))
