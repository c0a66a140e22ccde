"""Estimators on disk: all that our learners produce is read, and nothing else; no file runs anything."""

import io
import json
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.models.estimator_file import _check_tree, _check_vectors, read_estimator
from assay.rsm.learners.estimators import ESTIMATORS
from assay.rsm.learners.fitted import takes_sparse
from assay.rsm.learners.rescaled import Rescaled

skops = pytest.importorskip("skops.io")
sparse = pytest.importorskip("scipy.sparse")
FEW = {"n_estimators": 3, "max_iter": 9}
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # nine rounds are few
RNG = np.random.default_rng(7)
MATRIX = RNG.random((60, 3))
HUMAN = np.rint(1.3 * MATRIX.sum(axis=1))


def fitted(name: str, **settings: Any) -> Any:
    """The estimator of a name, trained as our learners do, with few trees and rounds."""
    known = ESTIMATORS[name]
    own = getattr(import_module(f"sklearn.{known.module}"), name.removeprefix("Rescaled"))()
    given = {**known.settings, **FEW, **settings}
    own.set_params(**{key: value for key, value in given.items() if key in own.get_params()})
    if name == "LogisticRegression":
        own = import_module("sklearn.multiclass").OneVsRestClassifier(own)
    estimator = Rescaled(own) if known.rescaled else own
    return estimator.fit(sparse.csr_matrix(MATRIX) if takes_sparse(estimator) else MATRIX, HUMAN)


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if not name.startswith("Rescaled")] + ["RescaledSVR"])
def test_every_estimator_of_our_learners_is_read_back(name: str) -> None:
    estimator = fitted(name)
    again = read_estimator(skops.dumps(estimator), "a.skops", 3)
    rows = sparse.csr_matrix(MATRIX) if takes_sparse(estimator) else MATRIX
    assert np.array_equal(again.predict(rows), estimator.predict(rows))


