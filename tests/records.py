"""The records of a package, and what each keeps to: it cannot be changed, and takes no more room than its fields."""

import pkgutil
from collections.abc import Collection
from dataclasses import FrozenInstanceError, fields, is_dataclass
from importlib import import_module
from inspect import getmembers, isclass
from types import ModuleType
from typing import Any

import pytest


def records_of(package: ModuleType) -> list[Any]:
    """Every dataclass that a package defines, by name."""
    modules = [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    members = [(name, c) for name in modules for _, c in getmembers(import_module(name), isclass) if is_dataclass(c)]
    return sorted({c for name, c in members if c.__module__ == name}, key=lambda c: str(c.__name__))


def check_record(record: Any, by_value: Collection[str], remembering: Collection[str] = ()) -> None:
    """It is frozen and has slots; only those named are equal when their values are, or keep what they worked out."""
    blank = object.__new__(record)
    for name in (fields(record)[0].name, fields(record)[-1].name):
        with pytest.raises(FrozenInstanceError):
            setattr(blank, name, None)
    assert hasattr(blank, "__dict__") == (record.__name__ in remembering)
    assert (record.__eq__ is object.__eq__) == (record.__name__ not in by_value)
