"""Essays in a workspace: what comes in is checked, columns are guessed, the scoring is started, a score is decided."""

import json
from collections.abc import Sequence
from io import BytesIO
from math import isfinite
from pathlib import PurePath
from typing import Any, BinaryIO

import numpy as np
from sqlalchemy import Connection

from assay import __version__
from assay.errors import InputError
from assay.io.essays.guess_columns import GuessedEssayColumns, guess_essay_columns
from assay.io.models.scoring_models import read_scoring_model
from assay.io.tables.guess_columns import ROWS_LOOKED_AT
from assay.scale import ScoreScale
from assay.store.audit import note
from assay.store.blobs import blob_file
from assay.store.ids import content_digest
from assay.store.items import Item, NewItem, StoredResult
from assay.store.overrides import Decision
from assay.store.schema import Json
from assay.store.uploads import Upload, workspace_uploads
from assay.store.workspaces import Workspace, change_workspace, create_workspace, find_workspace, hold_workspace
from assay.web.problems import FieldErrors
from assay.web.site import Site
from assay.web.uploads import keep_files
from assay.web.visitors import Visitor
from assay.web.workspaces.consequence import Consequence
from assay.web.workspaces.essays.decision_migration import carry_decisions
from assay.web.workspaces.essays.models import BUNDLED, chosen_model, model_of, workspace_model
from assay.web.workspaces.essays.sources import NO_COLUMNS, FileOf, check_kind, essay_items, is_table
from assay.web.workspaces.evaluation.score_tables import head_of, opened
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.scoring import start_scoring
from assay.web.workspaces.workspace_page import WorkspaceContext

KIND = "essays"
ROLES = ("essays", "training", "model")
LONGEST_QUESTION = 4000
Files = Sequence[tuple[str, BinaryIO]]


# ---- what comes in -----------------------------------------------------------------------------------------------


def new_workspace(
    site: Site, files: Files, who: Visitor, *, title: str = "", question: str = "", example: bool = False
) -> WorkspaceContext:
    """A workspace with essays in it; scored at once unless columns must be chosen first."""
    title = title.strip() or (PurePath(files[0][0]).stem.replace("_", " ") if files else "Essays")
    settings: Json = {"question": question.strip()[:LONGEST_QUESTION]}
    with site.database.writing() as connection:
        made = create_workspace(
            connection, KIND, title, settings=settings, author=who.name, now=site.now(), example=example
        )
        received(connection, site, made, keep_files(connection, site, made, "essays", files, who))
        kept = find_workspace(connection, made.id)
    assert kept is not None  # made above
    found = WorkspaceContext(kept, KINDS[KIND], who, site)
    score_if_ready(found)
    return found


def pasted(name: str, text: str) -> tuple[str, BinaryIO]:
    """A text from a form as a file."""
    plain = " ".join(name.split())[:120] or "Pasted essay"
    content = text.replace("\r\n", "\n").encode("utf-8", "replace")
    return f"{plain.replace('/', ' ')}.txt", BytesIO(content)


def add_essays(found: WorkspaceContext, files: Files) -> None:
    """Further essays for a workspace that is there."""
    with found.site.database.writing() as connection:
        kept = keep_files(connection, found.site, found.workspace, "essays", files, found.visitor)
        received(connection, found.site, found.workspace, kept)


def received(connection: Connection, site: Site, workspace: Workspace, uploads: Sequence[Upload]) -> None:
    """Look at what came in: guess the columns of a table, read a model; documents are read by workers."""
    for upload in uploads:
        current = find_workspace(connection, workspace.id) or workspace
        changed = _RECEIVED[upload.role](connection, site, current, upload)
        if changed:
            change_workspace(connection, workspace.id, now=site.now(), settings={**current.settings, **changed})


def _essays_came(connection: Connection, site: Site, workspace: Workspace, upload: Upload) -> Json:
    del workspace
    check_kind(upload.name)
    if not is_table(upload.name):
        return {}
    guessed = guess_essay_columns(head_of(opened(site, connection, upload), ROWS_LOOKED_AT))
    return {"columns": as_choice(guessed), "columns_chosen": False}


def _training_came(connection: Connection, site: Site, workspace: Workspace, upload: Upload) -> Json:
    del workspace
    if not is_table(upload.name):
        raise InputError(f"{upload.name} is no table. A model is trained on a table with a row for each scored essay.")
    guessed = guess_essay_columns(head_of(opened(site, connection, upload), ROWS_LOOKED_AT))
    return {"training_columns": {**as_choice(guessed), "second": guessed.second}}


def _model_came(connection: Connection, site: Site, workspace: Workspace, upload: Upload) -> Json:
    path = blob_file(connection, upload.digest, ".json", site.settings.cache)
    try:
        read_scoring_model(path)
    except InputError as problem:
        raise InputError(str(problem).replace(str(path), upload.name)) from None
    chosen = {"digest": upload.digest, "name": PurePath(upload.name).stem}
    return {"next_model": chosen, "models": _with_model(workspace, chosen)}


_RECEIVED = {"essays": _essays_came, "training": _training_came, "model": _model_came}


def _with_model(workspace: Workspace, chosen: Json) -> list[Json]:
    """The models a workspace knows, this one among them."""
    known = [model for model in workspace.settings.get("models", []) if model["digest"] != chosen["digest"]]
    return [*known, chosen]


def as_choice(guessed: GuessedEssayColumns) -> Json:
    return {"text": guessed.text, "id": guessed.id, "prompt": guessed.prompt, "score": guessed.score}


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


