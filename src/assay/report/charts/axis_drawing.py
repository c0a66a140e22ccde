"""The labels below an axis."""

from assay.report.charts.axis import Axis
from assay.report.charts.drawing import Drawing, Label
from assay.report.document.values import Number
from assay.report.document.wording import number_text


def axis_drawing(axis: Axis, number: Number) -> Drawing:
    """Round values in a row, written with no more decimals than they need; every second goes on a narrow page."""
    ticks = axis.ticks()
    decimals = 0 if number.percent else max(decimals_of(t) for t in ticks)
    written = Number(min(number.decimals, decimals), number.signed, number.percent)
    labels = tuple(Label(axis.place(t), 0, number_text(t, written), dy=16) for t in ticks)
    return Drawing(tuple(Label(m.x, 0, m.text, dy=16, spare=i % 2 == 1) for i, m in enumerate(labels)), 24)


def decimals_of(value: float) -> int:
    """How many decimals a round value needs.

    >>> decimals_of(0.25), decimals_of(3.0)
    (2, 0)
    """
    return len(f"{value:.6f}".rstrip("0").partition(".")[2])
