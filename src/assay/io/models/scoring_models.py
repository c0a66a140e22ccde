"""FRONT DOOR `read_scoring_model`, `write_scoring_model`: models of essay scores <-> files of JSON.

Never pickle: people can read a model file, and it can run nothing. Which kind a model is, the file says.
"""

import json
from pathlib import Path

from assay.errors import InputError
from assay.essays.models.calibrated.model import CalibratedModel
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.hybrid.model import HybridModel
from assay.essays.models.scoring_model import ScoringModel
from assay.io.models.erater import model_document, model_from
from assay.io.models.hybrid import calibrated_document, calibrated_from, hybrid_document, hybrid_from
from assay.io.models.model_json import Json, document_of, read_document, undamaged
from assay.io.tables.output import write_whole


def read_scoring_model(path: Path) -> ScoringModel:
    """The model of a file; InputError if it is none, is damaged or is of another version."""
    return _model(read_document(path), str(path))


def scoring_model_of(content: bytes, *, name: str) -> ScoringModel:
    """The same from the bytes of a file."""
    return _model(document_of(content, name=name), name)


def _model(document: Json, name: str) -> ScoringModel:
    kind = document.get("kind")
    try:
        with undamaged(name):
            if kind == "hybrid":
                return hybrid_from(document)
            return calibrated_from(document) if kind == "calibrated" else model_from(document)
    except InputError as problem:
        raise problem.at(name) from None


def write_scoring_model(model: ScoringModel, path: Path) -> None:
    """The model as a JSON file, which appears when it is complete; InputError if it cannot be written."""
    try:
        write_whole(path, model_bytes(model))
    except OSError as problem:
        raise InputError(
            f"cannot be written: {problem.strerror}", source=path, field="out", remedy="Choose another place."
        ) from problem


def model_bytes(model: ScoringModel) -> bytes:
    """The model as a file holds it."""
    return (json.dumps(_document(model), ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def _document(model: ScoringModel) -> Json:
    if isinstance(model, HybridModel):
        return hybrid_document(model)
    if isinstance(model, CalibratedModel):
        return calibrated_document(model)
    if isinstance(model, EssayModel):
        return model_document(model)
    raise TypeError(f"a model of the kind {model.kind!r} has no file")
