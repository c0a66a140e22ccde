"""A pickle in which only listed names mean anything: known ways to run code end in a refusal."""

import os
import pickle
import struct
from collections import OrderedDict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.models.restricted_pickle import Record, filled, known_names, restricted_load
from tests.paths import ROOT

PICKLED = ROOT / "tests" / "io" / "models" / "pickled"


class Runs:
    """An object that calls something when it is loaded."""

    def __init__(self, function: Any, *args: Any) -> None:
        self.call = (function, args)

    def __reduce__(self) -> Any:
        return self.call


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize(
    ("function", "args"),
    [
        (os.system, ("touch pwned",)),
        (eval, ("open('pwned', 'w')",)),
        (exec, ("open('pwned', 'w')",)),
        (getattr, ("", "format")),
        (open, ("pwned", "w")),
        (partial, (print, "x")),
        (__import__, ("os",)),
        (map, (print, ["x"])),
        (Path, ("pwned",)),
        (np.load, ("pwned",)),
        (np.fromfile, ("pwned",)),
        (pickle.loads, (b"cos\nsystem\n(S'touch pwned'\ntR.",)),
        (type, ("T", (), {})),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_gadget_is_refused_by_its_name(
    function: Any, args: Any, protocol: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="which no model of RSMTool needs"):
        restricted_load(pickle.dumps(Runs(function, *args), protocol))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name",
    [
        "sklearn.tree._tree\nTree.__init__",  # a dotted name reaches into what it starts from
        "sklearn.linear_model._base\nLinearRegression.fit",
        "sklearn.preprocessing._function_transformer\nFunctionTransformer",
        "sklearn.pipeline\nPipeline",
        "joblib.parallel\nParallel",
        "joblib.numpy_pickle\nload",
        "numpy.core.multiarray\n_reconstruct.__globals__",
        "numpy.testing._private.utils\nrunstring",
        "pandas.io.pickle\nread_pickle",
        "copyreg\n_reconstructor",
        "builtins\ngetattr",
        "assay.execution.children\nread_apart",
    ],
)
def test_neighbours_of_what_is_listed_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="no model of RSMTool needs"):
        restricted_load(f"c{name}\n.".encode())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x80\x02Pelsewhere\n.", "not in it"),
        (b"\x80\x02\x82\x01.", "extension code 1"),
    ],
)
def test_what_lies_elsewhere_is_not_fetched(content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        restricted_load(content)


def test_a_gadget_in_an_array_of_objects_is_refused_too() -> None:
    for content in ([Runs(os.system, "touch pwned")], Runs(eval, "1")):
        with pytest.raises(InputError, match="no model of RSMTool needs"):
            restricted_load(pickle.dumps(np.array([content], dtype=object)))


def wrapped(inner: bytes, shape: tuple[int, ...] = (1,), kind: str = "O") -> bytes:
    """An array as joblib writes it: a pickle of its shape, then its content."""
    import joblib.numpy_pickle

    wrapper = joblib.numpy_pickle.NumpyArrayWrapper(np.ndarray, shape, "C", np.dtype(kind))
    return pickle.dumps(wrapper, protocol=2)[:-1] + inner + b"."


def test_a_gadget_behind_an_array_of_joblib_is_refused_too() -> None:
    with pytest.raises(InputError, match="no model of RSMTool needs"):
        restricted_load(wrapped(pickle.dumps(Runs(os.system, "touch pwned"), protocol=2)))
    content: bytes = pickle.dumps(None)
    for _ in range(8):
        content = wrapped(content)
    with pytest.raises(InputError, match="nested too deeply"):
        restricted_load(content)


def test_numbers_behind_an_array_of_joblib_are_read() -> None:
    assert restricted_load(wrapped(b"\x00" + struct.pack("<2d", 1.5, -2), (2,), "f8")).tolist() == [1.5, -2.0]
    with pytest.raises(InputError, match="as many numbers"):
        restricted_load(wrapped(b"\x00\x01", (2,), "f8"))
    with pytest.raises(InputError, match="ASSAY_LIMIT_MODEL_BYTES"):
        restricted_load(wrapped(b"", (1 << 40,), "f8"))


@pytest.mark.parametrize("protocol", range(3, 6))
@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.array(["a", "bc"]),
        np.array(["a", None, 1.5], dtype=object),
        np.array([(1, 2.5)], dtype=[("x", "<i4"), ("y", "<f8")]),
        np.array(3.0),
        np.float64(2.5),
        np.array([True, False]),
        np.arange(3, dtype=">i4"),
    ],
    ids=lambda value: str(getattr(value, "dtype", "")),
)
def test_arrays_are_as_they_were(array: Any, protocol: int) -> None:
    read = restricted_load(pickle.dumps(array, protocol))
    assert np.array_equal(read, array)
    assert np.asarray(read).dtype == np.asarray(array).dtype


def test_an_array_that_is_named_twice_is_one() -> None:
    array = np.arange(3.0)
    first, second = restricted_load(pickle.dumps([array, array]))
    assert first is second


@pytest.mark.parametrize(
    ("shape", "kind", "content"),
    [
        ((3,), "f8", b"12"),
        ((-1,), "f8", b""),
        ((2,), "O", [1]),
        ((1,), "O", b"x"),
        ((1 << 50,), "f8", b""),
    ],
)
def test_an_array_that_does_not_hold_what_it_says_is_refused(shape: Any, kind: str, content: Any) -> None:
    with pytest.raises(InputError):
        filled(shape, np.dtype(kind), content)


def test_classes_that_are_not_loaded_become_records() -> None:
    record = restricted_load(b"crsmtool.modeler\nModeler\n)\x81}(Vlearner\nVx\nub.")
    assert isinstance(record, Record)
    assert (type(record).qualified, record.get("learner")) == ("rsmtool.modeler.Modeler", "x")
    assert record.get("nothing") is None
    assert restricted_load(pickle.dumps(OrderedDict(a={1})))["a"] == {1}


def test_what_is_listed_is_data_or_an_estimator() -> None:
    modules = {getattr(value, "__module__", "") for value in known_names().values()}
    roots = {module.partition(".")[0] for module in modules}
    assert roots == {"assay", "builtins", "collections", "scipy", "sklearn"}
    builtin = {
        value for (module, _), value in known_names().items() if module == "builtins" and isinstance(value, type)
    }
    assert {value.__name__ for value in builtin} == {
        *("set", "frozenset", "dict", "list", "tuple", "int", "float", "str", "bool", "slice")
    }


def test_a_loss_is_made_of_losses_only() -> None:
    with pytest.raises(InputError, match="makes a loss of something else"):
        restricted_load(b"csklearn._loss._loss\n__pyx_unpickle_CyHalfSquaredError\n(cbuiltins\nset\ntR.")


def test_models_of_rsmtool_are_read_to_the_end() -> None:
    for name in ("line", "tree"):
        assert isinstance(restricted_load((PICKLED / f"{name}.model").read_bytes()), Record)
