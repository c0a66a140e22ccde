"""Arrays inside JSON: type, shape and bytes in base64; and weights in two bytes each."""

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

Json = dict[str, Any]  # JSON has no closer type
Floats = NDArray[np.float64]

TYPES = {"float64": "<f8", "float32": "<f4", "int64": "<i8", "int16": "<i2"}
MOST_BYTES = 1_000_000_000


def packed(array: NDArray[Any], kind: str = "float64") -> Json:
    """The array as a JSON object; little-endian on every machine."""
    stored = np.ascontiguousarray(array, dtype=TYPES[kind])
    return {"type": kind, "shape": list(stored.shape), "base64": base64.b64encode(stored.tobytes()).decode("ascii")}


def unpacked(found: Json) -> NDArray[Any]:
    """The array of a JSON object; ValueError if it is none."""
    content = base64.b64decode(found["base64"], validate=True)
    shape = tuple(int(size) for size in found["shape"])
    if len(content) > MOST_BYTES or any(size < 0 for size in shape):
        raise ValueError("an array of no possible size")
    array = np.frombuffer(content, dtype=TYPES[found["type"]]).reshape(shape)
    native = array.astype(array.dtype.newbyteorder("="))
    if native.dtype.kind == "f" and not np.isfinite(native).all():
        raise ValueError("an array holds a number that is none")
    return native


def packed_rows(weights: Floats) -> Json:
    """Rows of weights that are whole multiples of a step of their own, at most 32,767 (see `compact`)."""
    step = np.abs(weights).max(axis=1, initial=0.0) / 32767
    step[step == 0] = 1.0
    return {"step": step.tolist(), "counts": packed(np.rint(weights / step[:, None]), "int16")}


def unpacked_rows(found: Json) -> Floats:
    """The rows of weights again."""
    counts = unpacked(found["counts"])
    step = np.array(found["step"], dtype=np.float64)
    if counts.ndim != 2 or step.shape != counts.shape[:1] or not np.isfinite(step).all():
        raise ValueError("rows of weights without a step each")
    return np.asarray(counts * step[:, None], dtype=np.float64)
