"""FRONT DOOR `restricted_load`: a pickle of RSMTool, in which only listed names mean anything.

A pickle is a program. This one may name estimators of our learners and arrays, which are made by code of ours from the
numbers in it, and classes of RSMTool, SKLL and pandas, of which nothing is loaded: their objects become records of what
the pickle says about them. Any other name ends the reading. It belongs into a child with limits all the same, since
native code reads the trees.
"""

import io
import math
import pickle
import re
import warnings
import zlib
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, BinaryIO, ClassVar

import numpy as np

from assay.errors import InputError
from assay.execution.limits import check, value_of
from assay.io.models.estimator_file import allowed_types
from assay.rsm.learners.estimators import ESTIMATORS

_SIMPLE = re.compile(r"[<>=|]?(?:[biufc]\d{1,2}|\?|O8?|[SU]\d{1,6}|V\d{1,4})")
DEEPEST = 4
"""Pickles within a pickle: joblib writes arrays of objects so."""


class Record:
    """Stands for an object whose class is not loaded: what it was called with, and its state."""

    __slots__ = ("args", "state")
    qualified = ""

    def __new__(cls, *args: Any, **_: Any) -> "Record":
        record = object.__new__(cls)
        object.__setattr__(record, "args", args)
        object.__setattr__(record, "state", {})
        return record

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.state = state[1] if isinstance(state, tuple) and len(state) == 2 and state[0] is None else state

    args: tuple[Any, ...]
    state: Any

    def get(self, name: str, default: Any = None) -> Any:
        """A value of its state."""
        return self.state.get(name, default) if isinstance(self.state, Mapping) else default


RECORDS: frozenset[tuple[str, str]] = frozenset(
    {
        ("rsmtool.modeler", "Modeler"),
        ("skll.learner", "Learner"),
        ("skll.data.dict_vectorizer", "DictVectorizer"),
        ("skll.learner.utils", "FilteredLeaveOneGroupOut"),
        ("skll.learner.utils", "SelectByMinCount"),
        ("sklearn.feature_extraction._dict_vectorizer", "DictVectorizer"),
        ("sklearn.feature_extraction._hash", "FeatureHasher"),
        ("sklearn.feature_selection._univariate_selection", "SelectKBest"),
        ("sklearn.preprocessing._data", "StandardScaler"),
        ("logging", "getLogger"),
        ("logging", "Logger"),
        ("numpy", "ndarray"),
        ("numpy", "str_"),
        ("numpy", "float64"),
        ("numpy", "int64"),
        ("pandas", "DataFrame"),
        ("pandas", "Index"),
        ("pandas", "StringDtype"),
        ("pandas.core.frame", "DataFrame"),
        ("pandas.core.indexes.base", "Index"),
        ("pandas.core.indexes.base", "_new_Index"),
        ("pandas.core.indexes.range", "RangeIndex"),
        ("pandas.core.internals.managers", "BlockManager"),
        ("pandas.core.internals.blocks", "new_block"),
        ("pandas._libs.internals", "_unpickle_block"),
        ("pandas._libs.arrays", "__pyx_unpickle_NDArrayBacked"),
        ("pandas.arrays", "StringArray"),
        ("pandas.core.arrays.string_", "StringArray"),
        ("pandas.core.arrays.string_", "StringDtype"),
        ("numpy.random._pickle", "__randomstate_ctor"),
        ("numpy.random._pickle", "__bit_generator_ctor"),
        ("numpy.random._mt19937", "MT19937"),
        ("builtins", "slice"),
    }
)
"""Names that become records."""


class _DTypeRecord(Record):
    """A dtype before its state is known."""

    __slots__ = ()

    def real(self) -> np.dtype[Any]:
        code = str(self.args[0]) if self.args else ""
        order, names, fields, size = "", None, None, 0
        if isinstance(self.state, tuple) and len(self.state) >= 8:
            _, order, inner, names, fields, size = self.state[:6]
            if inner is not None:
                raise InputError("an array has elements that are arrays")
        if names:
            kinds, offsets = zip(*(dict(fields or {})[name][:2] for name in names), strict=True)
            whole: Any = {"names": list(names), "formats": list(kinds), "offsets": [int(place) for place in offsets]}
            structured: np.dtype[Any] = np.dtype(whole | {"itemsize": int(size)})
            return structured
        text = (order if order in ("<", ">") else "") + code
        if not _SIMPLE.fullmatch(text):
            raise InputError(f"an array has elements of the type {text[:40]!r}")
        return np.dtype(text)


class _ArrayRecord(Record):
    """An array before its state is known."""

    __slots__ = ()

    def real(self) -> np.ndarray[Any, Any]:
        _, shape, kind, fortran, content = self.state
        return filled(tuple(map(int, shape)), kind, content, order="F" if fortran else "C")


class _WrappedArray(Record):
    """An array whose numbers joblib wrote behind the pickle of its shape."""

    __slots__ = ()


def filled(shape: tuple[int, ...], kind: Any, content: Any, *, order: Any = "C") -> np.ndarray[Any, Any]:
    """An array of these numbers, or of these objects; InputError if they are not as many as its shape says."""
    dtype = kind if isinstance(kind, np.dtype) else kind.real()
    count = math.prod(shape)
    if any(side < 0 for side in shape):
        raise InputError("an array has a negative length")
    if dtype.hasobject:
        if dtype.names or not isinstance(content, list) or len(content) != count:
            raise InputError("an array of objects does not hold what it says")
        array = np.empty(count, dtype=object)
        array[:] = content
        return array.reshape(shape, order=order)
    check("model_bytes", count * dtype.itemsize, what="an array")
    if not isinstance(content, bytes) or len(content) != count * dtype.itemsize:
        raise InputError("an array does not hold as many numbers as it says")
    return np.frombuffer(content, dtype=dtype).reshape(shape, order=order).copy(order=order)


