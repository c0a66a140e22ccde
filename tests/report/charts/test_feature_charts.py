"""Charts of features have a table of their figures, and refuse what cannot be drawn."""

from math import nan
from typing import Any

import pytest

from assay.errors import InputError
from assay.metrics.intervals import Estimate
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


def test_bars_need_a_value_for_each_series() -> None:
    with pytest.raises(InputError, match="each bar needs a value"):
        SignedBars(name="s", title="S", says="s", alt="a", bars=(SignedBar("x", (1.0, 2.0)),))


WORDS: dict[str, Any] = {"name": "c", "title": "T", "says": "S", "alt": "A"}


def test_a_waterfall_ends_where_its_steps_lead() -> None:
    steps = (WaterfallStep("words", "412", 0.75), WaterfallStep("errors", "9", -0.25))
    chart = Waterfall(**WORDS, start=3.0, start_label="mean", steps=steps, end_label="score")

    assert chart.end == 3.5
    assert [row[-1] for row in chart.table.rows] == [3.0, 3.75, 3.5]


def test_every_chart_has_the_figures_it_draws_in_its_table() -> None:
    box = BoxRows(**WORDS, rows=(BoxRow("x", 3, 1, 2, 3, 4, 5, (9.0,)),))
    line = LinePlot(**WORDS, places=("1", "2"), traces=(Trace("a", (Estimate(0.5), None)),))
    swarm = Swarm(**WORDS, rows=(SwarmRow("words", (SwarmDot(0.1, 4),), 0.1, 0.1, 0.1),))
    grid = ValueMap(**WORDS, rows=("x",), columns=("y", "z"), values=((-0.4, nan),))
    points = Scatter(**WORDS, points=((1.0, 2.0), (3.0, 4.0)), x_title="X", y_title="Y")

    assert box.table.rows[0][:2] == ("x", 3)
    assert 3 in box.table.rows[0][2:]
    assert any(isinstance(cell, Estimate) and cell.value == 0.5 for row in line.table.rows for cell in row)
    assert swarm.table.rows[0][0] == "words"
    assert any(cell == -0.4 for row in grid.table.rows for cell in row)
    assert points.table.rows == ((1.0, 2.0), (3.0, 4.0))
