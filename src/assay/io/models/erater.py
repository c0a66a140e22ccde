"""`EssayModel` <-> JSON. Numbers are written in full: a model read back gives the same scores to the last digit."""

from collections.abc import Mapping
from math import inf, isinf

import numpy as np

from assay.essays.features.content import ContentModel
from assay.essays.models.erater.equation import CommonScale, Equation
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.erater.prompt_vocabulary import VocabularyRule
from assay.essays.models.erater.weights import BENDS, Curves, FeatureWeights
from assay.essays.models.feature_table import SHAPES
from assay.io.models import model_json as codec
from assay.io.models.model_json import FieldCodec, Json

VOCABULARY: Mapping[str, FieldCodec] = {
    "sharpness": (lambda value: None if isinf(value) else value, lambda value: inf if value is None else float(value)),
    "presence": (bool, bool),
    "pairs": (bool, bool),
    "least_essays": codec.COUNT,
}
CURVES: Mapping[str, FieldCodec] = {
    "mean": codec.FLOATS,
    "sd": codec.FLOATS,
    "slopes": (
        lambda rows: rows.tolist(),
        lambda rows: np.array([codec.floats(row, length=1 + len(BENDS)) for row in rows]),
    ),
}
COMMON_SCALE: Mapping[str, FieldCodec] = {
    "mean": codec.FLOATS,
    "sd": codec.FLOATS,
    "weights": codec.FLOATS,
    "spread": codec.REAL,
    "landmarks": (
        lambda programs: {name: {f"{p:g}": value for p, value in marks.items()} for name, marks in programs.items()},
        lambda programs: {name: {float(p): float(v) for p, v in marks.items()} for name, marks in programs.items()},
    ),
}
CONTENT: Mapping[str, FieldCodec] = {
    "essays": codec.COUNT,
    "points": codec.FLOATS,
    "floors": codec.FLOATS,
    "least_familiarity": codec.NULLABLE,
    "words": (" ".join, lambda line: tuple(line.split(" ")) if line else ()),
    # whole numbers as one line of text: a list would take a line for each
    "essays_with": (
        lambda counts: " ".join(map(str, counts.tolist())),
        lambda line: np.array(line.split(), dtype=np.int64),
    ),
    "frequencies": (
        lambda rows: [" ".join(map(str, row)) for row in rows.tolist()],
        lambda rows: np.array([row.split() for row in rows], dtype=np.int64),
    ),
}


def model_document(model: EssayModel) -> Json:
    """The model as a JSON object: first what it is, then what it weighs, last the words of its prompts."""
    return {
        **codec.header_document(model),
        "training": codec.training_document(model.training),
        "features": [{"name": n, "shape": s} for n, s in zip(model.features, model.shapes, strict=True)],
        "grouping": model.grouping,
        "equations": {group: _equation_document(equation) for group, equation in model.equations.items()},
        "common_scale": codec.document_with(COMMON_SCALE, model.common_scale) if model.common_scale else None,
        "vocabulary": codec.document_with(VOCABULARY, model.vocabulary),
        "content": {prompt: codec.document_with(CONTENT, content) for prompt, content in model.content.items()},
    }


def _equation_document(equation: Equation) -> Json:
    weights = equation.weights
    names = ("raw", "standardised", "percent", "mean", "sd")
    percent = [round(100 * share, 4) for share in weights.relative.tolist()]
    columns = (weights.raw.tolist(), weights.standardised.tolist(), percent, weights.mean.tolist(), weights.sd.tolist())
    rows = (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))
    return {
        "intercept": weights.intercept,
        "weights": dict(zip(weights.names, rows, strict=True)),
        "fixed": dict(weights.fixed),
        "dropped": list(weights.dropped),
        **codec.cutoffs_document(equation.cutoffs, equation.percentiles, equation.errors),
        "essays": equation.essays,
        "agreement": codec.agreement_document(equation.agreement),
        "curves": codec.document_with(CURVES, equation.curves) if equation.curves else None,
    }


def model_from(document: Json) -> EssayModel:
    """The model a JSON object describes."""
    features, shapes = (tuple(str(feature[key]) for feature in document["features"]) for key in ("name", "shape"))
    unknown = set(shapes) - set(SHAPES)
    if unknown:
        raise ValueError(f"unknown shape {sorted(unknown)[0]!r}")
    return EssayModel(
        kind=str(document["kind"]),
        features=features,
        shapes=shapes,
        grouping=document["grouping"],
        equations={group: _equation(part, features) for group, part in document["equations"].items()},
        vocabulary=codec.value_with(VOCABULARY, VocabularyRule, document["vocabulary"]),
        content={prompt: _content(part) for prompt, part in document["content"].items()},
        common_scale=codec.value_with(COMMON_SCALE, CommonScale, scale)
        if (scale := document["common_scale"])
        else None,
        **codec.header_from(document),
    )


def _equation(document: Json, features: tuple[str, ...]) -> Equation:
    rows = [document["weights"][name] for name in features]
    curves = codec.value_with(CURVES, Curves, document["curves"]) if document.get("curves") else None
    if curves and not len(curves.mean) == len(curves.sd) == len(curves.slopes) == len(features):
        raise ValueError("a feature has no curve")
    return Equation(
        weights=FeatureWeights(
            names=features,
            intercept=float(document["intercept"]),
            fixed={name: float(share) for name, share in document["fixed"].items()},
            dropped=tuple(document["dropped"]),
            **{key: codec.floats([row[key] for row in rows]) for key in ("mean", "sd", "standardised", "raw")},
        ),
        essays=int(document["essays"]),
        agreement={name: codec.number(value) for name, value in document["agreement"].items()},
        curves=curves,
        **codec.cutoffs_from(document),
    )


def _content(document: Json) -> ContentModel:
    content = codec.value_with(CONTENT, ContentModel, document)
    if content.frequencies.shape != (len(content.points), len(content.words)):
        raise ValueError("a score point has no frequencies")
    return content
