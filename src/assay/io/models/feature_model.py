"""`FeatureModel` <-> files: JSON for what is learned, skops for estimators that are no line. Never pickle.

A model of an experiment that RSMTool made is read from its tables: features, coefficients, scaling.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import InputError, MissingExtra, reader
from assay.execution.limits import check
from assay.io.json_file import read_json, record_of
from assay.io.models.estimator_file import read_estimator
from assay.io.models.model_json import floats
from assay.io.rsm.table import inferred, numbers_or_nan, read_rsm_table
from assay.rsm.feature_model import FeatureModel, Postprocessing
from assay.rsm.learners.fitted import INTERCEPT, FittedModel
from assay.rsm.preprocess import FeatureParameters, Preparation
from assay.scale import TRIM_TOLERANCE

SCHEMA = "assay.feature-model/1"
AGAIN = "Train the model again."


def write_feature_model(path: Path, model: FeatureModel, trained_on: Mapping[str, Any]) -> None:
    """The model as JSON; an estimator beside it, as .skops, known by its digest."""
    fitted = model.model
    kind = {"name": fitted.name, "features": list(fitted.features), "points": list(fitted.points)}
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "trained_on": dict(trained_on),
        "features": [asdict(parameter) for parameter in model.parameters],
        "preparation": asdict(model.preparation),
        "postprocessing": asdict(model.postprocessing),
        "model": kind | {"expected": fitted.expected},
    }
    if fitted.coefficients is not None:
        content["model"] |= {"intercept": fitted.intercept, "coefficients": fitted.coefficients.tolist()}
    else:
        try:
            from skops.io import dumps  # noqa: PLC0415
        except ImportError as missing:
            raise MissingExtra("Keeping a model that is no line", "models") from missing
        stored: bytes = dumps(fitted.estimator)
        beside = path.with_suffix(".skops")
        beside.write_bytes(stored)
        content["model"] |= {"estimator": beside.name, "sha256": sha256(stored).hexdigest()}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@reader
def read_feature_model(path: Path) -> FeatureModel:
    """A model from its JSON file. InputError when the file is no model, or the estimator beside it is another."""
    content = read_json(path, field="model")
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise InputError(f"no model of this program: its schema is not {SCHEMA}", source=path.name, field="model")
    try:
        return FeatureModel(
            parameters=tuple(record_of(FeatureParameters, feature) for feature in content["features"]),
            preparation=record_of(Preparation, content["preparation"]),
            model=_fitted(content["model"], path.parent),
            postprocessing=record_of(Postprocessing, content["postprocessing"]),
            trained_on=dict(content["trained_on"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise InputError(f"damaged: {problem}", source=path.name, field="model", remedy=AGAIN) from problem


@reader
def find_feature_model(folder: Path, experiment_id: str) -> FeatureModel:
    """The model of an experiment, ours or RSMTool's. InputError says which experiments there are."""
    if not folder.is_dir():
        remedy = "Name the folder an experiment was written to in experiment_dir."
        raise InputError("does not exist", source=folder, field="experiment_dir", remedy=remedy)
    output = folder / "output" if (folder / "output").is_dir() else folder
    own = output / f"{experiment_id}.model.json"
    if own.exists():
        return read_feature_model(own)
    for ending in ("csv", "tsv", "xlsx"):
        if (output / f"{experiment_id}_feature.{ending}").exists():
            return _from_tables(output, experiment_id, ending)
    there = sorted(path.name.removesuffix(".model.json") for path in output.glob("*.model.json"))
    listed = f"It holds {', '.join(there)}." if there else "It holds no model."
    problem = f"holds no model of the experiment {experiment_id!r}"
    raise InputError(problem, source=output, field="experiment_id", remedy=listed)


def _fitted(content: Mapping[str, Any], folder: Path) -> FittedModel:
    features, points = tuple(map(str, content["features"])), tuple(floats(content["points"]).tolist())
    name, expected = str(content["name"]), bool(content["expected"])
    if "coefficients" in content:
        weights, intercept = floats(content["coefficients"], length=len(features)), floats([content["intercept"]])[0]
        return FittedModel(name, features, float(intercept), weights, points=points, expected=expected)
    beside, digest = str(content["estimator"]), content["sha256"]
    if Path(beside).name != beside:
        raise ValueError(f"its estimator {beside[:80]!r} does not lie beside it")
    estimator = _loaded(folder / beside, digest, len(features))
    return FittedModel(name, features, estimator=estimator, points=points, expected=expected)


def _loaded(path: Path, digest: str, features: int) -> Any:
    try:
        check("model_bytes", path.stat().st_size, path)
        stored = path.read_bytes()
    except OSError as problem:
        why = f"cannot be read: {problem.strerror}"
        raise InputError(why, source=path, field="model", remedy="It belongs to the model.") from problem
    if sha256(stored).hexdigest() != digest:
        raise InputError("not the estimator the model was stored with", source=path.name, field="model", remedy=AGAIN)
    return read_estimator(stored, path.name, features)


def _from_tables(output: Path, experiment_id: str, ending: str) -> FeatureModel:
    coefficients = output / f"{experiment_id}_coefficients.{ending}"
    if not coefficients.exists():
        problem = "an experiment of RSMTool whose model is kept in a pickle, which is not opened: it could run anything"
        remedy = "Convert it first, if you trust it, or train the model again with the same configuration."
        raise InputError(problem, source=output, field="experiment_dir", remedy=remedy)
    try:
        return _from_columns(output, experiment_id, ending)
    except (KeyError, IndexError, TypeError, ValueError) as problem:
        what = f"its tables are not those of a model that RSMTool wrote ({problem})"
        raise InputError(what, source=output, field="experiment_dir", remedy=AGAIN) from problem


def _from_columns(output: Path, experiment_id: str, ending: str) -> FeatureModel:
    features = _columns(output / f"{experiment_id}_feature.{ending}")
    after = _columns(output / f"{experiment_id}_postprocessing_params.{ending}")
    weights = _columns(output / f"{experiment_id}_coefficients.{ending}")
    by_name = dict(zip(weights["feature"], weights["coefficient"], strict=True))
    names = tuple(sorted(name for name in by_name if name != INTERCEPT))
    return FeatureModel(
        parameters=tuple(
            record_of(FeatureParameters, dict(zip(features, row, strict=True)))
            for row in zip(*features.values(), strict=True)
        ),
        preparation=Preparation(),
        model=FittedModel("LinearRegression", names, by_name[INTERCEPT], np.array([by_name[name] for name in names])),
        postprocessing=Postprocessing(
            **{"trim_tolerance": TRIM_TOLERANCE} | {name: float(values[0]) for name, values in after.items()}
        ),
        trained_on={"experiment_id": experiment_id},
    )


def _columns(path: Path) -> dict[str, list[Any]]:
    """The columns of a table, numbers as floats and names as text."""
    return {
        own.name: own.to_list() if own.name in ("feature", "transform") else numbers_or_nan(inferred(own)).tolist()
        for own in read_rsm_table(path).frame.iter_columns()
    }
