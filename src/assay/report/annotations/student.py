"""A submission as a report for the student who made it."""

from math import isnan

import numpy as np

from assay.annotations.grading.class_scores import class_scores
from assay.annotations.grading.explanation import ScoreComponent, answers, explain, improvements, losses
from assay.annotations.grading.graded import StudentGrade
from assay.annotations.grading.result import SubmissionScore
from assay.provenance import Provenance
from assay.report.annotations.findings import RESULT_WORDS, ImageFinding, findings_on
from assay.report.annotations.overlay import PhotoOf, objects_words, submission_overlay
from assay.report.annotations.words import (
    FIGURES_NOTE,
    POINTS,
    files_table,
    footer,
    key_figures,
    problem_table,
    provenance_section,
    rules_section,
    set_row,
    told_notes,
)
from assay.report.document.document import (
    INTEGER,
    Block,
    Breakdown,
    BreakdownRow,
    Column,
    Disclosure,
    Document,
    Number,
    Overlay,
    Paragraph,
    Row,
    Section,
    Strong,
    Subheading,
    Table,
)
from assay.report.document.phrases import be, counted, date_words, listed, p_words

TIMES = "\u2009\u00d7\u2009"
FINE = Number(decimals=2)


def breakdown_blocks(score: SubmissionScore) -> tuple[Block, ...]:
    """The picture, and behind a disclosure the same match by match."""
    if score.tally.vacuous:
        return (
            Paragraph("There was nothing to find and nothing was drawn: 100 points, which say nothing about the work."),
        )
    return (breakdown(score), *_match_by_match(score))


def breakdown(score: SubmissionScore) -> Breakdown:
    """Quality and completeness, the parts of each, and the total."""
    rows = (*_quality_rows(score), *_completeness_rows(score))
    total = score.overall
    summary = "; ".join(f"{row.label.strip()} {row.points:+.1f}" for row in rows)
    return Breakdown(
        name="breakdown",
        title="How the score adds up",
        says=_says(score),
        alt=f"Parts laid end to end from 0 to {total:.1f} points: {summary}; score {total:.1f}.",
        rows=(*rows, BreakdownRow("Score", "of 100", 0.0, total, kind="whole")),
    )


def _says(score: SubmissionScore) -> str:
    q, c = score.rubric.weights.of_overall
    tally = score.tally
    quality = tally.quality if tally.matched else 0.0
    return (
        f"{quality:.1f} × {q:.3g} for the quality of what was matched and {tally.completeness:.1f} × {c:.3g} for "
        f"completeness make {score.overall:.1f}. Each missed object and each extra annotation takes points back."
    )


def _quality_rows(score: SubmissionScore) -> tuple[BreakdownRow, ...]:
    q, _ = score.rubric.weights.of_overall
    tally = score.tally
    quality = tally.quality if tally.matched else 0.0
    top = BreakdownRow("Match quality", f"{quality:.1f}{TIMES}{q:.3g}", 0.0, q * quality)
    if not tally.matched:
        return (top,)
    parts = np.column_stack([score.localisation, score.label, np.nan_to_num(score.attributes, nan=1.0)])
    reached, weights = 100 * parts.mean(axis=0), score.match_weights.mean(axis=0)
    points = 100 * q * (score.match_weights * parts).mean(axis=0)
    ends = np.cumsum(points)
    even = bool(np.allclose(score.match_weights, score.match_weights[0]))
    none = int(np.count_nonzero(np.isnan(score.attributes)))
    rest = {"Attributes": f"; {none:,} have none"} if none and even else {}
    rows = [
        BreakdownRow(
            name,
            (f"{reached[i]:.1f}{TIMES}{weights[i]:.3g}{TIMES}{q:.3g}" if even else f"{reached[i]:.1f} reached")
            + rest.get(name, ""),
            float(ends[i] - points[i]),
            float(ends[i]),
            1,
            "piece",
        )
        for i, name in enumerate(("Place", "Label", "Attributes"))
    ]
    if abs(q * quality - ends[-1]) > 1e-9:
        rows.append(BreakdownRow("Overrides", "by a person", float(ends[-1]), q * quality, 1, "piece"))
    return (top, *rows)


def _completeness_rows(score: SubmissionScore) -> tuple[BreakdownRow, ...]:
    q, c = score.rubric.weights.of_overall
    tally, lost = score.tally, losses(score)
    start = q * tally.quality if tally.matched else 0.0
    full = start + 100 * c
    rows = [
        BreakdownRow("Completeness", f"{tally.completeness:.1f}{TIMES}{c:.3g}", start, start + c * tally.completeness),
        BreakdownRow("All found, no extra", f"100{TIMES}{c:.3g}", start, full, 1, "piece"),
    ]
    if tally.missed:
        rows.append(BreakdownRow(f"{tally.missed:,} missed", f"recall {tally.recall:.1f}", full, full - lost.missed, 1))
    after = full - lost.missed
    if tally.extra:
        note = f"precision {tally.precision:.1f}"
        rows.append(BreakdownRow(f"{tally.extra:,} extra", note, after, after - lost.extra, 1))
    return tuple(rows)


