"""The scores of annotations as results.json, summary.csv and details of each student; agreement as agreement.json."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from itertools import chain
from math import isnan
from typing import Any

from assay.annotations.agreement import Agreement
from assay.annotations.detection_metrics.validation_share import validation_share
from assay.annotations.grading.class_scores import (
    Confusion,
    class_scores,
    confusion,
    counts_by_threshold,
    macro_average,
    report_keypoints,
)
from assay.annotations.grading.explanation import answers, explain, improvements, losses
from assay.annotations.grading.graded import Graded, StudentGrade
from assay.annotations.grading.parts import AttributeComparison, Extra, ImageScore, Match, Miss
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.images import ABSENT
from assay.annotations.shapes.shapes import ShapeKind
from assay.io.annotations.rubric_toml import rubric_toml
from assay.io.results.result_json import plain
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
        "roster": [asdict(entry) for entry in graded.roster],
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
        "benchmarks": plain(asdict(score.benchmarks)),
        "by_threshold": plain(counts_by_threshold(score)),
        "validation": _validation(student),
        "keypoints": plain(asdict(report_keypoints(score))) if skeletons else None,
    }


def _validation(student: StudentGrade) -> dict[str, Any] | None:
    """Where the rules leave out images without a ground truth: what is to be expected of them."""
    score = student.result
    submitted, scored = int(score.listed.sum()), int((score.listed & score.in_scope).sum())
    if score.rubric.extra_images != "ignore" or submitted == scored:
        return None
    return dict(plain(asdict(validation_share(scored, submitted, student.figures["overall"]))))


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
