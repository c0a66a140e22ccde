"""Handler: an essay scored, with its findings, discourse elements and advice."""

from collections import Counter
from collections.abc import Mapping
from math import isfinite

from assay.errors import InputError
from assay.essays.discourse.model import DiscourseModel
from assay.essays.features.analysis import Analysis, analyse_all
from assay.essays.features.features import features_of
from assay.essays.feedback.advisories import advisories
from assay.essays.feedback.feedback import essay_feedback
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.erater.score import EssayScore, score_essays, score_table
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.hybrid.model import HybridModel
from assay.essays.text.essay import Essay
from assay.io.models.discourse_weights import bundled_discourse_model
from assay.io.results.feedback_json import keep_feedback
from assay.io.results.result_json import plain
from assay.report.essays.feedback_report import verdict
from assay.store.jobs import Leased
from assay.store.schema import Json
from assay.web.worker.outcome import Handle, Outcome, Tools
from assay.web.workspaces.essays.counterfactual_advice import what_would_raise
from assay.web.workspaces.essays.models import AnyModel, only_prompt, read_model_of
from assay.web.workspaces.essays.scores import FEEDBACK
from assay.web.workspaces.essays.sources import EssayReader

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
    discourse = bundled_discourse_model()
    reader = EssayReader(tools.file)

    def handle(piece: Leased) -> Outcome:
        text, prompt = reader.text_and_prompt(piece.task)
        asked = prompt or settings["question"] or only_prompt(model)
        return scored_essay(Essay(str(piece.item_id), text, asked), model, discourse)

    return handle


def scored_essay(essay: Essay, model: AnyModel, discourse: DiscourseModel | None) -> Outcome:
    """All that is kept of an essay: figures in the payload, text and notes in a file."""
    analysis = next(analyse_all([essay.text], discourse))
    labeller = "model" if discourse else "rules"
    feedback = essay_feedback(analysis, labeller=labeller, prompt=essay.prompt)  # type: ignore[arg-type]  # one of both
    values = features_of(analysis)
    score, words = score_of(essay, analysis, values, model, discourse)
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
        "raising": what_would_raise(feedback, essay, values, score, model) if feedback.readable else _NOTHING,
        "telling_words": {word: round(share, 3) for word, share in list(words.items())[:MOST_WORDS]},
    }
    return Outcome(plain(payload), score.score if score.scored else None, {FEEDBACK: keep_feedback(feedback)})


_NOTHING: Json = {"advice": [], "raw": None, "score": None}


def score_of(
    essay: Essay,
    analysis: Analysis,
    values: Mapping[str, float],
    model: AnyModel,
    discourse: DiscourseModel | None,
) -> tuple[EssayScore, Mapping[str, float]]:
    """The score by a model of any kind, and what single words add where the model tells."""
    if isinstance(model, EssayModel):
        if model.kind == "v1":
            return next(score_essays([essay], model, discourse)), {}
        doubts = advisories(analysis.words, prompt=essay.prompt)
        return score_table(EssayFeatures.of([essay], [values], advisories=[doubts]), model)[0], {}
    if isinstance(model, HybridModel):
        from assay.essays.models.hybrid.reading import read_hybrid  # noqa: PLC0415  # only models of this kind need it
        from assay.essays.models.hybrid.score import score_read  # noqa: PLC0415

        return score_read(read_hybrid([essay], discourse), model)[0]
    from assay.essays.models.calibrated.score import score_calibrated  # noqa: PLC0415

    return next(score_calibrated([essay], model, discourse)), {}


def score_payload(score: EssayScore) -> Json:
    """The score as JSON holds it; `payload_score` makes it a score again."""
    names = ("prompt", "raw", "score", "low", "high", "percentile", "average", "common", "features", "shares")
    return {
        **{name: getattr(score, name) for name in names},
        "advisories": [{"name": doubt.name, "evidence": doubt.evidence} for doubt in score.advisories],
        "scored": isfinite(score.score),
    }
