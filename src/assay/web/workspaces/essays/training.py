"""Models trained or refitted in a workspace: started, watched, accepted or discarded."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay import __version__
from assay.errors import InputError
from assay.essays.models.erater.model import KIND_FEATURES
from assay.essays.models.erater.refit import FOLDS, LEAST_OVERRIDES
from assay.essays.models.erater.train import check_scores
from assay.io.essays.scored_essays import read_scored_essays
from assay.scale import ScoreScale
from assay.store.blobs import Upload, workspace_uploads
from assay.store.items import NewItem, StoredResult, find_result
from assay.store.jobs import JobPiece, Progress, failures, progress
from assay.store.reviews import decided_scores
from assay.store.schema import Json, content_digest
from assay.store.workspaces import hold_workspace
from assay.web.problems import FieldErrors, NotFound
from assay.web.site import Site
from assay.web.workspaces.decisions import migrate_decisions
from assay.web.workspaces.essays.models import (
    AT_ONCE,
    MODEL_FILE,
    REFIT,
    TRAIN,
    engine_of,
    workspace_model,
)
from assay.web.workspaces.essays.sources import essay_columns, further_columns
from assay.web.workspaces.essays.workspace import score_with
from assay.web.workspaces.export_files import file_of
from assay.web.workspaces.scoring import WorkspaceContext, enqueue_again, hidden_items, requested
from assay.web.workspaces.stored_settings import (
    COLUMN_ROLES,
    EssayColumnNames,
    EssaySettings,
    ModelChoice,
    RequestedModel,
    StoredJson,
    TrainingOptions,
    TrainingRequest,
    TrainingTask,
)
from assay.workflows.essays.train import training_plan

LEAST_REVIEWS = next(n for n in range(LEAST_OVERRIDES, 10 * LEAST_OVERRIDES) if n - -(-n // FOLDS) >= LEAST_OVERRIDES)
"""A version that has not seen a fold of the reviews must still have enough of them to be refitted."""


@dataclass(frozen=True, slots=True)
class Made:
    """How far the making of a model is."""

    asked: RequestedModel
    job: Progress | None
    result: StoredResult | None
    why: str
    """Why it failed; empty otherwise."""


def _start(
    context: WorkspaceContext, kind: str, engine: str, tasks: Sequence[Json], settings: Json, asked: Json, changed: Json
) -> str:
    """Enqueue the making of a model, whose last task makes it, and remember what was asked; the id of the job."""
    new = [NewItem(content_digest(engine, json.dumps(task, sort_keys=True)), "Model", task) for task in tasks]
    with context.site.database.writing() as connection:
        hold_workspace(connection, context.workspace.id)
        hidden = hidden_items(connection, context, new)
        parts = [(item.id, TrainingTask.from_json(item.detail)) for item in hidden]
        blocks = [[item_id, part.first, part.stop] for item_id, part in parts if part.what == "measure"]
        settings |= {"blocks": blocks} if kind == TRAIN else {}
        left = [item for item in hidden if find_result(connection, item.id, engine) is None]
        pieces = [JobPiece(item.detail, item.id) for item in left]
        job = enqueue_again(connection, context, kind, pieces, engine=engine, settings=settings)
        asked = {"item": hidden[-1].id, "engine": engine, "job": job, **asked}
        what, action = ("training", "train model") if kind == TRAIN else ("refit", "refit model")
        context.change_settings(connection, {what: asked, **changed})
        context.note(connection, action, asked)
    return job


def training_upload(context: WorkspaceContext) -> Upload:
    """The table a model is to be trained on."""
    given = context.site.database.read(workspace_uploads, context.workspace.id, "training")
    if not given:
        raise InputError("Upload a table with scored essays first.", field="training")
    return given[-1]


TAKES = {
    "length_weight": "a number from 0 to 1, or null to let the essays decide",
    "fix": "an object with the share of each feature, from 0 to 1",
    "curves": "true or false",
    "paper": "true or false",
}
"""What a program gives; everything else is text."""


def train_with(context: WorkspaceContext, settings: Json) -> str:
    """Train with what a program names, as `assay.train` calls it; columns it does not name are the guessed ones."""
    asked = requested(TrainingRequest, settings, TAKES)
    columns = EssaySettings.of(context.workspace).training_columns.with_named(asked, COLUMN_ROLES)
    return start_training(
        context, columns, TrainingOptions(**asked.model_dump(include=set(TrainingOptions.model_fields)))
    )


def start_training(context: WorkspaceContext, columns: EssayColumnNames, options: TrainingOptions) -> str:
    """Check what was chosen and start; the id of the job. FieldErrors by field."""
    upload, names = training_upload(context), columns.to_json()
    count = _check_training(context.site, upload, columns, options)
    settings: Json = {"digest": upload.digest, "suffix": upload.suffix, "source": upload.name}
    settings |= {"columns": names, **options.model_dump(mode="json")}
    engine = content_digest("essay training", __version__, json.dumps(settings, sort_keys=True))
    # workers share the essays of models of twelve features; the others are read where they are fitted
    starts = range(0, count if options.kind in KIND_FEATURES else 0, AT_ONCE)
    tasks: list[Json] = [{"is": "measure", "first": first, "stop": min(first + AT_ONCE, count)} for first in starts]
    asked = {"name": f"{upload.name} ({options.kind})", "source": upload.name}
    return _start(context, TRAIN, engine, [*tasks, {"is": "fit"}], settings, asked, {"training_columns": names})


def _check_training(site: Site, upload: Upload, columns: EssayColumnNames, options: TrainingOptions) -> int:
    """The number of essays; FieldErrors for whatever cannot be used."""
    needed = {"text": "essays", "score": "human score"}
    errors = {r: f"Choose the column that holds the {w}." for r, w in needed.items() if not getattr(columns, r)}
    if options.kind == "specific" and not columns.prompt:
        errors["prompt"] = "A prompt-specific model needs the column that names the prompt."
    scale = None
    try:
        training_plan(**options.of_plan)
        scale = ScoreScale.parse(options.scale) if options.scale else None
    except InputError as problem:
        errors |= FieldErrors.of(problem, fields=TrainingOptions.model_fields, otherwise="scale").errors
    if errors:
        raise FieldErrors(errors)
    path = file_of(site)(upload.digest, upload.suffix)
    try:
        read = read_scored_essays(path, essay_columns(columns), further_columns(columns))
        check_scores(read.human, scale)
    except InputError as problem:
        raise FieldErrors.of(problem.at(upload.name), fields=(*COLUMN_ROLES, "scale"), otherwise="text") from None
    return len(read)


def refit_waits_for(context: WorkspaceContext) -> str:
    """Why the model cannot be refitted yet; empty when it can."""
    model, count = workspace_model(context.site, context.workspace), len(reviews_of(context))
    if not model.can_refit:
        return f"Models of the kind {model.kind} are not refitted; train a new one on a table instead."
    if count < LEAST_REVIEWS:
        more = LEAST_REVIEWS - count
        return f"{count} of at least {LEAST_REVIEWS} essays are reviewed: confirm or override {more} more."
    return ""


def reviews_of(context: WorkspaceContext) -> list[list[float]]:
    """Item and final score of every essay a person decided about."""
    return context.site.database.read(decided_scores, context.workspace.id, context.workspace.engine)


def refit_with(context: WorkspaceContext, settings: Json) -> str:
    """Refit as a program asks for it: there is nothing to choose."""
    requested(StoredJson, settings, {})
    return start_refit(context)


def start_refit(context: WorkspaceContext) -> str:
    """Move a copy of the model towards what people decided; the id of the job."""
    waits = refit_waits_for(context)
    if waits:
        raise InputError(waits)
    model = EssaySettings.of(context.workspace).scoring_model
    scores, of = reviews_of(context), context.workspace.engine
    engine = content_digest("essay refit", __version__, of, json.dumps(scores))
    settings = {"model": model.digest, "model_name": model.name, "engine": of}
    asked = {"of": of, "name": model.name, "reviews": len(scores)}
    return _start(context, REFIT, engine, [{"is": "refit", "scores": scores}], settings, asked, {})


def made_of(context: WorkspaceContext, what: Literal["training", "refit"]) -> Made | None:
    """How far `training` or `refit` is; None if nobody asked for it."""
    known = EssaySettings.of(context.workspace)
    asked = known.training if what == "training" else known.refit
    if asked is None:
        return None
    with context.site.database.reading() as connection:
        job = progress(connection, asked.job, now=context.site.now())
        result = find_result(connection, asked.item, asked.engine)
        if result is not None or (job is not None and job.is_open):
            return Made(asked, job, result, "")
        failed = failures(connection, asked.job) if job is not None else []
    return Made(asked, job, None, next((message for _, message in failed), "The work was stopped."))


def go_live(context: WorkspaceContext, what: Literal["training", "refit"]) -> str | None:
    """Score with the model that was made; the id of the job. It waits on where these essays cannot be scored by it."""
    model, waiting = accept(context, what), getattr(EssaySettings.of(context.workspace), what)
    try:
        return score_with(context, model=model)
    except FieldErrors:
        with context.site.database.writing() as connection:
            context.change_settings(connection, {what: waiting.to_json()})
        raise


def accept(context: WorkspaceContext, what: Literal["training", "refit"]) -> ModelChoice:
    """Note that the model that was made goes live, with what people decided; the model to score with from now on."""
    model_made = made_of(context, what)
    if model_made is None or model_made.result is None:
        raise InputError("There is no new model to accept. It may still be in the making.")
    name = model_made.asked.name
    if what == "refit":
        name = f"{name.split(', revision ', maxsplit=1)[0]}, revision {model_made.result.payload['revision']}"
    model = ModelChoice(digest=model_made.result.files[MODEL_FILE], name=name)
    workspace = context.workspace
    with context.site.database.writing() as connection:
        hold_workspace(connection, workspace.id)
        context.note(connection, "accept model", model.to_json())
        if what == "refit":
            unseen = {int(item): score for item, score in model_made.result.payload["unseen"] if score is not None}
            engine = engine_of(model.digest, EssaySettings.of(workspace).question)
            migrate_decisions(connection, workspace, was=workspace.engine, becomes=engine, unseen=unseen)
        context.change_settings(connection, {what: None})
    return model


def waiting_model(context: WorkspaceContext, what: Literal["training", "refit"]) -> str:
    """The digest of the model that was made and waits for an answer; a 404 when there is none."""
    asked = made_of(context, what) if context.workspace.kind == "essays" else None
    if asked is None or asked.result is None:
        raise NotFound("There is no new model. It may still be in the making.")
    return asked.result.files[MODEL_FILE]


def discard(context: WorkspaceContext, what: str) -> None:
    """Forget the new model; the old one goes on."""
    with context.site.database.writing() as connection:
        context.change_settings(connection, {what: None})
        context.note(connection, f"discard {what}")
