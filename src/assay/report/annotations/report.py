"""All submissions of a task as one report, for the trainer: who stands where, how surely, and why."""

from collections.abc import Mapping
from itertools import islice, pairwise
from math import isnan, nan

import numpy as np

from assay.annotations.diagnosis.feedback import Feedback
from assay.annotations.grading.explanation import compare_students, losses, mean_place, puzzling
from assay.annotations.grading.graded import NO_SPREAD, Batch, Graded, RankedStudent
from assay.annotations.grading.roster import STATES
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.annotations import words
from assay.report.annotations.errors import confusion_section, errors_section, hardest_section, shared_section
from assay.report.annotations.overlay import PhotoOf
from assay.report.charts.charts import Bar, Bars, IntervalPlot, IntervalRow, Series
from assay.report.document.document import Block, Document, KeyFigure, Paragraph, Section, Subheading
from assay.report.document.values import INTEGER, Column, Link, Spans, Table, columns_of
from assay.report.document.wording import be, counted, listed, number_word, sentence

ENOUGH_FOR_DISTRIBUTION = 3
ENOUGH_FOR_QUARTILES = 8
NARROW = 40
"""Scores that span at most this are shown in bands of 5 points, others in bands of 10."""
MOST_COMPARED = 3
ENDS = 30
"""Students drawn at each end of a ranking too long to draw."""


def ranking_section(graded: Graded, pages: Mapping[str, str]) -> Section:
    """The ranking with intervals, the table, what each student should hear."""
    batch = graded.batch
    drew = tuple(ranked for ranked in batch.ranking if ranked.name in batch.counted)
    blocks: list[Block] = [_plot(drew), _table(batch, graded.intervals, pages)]
    if len(drew) >= ENOUGH_FOR_DISTRIBUTION:
        blocks.insert(0, _distribution(drew))
    return Section("Students", (*blocks, *_advice(graded.feedback, pages), *_compared(batch)))


