"""The score model of a workspace: the bundled one, a file somebody uploaded, or one that was trained here."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, isnan
from typing import Any

import numpy as np

from assay import __version__
from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.hybrid.model import ALL_TITLES as HYBRID_TITLES
from assay.essays.models.scoring_model import ScoringModel
from assay.io.models.scoring_models import read_scoring_model, required_bundled_model
from assay.report.essays.words import NAMES
from assay.scale import ScoreScale
from assay.store.ids import content_digest
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.thread_safe_cache import ThreadSafeCache
from assay.web.workspaces.export_files import FileOf, file_of
from assay.web.workspaces.stored_settings import EssaySettings

MOST_POINTS = 40
"""Score points offered as a list; a finer scale takes a number."""

_MODELS: ThreadSafeCache[ScoringModel] = ThreadSafeCache(8)


def read_model_of(digest: str, file_of: FileOf) -> ScoringModel:
    """A model by its digest."""
    return read_scoring_model(file_of(digest, ".json")) if digest else required_bundled_model()


def workspace_model(site: Site, workspace: Workspace) -> ScoringModel:
    """The model that scores this workspace."""
    return model_of(site, EssaySettings.of(workspace).scoring_model.digest)


def model_of(site: Site, digest: str) -> ScoringModel:
    """A model by its digest, kept at hand."""
    return _MODELS.get(digest or "bundled", lambda: read_model_of(digest, file_of(site)))


def engine_of(model: str, question: str) -> str:
    """What stands for all that bears on a score: the model, the question, the version."""
    return content_digest("essays", __version__, model or "bundled", question)


def score_point(value: Any, scale: ScoreScale) -> float:
    """A score as a point of the scale; InputError for anything else."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not good or not bool(scale.holds(np.array([float(value)]))[0]):
        raise InputError(f"{json.dumps(value)} is no score point of this model, whose scale is {scale}.")
    return float(value)


@dataclass(frozen=True, slots=True)
class Weight:
    """What a feature counts for."""

    title: str
    percent: float


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a person should know of a model before trusting it."""

    kind: str
    scale: str
    essays: int
    prompts: tuple[str, ...]
    revision: int
    agreement: Mapping[str, float]
    """qwk, kappa, exact (in percent), r: with people, on essays the model had not seen."""
    weights: tuple[Weight, ...]
    """Of the first equation, the heaviest first; none for models that are made of no equations."""
    notes: tuple[str, ...]
    about: tuple[str, ...]
    needs_prompt: bool
    can_refit: bool


def facts_of(model: ScoringModel) -> ModelFacts:
    """The facts of a model of any kind."""
    training, shares = model.training, dict[str, float]()
    for equation in list(model.equations.values())[:1]:
        shares = dict(zip(equation.weights.names, equation.weights.relative.tolist(), strict=True))
    return ModelFacts(
        kind=model.kind,
        scale=str(model.scale),
        essays=training.essays,
        prompts=training.prompts,
        revision=training.revision,
        agreement={name: value for name, value in model.agreement.items() if not isnan(value)},
        weights=tuple(sorted((Weight(feature_title(n), 100 * w) for n, w in shares.items()), key=lambda w: -w.percent)),
        notes=training.notes,
        about=tuple(text for name, text in model.extra.items() if name != "name"),
        needs_prompt=bool(model.known_prompts),
        can_refit=model.can_refit,
    )


def feature_title(name: str) -> str:
    """A feature as people call it."""
    if name in NAMES:
        return NAMES[name]
    if name in FEATURES:
        return FEATURES[name].title
    return HYBRID_TITLES.get(name, name.replace("_", " ").capitalize())
