"""FRONT DOOR `read_rsmtool_model`: a model that RSMTool stored as a pickle, once its owner trusts it."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import InputError, MissingExtra, reader
from assay.execution.children import read_apart
from assay.execution.limits import check
from assay.io.json_file import read_json
from assay.io.models.estimator_file import read_estimator
from assay.io.models.restricted_pickle import Record, restricted_load
from assay.rsm.feature_model import FeatureModel, Postprocessing
from assay.rsm.learners.estimators import ESTIMATORS
from assay.rsm.learners.fitted import FittedModel
from assay.rsm.preprocess import FeatureParameters, Preparation
from assay.rsm.transformations import TRANSFORMATIONS
from assay.scale import TRIM_TOLERANCE

AGAIN = "Train the model again with the same configuration."
LINES = ("LinearRegression", "Lasso", "LassoCV", "Ridge", "ElasticNet", "Lars", "HuberRegressor", "BayesianRidge")
"""Estimators whose scores are a weighted sum of the features."""
SCALING = ("trim_min", "trim_max", "train_predictions_mean", "train_predictions_sd", "h1_mean", "h1_sd")
MOST_FEATURES = 100_000


@dataclass(frozen=True, slots=True)
class StoredModel:
    """What a pickle says, in plain values."""

    name: str
    features: tuple[str, ...]
    parameters: tuple[Mapping[str, Any], ...]
    scaling: Mapping[str, float]
    points: tuple[float, ...] = ()
    expected: bool = False
    intercept: float | None = None
    coefficients: tuple[float, ...] | None = None
    estimator: bytes = b""
    """As skops writes it."""


@reader
def read_rsmtool_model(path: Path, *, trust_pickle: bool = False) -> FeatureModel:
    """The model of a .model file. InputError unless its owner trusts it, and for anything that no model needs."""
    if not trust_pickle:
        problem = "it is a pickle, a program that could run anything on this machine"
        remedy = "If you made it yourself or trust whoever did, say so with trust_pickle."
        raise InputError(problem, source=path, field="trust_pickle", remedy=remedy)
    check("model_bytes", path.stat().st_size, path)
    stored = read_apart(open_pickle, path, source=path.name)
    return _feature_model(stored, path)


def open_pickle(path: Path) -> StoredModel:
    """What a child does: open it, and hand back plain values."""
    try:
        return stored_model(restricted_load(path.read_bytes()), path.name)
    except InputError as problem:
        raise problem.at(path.name) from problem.__cause__


def stored_model(modeler: Any, name: str) -> StoredModel:
    """The plain values of a modeler, or of a learner of SKLL alone."""
    learner = modeler.get("learner") if isinstance(modeler, Record) else None
    if not isinstance(learner, Record):
        problem = "it holds no model of rsmtool with its features and scaling"
        raise InputError(problem, source=name, remedy="Name the .model file in the folder output of an experiment.")
    vectorizer, estimator = learner.get("feat_vectorizer"), learner.get("_model")
    if learner.get("_feature_scaling") not in ("none", None) or learner.get("sampler") is not None:
        raise InputError("its learner scales or samples features, which rsmtool never asks for", source=name)
    names = vectorizer.get("feature_names_") if isinstance(vectorizer, Record) else None
    if not isinstance(names, list) or not 0 < len(names) <= MOST_FEATURES or not all(type(n) is str for n in names):
        raise InputError("it does not say which features it takes", source=name, remedy=AGAIN)
    used = _selected(learner.get("feat_selector"), len(names))
    features = tuple(feature for feature, use in zip(names, used, strict=True) if use)
    rescaling: Mapping[str, Any] = {}
    if isinstance(estimator, Record):
        estimator, rescaling = _unscaled(estimator, name)
    kind = type(estimator).__name__
    if type(estimator).__module__.partition(".")[0] != "sklearn" or kind not in (*LINES, *ESTIMATORS):
        raise InputError(f"its model is a {kind}, which cannot be converted", source=name, remedy=AGAIN)
    common: dict[str, Any] = {
        "name": kind,
        "features": features,
        "parameters": tuple(_parameters(modeler.get("feature_info"), name)),
        "scaling": _scaling(modeler, name),
        "points": tuple(float(point) for point in learner.get("label_list") or ()),
        "expected": bool(learner.get("_probability")),
    }
    if rescaling:
        common["name"] = f"Rescaled{kind}"
        return StoredModel(**common, estimator=_as_skops(_rescaled(estimator, rescaling)))
    if kind in LINES:
        weights = np.ravel(np.asarray(estimator.coef_, dtype=float))
        return StoredModel(**common, intercept=float(np.ravel(estimator.intercept_)[0]), coefficients=tuple(weights))
    return StoredModel(**common, estimator=_as_skops(estimator))


RESCALING = ("constrain", "rescale", "y_min", "y_max", "yhat_mean", "yhat_sd", "y_mean", "y_sd")


def _unscaled(record: Record, name: str) -> tuple[Any, dict[str, Any]]:
    """The regressor inside one of SKLL's rescaled ones, and what it learned about the human scores."""
    kind = type(record).__name__
    known = ESTIMATORS.get(kind)
    settings = {key: record.get(key) for key in RESCALING}
    if known is None or not all(isinstance(value, bool) or _is_number(value) for value in settings.values()):
        raise InputError(f"its model is a {kind}, which cannot be converted", source=name, remedy=AGAIN)
    base = getattr(import_module(f"sklearn.{known.module}"), kind.removeprefix("Rescaled"))
    regressor = base.__new__(base)
    vars(regressor).update({key: value for key, value in record.state.items() if key not in RESCALING})
    return regressor, settings


