"""Charts of features, laid out within their canvas."""

from math import isnan, nan
from typing import Any

import pytest

from assay.metrics.intervals import Estimate
from assay.report.charts.drawing import Dot, Drawing, DrawnRows, Line, Rect
from assay.report.charts.feature_charts import (
    BoxRow,
    BoxRows,
    LinePlot,
    Scatter,
    SignedBar,
    SignedBars,
    Swarm,
    SwarmDot,
    SwarmRow,
    Trace,
    ValueMap,
    Waterfall,
    WaterfallStep,
)
from assay.report.charts.feature_pictures import (
    bars_picture,
    box_picture,
    line_picture,
    map_picture,
    scatter_picture,
    span_of,
    swarm_picture,
    waterfall_picture,
)
from assay.report.charts.figures import picture
from assay.report.document.values import Chart

CHARTS: list[Chart] = [
    BoxRows(name="b", title="B", says="s", alt="a", rows=(BoxRow("x", 3, 1, 2, 3, 4, 5, (9.0,)),), limits=(0.0,)),
    SignedBars(name="s", title="S", says="s", alt="a", bars=(SignedBar("x", (-0.5,)), SignedBar("y", (0.2,)))),
    ValueMap(name="m", title="M", says="s", alt="a", rows=("x",), columns=("y", "z"), values=((-0.4, float("nan")),)),
    Waterfall(
        name="w",
        title="W",
        says="s",
        alt="a",
        start=3,
        start_label="0",
        end_label="1",
        steps=(WaterfallStep("x", "", -1),),
    ),
]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: type(chart).__name__)
def test_a_chart_stays_within_its_canvas(chart: Chart) -> None:
    body = picture(chart).body
    drawings = [row.drawing for row in body.rows] if hasattr(body, "rows") else [body]

    places = [
        value
        for drawing in drawings
        for shape in drawing.shapes
        for value in (getattr(shape, "x", 0), getattr(shape, "y", 0), getattr(shape, "x1", 0), getattr(shape, "x2", 0))
    ]

    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)


WORDS: dict[str, Any] = {"name": "c", "title": "T", "says": "S", "alt": "A"}


@pytest.mark.parametrize("values", [[], [nan], [0.0], [3.0], [1.0, 2.0]])
def test_an_axis_is_just_around_its_values_and_never_empty(values: list[float]) -> None:
    axis = span_of(values)

    assert axis.low < axis.high
    assert all(axis.holds(value) for value in values if not isnan(value))


def test_the_middle_half_lies_between_the_whiskers() -> None:
    body = box_picture(
        BoxRows(**WORDS, rows=(BoxRow("x", 9, 1, 2, 3, 4, 5, (9.0,)), BoxRow("none", 0, nan, nan, nan, nan, nan)))
    ).body

    assert isinstance(body, DrawnRows)
    (box,) = (shape for shape in body.rows[0].drawing.shapes if isinstance(shape, Rect))
    low, high, median = (shape for shape in body.rows[0].drawing.shapes if isinstance(shape, Line))
    assert low.x1 < low.x2 == box.x < median.x1 < box.x + box.width == pytest.approx(high.x1)
    assert body.rows[1].drawing.shapes == ()
    assert body.rows[0].values[0].text == "3.00"


def test_bars_leave_the_zero_line_to_their_own_side() -> None:
    body = bars_picture(SignedBars(**WORDS, bars=(SignedBar("x", (-0.5,)), SignedBar("y", (0.2,))))).body

    assert isinstance(body, DrawnRows)
    ((left, zero), (right, _)) = (row.drawing.shapes for row in body.rows)
    assert isinstance(left, Rect)
    assert isinstance(right, Rect)
    assert isinstance(zero, Line)
    assert left.x + left.width == pytest.approx(zero.x1) == pytest.approx(right.x)
    assert (left.style, right.style) == ("bar loss", "bar part")


def test_a_line_has_a_gap_where_nothing_was_measured() -> None:
    known, places = Estimate(0.5), ("1", "2", "3")
    body = line_picture(LinePlot(**WORDS, places=places, traces=(Trace("a", (known, None, known)),))).body

    assert isinstance(body, Drawing)
    assert len([shape for shape in body.shapes if isinstance(shape, Dot)]) == 2


def test_cells_are_shaded_by_sign_and_size() -> None:
    body = map_picture(ValueMap(**WORDS, rows=("x",), columns=("a", "b", "c"), values=((-1.0, 0.2, nan),))).body

    assert isinstance(body, Drawing)
    assert [s.style for s in body.shapes if isinstance(s, Rect)] == ["cell fall-4", "cell rise-1", "cell empty"]


def test_a_point_higher_up_is_drawn_higher_up() -> None:
    body = scatter_picture(Scatter(**WORDS, points=((0, 0), (1, 1)), x_title="X", y_title="Y")).body

    assert isinstance(body, Drawing)
    low, high = (shape for shape in body.shapes if isinstance(shape, Dot))
    assert (low.x < high.x, low.y > high.y) == (True, True)


def test_dots_at_one_value_are_heaped() -> None:
    dots = tuple(SwarmDot(0.5, level) for level in (0, 2, 4))
    body = swarm_picture(Swarm(**WORDS, rows=(SwarmRow("words", dots, 0.5, 0.5, 0.5),))).body

    assert isinstance(body, DrawnRows)
    drawn = [shape for shape in body.rows[0].drawing.shapes if isinstance(shape, Dot)]
    assert len({dot.y for dot in drawn}) == 3
    assert [dot.style for dot in drawn] == ["level-0", "level-2", "level-4"]


def test_each_step_of_a_waterfall_begins_where_the_one_before_ended() -> None:
    steps = (WaterfallStep("a", "", 1), WaterfallStep("b", "", -2))
    body = waterfall_picture(Waterfall(**WORDS, start=3, start_label="0", end_label="1", steps=steps)).body

    assert isinstance(body, DrawnRows)
    assert [row.values[0].text for row in body.rows] == ["3.00", "+1.00", "−2.00", "2.00"]
    first, second = (next(s for s in row.drawing.shapes if isinstance(s, Rect)) for row in body.rows[1:3])
    assert first.x + first.width == pytest.approx(second.x + second.width)