def _plot(ranking: tuple[RankedStudent, ...]) -> IntervalPlot:
    shown, more = ranking, ""
    if len(ranking) > 2 * ENDS:
        shown = ranking[:ENDS] + ranking[-ENDS:]
        more = f" Drawn are the first and the last {ENDS} of {counted(len(ranking), 'student')}; the table has all."
    ends = [s.score.low for s in ranking if not isnan(s.score.low)] + [s.score.value for s in ranking]
    low = max(0.0, 10.0 * (min(ends) // 10)) if ends else 0.0
    summary = "; ".join(f"{s.name} {s.score.value:.1f}" for s in ranking[:50])
    return IntervalPlot(
        name="ranking",
        title="Ranking",
        says=_how_sure(ranking) + more,
        alt=f"Scores with their intervals, best first: {summary}.",
        rows=tuple(IntervalRow(f"{s.place} {s.name}", (s.score,)) for s in shown),
        series=(Series("Score", "neutral"),),
        row_title="Student",
        axis_title="Score of 100, with its 95\u00a0% interval over images",
        number=words.POINTS,
        axis=(low if low < 90 else 80.0, 100.0),
    )


def _how_sure(ranking: tuple[RankedStudent, ...]) -> str:
    """How many neighbors the intervals cannot tell apart."""
    if len(ranking) == 1:
        return "One student; the line is how far the score could have come out otherwise on other images."
    scores = [ranked.score for ranked in ranking]
    # the score itself where all images are alike; NaN where there are too few
    known = [(s.value, s.value) if s.reason == NO_SPREAD else (s.low, s.high) for s in scores]
    if all(isnan(low) for low, _ in known):
        return "There are too few images for intervals, so the order may be chance."
    if len({round(score.value, 9) for score in scores}) == 1:
        return "All have the same score."
    pairs = list(pairwise(known))
    unsure = sum(1 for (low, _), (_, high) in pairs if not low > high)
    otherwise = "order could have come out otherwise on other images."
    if not unsure:
        return "The intervals of neighbors do not touch: the order is clear."
    if len(pairs) == 1:
        return f"The two intervals overlap: the {otherwise}"
    which = "all" if unsure == len(pairs) else f"{number_word(unsure)} of {number_word(len(pairs))}"
    return f"Between neighbors the intervals overlap in {which} cases: there the {otherwise}"


def _table(batch: Batch, figures: Mapping[str, Mapping[str, Estimate]], pages: Mapping[str, str]) -> Table:
    names = ("quality", "completeness", "localisation", "label", "attributes")
    columns = columns_of(
        "Student",
        ("Place", INTEGER),
        ("Score", "estimate", words.POINTS),
        ("Found", INTEGER),
        ("Missed", INTEGER),
        ("Extra", INTEGER),
        *(
            Column(title, "number", words.POINTS, undefined="nothing to compare")
            for title in ("Quality", "Complete", "Localization", "Label", "Attributes")
        ),
    )
    rows = []
    for ranked in batch.ranking:
        tally = batch.scores[ranked.name].tally
        values = (figures[ranked.name][name].value for name in names)
        counts = (tally.matched, tally.missed, tally.extra)
        rows.append((_named(ranked.name, pages), ranked.place, ranked.score, *counts, *values))
    return Table("students", "Students, best first", columns, tuple(rows))


def _named(name: str, pages: Mapping[str, str]) -> Spans:
    return (Link(name, pages[name]),) if name in pages else name


def _distribution(ranking: tuple[RankedStudent, ...]) -> Bars:
    values = [ranked.score.value for ranked in ranking]
    width = 5 if max(values) - min(values) <= NARROW else 10
    counts, names = [0] * (100 // width), [f"{at} to {at + width}" for at in range(0, 100, width)]
    for value in values:
        counts[min(len(counts) - 1, int(value // width))] += 1
    filled = [at for at, count in enumerate(counts) if count]
    low, high = np.quantile(values, (0.25, 0.75))
    middle = f"the middle half lies from {low:.0f} to {high:.0f}"
    if len(values) < ENOUGH_FOR_QUARTILES:
        middle = f"all lie from {min(values):.0f} to {max(values):.0f}"
    return Bars(
        name="distribution",
        title="Distribution of scores",
        says=f"Half of the students score {np.median(values):.0f} or more; {middle}.",
        alt="; ".join(f"{names[at]}: {counted(counts[at], 'student')}" for at in filled) + ".",
        bars=tuple(Bar(names[at], counts[at]) for at in range(filled[0], filled[-1] + 1)),
        bar_title="Score",
        count_title="Students",
    )


def _advice(feedback: Mapping[str, Feedback], pages: Mapping[str, str]) -> list[Block]:
    """The strongest findings about each student."""
    rows = [
        (_named(name, pages), advice.sentence, advice.gain)
        for name, own in feedback.items()
        for advice in own.advice[:2]
    ]
    if not rows:
        return [Paragraph("No student has a habit: the errors look like chance.", quiet=True)]
    caption = "The habits that cost each student most, in the words the student reads"
    heads = {"Student": None, "Advice": None, "Points": words.POINTS}
    return [Subheading("What to tell them"), words.table("advice", caption, heads, rows)]


def _compared(batch: Batch) -> list[Block]:
    """The scoring plan's question about two students, for the first pairs who give reason to ask it."""
    names = [ranked.name for ranked in batch.ranking]
    places = np.array([mean_place(batch.scores[name]) for name in names])
    scores = np.array([batch.scores[name].overall for name in names])
    pairs = (
        (first, names[i + 1 + k])
        for i, first in enumerate(names)
        for k in np.flatnonzero(puzzling(places[i + 1 :] - places[i], scores[i + 1 :] - scores[i]))
    )
    answers = [
        compare_students(batch.scores[first], batch.scores[second], (first, second))
        for first, second in islice(pairs, MOST_COMPARED)
    ]
    return [Subheading(answers[0].question), *(Paragraph(answer.answer) for answer in answers)] if answers else []


def batch_report(
    graded: Graded, *, photo_of: PhotoOf, provenance: Provenance, pages: Mapping[str, str] | None = None
) -> Document:
    """The whole report; `pages`: student -> the address of their own report, where there is one."""
    batch, ranking = graded.batch, graded.batch.ranking
    rubric = next(iter(batch.scores.values())).rubric
    submissions = counted(len(batch.scores), "submission")
    images = counted(len(batch.truth.annotations.images), "image")
    objects = counted(int(np.count_nonzero(batch.truth.to_be_found)), "object")
    drew = [ranked for ranked in ranking if ranked.name in batch.counted]
    (best, high), (worst, low) = ((one.name, one.score.value) for one in (drew[0], drew[-1]))
    mean = float(np.mean([ranked.score.value for ranked in ranking if ranked.name in batch.counted]))
    average = f"The average is {mean:.0f} of 100: from {low:.0f} ({worst}) to {high:.0f} ({best})."
    return Document(
        title="Annotation grades",
        subtitle=f"{submissions}, {images}, {objects} in the ground truth.{words.day_words(provenance)}",
        verdict_lead=average if len(ranking) > 1 else f"{best} scores {high:.0f} of 100.",
        verdict_rest=_rest(graded),
        key_figures=tuple(_key_figure(graded, name, words.weight_words(rubric)) for name in words.FIGURES),
        figures_note="The mean over the students, of 100; below it and as a line the lowest and the highest student.",
        sections=(
            *_roster_section(graded),
            ranking_section(graded, pages or {}),
            confusion_section(batch),
            hardest_section(batch, photo_of),
            errors_section(batch),
            shared_section(graded.shared, len(batch.scores)),
            words.rules_section(rubric),
            _files_section(graded),
            words.provenance_section(provenance),
        ),
        footer=words.footer(provenance),
    )


def _roster_section(graded: Graded) -> tuple[Section, ...]:
    """What was handed in and is not simply scored, the important first; nothing when there is no such thing."""
    rows = [
        (entry.student, entry.state, entry.detail or STATES[entry.state])
        for entry in graded.roster
        if entry.state != "scored" or entry.detail
    ]
    if not rows:
        return ()
    plain = len(graded.roster) - len(rows)
    says = f"{plain:,} of {counted(len(graded.roster), 'submission')} {be(plain)} scored without remark."
    heads = {"Student": None, "State": None, "What": None}
    return (Section("Handed in", (Paragraph(says), words.table("roster", "All others", heads, rows))),)


def _rest(graded: Graded) -> str:
    """Where most points went on average, what is systematic, what could not be read."""
    causes = [dict(losses(score).items()) for score in graded.batch.counted.values()]
    lost = {cause: float(np.mean([one[cause] for one in causes])) for cause in causes[0]}
    parts = []
    cause, points = max(lost.items(), key=lambda item: item[1])
    if points >= 0.5:
        parts.append(
            f"Most points were lost to {words.LOST_TO[cause]}: {points:.1f} of {sum(lost.values()):.1f} on average."
        )
    advised = [name for name, feedback in graded.feedback.items() if feedback.advice]
    if advised:
        who = f"{sentence(number_word(len(advised)))[:-1]} of {counted(len(graded.feedback), 'student')}"
        parts.append(f"{who} {'has' if len(advised) == 1 else 'have'} a habit that costs points.")
    if graded.failed:
        names = listed(list(graded.failed), most=3, noun="file")
        parts.append(f"{counted(len(graded.failed), 'file')} could not be scored: {names}.")
    return " ".join(parts)


def _key_figure(graded: Graded, name: str, weights: Mapping[str, str]) -> KeyFigure:
    values = np.array([graded.intervals[student][name].value for student in graded.batch.counted])
    known = values[~np.isnan(values)]
    reason = next((f[name].reason for f in graded.intervals.values() if f[name].reason), "")
    ends = (float(known.min()), float(known.max())) if known.size > 1 else (nan, nan)
    mean = Estimate(float(known.mean()), *ends) if known.size else Estimate(reason=reason or "nothing to compare")
    remark = weights.get(name, counted(known.size, "student"))
    title, note = words.FIGURES[name]
    return KeyFigure(title, note, mean, number=words.POINTS, axis=(0.0, 100.0), remark=remark)


def _files_section(graded: Graded) -> Section:
    """The files, and what was wrong in them."""
    truth, scores = graded.batch.truth.annotations, graded.batch.scores
    problems = [("ground truth", problem) for problem in truth.problems]
    for name, score in scores.items():
        problems += [(name, note) for whose, note in words.file_notes(score) if whose != "ground truth"]
    rest: Block = words.problem_table(problems) or Paragraph("Nothing else in the files was out of order.")
    files = words.files_table([("ground truth", truth), *((name, score.submission) for name, score in scores.items())])
    return Section("Files", (*words.failures(graded.failed), files, rest))
