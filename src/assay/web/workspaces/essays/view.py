"""One essay as its page shows it (marked text, line of the score, its points), and what a class has in common."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import isfinite, isnan, nan
from typing import Any

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, Raising
from assay.essays.integrity.consequences import WARN
from assay.essays.models.hybrid.model import by_family
from assay.essays.models.scoring_model import SCORE_TITLES, EssayScore
from assay.report.document.document import EssayParagraph, TextPiece
from assay.report.essays.feedback_report import quote
from assay.report.essays.words import (
    CONSEQUENCE_WORDS,
    counts,
    effect_words,
    essay_note,
    essay_paragraphs,
    quoted_example,
    raised_words,
    written,
)
from assay.scale import ScoreScale
from assay.store.reviews import ResultsState, payload_columns, results_state, score_counts
from assay.store.schema import Connection, Json
from assay.web.site import ThreadSafeCache
from assay.web.workspaces.essays.models import feature_title, share_bars

MOST_ROWS = 14
"""Features listed one by one; of a model with more, families of features are."""
KINDS = {"grammar": "g", "usage": "u", "mechanics": "m", "style": "s"}
"""Category of a finding -> its underline."""
MOST_FEATURES = 14
MOST_BARS = 24


def essay_view(feedback: EssayFeedback, score: EssayScore, scale: ScoreScale, raising: Json) -> Json:
    """All that the page shows of the essay itself; `raising` as its payload has it.

    `units` are sentences with one discourse label, `counts` the underline, category and number of findings, `doubts`
    reasons not to trust the score, `raw_text` the essay as written where it could not be cut into parts.
    """
    return {
        "units": list(_units(essay_paragraphs(feedback))),
        "notes": [essay_note(note) for note in feedback.notes],
        "counts": [(KINDS[kind], kind, number) for kind, number in counts(feedback)],
        "doubts": [
            {
                **{"title": SCORE_TITLES[d.name], "evidence": _plain(d.evidence), "do": REMEDIES.get(d.name, "")},
                "consequence": "" if d.consequence == WARN else CONSEQUENCE_WORDS[d.consequence.partition(":")[0]],
            }
            for d in score.advisories
        ],
        "effects": effect_words(score),
        "withheld": isfinite(score.withheld_score) and not score.scored,
        "rows": share_rows(score) if score.scored else [],
        "average": score.average,
        "line": score_line(score, scale) if score.scored else None,
        "strengths": [
            {"name": s.name, "fact": s.fact, "quote": quote(feedback, s.places[0]) if s.places else ""}
            for s in feedback.strengths
        ],
        "aims": [
            {
                **{name: getattr(aim, name) for name in ("title", "why", "do", "notes")},
                "example": quoted_example(feedback, aim.example) if aim.example else None,
            }
            for aim in feedback.advice
        ],
        "raised": raised_words(Raising((), raising["raw"], raising["score"]), score) if score.scored else "",
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


def spread_of(connection: Connection, workspace_id: str, engine: str, scale: ScoreScale) -> list[Json]:
    """Essays at each score point, by the system and in the end; heights in per cent of the tallest.

    Empty while nothing is scored.
    """
    system, final = score_counts(connection, workspace_id, engine)
    tallest = max([*system.values(), *final.values()], default=0)
    points = scale.points().tolist()
    if not tallest or len(points) > MOST_BARS:
        return []
    bars = []
    for p in points:
        heights = {"system_height": 100 * system[p] / tallest, "final_height": 100 * final[p] / tallest}
        rounded = {name: round(height, 1) for name, height in heights.items()}
        bars.append({"label": f"{p:g}", "system": system[p], "final": final[p], **rounded})
    return bars


def insights_of(connection: Connection, workspace_id: str, engine: str) -> Json:
    """The findings, doubts and features of all scored essays together; shares of errors in per cent of all essays."""
    tally = essay_tally(connection, workspace_id, engine)
    count, essays, findings = tally.essays, tally.with_finding, tally.findings
    errors = []
    for name in sorted(essays, key=lambda name: (-essays[name], -findings[name], name)):
        if name in CATALOGUE:
            kind, share = CATALOGUE[name], round(100 * essays[name] / count, 1)
            error = {"title": kind.title, "category": kind.category, "advice": kind.explanation, "share": share}
            errors.append({**error, "essays": essays[name], "findings": findings[name]})
    means = sorted(((share / count, n) for n, share in tally.shares.items()), key=lambda m: -abs(m[0]))[:MOST_FEATURES]
    return {
        "essays": count,
        "words": tally.words / count if count else 0.0,
        "errors": errors,
        "doubts": [(title, tally.doubts[name]) for name, title in SCORE_TITLES.items() if tally.doubts[name]],
        "movers": share_bars([(feature_title(name), "", mean) for mean, name in sorted(means, reverse=True)]),
    }


@dataclass(frozen=True, eq=False, slots=True)
class EssayTally:
    """Findings, doubts and shares of features over all essays with a result, and the state of results it holds for."""

    state: ResultsState
    essays: int
    words: int
    findings: Counter[str]
    with_finding: Counter[str]
    """Essays with at least one finding of a type."""
    doubts: Counter[str]
    shares: dict[str, float]


_KNOWN: ThreadSafeCache[EssayTally] = ThreadSafeCache(32)


def essay_tally(connection: Connection, workspace_id: str, engine: str) -> EssayTally:
    """The tally of the results as they are now.

    Those that came since the last time are added; all are read again when any of the others is not what it was.
    """
    key = f"{workspace_id} {engine}"
    state, known = results_state(connection, workspace_id, engine), _KNOWN.find(key)
    if known is not None and known.state == state:
        return known
    last = known.state.last if known is not None else 0
    if known is None or results_state(connection, workspace_id, engine, most=last) != known.state:
        tally = _tally(connection, workspace_id, engine, state, after=0)
    else:
        tally = _sum(known, _tally(connection, workspace_id, engine, state, after=last))
    _KNOWN.put(key, tally)
    return tally


def _tally(connection: Connection, workspace_id: str, engine: str, state: ResultsState, *, after: int) -> EssayTally:
    """Of the results from one id on up to those that the state knows."""
    texts, numbers = ("types", "advisories", "shares"), ("words",)
    types, advisories, moved, lengths = payload_columns(
        connection, workspace_id, engine, texts=texts, numbers=numbers, state=state, after=after
    )
    with_finding, doubts = Counter[str](), Counter[str]()
    _each_object((doubt for doubt in advisories if doubt != "[]"), lambda pairs: doubts.update([dict(pairs)["name"]]))
    return EssayTally(
        state=state,
        essays=len(types),
        words=sum(length or 0 for length in lengths),
        findings=Counter({name: int(number) for name, number in _sums(types, with_finding).items()}),
        with_finding=with_finding,
        doubts=doubts,
        shares=_sums(moved),
    )


def _sum(known: EssayTally, new: EssayTally) -> EssayTally:
    names = [*known.shares, *(name for name in new.shares if name not in known.shares)]
    return EssayTally(
        state=new.state,
        essays=known.essays + new.essays,
        words=known.words + new.words,
        findings=known.findings + new.findings,
        with_finding=known.with_finding + new.with_finding,
        doubts=known.doubts + new.doubts,
        shares={name: known.shares.get(name, 0.0) + new.shares.get(name, 0.0) for name in names},
    )


def _each_object(texts: Iterable[str | None], use: Callable[[list[tuple[str, Any]]], None]) -> None:
    """Ten thousand small JSON texts, read as one text: each object in them is used as pairs, and kept nowhere."""
    json.loads(f"[{','.join(text or 'null' for text in texts)}]", object_pairs_hook=use)


def _sums(texts: Iterable[str | None], objects: Counter[str] | None = None) -> dict[str, float]:
    """Name -> the sum of its values over all objects; `objects` counts those that have the name."""
    sums: dict[str, float] = {}

    def add(pairs: list[tuple[str, float | None]]) -> None:
        for name, value in pairs:
            if value is not None:
                sums[name] = sums.get(name, 0.0) + value
        if objects is not None:
            objects.update([name for name, _ in pairs])

    _each_object(texts, add)
    return sums