def _match_by_match(score: SubmissionScore) -> tuple[Block, ...]:
    """The matches that cost most, one by one."""
    quality = next((p for p in explain(score).children if p.name == "average match quality"), None)
    if quality is None or not quality.children:
        return ()
    columns = (
        Column("Match"),
        *(Column(name, "number", POINTS) for name in ("Place", "Label", "Attributes", "Match score")),
        Column("Points of the score", "number", FINE),
    )
    table = Table(
        "matches_by_points",
        f"The {len(quality.children)} parts of match quality; their points add up to {quality.points:.1f}",
        columns,
        tuple(_match_row(part) for part in quality.children),
        foot=(("Match quality", None, None, None, quality.value, quality.points),),
    )
    return (Disclosure("Match by match, those that cost most first", (table,)),)


def _match_row(part: ScoreComponent) -> Row:
    values: list[float | None] = [child.value for child in part.children[:3]]
    values += [None] * (3 - len(values))
    return (part.name, *values, part.value, part.points)


MOST_IMAGES = 40
"""Pictures in a report; the images with the lowest scores come first."""
MOST_ROWS = 14
"""With more findings on an image their table is folded."""

LOST_TO = {
    "localisation": "inexact shapes",
    "label": "labels",
    "attributes": "attributes",
    "missed": "missed objects",
    "extra": "extra annotations",
    "nothing_matched": "having matched nothing",
    "override": "overrides",
}


def student_report(student: StudentGrade, *, photo_of: PhotoOf, provenance: Provenance) -> Document:
    """The whole report, addressed to the student."""
    score = student.result
    remark = f"place {student.place} of {student.of}" if student.of > 1 else "no threshold"
    return Document(
        title=f"Annotations of {student.name}",
        subtitle=_subtitle(student, provenance),
        verdict_lead=objects_words(score.tally.matched, _objects(score), score.tally.extra, you=True),
        verdict_rest=_rest(student),
        key_figures=key_figures(student.figures, score.rubric, remark),
        figures_note=FIGURES_NOTE,
        sections=(
            Section("Why this score", breakdown_blocks(score)),
            _next_section(student),
            Section("Questions and answers", tuple(_answers(score))),
            _images_section(score, photo_of),
            _kinds_section(score),
            rules_section(score.rubric),
            _files_section(score),
            provenance_section(provenance),
        ),
        footer=footer(provenance),
    )


def _objects(score: SubmissionScore) -> int:
    return score.tally.matched + score.tally.missed


def _subtitle(student: StudentGrade, provenance: Provenance) -> str:
    images = counted(int(student.result.in_scope.sum()), "image")
    day = f" {date_words(provenance.made)}." if provenance.made else ""
    return f"{images}, {counted(_objects(student.result), 'object')} in the ground truth.{day}"


def _rest(student: StudentGrade) -> str:
    """The score, what differs, and where most points went."""
    score, overall = student.result, student.figures["overall"]
    doubt = "" if isnan(overall.low) else f" ({overall.low:.0f} to {overall.high:.0f})"
    parts = [f"Your score is {score.rounded} of 100{doubt}."]
    labels = int(np.count_nonzero(score.label < 1))
    values = sum(int(np.count_nonzero(compared.similarity < 1)) for compared in score.comparisons)
    differ = [counted(n, noun) for n, noun in ((labels, "label"), (values, "attribute")) if n]
    if differ:
        parts.append(f"{listed(differ)} {be(labels + values)} different from the ground truth.")
    cause, points = max(losses(score).items(), key=lambda item: item[1])
    if points >= 0.5:
        parts.append(f"Most points went to {LOST_TO[cause]}: {points:.1f}.")
    return " ".join(parts)


def _next_section(student: StudentGrade) -> Section:
    """What would help, and what is systematic, with its evidence."""
    gains = improvements(student.result)
    feedback = student.feedback
    blocks: list[Block] = [
        Paragraph(" ".join(gains) if gains else "There is nothing left to gain: every point is yours.")
    ]
    for advice in feedback.advice:
        where = f" See {listed(list(advice.images), most=3, noun='image')}." if advice.images else ""
        evidence = f" ({counted(advice.evidence.n, 'case')}, adjusted p {p_words(advice.evidence.p)}.)"
        if advice.reworded:
            blocks.append(Paragraph((Strong(advice.reworded), " In a language model's words; as computed:")))
        blocks.append(Paragraph((Strong(advice.sentence), f"{where}{evidence}")))
    checks = counted(feedback.checks, "check")
    if not feedback.checks:
        habits = "There is too little work to tell habits from slips, so no habit is named."
    elif feedback.advice:
        habits = (
            f"{checks} for habits were made; what is said here would be chance in at most one submission of twenty."
        )
    else:
        habits = f"{checks} for habits were made and none stood out: the errors look like single slips."
    return Section("What to do next", (*blocks, Paragraph(habits, quiet=True)))


