"""A model trained on a table of scored essays, or moved towards what people decided here: both are jobs.

Either makes a model beside the one that scores. It goes live only when somebody accepts it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from assay import __version__
from assay.errors import InputError
from assay.essays.models.refit import FOLDS, LEAST_OVERRIDES
from assay.io.essays.table import EssayTable
from assay.scale import ScoreScale
from assay.store.audit import note
from assay.store.blobs import blob_file
from assay.store.database import Connection
from assay.store.ids import content_digest
from assay.store.items import Item, NewItem, StoredResult, find_result, put_items, remove_items
from assay.store.jobs import JobPiece, Progress, cancel, enqueue, failures, latest_job, progress
from assay.store.reviews import decided_scores
from assay.store.schema import Json
from assay.store.uploads import Upload, workspace_uploads
from assay.store.workspaces import Workspace, change_workspace, hold_workspace
from assay.web.problems import FieldErrors, page_words
from assay.web.site import Site
from assay.web.workspaces.essays.decision_migration import migrate_decisions
from assay.web.workspaces.essays.models import chosen_model, facts_of, workspace_model
from assay.web.workspaces.essays.sources import essay_columns
from assay.web.workspaces.essays.workspace import engine_of, score_with
from assay.web.workspaces.stored_settings import EssayColumnNames, EssaySettings
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


# ---- training ----------------------------------------------------------------------------------------------------


def training_upload(site: Site, workspace_id: str) -> Upload | None:
    """The table a model is to be trained on: the one given for it, or the table of essays."""
    with site.database.reading() as connection:
        given = workspace_uploads(connection, workspace_id, "training")
    return given[-1] if given else None


def start_training(found: WorkspaceContext, upload: Upload, columns: Json, kind: str, scale: str) -> str:
    """Check what was chosen and start; the id of the job. FieldErrors by field."""
    site, now = found.site, found.site.now()
    count = _check_training(site, upload, columns, kind, scale)
    settings: Json = {
        "digest": upload.digest,
        "suffix": upload.suffix,
        "source": upload.name,
        "columns": columns,
        "kind": kind,
        "scale": scale,
    }
    engine = content_digest("essay training", __version__, json.dumps(settings, sort_keys=True))
    spans = [(first, min(first + AT_ONCE, count)) for first in range(0, count, AT_ONCE)]
    tasks: list[Json] = [{"is": "measure", "first": first, "stop": stop} for first, stop in spans]
    with site.database.writing() as connection:
        hold_workspace(connection, found.workspace.id)
        hidden = _hidden(connection, site, found.workspace, engine, [*tasks, {"is": "fit"}])
        settings["blocks"] = [[item.id, *span] for item, span in zip(hidden, spans, strict=False)]
        left = [item for item in hidden if find_result(connection, item.id, engine) is None]
        pieces = [JobPiece(item.detail, item.id) for item in left]
        job = _queue(connection, found, TRAIN, pieces, engine, settings)
        asked = {
            "item": hidden[-1].id,
            "engine": engine,
            "job": job,
            "name": f"{upload.name} ({kind})",
            "source": upload.name,
        }
        _keep(connection, site, found.workspace, {"training": asked, "training_columns": columns})
        note(
            connection, "train model", author=found.visitor.name, now=now, workspace_id=found.workspace.id, detail=asked
        )
    return job


def _check_training(site: Site, upload: Upload, columns: Json, kind: str, scale: str) -> int:
    """The number of essays; FieldErrors for whatever cannot be used."""
    errors = {r: f"Choose the column that holds the {w}." for r, w in _NEEDED.items() if not columns.get(r)}
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
    with site.database.reading() as connection:
        path = blob_file(connection, upload.digest, upload.suffix, site.settings.cache)
    try:
        parts = list(EssayTable(path, essay_columns(EssayColumnNames.from_json(columns))).parts())
    except InputError as problem:
        fields = ("id", "score", "prompt")
        raise FieldErrors.of(problem.at(upload.name), fields=fields, otherwise="text") from None
    return sum(len(part) for part in parts)


_NEEDED = {"text": "essays", "score": "human score"}


def _hidden(connection: Connection, site: Site, workspace: Workspace, engine: str, tasks: Sequence[Json]) -> list[Item]:
    """Items that no list shows: they hold what work on a model has made."""
    new = [NewItem(content_digest(engine, json.dumps(task, sort_keys=True)), "Model", task) for task in tasks]
    made = {item.digest: item for item in put_items(connection, workspace.id, new, now=site.now())}
    remove_items(connection, workspace.id, [item.id for item in made.values()], now=site.now())
    return [made[item.digest] for item in new]


def _queue(
    connection: Connection, found: WorkspaceContext, kind: str, pieces: Sequence[JobPiece], engine: str, settings: Json
) -> str:
    now = found.site.now()
    running = latest_job(connection, found.workspace.id, now=now)
    if running is not None and running.is_open and running.kind == kind:
        cancel(connection, running.job_id, now=now)
    return enqueue(
        connection,
        kind,
        found.workspace.id,
        pieces,
        author=found.visitor.name,
        now=now,
        engine=engine,
        settings=settings,
    )


def _keep(connection: Connection, site: Site, workspace: Workspace, changed: Json) -> None:
    current = hold_workspace(connection, workspace.id) or workspace
    change_workspace(connection, workspace.id, now=site.now(), settings={**current.settings, **changed})


# ---- refitting ---------------------------------------------------------------------------------------------------


def refit_waits_for(found: WorkspaceContext) -> str:
    """Why the model cannot be refitted yet; empty when it can."""
    facts = facts_of(workspace_model(found.site, found.workspace))
    if not facts.can_refit:
        return f"Models of the kind {facts.kind} are not refitted; train a new one on a table instead."
    count = len(reviews_of(found))
    if count < LEAST_REVIEWS:
        more = LEAST_REVIEWS - count
        return f"{count} of at least {LEAST_REVIEWS} essays are reviewed: confirm or override {more} more."
    return ""


def reviews_of(found: WorkspaceContext) -> list[list[float]]:
    """Item and final score of every essay a person decided about."""
    with found.site.database.reading() as connection:
        return decided_scores(connection, found.workspace.id, found.workspace.engine)


def start_refit(found: WorkspaceContext) -> str:
    """Move a copy of the model towards what people decided; the id of the job."""
    waits = refit_waits_for(found)
    if waits:
        raise InputError(waits)
    site, model = found.site, chosen_model(found.workspace)
    scores, engine = reviews_of(found), found.workspace.engine
    task: Json = {"is": "refit", "scores": scores}
    made = content_digest("essay refit", __version__, engine, json.dumps(scores))
    settings = {"model": model["digest"], "model_name": model["name"], "engine": engine}
    with site.database.writing() as connection:
        hold_workspace(connection, found.workspace.id)
        (item,) = _hidden(connection, site, found.workspace, made, [task])
        again = find_result(connection, item.id, made) is not None
        job = _queue(connection, found, REFIT, [] if again else [JobPiece(task, item.id)], made, settings)
        asked = {
            "item": item.id,
            "engine": made,
            "job": job,
            "of": engine,
            "name": model["name"],
            "reviews": len(scores),
        }
        _keep(connection, site, found.workspace, {"refit": asked})
        now, author = site.now(), found.visitor.name
        note(connection, "refit model", author=author, now=now, workspace_id=found.workspace.id, detail=asked)
    return job


def made_of(found: WorkspaceContext, what: str) -> Made | None:
    """How far `training` or `refit` is; None if nobody asked for it."""
    asked = found.workspace.settings.get(what)
    if not asked:
        return None
    with found.site.database.reading() as connection:
        job = progress(connection, asked["job"], now=found.site.now())
        result = find_result(connection, asked["item"], asked["engine"])
        failed = failures(connection, asked["job"]) if result is None and job is not None and not job.is_open else []
    why = next((message for _, message in failed), "The work was stopped." if result is None and failed == [] else "")
    return Made(asked, job, result, "" if result is not None or (job is not None and job.is_open) else why)


def accept(found: WorkspaceContext, what: str) -> str | None:
    """Make the model that was made the one that scores; the id of the job that scores with it."""
    made = made_of(found, what)
    if made is None or made.result is None:
        raise InputError("There is no new model to accept. It may still be in the making.")
    was = found.workspace.engine
    revision = made.result.payload["revision"]
    name = made.asked["name"] if what == "training" else f"{_plain_name(made.asked['name'])}, revision {revision}"
    model = {"digest": made.result.files[MODEL_FILE], "name": name}
    with found.site.database.writing() as connection:
        author = found.visitor.name
        hold_workspace(connection, found.workspace.id)
        note(
            connection,
            "accept model",
            author=author,
            now=found.site.now(),
            workspace_id=found.workspace.id,
            detail=model,
        )
        if what == "refit":
            unseen = {int(item): score for item, score in made.result.payload["unseen"] if score is not None}
            engine = engine_of(model["digest"], EssaySettings.of(found.workspace).question)
            migrate_decisions(connection, found.workspace, was=was, becomes=engine, unseen=unseen)
        _keep(connection, found.site, found.workspace, {what: None})
    return score_with(found, model=model)


def _plain_name(name: str) -> str:
    return name.split(", revision ", maxsplit=1)[0]


def discard(found: WorkspaceContext, what: str) -> None:
    """Forget the new model; the old one goes on."""
    with found.site.database.writing() as connection:
        now, author = found.site.now(), found.visitor.name
        _keep(connection, found.site, found.workspace, {what: None})
        note(connection, f"discard {what}", author=author, now=now, workspace_id=found.workspace.id)
