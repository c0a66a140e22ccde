"""Where the marks go in charts of features: box plots, bars, lines, grids, and shares in scores."""

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, pairwise
from math import isfinite, isnan
from typing import Any

from assay.report.charts import drawing as draw
from assay.report.charts import feature_charts as charts
from assay.report.document.values import Number
from assay.report.document.wording import MINUS, number_text

SERIES = ("whole", "part", "piece")
DASHES = ("solid", "dashed", "dotted")
"""Lines are told apart by their dashes and by the names at their ends."""
MOST_WRITTEN, MOST_COMPACT = 12, 24
"""In wider grids the values are left out."""
MOST_SIGNED = 30
"""In grids without values up to this wide, cells below zero bear a sign."""
BINS = 90
MOST_HIGH = 7
"""So many dots above each other on either side of the middle; further ones overlap."""


def span_of(values: Sequence[float], *, margin: float = 0.06) -> draw.Axis:
    """An axis just around some values."""
    known = [value for value in values if isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = margin * (high - low) or 0.5 * abs(high) or 0.5
    return draw.Axis(low - room, high + room)


def box_picture(chart: charts.BoxRows) -> draw.Picture:
    """One row per box on a shared axis."""
    ends = [end for row in chart.rows for end in (row.low, row.high, *row.outliers)]
    axis = span_of([*ends, *chart.limits])
    places = [axis.place(value) for value in chart.limits if isfinite(value)]
    limits = [draw.Line(x, 0, x, 1, "limit") for x in places]
    rows = tuple(
        draw.DrawnRow(
            row.label,
            f"{row.n:,}",
            draw.Drawing((*limits, *_box(axis, row)), 34),
            (draw.RowValue(number_text(row.median, chart.number)),),
        )
        for row in chart.rows
    )
    note = f"{chart.axis_title}. The box holds the middle half, its line is the median, given at the end of the row."
    return draw.Picture(draw.DrawnRows(rows, draw.axis_drawing(axis, chart.number)), note=note)


def _box(axis: draw.Axis, row: charts.BoxRow) -> tuple[draw.Shape, ...]:
    if isnan(row.median):
        return ()
    low, first, median, third, high = map(axis.place, (row.low, row.first, row.median, row.third, row.high))
    return (
        draw.Line(low, 0.5, first, 0.5, "interval neutral"),
        draw.Line(third, 0.5, high, 0.5, "interval neutral"),
        draw.Rect(first, 0.24, max(third - first, 0.002), 0.52, "bar piece"),
        draw.Line(median, 0.24, median, 0.76, "median"),
        *(draw.Dot(axis.place(value), 0.5, 2.2, "faint") for value in row.outliers),
    )


def bars_picture(chart: charts.SignedBars) -> draw.Picture:
    """One row per label, the bars of its series below each other."""
    values = [value for bar in chart.bars for value in bar.values if isfinite(value)]
    low, high = min([0.0, *values]), max([0.0, *values])
    room = 0.04 * (high - low) or 0.5
    axis = draw.Axis(low - room if low < 0 else 0.0, high + room if high > 0 else 0.0)
    rows = tuple(_bar_row(chart, axis, bar) for bar in chart.bars)
    styles = [f"bar {style}" for style in SERIES]
    key = tuple(draw.KeyEntry(style, label) for style, label in zip(styles, chart.series, strict=False))
    several = len(chart.series) > 1
    note = f"{chart.axis_title}; bars start at zero." if chart.axis_title else "Bars start at zero."
    return draw.Picture(draw.DrawnRows(rows, draw.axis_drawing(axis, chart.number)), key if several else (), note)


def _bar_row(chart: charts.SignedBars, axis: draw.Axis, bar: charts.SignedBar) -> draw.DrawnRow:
    count = len(chart.series)
    zero = axis.place(0)
    height = 0.64 / count
    shapes: list[draw.Shape] = []
    for i, value in enumerate(bar.values):
        if isfinite(value):
            end = axis.place(value)
            style = SERIES[i] if count > 1 else "loss" if value < 0 else "part"
            place = 0.18 + i * height
            shapes.append(draw.Rect(min(zero, end), place, max(abs(end - zero), 0.002), 0.86 * height, f"bar {style}"))
    shapes.append(draw.Line(zero, 0, zero, 1, "zero"))
    marks = [f"bar {style}" for style in SERIES] if count > 1 else [""]
    values = tuple(
        draw.RowValue(number_text(v, chart.number), mark=mark) for v, mark in zip(bar.values, marks, strict=False)
    )
    return draw.DrawnRow(bar.label, bar.note, draw.Drawing(tuple(shapes), 14 + 18 * count), values)


def line_picture(chart: charts.LinePlot) -> draw.Picture:
    """The places side by side, a line per trace, named ones labelled at their end."""
    drawn = [e.value for trace in chart.traces for e in trace.points if e is not None]
    limits = [] if chart.limit is None else [chart.limit]
    intervals = [v for t in chart.traces if t.bold for e in t.points if e is not None for v in (e.low, e.high)]
    axis = draw.axis_around([*drawn, *limits, *intervals], None) if not limits else span_of([0.0, *drawn, *limits])
    shapes: list[draw.Shape] = list(_grid(axis))
    if chart.limit is not None:
        y = 1 - axis.place(chart.limit)
        shapes.append(draw.Line(0, y, 1, y, "limit"))
    dashes = cycle(DASHES)
    for trace in sorted(chart.traces, key=lambda t: (t.bold, t.named)):
        shapes += _trace(trace, axis, len(chart.places), next(dashes) if trace.named and not trace.bold else "")
    shapes += _end_labels(chart, axis)
    shapes += draw.axis_ticks(list(chart.places), dy=20)
    longest = max((len(t.label) for t in chart.traces if t.named), default=0)
    note = f"{chart.axis_title}; across: {chart.place_title[:1].lower()}{chart.place_title[1:]}."
    right = max(8.0, 18 + 7.4 * min(18, longest) - 24) if longest and len(chart.traces) > 1 else 8
    return draw.Picture(draw.Drawing(tuple(shapes), 200, left=44, right=right, top=12, bottom=28), note=note)


def _grid(axis: draw.Axis) -> tuple[draw.Shape, ...]:
    ticks = axis.ticks()
    written = Number(min(2, max(draw.decimals_of(t) for t in ticks)))
    lines = [draw.Line(0, 1 - axis.place(t), 1, 1 - axis.place(t), "zero" if t == 0 else "base") for t in ticks]
    labels = [draw.Label(0, 1 - axis.place(t), number_text(t, written), anchor="end", dx=-8, dy=4) for t in ticks]
    return (*lines, *labels)


def _trace(trace: charts.Trace, axis: draw.Axis, count: int, dash: str) -> list[draw.Shape]:
    style = "trace bold" if trace.bold else f"trace {dash}" if trace.named else "trace quiet"
    places = [((i + 0.5) / count, e) for i, e in enumerate(trace.points) if e is not None and not isnan(e.value)]
    shapes: list[draw.Shape] = [
        draw.Line(x1, 1 - axis.place(a.value), x2, 1 - axis.place(b.value), style)
        for (x1, a), (x2, b) in pairwise(places)
    ]
    for x, e in places:
        if trace.bold and e.has_interval:
            shapes.append(draw.Line(x, 1 - axis.place(e.low), x, 1 - axis.place(e.high), "interval neutral"))
        if trace.named:
            shapes.append(
                draw.Dot(x, 1 - axis.place(e.value), 4.5 if trace.bold else 3, "neutral" if trace.bold else "faint")
            )
    return shapes


def _end_labels(chart: charts.LinePlot, axis: draw.Axis) -> list[draw.Label]:
    """Names at the right end of their lines, pushed apart where they would touch."""
    ends = []
    for trace in chart.traces:
        known = [e for e in trace.points if e is not None and not isnan(e.value)]
        if trace.named and known and len(chart.traces) > 1:
            last = max(i for i, e in enumerate(trace.points) if e is not None and not isnan(e.value))
            ends.append((1 - axis.place(known[-1].value), (last + 0.5) / len(trace.points), trace))
    ends.sort(key=lambda end: end[0])
    labels, above = [], -1.0
    for y, x, trace in ends:
        place = max(y, above + 0.085)
        above = place
        words = trace.label if len(trace.label) <= 18 else trace.label[:17] + "…"
        labels.append(draw.Label(x, place, words, "value" if trace.bold else "tick", "start", dx=10, dy=4))
    return labels


def map_picture(chart: charts.ValueMap) -> draw.Picture:
    """A grid of cells, shaded by the size of their value."""
    rows, columns = len(chart.rows), len(chart.columns)
    known = [abs(v) for row in chart.values for v in row if isfinite(v)]
    most = chart.most if isfinite(chart.most) else max(known, default=1.0) or 1.0
    written = chart.written and columns <= (MOST_COMPACT if chart.compact else MOST_WRITTEN)
    cell = 34.0 if chart.compact else 56.0
    small = "" if written else " small-cell"
    gap = 0.03 if written else 0.0
    shapes: list[draw.Shape] = []
    for i, row in enumerate(chart.values):
        for j, value in enumerate(row):
            sides = ((j + gap) / columns, (i + gap) / rows, (1 - 2 * gap) / columns, (1 - 2 * gap) / rows)
            shapes.append(draw.Rect(*sides, _shade(value, most) + small))
            if written:
                words = number_text(value, chart.number) if isfinite(value) else "·"
                words = words.replace("0.", ".") if chart.compact and words != "0.00" else words
                shapes.append(draw.Label((j + 0.5) / columns, (i + 0.5) / rows, words, "count small", dy=4))
            elif columns <= MOST_SIGNED and _shade(value, most).startswith("cell fall"):
                shapes.append(draw.Label((j + 0.5) / columns, (i + 0.5) / rows, MINUS, "count small", dy=4))
    shapes += [draw.Label(0, (i + 0.5) / rows, _short(v), anchor="end", dx=-8, dy=4) for i, v in enumerate(chart.rows)]
    heads = [
        draw.Label(m.x, 0, _short(m.text, 8), "small", dy=-8, spare=m.spare)
        for m in draw.axis_ticks(list(chart.columns), dy=0)
    ]
    title = draw.Label(0, 0, chart.column_title, anchor="start", dy=-30)
    margin = 14 + 7.2 * min(16, max((len(v) for v in chart.rows), default=1))
    drawing = draw.Drawing(
        (*shapes, *(heads if written else ()), title),
        (30.0 if written else 24.0) * rows,
        left=margin,
        top=46,
        widest=(cell + 16) * columns + margin if written else None,
        narrowest=cell * columns + margin if written else None,
    )
    key = (draw.KeyEntry(f"cell rise-3{small}", "above zero"), draw.KeyEntry(f"cell fall-3{small}", "below zero"))
    strongest = number_text(most, Number(2))
    note = f"Rows: {chart.row_title.lower()}. The stronger the shade, the further from zero; full at {strongest}."
    return draw.Picture(drawing, key, note)


def _short(words: str, most: int = 16) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def _shade(value: float, most: float) -> str:
    if not isfinite(value) or abs(value) < 0.04 * most:
        return "cell empty"
    step = 1 + min(3, int(4 * abs(value) / most - 1e-9))
    return f"cell {'rise' if value > 0 else 'fall'}-{step}"


def scatter_picture(chart: charts.Scatter) -> draw.Picture:
    """Points between two axes."""
    xs, ys = ([point[i] for point in chart.points] for i in (0, 1))
    ends = chart.line or ()
    across, up = span_of([*xs, *(x for x, _ in ends)]), span_of([*ys, *(y for _, y in ends)])
    shapes: list[draw.Shape] = list(_grid(up))
    if chart.line is not None:
        (x1, y1), (x2, y2) = chart.line
        shapes.append(draw.Line(across.place(x1), 1 - up.place(y1), across.place(x2), 1 - up.place(y2), "limit"))
    shapes += [draw.Dot(across.place(x), 1 - up.place(y), 2.2, "faint") for x, y in chart.points]
    ticks = across.ticks()
    written = Number(min(2, max(draw.decimals_of(t) for t in ticks)))
    shapes += [draw.Label(across.place(t), 1, number_text(t, written), dy=20) for t in ticks]
    drawing = draw.Drawing(tuple(shapes), 240, left=44, right=8, top=8, bottom=28, widest=620)
    return draw.Picture(drawing, note=f"Across: {chart.x_title.lower()}; up: {chart.y_title.lower()}.")


def swarm_picture(chart: charts.Swarm) -> draw.Picture:
    """One row per feature."""
    axis = span_of([0.0, *(end for row in chart.rows for end in (row.low, row.high))])
    rows = tuple(
        draw.DrawnRow(
            row.label,
            "",
            draw.Drawing((draw.Line(axis.place(0), 0, axis.place(0), 1, "zero"), *_swarm(axis, row)), 44),
            (draw.RowValue(number_text(row.mean, Number(chart.number.decimals)), "mean size"),),
        )
        for row in chart.rows
    )
    key = (
        draw.KeyEntry("level-0", "feature low"),
        draw.KeyEntry("level-2", "feature in the middle"),
        draw.KeyEntry("level-4", "feature high"),
    )
    return draw.Picture(
        draw.DrawnRows(rows, draw.axis_drawing(axis, chart.number)), key, f"{chart.axis_title}. A dot is a response."
    )


def _swarm(axis: draw.Axis, row: charts.SwarmRow) -> list[draw.Dot]:
    heights: dict[int, int] = {}
    dots = []
    for dot in row.dots:
        x = axis.place(dot.value)
        place = int(x * BINS)
        number = heights.get(place, 0)
        heights[place] = number + 1
        step = min((number + 1) // 2, MOST_HIGH) * (1 if number % 2 else -1)
        dots.append(draw.Dot(x, 0.5 + step * 0.42 / MOST_HIGH, 2.6, f"level-{dot.level}"))
    return dots


def waterfall_picture(chart: charts.Waterfall) -> draw.Picture:
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
        shapes: tuple[draw.Shape, ...] = (
            draw.Line(axis.place(before), 0, axis.place(before), 0.5, "base"),
            draw.Rect(low, 0.26, max(high - low, 0.003), 0.48, f"bar {style}"),
            draw.Line(axis.place(after), 0.5, axis.place(after), 1, "base"),
        )
        rows.append(
            draw.DrawnRow(
                step.label, step.note, draw.Drawing(shapes, 38), (draw.RowValue(number_text(step.change, signed)),)
            )
        )
    rows.append(_whole(axis, chart.end_label, chart.end, chart.number))
    key = (draw.KeyEntry("bar part", "raises the score"), draw.KeyEntry("bar loss", "lowers the score"))
    return draw.Picture(draw.DrawnRows(tuple(rows), draw.axis_drawing(axis, chart.number)), key, f"{chart.axis_title}.")


def _whole(axis: draw.Axis, label: str, value: float, number: Number) -> draw.DrawnRow:
    shapes: tuple[draw.Shape, ...] = (
        draw.Line(axis.place(value), 0, axis.place(value), 1, "zero"),
        draw.Dot(axis.place(value), 0.5, 6, "neutral"),
    )
    return draw.DrawnRow(label, "", draw.Drawing(shapes, 38), (draw.RowValue(number_text(value, number)),))


PICTURES: Mapping[type[Any], Callable[[Any], draw.Picture]] = {
    charts.BoxRows: box_picture,
    charts.SignedBars: bars_picture,
    charts.LinePlot: line_picture,
    charts.Swarm: swarm_picture,
    charts.Waterfall: waterfall_picture,
    charts.ValueMap: map_picture,
    charts.Scatter: scatter_picture,
}
