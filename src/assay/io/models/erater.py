"""`EssayModel` <-> JSON with a schema version; never pickle: people can read a model file, and it can run nothing.

Numbers are written in full: a model read back gives the same scores to the last digit.
"""

import json
from collections.abc import Mapping, Sequence
from math import inf, isfinite, isinf, nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.features.content import ContentModel
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.erater.curves import BENDS, Curves
from assay.essays.models.erater.model import Equation, ErrorBand, EssayModel, TrainingSummary
from assay.essays.models.erater.prompt_vocabulary import VocabularyRule
from assay.essays.models.erater.shapes import SHAPES
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.programs import CommonScale
from assay.scale import ScoreScale

Json = dict[str, Any]  # JSON has no closer type
Floats = NDArray[np.float64]

FAMILY = "assay.essay-model/"
SCHEMA = f"{FAMILY}1"
DAMAGED = (KeyError, TypeError, ValueError, IndexError, AttributeError)


def write_model(model: EssayModel, path: Path) -> None:
    """The model as a JSON file, which appears when it is complete."""
    write_document(model_document(model), path)


def write_document(document: Json, path: Path) -> None:
    """A JSON file that appears when it is complete; InputError if it cannot be written."""
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}. Choose another place with -o.") from problem


def read_model(path: Path) -> EssayModel:
    """The model of a file; InputError if it is none, is damaged or is of a version this program does not know."""
    return model_from(read_document(path), name=str(path))


def read_document(path: Path) -> Json:
    """The JSON object of a model file of any kind, its schema version checked; `kind` says which it is."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read: {problem.strerror}. Name a model file of `assay essays train`."
        ) from None
    return document_of(content, name=str(path))


def document_of(content: bytes, *, name: str) -> Json:
    """The same from the bytes of a file."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise InputError(f"{name} is not JSON. Name a model file that `assay essays train` wrote.") from None
    schema = str(document.get("schema", "none")) if isinstance(document, dict) else "none"
    if schema != SCHEMA and schema.startswith(FAMILY):
        raise InputError(
            f"{name} is of version {schema.removeprefix(FAMILY)!r}; this program reads version "
            f"{SCHEMA.removeprefix(FAMILY)}. Train the model again, or use the program that wrote it."
        )
    if not isinstance(document, dict) or schema != SCHEMA:
        raise InputError(f"{name} is no essay model (schema {schema!r}). Name a file that `assay essays train` wrote.")
    return document


def model_from(document: Json, *, name: str) -> EssayModel:
    """The model a JSON object describes."""
    try:
        return _model(document)
    except DAMAGED as damage:
        raise InputError(f"{name} is damaged ({damage}). Train the model again with `assay essays train`.") from None


def model_document(model: EssayModel) -> Json:
    """The model as a JSON object: first what it is, then what it weighs, last the words of its prompts."""
    training = model.training
    return {
        "schema": SCHEMA,
        "kind": model.kind,
        "scale": {"lowest": model.scale.lowest, "highest": model.scale.highest, "step": model.scale.step},
        "about": dict(model.extra),
        "training": {
            "essays": training.essays,
            "prompts": list(training.prompts),
            "left_out": dict(training.left_out),
            "digest": training.digest,
            "cutoffs": training.cutoffs,
            "version": training.version,
            "notes": list(training.notes),
            "revision": training.revision,
        },
        "features": [{"name": n, "shape": s} for n, s in zip(model.features, model.shapes, strict=True)],
        "grouping": model.grouping,
        "equations": {group: _equation_document(equation) for group, equation in model.equations.items()},
        "common_scale": _common_document(model.common_scale) if model.common_scale else None,
        "vocabulary": {
            "sharpness": None if isinf(model.vocabulary.sharpness) else model.vocabulary.sharpness,
            "presence": model.vocabulary.presence,
            "pairs": model.vocabulary.pairs,
            "least_essays": model.vocabulary.least_essays,
        },
        "content": {prompt: _content_document(content) for prompt, content in model.content.items()},
    }


def _equation_document(equation: Equation) -> Json:
    weights = equation.weights
    columns = zip(
        weights.names,
        weights.raw.tolist(),
        weights.standardised.tolist(),
        weights.relative.tolist(),
        weights.mean.tolist(),
        weights.sd.tolist(),
        strict=True,
    )
    return {
        "intercept": weights.intercept,
        "weights": {
            name: {"raw": raw, "standardised": z, "percent": round(100 * share, 4), "mean": mean, "sd": sd}
            for name, raw, z, share, mean, sd in columns
        },
        "fixed": dict(weights.fixed),
        "dropped": list(weights.dropped),
        "points": equation.cutoffs.points.tolist(),
        "cutoffs": equation.cutoffs.cuts.tolist(),
        "percentiles": equation.percentiles.tolist(),
        "errors": {"low": equation.errors.low.tolist(), "high": equation.errors.high.tolist()},
        "essays": equation.essays,
        "agreement": {name: _null(value) for name, value in equation.agreement.items()},
        "curves": _curves_document(equation.curves) if equation.curves else None,
    }


