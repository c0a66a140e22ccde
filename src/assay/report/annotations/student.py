"""A submission as a report for the student who made it."""

import re
from itertools import islice
from math import isnan

import numpy as np

from assay.annotations.grading.class_scores import class_scores
from assay.annotations.grading.explanation import answers, explain, improvements, losses, work_in_words
from assay.annotations.grading.graded import StudentGrade
from assay.annotations.grading.result import SubmissionScore
from assay.provenance import Provenance
from assay.report.annotations import words
from assay.report.annotations.benchmark_section import benchmark_section
from assay.report.annotations.findings import RESULT_WORDS, findings_on
from assay.report.annotations.overlay import MarkedShape, PhotoOf, overlay_of, submission_overlay
from assay.report.charts.charts import Breakdown, BreakdownRow
from assay.report.document.document import Block, Disclosure, Document, KeyFigure, Paragraph, Section, Subheading
from assay.report.document.overlay import Overlay, Role
from assay.report.document.values import INTEGER, Number, Strong, Table, columns_of
from assay.report.document.wording import be, counted, listed

TIMES = "\u2009\u00d7\u2009"


def breakdown(score: SubmissionScore) -> Breakdown:
    """Quality and completeness, the parts of each, and the total."""
    rows = (*_quality_rows(score), *_completeness_rows(score))
    tally, total, (q, c) = score.tally, score.overall, score.rubric.weights.of_overall
    summary = "; ".join(f"{row.label.strip()} {row.points:+.1f}" for row in rows)
    quality = tally.quality if tally.matched else 0.0
    says = (
        f"{quality:.1f} × {q:.3g} for the quality of what was matched and {tally.completeness:.1f} × {c:.3g} for "
        f"completeness make {total:.1f}. Each missed object and each extra annotation takes points back."
    )
    return Breakdown(
        name="breakdown",
        title="How the score adds up",
        says=says,
        alt=f"Parts laid end to end from 0 to {total:.1f} points: {summary}; score {total:.1f}.",
        rows=(*rows, BreakdownRow("Score", "of 100", 0.0, total, kind="whole")),
    )


def _quality_rows(score: SubmissionScore) -> tuple[BreakdownRow, ...]:
    q, _ = score.rubric.weights.of_overall
    quality = score.tally.quality if score.tally.matched else 0.0
    top = BreakdownRow("Match quality", f"{quality:.1f}{TIMES}{q:.3g}", 0.0, q * quality)
    if not score.tally.matched:
        return (top,)
    parts = np.column_stack([score.localisation, score.label, np.nan_to_num(score.attributes, nan=1.0)])
    reached, weights = 100 * parts.mean(axis=0), score.match_weights.mean(axis=0)
    points = 100 * q * (score.match_weights * parts).mean(axis=0)
    ends = np.cumsum(points)
    even = bool(np.allclose(score.match_weights, score.match_weights[0]))
    none = int(np.count_nonzero(np.isnan(score.attributes)))
    rows = []
    for i, name in enumerate(("Localization", "Label", "Attributes")):
        note = f"{reached[i]:.1f}{TIMES}{weights[i]:.3g}{TIMES}{q:.3g}" if even else f"{reached[i]:.1f} reached"
        note += f"; {none:,} have none" if name == "Attributes" and none and even else ""
        rows.append(BreakdownRow(name, note, float(ends[i] - points[i]), float(ends[i]), 1, "piece"))
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
    near_missed, near_extra = score.near_misses
    missed, extra, near = tally.missed - near_missed, tally.extra - near_extra, max(near_missed, near_extra)
    taken = (
        (missed, f"{missed:,} missed", f"recall {tally.recall:.1f}", lost.missed),
        (extra, f"{extra:,} extra", f"precision {tally.precision:.1f}", lost.extra),
        (near, counted(near, "near miss", "near misses"), "missed and extra", lost.near_miss),
    )
    after = full
    for count, label, note, points in taken:
        if count:
            rows.append(BreakdownRow(label, note, after, after - points, 1))
            after -= points
    return tuple(rows)


def _why_section(score: SubmissionScore) -> Section:
    """The tree of the scoring plan's section 6, laid end to end so that it adds up; the matches behind a disclosure."""
    title = "Why this score"
    if score.tally.vacuous:
        nothing = "There was nothing to find and nothing was drawn: 100 points, which say nothing about the work."
        return Section(title, (Paragraph(nothing),))
    quality = next(part for part in explain(score).children if part.name == "average match quality")
    if not quality.children:
        return Section(title, (breakdown(score),))
    rows = []
    for part in quality.children:
        values: list[float | None] = [*(child.value for child in part.children[:3]), None, None, None]
        rows.append((part.name, *values[:3], part.value, part.points))
    heads = ("Localization", "Label", "Attributes", "Match score")
    matches = Table(
        "matches_by_points",
        f"The {len(quality.children)} parts of match quality; their points add up to {quality.points:.1f}",
        columns_of("Match", *((name, words.POINTS) for name in heads), ("Points of the score", Number(decimals=2))),
        tuple(rows),
        foot=(("Match quality", None, None, None, quality.value, quality.points),),
    )
    folded = Disclosure("Match by match, those that cost most first", (matches,))
    return Section(title, (breakdown(score), folded))


