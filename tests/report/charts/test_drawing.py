"""Axes hold their values, and their labels can be read."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.charts.drawing import (
    Axis,
    Label,
    axis_around,
    axis_drawing,
    axis_ticks,
    decimals_of,
    round_step,
)
from assay.report.document.values import PERCENT, Band, Number

numbers = st.floats(-1e6, 1e6)


@given(st.lists(numbers, max_size=5), st.tuples(numbers, numbers), st.booleans())
def test_an_axis_holds_its_values_and_its_band(values: list[float], ends: tuple[float, float], zero: bool) -> None:
    band = Band(*sorted(ends)) if ends[0] != ends[1] else None

    axis = axis_around([*values, nan], band, zero=zero)

    assert axis.low < axis.high
    assert all(axis.holds(v) for v in (*values, *(band.ends if band else ())))
    assert 0 < len(axis.ticks()) < 20


@pytest.mark.parametrize("values", [[], [nan], [0.0], [inf], [1.0], [0.7, 0.7]])
def test_an_axis_is_never_empty(values: list[float]) -> None:
    axis = axis_around(values, None)

    assert axis.low < axis.high


def test_values_beyond_a_fixed_axis_stay_on_its_edge() -> None:
    assert (Axis(0, 1).place(-3), Axis(0, 1).place(7)) == (0, 1)


@pytest.mark.parametrize(("rough", "step"), [(1, 1), (1.9, 1), (2, 2), (4.9, 2), (5, 5), (0.03, 0.02), (730, 500)])
def test_steps_are_one_two_or_five_times_a_power_of_ten(rough: float, step: float) -> None:
    assert round_step(rough) == pytest.approx(step)


@pytest.mark.parametrize(("value", "decimals"), [(0, 0), (20, 0), (0.5, 1), (0.25, 2)])
def test_a_round_value_needs_no_more_decimals_than_it_has(value: float, decimals: int) -> None:
    assert decimals_of(value) == decimals


def test_an_axis_is_labelled_at_its_round_values() -> None:
    labels = axis_drawing(Axis(0, 1), Number(2)).shapes

    places = {float(label.text): label.x for label in labels if isinstance(label, Label)}
    assert places == pytest.approx({tick: tick for tick in Axis(0, 1).ticks()})
    assert "%" in axis_drawing(Axis(0, 1), PERCENT).shapes[-1].text  # type: ignore[union-attr]


def test_labels_of_many_columns_are_thinned_and_stay_above_their_columns() -> None:
    labels = axis_ticks([str(i) for i in range(100)], dy=20)

    assert len(labels) <= 15
    assert all(label.x == pytest.approx((int(label.text) + 0.5) / 100) for label in labels)
    assert any(label.spare for label in labels)
