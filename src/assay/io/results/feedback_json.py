"""Feedback on an essay as JSON: for others, and as we store it.

For others places are [first character, one after the last] of `text`, from 0, and `ranges` the same as lines and
characters of an editor (`text_positions.py`). What is stored has all that a page or a
report shows of an essay, without reading it again; the parser's view of the text (words, tags, heads) is not kept:
nothing that is shown asks for it.
"""

import json
from dataclasses import asdict
from math import isnan
from typing import Any, Protocol

import numpy as np

from assay.errors import InputError
from assay.essays.feedback.advice import Advice, AimExample
from assay.essays.feedback.advisories import TITLES, Advisory
from assay.essays.feedback.drafts import DraftChanges
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, FeatureLevel, Raising
from assay.essays.feedback.levels import USUAL
from assay.essays.feedback.notes import OutlinePart, Place, WritingNote
from assay.essays.feedback.strengths import Strength
from assay.essays.models.scoring_model import EssayScore
from assay.essays.text.text import Text
from assay.io.results.result_json import plain
from assay.io.results.text_positions import TextPositions
from assay.provenance import Provenance

Json = dict[str, Any]  # JSON has no closer type
EXPORTED, STORED = "assay.feedback/2", "assay.kept-feedback/2"
LEVEL_NUMBERS = ("value", "typical", "beaten", "weight")
NOTHING = np.zeros(0, dtype=np.int32)


def feedback_content(
    feedback: EssayFeedback, provenance: Provenance, score: EssayScore | None, raising: Raising
) -> Json:
    """One object: counts, advisories, advice, strengths, notes, discourse, features, score, source and provenance."""
    text, positions = feedback.text, TextPositions(feedback.text.raw)
    content: Json = plain(
        {
            "schema": EXPORTED,
            "level": feedback.level,
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
            "notes": [
                {
                    **asdict(note),
                    "ranges": [positions.range_of(*place) for place in note.places],
                    "precision": _rounded(note.precision),
                }
                for note in feedback.notes
            ],
            "discourse": {
                "by": feedback.labeller,
                "parts": [
                    {
                        "label": part.name,
                        "paragraph": part.paragraph + 1,
                        "sentences": [part.first + 1, part.stop],
                        "place": part.place,
                        "certainty": _rounded(part.certainty),
                    }
                    for part in feedback.outline
                ],
            },
            "features": {level.feature: _exported_level(level) for level in feedback.levels},
            "score": _score(score) if score else None,
            "raising": raising_content(raising),
            "source": feedback.source,
            "text": text.raw,
            "provenance": plain(provenance),
        }
    )
    return content


def raising_content(raising: Raising) -> Json:
    """What would raise the score: each piece of advice with what it is worth, and the score with all of them."""
    advice = [{**asdict(item), "notes": [*item.notes], "sentence": item.sentence()} for item in raising.advice]
    return {"advice": advice, "raw": raising.raw, "score": raising.score}


class EarlierDraft(Protocol):
    """An earlier draft, as whoever compared it holds it."""

    @property
    def name(self) -> str: ...
    @property
    def changes(self) -> DraftChanges: ...
    @property
    def score(self) -> EssayScore | None: ...


def revision_content(revision: EarlierDraft) -> Json:
    """What became of the errors of an earlier draft, and its score."""
    content: Json = plain({"before": revision.name, **asdict(revision.changes)})
    return content | {"score_before": _score(revision.score) if revision.score else None}


def _score(score: EssayScore) -> Json:
    """The score with its reasons; null where the essay has none, for a reason among the advisories."""
    return {
        "score": _rounded(score.score),
        "raw": _rounded(score.raw),
        "interval": [_rounded(score.low), _rounded(score.high)],
        "percentile": _rounded(score.percentile),
        "average": _rounded(score.average),
        "shares": {name: _rounded(share) for name, share in score.shares.items()},
        "advisories": [asdict(advisory) for advisory in score.advisories],
        "consequence": score.consequence,
        "withheld_raw": _rounded(score.withheld_raw),
        "withheld_score": _rounded(score.withheld_score),
        "left_out": dict(score.left_out),
    }