def start(found: WorkspaceContext, settings: Json) -> str | None:
    """Score with the columns, question and model a program names; what it does not name stays."""
    allowed = {*NO_COLUMNS, "question", "model"}
    unknown = sorted(set(settings) - allowed)
    if unknown:
        raise FieldErrors({unknown[0]: f"There is no setting {unknown[0]!r}. There are: {', '.join(sorted(allowed))}."})
    wrong = [name for name, value in settings.items() if not isinstance(value, str)]
    if wrong:
        raise FieldErrors({wrong[0]: f"{wrong[0]} takes text."})
    chosen = {
        **found.workspace.settings.get("columns", NO_COLUMNS),
        **{k: settings[k] for k in NO_COLUMNS if k in settings},
    }
    question = settings.get("question", found.workspace.settings.get("question", ""))
    model = _named_model(found.workspace, settings.get("model"))
    return score_with(found, columns=chosen, question=question, model=model)


def _named_model(workspace: Workspace, name: str | None) -> Json | None:
    if name is None:
        return workspace.settings.get("next_model")
    known = [BUNDLED, *workspace.settings.get("models", [])]
    found = next(
        (m for m in known if name in (m["name"], m["digest"]) or (name == "bundled" and not m["digest"])), None
    )
    if found is None:
        raise FieldErrors({"model": f"There is no model {name!r} here. Upload it under the role `model` first."})
    return dict(found)


def score_if_ready(found: WorkspaceContext) -> str | None:
    """Score at once where nothing must be chosen: documents, or a table whose columns were checked."""
    waits = table_upload(found.site, found.workspace.id) is not None and not found.workspace.settings.get(
        "columns_chosen"
    )
    return None if waits else score_with(found)


def score_with(
    found: WorkspaceContext, *, columns: Json | None = None, question: str | None = None, model: Json | None = None
) -> str | None:
    """Check what was chosen, keep it, and score what has no score by it; the id of the job. FieldErrors by field."""
    site, workspace = found.site, found.workspace
    uploads = essay_uploads(site, workspace.id)
    if not uploads:
        raise FieldErrors({"essays": "Give the essays first: documents, or a table with a row for each."})
    chosen = columns if columns is not None else workspace.settings.get("columns", NO_COLUMNS)
    asked = (question if question is not None else workspace.settings.get("question", "")).strip()[:LONGEST_QUESTION]
    used = model or chosen_model(workspace)
    items = checked_items(site, uploads, chosen)
    _check_prompts(site, items, asked, used)
    now, author = site.now(), found.visitor.name
    with site.database.writing() as connection:
        current = hold_workspace(connection, workspace.id) or workspace
        settings = {**current.settings, "columns": chosen, "columns_chosen": True, "question": asked, "model": used}
        settings.pop("next_model", None)
        settings["models"] = _with_model(current, used) if used["digest"] else current.settings.get("models", [])
        change_workspace(connection, workspace.id, now=now, settings=settings)
        changed = find_workspace(connection, workspace.id) or current
        engine = engine_of(used["digest"], asked)
        if engine != current.settings.get("engine"):
            detail = {"name": used["name"], "model": used["digest"], "question": asked}
            note(connection, "choose model", author=author, now=now, workspace_id=workspace.id, detail=detail)
        job = {"model": used["digest"], "model_name": used["name"], "question": asked}
        started = start_scoring(
            connection, site, changed, items, engine=engine, kind=KIND, settings=job, who=found.visitor
        )
        carry_decisions(connection, changed, was=current.settings.get("engine", ""), becomes=engine)
        return started


def checked_items(site: Site, uploads: Sequence[Upload], chosen: Json) -> list[NewItem]:
    """What there is to score; FieldErrors beside the column or the file that is wrong."""
    tables = [upload for upload in uploads if is_table(upload.name)]
    if tables and not chosen.get("text"):
        raise FieldErrors({"text": "Choose the column that holds the essays."})
    for upload in tables:
        with site.database.reading() as connection:
            columns = opened(site, connection, upload).columns
        unknown = {role: name for role, name in chosen.items() if name and name not in columns}
        if unknown:
            raise FieldErrors({r: f"{upload.name} has no column {name!r}." for r, name in unknown.items()})
    try:
        return essay_items(uploads, file_of(site), chosen)
    except InputError as problem:
        raise FieldErrors({_field_of(str(problem)): str(problem)}) from None


def _field_of(message: str) -> str:
    options = {"--id": "id", "--text": "text", "--score": "score", "--prompt": "prompt"}
    return next((field for option, field in options.items() if option in message), "essays")


def _check_prompts(site: Site, items: Sequence[NewItem], question: str, used: Json) -> None:
    """FieldErrors when the model knows no prompt of these essays, so that nothing could be scored."""
    known = set(model_of(site, used["digest"]).known_prompts)
    asked = {item.detail["prompt"] or question for item in items}
    if not known or asked & known or (len(known) == 1 and "" in asked):
        return
    shown = ", ".join(repr(name) for name in sorted(known)[:3])
    raise FieldErrors(
        {
            "prompt": f"The model {used['name']!r} was trained on prompt {shown}; none of these essays is on one it "
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
    standing: Sequence[Decision],
    target: str,
    value: Any,
) -> Consequence:
    """What an override or a confirmation of a score does: the final score is the one a person gave."""
    del item
    if target != "score":
        raise InputError("Of an essay the score can be decided about: target `score`.")
    before = standing[-1].human_score if standing else result.score
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
