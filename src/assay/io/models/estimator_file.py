"""An estimator of scikit-learn from a .skops file: types our learners produce, numbers that fit each other, no more.

skops trusts types by default that no model of ours holds, and calls what a file names. So every type in a file is
checked against an exact list before skops sees it, and it must stand where that type belongs. Trees and support vectors
are read by native code that follows their numbers without looking: these are checked once they are loaded.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from assay.errors import InputError, MissingExtra, input_errors
from assay.io.archive import Limits, Member, nested_members
from assay.rsm.learners.estimators import ESTIMATORS

LIMITS = Limits(members="archive_members", member_bytes="model_bytes", total_bytes="model_bytes")
_LOSS, _LINK, _HIST = "sklearn._loss._loss.Cy", "sklearn._loss.link.", "sklearn.ensemble._hist_gradient_boosting."
LOSSES = (
    *("AbsoluteError", "ExponentialLoss", "HalfBinomialLoss", "HalfGammaLoss", "HalfMultinomialLoss"),
    *("HalfPoissonLoss", "HalfSquaredError", "HuberLoss", "PinballLoss"),
)
LINKS = ("HalfLogitLink", "IdentityLink", "Interval", "LogLink", "LogitLink", "MultinomialLogit")
SGD_LOSSES = ("EpsilonInsensitive", "Hinge", "ModifiedHuber", "SquaredEpsilonInsensitive", "SquaredHinge")
HELPERS: dict[str, tuple[str, ...]] = {
    "DictNode": ("builtins.dict",),
    "JsonNode": ("builtins.str",),
    "ListNode": ("builtins.list",),
    "TupleNode": ("builtins.tuple",),
    "TypeNode": ("builtins.str",),
    "NdArrayNode": tuple(
        f"numpy.{kind}" for kind in ("ndarray", "float64", "float32", "int64", "int32", "uint64", "bool")
    ),
    "RandomStateNode": ("numpy.random.mtrand.RandomState",),
    "RandomGeneratorNode": ("numpy.random._generator.Generator",),
    "SparseMatrixNode": ("scipy.sparse._csr.csr_matrix",),
    "TreeNode": ("sklearn.tree._tree.Tree",),
    "LossNode": (
        *(_LOSS + loss for loss in LOSSES),
        *(f"sklearn.linear_model._sgd_fast.{loss}" for loss in SGD_LOSSES),
    ),
    "ObjectNode": (
        *(f"sklearn._loss.loss.{loss}" for loss in LOSSES),
        *(_LINK + link for link in LINKS),
        *(f"sklearn.neural_network._stochastic_optimizers.{name}Optimizer" for name in ("Adam", "SGD")),
        *(f"sklearn.preprocessing._label.Label{name}" for name in ("Binarizer", "Encoder")),
        *(_HIST + name for name in ("binning._BinMapper", "predictor.TreePredictor")),
        "sklearn.linear_model._base.LinearRegression",
        "sklearn.multiclass.OneVsRestClassifier",
        "assay.rsm.learners.rescaled.Rescaled",
    ),
}
"""How skops loads it -> what estimators are made of. The estimators themselves are those of our learners."""
MARKS = ("__loader__", "__module__", "__class__")


@cache
def allowed_types() -> frozenset[tuple[str, str]]:
    """Every pair of loader and type that an estimator of ours may hold."""
    names = {(known.module, name) for name, known in ESTIMATORS.items() if not known.rescaled}
    classes = [getattr(import_module(f"sklearn.{module}"), name) for module, name in names]
    own = {("ObjectNode", f"{kind.__module__}.{kind.__qualname__}") for kind in classes}
    return frozenset(own | {(loader, name) for loader, types in HELPERS.items() for name in types})


def read_estimator(stored: bytes, name: str, features: int) -> Any:
    """The estimator in the bytes of a .skops file; InputError if it holds anything else, or numbers that do not fit."""
    try:
        from skops.io import get_untrusted_types, loads  # noqa: PLC0415
        from skops.io._protocol import PROTOCOL  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("Reading a model that is no line", "models") from missing
    nested_members(Member(name, len(stored), lambda: stored), depth=1, limits=LIMITS)
    with input_errors(name, field="model"):
        with zipfile.ZipFile(io.BytesIO(stored)) as archive:
            schema = json.loads(archive.read("schema.json"))
        if not isinstance(schema, dict) or schema.get("protocol") != PROTOCOL:
            raise InputError("it was written by another version of skops", source=name, remedy="Train the model again.")
        if foreign := set(_types(schema)) - allowed_types():
            listed = ", ".join(sorted(f"{kind} ({loader})" for loader, kind in foreign))[:300]
            words = f"holds types that no model of ours has: {listed}. It is not opened"
            raise InputError(words, source=name, field="model")
        estimator = loads(stored, trusted=get_untrusted_types(data=stored))
        _check(list(_parts(estimator, set())), features)
    return estimator


def _types(node: Any) -> Iterator[tuple[str, str]]:
    """Loader and type of each node of a schema; whatever has but one of the marks of a node is no type we know."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    if isinstance(node, dict) and any(mark in node for mark in MARKS):
        loader, module, kind = (str(node.get(mark)) for mark in MARKS)
        yield loader, f"{module}.{kind}"
    for child in children:
        yield from _types(child)