def _curves_document(curves: Curves) -> Json:
    return {"mean": curves.mean.tolist(), "sd": curves.sd.tolist(), "slopes": curves.slopes.tolist()}


def _common_document(scale: CommonScale) -> Json:
    return {
        "mean": scale.mean.tolist(),
        "sd": scale.sd.tolist(),
        "weights": scale.weights.tolist(),
        "spread": scale.spread,
        "landmarks": {program: {f"{p:g}": v for p, v in marks.items()} for program, marks in scale.landmarks.items()},
    }


def _content_document(content: ContentModel) -> Json:
    return {
        "essays": content.essays,
        "points": content.points.tolist(),
        "floors": content.floors.tolist(),
        "least_familiarity": _null(content.least_familiarity),
        "words": " ".join(content.words),
        "essays_with": _numbers(content.essays_with.tolist()),
        "frequencies": [_numbers(row) for row in content.frequencies.tolist()],
    }


def _null(value: float) -> float | None:
    return value if isfinite(value) else None


def _numbers(values: Sequence[int]) -> str:
    """Many whole numbers as one line of text: a list would take a line for each."""
    return " ".join(map(str, values))


def _model(document: Json) -> EssayModel:
    rule = document["vocabulary"]
    sharpness = inf if rule["sharpness"] is None else float(rule["sharpness"])
    features = tuple(str(feature["name"]) for feature in document["features"])
    shapes = tuple(str(feature["shape"]) for feature in document["features"])
    unknown = set(shapes) - set(SHAPES)
    if unknown:
        raise ValueError(f"unknown shape {sorted(unknown)[0]!r}")
    training = document["training"]
    return EssayModel(
        kind=str(document["kind"]),
        scale=ScoreScale(**{end: float(document["scale"][end]) for end in ("lowest", "highest", "step")}),
        features=features,
        shapes=shapes,
        grouping=document["grouping"],
        equations={group: _equation(found, features) for group, found in document["equations"].items()},
        vocabulary=VocabularyRule(sharpness, bool(rule["presence"]), bool(rule["pairs"]), int(rule["least_essays"])),
        content={prompt: _content(found) for prompt, found in document["content"].items()},
        training=TrainingSummary(
            **{**training, "prompts": tuple(training["prompts"]), "notes": tuple(training["notes"])}
        ),
        common_scale=_common(document["common_scale"]) if document["common_scale"] else None,
        extra=dict(document["about"]),
    )


def _equation(found: Json, features: Sequence[str]) -> Equation:
    rows = [found["weights"][name] for name in features]
    points = _floats(found["points"])
    weights = FeatureWeights(
        names=tuple(features),
        mean=_floats([row["mean"] for row in rows]),
        sd=_floats([row["sd"] for row in rows]),
        standardised=_floats([row["standardised"] for row in rows]),
        raw=_floats([row["raw"] for row in rows]),
        intercept=float(found["intercept"]),
        fixed={name: float(share) for name, share in found["fixed"].items()},
        dropped=tuple(found["dropped"]),
    )
    return Equation(
        weights=weights,
        cutoffs=Cutoffs(points, _floats(found["cutoffs"])),
        percentiles=_floats(found["percentiles"], length=101),
        errors=ErrorBand(points.copy(), _floats(found["errors"]["low"]), _floats(found["errors"]["high"])),
        essays=int(found["essays"]),
        agreement={name: nan if value is None else float(value) for name, value in found["agreement"].items()},
        curves=_curves(found["curves"], len(features)) if found.get("curves") else None,
    )


def _curves(found: Json, features: int) -> Curves:
    slopes = np.array([_floats(row, length=1 + len(BENDS)) for row in found["slopes"]])
    if len(slopes) != features:
        raise ValueError("a feature has no curve")
    return Curves(_floats(found["mean"], length=features), _floats(found["sd"], length=features), slopes)


def _common(found: Json) -> CommonScale:
    landmarks: Mapping[str, Mapping[float, float]] = {
        program: {float(point): float(value) for point, value in marks.items()}
        for program, marks in found["landmarks"].items()
    }
    mean, sd, weights = (_floats(found[name]) for name in ("mean", "sd", "weights"))
    return CommonScale(mean, sd, weights, float(found["spread"]), landmarks)


def _content(found: Json) -> ContentModel:
    words = tuple(found["words"].split(" ")) if found["words"] else ()
    frequencies = np.array([_counts(row) for row in found["frequencies"]], dtype=np.int64)
    least = found["least_familiarity"]
    return ContentModel(
        words=words,
        points=_floats(found["points"]),
        floors=_floats(found["floors"]),
        frequencies=frequencies.reshape(len(found["points"]), len(words)),
        essays_with=np.array(_counts(found["essays_with"]), dtype=np.int64),
        essays=int(found["essays"]),
        least_familiarity=nan if least is None else float(least),
    )


def _counts(line: str) -> list[int]:
    return [int(number) for number in line.split()]


def _floats(values: Sequence[float], *, length: int | None = None) -> Floats:
    array = np.array(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all() or (length is not None and len(array) != length):
        raise ValueError("a list of numbers is not one")
    return array
