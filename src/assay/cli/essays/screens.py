"""Models of essay scores and feedback on an essay, as a terminal shows them."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isnan
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from assay.cli.observer import console, number
from assay.essays.errors.catalogue import CATEGORIES
from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback
from assay.essays.feedback.notes import WritingNote
from assay.essays.models.scoring_model import ScoringModel
from assay.report.document.wording import printable
from assay.report.essays.feedback_report import quote, size_words
from assay.report.essays.words import (
    NAMES,
    doubt,
    label_words,
    quoted_example,
    raised_words,
    revision_lines,
    score_words,
    where_it_stands,
    written,
)
from assay.workflows.essays.feedback import FeedbackResult

AROUND = 32
"""Letters of context on each side of marked words."""
LONGEST_MARK = 48
MOST_NOTES = 60
"""Of one category on a screen; --html and --json have all."""

MOST_WEIGHTS = 12
"""Of a model with more features, as v.1.3 is, those without weight are not shown."""
MOST_EQUATIONS = 4
"""Weights of so many equations are shown; the file has all."""
UNDERLINES = {"grammar": "red", "usage": "blue", "mechanics": "magenta", "style": "yellow"}


def show_feedback(screen: Console, result: FeedbackResult) -> None:
    """All of it, nothing wider than the terminal; the essay's own words never act as markup."""
    feedback, score = result.feedback, result.score
    screen.print(Text.assemble((printable(result.name), "bold"), f": {size_words(feedback)}"))
    for advisory in feedback.advisories:
        said = f"{advisory.evidence}. {REMEDIES[advisory.name]}"
        screen.print()
        screen.print(Text.assemble((f"{TITLES[advisory.name]}: ", "bold"), printable(said)))
    if feedback.strengths:
        _heading(screen, "What works")
        for strength in feedback.strengths:
            quotes = [f"“{quote(feedback, place)}”" for place in strength.places[:1]]
            _item(screen, "+", f"{strength.name[0].upper()}{strength.name[1:]}.", [strength.fact, *quotes])
    if feedback.advice:
        _heading(screen, "What to work on")
        for place, advice in enumerate(feedback.advice, start=1):
            example = [quoted_example(feedback, advice.example).line()] if advice.example else []
            notes = ", ".join(map(str, advice.notes[:12])) + (", …" if len(advice.notes) > 12 else "")
            where = f" Note{'s' if len(advice.notes) > 1 else ''} {notes}." if advice.notes else ""
            title = advice.title if advice.title.endswith("?") else f"{advice.title}."
            _item(screen, str(place), title, [advice.why, *example, f"{advice.do}{where}"])
    if result.revision is not None:
        _heading(screen, "Since the last draft")
        for line in revision_lines(result.revision, score):
            screen.print(Text(printable(line)))
    if score is not None and feedback.can_be_read:
        _heading(screen, "Score")
        screen.print(Text(score_words(score)))
        if result.raising.raw is not None:
            screen.print(Text(raised_words(result.raising, score)))
    if feedback.can_be_read:
        _show_outline(screen, feedback)
    _show_notes(screen, feedback)
    if feedback.can_be_read:
        _show_levels(screen, feedback)


def _heading(screen: Console, title: str) -> None:
    screen.print()
    screen.print(Text(title, style="bold"))


def _item(screen: Console, mark: str, title: str, lines: Sequence[str]) -> None:
    said = Text.assemble((f"{title} ", "bold"), "\n".join(map(printable, lines)))
    row = Table.grid(padding=(0, 1))
    row.add_column(width=2, justify="right")
    row.add_column(ratio=1)
    row.add_row(Text(mark), said)
    screen.print(row)


def _show_outline(screen: Console, feedback: EssayFeedback) -> None:
    by = "a model’s reading; ? means less than 60 % sure" if feedback.labeller == "model" else "by place and cue words"
    _heading(screen, f"Outline ({by})")
    widest = max((len(label_words(part)) for part in feedback.outline), default=0)
    for part in feedback.outline:
        label = f"  {label_words(part):<{widest}}  "
        words = printable(quote(feedback, part.place))
        line = Text.assemble((label, "bold" if part.is_key else ""), words)
        screen.print(line, no_wrap=True, overflow="ellipsis")


