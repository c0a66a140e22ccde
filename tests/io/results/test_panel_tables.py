import numpy as np

from assay.evaluation.raters.panel import panel_of
from assay.evaluation.raters.replacement import ReplacementPlan
from assay.io.results.panel_tables import panel_tables
from tests.evaluation.raters.panels import panel_from, random_table


def test_each_judge_and_each_person_has_a_row() -> None:
    panel = panel_of(panel_from(random_table(1), 2), ReplacementPlan(least_items=20))

    tables = panel_tables(panel)

    judges, people = tables["judges"], tables["people"]
    assert [row[0] for row in judges.rows] == ["gpt-4", "gpt-5"]
    assert [row[0] for row in people.rows] == ["h0", "h1", "h2", "h3"]
    by_head = dict(zip(judges.columns, judges.rows[0], strict=True))
    assert by_head["agreement"] == panel.replacement.judges[0].agreement.value
    assert "judges_without_unrelated" not in tables
    assert len(tables["figures"].rows) == len(panel.figures())


def test_a_table_without_rows_is_left_out() -> None:
    table = random_table(1, people=3, judges=0)

    assert "judges" not in panel_tables(panel_of(panel_from(table, 0), ReplacementPlan()))
    assert np.isfinite(table).any()
