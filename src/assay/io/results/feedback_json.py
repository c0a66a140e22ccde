"""`EssayFeedback` <-> JSON: all that a page or a report shows of an essay, without reading it again.

The parser's view of the text (words, tags, heads) is not kept: nothing that is shown asks for it.
"""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from assay.essays.feedback.advice import Advice
from assay.essays.feedback.advisories import Advisory
from assay.essays.feedback.feedback import EssayFeedback, FeatureLevel
from assay.essays.feedback.notes import Place, WritingNote
from assay.essays.feedback.outline import OutlinePart
from assay.essays.feedback.strengths import Strength
from assay.essays.text.text import Text
from assay.io.results.result_json import plain

Json = dict[str, Any]  # JSON has no closer type
SCHEMA = "assay.kept-feedback/1"
NOTHING = np.zeros(0, dtype=np.int32)


def keep_feedback(feedback: EssayFeedback) -> bytes:
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
        "standings": [asdict(standing) for standing in feedback.standings],
        "advisories": [asdict(doubt) for doubt in feedback.advisories],
        "unchecked": feedback.unchecked,
        "advice": [asdict(advice) for advice in feedback.advice],
        "strengths": [asdict(strength) for strength in feedback.strengths],
        "source": feedback.source,
    }
    return json.dumps(plain(content), ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")


def kept_feedback(content: bytes) -> EssayFeedback:
    """What `keep_feedback` kept."""
    found: Json = json.loads(content.decode("utf-8", "surrogatepass"))
    text = Text(
        raw=found["raw"],
        words=(),
        starts=NOTHING,
        ends=NOTHING,
        tags=(),
        deps=(),
        heads=NOTHING,
        sentence_starts=np.array(found["sentence_starts"], dtype=np.int32),
        sentence_paragraph=np.array(found["sentence_paragraph"], dtype=np.int32),
    )
    return EssayFeedback(
        text=text,
        words=found["words"],
        notes=tuple(WritingNote(**{**note, "places": _places(note["places"])}) for note in found["notes"]),
        outline=tuple(_part(part) for part in found["outline"]),
        labeller=found["labeller"],
        standings=tuple(_standing(standing) for standing in found["standings"]),
        advisories=tuple(Advisory(**doubt) for doubt in found["advisories"]),
        unchecked=found["unchecked"],
        advice=tuple(
            Advice(**{**advice, "notes": tuple(advice["notes"]), "places": _places(advice["places"])})
            for advice in found["advice"]
        ),
        strengths=tuple(Strength(**{**one, "places": _places(one["places"])}) for one in found["strengths"]),
        source=found["source"],
    )


def _places(found: list[list[int]]) -> tuple[Place, ...]:
    return tuple((first, last) for first, last in found)


def _part(found: Json) -> OutlinePart:
    first, last = found["place"]
    return OutlinePart(**{**found, "place": (first, last), "certainty": _float(found["certainty"])})


def _standing(found: Json) -> FeatureLevel:
    numbers = {name: _float(found[name]) for name in ("value", "typical", "beaten", "weight")}
    return FeatureLevel(**{**found, **numbers})


def _float(value: float | None) -> float:
    return float("nan") if value is None else float(value)
