"""`CalibratedModel` <-> JSON, in the manner of `hybrid_model_file`."""

from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.essays.models.calibrated.calibrate import CalibratedModel
from assay.essays.models.calibrated.cross_prompt import NAMES, PromptSpace
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.hybrid.boosting import Trees
from assay.io.models.erater import DAMAGED, SCHEMA, write_document
from assay.io.models.hybrid import (
    check_measures,
    curve_weights,
    scale_document,
    scale_from,
    standard_document,
    standard_from,
    topic_document,
    topic_from,
)
from assay.io.models.packed_arrays import packed, packed_rows, unpacked_rows

Json = dict[str, Any]  # JSON has no closer type


def write_calibrated(model: CalibratedModel, path: Path) -> None:
    """The model as a JSON file, which appears when it is complete."""
    write_document(calibrated_document(model), path)


def calibrated_document(model: CalibratedModel) -> Json:
    """The model as a JSON object."""
    return {
        "schema": SCHEMA,
        "kind": model.kind,
        "prompt": model.prompt,
        "scale": scale_document(model.scale),
        "about": dict(model.extra),
        "essays": model.essays,
        "scored": model.scored,
        "notes": list(model.notes),
        "measures": list(NAMES),
        "intercept": model.intercept,
        "tree_factor": model.tree_factor,
        "residual": model.residual,
        "points": model.cutoffs.points.tolist(),
        "cutoffs": model.cutoffs.cuts.tolist(),
        "percentiles": model.percentiles.tolist(),
        "standard": standard_document(model.space.standard),
        "topic": topic_document(model.space.topic),
        "curves": packed(model.features),
        "characters": packed_rows(model.characters),
        "trees": [trees.text for trees in model.trees],
    }


def calibrated_from(document: Json, *, name: str) -> CalibratedModel:
    """The model a JSON object describes; InputError if it is damaged or measures what this program does not."""
    check_measures(document, list(NAMES), name)
    try:
        return _model(document)
    except DAMAGED as damage:
        raise InputError(f"{name} is damaged ({damage}). Make it again with `assay essays calibrate`.") from None


def _model(document: Json) -> CalibratedModel:
    points = np.array(document["points"], dtype=np.float64)
    return CalibratedModel(
        prompt=str(document["prompt"]),
        scale=scale_from(document["scale"]),
        space=PromptSpace(topic_from(document["topic"]), standard_from(document["standard"])),
        features=curve_weights(document),
        trees=tuple(map(Trees, document["trees"])),
        tree_factor=float(document["tree_factor"]),
        characters=unpacked_rows(document["characters"]),
        intercept=float(document["intercept"]),
        cutoffs=Cutoffs(points, np.array(document["cutoffs"], dtype=np.float64)),
        percentiles=np.array(document["percentiles"], dtype=np.float64),
        residual=float(document["residual"]),
        essays=int(document["essays"]),
        scored=int(document["scored"]),
        notes=tuple(document["notes"]),
        extra=dict(document["about"]),
    )
