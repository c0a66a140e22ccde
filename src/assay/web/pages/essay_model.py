"""The model of an essay workspace: which one scores, another one, training, and refitting from what people decided."""

from dataclasses import replace
from io import BytesIO
from itertools import zip_longest
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup
from pydantic import BaseModel, Field

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.store.blobs import read_blob
from assay.store.workspaces import find_workspace
from assay.web.pages.page_parts import Editable, Errors, NotSent, Short, essay_table_values, workspace_page
from assay.web.pages.shared_pages import TYPES
from assay.web.problems import FieldErrors, NotFound, page_words
from assay.web.templating import extract_inline_styles
from assay.web.workspaces.essays import models
from assay.web.workspaces.essays import training as trained_models
from assay.web.workspaces.essays.workspace import score_with, table_upload
from assay.web.workspaces.scoring import WorkspaceContext, given_files, take_files
from assay.web.workspaces.stored_settings import (
    BUNDLED_MODEL,
    COLUMN_ROLES,
    EssayColumnNames,
    EssaySettings,
    ModelChoice,
    TrainingOptions,
)

router = APIRouter(prefix="/essays/{workspace_id}")
Cell = Annotated[str, Field(max_length=200)]
SHARED = tuple(name for name in FEATURES if name != "length")
"""Features whose share of the weights the form takes; the length has a field of its own."""
OneFile = Annotated[UploadFile | None, File()]
What = Literal["training", "refit"]


@router.get("/model")
def model(request: Request, context: Editable, errors: Errors = None) -> HTMLResponse:
    """The model that scores, how far it agrees with people, and the ways to another."""
    site, workspace, settings = context.site, context.workspace, EssaySettings.of(context.workspace)
    known = [BUNDLED_MODEL, *(m for m in settings.models if m.digest)]
    refit = trained_models.made_of(context, "refit")
    comparison, styles = Markup(), ""
    if refit is not None and refit.result is not None:
        with site.database.reading() as connection:
            page = read_blob(connection, refit.result.files[models.PAGE_FILE]).decode()
        comparison, styles = extract_inline_styles(page)
    values = {
        "chosen": settings.scoring_model,
        "facts": models.facts_of(models.workspace_model(site, workspace)),
        "known": [m for m in known if m.digest != settings.scoring_model.digest],
        "training": trained_models.made_of(context, "training"),
        "refit": refit,
        "refit_page": comparison,
        "refit_waits": trained_models.refit_waits_for(context),
        "reviews": len(trained_models.reviews_of(context)),
        "stale": refit is not None and refit.asked.of != workspace.engine,
        "has_table": table_upload(site, workspace.id) is not None,
        "errors": errors or {},
    }
    return workspace_page(request, context, "essays/model.html", tab="model", styles=styles, values=values)


@router.get("/model/model.json")
def model_file(context: Editable) -> Response:
    """The model that scores, for the command line or another workspace."""
    digest = EssaySettings.of(context.workspace).scoring_model.digest
    if not digest:
        raise NotFound("The bundled model is part of the program; `assay essays score` uses it without a file.")
    content = context.site.database.read(read_blob, digest)
    headers = {"Content-Disposition": 'attachment; filename="model.json"'}
    return Response(content, media_type=TYPES[".json"], headers=headers)


@router.post("/model/choose")
def choose(request: Request, context: Editable, digest: Short = "") -> Response:
    """Score with a model the workspace knows."""
    known = [BUNDLED_MODEL, *EssaySettings.of(context.workspace).models]
    chosen = next((m for m in known if m.digest == digest), None)
    if chosen is None:
        raise NotFound("This workspace knows no such model.")
    return _score(request, context, chosen)


@router.post("/model/upload")
def upload(
    request: Request, context: Editable, model_file: Annotated[UploadFile | None, File(alias="model")] = None
) -> Response:
    """Score with a model from a file."""
    files = given_files(model_file)
    try:
        if not files:
            raise InputError("Choose a model file first: the JSON that `assay essays train` writes.")
        with context.site.database.writing() as connection:
            take_files(connection, context, "model", files)
            workspace = find_workspace(connection, context.workspace.id) or context.workspace
    except InputError as problem:
        return model(request, context, {"model": page_words(problem)})
    chosen = EssaySettings.of(workspace).next_model
    assert chosen is not None  # received above
    return _score(request, replace(context, workspace=workspace), chosen)


