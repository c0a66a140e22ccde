"""The scores of annotations as results.json, summary.csv and details of each student; agreement as agreement.json."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from itertools import chain
from math import isnan
from pathlib import Path
from typing import Any

from assay.annotations.agreement import Agreement
from assay.annotations.diagnosis.error_kinds import ErrorKind
from assay.annotations.grading.class_scores import Confusion, class_scores, confusion, macro_average, report_keypoints
from assay.annotations.grading.explanation import answers, explain, improvements, losses
from assay.annotations.grading.graded import Graded, StudentGrade
from assay.annotations.grading.parts import AttributeComparison, Extra, ImageScore, Match, Miss
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.rubric.rubric import Rubric, pseudocode
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.images import ABSENT
from assay.annotations.shapes.shapes import ShapeKind
from assay.io.annotations.rubric_toml import rubric_toml
from assay.io.results.result_json import plain
from assay.io.tables.output import csv_lines, write_csv
from assay.provenance import Provenance

SCHEMA = "assay.annotations/1"
MOST_OBJECTS_LISTED = 100
_MATCH_FIELDS = tuple(field.name for field in fields(Match))
_COMPARISON_FIELDS = tuple(field.name for field in fields(AttributeComparison))
AGREEMENT_SCHEMA = "assay.agreement/1"


def results_json(graded: Graded, provenance: Provenance) -> str:
    """Everything that is known about the submissions."""
    students = (scored_student(student, indented=graded.indented) for student in graded.students())
    return "".join(results_pieces(graded, provenance, students))


def results_pieces(graded: Graded, provenance: Provenance, students: Iterable[str]) -> Iterator[str]:
    """The same text in pieces, so that no more than one student is held at a time.

    `students`: what `scored_student` makes of each, in the order of the ranking.
    """
    batch, indented = graded.batch, graded.indented
    rubric = next(iter(batch.scores.values())).rubric
    before = {
        "schema": SCHEMA,
        "provenance": plain(provenance),
        "rules": rules_content(rubric),
        "ground_truth": set_content(batch.truth.annotations),
    }
    after = {
        "confusion": _confusion(batch.confusion),
        "hardest_objects": [plain(asdict(item)) for item in batch.hardest_objects(MOST_OBJECTS_LISTED)],
        "hardest_images": [plain(asdict(item)) for item in batch.hardest_images(MOST_OBJECTS_LISTED)],
        "shared_errors": [plain(asdict(pair)) | {"question": pair.question} for pair in graded.shared],
    }
    failed = ({"student": name, "place": None, "error": error} for name, error in graded.failed.items())
    within = "\n  " if indented else ""  # an item of a list of the object that is the file
    yield dumped(before, indented=indented).removesuffix("}\n").rstrip("\n")
    yield ',\n "students": [' if indented else ', "students": ['
    between = within
    for student in chain(students, (_item(content, indented=indented) for content in failed)):
        yield between + student
        between = "," + (within or " ")
    yield "\n ]," if indented else "], "
    yield dumped(after, indented=indented).removeprefix("{")


def scored_student(student: StudentGrade, *, indented: bool) -> str:
    """One of the students of results.json."""
    known = {"student": student.name, "place": student.place, "error": None}
    return _item(known | student_content(student), indented=indented)


def _item(content: Mapping[str, Any], *, indented: bool) -> str:
    """JSON as it stands in a list of the object that is the file; text within it has no line ends of its own."""
    return dumped(content, indented=indented).removesuffix("\n").replace("\n", "\n  ")


def dumped(content: Mapping[str, Any], *, indented: bool = True) -> str:
    """JSON text. Indenting takes ten times as long, and nobody reads a million lines."""
    return json.dumps(content, indent=1 if indented else None, ensure_ascii=False, allow_nan=False) + "\n"


def rules_content(rubric: Rubric) -> dict[str, Any]:
    """The rules for machines, for editors and for people."""
    return {
        **plain(asdict(rubric)),
        "departures": list(rubric.departures()),
        "toml": rubric_toml(rubric),
        "in_words": pseudocode(rubric),
    }


def set_content(annotations: AnnotationSet) -> dict[str, Any]:
    """What a file holds, and what was wrong in it."""
    return {
        "file": annotations.source,
        "format": annotations.format,
        "images": len(annotations.images),
        "annotations": len(annotations),
        "kinds": annotations.counts(),
        "labels": list(annotations.labels),
        "problems": [asdict(problem) for problem in annotations.problems],
    }


def student_content(student: StudentGrade) -> dict[str, Any]:
    """One student: score, parts, findings, feedback."""
    score, images, classes = student.result, list(student.result.image_scores()), class_scores(student.result)
    skeletons = bool((score.truth.kind == ShapeKind.SKELETON).any())
    return {
        "score": score.rounded,
        "figures": plain(student.figures),
        "tally": plain(asdict(score.tally)),
        "original_score": plain(score.original.overall) if score.original else None,
        "submission": set_content(score.submission),
        "breakdown": plain(asdict(explain(score))),
        "losses": plain(dict(losses(score).items())),
        "answers": [asdict(answer) for answer in answers(score)],
        "improvements": list(improvements(score)),
        "feedback": plain(asdict(student.feedback)),
        "errors": student.errors,
        "classes": [plain(asdict(line)) for line in classes],
        "class_average": plain(macro_average(line.tally for line in classes)),
        "image_average": plain(macro_average(image.tally for image in images)),
        "confusion": _confusion(confusion(score)),
        "images": [_image_content(score, image) for image in images],
        "not_scored": score.not_scored,
        "notes": [asdict(note) for note in score.notes],
        "tracks": plain(asdict(score.tracks)) if score.tracks else None,
        "keypoints": plain(asdict(report_keypoints(score))) if skeletons else None,
    }


def _image_content(score: SubmissionScore, image: ImageScore) -> dict[str, Any]:
    truth, own, index = score.truth, score.submission, image.index
    return {
        "image": image.name,
        "listed": image.listed,
        "tally": plain(asdict(image.tally)),
        "matched": [_match_content(match) for match in score.matches(index)],
        "missed": [_unmatched(miss) | {"bounds": bounds_of(truth, miss.truth)} for miss in score.misses(index)],
        "extra": [_unmatched(extra) | {"bounds": bounds_of(own, extra.student)} for extra in score.extras(index)],
    }


def _match_content(match: Match) -> dict[str, Any]:
    # by hand: a batch may have a million of these, and `asdict` copies every one of their values
    values = {name: getattr(match, name) for name in _MATCH_FIELDS}
    values["attributes"] = plain(match.attributes)
    values["comparisons"] = [
        {name: plain(getattr(compared, name)) for name in _COMPARISON_FIELDS} for compared in match.comparisons
    ]
    return values


def _unmatched(item: Miss | Extra) -> dict[str, Any]:
    return {field.name: getattr(item, field.name) for field in fields(item)} | {"why": item.why.word}


def bounds_of(annotations: AnnotationSet, place: int) -> list[float]:
    """Left, top, width, height, as COCO has them."""
    left, top, right, bottom = annotations.bounds[place].tolist()
    return [left, top, right - left, bottom - top]


def _confusion(table: Confusion) -> dict[str, Any]:
    counts = table.counts.tolist()
    return {"labels": list(table.labels), "counts": counts, "last_row": "extra", "last_column": "missed"}


SUMMARY_COLUMNS = (
    *("place", "student", "file", "score", "overall", "overall_low", "overall_high", "original_overall"),
    *("quality", "completeness", "precision", "recall", "localisation", "label", "attributes"),
    *("labels_right", "labels_compared", "attributes_compared", "objects", "matched", "missed", "extra", "images"),
    *("lost_to_place", "lost_to_label", "lost_to_attributes", "lost_to_missed", "lost_to_extra", "lost_to_no_match"),
    *("lost_to_override", *(f"errors: {kind.word}" for kind in ErrorKind), "feedback", "problems", "error"),
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
    yield from map(_summary_row, graded.students())
    yield from ({"student": name, "error": error} for name, error in graded.failed.items())


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
    }


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


def agreement_json(
    agreement: Agreement, sets: Mapping[str, AnnotationSet], failed: Mapping[str, str], provenance: Provenance
) -> str:
    """Everything that is known about the agreement of annotators.

    Each object with what every annotator called it: a label, "not annotated", or null for an image not seen.
    """
    read = ({"name": name, "error": None, **set_content(own)} for name, own in sets.items())
    names, drawn = [*agreement.labels, "not annotated"], agreement.objects
    objects = []
    for row, image in enumerate(drawn.image.tolist()):
        members = zip(drawn.members[row].tolist(), sets.values(), strict=True)
        ids = [None if place == ABSENT else own.ids[place] for place, own in members]
        given = [None if isnan(answer) else names[int(answer)] for answer in agreement.answers[row].tolist()]
        objects.append({"image": drawn.images[image].name, "ids": ids, "answers": given})
    return dumped(
        {
            "schema": AGREEMENT_SCHEMA,
            "provenance": plain(provenance),
            "annotators": [*read, *({"name": name, "error": error} for name, error in failed.items())],
            "alpha": plain(agreement.alpha),
            "found": plain(agreement.same_objects.tolist()),
            "localisation": plain(agreement.localisation.tolist()),
            "label": plain(agreement.label.tolist()),
            "labels": list(agreement.labels),
            "objects": objects,
        }
    )
