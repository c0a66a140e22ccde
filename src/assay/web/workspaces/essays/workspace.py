"""Essays in a workspace: what comes in is checked, columns are guessed, the scoring is started, a score is decided."""

import json
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from math import isfinite
from pathlib import PurePath
from typing import Any, BinaryIO

import numpy as np

from assay import __version__
from assay.errors import InputError
from assay.io.essays.table import guess_essay_columns
from assay.io.models.scoring_models import read_scoring_model
from assay.io.tables.columns import ROWS_LOOKED_AT
from assay.scale import ScoreScale
from assay.store.audit import note
from assay.store.blobs import blob_file
from assay.store.database import Connection
from assay.store.ids import content_digest
from assay.store.items import Item, NewItem, StoredResult
from assay.store.overrides import Consequence, Decision
from assay.store.schema import Json
from assay.store.uploads import Upload, workspace_uploads
from assay.store.workspaces import Workspace, change_workspace, create_workspace, find_workspace, hold_workspace
from assay.web.problems import FieldErrors
from assay.web.site import Site
from assay.web.uploads import keep_files
from assay.web.visitors import Visitor
from assay.web.workspaces.essays.decision_migration import migrate_decisions
from assay.web.workspaces.essays.models import model_of, workspace_model
from assay.web.workspaces.essays.sources import ROLES_OF_COLUMNS, FileOf, check_kind, essay_items, is_table
from assay.web.workspaces.evaluation.score_tables import head_of, opened
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.scoring import start_scoring
from assay.web.workspaces.stored_settings import (
    BUNDLED_MODEL,
    EssayColumnNames,
    EssayJob,
    EssaySettings,
    EssayTask,
    ModelChoice,
)
from assay.web.workspaces.workspace_page import WorkspaceContext

KIND = "essays"
ROLES = ("essays", "training", "model")
GUESSED_ROLES = ("text", "id", "prompt", "score")
LONGEST_QUESTION = 4000
Files = Sequence[tuple[str, BinaryIO]]


# ---- what comes in -----------------------------------------------------------------------------------------------


def new_workspace(
    site: Site, files: Files, who: Visitor, *, title: str = "", question: str = "", example: bool = False
) -> WorkspaceContext:
    """A workspace with essays in it; scored at once unless columns must be chosen first."""
    title = title.strip() or (PurePath(files[0][0]).stem.replace("_", " ") if files else "Essays")
    settings = EssaySettings(question=question.strip()[:LONGEST_QUESTION]).to_json()
    with site.database.writing() as connection:
        made = create_workspace(
            connection, KIND, title, settings=settings, author=who.name, now=site.now(), example=example
        )
        received(connection, site, made, keep_files(connection, site, made, "essays", files, who))
        kept = find_workspace(connection, made.id)
    assert kept is not None  # made above
    context = WorkspaceContext(kept, KINDS[KIND], who, site)
    score_if_ready(context)
    return context


def pasted(name: str, text: str) -> tuple[str, BinaryIO]:
    """A text from a form as a file."""
    plain = " ".join(name.split())[:120] or "Pasted essay"
    content = text.replace("\r\n", "\n").encode("utf-8", "replace")
    return f"{plain.replace('/', ' ')}.txt", BytesIO(content)


def add_essays(context: WorkspaceContext, files: Files) -> None:
    """Further essays for a workspace that is there."""
    with context.site.database.writing() as connection:
        kept = keep_files(connection, context.site, context.workspace, "essays", files, context.visitor)
        received(connection, context.site, context.workspace, kept)


def received(connection: Connection, site: Site, workspace: Workspace, uploads: Sequence[Upload]) -> None:
    """Look at what came in: guess the columns of a table, read a model; documents are read by workers."""
    for upload in uploads:
        current = find_workspace(connection, workspace.id) or workspace
        settings = _RECEIVED[upload.role](connection, site, EssaySettings.of(current), upload)
        change_workspace(connection, workspace.id, now=site.now(), settings=settings.to_json())


def _essays_received(connection: Connection, site: Site, settings: EssaySettings, upload: Upload) -> EssaySettings:
    check_kind(upload.name)
    if not is_table(upload.name):
        return settings
    return settings.changed(columns=_guessed(connection, site, upload), columns_chosen=False)


