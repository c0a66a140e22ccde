from assay.evaluation.raters.panel import panel_of
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.report.document.document import Document, Paragraph, tables_of
from assay.report.panel.agreement import agreement_section, matrix_chart
from tests.evaluation.raters.panels import panel_from, random_table

PANEL = panel_of(panel_from(random_table(1), 2), ReplacementPlan(least_items=20))


def test_the_matrix_has_people_first_and_numbers_its_columns() -> None:
    chart = matrix_chart(PANEL.agreement.matrix)

    assert chart.rows[0] == "1 h0"
    assert chart.columns == ("1", "2", "3", "4", "5", "6")
    assert chart.says.startswith("4 people first, then judges.")


def test_the_section_compares_pairs_and_ranks_judges() -> None:
    section = agreement_section(PANEL)

    first = section.blocks[0]
    assert isinstance(first, Paragraph)
    assert str(first.spans).startswith("Mean QWK of pairs: 0.")
    names = [table.name for table in tables_of(Document("", sections=(section,)))]
    assert names == ["matrix", "reliability", "ranks"]
