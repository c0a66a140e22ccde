"""Feedback on an essay as JSON. Places are [first character, one after the last] of the text, from 0."""

from dataclasses import asdict
from math import isnan
from typing import Any

from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.counterfactual_advice import Raising
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, FeatureLevel
from assay.essays.feedback.notes import OutlinePart, WritingNote
from assay.essays.models.scoring_model import EssayScore
from assay.io.results.result_json import plain
from assay.provenance import Provenance

Json = dict[str, Any]  # JSON has no closer type
SCHEMA = "assay.feedback/1"


def feedback_content(
    feedback: EssayFeedback, provenance: Provenance, score: EssayScore | None, raising: Raising
) -> Json:
    """One object: counts, advisories, advice, strengths, notes, discourse, features, score, source and provenance."""
    text = feedback.text
    content: Json = plain(
        {
            "schema": SCHEMA,
            "words": feedback.words,
            "sentences": text.sentence_count,
            "paragraphs": text.paragraph_count,
            "advisories": [
                {"name": a.name, "title": TITLES[a.name], "evidence": a.evidence, "do": REMEDIES[a.name]}
                for a in feedback.advisories
            ],
            "not_checked": feedback.unchecked,
            "advice": [{**asdict(advice), "gain": round(advice.gain, 4)} for advice in feedback.advice],
            "strengths": [{**asdict(strength), "merit": round(strength.merit, 4)} for strength in feedback.strengths],
            "notes": [_note(note) for note in feedback.notes],
            "discourse": {"by": feedback.labeller, "parts": [_part(part) for part in feedback.outline]},
            "features": {level.feature: _level(level) for level in feedback.levels},
            "score": _score(score) if score else None,
            "raising": raising_content(raising),
            "source": feedback.source,
            "provenance": asdict(provenance),
        }
    )
    return content


def raising_content(raising: Raising) -> Json:
    """What would raise the score: each piece of advice with what it is worth, and the score with all of them."""
    advice = [{**asdict(item), "notes": [*item.notes], "sentence": item.sentence()} for item in raising.advice]
    return {"advice": advice, "raw": raising.raw, "score": raising.score}


def _score(score: EssayScore) -> Json:
    """The score with its reasons; null where the essay has none, for a reason among the advisories."""
    return {
        "score": _number(score.score),
        "raw": _number(score.raw),
        "interval": [_number(score.low), _number(score.high)],
        "percentile": _number(score.percentile),
        "average": _number(score.average),
        "shares": {name: _number(share) for name, share in score.shares.items()},
        "advisories": [{"name": a.name, "evidence": a.evidence} for a in score.advisories],
    }


def _note(note: WritingNote) -> Json:
    return {**asdict(note), "precision": _number(note.precision)}


def _part(part: OutlinePart) -> Json:
    return {
        "label": part.name,
        "paragraph": part.paragraph + 1,
        "sentences": [part.first + 1, part.stop],
        "place": part.place,
        "certainty": _number(part.certainty),
    }


def _level(level: FeatureLevel) -> Json:
    content: Json = {
        "title": level.title,
        "value": _number(level.value),
        "typical": _number(level.typical),
        "better_than_percent": _number(level.beaten),
        "weight": level.weight,
    }
    return content | ({"undefined": level.undefined} if level.undefined else {})


def _number(value: float) -> float | None:
    return None if isnan(value) else round(value, 6)