def _rescaled(regressor: Any, learned: Mapping[str, Any]) -> Any:
    from assay.rsm.learners.rescaled import Rescaled  # noqa: PLC0415 - brings scikit-learn

    _fill_in(regressor)
    whole = Rescaled(regressor, constrain=bool(learned["constrain"]), rescale=bool(learned["rescale"]))
    whole.regressor_ = regressor
    whole.range_ = (float(learned["y_min"]), float(learned["y_max"]))
    whole.given_ = (float(learned["yhat_mean"]), float(learned["yhat_sd"]))
    whole.human_ = (float(learned["y_mean"]), float(learned["y_sd"]))
    whole.n_features_in_ = regressor.n_features_in_
    return whole


def _selected(selector: Any, count: int) -> Sequence[bool]:
    """Which features the learner looks at: SKLL drops those that hardly ever differ from 0."""
    scores = selector.get("scores_") if isinstance(selector, Record) else None
    if scores is None:
        return [True] * count
    least = int(selector.get("min_count", 1))
    seen = [bool(score >= least) for score in np.ravel(scores)]
    if len(seen) != count:
        raise InputError("its features and their counts do not fit each other")
    return seen


def _scaling(modeler: Record, name: str) -> dict[str, float]:
    values = {key: modeler.get(key) for key in SCALING}
    missing = [key for key, value in values.items() if not _is_number(value)]
    if missing:
        problem = f"it was stored without {', '.join(missing)}"
        raise InputError(problem, source=name, remedy="Models of RSMTool before version 10 lack them. Train it again.")
    tolerance = modeler.get("trim_tolerance")
    return {key: float(value) for key, value in values.items()} | {
        "trim_tolerance": float(tolerance) if _is_number(tolerance) else TRIM_TOLERANCE
    }


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.floating | np.integer) and bool(np.isfinite(value))


def _as_skops(estimator: Any) -> bytes:
    try:
        from skops.io import dumps  # noqa: PLC0415 - an extra
    except ImportError as missing:
        raise MissingExtra("Converting a model that is no line", "models") from missing
    _fill_in(estimator)
    stored: bytes = dumps(_one_against_the_rest(estimator))
    return stored


def _one_against_the_rest(estimator: Any) -> Any:
    """A logistic regression of several classes by liblinear, which scikit-learn dropped, as one for each class."""
    several = type(estimator).__name__ == "LogisticRegression" and len(estimator.classes_) > 2
    if not several or estimator.solver != "liblinear":
        return estimator
    from sklearn.base import clone  # noqa: PLC0415 - heavy
    from sklearn.multiclass import OneVsRestClassifier  # noqa: PLC0415
    from sklearn.preprocessing import LabelBinarizer  # noqa: PLC0415

    whole = OneVsRestClassifier(clone(estimator))
    whole.label_binarizer_ = LabelBinarizer(sparse_output=True).fit(estimator.classes_)
    whole.n_features_in_, whole.estimators_ = estimator.n_features_in_, []
    for weights, intercept in zip(estimator.coef_, estimator.intercept_, strict=True):
        one = clone(estimator)
        one.classes_, one.n_features_in_ = np.array([0, 1]), estimator.n_features_in_
        one.coef_, one.intercept_, one.n_iter_ = weights[None, :].copy(), np.array([intercept]), estimator.n_iter_[:1]
        whole.estimators_.append(one)
    return whole


def _fill_in(estimator: Any, depth: int = 0) -> None:
    """Give an estimator of an older version the settings that came later, at their defaults."""
    for name, parameter in inspect.signature(type(estimator).__init__).parameters.items():
        if name != "self" and parameter.default is not parameter.empty and name not in vars(estimator):
            setattr(estimator, name, parameter.default)
    for name, value in vars(estimator).items():
        if isinstance(value, Record):  # the generator of random numbers it was trained with
            setattr(estimator, name, None)
    if "_probA" in vars(estimator) and "_effective_probability" not in vars(estimator):  # support vector machines
        estimator._effective_probability = bool(getattr(estimator, "probability", False))
    for part in np.ravel(np.asarray(vars(estimator).get("estimators_", ()), dtype=object)):
        if depth < 3 and type(part).__module__.startswith("sklearn."):
            _fill_in(part, depth + 1)


# ---- the table of features, which is a frame of pandas ---------------------------------------------------------------


