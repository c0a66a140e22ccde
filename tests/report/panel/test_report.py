import pytest

from assay.evaluation.raters.panel import panel_of
from assay.evaluation.raters.panel_ratings import Labels
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.provenance import Provenance
from assay.report.document.document import Document, tables_of
from assay.report.panel.report import panel_report, subtitle
from assay.report.render.html import to_html
from tests.evaluation.raters.panels import panel_from, random_table

MADE = Provenance("0.1", "assay panel r.csv", {"r.csv": "ab" * 32}, 0, "2026-11-18T02:00:00+00:00")


@pytest.fixture(scope="module")
def report() -> Document:
    panel = panel_of(panel_from(random_table(1, items=80), 2), ReplacementPlan(least_items=20))
    return panel_report(panel, source="ratings.csv", provenance=MADE)


def test_the_report_opens_with_the_verdict_and_the_board(report: Document) -> None:
    assert report.title == "ratings: 4 raters and 2 judges"
    assert report.verdict_lead
    assert report.board is not None
    assert [section.title for section in report.sections][-2:] == ["Data and exclusions", "Methods and provenance"]


def test_its_tables_hold_every_judge_and_person(report: Document) -> None:
    tables = {table.name: table for table in tables_of(report)}

    assert [row[0] for row in tables["judges"].rows] == ["gpt-4", "gpt-5"]
    assert [row[0] for row in tables["people"].rows] == ["h0", "h1", "h2", "h3"]


def test_it_renders(report: Document) -> None:
    page = to_html(report)

    assert "May it replace a rater?" in page
    assert page.count('<li class="jrow system">') == 2


def test_the_subtitle_says_what_labels_are() -> None:
    labels = Labels("ordered", ("", "poor", "fair", "good", "great", "best"))
    panel = panel_of(panel_from(random_table(1), 2, labels), ReplacementPlan())

    assert "labels are ordered words" in subtitle(panel, "")
