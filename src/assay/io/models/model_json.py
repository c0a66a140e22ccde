"""What the files of all models share: schema and header, arrays inside JSON, and checks of what was read."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.scoring_model import ErrorBand, ScoringModel, TrainingSummary
from assay.scale import ScoreScale

Json = dict[str, Any]  # JSON has no closer type
Floats = NDArray[np.float64]

FAMILY = "assay.essay-model/"
SCHEMA = f"{FAMILY}1"
DAMAGED = (KeyError, TypeError, ValueError, IndexError, AttributeError)
TYPES = {"float64": "<f8", "float32": "<f4", "int64": "<i8", "int16": "<i2"}
MOST_BYTES = 1_000_000_000
TRAIN_AGAIN = "Train the model again."


def read_document(path: Path) -> Json:
    """The JSON object of a model file of any kind, its schema version checked; `kind` says which it is."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror}", source=path, field="model", remedy="Name a model file."
        ) from None
    return document_of(content, name=str(path))


def document_of(content: bytes, *, name: str) -> Json:
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
    return document


@contextmanager
def undamaged(name: str) -> Iterator[None]:
    """InputError in place of whatever a damaged document leads to."""
    try:
        yield
    except DAMAGED as damage:
        raise InputError(f"is damaged ({damage})", source=name, field="model", remedy=TRAIN_AGAIN) from None


def header_document(model: ScoringModel) -> Json:
    """What every model file begins with."""
    return {
        "schema": SCHEMA,
        "kind": model.kind,
        "scale": scale_document(model.scale),
        "about": dict(model.extra),
        "reads_with": dict(model.reads_with),
    }


def header_from(document: Json) -> dict[str, Any]:
    """The same as arguments of a model."""
    return {
        "scale": scale_from(document["scale"]),
        "extra": dict(document["about"]),
        "reads_with": {str(part): str(value) for part, value in document.get("reads_with", {}).items()},
    }


def scale_document(scale: ScoreScale) -> Json:
    return {"lowest": scale.lowest, "highest": scale.highest, "step": scale.step}


def scale_from(document: Json) -> ScoreScale:
    return ScoreScale(**{end: float(document[end]) for end in ("lowest", "highest", "step")})


def training_document(training: TrainingSummary) -> Json:
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


def training_from(document: Json) -> TrainingSummary:
    return TrainingSummary(**{**document, "prompts": tuple(document["prompts"]), "notes": tuple(document["notes"])})


def cutoffs_document(cutoffs: Cutoffs, percentiles: Floats, errors: ErrorBand | None = None) -> Json:
    """Where raw scores become points, and how they spread."""
    document = {
        "points": cutoffs.points.tolist(),
        "cutoffs": cutoffs.cuts.tolist(),
        "percentiles": percentiles.tolist(),
    }
    if errors is not None:
        document["errors"] = {"low": errors.low.tolist(), "high": errors.high.tolist()}
    return document


def cutoffs_from(document: Json) -> dict[str, Any]:
    """The same as arguments of a model or an equation."""
    points = floats(document["points"])
    values: dict[str, Any] = {
        "cutoffs": Cutoffs(points, floats(document["cutoffs"])),
        "percentiles": floats(document["percentiles"], length=101),
    }
    if "errors" in document:
        low, high = (floats(document["errors"][end]) for end in ("low", "high"))
        values["errors"] = ErrorBand(points.copy(), low, high)
    return values


def agreement_document(agreement: Mapping[str, float]) -> Json:
    return {name: nullable(value) for name, value in agreement.items()}


def agreement_from(document: Json) -> dict[str, float]:
    return {name: number(value) for name, value in document.items()}


def nullable(value: float) -> float | None:
    return value if isfinite(value) else None


def number(value: float | None) -> float:
    return nan if value is None else float(value)


def lines(text: str) -> tuple[str, ...]:
    """Words that were joined line by line."""
    return tuple(text.split("\n")) if text else ()


def floats(values: Sequence[float], *, length: int | None = None) -> Floats:
    """A list of finite numbers as an array; ValueError if it is none, or of another length."""
    array = np.array(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all() or (length is not None and len(array) != length):
        raise ValueError("a list of numbers is not one")
    return array


def packed(array: NDArray[Any], kind: str = "float64") -> Json:
    """An array as type, shape and bytes in base64; little-endian on every machine."""
    stored = np.ascontiguousarray(array, dtype=TYPES[kind])
    return {"type": kind, "shape": list(stored.shape), "base64": base64.b64encode(stored.tobytes()).decode("ascii")}


def unpacked(document: Json) -> NDArray[Any]:
    """The array of a JSON object; ValueError if it is none."""
    content = base64.b64decode(document["base64"], validate=True)
    shape = tuple(int(size) for size in document["shape"])
    if len(content) > MOST_BYTES or any(size < 0 for size in shape):
        raise ValueError("an array of no possible size")
    array = np.frombuffer(content, dtype=TYPES[document["type"]]).reshape(shape)
    native = array.astype(array.dtype.newbyteorder("="))
    if native.dtype.kind == "f" and not np.isfinite(native).all():
        raise ValueError("an array holds a number that is none")
    return native


def packed_rows(weights: Floats) -> Json:
    """Rows of weights that are whole multiples of a step of their own, at most 32,767 (see `compact`)."""
    step = np.abs(weights).max(axis=1, initial=0.0) / 32767
    step[step == 0] = 1.0
    return {"step": step.tolist(), "counts": packed(np.rint(weights / step[:, None]), "int16")}


def unpacked_rows(document: Json) -> Floats:
    """The rows of weights again."""
    counts = unpacked(document["counts"])
    step = np.array(document["step"], dtype=np.float64)
    if counts.ndim != 2 or step.shape != counts.shape[:1] or not np.isfinite(step).all():
        raise ValueError("rows of weights without a step each")
    return np.asarray(counts * step[:, None], dtype=np.float64)
