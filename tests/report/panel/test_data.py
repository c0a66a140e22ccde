from dataclasses import replace

from assay.evaluation.exclusions import Exclusions
from assay.evaluation.raters.panel import panel_of
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.provenance import Provenance
from assay.report.document.document import Document, tables_of
from assay.report.panel.data import data_section, methods_section
from tests.evaluation.raters.panels import panel_from, random_table

PANEL = panel_of(panel_from(random_table(1), 2), ReplacementPlan(epsilon=0.15))


def test_what_was_read_and_left_out_adds_up() -> None:
    panel = replace(PANEL, exclusions=Exclusions(300, {"no label": 12, "not a number": 3}))

    (table,) = tables_of(Document("", sections=(data_section(panel, source="r.csv"),)))

    assert table.rows[0][:2] == ("Read", 300)
    assert sum(row[1] for row in table.rows) == table.foot[0][1] == 285  # type: ignore[misc]


def test_methods_state_the_settings() -> None:
    (table,) = tables_of(Document("", sections=(methods_section(PANEL, Provenance("0.1", "assay panel r.csv")),)))

    text = str(table.rows)
    assert "ε = 0.15" in text
    assert "assay panel r.csv" in text
