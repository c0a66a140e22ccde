"""Charts are laid out on their axes, whatever their values."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.metrics.intervals import Estimate
from assay.report.charts.charts import HeatMap, Level, LevelPlot, PairedBars, PairOfBars
from assay.report.charts.drawing import Axis, Dot, Drawing, DrawnRows, Label, Line, Rect, axis_around
from assay.report.charts.figures import picture, track
from assay.report.document.document import KeyFigure
from assay.report.document.values import Band

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


def test_the_value_of_a_key_figure_lies_where_its_axis_says() -> None:
    figure = KeyFigure("QWK", "", Estimate(0.75, 0.7, 0.8), Band(least=0.7), "met", axis=(0.5, 1.0))

    drawing = track(figure)

    (dot,) = (shape for shape in drawing.shapes if isinstance(shape, Dot))
    (interval,) = (s for s in drawing.shapes if isinstance(s, Line) and s.style == "interval neutral")
    assert dot.x == pytest.approx(0.5)
    assert (interval.x1, interval.x2) == pytest.approx((0.4, 0.6))


def test_an_undefined_key_figure_draws_its_band_and_no_dot() -> None:
    drawing = track(KeyFigure("PRMSE", "", Estimate(reason="no second reader"), Band(least=0.8)))

    assert not any(isinstance(shape, Dot) for shape in drawing.shapes)
    assert any(isinstance(shape, Rect) and shape.style == "band" for shape in drawing.shapes)


def test_bars_are_as_long_as_their_shares() -> None:
    chart = PairedBars(name="d", title="T", says="S", alt="A", points=(PairOfBars("1", 1, 2), PairOfBars("2", 3, 2)))

    body = picture(chart).body

    assert isinstance(body, DrawnRows)
    widths = [[s.width for s in row.drawing.shapes if isinstance(s, Rect)] for row in body.rows]
    assert widths == [pytest.approx([0.25 / 0.75, 0.5 / 0.75]), pytest.approx([1.0, 0.5 / 0.75])]


@pytest.mark.parametrize(("size", "numbered"), [(2, True), (15, True), (16, False), (61, False)])
def test_a_heat_map_shows_numbers_only_where_they_can_be_read(size: int, numbered: bool) -> None:
    counts = tuple(tuple(int(i == j) for j in range(size)) for i in range(size))
    chart = HeatMap(name="h", title="T", says="S", alt="A", levels=tuple(str(i) for i in range(size)), counts=counts)

    body = picture(chart).body

    assert isinstance(body, Drawing)
    assert any(isinstance(s, Label) and s.style == "count strong" for s in body.shapes) is numbered
    assert sum(isinstance(s, Rect) and "same-4" in s.style for s in body.shapes) == size


def test_a_long_scale_keeps_at_most_fifteen_labels() -> None:
    levels = tuple(Level(str(i), Estimate(0.1, 0.0, 0.2)) for i in range(61))

    body = picture(LevelPlot(name="l", title="T", says="S", alt="A", levels=levels)).body

    assert isinstance(body, Drawing)
    below = [s.text for s in body.shapes if isinstance(s, Label) and s.y == 1]
    assert below == [str(i) for i in range(0, 61, 5)]


def test_values_beyond_a_fixed_axis_stay_on_its_edge() -> None:
    assert (Axis(0, 1).place(-3), Axis(0, 1).place(7)) == (0, 1)
