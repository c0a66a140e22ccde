"""`HybridModel` and `CalibratedModel` <-> JSON: readable where people look, packed arrays where machines do.

Trees are LightGBM's own text. Nothing in a file can run: no pickle, no code. A model read back gives the same scores.
"""

from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.content import ContentModel
from assay.essays.features.measures import NAMES as MEASURES
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, PromptSpace, Ranker
from assay.essays.models.calibrated.model import NAMES as RANKING_NAMES
from assay.essays.models.calibrated.model import CalibratedModel
from assay.essays.models.calibrated.scale_placement import PromptLevel
from assay.essays.models.generic import GenericModel
from assay.essays.models.hybrid.model import PARTS, TITLES, FeatureSpace, HybridModel
from assay.essays.models.hybrid.ngrams import Topic, WordStatistics
from assay.essays.models.hybrid.parts import KINDS, KernelPart, Nearness
from assay.essays.models.hybrid.reading import Standard
from assay.io.models import model_json as codec
from assay.io.models.model_json import FieldCodec, Json
from assay.io.models.trees import read_trees
from assay.scale import ScoreScale

STANDARD: Mapping[str, FieldCodec] = {"mean": codec.PACKED, "sd": codec.PACKED}
TOPIC: Mapping[str, FieldCodec] = {
    "words": codec.LINES,
    "essays": codec.COUNT,
    "quarters": (list, lambda ends: (float(ends[0]), float(ends[1]))),
    "essays_with": codec.PACKED_COUNTS,
    "keyness": codec.PACKED,
    "sums": codec.PACKED,
}
CONTENT: Mapping[str, FieldCodec] = {
    "words": codec.LINES,
    "points": codec.FLOATS,
    "floors": codec.FLOATS,
    "frequencies": codec.PACKED_COUNTS,
    "essays_with": codec.PACKED_COUNTS,
    "essays": codec.COUNT,
    "least_familiarity": codec.NULLABLE,
}
WORDS: Mapping[str, FieldCodec] = {"runs": codec.LINES, "rarity": codec.PACKED}
NEAR: Mapping[str, FieldCodec] = {
    "z": (lambda z: codec.packed(z, "float32"), lambda z: codec.unpacked(z).astype(np.float64)),
    "weights": codec.PACKED,
    "width": codec.REAL,
}
PART: Mapping[str, FieldCodec] = {"intercept": codec.FLOATS, **dict.fromkeys(KINDS, codec.PACKED_ROWS)}
LEVEL: Mapping[str, FieldCodec] = {"mean": codec.REAL, "sd": codec.REAL, "points": codec.COUNT, "words": codec.REAL}


def hybrid_document(model: HybridModel) -> Json:
    """The model as a JSON object."""
    transfer = model.transfer
    return {
        **codec.header_document(model),
        "training": codec.training_document(model.training),
        "agreement": codec.agreement_document(model.agreement),
        "measures": list(TITLES),
        "prompts": list(model.space.prompts),
        "mean": model.mean,
        "sd": model.sd,
        "blend": list(model.blend),
        **codec.cutoffs_document(model.cutoffs, model.percentiles, model.errors),
        "standard": codec.document_with(STANDARD, model.space.standard),
        "topics": {prompt: codec.document_with(TOPIC, topic) for prompt, topic in model.space.topics.items()},
        "content": {prompt: codec.document_with(CONTENT, content) for prompt, content in model.space.content.items()},
        "words": codec.document_with(WORDS, model.words),
        "near": codec.document_with(NEAR, model.near),
        "parts": {name: codec.document_with(PART, part) for name, part in model.parts.items()},
        "trees": [trees.text for trees in model.trees],
        "transfer": transfer
        and {
            "curves": codec.packed(transfer.ranker.weights),
            "trees": [trees.text for trees in transfer.ranker.trees],
            "levels": [codec.document_with(LEVEL, level) for level in transfer.levels],
            "same_scale": asdict(transfer.same_scale) if transfer.same_scale else None,
        },
    }


def _check_measures(document: Json, names: tuple[str, ...]) -> None:
    """InputError unless the model was trained on the measures of this program, in their order."""
    if tuple(document.get("measures", ())) != names:
        problem = "the model was trained on other measures than this program takes"
        raise InputError(problem, field="model", remedy="Train it again, or use the program that wrote it.")


def _curve_weights(document: Json) -> NDArray[np.float64]:
    """Weights of features and of their squares; ValueError for a model of before squares counted."""
    weights = codec.unpacked(document["curves"]) if "curves" in document else np.empty(0)
    if weights.shape != (2 * len(RANKING_NAMES),):
        raise ValueError("it is of an earlier version, or weights are missing")
    return weights


