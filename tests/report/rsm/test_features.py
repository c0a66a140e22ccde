"""Features as they came, by group, and at equal human scores."""

from dataclasses import replace
from math import nan

import numpy as np
import pytest

from assay.report.document.values import FormattedEstimate
from assay.report.render.html import to_html
from assay.report.rsm.experiment_report import experiment_report
from assay.report.rsm.features import (
    box_chart,
    effects_chart,
    features_by_group_section,
    features_section,
    functioning_section,
    in_own_units,
    line_chart,
    number_for,
    with_score_bars,
)
from tests.report.reading import (
    column_of,
    tables_in,
    text_of,
)
from tests.report.rsm.experiments import (
    FEATURES,
    pages,
)


def test_a_feature_that_works_differently_in_one_group_is_named() -> None:
    document = experiment_report(pages(), title="T", sections=("dff_by_group",))

    assert "spelling in Peru" in to_html(document)


@pytest.mark.parametrize(("size", "decimals"), [(0.01, 4), (0.5, 3), (12.0, 2), (4000.0, 0)])
def test_values_get_decimals_enough_for_their_size(size: float, decimals: int) -> None:
    assert number_for([size, nan]).decimals == decimals


def test_figures_of_one_feature_are_written_alike() -> None:
    cells = in_own_units([500.0, 0.002])

    assert [cell.number.decimals for cell in cells if isinstance(cell, FormattedEstimate) and cell.number] == [4, 4]


def test_each_feature_has_a_row_with_its_own_figures() -> None:
    analyses = pages().analyses
    section = features_section(analyses)
    table = tables_in(section)["feature_descriptives"]

    assert column_of(table, "Feature") == list(FEATURES)
    assert column_of(table, "r with score") == [pytest.approx(r) for r in analyses.descriptives.r]
    assert text_of(section).startswith("5 features of 300 training responses, as they came.")


def test_the_feature_that_goes_most_closely_with_the_score_is_named_first() -> None:
    analyses = pages().analyses
    chart, r = with_score_bars(analyses), analyses.descriptives.r
    best = FEATURES[int(np.argmax(np.abs(r)))]

    assert chart.bars[0].label == best
    assert chart.says == f"{best} goes most closely with the human score, at r = {np.abs(r).max():.2f}."


def test_groups_with_few_responses_get_no_box() -> None:
    boxes = pages().analyses.boxes["country"][0]
    least = min(box.n for box in boxes.boxes) + 1

    assert len(box_chart(boxes, 1).rows) == 4
    assert len(box_chart(boxes, least).rows) == 3
    assert box_chart(boxes, 10_000).says == "There is one group."


def test_only_differences_whose_interval_says_so_are_certain() -> None:
    functioning = pages().analyses.functioning["country"]
    chart = effects_chart("country", list(functioning.parts))

    assert chart.says.startswith("Certainly beyond ±0.2: spelling in Peru")
    unsure = [replace(part, low=-9.0, high=9.0) for part in functioning.parts]
    assert "none of them certainly" in effects_chart("country", unsure).says
    flat = [replace(part, difference=0.0, low=-0.1, high=0.1) for part in functioning.parts]
    assert effects_chart("country", flat).says == "No difference is beyond ±0.2."


def test_lines_run_over_the_human_scores_with_everyone_in_bold() -> None:
    functioning = pages().analyses.functioning["country"]
    parts = [part for part in functioning.parts if part.feature == "spelling"]
    chart = line_chart(functioning, "spelling", parts)

    assert [trace.label for trace in chart.traces if trace.bold] == ["Everyone"]
    assert chart.places == ("1", "2", "3", "4", "5", "6")
    assert "differs most in Peru" in chart.says


def test_without_groups_there_is_nothing_to_draw() -> None:
    analyses = replace(pages().analyses, boxes={}, functioning={})

    assert text_of(features_by_group_section(analyses, {})) == "No subgroups were named."
    assert text_of(functioning_section(analyses, {})) == "No subgroups were named."
