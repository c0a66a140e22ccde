"""Distributions, tables of scores and parts of a score, laid out."""

import pytest

from assay.report.charts.charts import (
    Bar,
    Bars,
    Breakdown,
    BreakdownRow,
    HeatMap,
    PairedBars,
    PairOfBars,
)
from assay.report.charts.drawing import Drawing, DrawnRows, Label, Rect
from assay.report.charts.figures import picture
from assay.report.charts.score_pictures import (
    breakdown_picture,
    columns_picture,
    counts_picture,
    heat_picture,
    paired_bars_picture,
)


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


def bars_of(body: object) -> list[list[Rect]]:
    assert isinstance(body, DrawnRows)
    return [[shape for shape in row.drawing.shapes if isinstance(shape, Rect)] for row in body.rows]


def test_a_long_scale_is_drawn_as_columns_that_start_at_zero() -> None:
    points = tuple(PairOfBars(str(i), i, 30 - i) for i in range(31))
    chart = PairedBars(name="d", title="T", says="S", alt="A", points=points)

    body = paired_bars_picture(chart).body

    assert body == columns_picture(chart).body
    assert isinstance(body, Drawing)
    columns = [shape for shape in body.shapes if isinstance(shape, Rect)]
    assert len(columns) == 60  # nothing is drawn where nobody gave the score
    assert all(column.y + column.height == pytest.approx(1) for column in columns)


def test_levels_off_the_diagonal_are_near_or_far() -> None:
    counts = ((4, 1, 1), (0, 4, 0), (0, 0, 4))
    body = heat_picture(HeatMap(name="h", title="T", says="S", alt="A", levels=("1", "2", "3"), counts=counts)).body

    assert isinstance(body, Drawing)
    styles = [shape.style for shape in body.shapes if isinstance(shape, Rect)]
    assert styles[:3] == ["cell same-4", "cell near-2", "cell far-2"]
    assert styles.count("cell empty") == 4


def test_parts_of_a_score_lie_end_to_end_and_losses_reach_back() -> None:
    rows = (BreakdownRow("Quality", "80 x 0.50", 0, 40), BreakdownRow("Extra", "", 40, 30))
    body = breakdown_picture(Breakdown(name="b", title="T", says="S", alt="A", rows=rows)).body

    (part,), (loss,) = bars_of(body)
    assert (part.style, loss.style) == ("bar part", "bar loss")
    assert (part.x, part.width, loss.x, loss.width) == pytest.approx((0, 0.4, 0.3, 0.1))
    assert isinstance(body, DrawnRows)
    assert [row.values[0].text for row in body.rows] == ["40.0", "−10.0"]


def test_the_longest_bar_is_as_wide_as_the_chart() -> None:
    body = counts_picture(Bars(name="b", title="T", says="S", alt="A", bars=(Bar("a", 4), Bar("b", 1)))).body

    assert [bar.width for (bar,) in bars_of(body)] == [1, 0.25]