def _training_received(connection: Connection, site: Site, settings: EssaySettings, upload: Upload) -> EssaySettings:
    if not is_table(upload.name):
        raise InputError(
            "this is no table",
            source=upload.name,
            field="training",
            remedy="A model is trained on a table with a row for each scored essay.",
        )
    return settings.changed(training_columns=_guessed(connection, site, upload, "second"))


def _guessed(connection: Connection, site: Site, upload: Upload, *further: str) -> EssayColumnNames:
    guess = guess_essay_columns(head_of(opened(site, connection, upload), ROWS_LOOKED_AT))
    return EssayColumnNames(**{role: getattr(guess, role) for role in (*GUESSED_ROLES, *further)})


def _model_received(connection: Connection, site: Site, settings: EssaySettings, upload: Upload) -> EssaySettings:
    try:
        read_scoring_model(blob_file(connection, upload.digest, ".json", site.settings.cache))
    except InputError as problem:
        raise problem.at(upload.name, field="model") from None
    chosen = ModelChoice(digest=upload.digest, name=PurePath(upload.name).stem)
    return settings.changed(next_model=chosen, models=settings.with_model(chosen))


_RECEIVED = {"essays": _essays_received, "training": _training_received, "model": _model_received}


def essay_uploads(site: Site, workspace_id: str) -> list[Upload]:
    with site.database.reading() as connection:
        return workspace_uploads(connection, workspace_id, "essays")


def table_upload(site: Site, workspace_id: str) -> Upload | None:
    """The table of essays that came last, if any."""
    return next((u for u in reversed(essay_uploads(site, workspace_id)) if is_table(u.name)), None)


def file_of(site: Site) -> FileOf:
    """Blobs as files."""

    def find(digest: str, suffix: str) -> Any:
        with site.database.reading() as connection:
            return blob_file(connection, digest, suffix, site.settings.cache)

    return find


# ---- scoring -----------------------------------------------------------------------------------------------------


def start(context: WorkspaceContext, settings: Json) -> str | None:
    """Score with the columns, question and model a program names; what it does not name stays."""
    allowed = {*ROLES_OF_COLUMNS, "question", "model"}
    unknown = sorted(set(settings) - allowed)
    if unknown:
        raise FieldErrors({unknown[0]: f"There is no setting {unknown[0]!r}. There are: {', '.join(sorted(allowed))}."})
    wrong = [name for name, value in settings.items() if not isinstance(value, str)]
    if wrong:
        raise FieldErrors({wrong[0]: f"{wrong[0]} takes text."})
    known = EssaySettings.of(context.workspace)
    return score_with(
        context,
        columns=known.columns.changed(**{role: settings[role] for role in ROLES_OF_COLUMNS if role in settings}),
        question=settings.get("question"),
        model=_named_model(known, settings.get("model")),
    )


def _named_model(settings: EssaySettings, name: str | None) -> ModelChoice | None:
    if name is None:
        return settings.next_model
    for model in (BUNDLED_MODEL, *settings.models):
        if name in (model.name, model.digest) or (name == "bundled" and not model.digest):
            return model
    raise FieldErrors({"model": f"There is no model {name!r} here. Upload it under the role `model` first."})


def score_if_ready(context: WorkspaceContext) -> str | None:
    """Score at once where nothing must be chosen: documents, or a table whose columns were checked."""
    is_checked = bool(EssaySettings.of(context.workspace).columns_chosen)
    has_table = table_upload(context.site, context.workspace.id) is not None
    return None if has_table and not is_checked else score_with(context)


def score_with(
    context: WorkspaceContext,
    *,
    columns: EssayColumnNames | None = None,
    question: str | None = None,
    model: ModelChoice | Json | None = None,
) -> str | None:
    """Check what was chosen, keep it, and score what has no score by it; the id of the job. FieldErrors by field."""
    site, workspace, known = context.site, context.workspace, EssaySettings.of(context.workspace)
    uploads = essay_uploads(site, workspace.id)
    if not uploads:
        raise FieldErrors({"essays": "Give the essays first: documents, or a table with a row for each."})
    chosen = columns if columns is not None else known.columns
    asked = (question if question is not None else known.question).strip()[:LONGEST_QUESTION]
    used = ModelChoice.model_validate(model) if model is not None else known.scoring_model
    items = checked_items(site, uploads, chosen)
    _check_prompts(site, items, asked, used)
    with site.database.writing() as connection:
        current = hold_workspace(connection, workspace.id) or workspace
        changed = _use(connection, context, current, columns=chosen, question=asked, model=used)
        engine = engine_of(used.digest, asked)
        job = EssayJob(model=used.digest, model_name=used.name, question=asked).to_json()
        started = start_scoring(
            connection, site, changed, items, engine=engine, kind=KIND, settings=job, who=context.visitor
        )
        migrate_decisions(connection, changed, was=current.engine, becomes=engine)
        return started


