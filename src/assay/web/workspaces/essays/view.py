"""One essay as its page shows it: the marked text, the line of the score, where its points come from."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import isfinite, isnan, nan

from assay.essays.feedback.feedback import REMEDIES, EssayFeedback
from assay.essays.models.hybrid.model import by_family
from assay.essays.models.scoring_model import SCORE_TITLES, EssayScore
from assay.report.document.annotated_essay import EssayNote, EssayParagraph, TextPiece
from assay.report.document.essay_pieces import counts, essay_paragraphs
from assay.report.essays.words import essay_note, written
from assay.scale import ScoreScale
from assay.web.workspaces.essays.models import feature_title

MOST_ROWS = 14
"""Features listed one by one; of a model with more, families of features are."""
KINDS = {"grammar": "g", "usage": "u", "mechanics": "m", "style": "s"}


@dataclass(frozen=True, slots=True)
class ShareRow:
    """What one feature adds to the score, or takes from it; the bar starts at the middle."""

    title: str
    detail: str
    points: float
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The score on its scale: an average essay, raised by some features, lowered by others; places in per cent."""

    average: float
    top: float
    raw: float
    low: float
    high: float
    points: tuple[tuple[float, str], ...]
    raised: float
    lowered: float
    """Score points."""
    anchor: str
    """Which end of its label stands at the score: start, middle or end."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason not to trust the score."""

    title: str
    evidence: str
    do: str


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Some letters of the essay; with notes about them, the mark of the nearest note and what all of them say."""

    text: str
    letter: str = ""
    """Which underline: g, u, m or s; none without notes."""
    note: int = 0
    """The note that its link leads to."""
    first: bool = False
    """Whether the note can be found here from the list."""
    numbers: tuple[int, ...] = ()
    """Notes that end here."""
    about: tuple[EssayNote, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """Sentences with one discourse label."""

    label: str
    key: bool
    hint: str
    begins: bool
    """Whether a paragraph begins here."""
    pieces: tuple[MarkedText, ...]


@dataclass(frozen=True, slots=True)
class EssayView:
    """All that the page shows of the essay itself."""

    units: tuple[Unit, ...]
    notes: tuple[EssayNote, ...]
    counts: tuple[tuple[str, str, int], ...]
    """Underline, kind, how many."""
    doubts: tuple[Doubt, ...]
    rows: tuple[ShareRow, ...]
    average: float
    line: ScoreLine | None
    strengths: tuple[tuple[str, str], ...]
    raw_text: str
    """The essay as written, where it could not be cut into parts."""


def _plain(evidence: str) -> str:
    """Evidence in words: a feature by its name as people say it.

    >>> _plain("word_length is 7.22: more than 6 standard deviations from the training essays")
    'word length is 7.22: more than 6 standard deviations from the training essays'
    """
    return re.sub(r"^[a-z]+(?:_[a-z]+)+(?= is )", lambda name: name[0].replace("_", " "), evidence)


def essay_view(feedback: EssayFeedback, score: EssayScore, scale: ScoreScale) -> EssayView:
    """The essay and its score, ready for the page."""
    shown = score.scored
    return EssayView(
        units=tuple(_units(essay_paragraphs(feedback))),
        notes=tuple(essay_note(note) for note in feedback.notes),
        counts=tuple((KINDS[kind], kind, number) for kind, number in counts(feedback)),
        doubts=tuple(
            Doubt(SCORE_TITLES[d.name], _plain(d.evidence), REMEDIES.get(d.name, "")) for d in score.advisories
        ),
        rows=tuple(share_rows(score)) if shown else (),
        average=score.average,
        line=score_line(score, scale) if shown else None,
        strengths=tuple((s.name, s.fact) for s in feedback.strengths),
        raw_text="" if feedback.outline else feedback.text.raw,
    )


def _units(paragraphs: Iterable[EssayParagraph]) -> Iterator[Unit]:
    linked: set[int] = set()
    for paragraph in paragraphs:
        for place, stretch in enumerate(paragraph.stretches):
            pieces = stretch.pieces
            if pieces:  # without the empty lines that end a paragraph: the page leaves a gap of its own
                pieces = (*pieces[:-1], replace(pieces[-1], text=pieces[-1].text.rstrip()))
            marked = tuple(_marked(piece, linked) for piece in pieces)
            yield Unit(stretch.label, stretch.key, stretch.hint, place == 0, marked)


def _marked(piece: TextPiece, linked: set[int]) -> MarkedText:
    """Marked letters wear the mark of the nearest note: the one about the fewest words."""
    if not piece.about:
        return MarkedText(piece.text)
    nearest = min(piece.about, key=lambda note: (len(note.words), note.number))
    first = nearest.number not in linked
    linked.add(nearest.number)
    return MarkedText(piece.text, KINDS[nearest.kind], nearest.number, first, piece.numbers, piece.about)


def share_rows(score: EssayScore) -> list[ShareRow]:
    """The features from the one that adds most to the one that takes most; their points add up to raw - average."""
    if len(score.shares) > MOST_ROWS:
        reasons = [(reason.title, "", reason.share) for reason in by_family(score.shares)]
    else:
        measured = {name: score.features.get(name, nan) for name in score.shares}
        reasons = [
            (feature_title(name), "" if isnan(measured[name]) else written(name, measured[name]), share)
            for name, share in score.shares.items()
            if not isnan(share)
        ]
    most = max((abs(share) for _, _, share in reasons), default=0) or 1
    widths = [(reason, 50 * abs(reason[2]) / most) for reason in sorted(reasons, key=lambda row: -row[2])]
    return [ShareRow(*reason, 50 - width if reason[2] < 0 else 50, width) for reason, width in widths]


def score_line(score: EssayScore, scale: ScoreScale) -> ScoreLine:
    """Where the average, what raises it and the raw score lie on the scale."""
    span = scale.highest - scale.lowest

    def place(points: float) -> float:
        return round(100 * min(max((points - scale.lowest) / span, 0), 1), 2)

    shares = [share for share in score.shares.values() if isfinite(share)]
    raised, lowered = sum(s for s in shares if s > 0), -sum(s for s in shares if s < 0)
    raw, points = place(score.raw), scale.points().tolist()
    if len(points) > 12:  # at most a dozen are labelled, both ends among them
        points = [*points[: -1 : -(-(len(points) - 1) // 10)], points[-1]]
    return ScoreLine(
        average=place(score.average),
        top=place(score.average + raised),
        raw=raw,
        low=place(score.low),
        high=place(score.high),
        points=tuple((place(point), f"{point:g}") for point in points),
        raised=raised,
        lowered=lowered,
        anchor="start" if raw < 6 else "end" if raw > 94 else "middle",
    )