def _score(request: Request, context: WorkspaceContext, chosen: ModelChoice) -> Response:
    try:
        models.model_of(context.site, chosen.digest)
        score_with(context, model=chosen)
    except FieldErrors as wrong:
        return model(request, context, {"model": page_words(wrong)})
    return RedirectResponse(f"{context.url}/model", 303)


@router.post("/model/table")
def training_table(request: Request, context: Editable, table: OneFile = None, own: Short = "") -> Response:
    """The table a model is to be trained on: a new one, or that of the essays."""
    site, workspace, files = context.site, context.workspace, given_files(table)
    if not files:
        essays = table_upload(site, workspace.id) if own else None
        if essays is None:
            return model(request, context, {"table": "Choose a table with scored essays first."})
        with site.database.reading() as connection:
            files = [(essays.name, BytesIO(read_blob(connection, essays.digest)))]
    try:
        with site.database.writing() as connection:
            take_files(connection, context, "training", files)
    except InputError as problem:
        return model(request, context, {"table": page_words(problem)})
    return RedirectResponse(f"{context.url}/training", 303)


class TrainingForm(BaseModel):
    """The form of a training as it was typed; a new one has the choices we advise."""

    text: Cell = ""
    id: Cell = ""
    prompt: Cell = ""
    score: Cell = ""
    second_score: Cell = ""
    third_score: Cell = ""
    program: Cell = ""
    kind: Cell = "generic10"
    scale: Cell = ""
    length_weight: Cell = "0.2"
    length_free: bool = False
    cutoffs: Cell = "balanced"
    curves: bool = False
    paper: bool = False
    fix: list[Cell] = Field(default=[], max_length=len(SHARED))
    """Shares of the features, in their order."""

    @property
    def columns(self) -> EssayColumnNames:
        return EssayColumnNames(**self.model_dump(include=set(COLUMN_ROLES)))

    def options(self) -> TrainingOptions:
        """The choices as values; FieldErrors beside what is no number."""
        shares = {name: ("fix", share.strip()) for name, share in zip(SHARED, self.fix, strict=False)}
        shares |= {} if self.length_free else {"length": ("length_weight", self.length_weight.strip())}
        values, errors = dict[str, float](), dict[str, str]()
        for name, (field, share) in shares.items():
            try:
                values |= {name: float(share)} if share else {}
            except ValueError:
                errors[field] = f"{share!r} is not a number. Write a share from 0 to 1, such as 0.2."
        if errors:
            raise FieldErrors(errors)
        length, chosen = values.pop("length", None), self.model_dump(include={"kind", "cutoffs", "curves", "paper"})
        return TrainingOptions(**chosen, scale=self.scale.strip(), length_weight=length, fix=values)


@router.get("/training")
def training(
    request: Request, context: Editable, typed: Annotated[TrainingForm | None, NotSent] = None, errors: Errors = None
) -> HTMLResponse:
    """Which columns a model is trained on, which kind of model, and how it is built."""
    chosen = typed.columns if typed else EssaySettings.of(context.workspace).training_columns
    typed = typed or TrainingForm()
    values = {
        **essay_table_values(context, trained_models.training_upload(context), chosen),
        "kinds_of_model": models.MODEL_KINDS,
        "cutoff_words": models.CUTOFF_WORDS,
        "typed": typed,
        "shares": [(name, models.feature_title(name), share) for name, share in zip_longest(SHARED, typed.fix)],
        "errors": errors or {},
    }
    return workspace_page(request, context, "essays/training.html", tab="model", values=values)


@router.post("/training")
def train(request: Request, context: Editable, form: Annotated[TrainingForm, Form()]) -> Response:
    """Start the training."""
    try:
        trained_models.start_training(context, form.columns, form.options())
    except FieldErrors as wrong:
        return training(request, context, form, wrong.errors)
    return RedirectResponse(f"{context.url}/model", 303)


@router.post("/model/refit")
def refit(request: Request, context: Editable) -> Response:
    """Train a new version from what people decided."""
    try:
        trained_models.start_refit(context)
    except InputError as problem:
        return model(request, context, {"refit": page_words(problem)})
    return RedirectResponse(f"{context.url}/model", 303)


@router.post("/model/{what}/accept")
@router.post("/model/{what}/discard")
def answer(request: Request, context: Editable, what: What) -> Response:
    """The new model goes live, or the old one goes on."""
    try:
        if request.url.path.endswith("/accept"):
            trained_models.go_live(context, what)
        else:
            trained_models.discard(context, what)
    except (FieldErrors, InputError) as problem:
        return model(request, context, {what: page_words(problem)})
    return RedirectResponse(f"{context.url}/model", 303)
