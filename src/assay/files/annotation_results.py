"""The scores of annotations as files: results.json with everything, summary.csv, a CSV of details for each student."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from assay.annotations.annotation import AnnotationSet
from assay.annotations.attributes import Comparisons
from assay.annotations.batch import Batch
from assay.annotations.class_scores import class_scores, confusion, macro_average
from assay.annotations.error_kinds import ErrorKind
from assay.annotations.explanation import answers, explain, improvements, losses
from assay.annotations.feedback import Feedback, give_feedback
from assay.annotations.keypoint_report import report_keypoints
from assay.annotations.pseudocode import pseudocode
from assay.annotations.result import SubmissionScore
from assay.annotations.rubric import Rubric
from assay.annotations.score_intervals import intervals
from assay.annotations.score_parts import AttributeComparison, Extra, Match, Miss, Tally
from assay.annotations.shapes import Kind
from assay.annotations.shared_errors import shared_errors
from assay.files.output import write_csv
from assay.files.result_json import plain
from assay.files.rubric_toml import rubric_toml
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance

SCHEMA = "assay.annotations/1"
MOST_OBJECTS_LISTED = 100
MOST_READABLE = 20_000
"""Annotations; with more of them results.json is one line."""


@dataclass(frozen=True, eq=False, slots=True)
class Graded:
    """All submissions of a task: those that were scored, and why the others were not."""

    batch: Batch
    failed: Mapping[str, str]
    """Student -> what was wrong with the file."""
    intervals: Mapping[str, Mapping[str, Estimate]]
    feedback: Mapping[str, Feedback]

    @classmethod
    def of(cls, batch: Batch, failed: Mapping[str, str]) -> "Graded":
        figures = {name: intervals(score) for name, score in batch.scores.items()}
        return cls(batch, failed, figures, {name: give_feedback(score) for name, score in batch.scores.items()})


# ---- JSON ----------------------------------------------------------------------------------------------------------


def results_json(graded: Graded, provenance: Provenance) -> str:
    """Everything that is known about the submissions."""
    batch = graded.batch
    rubric = next(iter(batch.scores.values())).rubric
    places = {standing.name: standing.place for standing in batch.ranking}
    content = {
        "schema": SCHEMA,
        "provenance": plain(provenance),
        "rules": rules_content(rubric),
        "ground_truth": set_content(batch.truth.annotations),
        "students": [
            *(
                {"student": name, "place": places[name], "error": None, **student_content(graded, name)}
                for name in places
            ),
            *({"student": name, "place": None, "error": error} for name, error in graded.failed.items()),
        ],
        "confusion": _confusion(batch),
        "hardest_objects": [plain(asdict(item)) for item in batch.hardest_objects(MOST_OBJECTS_LISTED)],
        "hardest_images": [plain(asdict(item)) for item in batch.hardest_images(MOST_OBJECTS_LISTED)],
        "shared_errors": [plain(asdict(pair)) | {"question": pair.question} for pair in shared_errors(batch)],
    }
    annotations = sum(len(score.submission) for score in batch.scores.values())
    return dumped(content, readable=annotations <= MOST_READABLE)


def dumped(content: Mapping[str, Any], *, readable: bool = True) -> str:
    """JSON text. Indenting takes ten times as long, and nobody reads a million lines."""
    return json.dumps(content, indent=1 if readable else None, ensure_ascii=False, allow_nan=False) + "\n"


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


def student_content(graded: Graded, name: str) -> dict[str, Any]:
    """One student: score, parts, findings, feedback."""
    score = graded.batch.scores[name]
    return {
        "score": score.rounded,
        "figures": plain(graded.intervals[name]),
        "tally": plain(asdict(score.tally)),
        "original_score": plain(score.original.overall) if score.original else None,
        "submission": set_content(score.submission),
        "breakdown": plain(asdict(explain(score))),
        "losses": plain(dict(losses(score).items())),
        "answers": [asdict(answer) for answer in answers(score)],
        "improvements": list(improvements(score)),
        "feedback": plain(asdict(graded.feedback[name])),
        "errors": {kind.word: count for kind, count in score.errors().items()},
        "classes": [plain(asdict(line)) for line in class_scores(score)],
        "class_average": plain(macro_average(line.tally for line in class_scores(score))),
        "image_average": plain(macro_average(image.tally for image in score.image_scores())),
        "confusion": _table(confusion(score).labels, confusion(score).counts.tolist()),
        "images": [_image(score, image.index, image.name, image.tally) for image in score.image_scores()],
        "not_scored": score.not_scored,
        "notes": [asdict(note) for note in score.notes],
        "tracks": plain(asdict(score.tracks)) if score.tracks else None,
        "keypoints": plain(asdict(report_keypoints(score))) if _has_skeletons(score) else None,
    }


def _has_skeletons(score: SubmissionScore) -> bool:
    return bool((score.truth.kind == Kind.SKELETON).any())


def _image(score: SubmissionScore, index: int, name: str, tally: Tally) -> dict[str, Any]:
    return {
        "image": name,
        "listed": bool(score.listed[index]),
        "tally": plain(asdict(tally)),
        "matched": [_match_content(match) for match in score.matches(index)],
        "missed": [_unmatched(miss) | {"bounds": _bounds(score.truth, miss.truth)} for miss in score.misses(index)],
        "extra": [
            _unmatched(extra) | {"bounds": _bounds(score.submission, extra.student)} for extra in score.extras(index)
        ],
    }


def _match_content(match: Match) -> dict[str, Any]:
    # by hand: a batch may have a million of these, and `asdict` copies every one of their values
    values = {name: getattr(match, name) for name in _MATCH_FIELDS}
    values["attributes"] = plain(match.attributes)
    values["comparisons"] = [
        {name: plain(getattr(compared, name)) for name in _COMPARISON_FIELDS} for compared in match.comparisons
    ]
    return values


_MATCH_FIELDS = tuple(field.name for field in fields(Match))
_COMPARISON_FIELDS = tuple(field.name for field in fields(AttributeComparison))


def _unmatched(item: Miss | Extra) -> dict[str, Any]:
    return {field.name: getattr(item, field.name) for field in fields(item)} | {"why": item.why.word}


def _bounds(annotations: AnnotationSet, place: int) -> list[float]:
    """Left, top, width, height, as COCO has them."""
    left, top, right, bottom = annotations.bounds[place].tolist()
    return [left, top, right - left, bottom - top]


def _confusion(batch: Batch) -> dict[str, Any]:
    return _table(batch.confusion.labels, batch.confusion.counts.tolist())


def _table(labels: Sequence[str], counts: list[list[int]]) -> dict[str, Any]:
    return {"labels": list(labels), "counts": counts, "last_row": "extra", "last_column": "missed"}


# ---- CSV -----------------------------------------------------------------------------------------------------------

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


def write_summary(path: Path, graded: Graded) -> None:
    """A row per student, best first; those whose file could not be scored last."""
    rows = [_summary_row(graded, standing.place, standing.name) for standing in graded.batch.ranking]
    for name, error in graded.failed.items():
        rows.append({"student": name, "error": error})
    write_csv(path, SUMMARY_COLUMNS, ([row.get(column) for column in SUMMARY_COLUMNS] for row in rows))


def _summary_row(graded: Graded, place: int, name: str) -> dict[str, object]:
    score, found = graded.batch.scores[name], graded.intervals[name]
    tally, errors = score.tally, score.errors()
    lost = [value for _, value in losses(score).items()]
    names = [column for column in SUMMARY_COLUMNS if column.startswith("lost_to")]
    parts = {key: found[key].value for key in ("localisation", "label", "attributes")}
    return {
        **{"place": place, "student": name, "file": score.submission.source, "score": score.rounded},
        **{"overall": score.overall, "overall_low": found["overall"].low, "overall_high": found["overall"].high},
        "original_overall": (score.original or score).overall,
        **{"quality": tally.quality, "completeness": tally.completeness},
        **{"precision": tally.precision, "recall": tally.recall, **parts},
        **{"labels_right": int((score.label == 1).sum()), "labels_compared": score.label.size},
        "attributes_compared": sum(compared.rows.size for compared in score.comparisons),
        **{"objects": tally.matched + tally.missed, "matched": tally.matched},
        **{"missed": tally.missed, "extra": tally.extra, "images": int(score.in_scope.sum())},
        **dict(zip(names, lost, strict=True)),
        **{f"errors: {kind.word}": errors.get(kind, 0) for kind in ErrorKind},
        "feedback": " ".join(advice.sentence for advice in graded.feedback[name].advice),
        "problems": "; ".join(f"{note.where}: {note.what} ({note.count})" for note in score.notes),
    }


def write_details(path: Path, score: SubmissionScore) -> None:
    """A row per match, missed object and extra annotation, image by image."""
    names = list(dict.fromkeys(_attribute(compared) for compared in score.comparisons))
    columns = [*DETAIL_COLUMNS, *(f"{name}: {what}" for name in names for what in ("truth", "submission", "alike"))]
    write_csv(path, columns, ([row.get(column) for column in columns] for row in _detail_rows(score)))


def _attribute(compared: Comparisons) -> str:
    return compared.rule.name


def _detail_rows(score: SubmissionScore) -> Iterator[dict[str, object]]:
    for image in score.image_scores():
        yield from (_match_row(score, match) for match in score.matches(image.index))
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


def _match_row(score: SubmissionScore, match: Match) -> dict[str, object]:
    row: dict[str, object] = {
        **{"image": match.image, "result": "matched", "truth_id": match.truth_id, "truth_label": match.truth_label},
        **{"submission_id": match.student_id, "submission_label": match.student_label, "by_key": match.by_key},
        **{"localisation": match.localisation, "label": match.label, "attributes": match.attributes},
        **{"score": match.score, "original_score": match.original_score},
        "overridden": match.score != match.original_score,
        "truth_bounds": _bounds_text(score.truth, match.truth),
        "submission_bounds": _bounds_text(score.submission, match.student),
    }
    for compared in match.comparisons:
        row[f"{compared.name}: truth"] = compared.truth
        row[f"{compared.name}: submission"] = compared.student
        row[f"{compared.name}: alike"] = compared.similarity
    return row


def _bounds_text(annotations: AnnotationSet, place: int) -> str:
    return ";".join(f"{edge:.6g}" for edge in _bounds(annotations, place))