def edited(estimator: Any, change: Callable[[dict[str, Any]], Any]) -> bytes:
    """The file of an estimator whose schema was changed by hand."""
    stream, stored = io.BytesIO(), skops.dumps(estimator)
    with zipfile.ZipFile(io.BytesIO(stored)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "schema.json":
                schema = json.loads(content)
                change(schema)
                content = json.dumps(schema).encode()
            new.writestr(name, content)
    return stream.getvalue()


def node(loader: str, module: str, kind: str, **rest: Any) -> dict[str, Any]:
    return {"__loader__": loader, "__module__": module, "__class__": kind, **rest}


def text(value: str) -> dict[str, Any]:
    return node("JsonNode", "builtins", "str", content=json.dumps(value), is_json=True)


def several(*values: Any) -> dict[str, Any]:
    return node("TupleNode", "builtins", "tuple", content=list(values))


NOTHING = node("DictNode", "builtins", "dict", content={}, key_types=node("ListNode", "builtins", "list", content=[]))


def gadgets(mark: Path) -> dict[str, dict[str, Any]]:
    """What hostile files have been made of: each would write a file if anything of it ran."""
    code = f"open({str(mark)!r}, 'w')"
    run = {"content": NOTHING, "__reduce__": {"args": several(text(code), NOTHING)}}
    command = {"content": NOTHING, "__reduce__": {"args": several(text(f"touch {mark}"))}}
    called = {"func": node("FunctionNode", "os", "system"), "args": several(text(f"touch {mark}")), "kwds": NOTHING}
    method = {"attrs": several(text("system"), text(f"touch {mark}")), "__reduce__": {"args": several(text("system"))}}
    return {
        "a loss that runs code": node("LossNode", "numpy.testing._private.utils", "runstring", **run),
        "a loss that runs a command": node("LossNode", "os", "system", **command),
        "a loss of f2py": node("LossNode", "numpy.f2py", "compile", **run),
        "a loss of scipy": node("LossNode", "scipy._lib._testutils", "check_free_memory", **run),
        "a loss of scikit-learn's tests": node("LossNode", "sklearn.utils._testing", "assert_run_python_script", **run),
        "a tree of another class": node("TreeNode", "numpy.testing._private.utils", "runstring", **run),
        "a partial": node("PartialNode", "functools", "partial", content={**called, "namespace": NOTHING}),
        "a method caller": node("OperatorFuncNode", "operator", "methodcaller", **method),
        "a method": node("MethodNode", "builtins", "function", content={"func": "system", "obj": text("os")}),
        "a function": node("FunctionNode", "os", "system"),
        "a type": node("TypeNode", "subprocess", "Popen"),
        "a constructor": node("ConstructorFromReduceNode", "subprocess", "Popen", content=several(text("true"))),
        "an object": node("ObjectNode", "subprocess", "Popen", content=NOTHING),
        "a dictionary of another class": node("DictNode", "shelve", "DbfilenameShelf", content={}, key_types=NOTHING),
        "a list of another class": node("ListNode", "subprocess", "Popen", content=[text(f"touch {mark}")]),
        "numpy.load": node("FunctionNode", "numpy", "load"),
        "an estimator that is none of ours": node("ObjectNode", "sklearn.pipeline", "Pipeline", content=NOTHING),
        "a transformer with a function": node("ObjectNode", "sklearn.preprocessing", "FunctionTransformer"),
        "a node without a loader": {"__module__": "os", "__class__": "system"},
        "a node of an unknown loader": node("NoSuchNode", "builtins", "str"),
        "our estimator loaded as a loss": node("LossNode", "sklearn.svm._classes", "SVC", **run),
    }


@pytest.mark.parametrize("name", list(gadgets(Path("mark"))))
def test_a_file_with_a_gadget_is_refused_and_runs_nothing(name: str, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    hostile = gadgets(mark)[name]

    def as_attribute(schema: dict[str, Any]) -> None:
        schema["content"]["content"]["random_state"] = hostile

    def as_whole(schema: dict[str, Any]) -> None:
        protocol = schema["protocol"]
        schema.clear()
        schema.update(hostile, protocol=protocol)

    for place in (as_attribute, as_whole):
        with pytest.raises(InputError, match="holds types that no model of ours has"):
            read_estimator(edited(fitted("DecisionTreeRegressor"), place), "a.skops", 3)
    assert not mark.exists()


def test_an_array_with_a_pickle_in_it_is_refused(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    content = io.BytesIO()
    np.save(content, np.array([Runs(str(mark))], dtype=object), allow_pickle=True)
    stream, stored = io.BytesIO(), skops.dumps(fitted("MLPRegressor"))
    with zipfile.ZipFile(io.BytesIO(stored)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            new.writestr(name, content.getvalue() if name.endswith(".npy") else old.read(name))
    with pytest.raises(InputError, match=r"a\.skops: "):
        read_estimator(stream.getvalue(), "a.skops", 3)
    assert not mark.exists()


class Runs:
    """Touches a file when it is unpickled."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (Path(self.mark),)


def test_another_protocol_of_skops_is_refused() -> None:
    stored = edited(fitted("DecisionTreeRegressor"), lambda schema: schema.update(protocol=0))
    with pytest.raises(InputError, match="another version of skops"):
        read_estimator(stored, "a.skops", 3)


@pytest.mark.parametrize("stored", [b"", b"PK\x03\x04", b"no ZIP"])
def test_what_is_no_skops_file_is_refused(stored: bytes) -> None:
    with pytest.raises(InputError, match=r"a\.skops: "):
        read_estimator(stored, "a.skops", 3)


def replaced(estimator: Any, change: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]], fields: bool) -> bytes:
    """The file of an estimator with its arrays changed: those of tree nodes, or all others."""
    stream, stored = io.BytesIO(), skops.dumps(estimator)
    with zipfile.ZipFile(io.BytesIO(stored)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = io.BytesIO(old.read(name))
            if name.endswith(".npy"):
                array = np.load(content)
                if (array.dtype.names is not None) == fields:
                    content = io.BytesIO()
                    np.save(content, change(array))
            new.writestr(name, content.getvalue())
    return stream.getvalue()


@pytest.mark.parametrize(
    ("model", "field", "value"),
    [
        ("DecisionTreeRegressor", "left_child", 10_000),
        ("DecisionTreeRegressor", "right_child", 0),
        ("RandomForestClassifier", "feature", 3),
        ("GradientBoostingRegressor", "feature", -5),
        ("HistGradientBoostingRegressor", "left", 4_000_000),
        ("HistGradientBoostingRegressor", "feature_idx", 9),
    ],
)
def test_a_tree_that_leads_out_of_itself_is_refused(model: str, field: str, value: int) -> None:
    def change(nodes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        nodes[field][0] = value
        return nodes

    with pytest.raises(InputError, match="do not fit each other"):
        read_estimator(replaced(fitted(model), change, fields=True), "a.skops", 3)


@pytest.mark.parametrize("model", ["SVR", "SVC"])
def test_support_vectors_of_other_sizes_are_refused(model: str) -> None:
    shorter = replaced(fitted(model), lambda array: array[:1] if array.ndim else array, fields=False)
    with pytest.raises(InputError, match=r"a\.skops: "):
        read_estimator(shorter, "a.skops", 3)


def test_an_estimator_of_other_features_than_the_model_is_refused() -> None:
    with pytest.raises(InputError, match="do not fit each other"):
        read_estimator(skops.dumps(fitted("SVR")), "a.skops", 2)


@pytest.mark.parametrize("weights", [np.array(0.5), np.ones(2), np.ones((1, 1, 3))])
def test_weights_of_another_shape_than_the_features_are_refused(weights: "np.ndarray[Any, Any]") -> None:
    line = fitted("Ridge")
    line.coef_ = weights
    with pytest.raises(InputError, match="do not fit each other"):
        read_estimator(skops.dumps(line), "a.skops", 3)


LEAF = np.array([False, True, False, True, True])
LEFT, RIGHT = np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1])
FEATURE = np.array([0, -2, 2, -2, -2])


def test_the_children_of_a_tree_lie_behind_their_parents_and_its_features_are_there() -> None:
    _check_tree(LEAF, (LEFT, RIGHT), FEATURE, 3)
    _check_tree(np.array([True]), (np.array([-1]), np.array([-1])), np.array([-2]), 1)
    wrong: list[tuple[Any, Any, Any, int]] = [
        (LEAF, np.array([0, -1, 3, -1, -1]), FEATURE, 3),
        (LEAF, np.array([1, -1, 2, -1, -1]), FEATURE, 3),
        (LEAF, np.array([1, -1, 5, -1, -1]), FEATURE, 3),
        (LEAF, LEFT, np.array([-1, -2, 2, -2, -2]), 3),
        (LEAF, LEFT, FEATURE, 2),
        (LEAF[:0], LEFT[:0], FEATURE[:0], 3),
    ]
    for leaf, left, feature, features in wrong:
        for children in ((left, RIGHT[: len(leaf)]), (RIGHT[: len(leaf)], left)):
            with pytest.raises(ValueError, match="do not fit each other"):
                _check_tree(leaf, children, feature, features)


def machine(**changed: Any) -> SimpleNamespace:
    own = {
        **{"support_": np.arange(5), "support_vectors_": np.zeros((5, 3)), "n_features_in_": 3, "_impl": "c_svc"},
        **{"_dual_coef_": np.zeros((2, 5)), "_intercept_": np.zeros(3), "_probA": np.zeros(0), "_probB": np.zeros(3)},
        "_n_support": np.array([2, 2, 1]),
    }
    return SimpleNamespace(**{**own, **changed})


def test_support_vectors_have_the_sizes_that_are_reckoned_with() -> None:
    _check_vectors(machine(), 3)
    _check_vectors(machine(_dual_coef_=sparse.csr_matrix(np.ones((2, 5)))), 3)
    _check_vectors(machine(_impl="epsilon_svr", _n_support=np.array([9])), 3)
    for wrong in (
        *({"support_vectors_": np.zeros((4, 3))}, {"support_vectors_": np.zeros((5, 2))}, {"support_": np.arange(4)}),
        *({"_dual_coef_": np.zeros((3, 5))}, {"_intercept_": np.zeros(0)}, {"_intercept_": np.zeros(2)}),
        *({"_probA": np.zeros(1)}, {"_probB": np.zeros(2)}, {"_n_support": np.array([3, 3, -1])}),
        *({"_n_support": np.array([2, 2, 2])}, {"_n_support": np.array([2, 3])}),
    ):
        with pytest.raises(ValueError, match="do not fit each other"):
            _check_vectors(machine(**wrong), 3)


def test_a_zip_in_an_estimator_s_file_is_refused_where_none_may_lie_in_another(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.BytesIO(skops.dumps(fitted("DecisionTreeRegressor")))
    with zipfile.ZipFile(stream, "a") as parts:
        parts.writestr("more.zip", b"PK")
    monkeypatch.setenv("ASSAY_LIMIT_ARCHIVE_NESTING", "1")
    with pytest.raises(InputError, match=r"a\.skops: it holds a further ZIP, more\.zip"):
        read_estimator(stream.getvalue(), "a.skops", 3)
