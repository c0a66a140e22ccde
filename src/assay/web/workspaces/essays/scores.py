"""Kept results as the values that pages and reports speak of."""

from math import nan

from assay.essays.feedback.advisories import Advisory
from assay.essays.feedback.feedback import EssayFeedback
from assay.essays.models.scoring_model import EssayScore
from assay.io.results.feedback_json import feedback_from_json
from assay.store.blobs import read_blob
from assay.store.items import StoredResult
from assay.store.schema import Json
from assay.web.problems import NotFound
from assay.web.site import Site
from assay.web.thread_safe_cache import ThreadSafeCache

FEEDBACK = "feedback.json"
_FEEDBACK: ThreadSafeCache[EssayFeedback] = ThreadSafeCache(64)


def payload_score(essay_id: str, payload: Json) -> EssayScore:
    """The score that a payload holds."""
    raw, score, low, high, percentile, average, common = (
        _float(payload[name]) for name in ("raw", "score", "low", "high", "percentile", "average", "common")
    )
    return EssayScore(
        essay_id,
        payload["prompt"],
        raw,
        score,
        low,
        high,
        percentile,
        features={name: _float(value) for name, value in payload["features"].items()},
        shares={name: _float(value) for name, value in payload["shares"].items()},
        average=average,
        advisories=tuple(Advisory(**doubt) for doubt in payload["advisories"]),
        common=common,
        words=payload.get("telling_words", {}),
    )


def result_feedback(site: Site, result: StoredResult) -> EssayFeedback:
    """Text, notes, outline and advice of a scored essay."""
    digest = result.files.get(FEEDBACK)
    if digest is None:
        raise NotFound("The feedback on this essay is not kept here. Score the essays again to have it.")

    def read() -> EssayFeedback:
        with site.database.reading() as connection:
            return feedback_from_json(read_blob(connection, digest))

    return _FEEDBACK.get(digest, read)


def _float(value: float | None) -> float:
    return nan if value is None else float(value)
