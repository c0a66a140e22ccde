"""Where the marks go in charts of scores: distributions, pairs of scores, how a score adds up, and plain counts."""

from math import sqrt

from assay.report.charts import drawing as draw
from assay.report.charts.charts import LOSS, Bars, Breakdown, BreakdownRow, HeatMap, PairedBars
from assay.report.document.values import INTEGER, PERCENT, Number
from assay.report.document.wording import number_text

POINTS = Number(decimals=1)


def paired_bars_picture(chart: PairedBars) -> draw.Picture:
    """Both distributions, as rows while they are few enough to be read."""
    return rows_picture(chart) if len(chart.points) <= draw.MOST_ROWS else columns_picture(chart)


def rows_picture(chart: PairedBars) -> draw.Picture:
    """Per score point a row with the human bar over the system bar, both from zero."""
    widest = max((share for pair in chart.shares for share in pair), default=0) or 1
    key = (draw.KeyEntry("bar human", chart.human_title), draw.KeyEntry("bar system", chart.system_title))
    rows = tuple(
        draw.DrawnRow(
            f"{chart.point_title} {point.label}",
            "",
            draw.Drawing((_bar(human / widest, 0.1, "human"), _bar(system / widest, 0.52, "system")), 28),
            (_share(human, "human"), _share(system, "system")),
        )
        for point, (human, system) in zip(chart.points, chart.shares, strict=True)
    )
    return draw.Picture(draw.DrawnRows(rows), key, "Share of all responses; bars start at zero.")


def _share(share: float, mark: str) -> draw.RowValue:
    return draw.RowValue(number_text(share, PERCENT), mark=f"bar {mark}")


def _bar(width: float, y: float, mark: str) -> draw.Rect:
    return draw.Rect(0, y, width, 0.38, f"bar {mark}")


def columns_picture(chart: PairedBars) -> draw.Picture:
    """The same for long scales: the system's narrow column before the broad human one."""
    count = len(chart.points)
    axis = draw.Axis(0, max((share for pair in chart.shares for share in pair), default=0) * 1.05 or 1)
    shapes: list[draw.Shape] = []
    for tick in axis.ticks(3):
        y = 1 - axis.place(tick)
        shapes.append(draw.Line(0, y, 1, y, "zero" if tick == 0 else "base"))
        shapes.append(draw.Label(0, y, number_text(tick, Number(0, percent=True)), anchor="end", dx=-8, dy=4))
    for i, pair in enumerate(chart.shares):
        for mark, share, width in zip(("human", "system"), pair, (0.84, 0.36), strict=True):
            if share:
                height = axis.place(share)
                left = (i + 0.5 - width / 2) / count
                shapes.append(draw.Rect(left, 1 - height, width / count, height, f"bar {mark} thin"))
    shapes += draw.axis_ticks([point.label for point in chart.points], dy=20)
    note = f"Share of all responses at each {chart.point_title.lower()}; columns start at zero."
    key = (
        draw.KeyEntry("bar human thin", f"{chart.human_title} (broad)"),
        draw.KeyEntry("bar system thin", f"{chart.system_title} (narrow)"),
    )
    return draw.Picture(draw.Drawing(tuple(shapes), 200, left=44, top=8, bottom=28), key, note)


def heat_picture(chart: HeatMap) -> draw.Picture:
    """How often each pair of scores occurs, with numbers while the cells are few."""
    return counts_grid(chart) if len(chart.levels) <= draw.MOST_ROWS else shaded_picture(chart)


def counts_grid(chart: HeatMap) -> draw.Picture:
    """A grid of counts: agreement on the diagonal, adjacent beside it, the far ones outlined."""
    size = len(chart.levels)
    most = max((count for row in chart.counts for count in row), default=0) or 1
    gap = 0.03
    shapes: list[draw.Shape] = []
    for i, row in enumerate(chart.counts):
        for j, count in enumerate(row):
            style = _cell_style(abs(i - j), count, most, chart.near)
            shapes.append(
                draw.Rect((j + gap) / size, (i + gap) / size, (1 - 2 * gap) / size, (1 - 2 * gap) / size, style)
            )
            words = f"{count:,}" if count else "·"
            weight = "count none" if not count else "count strong" if i == j else "count"
            shapes.append(draw.Label((j + 0.5) / size, (i + 0.5) / size, words, weight, dy=5))
    shapes += [draw.Label((j + 0.5) / size, 0, level, dy=-8) for j, level in enumerate(chart.columns or chart.levels)]
    shapes += [draw.Label(0, (i + 0.5) / size, v, anchor="end", dx=-8, dy=5) for i, v in enumerate(chart.levels)]
    margin = _label_margin(chart)
    drawing = draw.Drawing(
        (*shapes, draw.Label(0, 0, chart.column_title, anchor="start", dy=-30)),
        38.0 * size,
        left=margin,
        top=46,
        widest=64.0 * size + margin,
        narrowest=34.0 * size + margin,
    )
    return draw.Picture(drawing, _heat_key(chart), f"Rows: {_lower(chart.row_title)}.")