def _parts(value: Any, seen: set[int]) -> Iterator[Any]:
    """Every object an estimator is made of, once."""
    if id(value) in seen or isinstance(value, str | int | float | None):
        return
    seen.add(id(value))
    yield value
    if isinstance(value, dict):
        inside: Any = value.values()
    elif isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        inside = np.ravel(value) if isinstance(value, np.ndarray) else value
    else:
        inside = getattr(value, "__dict__", {}).values()
    for part in inside:
        yield from _parts(part, seen)


def _check(parts: list[Any], features: int) -> None:
    """ValueError if native code would read or walk beyond what is there."""
    taken = [part.n_features_in_ for part in parts if hasattr(part, "n_features_in_")]
    bags = any(
        type(part).__name__.startswith("Bagging") for part in parts
    )  # each of its estimators takes a few features
    _require(max(taken, default=0) == features and (bags or min(taken) == features > 0))
    for part in parts:
        kind, least = type(part).__name__, min(taken)
        if (weights := getattr(part, "__dict__", {}).get("coef_")) is not None:
            _require(np.ndim(weights) in (1, 2) and np.shape(weights)[-1] == part.n_features_in_)
        if kind == "Tree":
            _check_tree(part.children_left == -1, (part.children_left, part.children_right), part.feature, least)
        elif hasattr(part, "tree_"):
            _require(part.tree_.n_features == part.n_features_in_)
        elif kind == "TreePredictor":
            nodes = part.nodes
            _require(not nodes["is_categorical"].any())
            _check_tree(nodes["is_leaf"].astype(bool), (nodes["left"], nodes["right"]), nodes["feature_idx"], least)
        elif kind == "csr_matrix":
            part.check_format(full_check=True)
        elif kind in ("SVC", "SVR") and hasattr(part, "support_"):
            _check_vectors(part, len(part.classes_) if kind == "SVC" else 2)


def _check_vectors(machine: Any, classes: int) -> None:
    """What libsvm takes from a support vector machine has the sizes it reckons with."""
    count, pairs = len(machine.support_), classes * (classes - 1) // 2
    weights, names = machine._dual_coef_, ("_intercept_", "_probA", "_probB")
    _require(machine.support_vectors_.shape == (count, machine.n_features_in_))
    _require((weights.nnz if hasattr(weights, "indptr") else weights.size) == (classes - 1) * count)
    _require(all(getattr(machine, name).size in (0 if name != "_intercept_" else pairs, pairs) for name in names))
    sizes = machine._n_support
    _require(bool((sizes >= 0).all()) and (machine._impl != "c_svc" or (len(sizes), sizes.sum()) == (classes, count)))


def _check_tree(leaf: Any, children: tuple[Any, Any], feature: Any, features: int) -> None:
    """Children lie behind their parent and within the tree; so every way ends."""
    place = np.arange(len(leaf))[~leaf]
    for side in children:
        inner = side[~leaf].astype(np.int64)
        _require(bool((inner > place).all() and (inner < len(leaf)).all()))
    _require(bool(len(leaf) and (feature[~leaf] >= 0).all() and (feature[~leaf] < features).all()))


def _require(sound: bool) -> None:
    if not sound:
        raise ValueError("its numbers do not fit each other")
