"""How features were prepared, what they go with, and their principal components."""

from dataclasses import replace

import numpy as np
import pytest

from assay.report.rsm.prepared import components_section, correlation_bars, prepared_section
from tests.report.reading import (
    charts_of,
    column_of,
    tables_in,
)
from tests.report.rsm.experiments import (
    FEATURES,
    experiment,
    pages,
)


def test_every_feature_has_a_row_with_how_it_was_prepared() -> None:
    table = tables_in(prepared_section(experiment(), pages().analyses))["feature_parameters"]

    assert [row[0] for row in table.rows] == list(FEATURES)
    assert len(table.rows[0]) == len(table.columns)


def test_features_that_say_the_same_are_named() -> None:
    analyses = pages().analyses
    close = analyses.processed.copy()
    close[0, 1] = close[1, 0] = 0.93

    (chart,) = [
        c
        for c in charts_of(prepared_section(experiment(), replace(analyses, processed=close))).values()
        if c.name == "cors_processed"
    ]
    assert "the closest are length and grammar (r = 0.93)" in chart.says


def test_a_correlation_that_turns_round_is_named() -> None:
    correlations = pages().analyses.with_score
    everyone = correlations.everyone
    turned = everyone.partial.copy()
    turned[0] = -0.5 * np.sign(everyone.marginal[0])
    chart = correlation_bars(
        replace(correlations, everyone=replace(everyone, partial=turned)), FEATURES, "human score", "score"
    )

    assert chart.says == "The sign turns round for length once the others are held constant."
    assert {bar.label: bar.values[1] for bar in chart.bars}["length"] == turned[0]


def test_components_hold_all_variance_together() -> None:
    section = components_section(pages().analyses)
    table = tables_in(section)["pcavar"]

    assert column_of(table, "So far")[-1] == pytest.approx(1)
    assert len(tables_in(section)["pca"].rows) == len(FEATURES)
    assert charts_of(section)["scree"].table.rows
