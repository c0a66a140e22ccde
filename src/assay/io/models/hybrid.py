"""`HybridModel` <-> JSON: readable where people look, packed arrays where machines do; trees as LightGBM's own text.

Nothing in it can run: no pickle, no code. A model read back gives the same scores.
"""

from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.content import ContentModel
from assay.essays.models.calibrated.cross_prompt import NAMES as RANKING_NAMES
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel
from assay.essays.models.calibrated.ranking import Ranker, Standard
from assay.essays.models.calibrated.scale_placement import PromptLevel
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.erater.model import ErrorBand, TrainingSummary
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.model import PARTS, HybridModel
from assay.essays.models.hybrid.parts import KernelPart, Nearness
from assay.essays.models.hybrid.space import TITLES, FeatureSpace
from assay.essays.models.hybrid.topic import Topic
from assay.essays.models.hybrid.word_statistics import WordStatistics
from assay.io.models.erater import DAMAGED, SCHEMA, write_document
from assay.io.models.packed_arrays import packed, packed_rows, unpacked, unpacked_rows
from assay.scale import ScoreScale

Json = dict[str, Any]  # JSON has no closer type

LAYERS = ("features", "characters", "words", "nearness")


def write_hybrid(model: HybridModel, path: Path) -> None:
    """The model as a JSON file, which appears when it is complete."""
    write_document(hybrid_document(model), path)


def hybrid_document(model: HybridModel) -> Json:
    """The model as a JSON object."""
    return {
        "schema": SCHEMA,
        "kind": model.kind,
        "scale": scale_document(model.scale),
        "about": dict(model.extra),
        "training": _training_document(model.training),
        "agreement": {name: value if isfinite(value) else None for name, value in model.agreement.items()},
        "measures": list(TITLES),
        "prompts": list(model.space.prompts),
        "mean": model.mean,
        "sd": model.sd,
        "blend": list(model.blend),
        "points": model.cutoffs.points.tolist(),
        "cutoffs": model.cutoffs.cuts.tolist(),
        "percentiles": model.percentiles.tolist(),
        "errors": {"low": model.errors.low.tolist(), "high": model.errors.high.tolist()},
        "standard": standard_document(model.space.standard),
        "topics": {prompt: topic_document(found) for prompt, found in model.space.topics.items()},
        "content": {prompt: _content_document(found) for prompt, found in model.space.content.items()},
        "words": {"runs": "\n".join(model.words.runs), "rarity": packed(model.words.rarity)},
        "near": {
            "z": packed(model.near.z, "float32"),
            "weights": packed(model.near.weights),
            "width": model.near.width,
        },
        "parts": {name: _part_document(part) for name, part in model.parts.items()},
        "trees": [trees.text for trees in model.trees],
        "transfer": _transfer_document(model.transfer) if model.transfer else None,
    }


def hybrid_from(document: Json, *, name: str) -> HybridModel:
    """The model a JSON object describes; InputError if it is damaged or measures what this program does not."""
    check_measures(document, list(TITLES), name)
    try:
        return _model(document)
    except DAMAGED as damage:
        raise InputError(f"{name} is damaged ({damage}). Train the model again with `assay essays train`.") from None


def check_measures(document: Json, names: list[str], file: str) -> None:
    """InputError unless the model was trained on the measures of this program, in their order."""
    if document.get("measures") != names:
        raise InputError(
            f"{file} was trained on other measures than this program takes. Train it again, or use the program that "
            "wrote it."
        )


def scale_document(scale: ScoreScale) -> Json:
    return {"lowest": scale.lowest, "highest": scale.highest, "step": scale.step}


def scale_from(found: Json) -> ScoreScale:
    return ScoreScale(**{end: float(found[end]) for end in ("lowest", "highest", "step")})


def standard_document(standard: Standard) -> Json:
    return {"mean": packed(standard.mean), "sd": packed(standard.sd)}


def standard_from(found: Json) -> Standard:
    return Standard(unpacked(found["mean"]), unpacked(found["sd"]))


def topic_document(topic: Topic) -> Json:
    return {
        "words": "\n".join(topic.words),
        "essays": topic.essays,
        "quarters": list(topic.quarters),
        "essays_with": packed(topic.essays_with, "int64"),
        "keyness": packed(topic.keyness),
        "sums": packed(topic.sums),
    }


