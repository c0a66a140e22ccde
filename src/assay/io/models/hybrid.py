"""`HybridModel` and `CalibratedModel` <-> JSON: readable where people look, packed arrays where machines do.

Trees are LightGBM's own text. Nothing in a file can run: no pickle, no code. A model read back gives the same scores.
"""

from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.content import ContentModel
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, PromptSpace, Ranker
from assay.essays.models.calibrated.model import NAMES as RANKING_NAMES
from assay.essays.models.calibrated.model import CalibratedModel
from assay.essays.models.calibrated.scale_placement import PromptLevel
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.model import PARTS, TITLES, FeatureSpace, HybridModel
from assay.essays.models.hybrid.ngrams import WordStatistics
from assay.essays.models.hybrid.parts import KINDS, KernelPart, Nearness
from assay.essays.models.hybrid.reading import Standard
from assay.essays.models.hybrid.topic import Topic
from assay.io.models.model_json import (
    COUNT,
    FLOATS,
    LINES,
    NULLABLE,
    PACKED,
    PACKED_COUNTS,
    PACKED_ROWS,
    REAL,
    FieldCodec,
    Json,
    agreement_document,
    cutoffs_document,
    cutoffs_from,
    document_with,
    floats,
    header_document,
    header_from,
    number,
    packed,
    packed_rows,
    scale_from,
    training_document,
    training_from,
    unpacked,
    unpacked_rows,
    value_with,
)

STANDARD: Mapping[str, FieldCodec] = {"mean": PACKED, "sd": PACKED}
TOPIC: Mapping[str, FieldCodec] = {
    "words": LINES,
    "essays": COUNT,
    "quarters": (list, lambda ends: (float(ends[0]), float(ends[1]))),
    "essays_with": PACKED_COUNTS,
    "keyness": PACKED,
    "sums": PACKED,
}
CONTENT: Mapping[str, FieldCodec] = {
    "words": LINES,
    "points": FLOATS,
    "floors": FLOATS,
    "frequencies": PACKED_COUNTS,
    "essays_with": PACKED_COUNTS,
    "essays": COUNT,
    "least_familiarity": NULLABLE,
}
WORDS: Mapping[str, FieldCodec] = {"runs": LINES, "rarity": PACKED}
NEAR: Mapping[str, FieldCodec] = {
    "z": (lambda z: packed(z, "float32"), lambda z: unpacked(z).astype(np.float64)),
    "weights": PACKED,
    "width": REAL,
}
PART: Mapping[str, FieldCodec] = {"intercept": FLOATS, **dict.fromkeys(KINDS, PACKED_ROWS)}
LEVEL: Mapping[str, FieldCodec] = {"mean": REAL, "sd": REAL, "points": COUNT, "words": REAL}


def hybrid_document(model: HybridModel) -> Json:
    """The model as a JSON object."""
    return {
        **header_document(model),
        "training": training_document(model.training),
        "agreement": agreement_document(model.agreement),
        "measures": list(TITLES),
        "prompts": list(model.space.prompts),
        "mean": model.mean,
        "sd": model.sd,
        "blend": list(model.blend),
        **cutoffs_document(model.cutoffs, model.percentiles, model.errors),
        "standard": document_with(STANDARD, model.space.standard),
        "topics": {prompt: document_with(TOPIC, topic) for prompt, topic in model.space.topics.items()},
        "content": {prompt: document_with(CONTENT, content) for prompt, content in model.space.content.items()},
        "words": document_with(WORDS, model.words),
        "near": document_with(NEAR, model.near),
        "parts": {name: document_with(PART, part) for name, part in model.parts.items()},
        "trees": [trees.text for trees in model.trees],
        "transfer": _transfer_document(model.transfer) if model.transfer else None,
    }


def _check_measures(document: Json, names: tuple[str, ...]) -> None:
    """InputError unless the model was trained on the measures of this program, in their order."""
    if tuple(document.get("measures", ())) != names:
        raise InputError(
            "the model was trained on other measures than this program takes",
            field="model",
            remedy="Train it again, or use the program that wrote it.",
        )