def hybrid_from(document: Json) -> HybridModel:
    """The model a JSON object describes."""
    _check_measures(document, tuple(TITLES))
    blend, transfer = codec.floats(document["blend"], length=2).tolist(), document["transfer"]
    return HybridModel(
        space=FeatureSpace(
            prompts=tuple(document["prompts"]),
            standard=codec.value_with(STANDARD, Standard, document["standard"]),
            topics={prompt: codec.value_with(TOPIC, Topic, part) for prompt, part in document["topics"].items()},
            content={
                prompt: codec.value_with(CONTENT, ContentModel, part) for prompt, part in document["content"].items()
            },
        ),
        words=codec.value_with(WORDS, WordStatistics, document["words"]),
        near=codec.value_with(NEAR, Nearness, document["near"]),
        parts={name: codec.value_with(PART, KernelPart, document["parts"][name]) for name in PARTS},
        trees=tuple(map(read_trees, document["trees"])),
        blend=(blend[0], blend[1]),
        mean=float(document["mean"]),
        sd=float(document["sd"]),
        agreement={name: codec.number(value) for name, value in document["agreement"].items()},
        transfer=CrossPromptModel(
            Ranker(_curve_weights(transfer), tuple(map(read_trees, transfer["trees"]))),
            tuple(codec.value_with(LEVEL, PromptLevel, level) for level in transfer["levels"]),
            ScoreScale(**transfer["same_scale"]) if transfer["same_scale"] else None,
        )
        if transfer
        else None,
        **codec.cutoffs_from(document),
        **codec.header_from(document),
    )


def generic_document(model: GenericModel) -> Json:
    """The model as a JSON object."""
    return {
        **codec.header_document(model),
        "training": codec.training_document(model.training),
        "agreement": codec.agreement_document(model.agreement),
        "measures": list(MEASURES),
        "words": list(model.words),
        "intercept": model.intercept,
        **codec.cutoffs_document(model.cutoffs, model.percentiles, model.errors),
        "standard": codec.document_with(STANDARD, model.standard),
        "weights": codec.packed(model.weights),
        "tree_factor": model.tree_factor,
        "trees": [trees.text for trees in model.trees],
    }


def generic_from(document: Json) -> GenericModel:
    """The model a JSON object describes."""
    _check_measures(document, MEASURES)
    words = codec.floats(document["words"], length=2).tolist()
    weights = codec.unpacked(document["weights"])
    if weights.shape != (2, len(MEASURES)):
        raise ValueError("a measure has no weight")
    return GenericModel(
        standard=codec.value_with(STANDARD, Standard, document["standard"]),
        weights=weights,
        intercept=float(document["intercept"]),
        trees=tuple(map(read_trees, document["trees"])),
        tree_factor=float(document["tree_factor"]),
        words=(words[0], words[1]),
        agreement={name: codec.number(value) for name, value in document["agreement"].items()},
        **codec.cutoffs_from(document),
        **codec.header_from(document),
    )


def calibrated_document(model: CalibratedModel) -> Json:
    """The model as a JSON object."""
    return {
        **codec.header_document(model),
        "prompt": model.prompt,
        "essays": model.essays,
        "scored": model.scored,
        "notes": list(model.notes),
        "measures": list(RANKING_NAMES),
        "intercept": model.intercept,
        "tree_factor": model.tree_factor,
        "residual": model.residual,
        **codec.cutoffs_document(model.cutoffs, model.percentiles),
        "standard": codec.document_with(STANDARD, model.space.standard),
        "topic": codec.document_with(TOPIC, model.space.topic),
        "curves": codec.packed(model.features),
        "characters": codec.packed_rows(model.characters),
        "trees": [trees.text for trees in model.trees],
    }


def calibrated_from(document: Json) -> CalibratedModel:
    """The model a JSON object describes."""
    _check_measures(document, RANKING_NAMES)
    return CalibratedModel(
        prompt=str(document["prompt"]),
        space=PromptSpace(
            codec.value_with(TOPIC, Topic, document["topic"]),
            codec.value_with(STANDARD, Standard, document["standard"]),
        ),
        features=_curve_weights(document),
        trees=tuple(map(read_trees, document["trees"])),
        tree_factor=float(document["tree_factor"]),
        characters=codec.unpacked_rows(document["characters"]),
        intercept=float(document["intercept"]),
        residual=float(document["residual"]),
        essays=int(document["essays"]),
        scored=int(document["scored"]),
        notes=tuple(document["notes"]),
        **codec.cutoffs_from(document),
        **codec.header_from(document),
    )