def _show_notes(screen: Console, feedback: EssayFeedback) -> None:
    raw = feedback.text.raw
    line_starts = [0, *(place + 1 for place, letter in enumerate(raw) if letter == "\n")]
    ordered = sorted(feedback.notes, key=lambda note: CATEGORIES.index(note.category))
    for category, group in groupby(ordered, key=lambda note: note.category):
        notes = list(group)
        _heading(screen, f"{category.capitalize()}: {len(notes):,}")
        for note in notes[:MOST_NOTES]:
            word = "Perhaps" if note.question else "Instead"
            instead = f" {word}: {printable(note.suggestion)}" if note.suggestion else ""
            unsure = f" {doubt(note)}" if doubt(note) else ""
            line = bisect_right(line_starts, note.places[0][0])
            screen.print(Text.assemble(f"{note.number:>4}  ", context(note, raw)), overflow="ellipsis", no_wrap=True)
            said = f", line {line}. {note.question or note.explanation}{instead}{unsure}"
            screen.print(Padding(Text.assemble((f"{note.title}", "bold"), said), (0, 0, 0, 6)))
        if len(notes) > MOST_NOTES:
            screen.print(f"  and {len(notes) - MOST_NOTES:,} more: --html and --json have all")


def context(note: WritingNote, raw: str) -> Text:
    """The marked words with what stands around them, on one line."""
    start, end = note.places[0]
    before, after = raw[max(0, start - AROUND) : start], raw[end : end + AROUND]
    # without colour the brackets show what is meant
    words = _one_line(raw[start:end])
    marked = words if len(words) <= LONGEST_MARK else f"{words[: LONGEST_MARK - 1]}…"
    return Text.assemble(
        ("…" if start > AROUND else "") + _one_line(before, keep_ends=True).lstrip(),
        (f"[{marked}]", f"bold {UNDERLINES[note.category]}"),
        _one_line(after, keep_ends=True).rstrip() + ("…" if end + AROUND < len(raw) else ""),
    )


def _one_line(text: str, *, keep_ends: bool = False) -> str:
    joined = " ".join(text.split())
    if keep_ends and joined:
        joined = (" " if text[0].isspace() else "") + joined + (" " if text[-1].isspace() else "")
    return printable(joined)


def _show_levels(screen: Console, feedback: EssayFeedback) -> None:
    _heading(screen, "Beside typical essays")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=True, header_style="")
    for title in ("  Feature", "Yours", "Typical", "Where it stands"):
        table.add_column(title)
    for level in feedback.levels:
        values = ("" if isnan(v) else written(level.feature, v) for v in (level.value, level.typical))
        table.add_row(f"  {NAMES[level.feature]}", *values, where_it_stands(level))
    screen.print(table)
    screen.print(Padding(Text(feedback.source, style="dim"), (0, 0, 0, 2)))


def show_model(model: ScoringModel, out: Path) -> None:
    """What was built, how well it agrees, what it weighs and what to know."""
    screen = console()
    screen.print(f"Trained {model.kind} on {model.training.essays:,} essays, scale {model.scale}.", markup=False)
    for reason, count in model.training.left_out.items():
        screen.print(f"  left out, {reason}: {count:,}", markup=False)
    for group, equation in list(model.equations.items())[:MOST_EQUATIONS]:
        if group:
            screen.print(f"\n{group}: {equation.essays:,} essays", markup=False)
        screen.print(_agreement(equation.agreement), markup=False)
        table = Table("Feature", box=None, pad_edge=False)
        for title in ("percent", "standardised", "raw"):
            table.add_column(title, justify="right")
        weights = equation.weights
        for name, share, z, raw in zip(weights.names, weights.relative, weights.standardised, weights.raw, strict=True):
            if z != 0 or len(weights.names) <= MOST_WEIGHTS:
                fixed = " (fixed)" if name in weights.fixed else ""
                table.add_row(f"{name}{fixed}", number(100 * share, 1), number(z, 3, signed=True), f"{raw:+.4g}")
        screen.print(table)
    if not model.equations:
        screen.print(_agreement(model.agreement), markup=False)
    for note in model.training.notes:
        screen.print(f"Note: {note}.", markup=False)
    screen.print(f"Model: {out}", markup=False, soft_wrap=True)


def _agreement(figures: Mapping[str, float]) -> str:
    return (
        f"Essays it had not seen: QWK {number(figures['qwk'])}, kappa {number(figures['kappa'])}, "
        f"exact agreement {number(figures['exact'], 0)} %, r {number(figures['r'])}."
    )
