"""What the files of all models share: schema and header, how fields are written and read, and checks of the latter."""

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from math import isfinite, nan
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.integrity.consequences import CONSEQUENCES, checked_consequences
from assay.essays.models.arrays import Floats
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.scoring_model import ErrorBand, ScoringModel, TrainingSummary
from assay.execution.limits import check
from assay.scale import ScoreScale

Json = dict[str, Any]  # JSON has no closer type
Value = TypeVar("Value")

FAMILY = "assay.essay-model/"
SCHEMA = f"{FAMILY}1"
DAMAGED = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError, MemoryError)
TYPES = {"float64": "<f8", "float32": "<f4", "int64": "<i8", "int16": "<i2"}
TRAIN_AGAIN = "Train the model again."
FieldCodec = tuple[Callable[[Any], Any], Callable[[Any], Any]]
"""How a field is written as JSON, and how it is read."""


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
        "scale": asdict(model.scale),
        "about": dict(model.extra),
        "reads_with": dict(model.reads_with),
        "consequences": {**CONSEQUENCES, **model.consequences},
    }


def header_from(document: Json) -> dict[str, Any]:
    """The same as arguments of a model, with where it comes from where the file says so."""
    header = {
        "scale": ScoreScale(**{end: float(document["scale"][end]) for end in ("lowest", "highest", "step")}),
        "extra": dict(document["about"]),
        "reads_with": {str(part): str(value) for part, value in document.get("reads_with", {}).items()},
    }
    own = checked_consequences({str(name): str(value) for name, value in document.get("consequences", {}).items()})
    header["consequences"] = {name: value for name, value in own.items() if value != CONSEQUENCES[name]}
    if "training" in document:
        training = document["training"]
        lists = {name: tuple(training[name]) for name in ("prompts", "notes")}
        header["training"] = TrainingSummary(**{**training, **lists})
    return header


def training_document(training: TrainingSummary) -> Json:
    values = {name: getattr(training, name) for name in training.__slots__}
    lists = {"prompts": list(training.prompts), "notes": list(training.notes)}
    return values | lists | {"left_out": dict(training.left_out)}


def cutoffs_document(cutoffs: Cutoffs, percentiles: Floats, errors: ErrorBand | None = None) -> Json:
    """Where raw scores become points, and how they spread."""
    arrays = {"points": cutoffs.points, "cutoffs": cutoffs.cuts, "percentiles": percentiles}
    document: Json = {name: array.tolist() for name, array in arrays.items()}
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


def nullable(value: float) -> float | None:
    return value if isfinite(value) else None


def number(value: float | None) -> float:
    return nan if value is None else float(value)


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
    check("model_bytes", len(content))
    if any(size < 0 for size in shape):
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


REAL: FieldCodec = (lambda value: value, float)
COUNT: FieldCodec = (lambda value: value, int)
NULLABLE: FieldCodec = (nullable, number)
FLOATS: FieldCodec = (lambda array: array.tolist(), floats)
LINES: FieldCodec = ("\n".join, lambda text: tuple(text.split("\n")) if text else ())
PACKED: FieldCodec = (packed, unpacked)
PACKED_COUNTS: FieldCodec = (lambda array: packed(array, "int64"), unpacked)
PACKED_ROWS: FieldCodec = (packed_rows, unpacked_rows)


def document_with(codecs: Mapping[str, FieldCodec], value: object) -> Json:
    """The fields that have a codec, in their order."""
    return {name: write(getattr(value, name)) for name, (write, _) in codecs.items()}


def value_with(codecs: Mapping[str, FieldCodec], kind: type[Value], document: Json) -> Value:
    """The dataclass of these fields again."""
    return kind(**{name: read(document[name]) for name, (_, read) in codecs.items()})