def _loss(kind: Any, *_: Any) -> Any:
    """A loss of scikit-learn, as Cython pickles one that has no numbers of its own."""
    if kind not in known_names().values() or not str(getattr(kind, "__module__", "")).startswith("sklearn._loss"):
        raise InputError("it makes a loss of something else")
    return kind()


def _scalar(kind: Any, content: bytes = b"") -> Any:
    return filled((1,), kind, content)[0]


def _from_buffer(content: Any, kind: Any, shape: Any, order: Any = "C") -> Any:
    return filled(tuple(map(int, shape)), kind, bytes(content), order="F" if order == "F" else "C")


@cache
def known_names() -> Mapping[tuple[str, str], Any]:
    """Everything a pickle may name, and what it means here."""
    names: dict[tuple[str, str], Any] = {
        pair: type(pair[1], (Record,), {"__slots__": (), "qualified": ".".join(pair)}) for pair in RECORDS
    }
    for core in ("numpy.core", "numpy._core"):
        names[f"{core}.multiarray", "_reconstruct"] = _ArrayRecord
        names[f"{core}.multiarray", "scalar"] = _scalar
        names[f"{core}.numeric", "_frombuffer"] = _from_buffer
    names["numpy", "dtype"] = _DTypeRecord
    names["joblib.numpy_pickle", "NumpyArrayWrapper"] = _WrappedArray
    names |= {("collections", "OrderedDict"): OrderedDict, ("collections", "defaultdict"): defaultdict}
    names |= {("builtins", kind.__name__): kind for kind in (set, frozenset, dict, list, tuple, int, float, str, bool)}
    names |= {
        ("skll.learner", name): type(name, (Record,), {"__slots__": (), "qualified": f"skll.learner.{name}"})
        for name, known in ESTIMATORS.items()
        if known.rescaled
    }
    for loader, qualified in allowed_types():
        module, _, name = qualified.rpartition(".")
        if loader in ("ObjectNode", "TreeNode", "LossNode", "SparseMatrixNode") and not module.startswith("assay."):
            names[module, name] = getattr(import_module(module), name)
            if loader == "LossNode":
                names[module, f"__pyx_unpickle_{name}"] = _loss
    return names


_LOAD_BUILD: Callable[[Any], None] = pickle._Unpickler.dispatch[pickle.BUILD[0]]


class RestrictedUnpickler(pickle._Unpickler):  # the one written in Python: what it builds can be replaced
    """Reads a pickle in which only `known_names` mean anything."""

    stack: list[Any]
    memo: dict[int, Any]

    def __init__(self, stream: BinaryIO, depth: int = 0) -> None:
        super().__init__(stream)
        self.stream, self.depth = stream, depth

    def find_class(self, module: str, name: str) -> Any:
        """What a name means; InputError for any that is not listed."""
        known = known_names().get((module, name))
        if known is None:
            problem = f"it names {module[:60]}.{name[:60]}, which no model of RSMTool needs; it is not opened"
            raise InputError(problem, remedy="Train the model again with the same configuration.")
        return known

    def persistent_load(self, _: Any) -> Any:
        """Nothing lies elsewhere."""
        raise InputError("it refers to objects that are not in it")

    def get_extension(self, code: int) -> None:
        """No extension codes."""
        raise InputError(f"it uses the extension code {code}")

    def _build(self) -> None:
        _LOAD_BUILD(self)
        record = self.stack[-1]
        if isinstance(record, _WrappedArray):
            self.stack[-1] = self._wrapped(record)
        elif isinstance(record, _DTypeRecord | _ArrayRecord):
            made_of = self.stack[-1] = record.real()
            for key, value in self.memo.items():
                if value is record:
                    self.memo[key] = made_of

    dispatch: ClassVar[dict[int, Callable[[Any], None]]] = {**pickle._Unpickler.dispatch, pickle.BUILD[0]: _build}

    def _wrapped(self, record: _WrappedArray) -> Any:
        shape, kind = tuple(map(int, record.get("shape"))), record.get("dtype")
        dtype = kind if isinstance(kind, np.dtype) else kind.real()
        if dtype.hasobject:
            if self.depth >= DEEPEST:
                raise InputError("arrays of objects are nested too deeply")
            return type(self)(self.stream, self.depth + 1).load()
        if record.get("numpy_array_alignment_bytes") is not None:
            self.stream.read(self.stream.read(1)[0])
        size = math.prod(shape) * dtype.itemsize
        check("model_bytes", max(size, 0), what="an array")
        order = "F" if record.get("order") == "F" else "C"
        return filled(shape, dtype, self.stream.read(size), order=order)


def restricted_load(content: bytes) -> Any:
    """What a pickle holds, with arrays and estimators as they are and everything else as records."""
    check("model_bytes", len(content))
    if content[:1] == b"\x78":
        content = _inflated(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of estimators of another version of scikit-learn: what they hold is checked
        return RestrictedUnpickler(io.BytesIO(content)).load()


def _inflated(content: bytes) -> bytes:
    whole = zlib.decompressobj().decompress(content, value_of("model_bytes") + 1)
    check("model_bytes", len(whole))
    return whole
