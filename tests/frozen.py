"""How the data classes of a package are made: frozen, not comparable where they hold arrays, with slots."""

import importlib
import pkgutil
from dataclasses import fields, is_dataclass
from types import ModuleType


def mutable_dataclasses(package: ModuleType) -> list[str]:
    """The data classes of a package, and of those inside it, that are not frozen."""
    return sorted(one.__qualname__ for one in _dataclasses(package) if not one.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def comparable_arrays(package: ModuleType) -> list[str]:
    """The data classes with arrays that compare by value, which ends in an error: an array is not true or false."""
    return sorted(
        one.__qualname__
        for one in _dataclasses(package)
        if one.__dataclass_params__.eq and any("ndarray" in str(field.type) for field in fields(one))  # type: ignore[attr-defined]
    )


def without_slots(package: ModuleType) -> list[str]:
    """The data classes that need a dictionary each, which those with cached properties do."""
    return sorted(one.__qualname__ for one in _dataclasses(package) if "__slots__" not in vars(one))


def _dataclasses(package: ModuleType) -> set[type]:
    names = [package.__name__, *(one.name for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))]
    values = (value for name in names for value in vars(importlib.import_module(name)).values())
    return {value for value in values if isinstance(value, type) and is_dataclass(value) and value.__module__ in names}


def compared_by_identity(package: ModuleType) -> list[str]:
    """The data classes of which two are equal only when they are one."""
    return sorted(one.__qualname__ for one in _dataclasses(package) if not one.__dataclass_params__.eq)  # type: ignore[attr-defined]


def keyword_only(package: ModuleType) -> list[str]:
    """The data classes of its own whose fields are all given by name."""
    own = {one for one in _dataclasses(package) if "__init__" in vars(one) and fields(one)}
    return sorted(one.__qualname__ for one in own if all(field.kw_only for field in fields(one)))
