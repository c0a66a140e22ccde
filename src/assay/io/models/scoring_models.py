"""FRONT DOOR `read_scoring_model`, `write_scoring_model`, `bundled_essay_model`: models of essay scores <-> JSON files.

Never pickle: people can read a model file, and it can run nothing. Which kind a model is, the file says.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from assay.errors import Field, InputError
from assay.essays.models.calibrated.model import CalibratedModel
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.hybrid.model import HybridModel
from assay.essays.models.scoring_model import ScoringModel
from assay.io.models.erater import model_document, model_from
from assay.io.models.hybrid import calibrated_document, calibrated_from, hybrid_document, hybrid_from
from assay.io.models.model_json import FAMILY, SCHEMA, Json, undamaged
from assay.io.tables.output import write_whole

PLACE = ("weights", "generic10_argument.json")
"""Where the model lies that comes with the package: Generic10 for argumentative essays on a scale from 1 to 6."""
READERS: Mapping[str, Callable[[Json], ScoringModel]] = {"hybrid": hybrid_from, "calibrated": calibrated_from}
"""By kind; all others are models of weighted features."""
WRITERS: Mapping[type, Callable[[Any], Json]] = {
    HybridModel: hybrid_document,
    CalibratedModel: calibrated_document,
    EssayModel: model_document,
}


def read_scoring_model(path: Path) -> ScoringModel:
    """The model of a file; InputError if it is none, is damaged or is of another version."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror}", source=path, field="model", remedy="Name a model file."
        ) from None
    return scoring_model_of(content, name=str(path))


def scoring_model_of(content: bytes, *, name: str) -> ScoringModel:
    """The same from the bytes of a file."""
    refused = partial(InputError, source=name, field="model")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise refused("is not JSON", remedy="Name a file that training a model wrote.") from None
    schema = str(document.get("schema", "none")) if isinstance(document, dict) else "none"
    if schema != SCHEMA and schema.startswith(FAMILY):
        raise refused(
            f"is of version {schema.removeprefix(FAMILY)!r}; this program reads version {SCHEMA.removeprefix(FAMILY)}",
            remedy="Train the model again, or use the program that wrote it.",
        )
    if not isinstance(document, dict) or schema != SCHEMA:
        raise refused(f"is no essay model (schema {schema!r})", remedy="Name a file that training a model wrote.")
    try:
        with undamaged(name):
            return READERS.get(str(document.get("kind")), model_from)(document)
    except InputError as problem:
        raise problem.at(name) from None


@cache
def bundled_essay_model() -> ScoringModel | None:
    """The model that comes with the package; None if the file was left out, as its license may require."""
    weights = files("assay.essays").joinpath(*PLACE)
    return scoring_model_of(weights.read_bytes(), name=PLACE[-1]) if weights.is_file() else None


def required_bundled_model() -> ScoringModel:
    """The bundled model; InputError that says what to do without it."""
    model = bundled_essay_model()
    if model is None:
        problem = "this copy of assay comes without a score model"
        remedy = ("Name one with ", Field("model"), "; training a model writes one.")
        raise InputError(problem, field="model", remedy=remedy)
    return model


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
    if type(model) not in WRITERS:
        raise TypeError(f"a model of the kind {model.kind!r} has no file")
    document = WRITERS[type(model)](model)
    return (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
