"""Where the marks go in charts of shares: the swarm of all responses, the waterfall of one."""

from assay.report.charts.axis import Axis
from assay.report.charts.axis_drawing import axis_drawing
from assay.report.charts.drawing import (
    Dot,
    Drawing,
    DrawnRow,
    DrawnRows,
    KeyEntry,
    Line,
    Picture,
    Rect,
    RowValue,
    Shape,
)
from assay.report.charts.feature_charts import Swarm, SwarmRow, Waterfall
from assay.report.charts.feature_pictures import span_of
from assay.report.document.values import Number
from assay.report.document.wording import number_text

BINS = 90
MOST_HIGH = 7
"""So many dots above each other on either side of the middle; further ones overlap."""


def swarm_picture(chart: Swarm) -> Picture:
    """One row per feature."""
    axis = span_of([0.0, *(end for row in chart.rows for end in (row.low, row.high))])
    rows = tuple(
        DrawnRow(
            row.label,
            "",
            Drawing((Line(axis.place(0), 0, axis.place(0), 1, "zero"), *_swarm(axis, row)), 44),
            (RowValue(number_text(row.mean, Number(chart.number.decimals)), "mean size"),),
        )
        for row in chart.rows
    )
    key = (
        KeyEntry("level-0", "feature low"),
        KeyEntry("level-2", "feature in the middle"),
        KeyEntry("level-4", "feature high"),
    )
    return Picture(DrawnRows(rows, axis_drawing(axis, chart.number)), key, f"{chart.axis_title}. A dot is a response.")


def _swarm(axis: Axis, row: SwarmRow) -> list[Dot]:
    heights: dict[int, int] = {}
    dots = []
    for dot in row.dots:
        x = axis.place(dot.value)
        place = int(x * BINS)
        number = heights.get(place, 0)
        heights[place] = number + 1
        step = min((number + 1) // 2, MOST_HIGH) * (1 if number % 2 else -1)
        dots.append(Dot(x, 0.5 + step * 0.42 / MOST_HIGH, 2.6, f"level-{dot.level}"))
    return dots


def waterfall_picture(chart: Waterfall) -> Picture:
    """One row per part, from where the parts before it have led."""
    reached = [chart.start]
    for step in chart.steps:
        reached.append(reached[-1] + step.change)
    axis = span_of(reached, margin=0.1)
    signed = Number(chart.number.decimals, signed=True)
    rows = [_whole(axis, chart.start_label, chart.start, chart.number)]
    for step, before, after in zip(chart.steps, reached, reached[1:], strict=False):
        low, high = sorted((axis.place(before), axis.place(after)))
        style = "loss" if step.change < 0 else "part"
        shapes: tuple[Shape, ...] = (
            Line(axis.place(before), 0, axis.place(before), 0.5, "base"),
            Rect(low, 0.26, max(high - low, 0.003), 0.48, f"bar {style}"),
            Line(axis.place(after), 0.5, axis.place(after), 1, "base"),
        )
        rows.append(DrawnRow(step.label, step.note, Drawing(shapes, 38), (RowValue(number_text(step.change, signed)),)))
    rows.append(_whole(axis, chart.end_label, chart.end, chart.number))
    key = (KeyEntry("bar part", "raises the score"), KeyEntry("bar loss", "lowers the score"))
    return Picture(DrawnRows(tuple(rows), axis_drawing(axis, chart.number)), key, f"{chart.axis_title}.")


def _whole(axis: Axis, label: str, value: float, number: Number) -> DrawnRow:
    shapes: tuple[Shape, ...] = (
        Line(axis.place(value), 0, axis.place(value), 1, "zero"),
        Dot(axis.place(value), 0.5, 6, "neutral"),
    )
    return DrawnRow(label, "", Drawing(shapes, 38), (RowValue(number_text(value, number)),))
