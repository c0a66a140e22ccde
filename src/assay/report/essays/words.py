"""What scores and feedback say in words, and an essay cut where notes and discourse parts begin and end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import isfinite, isnan
from typing import cast

from assay.essays.feedback.advice import AimExample
from assay.essays.feedback.drafts import DraftChanges
from assay.essays.feedback.feedback import LENGTH_BOUND, EssayFeedback, FeatureLevel, Raising
from assay.essays.feedback.notes import OutlinePart, WritingNote
from assay.essays.integrity.consequences import CAP, WITHHOLD
from assay.essays.models.scoring_model import SCORE_TITLES, EssayScore
from assay.report.document.document import EssayNote, EssayParagraph, NoteKind, QuotedExample, TextPiece, TextSpan
from assay.report.document.wording import counted, shortened

LEFT_OUT = {"repeated": "said before", "copied": "copied from the prompt", "quoted": "quoted at length"}
"""Why words are not scored."""
CONSEQUENCE_WORDS = {"warn": "warning only", "cap": "score capped", "withhold": "score withheld"}
UNSURE = 0.6
"""Probability of a discourse label below which it carries a question mark."""
MOST_REASONS = 3
LONGEST_QUOTE = 110
SURE = 0.85
"""Share of right findings from which a note need not warn."""


def essay_note(note: WritingNote) -> EssayNote:
    """A note as it is shown."""
    kind = cast("NoteKind", note.category)
    # what is not certain is asked, and the suggestion is one of the answers
    says = note.question or note.explanation
    return EssayNote(note.number, kind, note.title, note.words, says, note.suggestion or "", doubt(note))


def doubt(note: WritingNote) -> str:
    """A warning where notes of the type are often wrong; empty where they are not, or where it was not measured."""
    if note.question or isnan(note.precision) or note.precision >= SURE:
        return ""
    return f"Look twice: about {round(10 * note.precision)} in 10 notes of this kind are right."


def quoted_example(feedback: EssayFeedback, example: AimExample) -> QuotedExample:
    """The sentence of an aim on one line, cut so that the words it is about are seen."""
    raw, (start, end), (first, last) = feedback.text.raw, example.place, example.words
    if (first, last) == (start, end):
        return QuotedExample("", shortened(" ".join(raw[start:end].split()), LONGEST_QUOTE), "")
    before, words, after = (" ".join(raw[a:b].split()) for a, b in ((start, first), (first, last), (last, end)))
    room = max(16, (LONGEST_QUOTE - len(words)) // 2)
    before = f"…{before[-room:].partition(' ')[2] or before[-room:]}" if len(before) > room else before
    after = shortened(after, room)
    gap = {True: " ", False: ""}
    spaced = before + gap[bool(before) and raw[first - 1 : first].isspace()]
    follows = gap[bool(after) and raw[last : last + 1].isspace()] + after
    return QuotedExample(spaced, shortened(words, LONGEST_QUOTE), follows, example.instead, example.question)


@dataclass(frozen=True, slots=True)
class Revision:
    """What became of an earlier draft: its name, its errors, and its score where a model gave one."""

    name: str
    changes: DraftChanges
    score: EssayScore | None = None


def revision_lines(revision: Revision, score: EssayScore | None) -> list[str]:
    """What was resolved, what remains, what is new, and the score then and now."""
    changes = revision.changes
    done, all_of = len(changes.resolved) + len(changes.cut), changes.marked_before
    if all_of:
        cut = f" ({len(changes.cut)} went with sentences you cut)" if changes.cut else ""
        lines = [f"You resolved {done} of the {counted(all_of, 'error')} marked in {revision.name}{cut}."]
    else:
        lines = [f"No errors were marked in {revision.name}."]
    lines += [f"{counted(len(changes.remaining), 'error')} still there."] if changes.remaining else []
    lines += [f"{counted(len(changes.introduced), 'error')} new in this draft."] if changes.introduced else []
    first = revision.score
    if first is not None and score is not None and first.scored and score.scored:
        lines.append(f"Score then {first.score:g} (raw {first.raw:.2f}), now {score.score:g} (raw {score.raw:.2f}).")
    return lines


def label_words(part: OutlinePart) -> str:
    """The discourse label, with a question mark where the model was not sure."""
    return f"{part.name.capitalize()}{'?' if part.certainty < UNSURE else ''}"


def certainty_hint(part: OutlinePart) -> str:
    if isnan(part.certainty):
        return f"{part.name.capitalize()}, by rules of place and cue words"
    return f"{part.name.capitalize()}: the model is {part.certainty:.0%} sure"


WRITTEN: Mapping[str, Callable[[float], str]] = {
    **dict.fromkeys(("grammar", "usage", "mechanics", "style"), lambda value: f"{100 * value:.1f} in 100 words"),
    "development": lambda value: f"{8 + value:.1f} of 8 elements",
    "element_length": lambda value: f"{value:.0f} words",
    "word_length": lambda value: f"{value:.1f} letters",
    "vocabulary": lambda value: f"index {value:.0f}",
    "length": lambda value: f"{value:,.0f} words",
}

NAMES = {
    "grammar": "Grammar",
    "usage": "Usage",
    "mechanics": "Mechanics",
    "style": "Style",
    "development": "Development",
    "element_length": "Length of each part",
    "type_token": "Word variety",
    "vocabulary": "Vocabulary level",
    "word_length": "Word length",
    "max_cos": "Nearest scored essays",
    "cos_highest": "Likeness to the best",
    "length": "Length",
}
"""Features as a writer would call them."""


def written(feature: str, value: float) -> str:
    """A value of a feature with its unit."""
    return WRITTEN.get(feature, "{:.2f}".format)(value).replace("-", "−")


def raised_words(raising: Raising, score: EssayScore) -> str:
    """What meeting the aims would do to the score: a help in choosing, and no bargain."""
    if raising.raw is None:
        return ""
    if raising.score is None:
        return f"By this model the work above would bring the raw score to about {raising.raw:.2f}."
    if raising.score > score.score:
        return f"By this model the work above would bring the score to about {raising.score:g}."
    return f"By this model the work above would help (raw {raising.raw:.2f}), but not yet change the score."


def where_it_stands(level: FeatureLevel) -> str:
    """The place of a feature among essays of the reference, in words that rank nobody."""
    if level.undefined:
        return f"n/a: {level.undefined}"
    if level.feature in LENGTH_BOUND:
        return "not judged: follows length"
    if isnan(level.beaten):
        return "n/a: no reference"
    if level.beaten >= 60:
        return "a strength"
    return "about typical" if level.beaten > 40 else "room to grow"


def score_words(score: EssayScore) -> str:
    """A score in a few sentences: what it is, how sure, what moves it most, and what advisories and repetition do."""
    if not score.scored:
        doubts = [doubt for doubt in score.advisories if doubt.consequence == WITHHOLD] or score.advisories
        why = "; ".join(SCORE_TITLES[doubt.name].lower() for doubt in doubts)
        withheld = isfinite(score.withheld_score)
        return f"Score withheld: {why}. A person can give one." if withheld else f"No score: {why}."
    sure = f"people gave nine in ten such essays {score.low:.1f} to {score.high:.1f}"
    said = f"Score {score.score:g} (raw {score.raw:.2f}; {sure}). What moves it most: {reasons(score)}."
    return " ".join([said, *effect_words(score)])


def effect_words(score: EssayScore) -> list[str]:
    """What was left out of the text that was scored, and whether the score was capped."""
    lines = []
    if score.left_out:
        counts = [f"{counted(count, 'word')} {LEFT_OUT[reason]}" for reason, count in score.left_out.items()]
        lines.append(f"Scored without {' and '.join(counts)}.")
    if score.scored and isfinite(score.withheld_score):
        why = "; ".join(SCORE_TITLES[d.name].lower() for d in score.advisories if d.consequence.startswith(CAP))
        lines.append(f"Capped: it would have been {score.withheld_score:g} ({why}).")
    return lines


def reasons(score: EssayScore, most: int = MOST_REASONS) -> str:
    """The features that move a score most, with what each adds.

    >>> from math import nan
    >>> reasons(EssayScore("1", "", 4.0, 4.0, 3, 5, 60, {}, {"length": 0.42, "element_length": -0.1}, 3.68, ()))
    'length +0.42, length of each part −0.10'
    """
    known = {name: share for name, share in score.shares.items() if abs(share) >= 0.005}  # never with NaN
    ranked = sorted(known, key=lambda name: -abs(known[name]))[:most]
    names = [NAMES[name].lower() if name in NAMES else name.replace("_", " ") for name in ranked]
    words = [f"{words} {known[name]:+.2f}".replace("-", "\u2212") for name, words in zip(ranked, names, strict=True)]
    return ", ".join(words)


def essay_paragraphs(feedback: EssayFeedback) -> tuple[EssayParagraph, ...]:
    """Paragraphs of stretches of pieces; every character of the essay is in one of them, in order."""
    notes = [(note, essay_note(note)) for note in feedback.notes]
    # each part ends where the next begins, the last at the end of the essay
    ends = [*(part.place[0] for part in feedback.outline[1:]), *([len(feedback.text.raw)] if feedback.outline else [])]
    spans = [(part, *span) for part, span in zip(feedback.outline, pairwise([0, *ends]), strict=True)]
    return tuple(
        _paragraph([*group], notes, feedback.text.raw) for _, group in groupby(spans, key=lambda s: s[0].paragraph)
    )


def _paragraph(
    spans: Sequence[tuple[OutlinePart, int, int]], notes: Sequence[tuple[WritingNote, EssayNote]], raw: str
) -> EssayParagraph:
    start, end = spans[0][1], spans[-1][2]
    # notes come in the order of their first place, so those of a paragraph would be a slice; few essays are so long
    own = [(note, shown) for note, shown in notes if any(a < end and b >= start for a, b in note.places)]
    stretches = tuple(
        TextSpan(label_words(part), tuple(_pieces(raw, a, b, own)), part.is_key, certainty_hint(part))
        for part, a, b in spans
    )
    return EssayParagraph(stretches)


def _pieces(raw: str, start: int, end: int, notes: Sequence[tuple[WritingNote, EssayNote]]) -> Iterator[TextPiece]:
    """The text from start to end, cut at the ends of marks."""
    marks = [(a, b, shown) for note, shown in notes for a, b in note.places if a < end and b > start]
    cuts = sorted({start, end, *(min(max(cut, start), end) for a, b, _ in marks for cut in (a, b))})
    for a, b in pairwise(cuts):
        about = tuple(shown for first, last, shown in marks if first <= a and b <= last)
        numbers = tuple(shown.number for _, last, shown in marks if a < last <= b)
        yield TextPiece(raw[a:b], about, numbers)


def counts(feedback: EssayFeedback) -> tuple[tuple[NoteKind, int], ...]:
    """How many notes of each kind, those without any too."""
    kinds: tuple[NoteKind, ...] = ("grammar", "usage", "mechanics", "style")
    return tuple((kind, sum(note.category == kind for note in feedback.notes)) for kind in kinds)