def _transfer_document(transfer: CrossPromptModel) -> Json:
    return {
        "curves": packed(transfer.ranker.weights),
        "trees": [trees.text for trees in transfer.ranker.trees],
        "levels": [document_with(LEVEL, level) for level in transfer.levels],
        "same_scale": asdict(transfer.same_scale) if transfer.same_scale else None,
    }


def _transfer(document: Json) -> CrossPromptModel:
    ranker = Ranker(_curve_weights(document), tuple(map(Trees, document["trees"])))
    levels = tuple(value_with(LEVEL, PromptLevel, level) for level in document["levels"])
    return CrossPromptModel(ranker, levels, scale_from(document["same_scale"]) if document["same_scale"] else None)


def _curve_weights(document: Json) -> NDArray[np.float64]:
    """Weights of features and of their squares; ValueError for a model of before squares counted."""
    weights = unpacked(document["curves"]) if "curves" in document else np.empty(0)
    if weights.shape != (2 * len(RANKING_NAMES),):
        raise ValueError("it is of an earlier version, or weights are missing")
    return weights


def hybrid_from(document: Json) -> HybridModel:
    """The model a JSON object describes."""
    _check_measures(document, tuple(TITLES))
    blend = floats(document["blend"], length=2).tolist()
    return HybridModel(
        space=FeatureSpace(
            prompts=tuple(document["prompts"]),
            standard=value_with(STANDARD, Standard, document["standard"]),
            topics={prompt: value_with(TOPIC, Topic, part) for prompt, part in document["topics"].items()},
            content={prompt: value_with(CONTENT, ContentModel, part) for prompt, part in document["content"].items()},
        ),
        words=value_with(WORDS, WordStatistics, document["words"]),
        near=value_with(NEAR, Nearness, document["near"]),
        parts={name: value_with(PART, KernelPart, document["parts"][name]) for name in PARTS},
        trees=tuple(map(Trees, document["trees"])),
        blend=(blend[0], blend[1]),
        mean=float(document["mean"]),
        sd=float(document["sd"]),
        agreement={name: number(value) for name, value in document["agreement"].items()},
        training=training_from(document["training"]),
        transfer=_transfer(document["transfer"]) if document["transfer"] else None,
        **cutoffs_from(document),
        **header_from(document),
    )


def calibrated_document(model: CalibratedModel) -> Json:
    """The model as a JSON object."""
    return {
        **header_document(model),
        "prompt": model.prompt,
        "essays": model.essays,
        "scored": model.scored,
        "notes": list(model.notes),
        "measures": list(RANKING_NAMES),
        "intercept": model.intercept,
        "tree_factor": model.tree_factor,
        "residual": model.residual,
        **cutoffs_document(model.cutoffs, model.percentiles),
        "standard": document_with(STANDARD, model.space.standard),
        "topic": document_with(TOPIC, model.space.topic),
        "curves": packed(model.features),
        "characters": packed_rows(model.characters),
        "trees": [trees.text for trees in model.trees],
    }


def calibrated_from(document: Json) -> CalibratedModel:
    """The model a JSON object describes."""
    _check_measures(document, RANKING_NAMES)
    return CalibratedModel(
        prompt=str(document["prompt"]),
        space=PromptSpace(
            value_with(TOPIC, Topic, document["topic"]), value_with(STANDARD, Standard, document["standard"])
        ),
        features=_curve_weights(document),
        trees=tuple(map(Trees, document["trees"])),
        tree_factor=float(document["tree_factor"]),
        characters=unpacked_rows(document["characters"]),
        intercept=float(document["intercept"]),
        residual=float(document["residual"]),
        essays=int(document["essays"]),
        scored=int(document["scored"]),
        notes=tuple(document["notes"]),
        **cutoffs_from(document),
        **header_from(document),
    )
