"""Feedback on an essay as a terminal shows it: what works, what would help, outline, notes, figures."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby
from math import isnan

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from assay.essays.errors.catalogue import CATEGORIES
from assay.essays.feedback.advice import Advice
from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, Raising
from assay.essays.feedback.notes import WritingNote
from assay.essays.models.scoring_model import EssayScore
from assay.report.document.printable import printable
from assay.report.essays.feedback_report import MOST_QUOTES, quote, size_words
from assay.report.essays.words import NAMES, doubt, label_words, raised_words, score_words, where_it_stands, written
from assay.workflows.essays.feedback import FeedbackResult

AROUND = 32
"""Letters of context on each side of marked words."""
LONGEST_MARK = 48
MOST_NOTES = 60
"""Of one category on a screen; --html and --json have all."""

UNDERLINES = {"grammar": "red", "usage": "blue", "mechanics": "magenta", "style": "yellow"}


def show_feedback(screen: Console, result: FeedbackResult) -> None:
    """All of it, nothing wider than the terminal; the essay's own words never act as markup."""
    feedback, score = result.feedback, result.score
    screen.print(Text.assemble((printable(result.name), "bold"), f": {size_words(feedback)}"))
    for advisory in feedback.advisories:
        said = f"{advisory.evidence}. {REMEDIES[advisory.name]}"
        screen.print()
        screen.print(Text.assemble((f"{TITLES[advisory.name]}: ", "bold"), printable(said)))
    if score is not None and feedback.can_be_read:
        screen.print(Text(score_words(score)))
        _show_raising(screen, result.raising, score)
    if feedback.strengths:
        _heading(screen, "What works")
        for strength in feedback.strengths:
            _item(screen, "+", strength.name[0].upper() + strength.name[1:], strength.fact)
    if feedback.advice:
        _heading(screen, "What would help most")
        for number, advice in enumerate(feedback.advice, start=1):
            # quoted are sentences that no note leads to
            quotes = [] if advice.notes else [quote(feedback, place) for place in advice.places[:MOST_QUOTES]]
            _item(screen, str(number), advice.title, f"{advice.why} {advice.do}{_where(advice)}", quotes)
    if feedback.can_be_read:
        _show_outline(screen, feedback)
    _show_notes(screen, feedback)
    if feedback.can_be_read:
        _show_levels(screen, feedback)


def _show_raising(screen: Console, raising: Raising, score: EssayScore) -> None:
    """What following the advice would be worth, where the model tells."""
    if raising.raw is None:
        return
    _heading(screen, "What would raise this score")
    for number, advice in enumerate(raising.advice, start=1):
        _item(screen, str(number), advice.title, f"Worth about {advice.gain:.2f} points.")
    screen.print(Text(raised_words(raising, score)))


def _heading(screen: Console, title: str) -> None:
    screen.print()
    screen.print(Text(title, style="bold"))


def _item(screen: Console, mark: str, title: str, rest: str, quotes: Sequence[str] = ()) -> None:
    lines = [printable(rest), *(f"“{printable(quote)}”" for quote in quotes)]
    said = Text.assemble((f"{title}. ", "bold"), "\n".join(lines))
    row = Table.grid(padding=(0, 1))
    row.add_column(width=2, justify="right")
    row.add_column(ratio=1)
    row.add_row(Text(mark), said)
    screen.print(row)


def _where(advice: Advice) -> str:
    if not advice.notes:
        return ""
    shown = ", ".join(map(str, advice.notes[:12])) + (", …" if len(advice.notes) > 12 else "")
    return f" Note{'s' if len(advice.notes) > 1 else ''} {shown}."


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
            instead = f" Instead: {printable(note.suggestion)}" if note.suggestion else ""
            unsure = f" {doubt(note)}" if doubt(note) else ""
            line = bisect_right(line_starts, note.places[0][0])
            screen.print(Text.assemble(f"{note.number:>4}  ", context(note, raw)), overflow="ellipsis", no_wrap=True)
            said = f", line {line}. {note.explanation}{instead}{unsure}"
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