def _exported_level(level: FeatureLevel) -> Json:
    content: Json = {
        "title": level.title,
        "value": _rounded(level.value),
        "typical": _rounded(level.typical),
        "better_than_percent": _rounded(level.beaten),
        "weight": level.weight,
    }
    return content | ({"undefined": level.undefined} if level.undefined else {})


def _rounded(value: float) -> float | None:
    return None if isnan(value) else round(value, 6)


def feedback_to_json(feedback: EssayFeedback) -> bytes:
    """The feedback as the bytes of a JSON object."""
    text = feedback.text
    content = {
        "schema": STORED,
        "raw": text.raw,
        "sentence_starts": text.sentence_starts.tolist(),
        "sentence_paragraph": text.sentence_paragraph.tolist(),
        "words": feedback.words,
        "notes": [asdict(note) for note in feedback.notes],
        "outline": [asdict(part) for part in feedback.outline],
        "labeller": feedback.labeller,
        "standings": [asdict(level) for level in feedback.levels],
        "advisories": [asdict(doubt) for doubt in feedback.advisories],
        "unchecked": feedback.unchecked,
        "advice": [asdict(advice) for advice in feedback.advice],
        "strengths": [asdict(strength) for strength in feedback.strengths],
        "source": feedback.source,
        "level": feedback.level,
    }
    return json.dumps(plain(content), ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")


def feedback_from_json(content: bytes) -> EssayFeedback:
    """What `feedback_to_json` wrote; InputError when it is damaged."""
    try:
        return _feedback(json.loads(content.decode("utf-8", "surrogatepass")))
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError, AttributeError) as problem:
        what = f"the feedback that was kept is damaged ({type(problem).__name__})"
        raise InputError(what, remedy="Score the essay again.") from problem


def _feedback(stored: Json) -> EssayFeedback:
    text = Text(
        raw=stored["raw"],
        words=(),
        starts=NOTHING,
        ends=NOTHING,
        tags=(),
        deps=(),
        heads=NOTHING,
        sentence_starts=np.array(stored["sentence_starts"], dtype=np.int32),
        sentence_paragraph=np.array(stored["sentence_paragraph"], dtype=np.int32),
    )
    return EssayFeedback(
        text=text,
        words=stored["words"],
        notes=tuple(WritingNote(**{**note, "places": _places(note["places"])}) for note in stored["notes"]),
        outline=tuple(
            OutlinePart(**{**part, "place": tuple(part["place"]), "certainty": _float(part["certainty"])})
            for part in stored["outline"]
        ),
        labeller=stored["labeller"],
        levels=tuple(
            FeatureLevel(**{**level, **{name: _float(level[name]) for name in LEVEL_NUMBERS}})
            for level in stored["standings"]
        ),
        advisories=tuple(Advisory(**doubt) for doubt in stored["advisories"]),
        unchecked=stored["unchecked"],
        advice=tuple(map(_advice, stored["advice"])),
        strengths=tuple(Strength(**{**one, "places": _places(one["places"])}) for one in stored["strengths"]),
        source=stored["source"],
        level=stored.get("level", USUAL),
    )


def _advice(stored: Json) -> Advice:
    """An aim; one stored before there were aims names a feature, and has no example."""
    own, example = dict(stored), stored.get("example")
    if "feature" in own:
        own |= {"kind": own.pop("feature"), "stage": "polish"}
    if example:
        example = AimExample(**{**example, "place": tuple(example["place"]), "words": tuple(example["words"])})
    return Advice(**{**own, "notes": tuple(own["notes"]), "places": _places(own["places"]), "example": example})


def _places(stored: list[list[int]]) -> tuple[Place, ...]:
    return tuple((first, last) for first, last in stored)


def _float(value: float | None) -> float:
    return float("nan") if value is None else float(value)