def _use(
    connection: Connection,
    context: WorkspaceContext,
    workspace: Workspace,
    *,
    columns: EssayColumnNames,
    question: str,
    model: ModelChoice,
) -> Workspace:
    """The workspace with what was chosen; another model or question is noted."""
    known, now = EssaySettings.of(workspace), context.site.now()
    models = known.with_model(model) if model.digest else known.models
    chosen = known.changed(columns=columns, columns_chosen=True, question=question, model=model, models=models)
    settings = {name: value for name, value in chosen.to_json().items() if name != "next_model"}
    change_workspace(connection, workspace.id, now=now, settings=settings)
    if engine_of(model.digest, question) != workspace.engine:
        detail = {"name": model.name, "model": model.digest, "question": question}
        note(
            connection,
            "choose model",
            author=context.visitor.name,
            now=now,
            workspace_id=workspace.id,
            detail=detail,
        )
    return replace(workspace, settings=settings)


def checked_items(site: Site, uploads: Sequence[Upload], chosen: EssayColumnNames) -> list[NewItem]:
    """What there is to score; FieldErrors beside the column or the file that is wrong."""
    tables = [upload for upload in uploads if is_table(upload.name)]
    if tables and not chosen.text:
        raise FieldErrors({"text": "Choose the column that holds the essays."})
    for upload in tables:
        with site.database.reading() as connection:
            columns = opened(site, connection, upload).columns
        unknown = {role: name for name, role in chosen.roles.items() if name not in columns}
        if unknown:
            raise FieldErrors({r: f"{upload.name} has no column {name!r}." for r, name in unknown.items()})
    try:
        return essay_items(uploads, file_of(site), chosen.to_json())
    except InputError as problem:
        raise FieldErrors.of(problem, fields=ROLES_OF_COLUMNS, otherwise="essays") from None


def _check_prompts(site: Site, items: Sequence[NewItem], question: str, used: ModelChoice) -> None:
    """FieldErrors when the model knows no prompt of these essays, so that nothing could be scored."""
    known = set(model_of(site, used.digest).known_prompts)
    asked = {EssayTask.from_json(item.detail).prompt or question for item in items}
    if not known or asked & known or (len(known) == 1 and "" in asked):
        return
    shown = ", ".join(repr(name) for name in sorted(known)[:3])
    raise FieldErrors(
        {
            "prompt": f"The model {used.name!r} was trained on prompt {shown}; none of these essays is on one it "
            "knows. Choose the column that names the prompt, give the prompt by that name, or choose another model."
        }
    )


def engine_of(model: str, question: str) -> str:
    """What stands for all that bears on a score: the model, the question, the version."""
    return content_digest(KIND, __version__, model or "bundled", question)


# ---- decisions ---------------------------------------------------------------------------------------------------


def decide(
    site: Site,
    workspace: Workspace,
    item: Item,
    result: StoredResult,
    decisions: Sequence[Decision],
    target: str,
    value: Any,
) -> Consequence:
    """What an override or a confirmation of a score does: the final score is the one a person gave."""
    del item
    if target != "score":
        raise InputError("Of an essay the score can be decided about: target `score`.")
    before = decisions[-1].human_score if decisions else result.score
    if value is None:
        if before is None:
            raise InputError("This essay has no score that could be confirmed. Give it one.")
        return Consequence(before, result.score, before)
    scale = workspace_model(site, workspace).scale
    return Consequence(before, result.score, score_point(value, scale))


def score_point(value: Any, scale: ScoreScale) -> float:
    """A score as a point of the scale; InputError for anything else."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not good or not bool(scale.holds(np.array([float(value)]))[0]):
        raise InputError(f"{json.dumps(value)} is no score point of this model, whose scale is {scale}.")
    return float(value)
