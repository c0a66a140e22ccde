"""Arrays as models hold them."""

from dataclasses import dataclass

import numpy as np
import pytest

from assay.essays.models.arrays import DIGITS, Floats, ReadOnlyArrays, filled_with_mean, rounded


@dataclass(frozen=True, eq=False, slots=True)
class _Line(ReadOnlyArrays):
    slopes: Floats
    name: str


def test_the_arrays_of_a_model_cannot_be_written_to() -> None:
    line = _Line(np.array([1.0, 2.0]), "a")

    with pytest.raises(ValueError, match="read-only"):
        line.slopes[0] = 5.0
    assert line.name == "a"


def test_values_keep_six_significant_digits_whatever_their_size() -> None:
    values = np.array([[123456.7, 0.001234567], [-9.999999, 1e-300]])

    assert rounded(values).tolist() == [[123457.0, 0.00123457], [-10.0, 1e-300]]
    assert DIGITS == 6


def test_what_is_undefined_or_zero_stays_so_when_rounded() -> None:
    found = rounded(np.array([np.nan, 0.0, np.inf]))

    assert np.isnan(found[0])
    assert found[1:].tolist() == [0.0, np.inf]


def test_rounding_twice_changes_nothing() -> None:
    values = np.random.default_rng(1).normal(size=(20, 3)) * [1e-7, 1, 1e7]

    once = rounded(values)

    assert rounded(once).tolist() == once.tolist()
    assert once == pytest.approx(values, rel=5e-6)


def test_the_mean_of_what_is_known_stands_in_for_the_rest() -> None:
    mean, filled = filled_with_mean(
        np.array([[1.0, np.nan, 4.0, 9.0], [3.0, np.nan, np.inf, np.nan], [np.nan, np.nan, 6.0, np.nan]])
    )

    assert mean.tolist() == [2.0, 0.0, 5.0, 9.0]
    assert filled.tolist() == [[1, 0, 4, 9], [3, 0, 5, 9], [2, 0, 6, 9]]
