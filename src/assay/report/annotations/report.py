"""All submissions of a task as one report, for the trainer."""

from collections.abc import Mapping
from math import nan

import numpy as np

from assay.annotations.grading.graded import Graded
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.annotations.errors import confusion_section, errors_section, hardest_section, shared_section
from assay.report.annotations.overlay import PhotoOf
from assay.report.annotations.ranking import lost_points, ranking_section
from assay.report.annotations.student import LOST_TO
from assay.report.annotations.words import (
    FIGURES,
    POINTS,
    failures,
    files_table,
    footer,
    problem_table,
    provenance_section,
    rules_section,
    set_row,
    told_notes,
    weight_words,
)
from assay.report.document.document import Block, Document, KeyFigure, Paragraph, Section
from assay.report.document.phrases import counted, date_words, listed, number_word, sentence


def batch_report(
    graded: Graded, *, photo_of: PhotoOf, provenance: Provenance, pages: Mapping[str, str] | None = None
) -> Document:
    """The whole report; `pages`: student -> the address of their own report, where there is one."""
    rubric = next(iter(graded.batch.scores.values())).rubric
    return Document(
        title="Annotation grades",
        subtitle=_subtitle(graded, provenance),
        verdict_lead=verdict_lead(graded),
        verdict_rest=verdict_rest(graded),
        key_figures=tuple(_key_figure(graded, name, weight_words(rubric)) for name in FIGURES),
        figures_note="The mean over the students, of 100; below it and as a line the lowest and the highest student.",
        sections=(
            ranking_section(graded.batch, graded.intervals, graded.feedback, pages or {}),
            confusion_section(graded.batch),
            hardest_section(graded.batch, photo_of),
            errors_section(graded.batch),
            shared_section(graded.shared, len(graded.batch.scores)),
            rules_section(rubric),
            _files_section(graded),
            provenance_section(provenance),
        ),
        footer=footer(provenance),
    )


def _subtitle(graded: Graded, provenance: Provenance) -> str:
    truth = graded.batch.truth.annotations
    counts = f"{counted(len(graded.batch.scores), 'submission')}, {counted(len(truth.images), 'image')}"
    objects = counted(int(np.count_nonzero(graded.batch.truth.to_be_found)), "object")
    day = f" {date_words(provenance.made)}." if provenance.made else ""
    return f"{counts}, {objects} in the ground truth.{day}"


def verdict_lead(graded: Graded) -> str:
    """How the students did, in one sentence."""
    ranking = graded.batch.ranking
    best, worst = ranking[0], ranking[-1]
    if len(ranking) == 1:
        return f"{best.name} scores {best.score.value:.0f} of 100."
    mean = float(np.mean([ranked.score.value for ranked in ranking]))
    return (
        f"The average is {mean:.0f} of 100: from {worst.score.value:.0f} ({worst.name}) to {best.score.value:.0f} "
        f"({best.name})."
    )


def verdict_rest(graded: Graded) -> str:
    """Where most points went, what is systematic, what could not be read, what to ask."""
    lost = lost_points(graded.batch)
    parts = []
    cause, points = max(lost.items(), key=lambda item: item[1])
    if points >= 0.5:
        parts.append(f"Most points went to {LOST_TO[cause]}: {points:.1f} of {sum(lost.values()):.1f} lost on average.")
    advised = [name for name, feedback in graded.feedback.items() if feedback.advice]
    if advised:
        who = f"{sentence(number_word(len(advised)))[:-1]} of {counted(len(graded.feedback), 'student')}"
        parts.append(f"{who} {'errs' if len(advised) == 1 else 'err'} in a systematic way.")
    if graded.failed:
        names = listed(list(graded.failed), most=3, noun="file")
        parts.append(f"{counted(len(graded.failed), 'file')} could not be scored: {names}.")
    return " ".join(parts)


def _key_figure(graded: Graded, name: str, weights: Mapping[str, str]) -> KeyFigure:
    values = np.array([figures[name].value for figures in graded.intervals.values()])
    known = values[~np.isnan(values)]
    reason = next((f[name].reason for f in graded.intervals.values() if f[name].reason), "")
    ends = (float(known.min()), float(known.max())) if known.size > 1 else (nan, nan)
    mean = Estimate(float(known.mean()), *ends) if known.size else Estimate(reason=reason or "nothing to compare")
    remark = weights.get(name, counted(known.size, "student"))
    title, note = FIGURES[name]
    return KeyFigure(title, note, mean, number=POINTS, axis=(0.0, 100.0), remark=remark)


def _files_section(graded: Graded) -> Section:
    """The files, and what was wrong in them."""
    truth, scores = graded.batch.truth.annotations, graded.batch.scores
    rows = [set_row("ground truth", truth), *(set_row(name, score.submission) for name, score in scores.items())]
    problems = [("ground truth", problem) for problem in truth.problems]
    for name, score in scores.items():
        problems += [(name, note) for whose, note in told_notes(score) if whose != "ground truth"]
    table = problem_table("problems", "Problems in the files", problems)
    rest: Block = table or Paragraph("Nothing else in the files was out of order.")
    return Section("Files", (*failures(graded.failed), files_table(rows), rest))
