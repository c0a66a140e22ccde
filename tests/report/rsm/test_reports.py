"""Reports on models: every section of RSMTool's, with words for who cannot see the charts, in every format."""

import re

import pytest

from assay.report.document.document import Document
from assay.report.render.html import to_html
from assay.report.render.pdf import document_json, to_pdf
from assay.report.rsm.compare_report import rsm_comparison_report
from assay.report.rsm.experiment_report import experiment_report
from assay.report.rsm.experiments import EvaluatedExperiment
from assay.report.rsm.explain_report import explain_report
from assay.report.rsm.summary_report import summary_report
from assay.report.rsm.xval_report import xval_report
from assay.rsm.stored import StoredExperiment
from tests.report.reading import all_charts
from tests.report.rsm.experiments import (
    PROVENANCE,
    explain_pages,
    feature_table,
    pages,
)


def documents() -> dict[str, Document]:
    found = pages()
    summary = [
        EvaluatedExperiment(StoredExperiment(name, name, "rsmtool", {"model": "X"}, {}, None, False), None)
        for name in "ab"
    ]
    folds = [(found.experiment, found.evaluation)] * 3
    return {
        "experiment": experiment_report(found, title="T"),
        "explain": explain_report(explain_pages(), title="T"),
        "summary": summary_report(summary, title="T", provenance=PROVENANCE),
        "comparison": rsm_comparison_report(summary, None, 0, title="T", provenance=PROVENANCE),
        "xval": xval_report(folds, found.evaluation, found.experiment, title="T", provenance=PROVENANCE),
    }


@pytest.mark.parametrize("name", ["experiment", "explain", "summary", "comparison", "xval"])
def test_every_report_becomes_html_and_every_chart_has_words(name: str) -> None:
    document = documents()[name]

    page = to_html(document)

    for chart in all_charts(document):
        assert chart.alt.strip()
        assert chart.says.strip()
        assert chart.table.rows
    assert not re.search(r"\bnan\b", page, flags=re.I)
    assert page.count("<section") == len(document.sections)


def test_reports_on_models_can_be_typeset() -> None:
    pytest.importorskip("typst")
    for name in ("experiment", "explain"):
        assert to_pdf(documents()[name]).startswith(b"%PDF")
        assert document_json(documents()[name])["sections"]


def test_the_sample_of_essays_is_what_the_tests_say_it_is() -> None:
    assert len(feature_table(10, 3)) == 10
