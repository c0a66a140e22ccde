"""Shares of features in scores, drawn."""

from dataclasses import replace

import pytest

from assay.report.charts.feature_charts import (
    Swarm,
    Waterfall,
)
from assay.report.rsm.explain_charts import (
    charts_section,
    heat_map,
    responses_section,
    size_bars,
    swarm,
    waterfall,
)
from assay.report.rsm.explain_report import explain_report
from tests.report.reading import (
    all_charts,
    charts_of,
)
from tests.report.rsm.experiments import (
    explain_pages,
    explained,
)


def test_the_waterfall_leads_from_the_background_to_the_score() -> None:
    document = explain_report(explain_pages(1), title="T")
    found = explained(n=1)

    (chart,) = [chart for chart in all_charts(document) if isinstance(chart, Waterfall)]

    assert chart.start == pytest.approx(found.base)
    assert chart.end == pytest.approx(float(found.predictions[0]))
    assert not any(isinstance(chart, Swarm) for chart in all_charts(document))


def test_the_largest_mean_share_comes_first() -> None:
    explanation, chart = explained(), size_bars(explain_pages())

    values = [bar.values[0] for bar in chart.bars]
    assert values == sorted(values, reverse=True)
    assert values[0] == explanation.mean_size.max()


def test_every_response_is_a_dot_whose_level_is_a_fifth_of_all() -> None:
    chart = swarm(explain_pages())

    assert all(len(row.dots) == 40 for row in chart.rows)
    assert {dot.level for dot in chart.rows[0].dots} == {0, 1, 2, 3, 4}


def test_the_map_runs_from_the_lowest_score_to_the_highest() -> None:
    explanation, chart = explained(), heat_map(explain_pages())

    scores = dict(zip(map(str, explanation.ids), explanation.predictions.tolist(), strict=True))
    ordered = [scores[name] for name in chart.columns]
    assert ordered == sorted(ordered)


def test_features_beyond_the_most_are_drawn_together() -> None:
    chart = waterfall(replace(explain_pages(), most=2), 0)

    assert [step.label for step in chart.steps][2:] == ["3 other features"]
    assert chart.end == pytest.approx(float(explained().predictions[0]))


def test_of_many_responses_three_are_shown_one_by_one() -> None:
    assert len(charts_of(responses_section(explain_pages()))) == 3
    assert len(charts_of(responses_section(explain_pages(6)))) == 6
    assert len(charts_section(explain_pages(1)).blocks) == 1