MOST_IMAGES = 40
"""Pictures in a report; the images with the lowest scores come first."""
MOST_ROWS = 14
"""With more findings on an image their table is folded."""


def student_report(student: StudentGrade, *, photo_of: PhotoOf, provenance: Provenance) -> Document:
    """The whole report, addressed to the student."""
    score, rubric, tally = student.result, student.result.rubric, student.result.tally
    remark = f"place {student.place} of {student.of}" if student.of > 1 else "no threshold"
    remarks = words.weight_words(rubric) | {"overall": remark}
    # the questions of the scoring plan's section 7, those that this work gives reason to ask first
    asked = sorted(answers(score), key=lambda answer: not answer.applies)
    questions = [block for one in asked for block in (Subheading(one.question), Paragraph(one.answer))]
    images, objects = counted(int(score.in_scope.sum()), "image"), counted(tally.matched + tally.missed, "object")
    return Document(
        title=f"Annotations of {student.name}",
        subtitle=f"{images}, {objects} in the ground truth.{words.day_words(provenance)}",
        verdict_lead=_lead(student),
        verdict_rest=_rest(student),
        # what each figure counts stands where a verdict would
        key_figures=tuple(
            KeyFigure(title, note, student.figures[name], number=words.POINTS, axis=(0.0, 100.0), remark=remarks[name])
            for name, (title, note) in islice(words.FIGURES.items(), 3)  # their parts are in the breakdown
        ),
        figures_note="Each in points of 100, with its 95\u00a0% interval over images: how far it could have come out "
        "otherwise on other images of the same kind.",
        sections=(
            _next_section(student, photo_of),
            _why_section(score),
            Section("Questions and answers", tuple(questions)),
            _images_section(score, photo_of),
            _kinds_section(score),
            benchmark_section(score),
            words.rules_section(rubric),
            _files_section(score),
            words.provenance_section(provenance),
        ),
        footer=words.footer(provenance),
    )


MEASURE = re.compile(r" \((?:[\d.]+ to [\d.]+[^()]*|\d+ shapes)\)")
"""How sure a figure of advice is; too much for a headline."""


def _lead(student: StudentGrade) -> str:
    """The habit that costs most, or else what was found."""
    if not student.advice:
        return work_in_words(student.result)
    return MEASURE.sub("", student.advice[0].sentence)


def _rest(student: StudentGrade) -> str:
    """The score, what differs, and where most points went."""
    score, overall = student.result, student.figures["overall"]
    doubt = "" if isnan(overall.low) else f" ({overall.low:.0f} to {overall.high:.0f})"
    parts = [f"Your score is {score.rounded} of 100{doubt}."]
    if student.advice:
        parts = [f"Fixing this brings {student.advice[0].gain:.1f} points.", *parts, work_in_words(score)]
    labels = int(np.count_nonzero(score.label < 1))
    values = sum(int(np.count_nonzero(compared.similarity < 1)) for compared in score.comparisons)
    differ = [counted(n, noun) for n, noun in ((labels, "label"), (values, "attribute")) if n]
    if differ:
        parts.append(f"{listed(differ)} {be(labels + values)} different from the ground truth.")
    cause, points = max(losses(score).items(), key=lambda item: item[1])
    if points >= 0.5:
        parts.append(f"Most points were lost to {words.LOST_TO[cause]}: {points:.1f}.")
    return " ".join(parts)


def _habit_picture(student: StudentGrade, photo_of: PhotoOf) -> Overlay | None:
    """The image that shows the first habit best, with what shows it and nothing else."""
    score, advice = student.result, student.advice[0]
    image = next((i for i, one in enumerate(score.images) if advice.images and one.name == advice.images[0]), None)
    if image is None or not (advice.objects or advice.annotations):
        return None
    missed = set(score.missed.tolist())
    marked = []
    for t in advice.objects:
        label = score.truth.labels[score.truth.label[t]]
        role: Role = "missed" if t in missed and not advice.annotations else "truth"
        marked.append(MarkedShape(score.truth, t, role, f"ground truth: {label}"))
    for s in advice.annotations:
        label = score.submission.labels[score.submission.label[s]]
        role = "submission" if advice.objects else "extra"
        marked.append(MarkedShape(score.submission, s, role, f"yours: {label}"))
    return overlay_of(score.images[image], marked, photo_of, says=MEASURE.sub("", advice.sentence))


