"""Figures of benchmarks: absent unless they apply."""

from dataclasses import FrozenInstanceError, fields

import pytest

from assay.annotations.detection_metrics.conflicts import Conflicts
from assay.annotations.detection_metrics.figures import Benchmarks


def test_nothing_applies_until_it_is_given() -> None:
    assert [getattr(Benchmarks(), field.name) for field in fields(Benchmarks)] == [None] * 4


def test_figures_cannot_be_changed_afterwards() -> None:
    with pytest.raises(FrozenInstanceError):
        Benchmarks().conflicts = Conflicts()  # type: ignore[misc]
