"""Handlers: an essay scored, with its findings and advice; a model trained on essays, or moved towards decisions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

import numpy as np

from assay import __version__
from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.refit import refittable
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.resolution import HumanScores
from assay.essays.models.scoring_model import ScoringModel, check_parts, only_prompt
from assay.essays.text.text import Essay
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.essays.scored_essays import ScoredEssays, read_scored_essays
from assay.io.models.scoring_models import bundled_discourse_model, model_bytes
from assay.io.results.feedback_json import feedback_from_json, feedback_to_json, raising_content
from assay.io.results.result_json import comparison_json, plain
from assay.provenance import Provenance
from assay.report.essays.feedback_report import verdict
from assay.scale import ScoreScale
from assay.store.items import find_result
from assay.store.jobs import Leased
from assay.store.schema import Json
from assay.web.worker.worker import Handle, Outcome, Tools
from assay.web.workspaces.essays.models import FEEDBACK, MODEL_FILE, PAGE_FILE, REFIT, TRAIN, floats, read_model_of
from assay.web.workspaces.essays.sources import EssayReader, essay_columns, further_columns
from assay.web.workspaces.export_files import page_html
from assay.web.workspaces.stored_settings import (
    COLUMN_ROLES,
    EssayJob,
    EssayTask,
    RefitJob,
    TrainingJob,
    TrainingTask,
)
from assay.workflows.essays.feedback import feedback_on
from assay.workflows.essays.measured_essays import measure_each
from assay.workflows.essays.refit import refitted
from assay.workflows.essays.train import TrainedModel, train, trained, training_plan


def prepare(job: Leased, tools: Tools) -> Handle:
    """What a job of essays does with its pieces."""
    if job.kind == REFIT:
        return lambda piece: _refitted(piece, tools)
    return _prepare_training(job, tools) if job.kind == TRAIN else _prepare_scoring(job, tools)


def _prepare_scoring(job: Leased, tools: Tools) -> Handle:
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
        return scored_essay(essay, model, task.program, observer=tools.observer)

    return handle


def scored_essay(essay: Essay, model: ScoringModel, program: str = "", *, observer: Observer = SILENT) -> Outcome:
    """All that is kept of an essay: figures in the payload, text and notes in a file."""
    feedback, score, raising = feedback_on(essay, model, program=program, wording=essay.prompt, observer=observer)
    assert score is not None  # there is a model
    lead, rest = verdict(feedback)
    names = ("prompt", "raw", "score", "low", "high", "percentile", "average", "common", "features", "shares")
    payload = {  # `payload_score` makes it a score again
        **{name: getattr(score, name) for name in names},
        **{name: getattr(score, name) for name in ("withheld_raw", "withheld_score", "left_out", "consequence")},
        "advisories": [asdict(doubt) for doubt in score.advisories],
        "scored": isfinite(score.score),
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


def _prepare_training(job: Leased, tools: Tools) -> Handle:
    """The table is read once; then blocks of essays are measured, and in the end the model is fitted."""
    settings = TrainingJob.from_json(job.settings)
    if not settings.blocks:
        return lambda _: _trained_at_once(settings, tools)
    columns, further = essay_columns(settings.columns), further_columns(settings.columns)
    try:
        read = read_scored_essays(tools.file(settings.digest, settings.suffix), columns, further)
    except InputError as problem:
        raise problem.at(settings.source) from None

    def handle(piece: Leased) -> Outcome:
        task = TrainingTask.from_json(piece.task)
        if task.what == "measure":
            essays = read.essays[task.first : task.stop]
            return Outcome({"values": plain(_measured(essays, tools.observer))})
        return _trained(piece, read, tools)

    return handle


def _measured(essays: Sequence[Essay], observer: Observer) -> list[dict[str, float]]:
    """Every essay measured by itself, as it will be when it is scored."""
    measured = with_progress(map(measure_each, ([essay] for essay in essays)), observer, "Reading essays", len(essays))
    return [dict(one.values) for (one,) in measured]


def _trained(piece: Leased, read: ScoredEssays, tools: Tools) -> Outcome:
    """The model; blocks that another worker has not finished yet are measured here."""
    settings, rows = TrainingJob.from_json(piece.settings), list[dict[str, float]]()
    for item_id, first, stop in settings.blocks:
        tools.observer.check()
        stored = tools.database.read(find_result, item_id, piece.engine)
        measured = [floats(row) for row in stored.payload["values"]] if stored else None
        rows += _measured(read.essays[first:stop], tools.observer) if measured is None else measured
    table = EssayFeatures.of(read.essays, rows, read.human, programs=read.programs, names=tuple(FEATURES))
    scale = ScoreScale.parse(settings.scale) if settings.scale else None
    return _model_outcome(trained(table, training_plan(**settings.of_plan), scale, tools.observer))


def _trained_at_once(settings: TrainingJob, tools: Tools) -> Outcome:
    """A model of another kind than the twelve features make, by one worker from the table to the end."""
    path = tools.file(settings.digest, settings.suffix)
    essay_columns(settings.columns)  # the one with the essays is chosen: a guess might be one that names files
    columns = {role: getattr(settings.columns, role) or None for role in COLUMN_ROLES}
    options: dict[str, Any] = {**columns, **settings.of_plan, "scale": settings.scale or None}
    try:
        return _model_outcome(train(path, **options, observer=tools.observer))
    except InputError as problem:
        raise problem.at(settings.source) from None


def _model_outcome(result: TrainedModel) -> Outcome:
    return Outcome(_facts(result), None, {MODEL_FILE: model_bytes(result.model)})


def _facts(result: TrainedModel) -> Json:
    facts = result.to_dict()
    equations = facts["equations"] or {"": facts["agreement"]}
    agreement = {group or "all essays": figures for group, figures in equations.items()}
    names = ("notes", "left_out", "kind", "scale", "essays", "revision")
    return {"agreement": agreement, **{name: facts[name] for name in names}}


def _refitted(piece: Leased, tools: Tools) -> Outcome:
    """A new revision of the model, and both compared on the essays people decided about.

    Each of these essays is scored by a revision that was refitted without it: what the new model will do with others.
    """
    settings, decided = RefitJob.from_json(piece.settings), TrainingTask.from_json(piece.task).scores
    old = refittable(read_model_of(settings.model, tools.file))
    check_parts(old.reads_with, bundled_discourse_model())
    essays, rows, programs = [], [], []
    for item_id, _ in decided:  # as they were measured when they were scored
        stored = tools.database.read(find_result, item_id, settings.engine)
        if stored is None or not stored.payload["scored"]:
            gone = "an essay that was decided about has no score by this model any more"
            raise InputError(gone, remedy="Score again first.")
        text = feedback_from_json(tools.read(stored.files[FEEDBACK])).text.raw
        essays.append(Essay(str(item_id), text, stored.payload["prompt"]))
        rows.append(floats(stored.payload["features"]))
        programs.append(stored.payload.get("program", ""))
    human = HumanScores(np.array([score for _, score in decided], dtype=np.float64))
    table = EssayFeatures.of(essays, rows, human, programs=programs, names=old.features)
    provenance = Provenance(__version__, f"web, refit of {settings.model_name}", {}, 0, "")
    names = ("new model", "model now")
    result = refitted(old, table, names=names, provenance=provenance, observer=tools.observer)
    document = result.document(title="The new model beside the one that scores now")
    payload = {
        **_facts(result),
        "reviews": len(decided),
        "unseen": [[item, score] for (item, _), score in zip(decided, result.after.tolist(), strict=True)],
        "changed": result.changed,
        "figures": {
            name: {engine: figures[name] for engine, figures in result.comparison.metrics.items()}
            for name in ("qwk", "exact_agreement", "smd", "rmse")
        },
        "lead": document.verdict_lead,
        "rest": document.verdict_rest,
    }
    files = {
        MODEL_FILE: model_bytes(result.model),
        PAGE_FILE: page_html(document, document.sections),
        "comparison.json": comparison_json(result.comparison, provenance).encode(),
    }
    return Outcome(plain(payload), None, files)
