"""The report of an explanation: what was explained, against what, and how sure it is."""

from dataclasses import replace

import pytest

from assay.metrics.intervals import Estimate
from assay.report.render.html import to_html
from assay.report.rsm.explain_report import cohort_table, data_section, explain_report, values_section
from tests.report.reading import (
    column_of,
    tables_in,
    text_of,
)
from tests.report.rsm.experiments import (
    FEATURES,
    explain_pages,
    explained,
)


def test_few_background_responses_are_a_caution() -> None:
    page = to_html(explain_report(replace(explain_pages(), background=20), title="T"))

    assert "20 background responses may not be typical" in page


def test_what_was_explained_is_counted() -> None:
    text = text_of(data_section(explain_pages()))

    assert (
        f"40 responses explained against 300 background responses, whose mean raw score is {explained().base:.2f}"
        in text
    )
    assert "2 responses lacked a feature" in text
    assert "summarised" not in text


def test_shares_of_all_features_add_up() -> None:
    table = tables_in(values_section(explain_pages()))["absolute_shares"]
    explanation = explained()

    assert sum(cell for cell in column_of(table, "Share of all") if isinstance(cell, float)) == pytest.approx(1)
    means = dict(zip(column_of(table, "Feature"), column_of(table, "Mean size"), strict=True))
    assert means == pytest.approx(dict(zip(explanation.features, explanation.mean_size, strict=True)))


def test_groups_that_are_scored_alike_hold_every_response_once() -> None:
    found = explain_pages()
    (cohorts,) = found.cohorts
    table = cohort_table(found, cohorts)

    counts = [cell.value for cell in table.rows[0][1:] if isinstance(cell, Estimate)]
    assert sum(counts) == len(found.explanation)
    assert len(table.rows) == 1 + len(FEATURES)


def test_the_report_opens_with_the_feature_that_counts_most() -> None:
    document = explain_report(explain_pages(), title="T")
    first = explained().features[explained().ranked()[0]]

    assert first in document.verdict_lead
    assert document.subtitle.startswith("LinearRegression, 40 responses explained.")
