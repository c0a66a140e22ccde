"""Any result <-> JSON with a schema version; NaN is null beside its reason."""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import inf, isfinite, nan, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import InputError, reader
from assay.evaluation.compare import Comparison, Contender
from assay.evaluation.exclusions import Exclusions
from assay.evaluation.result import Evaluation
from assay.execution.limits import check
from assay.io.json_file import read_json
from assay.metrics.intervals import Estimate
from assay.metrics.tally import PairTally
from assay.provenance import Provenance

if TYPE_CHECKING:
    from assay.essays.study.study import Study
    from assay.evaluation.raters.panel import Panel
    from assay.evaluation.thresholds import GateResult

EVALUATION, COMPARISON, STUDY = "assay.evaluation/1", "assay.comparison/1", "assay.study/1"
PANEL = "assay.panel/1"
MOST_POINT = 1 << 53
"""Beyond it a score point is no whole number any more."""
_GIVE = "Give the evaluation.json of an evaluation."


def evaluation_json(evaluation: Evaluation, provenance: Provenance) -> str:
    """All numbers of an evaluation."""
    head = {"schema": EVALUATION, "provenance": plain(provenance), "n": evaluation.n}
    return _dumped(head | {"figures": plain(evaluation.figures())} | plain(evaluation))


def comparison_json(comparison: Comparison, provenance: Provenance) -> str:
    """All numbers of a comparison."""
    return _dumped({"schema": COMPARISON, "provenance": plain(provenance)} | plain(comparison))


def panel_json(panel: "Panel", provenance: Provenance, gates: "tuple[GateResult, ...]" = ()) -> str:
    """All numbers of a panel."""
    head = {"schema": PANEL, "provenance": plain(provenance), "figures": plain(panel.figures())}
    return _dumped(head | {"gates": plain(gates)} | plain(panel))


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
            named = {f.metadata.get("json", f.name): f.name for f in fields(value)}
            return {key: plain(getattr(value, name)) for key, name in named.items() if key}
    return value


@reader
def read_contender(path: Path) -> Contender:
    """The engine of an evaluation.json, ready to be compared."""
    content = read_json(path, field="tables", remedy=_GIVE)
    if not isinstance(content, dict) or content.get("schema") != EVALUATION:
        schema = content.get("schema", "none") if isinstance(content, dict) else "none"
        raise InputError(f"is not an evaluation (schema {schema!r})", source=path, field="tables", remedy=_GIVE)
    try:
        tallies = [_unpacked(packed) for packed in content["blocks"].values()]
        return Contender(
            str(content["engine"]),
            tallies[0],
            tallies[-1],
            _exclusions(content.get("exclusions")),
            {str(name): _estimate(figure) for name, figure in content["figures"].items()},
        )
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError, zlib.error):
        raise InputError("is damaged", source=path, field="tables", remedy="Evaluate the engine again.") from None


def _exclusions(content: Any) -> Exclusions | None:
    """How many responses were read and left out; None where that is not known."""
    if content is None:
        return None
    return Exclusions(int(content["read"]), {str(reason): int(n) for reason, n in content["left_out"].items()})


def _estimate(content: Mapping[str, Any]) -> Estimate:
    value, low, high = (nan if (end := content.get(n)) is None else float(end) for n in ("value", "low", "high"))
    return Estimate(value, low, high, str(content.get("reason", "")))


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
        "numbers": base64.b64encode(zlib.compress(flat.astype("<f8").tobytes(), 6)).decode(),
    }


def _unpacked(packed: Mapping[str, Any]) -> PairTally:
    """The tally again; ValueError if sizes or numbers are none that a tally has."""
    shapes = {str(name): tuple(map(int, shape)) for name, shape in packed["shapes"].items()}
    blocks = shapes["n"]
    if any(size < 0 for shape in shapes.values() for size in shape) or any(s[:1] != blocks for s in shapes.values()):
        raise ValueError("arrays of other sizes than blocks")
    expected = 8 * sum(prod(shape) for shape in shapes.values())
    check("tally_bytes", expected, what="its tallies")
    # no more than the shapes state, whatever the packed bytes would become
    content = zlib.decompressobj().decompress(base64.b64decode(packed["numbers"]), expected + 1)
    if len(content) != expected or len(blocks) != 1 or not blocks[0]:
        raise ValueError("other numbers than the shapes state")
    flat = np.split(np.frombuffer(content, dtype="<f8"), np.cumsum([prod(shape) for shape in shapes.values()])[:-1])
    arrays: dict[str, Any] = {name: part.reshape(shapes[name]) for name, part in zip(shapes, flat, strict=True)}
    # a block without responses has no lowest and no highest score
    if not all(np.isfinite(part).all() for name, part in arrays.items() if not name.endswith(("_min", "_max"))):
        raise ValueError("a number that is none")
    lowest, step = int(packed["lowest_point"]), float(packed["step"])
    if (arrays["n"] < 0).any() or abs(lowest) > MOST_POINT or not 0 < step < inf:
        raise ValueError("a count or a score point that is none")
    return PairTally(**arrays, lowest_point=lowest, step=step)


def _dumped(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
