"""From chart to picture: where every mark of a chart goes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any

from assay.metrics.intervals import Estimate
from assay.report.charts import charts
from assay.report.charts import drawing as draw
from assay.report.charts.score_pictures import breakdown_picture, counts_picture, heat_picture, paired_bars_picture
from assay.report.document.board import Board, BoardRow
from assay.report.document.document import KeyFigure
from assay.report.document.values import Band, Chart, Number
from assay.report.document.wording import band_text, below_text, number_text, value_text


def picture(chart: Chart) -> draw.Picture:
    """The chart, laid out."""
    draws = _PICTURES.get(type(chart))
    if draws is None:
        from assay.report.charts.feature_pictures import PICTURES  # noqa: PLC0415 - charts that few reports have

        draws = PICTURES[type(chart)]
    return draws(chart)


def on_one_axis(figures: Sequence[KeyFigure]) -> tuple[KeyFigure, ...]:
    """Key figures of one kind, drawn so that what lies farther right is larger."""
    values = [end for f in figures for end in (f.estimate.value, f.estimate.low, f.estimate.high)]
    axis = draw.axis_around(values, figures[0].target if figures else None)
    return tuple(replace(figure, axis=(axis.low, axis.high)) for figure in figures)


def track(figure: KeyFigure) -> draw.Drawing:
    """The small chart of a key figure: the band, the threshold with its value, the interval and the value."""
    estimate, band = figure.estimate, figure.target
    values = (estimate.value, estimate.low, estimate.high)
    zero = figure.number.signed
    axis = draw.Axis(*figure.axis) if figure.axis else draw.axis_around(values, band, zero=zero)
    labels = _limit_labels([(axis.place(e), number_text(e, figure.number)) for e in (band.ends if band else ())])
    lane = (2 / 38, 22 / 38)
    return draw.Drawing(
        (*_lane(axis, band, lane, zero=zero), *_estimate(axis, estimate, 12 / 38, "neutral"), *labels), 38
    )


BOARD_ROW, BOARD_AXIS = 44, 40
"""Heights of a row of a board and of the axis below it, in px."""


def board_axis(board: Board) -> draw.Axis:
    """The one axis of a board, with room for every figure."""
    known = [v for row in board.rows for v in (row.estimate.value, row.estimate.low, row.estimate.high, *row.dots)]
    known += [*(board.band.ends if board.band else ()), *([] if board.line is None else [board.line])]
    known = [value for value in known if not isnan(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    margin = 0.06 * (high - low) or 0.1
    return draw.Axis(
        max(low - margin, -1.0) if low >= -1 else low - margin, min(high + margin, 1.0) if high <= 1 else high + margin
    )


def board_track(board: Board, row: BoardRow) -> draw.Drawing:
    """A row of a board: the band and line of people, single values, the interval and the figure."""
    axis = board_axis(board)
    shapes = list(_people(axis, board, 0, 1))
    shapes += [draw.Dot(axis.place(value), 0.5, 4, "human", "diamond") for value in row.dots]
    if not row.dots:
        shapes += _estimate(axis, row.estimate, 0.5, row.mark)
    return draw.Drawing(tuple(shapes), BOARD_ROW)


def board_scale(board: Board) -> draw.Drawing:
    """The axis below the rows, and what the line stands for."""
    axis = board_axis(board)
    ticks = axis.ticks(about=2)
    decimals = Number(min(2, max(draw.decimals_of(tick) for tick in ticks)))
    shapes: list[draw.Shape] = [draw.Line(0, 0, 1, 0, "zero")]
    for place, tick in enumerate(ticks):
        shapes.append(draw.Line(axis.place(tick), 0, axis.place(tick), 4 / BOARD_AXIS, "zero"))
        words = number_text(tick, decimals)
        shapes.append(draw.Label(axis.place(tick), 0, words, dy=17, spare=place % 2 == 1))
    if board.line is not None and board.line_label:
        x = axis.place(board.line)
        anchor: draw.Anchor = "end" if x > 0.75 else "start" if x < 0.25 else "middle"
        shapes.append(draw.Label(x, 0, board.line_label, "people-label", anchor, dy=34))
    return draw.Drawing(tuple(shapes), BOARD_AXIS)


def _people(axis: draw.Axis, board: Board, top: float, bottom: float) -> tuple[draw.Shape, ...]:
    shapes: list[draw.Shape] = []
    if board.band:
        left = axis.place(board.band.least) if board.band.least is not None else 0.0
        right = axis.place(board.band.most) if board.band.most is not None else 1.0
        shapes.append(draw.Rect(left, top, right - left, bottom - top, "people"))
    if board.line is not None:
        shapes.append(draw.Line(axis.place(board.line), top, axis.place(board.line), bottom, "people-line"))
    return tuple(shapes)


def _limit_labels(places: list[tuple[float, str]]) -> tuple[draw.Label, ...]:
    """The thresholds below the lane, pushed apart where two would touch."""
    if len(places) == 2 and places[1][0] - places[0][0] < 0.22:
        (x1, least), (x2, most) = places
        return (
            draw.Label(x1, 36 / 38, least, "limit-label", "end", dx=8),
            draw.Label(x2, 36 / 38, most, "limit-label", "start", dx=-8),
        )
    return tuple(draw.Label(x, 36 / 38, words, "limit-label") for x, words in places)


def _lane(axis: draw.Axis, band: Band | None, lane: tuple[float, float], *, zero: bool) -> tuple[draw.Shape, ...]:
    """What lies behind an estimate: band, base line, zero line, thresholds."""
    top, bottom = lane
    middle = (top + bottom) / 2
    shapes: list[draw.Shape] = []
    if band:
        left = axis.place(band.least) if band.least is not None else 0.0
        right = axis.place(band.most) if band.most is not None else 1.0
        shapes.append(draw.Rect(left, top, right - left, bottom - top, "band"))
    shapes.append(draw.Line(0, middle, 1, middle, "base"))
    if zero and axis.holds(0):
        shapes.append(draw.Line(axis.place(0), top, axis.place(0), bottom, "zero"))
    ends = [axis.place(end) for end in (band.ends if band else ()) if axis.holds(end)]
    return (*shapes, *(draw.Line(x, top, x, bottom, "limit") for x in ends))


def _estimate(
    axis: draw.Axis, estimate: Estimate, y: float, mark: charts.Mark, radius: float = 6
) -> tuple[draw.Shape, ...]:
    """The interval as a line, the value as a mark on it; nothing if the value is undefined."""
    if isnan(estimate.value):
        return ()
    shape = draw.Dot(axis.place(estimate.value), y, radius, mark, "diamond" if mark == "human" else "circle")
    if not estimate.has_interval:
        return (shape,)
    return (draw.Line(axis.place(estimate.low), y, axis.place(estimate.high), y, f"interval {mark}"), shape)


def interval_picture(chart: charts.IntervalPlot) -> draw.Picture:
    """One row per estimate on a shared axis, its figures at the end of the row."""
    estimates = [e for row in chart.rows for e in row.estimates if e is not None]
    values = [v for e in estimates for v in (e.value, e.low, e.high)]
    axis = draw.Axis(*chart.axis) if chart.axis else draw.axis_around(values, chart.band, zero=chart.zero)
    rows = tuple(_interval_row(chart, axis, row) for row in chart.rows)
    several = len(chart.series) > 1
    key = tuple(draw.KeyEntry(s.mark, s.label) for s in chart.series) if several else ()
    band = f"Band: {band_text(chart.band, chart.number)}." if chart.band else ""
    note = " ".join(part for part in (f"{chart.axis_title}." if chart.axis_title else "", band) if part)
    return draw.Picture(draw.DrawnRows(rows, draw.axis_drawing(axis, chart.number)), key, note)


def _interval_row(chart: charts.IntervalPlot, axis: draw.Axis, row: charts.IntervalRow) -> draw.DrawnRow:
    count = len(chart.series)
    shapes = _lane(axis, chart.band, (0, 1), zero=chart.zero)
    given = [(series, estimate) for series, estimate in zip(chart.series, row.estimates, strict=True) if estimate]
    height = 1 if all(sum(e is not None for e in one.estimates) <= 1 for one in chart.rows) else count
    for i, (series, estimate) in enumerate(given):
        shapes += _estimate(axis, estimate, (i + 1) / (len(given) + 1), series.mark)
    values = tuple(
        draw.RowValue(value_text(e, chart.number), below_text(e, chart.number), s.mark if count > 1 else "")
        for s, e in zip(chart.series, row.estimates, strict=True)
        if e is not None
    )
    return draw.DrawnRow(
        row.label, "" if row.n is None else f"{row.n:,}", draw.Drawing(shapes, 16 + 20 * height), values
    )


def level_picture(chart: charts.LevelPlot) -> draw.Picture:
    """The levels side by side, the zero line across them, each estimate with its interval upright."""
    estimates = [level.estimate for level in chart.levels]
    axis = draw.axis_around([v for e in estimates for v in (e.value, e.low, e.high)], chart.band, zero=True)
    shapes: list[draw.Shape] = list(_upright_lane(axis, chart))
    count = len(chart.levels)
    for i, level in enumerate(chart.levels):
        x = (i + 0.5) / count
        shapes += _upright(axis, level.estimate, x, 6 if count <= draw.MOST_ROWS else 3.5)
        if count <= 8 and not isnan(level.estimate.value):
            top = level.estimate.high if level.estimate.has_interval else level.estimate.value
            shapes.append(draw.Label(x, 1 - axis.place(top), value_text(level.estimate, chart.number), "value", dy=-9))
    shapes += draw.axis_ticks([level.label for level in chart.levels], dy=20)
    if count <= 12:
        for i, level in enumerate(chart.levels):
            n = "n/a" if isnan(level.estimate.value) else "" if level.n is None else f"n={level.n:,}"
            shapes.append(draw.Label((i + 0.5) / count, 1, n, "small", dy=37))
    band = f" Band: {band_text(chart.band, chart.number)}." if chart.band else ""
    below = f"{chart.axis_title}, at each {chart.level_title.lower()}"
    note = f"{below}{'; the number of responses below it' if count <= 12 else ''}.{band}"
    return draw.Picture(draw.Drawing(tuple(shapes), 220, left=44, top=16, bottom=44 if count <= 12 else 28), note=note)


def _upright_lane(axis: draw.Axis, chart: charts.LevelPlot) -> tuple[draw.Shape, ...]:
    shapes: list[draw.Shape] = []
    if chart.band:
        top = 1 - axis.place(axis.high if chart.band.most is None else chart.band.most)
        bottom = 1 - axis.place(axis.low if chart.band.least is None else chart.band.least)
        shapes.append(draw.Rect(0, top, 1, bottom - top, "band"))
    for tick in axis.ticks():
        y = 1 - axis.place(tick)
        digits = Number(min(2, max(draw.decimals_of(t) for t in axis.ticks())), signed=True)
        shapes.append(draw.Line(0, y, 1, y, "zero" if tick == 0 else "base"))
        words = number_text(tick, digits) if tick else "0"
        shapes.append(draw.Label(0, y, words, anchor="end", dx=-8, dy=4))
    ends = chart.band.ends if chart.band else ()
    return (*shapes, *(draw.Line(0, 1 - axis.place(end), 1, 1 - axis.place(end), "limit") for end in ends))


def _upright(axis: draw.Axis, estimate: Estimate, x: float, radius: float) -> tuple[draw.Shape, ...]:
    if isnan(estimate.value):
        return ()
    dot = draw.Dot(x, 1 - axis.place(estimate.value), radius, "system")
    if not estimate.has_interval:
        return (dot,)
    low, high = (1 - axis.place(end) for end in (estimate.low, estimate.high))
    return (draw.Line(x, low, x, high, "interval system"), dot)


_PICTURES: Mapping[type[Any], Callable[[Any], draw.Picture]] = {
    charts.IntervalPlot: interval_picture,
    charts.LevelPlot: level_picture,
    charts.PairedBars: paired_bars_picture,
    charts.HeatMap: heat_picture,
    charts.Breakdown: breakdown_picture,
    charts.Bars: counts_picture,
}
