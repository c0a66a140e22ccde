"""Handler: an essay scored, with its findings, discourse elements and advice."""

from collections import Counter
from math import isfinite

from assay.errors import InputError
from assay.essays.models.reading_parts import check_parts
from assay.essays.models.scoring_model import EssayScore, ScoringModel, only_prompt
from assay.essays.text.text import Essay
from assay.io.models.discourse_weights import bundled_discourse_model
from assay.io.results.feedback_json import feedback_to_json, raising_content
from assay.io.results.result_json import plain
from assay.report.essays.feedback_report import verdict
from assay.store.jobs import Leased
from assay.store.schema import Json
from assay.web.worker.outcome import Handle, Outcome, Tools
from assay.web.workspaces.essays.models import read_model_of
from assay.web.workspaces.essays.scores import FEEDBACK
from assay.web.workspaces.essays.sources import EssayReader
from assay.web.workspaces.stored_settings import EssayJob, EssayTask
from assay.workflows.essays.feedback import feedback_on


def prepare(job: Leased, tools: Tools) -> Handle:
    """The models are read once; then each essay is read, scored and commented on by itself."""
    settings = EssayJob.from_json(job.settings)
    try:
        model = read_model_of(settings.model, tools.file)
        check_parts(model.reads_with, bundled_discourse_model())
    except InputError as problem:
        raise problem.at(settings.model_name) from None
    reader = EssayReader(tools.file)

    def handle(piece: Leased) -> Outcome:
        task = EssayTask.from_json(piece.task)
        text, prompt = reader.text_and_prompt(task)
        asked = prompt or settings.question or only_prompt(model)
        essay = Essay(str(piece.item_id), text, asked)
        tools.observer.check()
        return scored_essay(essay, model, task.program)

    return handle


def scored_essay(essay: Essay, model: ScoringModel, program: str = "") -> Outcome:
    """All that is kept of an essay: figures in the payload, text and notes in a file."""
    feedback, score, raising = feedback_on(essay, model, program=program, wording=essay.prompt)
    assert score is not None  # there is a model
    lead, rest = verdict(feedback)
    payload = {
        **score_payload(score),
        "program": program,
        "words": feedback.words,
        "counts": dict(Counter(note.category for note in feedback.notes)),
        "types": dict(Counter(note.type for note in feedback.notes)),
        "errors": len(feedback.notes),
        "doubts": len(score.advisories),
        "lead": lead,
        "rest": rest,
        "raising": raising_content(raising),
        "telling_words": {word: round(share, 3) for word, share in score.words.items()},
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
