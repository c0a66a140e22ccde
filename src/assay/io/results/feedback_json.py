"""`EssayFeedback` <-> JSON: all that a page or a report shows of an essay, without reading it again.

The parser's view of the text (words, tags, heads) is not kept: nothing that is shown asks for it.
"""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from assay.essays.feedback.advice import Advice, Strength
from assay.essays.feedback.advisories import Advisory
from assay.essays.feedback.feedback import EssayFeedback, FeatureLevel
from assay.essays.feedback.notes import OutlinePart, Place, WritingNote
from assay.essays.text.text import Text
from assay.io.results.result_json import plain

Json = dict[str, Any]  # JSON has no closer type
SCHEMA = "assay.kept-feedback/1"
NOTHING = np.zeros(0, dtype=np.int32)


def feedback_to_json(feedback: EssayFeedback) -> bytes:
    """The feedback as the bytes of a JSON object."""
    text = feedback.text
    content = {
        "schema": SCHEMA,
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
    }
    return json.dumps(plain(content), ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")


def feedback_from_json(content: bytes) -> EssayFeedback:
    """What `feedback_to_json` wrote."""
    stored: Json = json.loads(content.decode("utf-8", "surrogatepass"))
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
        outline=tuple(_part(part) for part in stored["outline"]),
        labeller=stored["labeller"],
        levels=tuple(_level(level) for level in stored["standings"]),
        advisories=tuple(Advisory(**doubt) for doubt in stored["advisories"]),
        unchecked=stored["unchecked"],
        advice=tuple(
            Advice(**{**advice, "notes": tuple(advice["notes"]), "places": _places(advice["places"])})
            for advice in stored["advice"]
        ),
        strengths=tuple(Strength(**{**one, "places": _places(one["places"])}) for one in stored["strengths"]),
        source=stored["source"],
    )


def _places(stored: list[list[int]]) -> tuple[Place, ...]:
    return tuple((first, last) for first, last in stored)


def _part(stored: Json) -> OutlinePart:
    first, last = stored["place"]
    return OutlinePart(**{**stored, "place": (first, last), "certainty": _float(stored["certainty"])})


def _level(stored: Json) -> FeatureLevel:
    numbers = {name: _float(stored[name]) for name in ("value", "typical", "beaten", "weight")}
    return FeatureLevel(**{**stored, **numbers})


def _float(value: float | None) -> float:
    return float("nan") if value is None else float(value)
