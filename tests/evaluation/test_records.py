"""What every record of an evaluation keeps to: it cannot be changed, and takes no more room than its fields."""

import pkgutil
from dataclasses import FrozenInstanceError, fields, is_dataclass
from importlib import import_module
from inspect import getmembers, isclass
from typing import Any

import pytest

import assay.evaluation

BY_VALUE = {
    "ChunkTally",
    "Comparison",
    "Crossed",
    "CutDecision",
    "Difference",
    "Disattenuated",
    "Exclusions",
    "Gate",
    "GateResult",
    "GroupFigures",
    "Grouping",
    "Judgement",
    "LevelError",
    "Next",
    "PairFigures",
    "Pick",
    "Plan",
    "PointShare",
    "Precision",
    "RaterPair",
    "Readings",
    "Scaling",
    "Summary",
    "Threshold",
    "TrueScore",
    "TrustPart",
}
"""Records of plain values, equal when their values are; those that hold arrays are only equal to themselves."""


def records() -> list[Any]:
    modules = [m.name for m in pkgutil.walk_packages(assay.evaluation.__path__, "assay.evaluation.")]
    found = [(name, c) for name in modules for _, c in getmembers(import_module(name), isclass) if is_dataclass(c)]
    return sorted({c for name, c in found if c.__module__ == name}, key=lambda c: str(c.__name__))


@pytest.mark.parametrize("record", records(), ids=lambda c: c.__name__)
def test_a_record_cannot_be_changed_and_has_room_for_its_fields_alone(record: Any) -> None:
    blank = object.__new__(record)
    for name in (fields(record)[0].name, fields(record)[-1].name):
        with pytest.raises(FrozenInstanceError):
            setattr(blank, name, None)
    assert not hasattr(blank, "__dict__")
    assert (record.__eq__ is object.__eq__) == (record.__name__ not in BY_VALUE)


def test_every_record_that_is_compared_by_value_is_there() -> None:
    assert {c.__name__ for c in records()} > BY_VALUE
