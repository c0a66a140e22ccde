"""One essay as its page shows it: the marked text, the line of the score, where its points come from."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import isfinite, isnan, nan

from assay.essays.feedback.feedback import REMEDIES, EssayFeedback
from assay.essays.models.hybrid.model import by_family
from assay.essays.models.scoring_model import SCORE_TITLES, EssayScore
from assay.report.document.document import EssayParagraph, TextPiece
from assay.report.essays.words import counts, essay_note, essay_paragraphs, written
from assay.scale import ScoreScale
from assay.store.schema import Json
from assay.web.workspaces.essays.models import feature_title, share_bars

MOST_ROWS = 14
"""Features listed one by one; of a model with more, families of features are."""
KINDS = {"grammar": "g", "usage": "u", "mechanics": "m", "style": "s"}
"""Category of a finding -> its underline."""


def essay_view(feedback: EssayFeedback, score: EssayScore, scale: ScoreScale) -> Json:
    """All that the page shows of the essay itself.

    `units` are sentences with one discourse label, `counts` the underline, category and number of findings, `doubts`
    reasons not to trust the score, `raw_text` the essay as written where it could not be cut into parts.
    """
    return {
        "units": list(_units(essay_paragraphs(feedback))),
        "notes": [essay_note(note) for note in feedback.notes],
        "counts": [(KINDS[kind], kind, number) for kind, number in counts(feedback)],
        "doubts": [
            {"title": SCORE_TITLES[d.name], "evidence": _plain(d.evidence), "do": REMEDIES.get(d.name, "")}
            for d in score.advisories
        ],
        "rows": share_rows(score) if score.scored else [],
        "average": score.average,
        "line": score_line(score, scale) if score.scored else None,
        "strengths": [(s.name, s.fact) for s in feedback.strengths],
        "raw_text": "" if feedback.outline else feedback.text.raw,
    }


def _plain(evidence: str) -> str:
    """Evidence in words: a feature by its name as people say it.

    >>> _plain("word_length is 7.22: more than 6 standard deviations from the training essays")
    'word length is 7.22: more than 6 standard deviations from the training essays'
    """
    return re.sub(r"^[a-z]+(?:_[a-z]+)+(?= is )", lambda name: name[0].replace("_", " "), evidence)


def _units(paragraphs: Iterable[EssayParagraph]) -> Iterator[Json]:
    linked: set[int] = set()
    for paragraph in paragraphs:
        for place, stretch in enumerate(paragraph.stretches):
            pieces = stretch.pieces
            if pieces:  # without the empty lines that end a paragraph: the page leaves a gap of its own
                pieces = (*pieces[:-1], replace(pieces[-1], text=pieces[-1].text.rstrip()))
            unit = {"label": stretch.label, "key": stretch.key, "hint": stretch.hint, "begins": place == 0}
            yield {**unit, "pieces": [_marked(piece, linked) for piece in pieces]}


def _marked(piece: TextPiece, linked: set[int]) -> Json:
    """Some letters of the essay; those that notes are about wear the mark of the nearest: that of the fewest words.

    `letter` is the underline, `note` the one its link leads to, `first` whether that is found here from the list,
    `numbers` are the notes that end here.
    """
    marked: Json = {"text": piece.text, "letter": "", "note": 0, "first": False, "numbers": (), "about": ()}
    if piece.about:
        nearest = min(piece.about, key=lambda note: (len(note.words), note.number))
        marked |= {"letter": KINDS[nearest.kind], "note": nearest.number, "first": nearest.number not in linked}
        marked |= {"numbers": piece.numbers, "about": piece.about}
        linked.add(nearest.number)
    return marked


def share_rows(score: EssayScore) -> list[Json]:
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
    return share_bars(sorted(reasons, key=lambda reason: -reason[2]))


def score_line(score: EssayScore, scale: ScoreScale) -> Json:
    """The score on its scale: an average essay, raised by some features, lowered by others (in score points).

    Places are in per cent; `anchor` is the end of its label that stands at the score.
    """

    def place(points: float) -> float:
        return round(100 * min(max((points - scale.lowest) / (scale.highest - scale.lowest), 0), 1), 2)

    shares = [share for share in score.shares.values() if isfinite(share)]
    raised, lowered = sum(s for s in shares if s > 0), -sum(s for s in shares if s < 0)
    raw, points = place(score.raw), scale.points().tolist()
    if len(points) > 12:  # at most a dozen are labelled, both ends among them
        step = -(-(len(points) - 1) // 10)
        points = [*points[:-1:step], points[-1]]
    return {
        "average": place(score.average),
        "top": place(score.average + raised),
        "raw": raw,
        "low": place(score.low),
        "high": place(score.high),
        "points": [(place(point), f"{point:g}") for point in points],
        "raised": raised,
        "lowered": lowered,
        "anchor": "start" if raw < 6 else "end" if raw > 94 else "middle",
    }