def _label_margin(chart: HeatMap) -> float:
    return 14 + 7.5 * min(12, max((len(level) for level in chart.levels), default=1))


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]


def _heat_key(chart: HeatMap, size: str = "") -> tuple[draw.KeyEntry, ...]:
    if chart.key is not None:
        same, other = chart.key
        return (draw.KeyEntry(f"cell same-3{size}", same), draw.KeyEntry(f"cell far-2{size}", other))
    far = f"{chart.near + 1} or more apart"
    near = "1 apart" if chart.near == 1 else f"at most {chart.near} apart"
    words = (("same-3", "same score"), ("near-3", near), ("far-2", far))
    return tuple(draw.KeyEntry(f"cell {shade}{size}", label) for shade, label in words)


def _cell_style(distance: int, count: int, most: int, near: int) -> str:
    """The shade: four steps by the square root of the count, so that single responses stay visible."""
    if not count:
        return "cell empty"
    step = 1 + min(3, int(4 * sqrt(count / most) - 1e-9))
    kind = "same" if distance == 0 else "near" if distance <= near else "far"
    return f"cell {kind}-{step}"


def shaded_picture(chart: HeatMap) -> draw.Picture:
    """The same for long scales: a square of shaded cells without numbers, and the diagonal."""
    size = len(chart.levels)
    most = max((count for row in chart.counts for count in row), default=0) or 1
    cells = tuple(
        draw.Rect(
            j / size, i / size, 1 / size, 1 / size, _cell_style(abs(i - j), count, most, chart.near) + " small-cell"
        )
        for i, row in enumerate(chart.counts)
        for j, count in enumerate(row)
        if count
    )
    columns = tuple(
        draw.Label(m.x, 0, m.text, dy=-8, spare=m.spare)
        for m in draw.axis_ticks(list(chart.columns or chart.levels), dy=0)
    )
    rows = tuple(draw.Label(0, m.x, m.text, anchor="end", dx=-8, dy=5) for m in columns)
    frame = (draw.Rect(0, 0, 1, 1, "frame"), draw.Line(0, 0, 1, 1, "diagonal"))
    title = draw.Label(0, 0, chart.column_title, anchor="start", dy=-30)
    shades = f"The darker, the more {_lower(chart.count_title)}; at most {most:,} in one cell."
    note = f"Rows: {_lower(chart.row_title)}. {shades}"
    margin = _label_margin(chart)
    drawing = draw.Drawing((*frame, *cells, *columns, *rows, title), None, margin, top=46, widest=560 + margin)
    return draw.Picture(drawing, _heat_key(chart, " small-cell"), note)


def breakdown_picture(chart: Breakdown) -> draw.Picture:
    """One row per part on the axis of points."""
    rows = tuple(_breakdown_row(chart, row) for row in chart.rows)
    ticks = (0, 25, 50, 75, 100)
    labels = tuple(draw.Label(t / 100, 0, number_text(t * chart.most / 100, Number(0)), dy=16) for t in ticks)
    return draw.Picture(draw.DrawnRows(rows, draw.Drawing(labels, 24)), note=f"{chart.axis_title}.")


def _breakdown_row(chart: Breakdown, row: BreakdownRow) -> draw.DrawnRow:
    low, high = sorted((row.start / chart.most, row.end / chart.most))
    style = "loss" if row.points < 0 else row.kind
    bar = draw.Rect(low, 0.28, max(high - low, 0.002), 0.44, f"bar {style}")
    grid: list[draw.Shape] = [draw.Line(t, 0, t, 1, "base") for t in (0.0, 0.25, 0.5, 0.75, 1.0)]
    number = LOSS if row.points < 0 else POINTS
    value = draw.RowValue(number_text(row.points, number))
    return draw.DrawnRow(row.label, row.note, draw.Drawing((*grid, bar), 44), (value,), indent=row.depth)


def counts_picture(chart: Bars) -> draw.Picture:
    """One row per thing, the longest bar as wide as the chart."""
    most = max((bar.count for bar in chart.bars), default=0) or 1
    rows = tuple(
        draw.DrawnRow(
            bar.label,
            bar.note,
            draw.Drawing((draw.Line(0, 0, 0, 1, "zero"), draw.Rect(0, 0.26, bar.count / most, 0.48, "bar part")), 32),
            (draw.RowValue(number_text(bar.count, INTEGER)),),
        )
        for bar in chart.bars
    )
    return draw.Picture(draw.DrawnRows(rows), note=chart.note)
