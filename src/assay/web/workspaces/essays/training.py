"""A model trained on a table of scored essays, or moved towards what people decided here: both are jobs.

Either makes a model beside the one that scores. It goes live only when somebody accepts it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from assay import __version__
from assay.errors import InputError
from assay.essays.models.erater.train import FOLDS, LEAST_OVERRIDES
from assay.io.essays.table import EssayTable
from assay.scale import ScoreScale
from assay.store.database import Connection
from assay.store.ids import content_digest
from assay.store.items import Item, NewItem, StoredResult, find_result
from assay.store.jobs import JobPiece, Progress, failures, progress
from assay.store.reviews import decided_scores
from assay.store.schema import Json
from assay.store.uploads import Upload, workspace_uploads
from assay.store.workspaces import hold_workspace
from assay.web.problems import FieldErrors, page_words
from assay.web.site import Site
from assay.web.workspaces.decisions import migrate_decisions
from assay.web.workspaces.essays.models import engine_of, workspace_model
from assay.web.workspaces.essays.sources import essay_columns
from assay.web.workspaces.export_files import file_of
from assay.web.workspaces.scoring import change_settings, enqueue_again, hidden_items
from assay.web.workspaces.stored_settings import EssayColumnNames, EssaySettings, ModelChoice
from assay.web.workspaces.workspace_page import WorkspaceContext

TRAIN, REFIT = "essays-train", "essays-refit"
AT_ONCE = 8
"""Essays measured in one piece of work."""
MODEL_KINDS = {
    "generic10": "Generic10: any prompt; ten features, none of them about the words of a prompt",
    "generic12": "Generic12: the prompts of the table; two further features compare the words used",
    "specific": "Prompt-specific: an equation of its own for each prompt",
}
LEAST_REVIEWS = next(n for n in range(LEAST_OVERRIDES, 10 * LEAST_OVERRIDES) if n - -(-n // FOLDS) >= LEAST_OVERRIDES)
"""A version that has not seen a fold of the reviews must still have enough of them to be refitted."""
MODEL_FILE, PAGE_FILE = "model.json", "page.html"


@dataclass(frozen=True, slots=True)
class Made:
    """How far the making of a model is."""

    asked: Json
    """What was asked for, as the workspace keeps it."""
    job: Progress | None
    result: StoredResult | None
    why: str
    """Why it failed; empty otherwise."""


def _hidden(connection: Connection, context: WorkspaceContext, engine: str, tasks: Sequence[Json]) -> list[Item]:
    new = [NewItem(content_digest(engine, json.dumps(task, sort_keys=True)), "Model", task) for task in tasks]
    return hidden_items(connection, context, new)


def training_upload(site: Site, workspace_id: str) -> Upload | None:
    """The table a model is to be trained on: the one given for it, or the table of essays."""
    with site.database.reading() as connection:
        given = workspace_uploads(connection, workspace_id, "training")
    return given[-1] if given else None


def start_training(context: WorkspaceContext, upload: Upload, columns: Json, kind: str, scale: str) -> str:
    """Check what was chosen and start; the id of the job. FieldErrors by field."""
    count = _check_training(context.site, upload, columns, kind, scale)
    settings: Json = {"digest": upload.digest, "suffix": upload.suffix, "source": upload.name}
    settings |= {"columns": columns, "kind": kind, "scale": scale}
    engine = content_digest("essay training", __version__, json.dumps(settings, sort_keys=True))
    blocks = [(first, min(first + AT_ONCE, count)) for first in range(0, count, AT_ONCE)]
    tasks: list[Json] = [{"is": "measure", "first": first, "stop": stop} for first, stop in blocks]
    with context.site.database.writing() as connection:
        hold_workspace(connection, context.workspace.id)
        hidden = _hidden(connection, context, engine, [*tasks, {"is": "fit"}])
        settings["blocks"] = [[item.id, *block] for item, block in zip(hidden, blocks, strict=False)]
        left = [item for item in hidden if find_result(connection, item.id, engine) is None]
        pieces = [JobPiece(item.detail, item.id) for item in left]
        job = enqueue_again(connection, context, TRAIN, pieces, engine=engine, settings=settings)
        asked = {"item": hidden[-1].id, "engine": engine, "job": job}
        asked |= {"name": f"{upload.name} ({kind})", "source": upload.name}
        changed = {"training": asked, "training_columns": columns}
        change_settings(connection, context.site, context.workspace, changed)
        context.note(connection, "train model", asked)
    return job


def _check_training(site: Site, upload: Upload, columns: Json, kind: str, scale: str) -> int:
    """The number of essays; FieldErrors for whatever cannot be used."""
    needed = {"text": "essays", "score": "human score"}
    errors = {r: f"Choose the column that holds the {w}." for r, w in needed.items() if not columns.get(r)}
    if kind not in MODEL_KINDS:
        errors["kind"] = "Choose one of the kinds of model."
    if kind == "specific" and not columns.get("prompt"):
        errors["prompt"] = "A prompt-specific model needs the column that names the prompt."
    if scale:
        try:
            ScoreScale.parse(scale)
        except InputError as problem:
            errors["scale"] = page_words(problem)
    if errors:
        raise FieldErrors(errors)
    path = file_of(site)(upload.digest, upload.suffix)
    try:
        return sum(len(part) for part in EssayTable(path, essay_columns(EssayColumnNames.from_json(columns))).parts())
    except InputError as problem:
        fields = ("id", "score", "prompt")
        raise FieldErrors.of(problem.at(upload.name), fields=fields, otherwise="text") from None


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
    with context.site.database.reading() as connection:
        return decided_scores(connection, context.workspace.id, context.workspace.engine)


def start_refit(context: WorkspaceContext) -> str:
    """Move a copy of the model towards what people decided; the id of the job."""
    waits = refit_waits_for(context)
    if waits:
        raise InputError(waits)
    model = EssaySettings.of(context.workspace).scoring_model
    scores, of = reviews_of(context), context.workspace.engine
    task: Json = {"is": "refit", "scores": scores}
    engine = content_digest("essay refit", __version__, of, json.dumps(scores))
    settings = {"model": model.digest, "model_name": model.name, "engine": of}
    with context.site.database.writing() as connection:
        hold_workspace(connection, context.workspace.id)
        (item,) = _hidden(connection, context, engine, [task])
        pieces = [JobPiece(task, item.id)] if find_result(connection, item.id, engine) is None else []
        job = enqueue_again(connection, context, REFIT, pieces, engine=engine, settings=settings)
        asked: Json = {"item": item.id, "engine": engine, "job": job, "of": of, "name": model.name}
        asked["reviews"] = len(scores)
        change_settings(connection, context.site, context.workspace, {"refit": asked})
        context.note(connection, "refit model", asked)
    return job


def made_of(context: WorkspaceContext, what: str) -> Made | None:
    """How far `training` or `refit` is; None if nobody asked for it."""
    asked = context.workspace.settings.get(what)
    if not asked:
        return None
    with context.site.database.reading() as connection:
        job = progress(connection, asked["job"], now=context.site.now())
        result = find_result(connection, asked["item"], asked["engine"])
        if result is not None or (job is not None and job.is_open):
            return Made(asked, job, result, "")
        failed = failures(connection, asked["job"]) if job is not None else []
    return Made(asked, job, None, next((message for _, message in failed), "The work was stopped."))


def accept(context: WorkspaceContext, what: str) -> ModelChoice:
    """Note that the model that was made goes live, with what people decided; the model to score with from now on."""
    model_made = made_of(context, what)
    if model_made is None or model_made.result is None:
        raise InputError("There is no new model to accept. It may still be in the making.")
    name = model_made.asked["name"]
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
        change_settings(connection, context.site, workspace, {what: None})
    return model


def discard(context: WorkspaceContext, what: str) -> None:
    """Forget the new model; the old one goes on."""
    with context.site.database.writing() as connection:
        change_settings(connection, context.site, context.workspace, {what: None})
        context.note(connection, f"discard {what}")