def topic_from(found: Json) -> Topic:
    low, high = (float(end) for end in found["quarters"])
    return Topic(
        words=_lines(found["words"]),
        essays_with=unpacked(found["essays_with"]),
        keyness=unpacked(found["keyness"]),
        essays=int(found["essays"]),
        quarters=(low, high),
        sums=unpacked(found["sums"]),
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()


def _training_document(training: TrainingSummary) -> Json:
    return {
        "essays": training.essays,
        "prompts": list(training.prompts),
        "left_out": dict(training.left_out),
        "digest": training.digest,
        "cutoffs": training.cutoffs,
        "version": training.version,
        "notes": list(training.notes),
        "revision": training.revision,
    }


def _content_document(content: ContentModel) -> Json:
    return {
        "words": "\n".join(content.words),
        "points": content.points.tolist(),
        "floors": content.floors.tolist(),
        "frequencies": packed(content.frequencies, "int64"),
        "essays_with": packed(content.essays_with, "int64"),
        "essays": content.essays,
        "least_familiarity": content.least_familiarity if isfinite(content.least_familiarity) else None,
    }


def _content(found: Json) -> ContentModel:
    least = found["least_familiarity"]
    return ContentModel(
        words=_lines(found["words"]),
        points=np.array(found["points"], dtype=np.float64),
        floors=np.array(found["floors"], dtype=np.float64),
        frequencies=unpacked(found["frequencies"]),
        essays_with=unpacked(found["essays_with"]),
        essays=int(found["essays"]),
        least_familiarity=nan if least is None else float(least),
    )


def _part_document(part: KernelPart) -> Json:
    layers = {layer: packed_rows(getattr(part, layer)) for layer in LAYERS}
    return {"intercept": part.intercept.tolist(), **layers}


def _part(found: Json) -> KernelPart:
    layers = {layer: unpacked_rows(found[layer]) for layer in LAYERS}
    return KernelPart(np.array(found["intercept"], dtype=np.float64), **layers)


def _transfer_document(transfer: CrossPromptModel) -> Json:
    return {
        "curves": packed(transfer.ranker.weights),
        "trees": [trees.text for trees in transfer.ranker.trees],
        "levels": [
            {"mean": level.mean, "sd": level.sd, "points": level.points, "words": level.words}
            for level in transfer.levels
        ],
        "same_scale": scale_document(transfer.same_scale) if transfer.same_scale else None,
    }


def _transfer(found: Json) -> CrossPromptModel:
    levels = [
        PromptLevel(float(level["mean"]), float(level["sd"]), int(level["points"]), float(level["words"]))
        for level in found["levels"]
    ]
    same = scale_from(found["same_scale"]) if found["same_scale"] else None
    return CrossPromptModel(Ranker(curve_weights(found), tuple(map(Trees, found["trees"]))), tuple(levels), same)


def curve_weights(found: Json) -> NDArray[np.float64]:
    """Weights of features and of their squares; ValueError for a model of before squares counted."""
    weights = unpacked(found["curves"]) if "curves" in found else np.empty(0)
    if weights.shape != (2 * len(RANKING_NAMES),):
        raise ValueError("it is of an earlier version, or weights are missing")
    return weights


def _floats(values: Any, length: int | None = None) -> NDArray[np.float64]:
    array = np.array(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all() or (length is not None and len(array) != length):
        raise ValueError("a list of numbers is not one")
    return array


def _model(document: Json) -> HybridModel:
    training = document["training"]
    points = _floats(document["points"])
    blend = _floats(document["blend"], 2).tolist()
    near = document["near"]
    return HybridModel(
        scale=scale_from(document["scale"]),
        space=FeatureSpace(
            prompts=tuple(document["prompts"]),
            standard=standard_from(document["standard"]),
            topics={prompt: topic_from(found) for prompt, found in document["topics"].items()},
            content={prompt: _content(found) for prompt, found in document["content"].items()},
        ),
        words=WordStatistics(_lines(document["words"]["runs"]), unpacked(document["words"]["rarity"])),
        near=Nearness(unpacked(near["z"]).astype(np.float64), unpacked(near["weights"]), float(near["width"])),
        parts={name: _part(document["parts"][name]) for name in PARTS},
        trees=tuple(map(Trees, document["trees"])),
        blend=(blend[0], blend[1]),
        mean=float(document["mean"]),
        sd=float(document["sd"]),
        cutoffs=Cutoffs(points, _floats(document["cutoffs"])),
        percentiles=_floats(document["percentiles"], 101),
        errors=ErrorBand(points.copy(), _floats(document["errors"]["low"]), _floats(document["errors"]["high"])),
        agreement={name: nan if value is None else float(value) for name, value in document["agreement"].items()},
        training=TrainingSummary(
            **{**training, "prompts": tuple(training["prompts"]), "notes": tuple(training["notes"])}
        ),
        transfer=_transfer(document["transfer"]) if document["transfer"] else None,
        extra=dict(document["about"]),
    )
