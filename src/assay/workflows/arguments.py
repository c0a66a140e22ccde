"""`check_arguments`: the arguments of a verb have the types its signature states, or an InputError names the first."""

import inspect
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from numbers import Integral, Real
from os import PathLike
from typing import Any, Literal, Union, get_args, get_origin

from assay.errors import Field, InputError, shown

CALLABLE = get_origin(Callable[[], None])
WORDS: Mapping[Any, str] = types.MappingProxyType(
    {str: "a string", bool: "True or False", int: "a whole number", float: "a number", types.NoneType: "None"}
)


def check_arguments(verb: Callable[..., object], given: Mapping[str, object]) -> None:
    """InputError if an argument is not of the type that the verb's signature states; `given` are all by name.

    >>> def evaluate(scores: Any, human: str) -> None:
    ...     check_arguments(evaluate, locals())
    >>> evaluate([], human=3)
    Traceback (most recent call last):
    assay.errors.InputError: human is 3, of type int. Pass a string.
    """
    for name, hint in _hints(verb).items():
        if not fits(value := given[name], hint):
            problem = (Field(name), f" is {shown(value)}, of type {type(value).__name__}")
            raise InputError(problem, field=name, remedy=f"Pass {words_of(hint)}.")


@cache
def _hints(verb: Callable[..., object]) -> dict[str, Any]:
    return {name: _resolved(p.annotation) for name, p in inspect.signature(verb).parameters.items()}


def _resolved(hint: Any) -> Any:
    """An annotation written as text, where all it names is known here; `Any` otherwise."""
    if not isinstance(hint, str):
        return hint
    known = {"str": str, "PathLike[str]": PathLike, "None": None, "int": int, "float": float, "bool": bool}
    parts = [part.strip() for part in hint.split("|")]
    return Union[tuple(known[part] for part in parts)] if known.keys() >= set(parts) else Any  # noqa: UP007


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type; True where the type says nothing that can be checked.

    >>> fits("a", str | None), fits(["a", 1], list[str]), fits("abc", Collection[str]), fits(2, float)
    (True, False, False, True)
    """
    kind: Any = get_origin(hint) or hint
    parts = get_args(hint)
    if kind in (Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if kind is Literal:
        return value in parts
    if hint is None or hint is types.NoneType:
        return value is None
    if hint is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return True
    if kind is bool:
        return type(value).__name__ in ("bool", "bool_")  # numpy's too
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real)
    if get_origin(hint) is CALLABLE:
        return callable(value)
    if issubclass(kind, Mapping):
        return isinstance(value, Mapping) and (
            not parts or _all_fit(value, parts[0]) & _all_fit(value.values(), parts[1])
        )
    if issubclass(kind, Iterable) and parts and kind is not PathLike:
        return (
            isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping) and _all_fit(value, parts[0])
        )
    return isinstance(value, kind)


def _all_fit(values: Iterable[Any], hint: Any) -> bool:
    return all(fits(value, hint) for value in values)


def words_of(hint: Any) -> str:
    """A type in words.

    >>> words_of(str | Collection[str] | None)
    'a string, a list of strings or None'
    """
    kind: Any = get_origin(hint) or hint
    parts = get_args(hint)
    if kind in (Union, types.UnionType):
        *first, last = dict.fromkeys(words_of(part) for part in parts)
        return f"{', '.join(first)} or {last}" if first else last
    if kind is Literal:
        return " or ".join(repr(part) for part in parts)
    if kind is PathLike:
        return "a path"
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return "a dict"
    if isinstance(kind, type) and issubclass(kind, Iterable) and parts:
        return f"a list of {words_of(parts[0]).removeprefix('a ')}s"
    return WORDS.get(kind, f"a {getattr(kind, '__name__', kind)}")
