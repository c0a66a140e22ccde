"""`HybridModel` and `CalibratedModel` <-> JSON: readable where people look, packed arrays where machines do.

Trees are LightGBM's own text. Nothing in a file can run: no pickle, no code. A model read back gives the same scores.
"""

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
from assay.essays.models.hybrid.parts import KernelPart, Nearness
from assay.essays.models.hybrid.reading import Standard
from assay.essays.models.hybrid.topic import Topic
from assay.io.models.model_json import (
    Json,
    agreement_document,
    agreement_from,
    cutoffs_document,
    cutoffs_from,
    floats,
    header_document,
    header_from,
    lines,
    nullable,
    number,
    packed,
    packed_rows,
    scale_document,
    scale_from,
    training_document,
    training_from,
    unpacked,
    unpacked_rows,
)

LAYERS = ("features", "characters", "words", "nearness")


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
        "standard": _standard_document(model.space.standard),
        "topics": {prompt: _topic_document(topic) for prompt, topic in model.space.topics.items()},
        "content": {prompt: _content_document(content) for prompt, content in model.space.content.items()},
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


def _check_measures(document: Json, names: tuple[str, ...]) -> None:
    """InputError unless the model was trained on the measures of this program, in their order."""
    if tuple(document.get("measures", ())) != names:
        raise InputError(
            "the model was trained on other measures than this program takes",
            field="model",
            remedy="Train it again, or use the program that wrote it.",
        )


def _standard_document(standard: Standard) -> Json:
    return {"mean": packed(standard.mean), "sd": packed(standard.sd)}


def _standard(document: Json) -> Standard:
    return Standard(unpacked(document["mean"]), unpacked(document["sd"]))


def _topic_document(topic: Topic) -> Json:
    return {
        "words": "\n".join(topic.words),
        "essays": topic.essays,
        "quarters": list(topic.quarters),
        "essays_with": packed(topic.essays_with, "int64"),
        "keyness": packed(topic.keyness),
        "sums": packed(topic.sums),
    }


def _topic(document: Json) -> Topic:
    low, high = (float(end) for end in document["quarters"])
    return Topic(
        words=lines(document["words"]),
        essays_with=unpacked(document["essays_with"]),
        keyness=unpacked(document["keyness"]),
        essays=int(document["essays"]),
        quarters=(low, high),
        sums=unpacked(document["sums"]),
    )


def _content_document(content: ContentModel) -> Json:
    return {
        "words": "\n".join(content.words),
        "points": content.points.tolist(),
        "floors": content.floors.tolist(),
        "frequencies": packed(content.frequencies, "int64"),
        "essays_with": packed(content.essays_with, "int64"),
        "essays": content.essays,
        "least_familiarity": nullable(content.least_familiarity),
    }


def _content(document: Json) -> ContentModel:
    return ContentModel(
        words=lines(document["words"]),
        points=np.array(document["points"], dtype=np.float64),
        floors=np.array(document["floors"], dtype=np.float64),
        frequencies=unpacked(document["frequencies"]),
        essays_with=unpacked(document["essays_with"]),
        essays=int(document["essays"]),
        least_familiarity=number(document["least_familiarity"]),
    )


def _part_document(part: KernelPart) -> Json:
    layers = {layer: packed_rows(getattr(part, layer)) for layer in LAYERS}
    return {"intercept": part.intercept.tolist(), **layers}


def _part(document: Json) -> KernelPart:
    layers = {layer: unpacked_rows(document[layer]) for layer in LAYERS}
    return KernelPart(np.array(document["intercept"], dtype=np.float64), **layers)


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


def _transfer(document: Json) -> CrossPromptModel:
    levels = [
        PromptLevel(float(level["mean"]), float(level["sd"]), int(level["points"]), float(level["words"]))
        for level in document["levels"]
    ]
    same = scale_from(document["same_scale"]) if document["same_scale"] else None
    return CrossPromptModel(Ranker(_curve_weights(document), tuple(map(Trees, document["trees"]))), tuple(levels), same)


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
    near = document["near"]
    return HybridModel(
        space=FeatureSpace(
            prompts=tuple(document["prompts"]),
            standard=_standard(document["standard"]),
            topics={prompt: _topic(part) for prompt, part in document["topics"].items()},
            content={prompt: _content(part) for prompt, part in document["content"].items()},
        ),
        words=WordStatistics(lines(document["words"]["runs"]), unpacked(document["words"]["rarity"])),
        near=Nearness(unpacked(near["z"]).astype(np.float64), unpacked(near["weights"]), float(near["width"])),
        parts={name: _part(document["parts"][name]) for name in PARTS},
        trees=tuple(map(Trees, document["trees"])),
        blend=(blend[0], blend[1]),
        mean=float(document["mean"]),
        sd=float(document["sd"]),
        agreement=agreement_from(document["agreement"]),
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
        "standard": _standard_document(model.space.standard),
        "topic": _topic_document(model.space.topic),
        "curves": packed(model.features),
        "characters": packed_rows(model.characters),
        "trees": [trees.text for trees in model.trees],
    }


def calibrated_from(document: Json) -> CalibratedModel:
    """The model a JSON object describes."""
    _check_measures(document, RANKING_NAMES)
    return CalibratedModel(
        prompt=str(document["prompt"]),
        space=PromptSpace(_topic(document["topic"]), _standard(document["standard"])),
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
