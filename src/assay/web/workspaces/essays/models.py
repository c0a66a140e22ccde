"""The score model of a workspace (bundled, uploaded, trained or refitted here), and the scores that it gave.

Training and refitting are jobs: either makes a model beside the one that scores. It goes live only when accepted.
"""

import json
from collections.abc import Sequence
from math import isfinite, isnan, nan
from typing import Any

import numpy as np

from assay import __version__
from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.feedback.advisories import Advisory
from assay.essays.feedback.feedback import EssayFeedback
from assay.essays.models.hybrid.model import TITLES as HYBRID_TITLES
from assay.essays.models.scoring_model import EssayScore, ScoringModel
from assay.io.models.scoring_models import bundled_essay_model, read_scoring_model
from assay.io.results.feedback_json import feedback_from_json
from assay.report.essays.words import NAMES
from assay.scale import ScoreScale
from assay.store.blobs import read_blob
from assay.store.items import StoredResult
from assay.store.schema import Json, content_digest
from assay.store.workspaces import Workspace
from assay.web.problems import NotFound
from assay.web.site import Site, ThreadSafeCache
from assay.web.workspaces.export_files import FileOf, file_of
from assay.web.workspaces.stored_settings import EssaySettings

MOST_POINTS = 40
"""Score points offered as a list; a finer scale takes a number."""
TRAIN, REFIT = "essays-train", "essays-refit"
AT_ONCE = 8
"""Essays measured in one piece of work."""
MODEL_KINDS = {
    "generic10": "Generic10: any prompt; ten features, none of them about the words of a prompt",
    "generic12": "Generic12: the prompts of the table; two further features compare the words used",
    "specific": "Prompt-specific: an equation of its own for each prompt",
    "hybrid": "Hybrid: reads words and characters beside the features; most agreement, best with 500 essays or more",
    "v1": "E-rater v.1.3: about 50 features, an equation for each prompt; for comparison",
}
CUTOFF_WORDS = {
    "balanced": "Balanced: best agreement (QWK) on any scale",
    "widened": "Widened: slightly higher QWK, less exact agreement",
    "distribution": "Distribution of the human scores: best exact agreement",
    "signal-detection": "Signal detection: as in the 2005 paper, for scales of up to about 12 points",
    "signal-detection-common": "Signal detection with one spread for all score points",
    "mean-sd": "Mean and standard deviation of the human scores",
    "qwk": "Highest QWK on the training essays",
    "rounding": "Rounding to the nearest score point",
}
MODEL_FILE, PAGE_FILE = "model.json", "page.html"
FEEDBACK = "feedback.json"
_FEEDBACK: ThreadSafeCache[EssayFeedback] = ThreadSafeCache(64)
_MODELS: ThreadSafeCache[ScoringModel] = ThreadSafeCache(8)


def read_model_of(digest: str, file_of: FileOf) -> ScoringModel:
    """A model by its digest."""
    return read_scoring_model(file_of(digest, ".json")) if digest else bundled_essay_model()


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


def facts_of(model: ScoringModel) -> Json:
    """What a person should know of a model of any kind before trusting it.

    `agreement` is with people, on essays the model had not seen: qwk, kappa, exact (in percent), r. `weights` are those
    of the first equation, the heaviest first; none for models that are made of no equations.
    """
    training, weights = model.training, list[Json]()
    for equation in list(model.equations.values())[:1]:
        shares = zip(equation.weights.names, equation.weights.relative.tolist(), strict=True)
        weights = [{"title": feature_title(name), "percent": 100 * share} for name, share in shares]
    return {
        "kind": model.kind,
        "scale": str(model.scale),
        "essays": training.essays,
        "prompts": training.prompts,
        "revision": training.revision,
        "agreement": {name: value for name, value in model.agreement.items() if not isnan(value)},
        "weights": sorted(weights, key=lambda weight: -weight["percent"]),
        "notes": training.notes,
        "about": [text for name, text in model.extra.items() if name != "name"],
        "needs_prompt": bool(model.known_prompts),
    }


def share_bars(shares: Sequence[tuple[str, str, float]]) -> list[Json]:
    """Title, detail and points that a feature adds to scores or takes from them, with a bar from the middle."""
    most = max((abs(points) for _, _, points in shares), default=0) or 1
    widths = [50 * abs(points) / most for _, _, points in shares]
    return [
        {"title": title, "detail": detail, "points": points, "x": 50 - width if points < 0 else 50, "width": width}
        for (title, detail, points), width in zip(shares, widths, strict=True)
    ]


def feature_title(name: str) -> str:
    """A feature as people call it."""
    if name in NAMES:
        return NAMES[name]
    if name in FEATURES:
        return FEATURES[name].title
    return HYBRID_TITLES.get(name, name.replace("_", " ").capitalize())


def payload_score(essay_id: str, payload: Json) -> EssayScore:
    """The score that a payload holds."""
    names = ("raw", "score", "low", "high", "percentile", "average", "common")
    return EssayScore(
        essay_id,
        payload["prompt"],
        **floats({name: payload[name] for name in names}),
        features=floats(payload["features"]),
        shares=floats(payload["shares"]),
        advisories=tuple(Advisory(**doubt) for doubt in payload["advisories"]),
        words=payload.get("telling_words", {}),
        left_out=payload.get("left_out", {}),
        **floats({name: payload.get(name) for name in ("withheld_raw", "withheld_score")}),
    )


def floats(values: Json) -> dict[str, Any]:
    """Numbers, NaN where JSON has none."""
    return {name: nan if value is None else float(value) for name, value in values.items()}


def result_feedback(site: Site, result: StoredResult) -> EssayFeedback:
    """Text, notes, outline and advice of a scored essay."""
    digest = result.files.get(FEEDBACK)
    if digest is None:
        raise NotFound("The feedback on this essay is not kept here. Score the essays again to have it.")
    return _FEEDBACK.get(digest, lambda: feedback_from_json(site.database.read(read_blob, digest)))
