"""Handler: an essay scored, with its findings, discourse elements and advice."""

from collections import Counter
from math import isfinite

from assay.errors import InputError
from assay.essays.models.erater.score import EssayScore
from assay.essays.text.essay import Essay
from assay.io.results.feedback_export import raising_content
from assay.io.results.feedback_json import feedback_to_json
from assay.io.results.result_json import plain
from assay.report.essays.feedback_report import verdict
from assay.store.jobs import Leased
from assay.store.schema import Json
from assay.web.worker.outcome import Handle, Outcome, Tools
from assay.web.workspaces.essays.models import AnyModel, only_prompt, read_model_of
from assay.web.workspaces.essays.scores import FEEDBACK
from assay.web.workspaces.essays.sources import EssayReader
from assay.workflows.essays.feedback import feedback_on

MOST_WORDS = 12
"""Telling words kept of a hybrid's explanation."""


def prepare(job: Leased, tools: Tools) -> Handle:
    """The models are read once; then each essay is read, scored and commented on by itself."""
    settings = job.settings
    try:
        model = read_model_of(settings["model"], tools.file)
    except InputError as problem:
        message = str(problem).replace(str(tools.file(settings["model"], ".json")), settings["model_name"])
        raise InputError(message) from None
    reader = EssayReader(tools.file)

    def handle(piece: Leased) -> Outcome:
        text, prompt = reader.text_and_prompt(piece.task)
        asked = prompt or settings["question"] or only_prompt(model)
        return scored_essay(Essay(str(piece.item_id), text, asked), model)

    return handle


def scored_essay(essay: Essay, model: AnyModel) -> Outcome:
    """All that is kept of an essay: figures in the payload, text and notes in a file."""
    feedback, score, raising, words = feedback_on(essay, model, wording=essay.prompt)
    assert score is not None  # there is a model
    lead, rest = verdict(feedback)
    payload = {
        **score_payload(score),
        "words": feedback.words,
        "counts": dict(Counter(note.category for note in feedback.notes)),
        "types": dict(Counter(note.type for note in feedback.notes)),
        "errors": len(feedback.notes),
        "doubts": len(score.advisories),
        "lead": lead,
        "rest": rest,
        "raising": raising_content(raising),
        "telling_words": {word: round(share, 3) for word, share in list(words.items())[:MOST_WORDS]},
    }
    return Outcome(plain(payload), score.score if score.scored else None, {FEEDBACK: feedback_to_json(feedback)})


def score_payload(score: EssayScore) -> Json:
    """The score as JSON holds it; `payload_score` makes it a score again."""
    names = ("prompt", "raw", "score", "low", "high", "percentile", "average", "common", "features", "shares")
    return {
        **{name: getattr(score, name) for name in names},
        "advisories": [{"name": doubt.name, "evidence": doubt.evidence} for doubt in score.advisories],
        "scored": isfinite(score.score),
    }
