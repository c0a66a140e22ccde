"""Essays in a workspace: what comes in is checked, columns are guessed, the scoring is started, a score is decided."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import PurePath
from typing import Any, BinaryIO

from assay.errors import InputError
from assay.io.essays.table import guess_essay_columns
from assay.io.models.scoring_models import read_scoring_model
from assay.io.tables.columns import ROWS_LOOKED_AT
from assay.store.blobs import Upload, blob_file, workspace_uploads
from assay.store.items import NewItem, find_result, workspace_items
from assay.store.overrides import Consequence, reviewed
from assay.store.overrides import decide as keep_decision
from assay.store.schema import Connection, Json
from assay.store.workspaces import change_workspace, find_workspace, hold_workspace
from assay.web.problems import FieldErrors
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspaces import scoring
from assay.web.workspaces.decisions import migrate_decisions
from assay.web.workspaces.essays.models import engine_of, model_of, score_point, workspace_model
from assay.web.workspaces.essays.sources import ROLES_OF_COLUMNS, check_kind, essay_items, is_table
from assay.web.workspaces.export_files import DecidedItem, file_of
from assay.web.workspaces.score_tables import head_of, opened
from assay.web.workspaces.scoring import WorkspaceContext
from assay.web.workspaces.stored_settings import (
    EssayColumnNames,
    EssayJob,
    EssayRequest,
    EssaySettings,
    EssayTask,
    ModelChoice,
)

ROLES = ("essays", "training", "model")
LONGEST_QUESTION = 4000
REASON = "Human score of the uploaded table"


def new_workspace(
    site: Site, files: scoring.NamedFiles, who: Visitor, *, title: str = "", question: str = "", example: bool = False
) -> WorkspaceContext:
    """A workspace with essays in it; scored at once unless columns must be chosen first."""
    title = title.strip() or (PurePath(files[0][0]).stem.replace("_", " ") if files else "Essays")
    settings = EssaySettings(question=question.strip()[:LONGEST_QUESTION]).to_json()
    take = partial(scoring.take_files, role="essays", files=files)
    context = scoring.new_context(site, "essays", title, who, take, settings=settings, example=example)
    score_if_ready(context)
    return context


def pasted(name: str, text: str) -> tuple[str, BinaryIO]:
    """A text from a form as a file."""
    plain = " ".join(name.split())[:120] or "Pasted essay"
    content = text.replace("\r\n", "\n").encode("utf-8", "replace")
    return f"{plain.replace('/', ' ')}.txt", BytesIO(content)


def received(connection: Connection, context: WorkspaceContext, uploads: Sequence[Upload]) -> None:
    """Look at what came in: guess the columns of a table, read a model; documents are read by workers."""
    site, workspace = context.site, context.workspace
    for upload in uploads:
        settings = EssaySettings.of(find_workspace(connection, workspace.id) or workspace)
        if upload.role == "essays":
            check_kind(upload.name)
            if is_table(upload.name):
                settings = settings.changed(columns=_guessed(connection, site, upload), columns_chosen=False)
        elif upload.role == "training":
            if not is_table(upload.name):
                remedy = "A model is trained on a table with a row for each scored essay."
                raise InputError("this is no table", source=upload.name, field="training", remedy=remedy)
            settings = settings.changed(training_columns=_guessed(connection, site, upload, "second"))
        else:
            try:
                read_scoring_model(blob_file(connection, upload.digest, ".json", site.settings.cache))
            except InputError as problem:
                raise problem.at(upload.name, field="model") from None
            chosen = ModelChoice(digest=upload.digest, name=PurePath(upload.name).stem)
            settings = settings.changed(next_model=chosen, models=settings.with_model(chosen))
        change_workspace(connection, workspace.id, now=site.now(), settings=settings.to_json())


def _guessed(connection: Connection, site: Site, upload: Upload, *further: str) -> EssayColumnNames:
    guess = guess_essay_columns(head_of(opened(site, connection, upload), ROWS_LOOKED_AT))
    return EssayColumnNames(**{role: getattr(guess, role) for role in ("text", "id", "prompt", "score", *further)})


def essay_uploads(site: Site, workspace_id: str) -> list[Upload]:
    return site.database.read(workspace_uploads, workspace_id, "essays")


def table_upload(site: Site, workspace_id: str) -> Upload | None:
    """The table of essays that came last, if any."""
    return next((u for u in reversed(essay_uploads(site, workspace_id)) if is_table(u.name)), None)


def start(context: WorkspaceContext, settings: Json) -> str | None:
    """Score with the columns, question and model a program names; what it does not name stays."""
    asked = scoring.requested(EssayRequest, settings, {})
    known, name = EssaySettings.of(context.workspace), asked.model
    model = known.next_model
    if name is not None:
        models = (EssaySettings().scoring_model, *known.models)
        model = next((m for m in models if name in (m.name, m.digest, "" if m.digest else "bundled")), None)
        if model is None:
            raise FieldErrors({"model": f"There is no model {name!r} here. Upload it under the role `model` first."})
    columns = known.columns.with_named(asked, ROLES_OF_COLUMNS)
    return score_with(context, columns=columns, question=asked.question, model=model)


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
    model: ModelChoice | None = None,
) -> str | None:
    """Check what was chosen, keep it, and score what has no score by it; the id of the job. FieldErrors by field."""
    site, workspace, known = context.site, context.workspace, EssaySettings.of(context.workspace)
    uploads = essay_uploads(site, workspace.id)
    if not uploads:
        raise FieldErrors({"essays": "Give the essays first: documents, or a table with a row for each."})
    columns = columns if columns is not None else known.columns
    question = (question if question is not None else known.question).strip()[:LONGEST_QUESTION]
    model = model if model is not None else known.scoring_model
    items = checked_items(site, uploads, columns)
    prompts = set(model_of(site, model.digest).known_prompts)
    asked = {EssayTask.from_json(item.detail).prompt or question for item in items}
    if prompts and not asked & prompts and not (len(prompts) == 1 and "" in asked):  # nothing could be scored
        trained = f"The model {model.name!r} was trained on prompt {', '.join(map(repr, sorted(prompts)[:3]))}"
        remedy = "Choose the column that names the prompt, give the prompt by that name, or choose another model."
        raise FieldErrors({"prompt": f"{trained}; none of these essays is on one it knows. {remedy}"})
    engine = engine_of(model.digest, question)
    job = EssayJob(model=model.digest, model_name=model.name, question=question).to_json()
    staged = scoring.stage(site, workspace.id, items)
    with site.database.writing() as connection:
        current = hold_workspace(connection, workspace.id) or workspace
        known = EssaySettings.of(current)
        models = known.with_model(model) if model.digest else known.models
        chosen = known.changed(columns=columns, columns_chosen=True, question=question, model=model, models=models)
        settings = {name: value for name, value in chosen.to_json().items() if name != "next_model"}
        change_workspace(connection, workspace.id, now=site.now(), settings=settings)
        if engine != current.engine:
            detail = {"name": model.name, "model": model.digest, "question": question}
            context.note(connection, "choose model", detail)
        changed = replace(current, settings=settings)
        new: Json = {"engine": engine, "settings": job, "staged": staged}
        started = scoring.start_scoring(connection, context, changed, items, **new)
        migrate_decisions(connection, changed, was=current.engine, becomes=engine)
        return started


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
        return essay_items(uploads, file_of(site), chosen)
    except InputError as problem:
        raise FieldErrors.of(problem, fields=ROLES_OF_COLUMNS, otherwise="essays") from None


def decide(essay: DecidedItem, target: str, value: Any) -> Consequence:
    """What an override or a confirmation of a score does: the final score is the one a person gave."""
    if target != "score":
        raise InputError("Of an essay the score can be decided about: target `score`.")
    system, before = essay.result.score, essay.final_score
    if value is not None:
        return Consequence(before, system, score_point(value, workspace_model(essay.site, essay.workspace).scale))
    if before is None:
        raise InputError("This essay has no score that could be confirmed. Give it one.")
    return Consequence(before, system, before)


def reviews_from_table(context: WorkspaceContext, *, author: str = "", most: int | None = None) -> None:
    """A decision for every essay that came with a human score on the scale and has none yet.

    What people gave before counts as what they give here. Where the system has not scored yet, its score is filled in
    when it has.
    """
    site, workspace = context.site, context.workspace
    engine, scale = workspace.engine, workspace_model(site, workspace).scale
    count, by = 0, author or context.visitor.name
    with site.database.writing() as connection:
        hold_workspace(connection, workspace.id)
        known = reviewed(connection, workspace.id, engine)
        for item in workspace_items(connection, workspace.id):
            human = EssayTask.from_json(item.detail).human
            if human is None or item.id in known or count == most:
                continue
            try:
                score_point(human, scale)
            except InputError:
                continue
            result = find_result(connection, item.id, engine)
            system = result.score if result is not None else None
            effect = Consequence(system, system, human)
            kind = "confirm" if system == human else "override"
            decision: dict[str, Any] = {"kind": kind, "target": "score", "value": human, "reason": REASON}
            keep_decision(connection, item, engine, **decision, consequence=effect, author=by, now=site.now())
            count += 1
        context.note(connection, "take human scores as reviews", {"name": f"{count} human scores"})
        scoring.refresh_summary(connection, workspace.id, now=site.now())
