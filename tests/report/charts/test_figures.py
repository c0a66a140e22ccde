"""Charts are laid out on their axes, whatever their values."""

import pytest

from assay.metrics.intervals import Estimate
from assay.report.charts.charts import Level, LevelPlot
from assay.report.charts.drawing import Dot, Drawing, Label, Line, Rect
from assay.report.charts.figures import picture, track
from assay.report.document.document import KeyFigure
from assay.report.document.values import Band


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


def test_a_long_scale_keeps_at_most_fifteen_labels() -> None:
    levels = tuple(Level(str(i), Estimate(0.1, 0.0, 0.2)) for i in range(61))

    body = picture(LevelPlot(name="l", title="T", says="S", alt="A", levels=levels)).body

    assert isinstance(body, Drawing)
    below = [s.text for s in body.shapes if isinstance(s, Label) and s.y == 1]
    assert below == [str(i) for i in range(0, 61, 5)]
