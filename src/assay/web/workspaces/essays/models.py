"""The score model of a workspace: the bundled one, a file somebody uploaded, or one that was trained here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import isnan
from pathlib import Path

from assay.essays.features.features import FEATURES
from assay.essays.models.hybrid.model import ALL_TITLES as HYBRID_TITLES
from assay.essays.models.scoring_model import ScoringModel
from assay.io.models.scoring_models import read_scoring_model, required_bundled_model
from assay.report.essays.words import NAMES
from assay.store.blobs import blob_file
from assay.store.schema import Json
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.thread_safe_cache import ThreadSafeCache

BUNDLED: Json = {"digest": "", "name": "Generic10 for argumentative essays"}
MOST_POINTS = 40
"""Score points offered as a list; a finer scale takes a number."""

_MODELS: ThreadSafeCache[ScoringModel] = ThreadSafeCache(8)


def chosen_model(workspace: Workspace) -> Json:
    """Digest and name of the model that scores; the digest of the bundled one is empty."""
    return dict(workspace.settings.get("model") or BUNDLED)


def read_model_of(digest: str, file_of: Callable[[str, str], Path]) -> ScoringModel:
    """A model by its digest."""
    return read_scoring_model(file_of(digest, ".json")) if digest else required_bundled_model()


def workspace_model(site: Site, workspace: Workspace) -> ScoringModel:
    """The model that scores this workspace."""
    return model_of(site, chosen_model(workspace)["digest"])


def model_of(site: Site, digest: str) -> ScoringModel:
    """A model by its digest, kept at hand."""

    def file_of(digest: str, suffix: str) -> Path:
        with site.database.reading() as connection:
            return blob_file(connection, digest, suffix, site.settings.cache)

    return _MODELS.get(digest or f"bundled {id(_bundled())}", lambda: read_model_of(digest, file_of))


@cache
def _bundled() -> ScoringModel:
    return required_bundled_model()


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
    notes: tuple[str, ...]
    about: tuple[str, ...]
    needs_prompt: bool
    can_refit: bool


def facts_of(model: ScoringModel) -> ModelFacts:
    """The facts of a model of any kind."""
    training = model.training
    return ModelFacts(
        kind=model.kind,
        scale=str(model.scale),
        essays=training.essays,
        prompts=training.prompts,
        revision=training.revision,
        agreement={name: value for name, value in model.agreement.items() if not isnan(value)},
        weights=_weights(model),
        notes=training.notes,
        about=tuple(text for name, text in model.extra.items() if name != "name"),
        needs_prompt=bool(model.known_prompts),
        can_refit=model.can_refit,
    )


def _weights(model: ScoringModel) -> tuple[Weight, ...]:
    """Of the first equation, the heaviest first; none for models that are made of no equations."""
    for equation in model.equations.values():
        shares = zip(equation.weights.names, equation.weights.relative.tolist(), strict=True)
        return tuple(sorted((Weight(feature_title(n), 100 * w) for n, w in shares), key=lambda w: -w.percent))
    return ()


def feature_title(name: str) -> str:
    """A feature as people call it."""
    if name in NAMES:
        return NAMES[name]
    if name in FEATURES:
        return FEATURES[name].title
    return HYBRID_TITLES.get(name, name.replace("_", " ").capitalize())
