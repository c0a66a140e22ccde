"""The model of an essay workspace: which one scores, another one, training, and refitting from what people decided."""

from io import BytesIO
from typing import Annotated, BinaryIO, Literal

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from assay.errors import InputError
from assay.store.blobs import read_blob
from assay.store.schema import Json
from assay.store.uploads import Upload
from assay.store.workspaces import find_workspace
from assay.web.inline_styles import extract_inline_styles
from assay.web.pages.exports import TYPES
from assay.web.problems import FieldErrors, NotFound, page_words
from assay.web.uploads import given_files, keep_files
from assay.web.workspaces.essays.models import facts_of, model_of, workspace_model
from assay.web.workspaces.essays.training import (
    MODEL_KINDS,
    PAGE_FILE,
    Made,
    accept,
    discard,
    made_of,
    refit_waits_for,
    reviews_of,
    start_refit,
    start_training,
    training_upload,
)
from assay.web.workspaces.essays.workspace import received, score_with, table_upload
from assay.web.workspaces.evaluation.score_tables import head_of, opened
from assay.web.workspaces.stored_settings import BUNDLED_MODEL, EssayColumnNames, EssaySettings, ModelChoice
from assay.web.workspaces.workspace_page import Editable, WorkspaceContext, workspace_page

router = APIRouter()
ROWS_SHOWN = 5
Short = Annotated[str, Form(max_length=200)]
What = Literal["training", "refit"]


@router.get("/{workspace_id}/model")
def model(request: Request, context: Editable) -> HTMLResponse:
    """The model that scores, how far it agrees with people, and the ways to another."""
    return _model(request, context)


def _model(request: Request, context: WorkspaceContext, errors: dict[str, str] | None = None) -> HTMLResponse:
    chosen = EssaySettings.of(context.workspace).scoring_model
    known = [BUNDLED_MODEL, *(m for m in EssaySettings.of(context.workspace).models if m.digest)]
    refit = made_of(context, "refit")
    page, styles = _comparison(context, refit)
    values = {
        "chosen": chosen,
        "facts": facts_of(workspace_model(context.site, context.workspace)),
        "known": [m for m in known if m.digest != chosen.digest],
        "training": made_of(context, "training"),
        "refit": refit,
        "refit_page": page,
        "refit_waits": refit_waits_for(context),
        "reviews": len(reviews_of(context)),
        "stale": refit is not None and refit.asked["of"] != context.workspace.engine,
        "has_table": table_upload(context.site, context.workspace.id) is not None,
        "errors": errors or {},
    }
    return workspace_page(
        request,
        context,
        "essays/model.html",
        tab="model",
        status=422 if errors else 200,
        styles=styles,
        values=values,
    )


def _comparison(context: WorkspaceContext, refit: Made | None) -> tuple[Markup, str]:
    """Both models on the same essays, as a part of a report."""
    if refit is None or refit.result is None:
        return Markup(), ""
    with context.site.database.reading() as connection:
        return extract_inline_styles(read_blob(connection, refit.result.files[PAGE_FILE]).decode())


@router.get("/{workspace_id}/model/model.json")
def model_file(context: Editable) -> Response:
    """The model that scores, for the command line or another workspace."""
    digest = EssaySettings.of(context.workspace).scoring_model.digest
    if not digest:
        raise NotFound("The bundled model is part of the program; `assay essays score` uses it without a file.")
    with context.site.database.reading() as connection:
        content = read_blob(connection, digest)
    headers = {"Content-Disposition": 'attachment; filename="model.json"'}
    return Response(content, media_type=TYPES[".json"], headers=headers)


@router.post("/{workspace_id}/model/choose")
def choose(request: Request, context: Editable, digest: Short = "") -> Response:
    """Score with a model the workspace knows."""
    known = [BUNDLED_MODEL, *EssaySettings.of(context.workspace).models]
    chosen = next((m for m in known if m.digest == digest), None)
    if chosen is None:
        raise NotFound("This workspace knows no such model.")
    return _score(request, context, chosen)


@router.post("/{workspace_id}/model/upload")
def upload(
    request: Request, context: Editable, model_file: Annotated[UploadFile | None, File(alias="model")] = None
) -> Response:
    """Score with a model from a file."""
    files = given_files([model_file] if model_file else [])
    if not files:
        return _model(
            request, context, {"model": "Choose a model file first: the JSON that `assay essays train` writes."}
        )
    try:
        with context.site.database.writing() as connection:
            kept = keep_files(connection, context.site, context.workspace, "model", files, context.visitor)
            received(connection, context.site, context.workspace, kept)
            now_ = find_workspace(connection, context.workspace.id) or context.workspace
    except InputError as problem:
        return _model(request, context, {"model": page_words(problem)})
    chosen = EssaySettings.of(now_).next_model
    assert chosen is not None  # received above
    return _score(request, WorkspaceContext(now_, context.kind, context.visitor, context.site), chosen)


