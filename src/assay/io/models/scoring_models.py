"""FRONT DOOR `read_scoring_model`, `write_scoring_model`, `bundled_essay_model`: models of essay scores <-> JSON files.

Never pickle: people can read a model file, and it can run nothing. Which kind a model is, the file says.
"""

import io
import json
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import cache, partial
from math import inf, isinf
from pathlib import Path
from typing import Any

import numpy as np

from assay import __version__
from assay.errors import InputError, reader
from assay.essays.data_files import data_file
from assay.essays.discourse.model import DiscourseModel
from assay.essays.features.content import ContentModel
from assay.essays.models.calibrated.model import CalibratedModel
from assay.essays.models.erater.common_scale import CommonScale
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.erater.prompt_vocabulary import VocabularyRule
from assay.essays.models.erater.published import NAME, published_model
from assay.essays.models.erater.weights import BENDS, Curves, FeatureWeights
from assay.essays.models.feature_table import SHAPES
from assay.essays.models.generic import GenericModel
from assay.essays.models.hybrid.model import HybridModel
from assay.essays.models.scoring_model import ScoringModel, reading_parts
from assay.io.json_file import json_of
from assay.io.models import model_json as codec
from assay.io.models.hybrid import (
    calibrated_document,
    calibrated_from,
    generic_document,
    generic_from,
    hybrid_document,
    hybrid_from,
)
from assay.io.models.model_json import FAMILY, SCHEMA, FieldCodec, Json, undamaged
from assay.io.tables.output import write_whole

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
GENERIC = "generic_argument.json"
"""The model of assay-essays-nc: for argumentative essays on any prompt, on a scale from 1 to 6."""
GENERIC10 = "generic10_argument.json"
"""The same of ten features: every score is a weight per feature."""
READERS: Mapping[str, Callable[[Json], ScoringModel]] = {
    "hybrid": hybrid_from,
    "calibrated": calibrated_from,
    "generic": generic_from,
}
"""By kind; all others are models of weighted features."""
ARRAYS = ("embedding", "embedding_bias", "mixing", "mixing_bias", "output", "links", "start", "end")
NO_ARRAY = (AttributeError, SyntaxError, tokenize.TokenError, NotImplementedError, zipfile.BadZipFile, zlib.error)
"""What numpy raises of a file that is damaged, beside the usual."""
DISCOURSE_WEIGHTS = "discourse.npz"


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


WRITERS: Mapping[type, Callable[[Any], Json]] = {
    HybridModel: hybrid_document,
    CalibratedModel: calibrated_document,
    GenericModel: generic_document,
    EssayModel: model_document,
}


@reader
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
    document = json_of(content, source=name, field="model", remedy="Name a file that training a model wrote.")
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
def bundled_essay_model() -> ScoringModel:
    """The model that scores where none is named: Generic10 of assay-essays-nc, or without that `erater-2005`."""
    return _non_commercial(GENERIC10) if data_file(GENERIC10) else erater_2005()


@cache
def erater_2005() -> ScoringModel:
    """The model of published figures: it reads essays with whatever parts there are."""
    parts = reading_parts(bundled_discourse_model(), "generic10")
    return published_model(version=__version__, reads_with=parts)


@cache
def _non_commercial(name: str) -> ScoringModel:
    """A model of assay-essays-nc; without that, InputError."""
    weights = data_file(name)
    if weights is None:
        problem = "this model is part of assay-essays-nc, which is not installed"
        raise InputError(problem, field="model", remedy="Install it, or name another model.")
    return scoring_model_of(weights.read_bytes(), name=name)


NAMED_MODELS: Mapping[str, Callable[[], ScoringModel]] = {
    "bundled": bundled_essay_model,
    "generic": partial(_non_commercial, GENERIC),
    "generic10": partial(_non_commercial, GENERIC10),
    NAME: erater_2005,
}
"""Models that come with assay, by the name under which a command takes them."""


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


@cache
def bundled_discourse_model() -> DiscourseModel | None:
    """The model of assay-essays-nc; None where that is not installed."""
    weights = data_file(DISCOURSE_WEIGHTS)
    return read_discourse_model(weights.read_bytes(), name=DISCOURSE_WEIGHTS) if weights else None


def read_discourse_model(content: bytes, *, name: str) -> DiscourseModel:
    """A model from the bytes of its file."""
    try:
        with warnings.catch_warnings(), np.load(io.BytesIO(content), allow_pickle=False) as stored:
            warnings.simplefilter("ignore")  # of members with one name, which are damage like any other
            arrays = {array: stored[array].astype(np.float32) for array in ARRAYS}
            names, common = (str(stored[words]).split("\n") for words in ("names", "common"))
    except (KeyError, ValueError, OSError, EOFError, RuntimeError, SystemError, *NO_ARRAY) as broken:
        problem = f"does not hold a discourse model: {broken}"
        remedy = "Write it anew with training/train_discourse.py, or delete it to label sentences by rules."
        raise InputError(problem, source=name, remedy=remedy) from broken
    for array in arrays.values():
        array.flags.writeable = False
    return DiscourseModel(common=frozenset(common), names={n: row for row, n in enumerate(names)}, **arrays)


def write_discourse_model(model: DiscourseModel, path: Path) -> None:
    """The model in half precision; the file is the same for the same model."""
    stored = {array: getattr(model, array).astype(np.float16) for array in ARRAYS}
    names = sorted(model.names, key=model.names.__getitem__)
    np.savez_compressed(
        path, names=np.array("\n".join(names)), common=np.array("\n".join(sorted(model.common))), **stored
    )
