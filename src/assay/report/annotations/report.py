"""All submissions of a task as one report, for the trainer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from assay.annotations.diagnosis.feedback import Feedback
from assay.annotations.diagnosis.shared_errors import SharedErrors
from assay.annotations.grading.batch import Batch
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


@dataclass(frozen=True, eq=False, slots=True)
class BatchWork:
    """All scored submissions with what their report says."""

    batch: Batch
    figures: Mapping[str, Mapping[str, Estimate]]
    feedback: Mapping[str, Feedback]
    failed: Mapping[str, str]
    pages: Mapping[str, str]
    """Student -> the address of their own report; empty without such."""
    shared: Sequence[SharedErrors]


def batch_report(work: BatchWork, *, photo_of: PhotoOf, provenance: Provenance) -> Document:
    """The whole report."""
    rubric = next(iter(work.batch.scores.values())).rubric
    return Document(
        title="Annotation grades",
        subtitle=_subtitle(work, provenance),
        verdict_lead=verdict_lead(work),
        verdict_rest=verdict_rest(work),
        key_figures=tuple(_key_figure(work, name, weight_words(rubric)) for name in FIGURES),
        figures_note="The mean over the students, of 100; below it and as a line the lowest and the highest student.",
        sections=(
            ranking_section(work.batch, work.figures, work.feedback, work.pages),
            confusion_section(work.batch),
            hardest_section(work.batch, photo_of),
            errors_section(work.batch),
            shared_section(work.shared, len(work.batch.scores)),
            rules_section(rubric),
            _files_section(work),
            provenance_section(provenance),
        ),
        footer=footer(provenance),
    )


def _subtitle(work: BatchWork, provenance: Provenance) -> str:
    truth = work.batch.truth.annotations
    counts = f"{counted(len(work.batch.scores), 'submission')}, {counted(len(truth.images), 'image')}"
    objects = counted(int(np.count_nonzero(work.batch.truth.to_be_found)), "object")
    day = f" {date_words(provenance.made)}." if provenance.made else ""
    return f"{counts}, {objects} in the ground truth.{day}"


def verdict_lead(work: BatchWork) -> str:
    """How the students did, in one sentence."""
    standings = work.batch.ranking
    best, worst = standings[0], standings[-1]
    if len(standings) == 1:
        return f"{best.name} scores {best.score.value:.0f} of 100."
    mean = float(np.mean([standing.score.value for standing in standings]))
    return (
        f"The average is {mean:.0f} of 100: from {worst.score.value:.0f} ({worst.name}) to {best.score.value:.0f} "
        f"({best.name})."
    )


def verdict_rest(work: BatchWork) -> str:
    """Where most points went, what is systematic, what could not be read, what to ask."""
    lost = lost_points(work.batch)
    parts = []
    cause, points = max(lost.items(), key=lambda item: item[1])
    if points >= 0.5:
        parts.append(f"Most points went to {LOST_TO[cause]}: {points:.1f} of {sum(lost.values()):.1f} lost on average.")
    told = [name for name, feedback in work.feedback.items() if feedback.advice]
    if told:
        who = f"{sentence(number_word(len(told)))[:-1]} of {counted(len(work.feedback), 'student')}"
        parts.append(f"{who} {'errs' if len(told) == 1 else 'err'} in a systematic way.")
    if work.failed:
        names = listed(list(work.failed), most=3, noun="file")
        parts.append(f"{counted(len(work.failed), 'file')} could not be scored: {names}.")
    return " ".join(parts)


def _key_figure(work: BatchWork, name: str, weights: Mapping[str, str]) -> KeyFigure:
    values = np.array([figures[name].value for figures in work.figures.values()])
    known = values[~np.isnan(values)]
    reason = next((f[name].reason for f in work.figures.values() if f[name].reason), "")
    ends = (float(known.min()), float(known.max())) if known.size > 1 else (nan, nan)
    mean = Estimate(float(known.mean()), *ends) if known.size else Estimate(reason=reason or "nothing to compare")
    remark = weights.get(name, counted(known.size, "student"))
    title, note = FIGURES[name]
    return KeyFigure(title, note, mean, number=POINTS, axis=(0.0, 100.0), remark=remark)


def _files_section(work: BatchWork) -> Section:
    """The files, and what was wrong in them."""
    truth, scores = work.batch.truth.annotations, work.batch.scores
    rows = [set_row("ground truth", truth), *(set_row(name, score.submission) for name, score in scores.items())]
    problems = [("ground truth", problem) for problem in truth.problems]
    for name, score in scores.items():
        problems += [(name, note) for whose, note in told_notes(score) if whose != "ground truth"]
    table = problem_table("problems", "Problems in the files", problems)
    rest: Block = table or Paragraph("Nothing else in the files was out of order.")
    return Section("Files", (*failures(work.failed), files_table(rows), rest))