def _answers(score: SubmissionScore) -> list[Block]:
    """The questions of the scoring plan's section 7, those that this work gives reason to ask first."""
    asked = sorted(answers(score), key=lambda answer: not answer.applies)
    blocks: list[Block] = []
    for answer in asked:
        blocks += [Subheading(answer.question), Paragraph(answer.answer)]
    return blocks


def _images_section(score: SubmissionScore, photo_of: PhotoOf) -> Section:
    images = sorted((i for i in score.image_scores() if not i.tally.vacuous), key=lambda i: (i.tally.score, i.index))
    shown = images[:MOST_IMAGES]
    blocks: list[Block] = []
    pictures = 0
    for image in shown:
        findings = findings_on(score, image.index)
        overlay = submission_overlay(score, image.index, findings, photo_of)
        pictures += isinstance(overlay, Overlay) and overlay.photo is not None
        blocks += [overlay] if overlay is not None else [Subheading(image.name)]
        blocks.append(_folded(_findings_table(image.name, findings)))
    return Section("Image by image", (Paragraph(_images_words(len(images), len(shown), pictures)), *blocks))


def _images_words(images: int, shown: int, pictures: int) -> str:
    if not images:
        return "No image has an object or an annotation."
    order = "The image with the lowest score comes first." if images > 1 else ""
    left_out = (
        f" The {shown} with the lowest scores are shown of {images:,}; the table of details has all."
        if images > shown
        else ""
    )
    plain = (
        "" if pictures == shown else f" {counted(shown - pictures, 'image')} drawn on a plain canvas of the same size."
    )
    return f"{order}{left_out}{plain} The numbers are those of the table below each picture.".strip()


def _folded(table: Table) -> Block:
    if len(table.rows) <= MOST_ROWS:
        return table
    return Disclosure(f"All {len(table.rows)} findings on this image", (table,))


def _findings_table(image: str, findings: tuple[ImageFinding, ...]) -> Table:
    columns = (
        Column("Finding"),
        Column("Result"),
        Column("Place", "number", POINTS),
        Column("Score", "number", POINTS),
        Column("What differs"),
    )
    rows = tuple(
        (
            f"{f.number} {f.label}",
            RESULT_WORDS[f.result],
            None if isnan(f.localisation) else f.localisation,
            None if isnan(f.score) else f.score,
            f.remark or "nothing",
        )
        for f in findings
    )
    return Table("findings", f"Findings on {image}", columns, rows)


def _kinds_section(score: SubmissionScore) -> Section:
    """Errors by kind, and the classes."""
    kinds = score.errors()
    blocks: list[Block] = [Paragraph(f"{counted(sum(kinds.values()), 'error')} of {counted(len(kinds), 'kind')}.")]
    if kinds:
        columns = (Column("Kind of error"), Column("Times", "number", INTEGER), Column("What it means"))
        rows = tuple((kind.word, count, kind.meaning) for kind, count in kinds.items())
        blocks.append(Table("error_kinds", "Kinds of error; a match may have several", columns, rows))
    blocks.append(_class_table(score))
    return Section("Errors and classes", tuple(blocks))


def _class_table(score: SubmissionScore) -> Table:
    columns = (
        Column("Class"),
        *(Column(name, "number", INTEGER) for name in ("Matched", "Missed", "Extra", "Right label")),
        Column("Place", "number", POINTS, undefined="none matched"),
        Column("Score", "number", POINTS),
    )
    rows = tuple(
        (c.label, c.tally.matched, c.tally.missed, c.tally.extra, c.named, c.localisation, c.tally.score)
        for c in class_scores(score)
    )
    return Table("classes", "Class by class", columns, rows)


def _files_section(score: SubmissionScore) -> Section:
    rows = [set_row("ground truth", score.truth), set_row("submission", score.submission)]
    blocks: list[Block] = [files_table(rows)]
    if score.not_scored:
        columns = (Column("Left out"), Column("Annotations", "number", INTEGER))
        blocks.append(Table("not_scored", "Annotations that are not scored", columns, tuple(score.not_scored.items())))
    table = problem_table("problems", "Problems in the files", told_notes(score))
    blocks.append(table or Paragraph("Nothing in the files was out of order."))
    return Section("Files", tuple(blocks))
