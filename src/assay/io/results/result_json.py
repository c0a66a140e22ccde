"""Any result <-> JSON with a schema version; NaN is null beside its reason."""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import InputError
from assay.evaluation.compare import Comparison, Contender
from assay.evaluation.result import Evaluation
from assay.metrics.intervals import Estimate
from assay.metrics.tally import PairTally
from assay.provenance import Provenance

if TYPE_CHECKING:
    from assay.essays.study.study import Study

EVALUATION, COMPARISON, STUDY = "assay.evaluation/1", "assay.comparison/1", "assay.study/1"
_GIVE = "Give the evaluation.json of an evaluation."


def evaluation_json(evaluation: Evaluation, provenance: Provenance) -> str:
    """All numbers of an evaluation."""
    head = {"schema": EVALUATION, "provenance": plain(provenance), "n": evaluation.n}
    return _dumped(head | {"figures": plain(evaluation.figures())} | plain(evaluation))


def comparison_json(comparison: Comparison, provenance: Provenance) -> str:
    """All numbers of a comparison."""
    return _dumped({"schema": COMPARISON, "provenance": plain(provenance)} | plain(comparison))


def study_content(study: "Study", provenance: Provenance) -> dict[str, Any]:
    """All figures of a study; a table that could not be made holds its reason."""
    return {"schema": STUDY, "provenance": plain(provenance), **plain(study)}


def plain(value: Any) -> Any:
    """A result as dicts, lists, numbers and text."""
    match value:
        case Estimate():
            estimate = {"value": plain(value.value), "low": plain(value.low), "high": plain(value.high)}
            return estimate | ({"reason": value.reason} if value.reason else {})
        case PairTally():
            return _packed(value)
        case float():
            return value if isfinite(value) else None
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {f.metadata.get("json", f.name): plain(getattr(value, f.name)) for f in fields(value)}
    return value


def read_contender(path: Path) -> Contender:
    """The engine of an evaluation.json, ready to be compared."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=path, field="tables") from None
    except ValueError:
        raise InputError("is not JSON", source=path, field="tables", remedy=_GIVE) from None
    if not isinstance(content, dict) or content.get("schema") != EVALUATION:
        schema = content.get("schema", "none") if isinstance(content, dict) else "none"
        raise InputError(f"is not an evaluation (schema {schema!r})", source=path, field="tables", remedy=_GIVE)
    try:
        tallies = [_unpacked(packed) for packed in content["blocks"].values()]
        return Contender(str(content["engine"]), tallies[0], tallies[-1])
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, zlib.error):
        raise InputError("is damaged", source=path, field="tables", remedy="Evaluate the engine again.") from None


def _packed(tally: PairTally) -> dict[str, Any]:
    """A tally as compressed numbers: some hundred blocks are of use to a program only."""
    arrays = {f.name: getattr(tally, f.name) for f in fields(tally)}
    numbers = {name: value for name, value in arrays.items() if isinstance(value, np.ndarray)}
    flat = np.concatenate([value.ravel() for value in numbers.values()])
    return {
        "encoding": "float64, little endian, zlib, base64; arrays in the order of shapes",
        "shapes": {name: list(value.shape) for name, value in numbers.items()},
        "lowest_point": tally.lowest_point,
        "step": tally.step,
        "numbers": base64.b64encode(zlib.compress(flat.astype("<f8").tobytes(), 9)).decode(),
    }


def _unpacked(packed: Mapping[str, Any]) -> PairTally:
    flat = np.frombuffer(zlib.decompress(base64.b64decode(packed["numbers"])), dtype="<f8")
    arrays: dict[str, Any] = {}
    start = 0
    for name, shape in packed["shapes"].items():
        size = int(np.prod(shape))
        arrays[name] = flat[start : start + size].reshape(shape)
        start += size
    return PairTally(**arrays, lowest_point=int(packed["lowest_point"]), step=float(packed["step"]))


def _dumped(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