def _score(request: Request, context: WorkspaceContext, chosen: ModelChoice) -> Response:
    try:
        model_of(context.site, chosen.digest)
        score_with(context, model=chosen)
    except FieldErrors as wrong:
        return _model(request, context, {"model": page_words(wrong)})
    return RedirectResponse(f"{context.url}/model", 303)


# ---- training ----------------------------------------------------------------------------------------------------


@router.post("/{workspace_id}/model/table")
def training_table(
    request: Request, context: Editable, table: Annotated[UploadFile | None, File()] = None, own: Short = ""
) -> Response:
    """The table a model is to be trained on: a new one, or that of the essays."""
    files = given_files([table] if table else [])
    try:
        with context.site.database.writing() as connection:
            if files:
                kept = keep_files(connection, context.site, context.workspace, "training", files, context.visitor)
            else:
                essays = table_upload(context.site, context.workspace.id) if own else None
                if essays is None:
                    return _model(request, context, {"table": "Choose a table with scored essays first."})
                with context.site.database.reading() as reading:
                    content = read_blob(reading, essays.digest)
                named: list[tuple[str, BinaryIO]] = [(essays.name, BytesIO(content))]
                kept = keep_files(connection, context.site, context.workspace, "training", named, context.visitor)
            received(connection, context.site, context.workspace, kept)
    except InputError as problem:
        return _model(request, context, {"table": page_words(problem)})
    return RedirectResponse(f"{context.url}/training", 303)


@router.get("/{workspace_id}/training")
def training(request: Request, context: Editable) -> HTMLResponse:
    """Which columns a model is trained on, and which kind of model."""
    return _training(request, context, EssaySettings.of(context.workspace).training_columns, "generic10", "")


def _training(
    request: Request,
    context: WorkspaceContext,
    chosen: EssayColumnNames,
    kind: str,
    scale: str,
    errors: dict[str, str] | None = None,
) -> HTMLResponse:
    upload = training_upload(context.site, context.workspace.id)
    if upload is None:
        raise InputError("Give a table with scored essays first, on the page Model.")
    values = {
        **table_preview(context, upload),
        "chosen": chosen,
        "roles": chosen.roles,
        "kinds_of_model": MODEL_KINDS,
        "kind_chosen": kind,
        "scale": scale,
        "errors": errors or {},
    }
    status = 422 if errors else 200
    return workspace_page(request, context, "essays/training.html", tab="model", status=status, values=values)


def table_preview(context: WorkspaceContext, upload: Upload) -> Json:
    """A table, the names of its columns and its first rows, for a page that asks what they hold."""
    with context.site.database.reading() as connection:
        source = opened(context.site, connection, upload)
    rows = [[_cell(value) for value in row] for row in head_of(source, ROWS_SHOWN).iter_rows()]
    return {"upload": upload, "names": list(source.columns), "rows": rows}


def _cell(value: object) -> str:
    text = "" if value is None else f"{value:g}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= 80 else text[:77] + "..."


@router.post("/{workspace_id}/training")
def train(
    request: Request,
    context: Editable,
    text: Short = "",
    id: Short = "",
    prompt: Short = "",
    score: Short = "",
    second: Short = "",
    kind: Short = "generic10",
    scale: Short = "",
) -> Response:
    """Start the training."""
    upload = training_upload(context.site, context.workspace.id)
    if upload is None:
        raise InputError("Give a table with scored essays first, on the page Model.")
    chosen = EssayColumnNames(text=text, id=id, prompt=prompt, score=score, second=second)
    try:
        start_training(context, upload, chosen.to_json(), kind, scale.strip())
    except FieldErrors as wrong:
        return _training(request, context, chosen, kind, scale, wrong.errors)
    return RedirectResponse(f"{context.url}/model", 303)


# ---- refitting ---------------------------------------------------------------------------------------------------


@router.post("/{workspace_id}/model/refit")
def refit(request: Request, context: Editable) -> Response:
    """Train a new version from what people decided."""
    try:
        start_refit(context)
    except InputError as problem:
        return _model(request, context, {"refit": page_words(problem)})
    return RedirectResponse(f"{context.url}/model", 303)


@router.post("/{workspace_id}/model/{what}/accept")
def accepted(request: Request, context: Editable, what: What) -> Response:
    """The new model goes live."""
    try:
        score_with(context, model=accept(context, what))
    except (FieldErrors, InputError) as problem:
        return _model(request, context, {what: page_words(problem)})
    return RedirectResponse(f"{context.url}/model", 303)


@router.post("/{workspace_id}/model/{what}/discard")
def discarded(context: Editable, what: What) -> RedirectResponse:
    """The old model goes on."""
    discard(context, what)
    return RedirectResponse(f"{context.url}/model", 303)