def _parameters(frame: Any, name: str) -> list[dict[str, Any]]:
    columns, index = _columns(frame)
    if "feature" not in columns:
        columns["feature"] = index
    numbers = ("sign", "train_mean", "train_sd", "train_transformed_mean", "train_transformed_sd")
    missing = [key for key in ("feature", "transform", *numbers) if key not in columns]
    if missing:
        raise InputError(f"its table of features has no column {missing[0]}", source=name, remedy=AGAIN)
    rows = []
    for place, feature in enumerate(columns["feature"]):
        transform = str(columns["transform"][place])
        if transform not in TRANSFORMATIONS:
            raise InputError(
                f"the feature {feature!r} has the transformation {transform!r}, which is none", source=name
            )
        row: dict[str, Any] = {"feature": str(feature), "transform": transform}
        rows.append(row | {key: float(columns[key][place]) for key in numbers})
    return rows


def _columns(frame: Any) -> tuple[dict[str, list[Any]], list[Any]]:
    """The columns of a frame of pandas 1 to 3 and its index, from what its pickle says."""
    manager = frame.get("_mgr") if isinstance(frame, Record) else None
    if not isinstance(manager, Record) or len(manager.args) < 2:
        raise InputError("its table of features cannot be read", remedy=AGAIN)
    blocks, axes = manager.args[0], manager.args[1]
    names, index = (_labels(axis) for axis in axes[:2])
    columns: dict[str, list[Any]] = {}
    for block in blocks:
        values, placement = _array_in(block.args[0]), block.args[1]
        rows = values.reshape(-1, len(index)) if len(index) else values.reshape(0, 0)
        for row, place in zip(rows, _places(placement), strict=True):
            columns[str(names[place])] = row.tolist()
    return columns, index


def _labels(axis: Any) -> list[Any]:
    data = axis.args[1] if isinstance(axis, Record) and len(axis.args) > 1 else {}
    if not isinstance(data, Mapping):
        raise InputError("its table of features cannot be read", remedy=AGAIN)
    if "data" in data:
        return list(_array_in(data["data"]).ravel().tolist())
    return list(range(*(int(data[key]) for key in ("start", "stop", "step"))))


def _places(placement: Any) -> Sequence[int]:
    if isinstance(placement, Record):
        start, stop, step = (None if part is None else int(part) for part in (*placement.args, None, None)[:3])
        return range(start or 0, stop or 0, step or 1)
    return [int(place) for place in np.ravel(placement)]


def _array_in(value: Any, depth: int = 0) -> np.ndarray[Any, Any]:
    """The array that a column of pandas is made of, however deep."""
    if isinstance(value, np.ndarray):
        return value
    inside: list[Any] = []
    if isinstance(value, Record) and depth < 6:
        state = value.state
        inside = [*value.args, *(state.values() if isinstance(state, Mapping) else [state])]
    elif isinstance(value, tuple | list) and depth < 6:
        inside = list(value)
    elif isinstance(value, Mapping) and depth < 6:
        inside = list(value.values())
    for part in inside:
        if isinstance(part, np.ndarray | Record | tuple | list | Mapping):
            try:
                return _array_in(part, depth + 1)
            except LookupError:
                continue
    raise LookupError("no array")


# ---- the model -------------------------------------------------------------------------------------------------------


def _feature_model(stored: StoredModel, path: Path) -> FeatureModel:
    known = {row["feature"] for row in stored.parameters}
    if unknown := [feature for feature in stored.features if feature not in known]:
        raise InputError(f"its table of features lacks {unknown[0]!r}", source=path.name, remedy=AGAIN)
    points = stored.points
    if stored.coefficients is not None:
        if len(stored.coefficients) != len(stored.features) or not np.isfinite(stored.coefficients).all():
            raise InputError("its coefficients do not fit its features", source=path.name, remedy=AGAIN)
        weights = np.array(stored.coefficients)
        fitted = FittedModel(stored.name, stored.features, stored.intercept, weights, points=points)
    else:
        estimator = read_estimator(stored.estimator, path.name, len(stored.features))
        fitted = FittedModel(
            stored.name, stored.features, estimator=estimator, points=points, expected=stored.expected and bool(points)
        )
    return FeatureModel(
        parameters=tuple(FeatureParameters(**row) for row in stored.parameters),
        preparation=_preparation(path),
        model=fitted,
        postprocessing=Postprocessing(**stored.scaling),
        trained_on={"experiment_id": path.stem, "converted_from": path.name},
    )


def _preparation(path: Path) -> Preparation:
    """Whether features are standardized and truncated, which only the configuration beside a model says."""
    beside = path.with_name(f"{path.stem}_rsmtool.json")
    if not beside.is_file():
        return Preparation()
    saved = read_json(beside)
    known = saved if isinstance(saved, dict) else {}
    return Preparation(
        standardize=known.get("standardize_features", True) is not False,
        truncate=known.get("truncate_outliers", True) is not False,
    )
