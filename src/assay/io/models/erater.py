"""`EssayModel` <-> JSON. Numbers are written in full: a model read back gives the same scores to the last digit."""

from collections.abc import Mapping, Sequence
from math import inf, isinf

import numpy as np

from assay.essays.features.content import ContentModel
from assay.essays.models.erater.equation import CommonScale, Equation
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.erater.prompt_vocabulary import VocabularyRule
from assay.essays.models.erater.weights import BENDS, Curves, FeatureWeights
from assay.essays.models.feature_table import SHAPES
from assay.io.models.model_json import (
    Json,
    agreement_document,
    agreement_from,
    cutoffs_document,
    cutoffs_from,
    floats,
    header_document,
    header_from,
    nullable,
    number,
    training_document,
    training_from,
)


def model_document(model: EssayModel) -> Json:
    """The model as a JSON object: first what it is, then what it weighs, last the words of its prompts."""
    return {
        **header_document(model),
        "training": training_document(model.training),
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
        **cutoffs_document(equation.cutoffs, equation.percentiles, equation.errors),
        "essays": equation.essays,
        "agreement": agreement_document(equation.agreement),
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
        "least_familiarity": nullable(content.least_familiarity),
        "words": " ".join(content.words),
        "essays_with": _numbers(content.essays_with.tolist()),
        "frequencies": [_numbers(row) for row in content.frequencies.tolist()],
    }


def _numbers(values: Sequence[int]) -> str:
    """Many whole numbers as one line of text: a list would take a line for each."""
    return " ".join(map(str, values))


def model_from(document: Json) -> EssayModel:
    """The model a JSON object describes."""
    rule = document["vocabulary"]
    sharpness = inf if rule["sharpness"] is None else float(rule["sharpness"])
    features = tuple(str(feature["name"]) for feature in document["features"])
    shapes = tuple(str(feature["shape"]) for feature in document["features"])
    unknown = set(shapes) - set(SHAPES)
    if unknown:
        raise ValueError(f"unknown shape {sorted(unknown)[0]!r}")
    return EssayModel(
        kind=str(document["kind"]),
        features=features,
        shapes=shapes,
        grouping=document["grouping"],
        equations={group: _equation(part, features) for group, part in document["equations"].items()},
        vocabulary=VocabularyRule(sharpness, bool(rule["presence"]), bool(rule["pairs"]), int(rule["least_essays"])),
        content={prompt: _content(part) for prompt, part in document["content"].items()},
        training=training_from(document["training"]),
        common_scale=_common(document["common_scale"]) if document["common_scale"] else None,
        **header_from(document),
    )


def _equation(document: Json, features: Sequence[str]) -> Equation:
    rows = [document["weights"][name] for name in features]
    weights = FeatureWeights(
        names=tuple(features),
        mean=floats([row["mean"] for row in rows]),
        sd=floats([row["sd"] for row in rows]),
        standardised=floats([row["standardised"] for row in rows]),
        raw=floats([row["raw"] for row in rows]),
        intercept=float(document["intercept"]),
        fixed={name: float(share) for name, share in document["fixed"].items()},
        dropped=tuple(document["dropped"]),
    )
    return Equation(
        weights=weights,
        essays=int(document["essays"]),
        agreement=agreement_from(document["agreement"]),
        curves=_curves(document["curves"], len(features)) if document.get("curves") else None,
        **cutoffs_from(document),
    )


def _curves(document: Json, features: int) -> Curves:
    slopes = np.array([floats(row, length=1 + len(BENDS)) for row in document["slopes"]])
    if len(slopes) != features:
        raise ValueError("a feature has no curve")
    return Curves(floats(document["mean"], length=features), floats(document["sd"], length=features), slopes)


def _common(document: Json) -> CommonScale:
    landmarks: Mapping[str, Mapping[float, float]] = {
        program: {float(point): float(value) for point, value in marks.items()}
        for program, marks in document["landmarks"].items()
    }
    mean, sd, weights = (floats(document[name]) for name in ("mean", "sd", "weights"))
    return CommonScale(mean, sd, weights, float(document["spread"]), landmarks)


def _content(document: Json) -> ContentModel:
    words = tuple(document["words"].split(" ")) if document["words"] else ()
    frequencies = np.array([_counts(row) for row in document["frequencies"]], dtype=np.int64)
    return ContentModel(
        words=words,
        points=floats(document["points"]),
        floors=floats(document["floors"]),
        frequencies=frequencies.reshape(len(document["points"]), len(words)),
        essays_with=np.array(_counts(document["essays_with"]), dtype=np.int64),
        essays=int(document["essays"]),
        least_familiarity=number(document["least_familiarity"]),
    )


def _counts(line: str) -> list[int]:
    return [int(number) for number in line.split()]