def _next_section(student: StudentGrade, photo_of: PhotoOf) -> Section:
    """The habits that cost most, what each costs and where to see it; without any, where single points were lost."""
    feedback = student.feedback
    blocks: list[Block] = []
    for advice in feedback.advice:
        where = f" See {listed(list(advice.images), most=3, noun='image')}." if advice.images else ""
        if advice.reworded:
            blocks.append(Paragraph((Strong(advice.reworded), " In a language model's words; as computed:")))
        blocks.append(Paragraph((Strong(advice.sentence), f" Fixing this brings {advice.gain:.1f} points.{where}")))
        if advice is feedback.advice[0] and (picture := _habit_picture(student, photo_of)) is not None:
            blocks.append(picture)
    if not feedback.advice:
        gains = improvements(student.result)
        said = " ".join(gains) if gains else "There is nothing left to gain: every point is yours."
        blocks.append(Paragraph(said))
    if not feedback.checks:
        blocks.append(Paragraph("There is too little work to tell a habit from a slip.", quiet=True))
    elif not feedback.advice:
        blocks.append(Paragraph("Your errors look like chance: none of them is a habit.", quiet=True))
    return Section("What to do next", tuple(blocks))


def _images_section(score: SubmissionScore, photo_of: PhotoOf) -> Section:
    images = sorted((i for i in score.image_scores() if not i.tally.vacuous), key=lambda i: (i.tally.score, i.index))
    shown = images[:MOST_IMAGES]
    blocks: list[Block] = []
    pictures = 0
    for image in shown:
        findings = findings_on(score, image.index)
        overlay = submission_overlay(score, image.index, findings, photo_of)
        pictures += overlay is not None and overlay.photo is not None
        blocks += [overlay] if overlay is not None else [Subheading(image.name)]
        rows = [
            (
                f"{f.number} {f.label}",
                RESULT_WORDS[f.result],
                f.remark or "nothing",
                *(None if isnan(figure) else figure for figure in (f.localisation, f.score)),
            )
            for f in findings
        ]
        heads = {
            "Finding": None,
            "Result": None,
            "What differs": None,  # before the figures: on a phone these are what may be out of sight
            "Localization": words.POINTS,
            "Score": words.POINTS,
        }
        own = words.table("findings", f"Findings on {image.name}", heads, rows)
        folded = Disclosure(f"All {len(rows)} findings on this image", (own,)) if len(rows) > MOST_ROWS else own
        blocks.append(folded)
    return Section("Image by image", (Paragraph(_images_words(len(images), len(shown), pictures)), *blocks))


def _images_words(images: int, shown: int, pictures: int) -> str:
    if not images:
        return "No image has an object or an annotation."
    said = ["The image with the lowest score comes first."] if images > 1 else []
    if images > shown:
        said.append(f"The {shown} with the lowest scores are shown of {images:,}; the table of details has all.")
    if pictures != shown:
        said.append(f"{counted(shown - pictures, 'image')} drawn on a plain canvas of the same size.")
    return " ".join([*said, "The numbers are those of the table below each picture."])


def _kinds_section(score: SubmissionScore) -> Section:
    """Errors by kind, and the classes."""
    kinds = score.errors()
    blocks: list[Block] = [Paragraph(f"{counted(sum(kinds.values()), 'error')} of {counted(len(kinds), 'kind')}.")]
    if kinds:
        heads: dict[str, words.Head] = {"Kind of error": None, "Times": INTEGER, "What it means": None}
        rows = [(kind.word, count, kind.meaning) for kind, count in kinds.items()]
        blocks.append(words.table("error_kinds", "Kinds of error; a match may have several", heads, rows))
    counts = dict.fromkeys(("Matched", "Missed", "Extra", "Right label"), INTEGER)
    heads = {"Class": None, **counts, "Localization": (words.POINTS, "none matched"), "Score": words.POINTS}
    classes = [
        (c.label, c.tally.matched, c.tally.missed, c.tally.extra, c.named, c.localisation, c.tally.score)
        for c in class_scores(score)
    ]
    return Section("Errors and classes", (*blocks, words.table("classes", "Class by class", heads, classes)))


def _files_section(score: SubmissionScore) -> Section:
    blocks: list[Block] = [words.files_table([("ground truth", score.truth), ("submission", score.submission)])]
    if score.not_scored:
        heads = {"Left out": None, "Annotations": INTEGER}
        blocks.append(words.table("not_scored", "Annotations that are not scored", heads, [*score.not_scored.items()]))
    problems = words.problem_table(words.file_notes(score))
    return Section("Files", (*blocks, problems or Paragraph("Nothing in the files was out of order.")))
